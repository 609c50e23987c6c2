"""What looking at maps takes, in milliseconds of processor time: estimated from sizes before it begins.

Measured on one core of a small server; a share of what was measured is added, so that estimates err upward.
What is at hand costs nothing here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from math import hypot

from services.map.board import Board
from services.map.generation.grid.model import DoorState, GridMap, Light
from services.map.ground.at_hand import known_ground
from services.map.ground.building import cell_of
from services.map.ground.lines import mean_steps
from services.map.ground.model import MapGround
from services.map.looking import Look, Seen, model_at_hand
from services.map.play.edits import Edit, MoveToken
from services.map.play.limits import MAX_SIZE
from services.map.play.sight import owned_by, shining
from services.map.play.state import FogMode, MapState, Token
from services.rules.engine.ground.measure import Diagonal

_NS = 1e-6
"""Milliseconds in a nanosecond."""

ENOUGH = 4_000.0
"""Milliseconds beyond which nothing is done, so that there is no need to estimate further."""

SHOWN = 0.045
"""Milliseconds that it takes to show one small object: to make it, in the graph, and at the gateway."""

_SMALL = 1_024
"""Cells of a view that is not worth a sample."""


def reading(look: Look) -> float:
    """What reading a map out of its row takes: its text becomes objects."""
    row = look.row
    model = 0 if model_at_hand(row) is not None else len(row.model)
    state = 0 if "board" in look.seen.__dict__ else len(row.state or "")
    return 75 * _NS * (model + 2 * state)


def grounding(model: GridMap, doors: Mapping[str, DoorState]) -> float:
    """What making a map's ground takes: its cells, its walls, and every cell that a wall crosses."""
    if known_ground(model, doors) is not None:
        return 0.0
    points = sum(len(wall.points) for wall in model.walls)
    cell = 300 if model.heights else 130
    return _NS * (cell * model.width * model.height + 900 * points + 8 * wall_length(model))


def wall_length(model: GridMap) -> float:
    """How long all thin walls are together, in cells."""
    return sum(
        hypot(end[0] - start[0], end[1] - start[1])
        for wall in model.walls
        for start, end in pairwise(wall.points)
    )


def viewing(ground: MapGround, x: int, y: int, radius: float) -> float:
    """What one field of view takes; with thin walls each cell in it is looked at along a line."""
    if ground.thin:
        return lining(ground, x, y, radius)
    left, top, right, bottom = _window(ground, x, y, radius)
    return 0.02 + max(0, right - left) * max(0, bottom - top) * _NS * 8


def lining(ground: MapGround, x: int, y: int, radius: float, each: float = 15) -> float:
    """What lines of sight to all cells around one take: how long they are is told from a sample of them.

    Args:
        ground: The ground.
        x: Column of the cell.
        y: Row of the cell.
        radius: How far the lines go, in cells.
        each: Nanoseconds a cell, beside the line to it.
    """
    left, top, right, bottom = window = _window(ground, x, y, radius)
    cells = max(0, right - left) * max(0, bottom - top)
    if cells <= _SMALL:
        return 0.02 + cells * _NS * 100
    steps = mean_steps(ground.opaque, ground.east, ground.south, x, y, window)
    return 0.05 + cells * _NS * (each + 4.5 * steps)


def _window(ground: MapGround, x: int, y: int, radius: float) -> tuple[int, int, int, int]:
    far = int(min(radius, max(ground.width, ground.height)))
    return max(0, x - far), max(0, y - far), min(ground.width, x + far + 1), min(ground.height, y + far + 1)


def lighting(ground: MapGround, lights: Iterable[Light]) -> float:
    """What working out how far lights shine takes."""
    total = 0.0
    for light in lights:
        cell = cell_of(ground, light)
        if cell is not None and light.dim > 0:
            # Of a wall each cell beside it is looked at, too.
            total += lining(ground, *cell, max(light.dim, light.bright), each=60)
            if total > ENOUGH:
                break
    return total


def own_lights(model: GridMap, ground: MapGround, doors: Mapping[str, DoorState]) -> float:
    """What working out the lights of the map itself takes."""
    known = known_ground(model, doors)
    if model.ambient == "bright" or (known is not None and known.lit):
        return 0.0
    return lighting(ground, model.lights)


def watching(board: Board, tokens: Iterable[Token]) -> float:
    """What finding out what tokens see takes, of a board whose ground is made."""
    if board.footing is None:
        return 0.0
    ground = board.footing.ground
    total = 0.0
    for token in tokens:
        if token.sight is not None and ground.holds((int(token.at.x), int(token.at.y))):
            total += _eyes(token) * viewing(ground, int(token.at.x), int(token.at.y), _range(token))
            if total > ENOUGH:
                break
    return total


def _eyes(token: Token) -> int:
    # Out of the corners and the middle, in the light and in the dark.
    return (1 if token.size == 1 else 5) * 2


