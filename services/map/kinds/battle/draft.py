"""A battle map in the making: what the stages draw on, one after another."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from services.map.generation.grid.model import (
    Axis,
    Cell,
    Door,
    DoorKind,
    DoorState,
    KeyNote,
    Light,
    Prop,
    Room,
    RoomRole,
    Spot,
    Trap,
    Wall,
    WallKind,
    Zone,
)
from services.map.generation.grid.terrain import PACES, Terrain
from services.map.generation.stream import Stream
from services.map.kinds.battle.kernels import F64, I32, U8, Bools, noise, steps
from services.map.kinds.battle.parameters import BattleParameters

NOTHING = 0
KINDS = (None, WallKind.WALL, WallKind.WINDOW, WallKind.FENCE, WallKind.LOW)
WALL, WINDOW, FENCE, LOW = 1, 2, 3, 4
"""Codes of thin walls on the lines of the grid."""

PACE_OF = np.frombuffer(PACES, np.uint8)

Patch = Bools | tuple[slice, slice]
Spans = tuple[tuple[int, int, int], ...]
_STOPS = np.array([False, True, True, True, False])


def spans_of(mask: Bools) -> Spans:
    """Cells as (row, first column, column after the last), row by row."""
    edges = np.diff(np.pad(mask.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    starts, ends = np.nonzero(edges > 0), np.nonzero(edges < 0)
    return tuple(zip(starts[0].tolist(), starts[1].tolist(), ends[1].tolist(), strict=True))


def grown(mask: Bools, by: int = 1) -> Bools:
    """The cells and everything within so many cells of them, also slantwise."""
    height, width = mask.shape
    padded = np.pad(mask, by)
    rows = np.logical_or.reduce([padded[i : i + height] for i in range(2 * by + 1)])
    whole: Bools = np.logical_or.reduce([rows[:, i : i + width] for i in range(2 * by + 1)])
    return whole


class Draft:
    """A battle map in the making.

    Attributes:
        parameters: What it is made from.
        width: Columns.
        height: Rows.
        seed: Of the map.
        attempt: Which sub-seed.
        cells: Terrain codes, `[y, x]`.
        heights: Elevation in steps of five feet.
        free: Cells where nature may still grow and things may still be put.
        across: Codes of thin walls, `[y, x]` on the line above cell (x, y); height + 1 rows.
        down: Codes of thin walls, `[y, x]` on the line left of cell (x, y); width + 1 columns.
        track: Distance of each cell to the nearest road or path, in cells; large without any.
        ends: Where roads and corridors leave the map.
        level: Patches that lie level: under houses, ponds and camps.
        roofed: Cells where nobody starts if there is room elsewhere: in houses and corridors.
    """

    def __init__(self, parameters: BattleParameters, seed: int, attempt: int, plain: Terrain) -> None:
        """Starts with flat, plain ground of one terrain."""
        width, height = parameters.width, parameters.height
        self.parameters = parameters
        self.width, self.height = width, height
        self.seed, self.attempt = seed, attempt
        self.cells: U8 = np.full((height, width), plain, np.uint8)
        self.heights = np.zeros((height, width), np.int8)
        self.free: Bools = np.ones((height, width), np.bool_)
        self.across: U8 = np.zeros((height + 1, width), np.uint8)
        self.down: U8 = np.zeros((height, width + 1), np.uint8)
        self.track: F64 = np.full((height, width), 1e6)
        self.ends: list[tuple[Cell, str]] = []
        self.doors: list[Door] = []
        self.props: list[Prop] = []
        self.lights: list[Light] = []
        self.rooms: list[Room] = []
        self.zones: list[Zone] = []
        self.notes: list[KeyNote] = []
        self.traps: list[Trap] = []
        self.level: list[Patch] = []
        self.roofed: Bools = np.zeros((height, width), np.bool_)

    def stream(self, *name: str | int) -> Stream:
        """The random stream of one stage."""
        return Stream(self.seed, "battle", self.parameters.site.value, self.attempt, *name)

    def noise(self, name: str, scale: int, octaves: int = 3) -> I32:
        """Noise for one stage, 0 to 1023; scale 1 is white."""
        word = np.uint64(self.stream("noise", name).word())
        drawn: I32 = noise(word, self.width, self.height, scale, octaves)
        return drawn

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell is on the map."""
        return 0 <= x < self.width and 0 <= y < self.height

    def put(
        self, kind: str, x: float, y: float, width: float = 1.0, height: float = 1.0, turn: int = 0
    ) -> None:
        """Adds a prop by the top left corner of its box, before it is turned about its middle."""
        name = f"prop-{len(self.props) + 1}"
        self.props.append(
            Prop(name, kind, round(float(x), 2), round(float(y), 2), float(width), float(height), turn % 360)
        )

    def put_middle(self, kind: str, at: Spot, width: float = 1.0, height: float = 1.0, turn: int = 0) -> None:
        """Adds a prop by its middle."""
        self.put(kind, at[0] - width / 2, at[1] - height / 2, width, height, turn)

    def stand(self, kind: str, x: int, y: int, width: int = 1, height: int = 1, turn: int = 0) -> None:
        """Adds a prop that fills whole cells and hinders those who cross them."""
        self.cells[y : y + height, x : x + width] = Terrain.OBSTACLE
        self.free[y : y + height, x : x + width] = False
        if turn % 180 == 90:
            # The box is told before it is turned: it covers the same cells afterwards.
            middle = x + width / 2, y + height / 2
            self.put_middle(kind, middle, float(height), float(width), turn)
        else:
            self.put(kind, float(x), float(y), float(width), float(height), turn)

    def light(self, kind: str, at: Spot, bright: float, dim: float, color: str = "#ffb35c") -> None:
        """Adds a light."""
        spot = round(float(at[0]), 2), round(float(at[1]), 2)
        self.lights.append(
            Light(f"light-{len(self.lights) + 1}", spot, float(bright), float(dim), color, kind)
        )

    def hang(
        self, x: int, y: int, edge: str, kind: DoorKind, state: DoorState = DoorState.CLOSED, span: int = 1
    ) -> None:
        """Hangs a door on the edge of a cell, where a wall has to run."""
        axis = Axis.NORTH_SOUTH if edge in "ns" else Axis.EAST_WEST
        self.doors.append(Door(f"door-{len(self.doors) + 1}", (x, y), axis, kind, state, edge, span))

    def place(
        self,
        what: tuple[str, str],
        box: tuple[int, int, int, int],
        tags: Iterable[str] = (),
        spans: Spans = (),
        role: RoomRole = RoomRole.ORDINARY,
    ) -> None:
        """Adds a named place.

        Args:
            what: Its name, and a note for the game master.
            box: Left column, top row, columns, rows; cut to the map.
            tags: Further words.
            spans: Its cells where they do not fill the box.
            role: What it is for.
        """
        x, y, width, height = box
        left, top = max(0, x), max(0, y)
        right, bottom = min(self.width, x + width), min(self.height, y + height)
        number = len(self.rooms) + 1
        name, note = what
        self.rooms.append(
            Room(
                f"room-{number}",
                number,
                left,
                top,
                right - left,
                bottom - top,
                name,
                role,
                tuple(tags),
                (note,),
                spans,
            )
        )

    def around(self, at: Spot, reach: float) -> Bools:
        """Cells whose middle is within a distance of a spot."""
        ys, xs = np.ogrid[: self.height, : self.width]
        return np.asarray((xs + 0.5 - at[0]) ** 2 + (ys + 0.5 - at[1]) ** 2 <= reach * reach)

    def outline(self, mask: Bools, code: int) -> None:
        """Draws a thin wall round some cells."""
        inside = np.pad(mask, 1)
        self.across[inside[1:, 1:-1] != inside[:-1, 1:-1]] = code
        self.down[inside[1:-1, 1:] != inside[1:-1, :-1]] = code

    def barred(self) -> tuple[Bools, Bools]:
        """The edges nobody walks through, `across` and `down`; doors can be opened."""
        across, down = _STOPS[self.across], _STOPS[self.down]
        for door in self.doors:
            x, y = door.at
            if door.edge in ("n", "s"):
                row = y + (door.edge == "s")
                across[row, x : x + door.span] = False
            elif door.edge is not None:
                column = x + (door.edge == "e")
                down[y : y + door.span, column] = False
        return across, down

    def pace(self) -> U8:
        """Paces of each cell."""
        return PACE_OF[self.cells]

    def steps(self) -> U8:
        """Where one may walk from each cell."""
        walked: U8 = steps(self.pace(), self.heights, *self.barred())
        return walked

    def walls(self) -> tuple[Wall, ...]:
        """The thin walls, straight runs of one kind in one piece."""
        found: list[Wall] = []
        for lines, level in ((self.across, True), (self.down.T, False)):
            padded = np.pad(lines, ((0, 0), (1, 1)))
            change = padded[:, 1:] != padded[:, :-1]
            for row in np.nonzero(lines.any(axis=1))[0].tolist():
                at = np.nonzero(change[row])[0].tolist()
                for first, last in pairwise(at):
                    kind = KINDS[lines[row, first]] if first < lines.shape[1] else None
                    if kind is None:
                        continue
                    ends = ((first, row), (last, row)) if level else ((row, first), (row, last))
                    (ax, ay), (bx, by) = ends
                    found.append(Wall(((float(ax), float(ay)), (float(bx), float(by))), kind))
        return tuple(found)
