"""What can be done with rewards: each use case is one unit of work; it gives a result or a problem."""

from collections.abc import Mapping
from dataclasses import replace

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.edits import hold, keep_anew
from services.character.building.models import CharacterRow
from services.character.building.service import CharacterService
from services.character.history.lines import Deed, HistoryKind
from services.character.packs.editions import Edition, refs_of
from services.character.rewards.advancement import (
    Proposal,
    Verdict,
    judged,
    no_rewards,
    proposed,
    reward_lines,
    reward_text,
)
from services.character.seats import Seat, Seats
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.problems import Forbidden, InvalidInput, NotFound, Unavailable, VersionConflict


class Advancing:
    """The use cases of rewards.

    Args:
        database: where characters are kept.
        clock: the present moment.
        seats: knows at which tables characters sit.
        characters: knows who sees them, and reads them.
    """

    def __init__(self, database: Database, clock: Clock, seats: Seats, characters: CharacterService) -> None:
        self._database = database
        self._clock = clock
        self._seats = seats
        self._characters = characters

    async def propose(
        self, viewer: Viewer, character: str, version: int, proposal: Proposal
    ) -> CharacterRow | InvalidInput | NotFound | Forbidden | VersionConflict:
        """Propose a reward for one's character, from the version that was seen; it waits for approval."""
        visible = await self._characters.characters(viewer, [character])
        seen = visible.get(character)
        if seen is not None and seen.owner == viewer.account:
            await self._characters.editions.make_ready(viewer, seen, seen.system)
        async with self._database.write() as session:
            row = await hold(session, viewer.account, character, version, visible, "characterId")
            if not isinstance(row, CharacterRow):
                return row
            edition = await self._edition(session, row)
            if isinstance(edition, InvalidInput):
                return edition
            choices = self._characters.choices(row)
            built = proposed(_alone(edition), row.system, choices, proposal)
            if edition is None or isinstance(built, InvalidInput):
                return built if isinstance(built, InvalidInput) else no_rewards()
            deed = Deed(HistoryKind.PROPOSED, viewer.account, reward_text(edition.system, proposal.reward))
            return await keep_anew(session, row, edition.mark(built), deed, self._clock())

    async def judge(
        self, viewer: Viewer, character: str, version: int, index: int, verdict: Verdict
    ) -> CharacterRow | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable:
        """Approve or refuse a waiting reward of a character, as a GM of the table where it sits."""
        seat = await self._seats.seat(viewer, character)
        visible = await self._characters.characters(viewer, [character])
        if seat is Seat.UNKNOWN:
            return Unavailable.of("campaign")
        if character not in visible:
            return NotFound.of("character", "characterId")
        if seat is not Seat.OWN:
            return Forbidden.because("Only a GM of the table where it sits may do this.", "characterId")
        await self._characters.editions.make_ready(viewer, visible[character], visible[character].system)
        async with self._database.write() as session:
            # The GM's right is known; the row is held as its player would hold it.
            owner = visible[character].owner
            row = await hold(session, owner, character, version, visible, "characterId")
            if not isinstance(row, CharacterRow):
                return row
            edition = await self._edition(session, row)
            if isinstance(edition, InvalidInput):
                return edition
            choices = self._characters.choices(row)
            built = judged(_alone(edition), row.system, choices, index, verdict)
            if edition is None or isinstance(built, InvalidInput):
                return built if isinstance(built, InvalidInput) else no_rewards()
            what = HistoryKind.APPROVED if verdict == "approve" else HistoryKind.REFUSED
            deed = Deed(what, viewer.account, reward_lines(edition.system, choices)[index].text)
            return await keep_anew(session, row, edition.mark(built), deed, self._clock())

    async def _edition(self, session: AsyncSession, row: CharacterRow) -> Edition | InvalidInput | None:
        """Give what a character was built by, or why that cannot be made any more."""
        found = await self._characters.editions.edition(row.system, refs_of(row), session)
        if isinstance(found, InvalidInput):
            return InvalidInput.of([replace(broken, path=["characterId"]) for broken in found.issues])
        return found


def _alone(edition: Edition | None) -> Mapping[str, AnySystem]:
    return {} if edition is None else edition.alone
