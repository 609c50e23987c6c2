"""Edits that name a revision of a map: made where what they change is still as their maker saw it.

A revision is made of what its viewer sees and of nothing else, so that no number tells of what is hidden.
What it stood for is found by taking the last edits back one by one, until the viewer would see it again. How
far back is counted in time and in what the viewer has seen change: edits that they did not see count for
nothing. Of an older revision nothing is known, and any change since is a conflict.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import timedelta
from enum import Enum
from functools import partial
from typing import Any

import orjson

from services.map.board import Board
from services.map.bounded import check_time
from services.map.charging import REVISING, Charging
from services.map.looking import Look, Seen
from services.map.models import MapEdit
from services.map.play.changes import FOG, Change, changes_from_data
from services.map.play.state import SECTIONS, Layer, MapState, find
from services.map.registry import KINDS
from services.map.weighing import seeing
from services.rules.engine.codec import Json, encode
from services.rules.engine.problem import Problems
from services.shared.auth import Viewer
from services.shared.problems import MAX_DIFFERING, DifferingField, Problem
from services.shared.wording import camel

KNOWN_FOR = timedelta(minutes=2)
"""How long it is known what a revision stood for, after the viewer saw it replaced."""

VIEWS = 8
"""How many changes of what the viewer sees are taken back to find a revision."""

_EXPLORED = "explored"
_UNLIKE = frozenset({"id", "order"})
"""What does not tell whether a thing was changed: the order of a drawing is its rank among those seen."""


class MapChanged(Problem):
    """The map is not as you saw it: look again. Nothing was done.

    Attributes:
        expected_revision: The revision that the request named.
        current_revision: The one that you would see now.
        differing: The fields of what was changed since that your edit would change to other values, as far as
            you see them, up to 100. `path` is the list of `play` that a thing stands in, its key, and the
            field; without a field where one of the two values is that there is no such thing. Empty where the
            revision is too old to be compared, and where the request is about the map as a whole.
    """

    expected_revision: str
    current_revision: str
    differing: list[DifferingField]

    def __init__(self, expected: str, current: str, differing: Sequence[DifferingField] = ()) -> None:
        super().__init__("MAP_CHANGED", "You would see another revision of the map now.", ["revision"])
        self.expected_revision, self.current_revision = expected, current
        self.differing = list(differing)[:MAX_DIFFERING]


async def check_revision(look: Look, expected: str | None) -> None:
    """Check that a viewer would see the revision that they name, if they name one.

    Raises:
        MapChanged: they would see another one.
    """
    if expected is None:
        return
    current = await asyncio.to_thread(lambda: look.revision)
    if current != expected:
        raise MapChanged(expected, current)


async def seen_at(
    charging: Charging, viewer: Viewer, look: Look, revision: str, edits: Sequence[MapEdit]
) -> Seen | None:
    """Return what a viewer saw at a revision; None when it is not known.

    They pay for what they have seen change, whatever else was changed meanwhile.

    Args:
        charging: does the work.
        viewer: who pays.
        look: the map as the viewer sees it.
        revision: what they saw.
        edits: those of the map that are not too old, newest first.
    """
    if await charging.revision(viewer, look) == revision:
        return look.seen
    seen, rest = look.seen, iter(edits)
    for _ in range(VIEWS):
        # Game masters need no ground for it, which would be made here and not in a thread.
        cost = 0.0 if look.whole else seeing(seen.with_board(seen.board))
        cost += REVISING * len(look.row.state or "")
        earlier = await charging.run(viewer, cost, partial(_earlier, seen, rest))
        if earlier is None or earlier.revision == revision:
            return earlier
        seen = earlier
    return None


def check_growth(then: Seen | None, look: Look, revision: str) -> None:
    """Check that a map is as its viewer saw it at a revision, apart from what lies on it.

    Raises:
        MapChanged: it is not, or it is not known.
    """
    if then is None or then.model != look.model:
        raise MapChanged(revision, look.revision)


def check_apart(then: Seen, look: Look, changes: Sequence[Change], after: Board, revision: str) -> None:
    """Check that an edit changes nothing to other values than what its maker has seen it become meanwhile.

    Explored cells are never in conflict: they grow with each step, and edits of the fog leave alone what
    they do not name.

    Args:
        then: what they saw at the revision that they name.
        look: the map before the edit.
        changes: what the edit changes.
        after: the map after it.
        revision: the one that they name.

    Raises:
        MapChanged: it does.
    """
    things = [(one.section, one.id) for one in changes if one.section != _EXPLORED]
    late = [
        (thing, theirs, base)
        for thing in things
        if (theirs := _form(look.state, *thing)) != (base := _form(then.state, *thing))
    ]
    if not late:
        return
    seen = after.seen(look.viewer)
    fields = [
        field
        for thing, theirs, base in late
        for field in _differing_fields(thing, _form(seen, *thing), theirs, base)
    ]
    if fields:
        raise MapChanged(revision, look.revision, fields)


def _earlier(seen: Seen, edits: Iterator[MapEdit]) -> Seen | None:
    """Take edits back until the viewer would see something else; None when they never would."""
    board = seen.board
    for edit in edits:
        check_time()
        changes = _changes(edit)
        before = _before(board, edit, changes, KINDS[seen.row.kind].filed.from_data)
        if before is None:
            return None
        board = before
        unseen = edit.model_before is None and all(map(_hidden, changes))
        if unseen and not seen.viewer.gm:
            continue
        earlier = seen.with_board(board)
        grows = KINDS[seen.row.kind].growth is not None
        if earlier.state != seen.state or (grows and earlier.revision != seen.revision):
            # Worked out here, in a thread.
            assert earlier.revision
            return earlier
    return None


def _changes(edit: MapEdit) -> tuple[Change, ...]:
    """Return all that an edit has changed of the state of play."""
    return tuple(
        change
        for kept in (edit.changes, edit.side_changes)
        if kept is not None
        for change in changes_from_data(orjson.loads(kept))
    )


def _before(
    board: Board, edit: MapEdit, changes: Sequence[Change], read: Callable[[Any], Any]
) -> Board | None:
    """Return a map as it was before its last edit; None when that is not known."""
    earlier = board.undone(changes)
    if isinstance(earlier, Problems):
        return None
    if edit.model_before is None:
        return earlier
    return Board(read(orjson.loads(edit.model_before)), earlier.state)


def _hidden(change: Change) -> bool:
    """Whether no player can have seen a change, nor anything by it."""
    return all(form is None or _unseen(change.section, form) for form in (change.before, change.after))


def _unseen(section: str, form: Json) -> bool:
    if not isinstance(form, Mapping):
        return False
    if section == "places":
        return form.get("known") is False
    return form.get("layer") == Layer.GM.value and form.get("light") is None


def _form(state: MapState, section: str, key: str) -> dict[str, Json] | None:
    """Return the fields of a thing as the graph spells them; None where there is none."""
    thing: Any = state.fog if section == FOG else find(state, section, key)
    if thing is None:
        return None
    encoded: Any = encode(SECTIONS.get(section, type(state.fog)), thing)
    told = {}
    for item in fields(thing):
        value = getattr(thing, item.name)
        told[camel(item.name)] = value.name if isinstance(value, Enum) else encoded[item.name]
    return {name: value for name, value in told.items() if name not in _UNLIKE}


def _differing_fields(
    thing: tuple[str, str],
    yours: dict[str, Json] | None,
    theirs: dict[str, Json] | None,
    base: dict[str, Json] | None,
) -> Iterator[DifferingField]:
    if yours == theirs:
        return
    path = [FOG] if thing[0] == FOG else [*thing]
    if yours is None or theirs is None:
        yield DifferingField(path, yours, theirs, base)
        return
    for name, value in yours.items():
        if value != theirs[name]:
            yield DifferingField([*path, name], value, theirs[name], (base or {}).get(name))
