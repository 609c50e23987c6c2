"""Play on a map: one edit after the other, each checked, kept, and told to who sees what it has changed.

An edit may name the revision of the map that its maker saw; it is refused when they would see another now. A
revision is made of what its viewer sees and of nothing else, so that no number tells of what is hidden.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import datetime

import orjson

from services.map import led
from services.map.board import Board
from services.map.charging import Charging, in_time
from services.map.door import Door
from services.map.events import edited, made, map_topic
from services.map.growth import grown
from services.map.kind import Operation
from services.map.looking import Look
from services.map.models import IDEMPOTENCY, MapEdit
from services.map.play.changes import Change, changes_from_data, changes_to_data
from services.map.play.edits import Edit
from services.map.play.state import FogMode, to_bytes
from services.map.registry import KINDS, OPERATIONS
from services.map.repository import Edits, Maps, Records
from services.map.sharing import standing
from services.map.wishes import issue
from services.rules.engine.problem import Problems, RuleProblem
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
from services.shared.limits.meter import RateLimited
from services.shared.pagination import Page
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Unavailable,
)
from services.shared.stream import POLL_SECONDS, Wakes
from services.shared.wording import camel


@dataclass(frozen=True, slots=True)
class Stale:
    """The map is not as the maker of an edit saw it.

    Attributes:
        expected: the revision they saw.
        current: the one they would see now.
    """

    expected: str
    current: str


Refusal = InvalidInput | NotFound | Forbidden | Stale | IdempotencyConflict | Unavailable


@dataclass(frozen=True, slots=True)
class NewEdit:
    """An edit to be made.

    Attributes:
        map: id of the map.
        sort: the field of the request it came in, for paths: `put_token`.
        edit: what is wanted; None to take one back.
        revision: the one that its maker saw, if the edit depends on it.
        idempotency_key: the same key is the same edit.
    """

    map: str
    sort: str
    edit: Edit | Operation | None
    revision: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """An edit that was made.

    Attributes:
        look: the map after it, as its maker sees it.
        thing: id of what was put, moved or removed; None for what has none.
    """

    look: Look
    thing: str | None


class _Refused(Exception):
    """Ends a unit of work that is to leave nothing behind.

    Attributes:
        refusal: what its maker is told.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(type(refusal).__name__)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What an edit comes to.

    Attributes:
        board: the map after it.
        changes: of the state of play, to undo them.
        thing: id of what was put, moved or removed; empty for none.
        undoes: number of the edit that it takes back, if any.
    """

    board: Board
    changes: tuple[Change, ...] = ()
    thing: str = ""
    undoes: int | None = None


class Table:
    """The use cases of playing on maps.

    Args:
        database: where maps are kept.
        clock: the present moment.
        door: knows the campaigns of a viewer.
        wakes: signals of what was committed.
        charging: looks at maps for who pays.
    """

    def __init__(
        self, database: Database, clock: Clock, door: Door, wakes: Wakes, charging: Charging
    ) -> None:
        self._database = database
        self._clock = clock
        self._door = door
        self._wakes = wakes
        self._charging = charging

    async def edit(self, viewer: Viewer, new: NewEdit) -> Edited | Refusal:
        """Make an edit."""
        thing = new_id("thg")
        seen = await self._seen(viewer, new.map)
        if seen is not None:
            # Before the unit of work, which keeps all others from writing.
            await self._charging.edit(viewer, seen, new.edit)

        def work(look: Look) -> _Outcome | Problems | Forbidden:
            assert new.edit is not None
            if isinstance(new.edit, OPERATIONS):
                if not look.whole:
                    return Forbidden.because("Only a game master lets a map grow.", "mapId")
                game = led.refused(look.board.state, look.row.scene, new.edit)
                if game is not None:
                    return Problems((game,))
                model = grown(look.row.kind, look.board.model, new.edit)
                return model if isinstance(model, Problems) else _Outcome(Board(model, look.board.state))
            # Who is no game master has no such token, and hears that alone.
            game = led.refused(look.board.state, look.row.scene, new.edit) if look.whole else None
            if game is not None:
                return Problems((game,))
            done = look.board.edit(new.edit, look.viewer, thing)
            if isinstance(done, Problems):
                return done
            board, applied = done
            return _Outcome(board, applied.changes, applied.id)

        asked = None if new.edit is None else asdict(new.edit)
        request: dict[str, object] = {"editMap": [new.map, new.sort, asked, new.revision]}
        return await self._made(viewer, new, request, lambda _edits, look: in_time(lambda: work(look)))

    async def undo(
        self, viewer: Viewer, map_id: str, number: int | None, idempotency_key: str | None
    ) -> Edited | Refusal:
        """Take an edit back, the last one that stands when none is named; for game masters."""

        seen = await self._seen(viewer, map_id)
        if seen is not None:
            await self._charging.read(viewer, seen)

        async def work(edits: Edits, look: Look) -> _Outcome | Problems | Forbidden:
            if not look.whole:
                return Forbidden.because("Only a game master takes edits back.", "mapId")
            found = await edits.standing(map_id, number)
            if found is None:
                message = "There is no such edit that still stands."
                return Problems((RuleProblem("map_nothing_to_undo", message, "play", ("number",), number),))
            game = await _led_past(edits, look, found)
            if game is not None:
                return Problems((game,))
            board = await asyncio.to_thread(look.board.undone, changes_from_data(orjson.loads(found.changes)))
            if isinstance(board, Problems):
                return board
            if found.model_before is not None:
                later = await edits.growth_after(map_id, found.version)
                if later is not None:
                    message = "The map has grown since: take that back first."
                    problem = RuleProblem("map_grown_since", message, "play", ("number",), later.version)
                    return Problems((problem,))
                before = KINDS[look.row.kind].filed.from_data(orjson.loads(found.model_before))
                board = Board(before, board.state)
            found.undone = True
            return _Outcome(board, undoes=found.version)

        new = NewEdit(map_id, "undo", None, None, idempotency_key)
        return await self._made(viewer, new, {"undoMapEdit": [map_id, number]}, work)

    async def edits(
        self, viewer: Viewer, map_id: str, *, first: int, after: int | None
    ) -> Page[MapEdit] | None:
        """Read what was done to a map, newest first; None for who is not its game master."""
        if viewer.anonymous or not is_id(map_id, "map"):
            return None
        access = await self._door.readable(viewer)
        async with self._database.read() as session:
            row = await Maps(session, access).one(map_id)
            if row is None or not standing(access, row).gm:
                return None
            return await Edits(session).page(map_id, first=first, after=after)

    async def follow(self, viewer: Viewer, map_id: str, revision: str | None) -> AsyncIterator[Look | None]:
        """Yield a map each time that the viewer would see another; None when they may see it no more.

        Args:
            viewer: who follows; their right is checked anew each time.
            map_id: of the map.
            revision: what they have seen of it already, if anything.
        """
        last = revision
        with self._wakes.watch(map_topic(map_id)) as signal:
            while True:
                signal.clear()
                look = await self._look(viewer, map_id)
                if look is None:
                    yield None
                    return
                try:
                    current = await self._charging.revision(viewer, look)
                except RateLimited as error:
                    # What changes meanwhile is told as one change.
                    await asyncio.sleep(error.retry_after)
                    continue
                if current != last:
                    last = current
                    yield look
                    continue
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await signal.wait()

    async def _seen(self, viewer: Viewer, map_id: str) -> Look | None:
        """Reads a map that is about to be edited; None where that will be refused for its own reasons."""
        try:
            return await self._look(viewer, map_id)
        except PeerUnavailable:
            return None

    async def _look(self, viewer: Viewer, map_id: str) -> Look | None:
        if viewer.anonymous or not is_id(map_id, "map"):
            return None
        access = await self._door.known(viewer)
        async with self._database.read() as session:
            row = await Maps(session, access).one(map_id)
        return None if row is None else Look(row, standing(access, row))

    async def _made(
        self,
        viewer: Viewer,
        new: NewEdit,
        request: dict[str, object],
        work: Callable[[Edits, Look], Awaitable[_Outcome | Problems | Forbidden]],
    ) -> Edited | Refusal:
        try:
            access = await self._door.known(viewer)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if not is_id(new.map, "map"):
            return NotFound.of("map", "mapId")
        try:
            return await self._written(viewer, access, new, request, work)
        except _Refused as refused:
            return refused.refusal

    async def _written(
        self,
        viewer: Viewer,
        access: Access,
        new: NewEdit,
        request: dict[str, object],
        work: Callable[[Edits, Look], Awaitable[_Outcome | Problems | Forbidden]],
    ) -> Edited:
        """Work an edit out and keep it, in one unit of work: nobody else edits the map meanwhile.

        Raises:
            _Refused: it cannot be made; nothing is left of it.
        """
        moment = self._clock()
        async with self._database.write() as session:
            claimed = await claim(session, IDEMPOTENCY, viewer.account, new.idempotency_key, request, moment)
            if isinstance(claimed, Conflict):
                raise _Refused(IdempotencyConflict.of())
            row = await Maps(session, access).held(new.map)
            if row is None:
                raise _Refused(NotFound.of("map", "mapId"))
            look = Look(row, standing(access, row))
            if isinstance(claimed, Replay):
                return Edited(look, claimed.answer.strip("-") or None)
            if new.revision is not None:
                current = await asyncio.to_thread(_revision, look)
                if current != new.revision:
                    raise _Refused(Stale(new.revision, current))
            edits = Edits(session)
            outcome = await work(edits, look)
            if isinstance(outcome, Forbidden):
                raise _Refused(outcome)
            if isinstance(outcome, Problems):
                base = () if new.edit is None else ("edit", camel(new.sort))
                raise _Refused(InvalidInput.of([issue(problem, base) for problem in outcome]))
            records = Records(session)
            shown_before = row.sharing != FogMode.HIDDEN
            await records.add_edit(_kept(look, outcome, new, viewer, moment), edited(row), moment)
            if not shown_before and row.sharing != FogMode.HIDDEN and row.campaign is not None:
                await records.tell(made(row), moment)
            await remember(session, IDEMPOTENCY, viewer.account, new.idempotency_key, outcome.thing or "-")
        return Edited(Look(row, look.viewer), outcome.thing or None)


def _kept(look: Look, outcome: _Outcome, new: NewEdit, viewer: Viewer, moment: datetime) -> MapEdit:
    """Write an edit's outcome into the row of the map it was made on, and give its entry in the log."""
    row, board = look.row, outcome.board
    grew = board.model is not look.board.model
    before = row.model if grew else None
    row.version += 1
    row.state = to_bytes(board.state).decode()
    row.sharing = board.state.fog.mode
    if grew:
        row.model = KINDS[row.kind].filed.to_bytes(board.model).decode()
    return MapEdit(
        map=row.id,
        version=row.version,
        account=viewer.account,
        sort=new.sort,
        changes=orjson.dumps(changes_to_data(outcome.changes)).decode(),
        model_before=before,
        undoes=outcome.undoes,
        made_at=moment,
    )


async def _led_past(edits: Edits, look: Look, found: MapEdit) -> RuleProblem | None:
    """Tell why an edit cannot be taken back, if it is a game's own or one that a game has built upon."""
    path = ("number",)
    if found.scene is not None:
        return led.led_problem("A game on this map did this.", path, found.version)
    if found.model_before is None:
        return None
    if look.row.scene is not None:
        return led.led_problem("The game on this map changes the map itself.", path, look.row.scene)
    later = await edits.growth_after(found.map, found.version)
    if later is not None and later.scene is not None:
        return led.led_problem("A game has changed the map since.", path, later.version)
    return None


def _revision(look: Look) -> str:
    return look.revision
