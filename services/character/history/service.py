"""What became of a character, and taking it back to what it was."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.builds import Built
from services.character.building.edits import editing, keep_anew
from services.character.building.models import CharacterRow
from services.character.building.service import CharacterService
from services.character.history.lines import Deed, HistoryKind, HistoryLine, line
from services.character.history.models import CharacterVersionRow
from services.character.history.repository import History
from services.character.history.requests import UndoCharacterEdit
from services.character.packs.editions import Edition, Editions
from services.character.rewards.approval import Approval
from services.rules.engine.codec import CodecError
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.pagination import Page
from services.shared.policy import Policy
from services.shared.problems import Forbidden, InvalidInput


class HistoryService:
    """The use cases of histories.

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

    async def page(
        self, viewer: Viewer, row: CharacterRow, *, first: int, below: int | None
    ) -> Page[HistoryLine] | None:
        """Read a page of a character's history, newest first; None for who may not know it.

        Its owner and whoever runs a table where it sits see it; others at the table do not.

        Raises:
            Unavailable: nobody knows whether the viewer runs the table.
        """
        if row.owner != viewer.account:
            access = await self._policy.own_at_least(viewer, characters=[row.id])
            if access.found(access.runs_table_of(row.id) or None) is None:
                return None
        async with self._database.read() as session:
            # One more than shown, to compare the last one with.
            rows = await History(session).page(row.id, limit=first + 1, below=below)
        system = self._editions.systems.get(row.system)
        codec = None if system is None else system.choices_codec
        before = [*rows[1:], None]
        lines = [line(one, other, codec) for one, other in zip(rows[:first], before, strict=False)]
        return Page(lines, has_next=len(rows) > first, has_previous=below is not None)

    async def undo(self, viewer: Viewer, asked: UndoCharacterEdit, key: str | None) -> CharacterRow:
        """Take a character back to what it was at an earlier version, from the version that was seen.

        It is built anew from the choices and the versions of packs it had then. A player at somebody else's
        table approves nothing by that; whoever runs the table brings back what was approved then.

        Args:
            viewer: its owner, or a GM of the table where it sits.
            asked: which character, and the version to go back to.
            key: idempotency key.

        Raises:
            NotFound, Forbidden: the viewer may not do this.
            VersionConflict: it was changed since the viewer looked.
            InvalidInput: there is no such version, or it cannot be built any more.
            Unavailable: nobody knows what the viewer may do.
        """
        seen = await self._characters.seen(viewer, asked.character_id)
        if seen.owner != viewer.account:
            access = await self._policy.access(viewer, characters=[seen.id])
            if not access.runs_table_of(seen.id):
                text = "Only its player, or a GM of the table where it sits, may do this."
                raise Forbidden.because(text, "characterId")
        approval = await Approval.of(self._policy, viewer, seen.id)
        await self._make_ready(viewer, seen, asked.to)
        moment = self._clock()
        async with editing(self._database, viewer, asked, key, seen, moment) as (session, row, before):
            if before:
                return row
            then = await _line(session, row, asked.to)
            built = await self._rebuilt(session, row, then, approval)
            deed = Deed(HistoryKind.UNDONE, viewer.account, str(then.version))
            return await keep_anew(session, row, built, deed, moment)

    async def _make_ready(self, viewer: Viewer, row: CharacterRow, to: int | None) -> None:
        """Make the game that a version was built by, before the unit of work, which tells what is wrong."""
        with suppress(InvalidInput):
            async with self._database.read() as session:
                then = await _line(session, row, to)
            await self._editions.make_ready(viewer, then, row.system)

    async def _rebuilt(
        self, session: AsyncSession, row: CharacterRow, then: CharacterVersionRow, approval: Approval
    ) -> Built:
        """Build what a character was, as far as who asks may approve it."""
        edition = await self._editions.of_row(then, row.system, session)
        choices = None if edition is None else _choices(edition, then)
        if edition is None or choices is None:
            message = "The game cannot read that version any more."
            raise InvalidInput.single("VERSION_UNREADABLE", message, "to", found=str(then.version))
        allowed = approval.allowed(edition.system, self._characters.choices(row), choices)
        try:
            return edition.build(allowed)
        except InvalidInput as refused:
            # The path of an issue leads through the build that the caller has not sent.
            raise InvalidInput([replace(found, path=["to"]) for found in refused.issues]) from refused


def _choices(edition: Edition, then: CharacterVersionRow) -> Any | None:
    try:
        return edition.system.choices_codec.load(then.choices)
    except CodecError:
        return None


async def _line(session: AsyncSession, row: CharacterRow, to: int | None) -> CharacterVersionRow:
    """Find the version to go back to.

    Raises:
        InvalidInput: there is none.
    """
    history = History(session)
    before = await history.page(row.id, limit=1, below=row.version)
    if not before:
        message = "There is no version before this one."
        raise InvalidInput.single("NOTHING_TO_UNDO", message, "characterId")
    if to is None:
        return before[0]
    known = await history.line(row.id, to) if 0 < to < row.version else None
    if known is not None:
        return known
    oldest = await history.oldest(row.id)
    message = "That is no earlier version of this character that is still kept."
    raise InvalidInput.single(
        "VERSION_UNKNOWN", message, "to", found=str(to), allowed=f"{oldest}..{row.version - 1}"
    )
