"""What can be done with rewards: each use case is one unit of work; it gives a result or a problem."""

from services.character.keeping import hold, keep_anew
from services.character.models import CharacterRow
from services.character.rewards import Proposal, Verdict, judged, proposed
from services.character.seats import Seat, Seats
from services.character.service import CharacterService
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
        async with self._database.write() as session:
            row = await hold(session, viewer.account, character, version, visible, "characterId")
            if not isinstance(row, CharacterRow):
                return row
            built = proposed(self._characters.systems, row.system, self._characters.choices(row), proposal)
            return (
                built
                if isinstance(built, InvalidInput)
                else await keep_anew(session, row, built, self._clock())
            )

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
        async with self._database.write() as session:
            # The GM's right is known; the row is held as its player would hold it.
            owner = visible[character].owner
            row = await hold(session, owner, character, version, visible, "characterId")
            if not isinstance(row, CharacterRow):
                return row
            built = judged(
                self._characters.systems, row.system, self._characters.choices(row), index, verdict
            )
            return (
                built
                if isinstance(built, InvalidInput)
                else await keep_anew(session, row, built, self._clock())
            )