def _range(token: Token) -> float:
    return 0.0 if token.sight is None else max(token.sight.range, token.sight.dark)


def seeing(seen: Seen) -> float:
    """What finding out what a viewer may know takes, of a map that was read and whose ground is made."""
    board, viewer = seen.board, seen.viewer
    footing = board.footing
    if viewer.gm or footing is None or "state" in seen.__dict__:
        return 0.0
    things = len(board.state.markers) + len(board.state.drawings) + len(board.state.notes)
    if board.state.fog.mode is not FogMode.FOGGED:
        return 0.002 * things
    watchers = [token for token in board.state.tokens if owned_by(board.state, token, viewer)]
    return (
        0.01 * things
        + own_lights(footing.model, footing.ground, board.doors)
        + lighting(footing.ground, shining(board.state))
        + watching(board, watchers)
    )


def showing(seen: Seen) -> float:
    """What making the model as a viewer may know it takes."""
    model = seen.board.model
    if seen.viewer.gm or "model" in seen.__dict__ or not isinstance(model, GridMap):
        return 0.0
    things = sum(map(len, (model.rooms, model.doors, model.props, model.lights, model.notes)))
    if seen.board.state.fog.mode is not FogMode.FOGGED:
        return 0.003 * things
    points = sum(len(wall.points) for wall in model.walls)
    # Fog in patches cuts a wall at every cell that it passes.
    return 0.01 * things + _NS * (
        5_000 * points + 6_000 * wall_length(model) + 20 * model.width * model.height
    )


def editing(board: Board, edit: Edit) -> float:
    """What an edit takes: after it the lights are looked at anew, and so is what tokens see."""
    state, footing = board.state, board.footing
    basic = 1.0 + 0.005 * _things(state)
    if footing is None or state.fog.mode is not FogMode.FOGGED:
        return basic
    ground = footing.ground
    total = basic + lighting(ground, shining(state)) + own_lights(footing.model, ground, board.doors)
    if not isinstance(edit, MoveToken):
        return total + watching(board, (token for token in state.tokens if token.owners))
    moved = next((token for token in state.tokens if token.id == edit.id), None)
    if moved is None:
        return total
    steps = len(edit.way) or max(abs(edit.to.x - moved.at.x), abs(edit.to.y - moved.at.y), 1)
    return total + steps * watching(board, (moved,))


def _things(state: MapState) -> int:
    sections: tuple[Collection[object], ...] = (
        state.tokens,
        state.markers,
        state.notes,
        state.doors,
        state.drawings,
        state.places,
        state.lights,
        state.areas,
    )
    return sum(map(len, sections))


_SEARCHING = {Diagonal.EQUAL: 90, Diagonal.ALTERNATING: 450}
"""Nanoseconds a cell of a search for ways; else as by roots."""
_SEARCHING_BY_ROOTS = 250


def walking(model: GridMap, diagonal: Diagonal = Diagonal.EQUAL) -> float:
    """What a search for ways over a whole map takes."""
    return _SEARCHING.get(diagonal, _SEARCHING_BY_ROOTS) * _NS * model.width * model.height


def sizing(model: GridMap, doors: Mapping[str, DoorState], size: int) -> float:
    """What finding the steps of creatures of a size takes, where they are not at hand."""
    known = known_ground(model, doors)
    if size <= 1 or (known is not None and size in known.ground.sized):
        return 0.0
    return (200 + 100 * size) * _NS * model.width * model.height


def sighting(size: int, other: int) -> float:
    """What lines of sight from each cell of a creature to each of another take at most."""
    pairs = (min(max(1, size), MAX_SIZE) * min(max(1, other), MAX_SIZE)) ** 2
    return 0.0 if pairs == 1 else 0.2 + 0.003 * pairs


def covering(size: int, other: int) -> float:
    """What the lines of cover between two creatures take at most, and those of sight."""
    return 0.5 + sighting(size, other)


def shaping(model: GridMap) -> float:
    """What laying an area out takes, before it stops anywhere."""
    return 60 * _NS * model.width * model.height


def grid(model: GridMap, fields: Collection[str]) -> float:
    """What showing a grid map takes, of those of its fields that are asked for."""
    total = 15 * _NS * model.width * model.height if {"cells", "heights"} & set(fields) else 0.0
    if "heights" in fields:
        total += 0.006 * len(model.heights)
    if "walls" in fields:
        total += sum(SHOWN / 3 + SHOWN / 2 * len(wall.points) for wall in model.walls)
    if "rooms" in fields:
        total += SHOWN * sum(3 + len(room.spans) for room in model.rooms)
    if "zones" in fields:
        total += SHOWN * sum(2 + len(zone.spans) for zone in model.zones)
    for name in ("passages", "doors", "traps", "stairs", "lights", "props", "notes"):
        if name in fields:
            total += 2 * SHOWN * len(getattr(model, name))
    return total
