"""What changed between two states, thing by thing: enough to undo it exactly, and to do it again.

Undoing takes back what one edit did, not all that came after it: it is refused where a thing it would change
was changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from services.map.play.cells import packed, unpacked
from services.map.play.limits import over_full, problem
from services.map.play.state import (
    SECTIONS,
    Entity,
    Explored,
    Extent,
    Fog,
    MapState,
    find,
    with_thing,
    without_thing,
)
from services.rules.engine.codec import CodecError, Json, decode, encode
from services.rules.engine.problem import Problems, RuleProblem

FOG = "fog"
"""The section of the one thing that lies in none: how the fog lies. Its id is `map`."""

_MAP = "map"
_KEYS = ("section", "id", "before", "after")


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one thing.

    A viewer's explored cells, once there are any, are told by difference: `before` is the bitmap of the cells
    lost, `after` of those won. So a reveal can be undone after tokens have walked on.

    Attributes:
        section: The section it lies in, or `fog`.
        id: Its id.
        before: Its JSON form before; None when it was not there.
        after: Its JSON form after; None when it is gone.
    """

    section: str
    id: str
    before: Json
    after: Json


@dataclass(frozen=True, slots=True)
class Applied:
    """What an edit has made of a state.

    Attributes:
        state: The state after it.
        changes: What it changed; for the game master's eyes, and to undo it.
        id: Id of the thing that was put, moved or removed; empty for fog.
        way: The cells a token has walked through, without where it stood before.
    """

    state: MapState
    changes: tuple[Change, ...]
    id: str = ""
    way: tuple[tuple[int, int], ...] = ()


def changes_between(old: MapState, new: MapState) -> tuple[Change, ...]:
    """What turns one state into another of the same map, in the order of the sections and ids.

    Between two views of one viewer, it is what that viewer may be told.
    """
    changes = []
    if old.fog != new.fog:
        changes.append(Change(FOG, _MAP, encode(Fog, old.fog), encode(Fog, new.fog)))
    for section, type_of in SECTIONS.items():
        before, after = getattr(old, section), getattr(new, section)
        if before is after:
            continue
        were, are = {one.id: one for one in before}, {one.id: one for one in after}
        for id in sorted(were.keys() | are.keys()):
            one, other = were.get(id), are.get(id)
            if one is not other and one != other:
                forms = _forms(type_of, one, other, new.extent)
                changes.append(Change(section, id, *forms))
    return tuple(changes)


def _forms(
    type_of: type[Entity], one: Entity | None, other: Entity | None, extent: Extent
) -> tuple[Json, Json]:
    if isinstance(one, Explored) and isinstance(other, Explored):
        were, are = unpacked(one.cells, extent), unpacked(other.cells, extent)
        return packed(were & ~are), packed(are & ~were)
    return (
        None if one is None else encode(type_of, one),
        None if other is None else encode(type_of, other),
    )


def inverse(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes that take these back; to undo them is to do these again."""
    return tuple(
        replace(change, before=change.after, after=change.before) for change in reversed(tuple(changes))
    )


def undo(state: MapState, changes: Iterable[Change]) -> MapState | Problems:
    """Takes changes back, the last first.

    Args:
        state: As it is now.
        changes: Of one edit, or of several in their order.

    Returns:
        The state without them; or `map_changed_since` for every thing that is not as they left it, and what
        does not fit on the map any more.

    Raises:
        CodecError: A change is none of this map.
        ValueError: Its bitmap is of another map.
    """
    problems: list[RuleProblem] = []
    for change in inverse(changes):
        turned = _redone(state, change)
        if turned is None:
            message = "This was changed since, and cannot be undone."
            problems.append(problem("map_changed_since", message, (change.section, change.id)))
        else:
            problems.extend(_too_many(turned, change))
            state = turned
    return Problems(tuple(problems)) if problems else state


def _redone(state: MapState, change: Change) -> MapState | None:
    """The state with a change made; None when the thing is not as the change found it."""
    if change.section == FOG:
        if encode(Fog, state.fog) != change.before:
            return None
        return replace(state, fog=decode(Fog, change.after, (FOG,)))
    if change.section not in SECTIONS:
        raise CodecError(("section",), change.section, f"one of {', '.join(SECTIONS)}")
    if isinstance(change.before, str) and isinstance(change.after, str):
        return _explored_again(state, change.id, change.before, change.after)
    path = (change.section, change.id)
    # Read, not compared as they are written: things may have been written before they had all their fields.
    was, put = (
        None if form is None else decode(SECTIONS[change.section], form, path)
        for form in (change.before, change.after)
    )
    if find(state, change.section, change.id) != was:
        return None
    if put is None:
        return without_thing(state, change.section, change.id)
    return with_thing(state, change.section, put)


def _explored_again(state: MapState, viewer: str, lost: str, won: str) -> MapState | None:
    explored = find(state, "explored", viewer)
    if not isinstance(explored, Explored):
        return None
    cells = unpacked(explored.cells, state.extent)
    less, more = unpacked(lost, state.extent), unpacked(won, state.extent)
    if (less & ~cells).any() or (more & cells).any():
        return None
    return with_thing(state, "explored", Explored(viewer, packed((cells & ~less) | more)))


def _too_many(state: MapState, change: Change) -> Iterable[RuleProblem]:
    if change.before is not None or change.section not in SECTIONS:
        return ()
    thing = find(state, change.section, change.id)
    return over_full(state, change.section, str(getattr(thing, "author", "")), player=False)


def changes_to_data(changes: Iterable[Change]) -> list[Json]:
    """The changes as JSON data, to be kept."""
    return [{key: getattr(change, key) for key in _KEYS} for change in changes]


def changes_from_data(data: Iterable[Mapping[str, Any]]) -> tuple[Change, ...]:
    """The changes that `changes_to_data` wrote.

    Raises:
        CodecError: They are none.
    """
    changes = []
    for index, form in enumerate(data):
        if set(form) != set(_KEYS) or not (isinstance(form["section"], str) and isinstance(form["id"], str)):
            raise CodecError((index,), form, f"an object of {', '.join(_KEYS)}")
        changes.append(Change(form["section"], form["id"], form["before"], form["after"]))
    return tuple(changes)


def tokens_gone(before: MapState, after: MapState) -> set[str]:
    """Return the ids of the tokens that lay on the map before and lie there no more."""
    return {token.id for token in before.tokens} - {token.id for token in after.tokens}
