"""An edit becomes a new state, or every reason why it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from services.map.generation.grid.model import DoorKind, DoorState
from services.map.play.cells import Cells, area_cells, known, packed
from services.map.play.changes import Applied, changes_between
from services.map.play.edits import (
    Conceal,
    Draw,
    Edit,
    Erase,
    FindDoor,
    Lift,
    MoveToken,
    Put,
    PutArea,
    PutLight,
    PutMarker,
    PutNote,
    PutPlace,
    PutToken,
    Remove,
    RemoveArea,
    RemoveLight,
    RemoveMarker,
    RemoveNote,
    RemovePlace,
    RemoveToken,
    Reveal,
    SetDoor,
    SetFog,
)
from services.map.play.limits import check, over_full, problem, standing
from services.map.play.movement import Ground, stands_before, walked
from services.map.play.rights import Editor, Role, refusal, touched
from services.map.play.state import (
    PARTY,
    SECTIONS,
    CarriedLight,
    DoorPlay,
    Drawing,
    Entity,
    Explored,
    MapState,
    Spot,
    Token,
    find,
    with_thing,
    without_thing,
)
from services.rules.engine.problem import Problems, RuleProblem

_SECTION_OF: Mapping[type[Put | Remove], str] = MappingProxyType(
    {
        PutToken: "tokens",
        RemoveToken: "tokens",
        PutMarker: "markers",
        RemoveMarker: "markers",
        PutNote: "notes",
        RemoveNote: "notes",
        Draw: "drawings",
        Erase: "drawings",
        PutPlace: "places",
        RemovePlace: "places",
        PutLight: "lights",
        RemoveLight: "lights",
        PutArea: "areas",
        RemoveArea: "areas",
    }
)
_MEASURES = {"width", "length", "bright", "dim"}
_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class _Done:
    state: MapState
    id: str = ""
    way: tuple[tuple[int, int], ...] = ()


_Outcome = _Done | tuple[RuleProblem, ...]


def apply(
    state: MapState, edit: Edit, editor: Editor, ground: Ground | None = None, new_id: str = ""
) -> Applied | Problems:
    """Makes an edit.

    Args:
        state: As it is now.
        edit: What is wanted.
        editor: Who wants it.
        ground: Of a grid map, with its doors as the state has them.
        new_id: What a new thing is called; it must tell nothing of how many there are.

    Returns:
        The new state and what changed, or every broken rule, with paths into the edit.

    Raises:
        ValueError: A new thing without a new id, or with one that is taken; or a grid map without its ground.
    """
    if ground is None and state.extent.cells:
        raise ValueError("a grid map has ground")
    refused = refusal(state, edit, editor)
    problems = (refused,) if refused else check(edit, state.extent)
    if problems:
        return Problems(problems)
    done = _done(state, edit, editor, ground, new_id)
    if not isinstance(done, _Done):
        return Problems(done)
    return Applied(done.state, changes_between(state, done.state), done.id, done.way)


def _done(state: MapState, edit: Edit, editor: Editor, ground: Ground | None, new_id: str) -> _Outcome:
    match edit:
        case MoveToken():
            return _moved(state, edit, editor, ground)
        case SetDoor():
            return _door_set(state, edit, editor, ground)
        case FindDoor():
            return _door_found(state, edit, ground)
        case SetFog():
            return _Done(_fogged(state, edit))
        case _ if isinstance(edit, Put):
            return _put(state, edit, editor, new_id)
        case _ if isinstance(edit, Remove):
            section = _SECTION_OF[type(edit)]
            thing = touched(state, section, edit.id, editor)
            if isinstance(thing, RuleProblem):
                return (thing,)
            return _Done(without_thing(state, section, edit.id), edit.id)
        case _:
            return _lifted(state, edit)


# Things


def _put(state: MapState, edit: Put, editor: Editor, new_id: str) -> _Outcome:
    section = _SECTION_OF[type(edit)]
    before = touched(state, section, edit.id, editor) if edit.id else None
    if isinstance(before, RuleProblem):
        return (before,)
    if isinstance(edit, PutToken) and editor.account in edit.owners:
        # What an owner sees, the party may share: a villain must not slip in that way.
        message = "A game master moves every token; owners are players."
        at = edit.owners.index(editor.account)
        return (problem("map_owner_gm", message, ("owners", at), editor.account),)
    if before is None and (not new_id or find(state, section, new_id) is not None):
        raise ValueError("a new thing needs an id of its own")
    thing = _made(state, section, edit, before, editor, new_id)
    after = with_thing(state, section, thing)
    problems = tuple(over_full(after, section, _author(thing), editor.role is Role.PLAYER))
    # What is too much already may still be changed, as long as it does not become more.
    grown = before is None or (
        isinstance(thing, Drawing) and isinstance(before, Drawing) and _more(thing, before)
    )
    return problems if problems and grown else _Done(after, thing.id)


def _more(drawing: Drawing, before: Drawing) -> bool:
    return len(drawing.points) > len(before.points)


def _author(thing: Entity) -> str:
    return str(getattr(thing, "author", ""))


def _made(
    state: MapState, section: str, edit: Put, before: Entity | None, editor: Editor, new_id: str
) -> Entity:
    """The thing an edit describes: its own fields, and what the table adds to them."""
    type_of = SECTIONS[section]
    names = {item.name for item in fields(type_of)}
    values: dict[str, Any] = {
        item.name: _settled(item.name, getattr(edit, item.name))
        for item in fields(edit)
        if item.name in names
    }
    values["id"] = edit.id or new_id
    if "author" in names:
        values["author"] = editor.account if before is None else _author(before)
    if type_of is Drawing:
        top = max((drawing.order for drawing in state.drawings), default=0)
        values["order"] = before.order if isinstance(before, Drawing) else top + 1
    made: Entity = type_of(**values)
    return made


def _settled(name: str, value: Any) -> Any:
    """A value as it is kept: measures and positions to three decimals, never minus zero."""
    match value:
        case Spot(x, y):
            return Spot(_rounded(x), _rounded(y))
        case CarriedLight():
            return replace(value, bright=_rounded(value.bright), dim=_rounded(value.dim))
        case tuple():
            return tuple(_settled(name, item) for item in value)
        case _:
            return _rounded(value) if name in _MEASURES else value


def _rounded(number: float) -> float:
    return round(float(number), _DECIMALS) + 0.0


def _moved(state: MapState, edit: MoveToken, editor: Editor, ground: Ground | None) -> _Outcome:
    token = touched(state, "tokens", edit.id, editor)
    if isinstance(token, RuleProblem):
        return (token,)
    assert isinstance(token, Token)
    outside = [*standing(edit.to, token.size, state.extent, ("to",))]
    for index, square in enumerate(edit.way):
        outside += standing(Spot(square.x, square.y), token.size, state.extent, ("way", index))
    if outside:
        return tuple(outside)
    way = () if ground is None else walked(state, token, edit, editor, ground)
    if isinstance(way, RuleProblem):
        return (way,)
    moved = replace(token, at=_settled("to", edit.to))
    return _Done(with_thing(state, "tokens", moved), token.id, way)


# Doors


def _door_set(state: MapState, edit: SetDoor, editor: Editor, ground: Ground | None) -> _Outcome:
    door = ground.door(edit.id) if ground is not None else None
    play = _door_play(state, edit.id)
    if not editor.gm and (
        door is None or (door.secret and not play.found) or not stands_before(state, door, editor.account)
    ):
        message = "None of your tokens stands before such a door."
        return (problem("map_door_out_of_reach", message, ("id",), edit.id),)
    if door is None:
        return (problem("map_unknown", "The map has no such door.", ("id",), edit.id),)
    if door.kind is DoorKind.ARCH and edit.state is not DoorState.OPEN:
        return (problem("map_arch_open", "An arch is always open.", ("state",), edit.state.value, "open"),)
    stands = play.state or door.state
    if not editor.gm and DoorState.LOCKED in (stands, edit.state):
        message = "Locks are for the game master to open and shut."
        return (problem("map_door_locked", message, ("state",), edit.state.value),)
    found = play.found or (door.secret and edit.state is DoorState.OPEN)
    return _Done(with_thing(state, "doors", DoorPlay(edit.id, edit.state, found)), edit.id)


def _door_found(state: MapState, edit: FindDoor, ground: Ground | None) -> _Outcome:
    door = ground.door(edit.id) if ground is not None else None
    if door is None:
        return (problem("map_unknown", "The map has no such door.", ("id",), edit.id),)
    if not door.secret:
        return (problem("map_door_plain", "This door is no secret.", ("id",), edit.id),)
    play = _door_play(state, edit.id)
    if not edit.found and (play.state or door.state) is DoorState.OPEN:
        return (problem("map_door_open", "An open door cannot be hidden.", ("found",), False),)
    return _Done(with_thing(state, "doors", replace(play, found=edit.found)), edit.id)


def _door_play(state: MapState, id: str) -> DoorPlay:
    play = find(state, "doors", id)
    return play if isinstance(play, DoorPlay) else DoorPlay(id)


# Fog


def _fogged(state: MapState, edit: SetFog) -> MapState:
    fog = replace(state.fog, mode=edit.mode, shared=edit.shared)
    explored = state.explored
    if edit.shared and any(one.id != PARTY for one in explored):
        cells = known(state, PARTY)
        for one in explored:
            cells |= known(state, one.id)
        explored = (Explored(PARTY, packed(cells)),)
    return replace(state, fog=fog, explored=explored)


def _lifted(state: MapState, edit: Lift) -> _Outcome:
    if state.fog.shared and edit.viewer != PARTY:
        message = "The party shares its fog."
        return (problem("map_fog_shared", message, ("viewer",), edit.viewer, PARTY),)
    viewers = [edit.viewer]
    if edit.viewer == PARTY:
        viewers += [one.id for one in state.explored if one.id != PARTY]
    after = state
    for viewer in viewers:
        after = with_explored(after, viewer, _lifted_cells(known(state, viewer), edit, state))
    return _Done(after)


def _lifted_cells(cells: Cells, edit: Lift, state: MapState) -> Cells:
    match edit:
        case Reveal(area=area):
            return cells | area_cells(area, state.extent)
        case Conceal(area=area):
            return cells & ~area_cells(area, state.extent)
        case _:
            return cells | True


def with_explored(state: MapState, viewer: str, cells: Cells) -> MapState:
    """The state in which a viewer has explored these cells and no others."""
    if (cells == known(state, viewer)).all():
        return state
    return with_thing(state, "explored", Explored(viewer, packed(cells)))
