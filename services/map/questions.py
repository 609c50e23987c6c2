"""What can be asked of a grid map: ways, distances, sight, cover, areas and light, as one viewer may know it.

The rules are those of the scenes, `services.rules.engine.grid` and `areas`: paces of five feet, no slanting
step around a corner. The fast forms of `services.map.ground` give the same answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from services.map.generation.grid.model import DoorState, GridMap
from services.map.grid_view import MapCell, MapSpan
from services.map.ground import areas
from services.map.ground.building import ground_of
from services.map.ground.distances import cells_between, feet_between, paces_between
from services.map.ground.light import Level, light_levels
from services.map.ground.model import Bools, MapGround
from services.map.ground.sight import cover, seen_by, sees
from services.map.ground.walking import path, reach
from services.map.play.state import AreaShape
from services.rules.engine.areas import Direction
from services.rules.engine.grid import Cover, Square

MAX_REACH = 120
"""Paces of the longest reach and the widest area that is answered."""


MAX_TOWARD = 1_000
"""Columns and rows, on the map or beyond, that an area may point at."""


class Brightness(Enum):
    """How bright it is."""

    DARK = "dark"
    DIM = "dim"
    BRIGHT = "bright"


@dataclass(frozen=True, slots=True)
class Distance:
    """How far apart two cells are, as nothing stood in the way; a slanting cell counts one.

    Attributes:
        cells: Cells.
        paces: Paces of five feet.
        feet: Feet.
    """

    cells: int
    paces: int
    feet: int


@dataclass(frozen=True, slots=True)
class Way:
    """A way of the fewest paces.

    Attributes:
        cells: The cells it leads through, without where it begins.
        paces: What it costs; difficult ground counts twice.
        feet: Its length in feet of movement.
    """

    cells: tuple[MapCell, ...]
    paces: int
    feet: int


@dataclass(frozen=True, slots=True)
class Reached:
    """A cell that can be walked to.

    Attributes:
        cell: The cell.
        paces: What it costs to get there.
    """

    cell: MapCell
    paces: int


@dataclass(frozen=True, slots=True)
class Area:
    """The area of a spell, a blast or a breath.

    Attributes:
        shape: Its shape.
        at: The cell it comes from; with `corner`, the top left corner of that cell.
        paces: Its radius or length, 1 to 120.
        toward: A cell it points at; needed by all but a circle.
        degrees: How wide an arc is: 90 or 180.
        width: How wide a line is, odd.
        corner: Whether a circle lies about a corner of the grid instead of a cell.
        stops: Whether it stops at walls and shut doors.
    """

    shape: AreaShape
    at: Square
    paces: int
    toward: Square | None = None
    degrees: int = 90
    width: int = 1
    corner: bool = False
    stops: bool = True


class Questions:
    """Answers questions about one map.

    Args:
        model: The map as the viewer may know it, doors and lights as they are now.

    Every answer raises ``ValueError``, in words for people, where a cell is not on the map or a number is out
    of its range.
    """

    def __init__(self, model: GridMap) -> None:
        self._model = model

    @cached_property
    def _ground(self) -> MapGround:
        return ground_of(self._model)

    @cached_property
    def _open_ground(self) -> MapGround:
        """The ground as one walks it who opens what is closed and not locked."""
        opened = {door.id: DoorState.OPEN for door in self._model.doors if door.state is DoorState.CLOSED}
        return ground_of(self._model, opened)

    def distance(self, start: Square, end: Square) -> Distance:
        """How far apart two cells are."""
        one, other = self._cell(start), self._cell(end)
        feet = self._model.feet
        return Distance(
            cells_between(one, other), paces_between(one, other, feet), feet_between(one, other, feet)
        )

    def way(self, start: Square, end: Square, taken: Sequence[Square], *, through_doors: bool) -> Way | None:
        """A way of the fewest paces, if there is one."""
        ground = self._open_ground if through_doors else self._ground
        around = [(square.x, square.y) for square in taken]
        begin, goal = self._cell(start), self._cell(end)
        found = path(ground, begin, goal, around)
        if found is None:
            return None
        cost = int(reach(ground, begin, MAX_REACH * 20, around)[goal[1], goal[0]])
        return Way(tuple(MapCell(*cell) for cell in found), cost, cost * self._model.feet)

    def reach(
        self, start: Square, paces: int, taken: Sequence[Square], *, through_doors: bool
    ) -> list[Reached]:
        """The cells that some paces lead to, row by row."""
        _within("paces", paces, 0, MAX_REACH)
        ground = self._open_ground if through_doors else self._ground
        costs = reach(ground, self._cell(start), paces, [(square.x, square.y) for square in taken])
        rows, columns = np.nonzero(costs >= 0)
        return [
            Reached(MapCell(int(x), int(y)), int(costs[y, x])) for y, x in zip(rows, columns, strict=True)
        ]

    def sees(self, start: Square, end: Square) -> bool:
        """Whether there is a line of sight between two cells; it is the same both ways."""
        return sees(self._ground, self._cell(start), self._cell(end))

    def cover(self, attacker: Square, target: Square) -> Cover:
        """What protects a target."""
        return cover(self._ground, self._cell(attacker), self._cell(target))

    def area(self, wanted: Area) -> list[MapSpan]:
        """The cells of an area that are on the map."""
        _within("paces", wanted.paces, 1, MAX_REACH)
        at = self._cell(wanted.at)
        cells = self._shape(wanted)
        if wanted.stops:
            cells = areas.stopped(self._ground, cells, at, corner=wanted.corner)
        return _spans(cells)

    def _shape(self, wanted: Area) -> Bools:
        ground, at, paces = self._ground, (wanted.at.x, wanted.at.y), wanted.paces
        if wanted.shape is AreaShape.CIRCLE:
            return areas.circle(ground, at, paces, corner=wanted.corner)
        if wanted.toward is None or wanted.corner:
            raise ValueError("this shape points from a cell at another one: name `toward`, and no corner")
        toward = wanted.toward.x, wanted.toward.y
        _within("toward.x", toward[0], -MAX_TOWARD, MAX_TOWARD)
        _within("toward.y", toward[1], -MAX_TOWARD, MAX_TOWARD)
        match wanted.shape:
            case AreaShape.ARC:
                facing = _direction(wanted.at, wanted.toward)
                return areas.arc(ground, at, facing.value, wanted.degrees, paces)
            case AreaShape.CONE:
                return areas.cone(ground, at, toward, paces)
            case _:
                _within("width", wanted.width, 1, 2 * MAX_REACH + 1)
                return areas.band(ground, at, toward, paces, wanted.width)

    def light(self, at: Square) -> Brightness:
        """How bright a cell is."""
        x, y = self._cell(at)
        return _BRIGHTNESS[Level(int(self._levels[y, x]))]

    def visible(self, start: Square, paces: int | None, darkvision: int) -> list[MapSpan]:
        """The cells that are seen from a cell, in this light."""
        if paces is not None:
            _within("paces", paces, 0, 400)
        _within("darkvision", darkvision, 0, 400)
        return _spans(seen_by(self._ground, self._cell(start), self._levels, paces, darkvision))

    @cached_property
    def _levels(self) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        return light_levels(self._ground, self._model.lights, self._model.ambient)

    def _cell(self, square: Square) -> tuple[int, int]:
        self._ground.require((square.x, square.y))
        return square.x, square.y


_BRIGHTNESS = {Level.DARK: Brightness.DARK, Level.DIM: Brightness.DIM, Level.BRIGHT: Brightness.BRIGHT}


def _direction(origin: Square, toward: Square) -> Direction:
    """The one of the eight directions that points nearest to a cell; of two as near, the straight one."""
    dx, dy = toward.x - origin.x, toward.y - origin.y
    if dx == dy == 0:
        raise ValueError("an area does not point at where it comes from")
    # Within 22.5 degrees of an axis it is that axis: tan(22.5 degrees) is sqrt(2) - 1, about 29/70.
    across = 0 if 70 * abs(dx) <= 29 * abs(dy) else (dx > 0) - (dx < 0)
    down = 0 if 70 * abs(dy) <= 29 * abs(dx) else (dy > 0) - (dy < 0)
    return Direction((across, down))


def _spans(cells: Bools) -> list[MapSpan]:
    found = []
    for row in np.flatnonzero(cells.any(axis=1)).tolist():
        edges = np.flatnonzero(np.diff(cells[row].astype(np.int8), prepend=0, append=0)).tolist()
        found += [MapSpan(row, first, last) for first, last in zip(edges[::2], edges[1::2], strict=True)]
    return found


def _within(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"`{name}` goes from {low} to {high}, not {value}")
