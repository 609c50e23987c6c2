"""What became of a character, and taking it back to what it was."""

from dataclasses import replace
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.builds import Build
from services.character.building.edits import hold, keep_anew
from services.character.building.models import CharacterRow
from services.character.building.service import CharacterService
from services.character.history.lines import Deed, HistoryKind, HistoryLine, line
from services.character.history.models import CharacterVersionRow
from services.character.history.repository import History
from services.character.rewards.advancement import unapproved
from services.character.seats import Seat, Seats
from services.rules.engine.codec import CodecError
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.pagination import Page
from services.shared.problems import Forbidden, InvalidInput, NotFound, Unavailable, VersionConflict


class Undoing:
    """The use cases of histories.

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

    async def page(
        self, viewer: Viewer, row: CharacterRow, *, first: int, below: int | None
    ) -> Page[HistoryLine] | None:
        """Read a page of a character's history, newest first; None for who may not know it.

        Its owner and whoever runs a table where it sits see it; others at the table do not.
        """
        if row.owner != viewer.account and await self._seats.seat(viewer, row.id) is not Seat.OWN:
            return None
        async with self._database.read() as session:
            # One more than shown, to compare the last one with.
            rows = await History(session).page(row.id, limit=first + 1, below=below)
        system = self._characters.systems.get(row.system)
        codec = None if system is None else system.choices_codec
        before = [*rows[1:], None]
        lines = [line(one, other, codec) for one, other in zip(rows[:first], before, strict=False)]
        return Page(lines, has_next=len(rows) > first, has_previous=below is not None)

    async def undo(
        self, viewer: Viewer, character: str, version: int, to: int | None
    ) -> CharacterRow | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable:
        """Take a character back to what it was at an earlier version, from the version that was seen.

        It is built anew from the choices and the versions of packs it had then. A player at somebody else's
        table approves nothing by that; whoever runs the table brings back what was approved then.

        Args:
            viewer: its owner, or a GM of the table where it sits.
            character: its id.
            version: the version that was seen.
            to: the version to go back to; the one before when None.
        """
        visible = await self._characters.characters(viewer, [character])
        if character not in visible:
            return NotFound.of("character", "characterId")
        seat = await self._seats.seat(viewer, character)
        owner = visible[character].owner
        if owner != viewer.account and seat is not Seat.OWN:
            if seat is Seat.UNKNOWN:
                return Unavailable.of("campaign")
            return Forbidden.because(
                "Only its player, or a GM of the table where it sits, may do this.", "characterId"
            )
        async with self._database.read() as session:
            then = await _line(session, visible[character], to)
        if isinstance(then, CharacterVersionRow):
            await self._characters.editions.make_ready(viewer, then, visible[character].system)
        async with self._database.write() as session:
            # A GM's right is known; the row is held as its player would hold it.
            row = await hold(session, owner, character, version, visible, "characterId")
            if not isinstance(row, CharacterRow):
                return row
            return await self._taken_back(session, viewer, row, to, seat)

    async def _taken_back(
        self, session: AsyncSession, viewer: Viewer, row: CharacterRow, to: int | None, seat: Seat
    ) -> CharacterRow | InvalidInput | Unavailable:
        then = await _line(session, row, to)
        if isinstance(then, InvalidInput):
            return then
        edition = await self._characters.editions.of_row(then, row.system, session)
        choices = None if edition is None else self._read(row.system, then)
        if edition is None or choices is None:
            message = "The game cannot read that version any more."
            return InvalidInput.single("VERSION_UNREADABLE", message, "to", found=str(then.version))
        if seat in (Seat.OTHERS, Seat.UNKNOWN):
            wanted = Build(row.system, choices)
            allowed = unapproved(edition.alone, self._characters.choices(row), wanted)
            if allowed != wanted and seat is Seat.UNKNOWN:
                return Unavailable.of("campaign")
            choices = allowed.choices
        built = edition.build(choices)
        if isinstance(built, InvalidInput):
            # The path of an issue leads through the build that the caller has not sent.
            return InvalidInput.of([replace(found, path=["to"]) for found in built.issues])
        deed = Deed(HistoryKind.UNDONE, viewer.account, str(then.version))
        return await keep_anew(session, row, built, deed, self._clock())

    def _read(self, slug: str, then: CharacterVersionRow) -> Any | None:
        try:
            return self._characters.systems[slug].choices_codec.load(then.choices)
        except CodecError:
            return None


async def _line(
    session: AsyncSession, row: CharacterRow, to: int | None
) -> CharacterVersionRow | InvalidInput:
    """Find the version to go back to."""
    history = History(session)
    before = await history.page(row.id, limit=1, below=row.version)
    if not before:
        return InvalidInput.single("NOTHING_TO_UNDO", "There is no version before this one.", "characterId")
    if to is None:
        return before[0]
    known = await history.line(row.id, to) if 0 < to < row.version else None
    if known is not None:
        return known
    oldest = await history.oldest(row.id)
    message = "That is no earlier version of this character that is still kept."
    return InvalidInput.single(
        "VERSION_UNKNOWN", message, "to", found=str(to), allowed=f"{oldest}..{row.version - 1}"
    )
