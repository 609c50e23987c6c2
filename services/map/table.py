"""Play on a map: one edit after the other, each checked, kept, and told to who sees what it has changed.

An edit may name the revision of the map that its maker saw; it is refused when what it changes was changed
since, see ``revisions``. Without one, whatever it finds is changed.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson

from services.map import led
from services.map.board import Board
from services.map.charging import Charging, in_time
from services.map.events import edited, made, map_topic
from services.map.growth import grown
from services.map.looking import Look, Seen
from services.map.membership import Membership
from services.map.models import MapEdit
from services.map.play.changes import (
    Change,
    changes_between,
    changes_from_data,
    changes_to_data,
    tokens_gone,
)
from services.map.play.state import FogMode, to_bytes
from services.map.registry import KINDS, OPERATIONS
from services.map.repository import Edits, Maps, Records
from services.map.requests import EditMap, UndoMapEdit
from services.map.revisions import KNOWN_FOR, check_apart, check_growth, seen_at
from services.map.sharing import editor_of
from services.map.updates import note_listed
from services.map.wishes import issue
from services.rules.engine.problem import Problems, RuleProblem
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.ids import is_id, new_id
from services.shared.limits.meter import RateLimited
from services.shared.pagination import Page
from services.shared.policy import Policy
from services.shared.problems import Forbidden, InvalidInput, NotFound
from services.shared.stream import POLL_SECONDS, Wakes
from services.shared.wording import camel


@dataclass(frozen=True, slots=True)
class Edited:
    """An edit that was made.

    Attributes:
        look: the map after it, as its maker sees it.
        thing: id of what was put, moved or removed; None for what has none.
    """

    look: Look
    thing: str | None


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What an edit comes to.

    Attributes:
        board: the map after it.
        changes: of the state of play, to undo them.
        side_changes: of the state of play beside these.
        thing: id of what was put, moved or removed; empty for none.
        undoes: number of the edit that it takes back, if any.
    """

    board: Board
    changes: tuple[Change, ...] = ()
    side_changes: tuple[Change, ...] = ()
    thing: str = ""
    undoes: int | None = None


class Table:
    """The use cases of playing on maps.

    Args:
        database: where maps are kept.
        clock: the present moment.
        policy: knows what viewers may do.
        wakes: signals of what was committed.
        charging: looks at maps for who pays.
    """

    def __init__(
        self, database: Database, clock: Clock, policy: Policy, wakes: Wakes, charging: Charging
    ) -> None:
        self._database = database
        self._clock = clock
        self._membership = Membership(database, policy)
        self._wakes = wakes
        self._charging = charging

    async def edit(self, viewer: Viewer, asked: EditMap, key: str | None) -> Edited:
        """Make an edit.

        Raises:
            NotFound: no map that the viewer may see.
            Forbidden: only a game master may.
            InvalidInput: it breaks rules.
            MapChanged: what it changes was changed since the revision that they named.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
        """
        thing = new_id("thg")
        # Before the unit of work, which keeps all others from writing.
        found = await self._found(viewer, asked.map_id)
        await self._charging.edit(viewer, found, asked.edit)
        then = await self._seen_at(viewer, found, asked.revision)

        async def work(_edits: Edits, look: Look) -> _Outcome:
            return await in_time(lambda: _merged(look, asked, thing, then))

        return await self._made(viewer, asked, key, work)

    async def undo(self, viewer: Viewer, asked: UndoMapEdit, key: str | None) -> Edited:
        """Take an edit back, the last one that stands when none is named; for game masters.

        Raises:
            NotFound: no map that the viewer may see.
            Forbidden: only a game master may.
            InvalidInput: no such edit stands, or something has been built upon it.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent.
        """
        await self._charging.read(viewer, await self._found(viewer, asked.map_id))

        async def work(edits: Edits, look: Look) -> _Outcome:
            return await _undone(edits, look, asked)

        return await self._made(viewer, asked, key, work)

    async def edits(
        self, viewer: Viewer, map_id: str, *, first: int, after: int | None
    ) -> Page[MapEdit] | None:
        """Read what was done to a map, newest first; None for who is not its game master."""
        if viewer.anonymous or not is_id(map_id, "map"):
            return None
        access = await self._membership.of_maps_own_at_least(viewer, [map_id])
        async with self._database.read() as session:
            row = await Maps(session, access).one(map_id)
            if row is None or not editor_of(access, row).gm:
                return None
            return await Edits(session).page(map_id, first=first, after=after)

    async def made_at(self, versions: Collection[tuple[str, int]]) -> dict[tuple[str, int], datetime]:
        """Read when edits were made, by map and version; whoever asks for them sees all of these maps."""
        async with self._database.read() as session:
            return await Edits(session).made_at(versions)

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

    async def _found(self, viewer: Viewer, map_id: str) -> Look:
        look = await self._look(viewer, map_id)
        if look is None:
            raise NotFound.of("map", "mapId")
        return look

    async def _seen_at(self, viewer: Viewer, look: Look, revision: str | None) -> Seen | None:
        """Return what a viewer saw at a revision of a map, if they name one and it is known."""
        if revision is None:
            return None
        async with self._database.read() as session:
            edits = await Edits(session).since(look.row.id, look.row.version, self._clock() - KNOWN_FOR)
        return await seen_at(self._charging, viewer, look, revision, edits)

    async def _look(self, viewer: Viewer, map_id: str) -> Look | None:
        if viewer.anonymous or not is_id(map_id, "map"):
            return None
        access = await self._membership.of_maps(viewer, [map_id])
        async with self._database.read() as session:
            row = await Maps(session, access).one(map_id)
        return None if row is None else Look(row, editor_of(access, row))

    async def _made(
        self,
        viewer: Viewer,
        asked: EditMap | UndoMapEdit,
        key: str | None,
        work: Callable[[Edits, Look], Awaitable[_Outcome]],
    ) -> Edited:
        """Work an edit out and keep it, in one unit of work: nobody else edits the map meanwhile."""
        access = await self._membership.of_maps(viewer, [asked.map_id])
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            row = await Maps(session, access).held(asked.map_id)
            if row is None:
                raise NotFound.of("map", "mapId")
            look = Look(row, editor_of(access, row))
            if done.answer is not None:
                return Edited(look, done.answer.strip("-") or None)
            sort = "undo"
            if isinstance(asked, EditMap):
                sort = asked.sort
            outcome = await work(Edits(session), look)
            records = Records(session)
            shared_before, shown_before = row.sharing, row.sharing != FogMode.HIDDEN
            entry = _kept(look, outcome, sort, viewer, moment)
            gone = tokens_gone(look.board.state, outcome.board.state)
            await records.add_edit(entry, gone, edited(row.id), moment)
            if row.sharing != shared_before:
                await note_listed(session, [row], shown_before=shown_before)
            if not shown_before and row.sharing != FogMode.HIDDEN and row.campaign is not None:
                await records.tell(made(row), moment)
            done.answer = outcome.thing or "-"
        return Edited(Look(row, look.viewer), outcome.thing or None)


