"""What a viewer may know of the state of play: a hidden thing leaves no trace.

    game master              everything
    the map is hidden        nothing but how large it is
    the map is open          what is on the players' layer, and the doors and places they know
    under fog                of these, tokens where one of the viewer's own tokens sees now; everything else
                             in cells that the viewer has explored; what is their own always

A door in explored cells is shown as it stands now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from services.map.play.cells import (
    Cells,
    any_of,
    block,
    cell_of,
    fog_owner,
    known,
    lies_in,
    no_cells,
    packed,
)
from services.map.play.movement import Ground, door_cells
from services.map.play.rights import Editor
from services.map.play.shapes import DrawingShape
from services.map.play.sight import owned_by
from services.map.play.state import (
    DoorPlay,
    Drawing,
    Explored,
    FogMode,
    Layer,
    MapState,
    Spot,
    to_bytes,
)


def view(
    state: MapState, viewer: Editor, ground: Ground | None = None, seen: Cells | None = None
) -> MapState:
    """The state as a viewer may see it.

    Args:
        state: The whole state.
        viewer: Who looks.
        ground: Of a grid map; it knows where doors are.
        seen: The cells that the viewer sees now (`sight.seen_now`); none without.
    """
    if viewer.gm:
        return state
    if state.fog.mode is FogMode.HIDDEN:
        return MapState(state.extent, state.fog)
    fogged = state.fog.mode is FogMode.FOGGED
    explored = known(state, viewer.account) if fogged else None

    def lies_open(spot: Spot) -> bool:
        return explored is None or any_of(explored, (cell_of(spot, state.extent),))

    now = no_cells(state.extent) if seen is None else seen
    return MapState(
        extent=state.extent,
        fog=state.fog,
        explored=() if explored is None else (Explored(fog_owner(state, viewer.account), packed(explored)),),
        # What creature a figure really is, players find out in play.
        tokens=tuple(
            replace(token, creature="")
            for token in state.tokens
            if token.layer is Layer.PLAYERS
            and (not fogged or owned_by(state, token, viewer) or any_of(now, block(token)))
        ),
        markers=tuple(
            one
            for one in state.markers
            if one.layer is Layer.PLAYERS and (one.author == viewer.account or lies_open(one.at))
        ),
        notes=tuple(one for one in state.notes if one.layer is Layer.PLAYERS and lies_open(one.at)),
        doors=tuple(door for door in state.doors if _door_known(door, ground, explored)),
        drawings=_drawings(state, viewer, explored, lies_open),
        places=tuple(one for one in state.places if one.known and lies_open(one.at)),
        lights=tuple(one for one in state.lights if one.layer is Layer.PLAYERS and lies_open(one.at)),
        areas=tuple(one for one in state.areas if one.layer is Layer.PLAYERS and lies_open(one.at)),
    )


def etag(shown: MapState) -> str:
    """The version of a view: it changes exactly when what the viewer sees does, never by what is hidden.

    A counter would tell players that something has happened that they do not see.
    """
    return sha256(to_bytes(shown)).hexdigest()[:32]


def _door_known(play: DoorPlay, ground: Ground | None, explored: Cells | None) -> bool:
    door = ground.door(play.id) if ground is not None else None
    if door is None or (door.secret and not play.found):
        return False
    return explored is None or any_of(explored, door_cells(door))


def _drawings(
    state: MapState, viewer: Editor, explored: Cells | None, lies_open: Callable[[Spot], bool]
) -> tuple[Drawing, ...]:
    shown = [
        one
        for one in state.drawings
        if one.layer is Layer.PLAYERS
        and (
            explored is None or one.author == viewer.account or _all_explored(one, state, explored, lies_open)
        )
    ]
    # The orders of hidden drawings would be missing among these: they are counted anew.
    above = {one.id: rank for rank, one in enumerate(sorted(shown, key=lambda one: (one.order, one.id)), 1)}
    return tuple(replace(one, order=above[one.id]) for one in shown)


def _all_explored(
    drawing: Drawing, state: MapState, explored: Cells, lies_open: Callable[[Spot], bool]
) -> bool:
    # Most drawings are told apart by their points, which is quick; the line of an ellipse does not pass them.
    if drawing.shape is not DrawingShape.ELLIPSE and not all(map(lies_open, drawing.points)):
        return False
    return lies_in(drawing, explored, state.extent)
