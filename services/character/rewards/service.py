"""What can be done with rewards. Each use case is one unit of work; a problem that it raises undoes it."""

from dataclasses import replace

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.edits import editing, keep_anew, owned
from services.character.building.models import CharacterRow
from services.character.building.service import CharacterService
from services.character.building.sheets import PRINTING
from services.character.history.lines import Deed, HistoryKind
from services.character.packs.editions import Cost, Edition, Editions, refs_of
from services.character.rewards import tasks
from services.character.rewards.advancement import (
    RewardLine,
    Verdict,
    judged,
    proposed,
    reward_lines,
    reward_text,
)
from services.character.rewards.requests import ApproveReward, ProposeReward, RefuseReward
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.policy import Policy
from services.shared.problems import Forbidden, InvalidInput

OFFERING = Cost(alone=15.0, per_entry=0.15)


class RewardService:
    """The use cases of rewards.

    Args:
        database: where characters are kept.
        clock: the present moment.
        policy: knows at which tables characters sit.
        editions: the games, alone and with packs in them.
        characters: knows who sees them, and reads them.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        editions: Editions,
        characters: CharacterService,
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._editions = editions
        self._characters = characters

    async def rewards(self, viewer: Viewer, row: CharacterRow) -> list[RewardLine]:
        """List a character's rewards, approved and waiting; none when its game cannot read it any more."""
        if self._characters.choices(row) is None:
            return []
        return await self._editions.ask_of(viewer, row, PRINTING, tasks.rewards, row.choices) or []

    async def offers(self, viewer: Viewer, row: CharacterRow) -> list[RewardLine]:
        """List the rewards that could be proposed for a character; none as for ``rewards``."""
        if self._characters.choices(row) is None:
            return []
        return await self._editions.ask_of(viewer, row, OFFERING, tasks.offers, row.choices) or []

    async def propose(self, viewer: Viewer, asked: ProposeReward, key: str | None) -> CharacterRow:
        """Propose a reward for one's character, from the version that was seen; it waits for approval.

        Raises:
            NotFound, Forbidden: it is not the viewer's.
            VersionConflict: it was changed since the viewer looked.
            InvalidInput: the reward breaks rules.
        """
        seen = owned(await self._characters.seen(viewer, asked.character_id), viewer, "characterId")
        await self._editions.make_ready(viewer, seen, seen.system)
        moment = self._clock()
        async with editing(self._database, viewer, asked, key, seen, moment) as (session, row, before):
            if before:
                return row
            edition = await self._edition(session, row)
            built = proposed(edition.system, self._characters.choices(row), asked.reward)
            text = reward_text(edition.system, asked.reward.reward)
            deed = Deed(HistoryKind.PROPOSED, viewer.account, text)
            return await keep_anew(session, row, edition.mark(built), deed, moment)

    async def approve(self, viewer: Viewer, asked: ApproveReward, key: str | None) -> CharacterRow:
        """Approve a waiting reward of a character, as a GM of the table where it sits.

        Raises:
            NotFound, Forbidden: the viewer does not run that table.
            VersionConflict: it was changed since the viewer looked.
            InvalidInput: no such reward waits.
            Unavailable: nobody knows who runs that table.
        """
        return await self._judge(viewer, asked, key, "approve")

    async def refuse(self, viewer: Viewer, asked: RefuseReward, key: str | None) -> CharacterRow:
        """Refuse a waiting reward of a character: it is gone; raises as ``approve``."""
        return await self._judge(viewer, asked, key, "refuse")

    async def _judge(
        self, viewer: Viewer, asked: ApproveReward | RefuseReward, key: str | None, verdict: Verdict
    ) -> CharacterRow:
        access = await self._policy.access(viewer, characters=[asked.character_id])
        seen = await self._characters.seen(viewer, asked.character_id)
        if not access.runs_table_of(seen.id):
            raise Forbidden.because("Only a GM of the table where it sits may do this.", "characterId")
        await self._editions.make_ready(viewer, seen, seen.system)
        moment = self._clock()
        async with editing(self._database, viewer, asked, key, seen, moment) as (session, row, before):
            if before:
                return row
            edition, choices = await self._edition(session, row), self._characters.choices(row)
            built = judged(edition.system, choices, asked.index, verdict)
            what = HistoryKind.APPROVED if verdict == "approve" else HistoryKind.REFUSED
            deed = Deed(what, viewer.account, reward_lines(edition.system, choices)[asked.index].text)
            return await keep_anew(session, row, edition.mark(built), deed, moment)

    async def _edition(self, session: AsyncSession, row: CharacterRow) -> Edition:
        """Return what a character was built by; what keeps it from being made is told of the character."""
        try:
            return await self._editions.edition(row.system, refs_of(row), session)
        except InvalidInput as refused:
            issues = [replace(broken, path=["characterId"]) for broken in refused.issues]
            raise InvalidInput(issues) from refused