def _merged(look: Look, asked: EditMap, thing: str, then: Seen | None) -> _Outcome:
    """Work an edit out; one that names a revision, beside what its maker has seen change since.

    Args:
        look: the map as it is, held.
        asked: the edit.
        thing: id of what it may put.
        then: what its maker saw at the revision that it names, if that is known.

    Raises:
        Forbidden: only a game master may.
        InvalidInput: it breaks rules.
        MapChanged: it changes what was changed since.
    """
    revision = asked.revision
    if revision is None or look.revision == revision:
        return _edited(look, asked, thing)
    if then is None or isinstance(asked.edit, OPERATIONS):
        check_growth(then, look, revision)
        return _edited(look, asked, thing)
    try:
        outcome = _edited(look, asked, thing)
    except InvalidInput:
        # What it is about may have gone, or have become another's, since its maker saw it.
        wanted = then.board.edit(asked.edit, look.viewer, thing)
        if not isinstance(wanted, Problems):
            check_apart(then, look, wanted[1].changes, wanted[0], revision)
        raise
    check_apart(then, look, outcome.changes, outcome.board, revision)
    return outcome


def _edited(look: Look, asked: EditMap, thing: str) -> _Outcome:
    """Work an edit out.

    Raises:
        Forbidden: only a game master may.
        InvalidInput: it breaks rules.
    """
    base = ("edit", camel(asked.sort))
    if isinstance(asked.edit, OPERATIONS) and not look.whole:
        raise Forbidden.because("Only a game master lets a map grow.", "mapId")
    game = led.refused(look.board.state, look.row.scene, asked.edit, look.viewer)
    if game is not None:
        raise _broken([game], base)
    if isinstance(asked.edit, OPERATIONS):
        model = grown(look.row.kind, look.board.model, asked.edit)
        if isinstance(model, Problems):
            raise _broken(model, base)
        return _Outcome(Board(model, look.board.state))
    done = look.board.edit(asked.edit, look.viewer, thing)
    if isinstance(done, Problems):
        raise _broken(done, base)
    board, applied = done
    if look.row.scene is not None:
        board = led.as_known(board, look.board)
    return _Outcome(board, applied.changes, changes_between(applied.state, board.state), applied.id)


async def _undone(edits: Edits, look: Look, asked: UndoMapEdit) -> _Outcome:
    """Work out what taking an edit back comes to, and mark it as taken back.

    Raises:
        Forbidden: only a game master may.
        InvalidInput: no such edit stands, or something has been built upon it.
    """
    if not look.whole:
        raise Forbidden.because("Only a game master takes edits back.", "mapId")
    found = await edits.standing(asked.map_id, asked.number)
    if found is None:
        message = "There is no such edit that still stands."
        raise _broken([RuleProblem("map_nothing_to_undo", message, "play", ("number",), asked.number)])
    game = await _led_past(edits, look, found)
    if game is not None:
        raise _broken([game])
    board = await asyncio.to_thread(look.board.undone, changes_from_data(orjson.loads(found.changes)))
    if isinstance(board, Problems):
        raise _broken(board)
    if look.row.scene is not None and led.changes_led(look.board.state, board.state):
        message = "The game on this map has this in its hands."
        raise _broken([led.led_problem(message, ("number",), found.version)])
    if found.model_before is not None:
        later = await edits.growth_after(asked.map_id, found.version)
        if later is not None:
            message = "The map has grown since: take that back first."
            raise _broken([RuleProblem("map_grown_since", message, "play", ("number",), later.version)])
        before = KINDS[look.row.kind].filed.from_data(orjson.loads(found.model_before))
        board = Board(before, board.state)
    found.undone = True
    taken_back = changes_between(look.board.state, board.state)
    return _Outcome(board, side_changes=taken_back, undoes=found.version)


def _broken(problems: Iterable[RuleProblem], base: Sequence[str] = ()) -> InvalidInput:
    return InvalidInput.of([issue(problem, base) for problem in problems])


def _kept(look: Look, outcome: _Outcome, sort: str, viewer: Viewer, moment: datetime) -> MapEdit:
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
        sort=sort,
        changes=orjson.dumps(changes_to_data(outcome.changes)).decode(),
        side_changes=orjson.dumps(changes_to_data(outcome.side_changes)).decode(),
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
