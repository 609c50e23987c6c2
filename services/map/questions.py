"""What can be asked of a grid map: ways, distances, sight, cover, areas and light, as one viewer may know it.

The rules are those of the scenes, `services.rules.engine.ground`: paces of five feet, no slanting step around
a corner. The fast forms of `services.map.ground` compute the same answers, for creatures of n by n cells too,
who are named by their top left cell, and by the measures of other games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from services.map.generation.grid.model import DoorState, GridMap
from services.map.grid_view import MapCell, MapSpan
from services.map.ground import areas
from services.map.ground.at_hand import ground_at_hand
from services.map.ground.building import AS_DRAWN
from services.map.ground.light import light_levels
from services.map.ground.model import I32, U8, Bools, MapGround
from services.map.ground.sight import cover, seen_by, sees
from services.map.ground.walking import reach, walk
from services.map.lazy import lazy
from services.map.play.limits import MAX_SIZE
from services.map.play.shapes import AreaShape
from services.rules.engine.ground.cover import Cover, Grade
from services.rules.engine.ground.footprint import Footprint, apart
from services.rules.engine.ground.kinds import Level
from services.rules.engine.ground.measure import Diagonal, Measure, Rough
from services.rules.engine.ground.squares import Direction, Square

MAX_REACH = 120
"""Paces of the longest reach and the widest area that is answered."""


MAX_TOWARD = 1_000
"""Columns and rows, on the map or beyond, that an area may point at."""


FEET_A_PACE = 5


class Protection(Enum):
    """What is between an attacker and a target (Forge Engine, Externalities).

    Attributes:
        NONE: Nothing.
        PARTIAL: Something hides a part of the target.
        TOTAL: There is no line of sight.
    """

    NONE = "none"
    PARTIAL = "partial"
    TOTAL = "total"


class Brightness(Enum):
    """How bright it is.

    Attributes:
        DARK: No light: one sees there only with sight in the dark.
        DIM: Light at the edge of what shines.
        BRIGHT: Full light.
    """

    DARK = "dark"
    DIM = "dim"
    BRIGHT = "bright"


@dataclass(frozen=True, slots=True)
class Measuring:
    """How a game counts steps and distances; without, as all games here do.

    Attributes:
        diagonal: What a slanting step counts.
        rough: What rough ground costs more.
    """

    diagonal: Diagonal = Diagonal.EQUAL
    rough: Rough = Rough.ADDS

    def by(self, units: int = 1, unit: str = "pace") -> Measure:
        """The measure by cells of some units."""
        return Measure(units, unit, self.diagonal, self.rough)


EQUALLY = Measuring()
"""A slanting step as a straight one."""


@dataclass(frozen=True, slots=True)
class Distance:
    """How far apart two creatures are, from their nearest cells and as nothing stood in the way.

    On ground that is not flat it is the height between them where that is more; see `Measuring`.

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

    @property
    def model(self) -> GridMap:
        """The map as the viewer may know it."""
        return self._model

    @lazy
    def ground(self) -> MapGround:
        """The map's ground."""
        return ground_at_hand(self._model, AS_DRAWN).ground

    @lazy
    def open_ground(self) -> MapGround:
        """The ground as one walks it who opens what is closed and not locked."""
        return ground_at_hand(self._model, self.opened).ground

    @lazy
    def opened(self) -> dict[str, DoorState]:
        """How doors stand for who opens what is closed and not locked."""
        return {door.id: DoorState.OPEN for door in self._model.doors if door.state is DoorState.CLOSED}

    def distance(
        self,
        start: Square,
        end: Square,
        start_size: int = 1,
        end_size: int = 1,
        measuring: Measuring = EQUALLY,
    ) -> Distance:
        """How far apart two creatures are."""
        one, other = (
            self._footprint(start, start_size, "startSize"),
            self._footprint(end, end_size, "endSize"),
        )
        between = apart(self.ground.rules, one, other)
        feet = measuring.by(self._model.feet, "foot").distance(*between)
        # Part of a pace counts as a whole one, as it does for a range.
        return Distance(measuring.by().distance(*between), -(-feet // FEET_A_PACE), feet)

    def way(
        self,
        start: Square,
        end: Square,
        taken: Sequence[Square],
        *,
        through_doors: bool,
        size: int = 1,
        measuring: Measuring = EQUALLY,
    ) -> Way | None:
        """A way of the fewest paces, if there is one."""
        ground = self.open_ground if through_doors else self.ground
        around = [(square.x, square.y) for square in taken]
        walker, measure = self._footprint(start, size), measuring.by()
        found = walk(ground, (walker.at.x, walker.at.y), self._cell(end), around, size, measure)
        if found is None:
            return None
        feet = measuring.by(self._model.feet, "foot").spent(found.points)
        return Way(tuple(MapCell(*cell) for cell in found.cells), measure.spent(found.points), feet)

    def reach(
        self,
        start: Square,
        paces: int,
        taken: Sequence[Square],
        *,
        through_doors: bool,
        size: int = 1,
        measuring: Measuring = EQUALLY,
    ) -> I32:
        """What it costs to walk to each cell, `[y, x]`; -1 where these paces do not lead."""
        _within("paces", paces, 0, MAX_REACH)
        ground = self.open_ground if through_doors else self.ground
        around = [(square.x, square.y) for square in taken]
        at = self._footprint(start, size).at
        return reach(ground, (at.x, at.y), paces, around, size, measuring.by())

    def sees(self, start: Square, end: Square, start_size: int = 1, end_size: int = 1) -> bool:
        """Whether there is a line of sight between two creatures; it is the same both ways."""
        one, other = (
            self._footprint(start, start_size, "startSize"),
            self._footprint(end, end_size, "endSize"),
        )
        return sees(self.ground, one, other)

    def cover(
        self, attacker: Square, target: Square, attacker_size: int = 1, target_size: int = 1
    ) -> Protection:
        """What protects a target."""
        match self.graded_cover(attacker, target, attacker_size, target_size).grade:
            case Grade.NONE:
                return Protection.NONE
            case Grade.TOTAL:
                return Protection.TOTAL
            case _:
                return Protection.PARTIAL

    def graded_cover(
        self, attacker: Square, target: Square, attacker_size: int = 1, target_size: int = 1
    ) -> Cover:
        """What protects a target, by how many of the lines between the two are taken.

        Args:
            attacker: The attacker's top left cell.
            target: The target's top left cell.
            attacker_size: Cells along one side of the attacker, 1 to 10.
            target_size: Cells along one side of the target, 1 to 10.
        """
        one = self._footprint(attacker, attacker_size, "attackerSize")
        return cover(self.ground, one, self._footprint(target, target_size, "targetSize"))

    def area(self, wanted: Area) -> Bools:
        """The cells of an area that are on the map, `[y, x]`."""
        _within("paces", wanted.paces, 1, MAX_REACH)
        at = self._cell(wanted.at)
        cells = self._shape(wanted)
        if wanted.stops:
            cells = areas.stopped(self.ground, cells, at, corner=wanted.corner)
        return cells

    def _shape(self, wanted: Area) -> Bools:
        ground, at, paces = self.ground, (wanted.at.x, wanted.at.y), wanted.paces
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

    def light(self, at: Square, size: int = 1, measuring: Measuring = EQUALLY) -> Brightness:
        """How bright it is on a creature: as on its brightest cell."""
        where = self._footprint(at, size).at
        levels = self._levels if measuring.diagonal is Diagonal.EQUAL else self._levels_by(measuring)
        lit = levels[where.y : where.y + size, where.x : where.x + size]
        return _BRIGHTNESS[Level(int(lit.max()))]

    def visible(self, start: Square, paces: int | None, darkvision: int) -> Bools:
        """The cells that are seen from a cell, in this light, `[y, x]`."""
        if paces is not None:
            _within("paces", paces, 0, 400)
        _within("darkvision", darkvision, 0, 400)
        return seen_by(self.ground, self._cell(start), self._levels, paces, darkvision)

    @lazy
    def _levels(self) -> U8:
        return ground_at_hand(self._model, AS_DRAWN).levels

    def _levels_by(self, measuring: Measuring) -> U8:
        model = self._model
        return light_levels(self.ground, model.lights, model.ambient, measure=measuring.by())

    def _footprint(self, square: Square, size: int, name: str = "size") -> Footprint:
        _within(name, size, 1, MAX_SIZE)
        self.ground.require_block((square.x, square.y), size)
        return Footprint(square, size)

    def _cell(self, square: Square) -> tuple[int, int]:
        self.ground.require((square.x, square.y))
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


def reached(costs: I32) -> list[Reached]:
    """The cells that were walked to, row by row."""
    rows, columns = np.nonzero(costs >= 0)
    paces = costs[rows, columns]
    return [
        Reached(MapCell(x, y), cost)
        for x, y, cost in zip(columns.tolist(), rows.tolist(), paces.tolist(), strict=True)
    ]


def spans(cells: Bools) -> list[MapSpan]:
    """Some cells row by row, neighbours as one."""
    found = []
    for row in np.flatnonzero(cells.any(axis=1)).tolist():
        edges = np.flatnonzero(np.diff(cells[row].astype(np.int8), prepend=0, append=0)).tolist()
        found += [MapSpan(row, first, last) for first, last in zip(edges[::2], edges[1::2], strict=True)]
    return found


def _within(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"`{name}` goes from {low} to {high}, not {value}")
