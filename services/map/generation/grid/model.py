"""A map on the five-foot grid: cells, thin walls, doors, rooms and everything that stands on them.

Cells are counted from 0 at the top left, x to the right and y down; a position between them is in cells too:
the middle of cell (3, 5) is (3.5, 5.5). A solid cell (its terrain's `pace` is 0 and it is opaque) is a thick
wall by itself; `walls` are the thin ones besides, along grid lines or as they were imported.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from services.map.generation.grid.terrain import Terrain

MAX_SIDE = 400
"""Cells along one side of the largest grid map."""

Cell = tuple[int, int]
Spot = tuple[float, float]


class GridKind(StrEnum):
    """The kinds of maps that are grid maps."""

    DUNGEON = "dungeon"
    CAVE = "cave"
    BATTLE = "battle"
    IMPORTED = "imported"


class Axis(StrEnum):
    """Which way one walks through a door.

    Attributes:
        NORTH_SOUTH: From the cell above it to the one below, or back.
        EAST_WEST: From the cell left of it to the one right of it, or back.
    """

    NORTH_SOUTH = "north-south"
    EAST_WEST = "east-west"


class DoorKind(StrEnum):
    """What closes a passage.

    Attributes:
        ARCH: An open arch without leaves: it is never shut.
        WOODEN: A wooden leaf, the common door.
        IRON: An iron leaf, hard to break.
        STONE: A slab of stone on a pivot.
        PORTCULLIS: A grate that is raised and lowered.
        GATE: Two large leaves, for carts.
        SECRET: Looks like the wall around it; players see a wall until it is found.
        CURTAIN: Cloth on a rail.
        BARRED: A leaf of bars, or with a bar across it.
    """

    ARCH = "arch"
    WOODEN = "wooden"
    IRON = "iron"
    STONE = "stone"
    PORTCULLIS = "portcullis"
    GATE = "gate"
    SECRET = "secret"
    CURTAIN = "curtain"
    BARRED = "barred"


class DoorState(StrEnum):
    """How a door stands; an arch is always open.

    Attributes:
        OPEN: One walks, sees and shines through it.
        CLOSED: It stops sight and light; whoever stands before it can open it.
        LOCKED: Shut like a closed one, and only a game master unlocks it.
    """

    OPEN = "open"
    CLOSED = "closed"
    LOCKED = "locked"


class WallKind(StrEnum):
    """What a thin wall stops: a wall walking and sight, a window or fence walking alone, terrain neither.

    A low wall is climbed (difficult) and grants cover.

    Attributes:
        WALL: Nobody walks or sees through it.
        WINDOW: One sees through it and does not walk through it.
        FENCE: One sees past it and does not walk through it.
        LOW: One climbs it at double pace; it grants cover to who is behind it.
        OBJECT: The outline of something that stands by itself, in an imported map: nobody walks or sees
            through it, though it is seen itself.
    """

    WALL = "wall"
    WINDOW = "window"
    FENCE = "fence"
    LOW = "low"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class Wall:
    """A thin wall along a line.

    Attributes:
        points: Two corners or more, in cells.
        kind: What it stops.
    """

    points: tuple[Spot, ...]
    kind: WallKind = WallKind.WALL


@dataclass(frozen=True, slots=True)
class Door:
    """A door.

    Attributes:
        id: `door-1`, ...
        at: The cell it fills; or, with `edge`, the cell on whose edge it hangs.
        axis: Which way one walks through it.
        kind: What it is.
        state: How it stands when the map is new.
        edge: None when it fills its cell, else "n", "e", "s" or "w": the edge of the cell it hangs in.
        span: How many cells wide it is, from `at` to the east or south.
        note: For the game master.
        ends: Where an imported door ends that lies beside the grid; None where it ends with its cells. Play
            has it on the grid; lines and pictures have it there.
    """

    id: str
    at: Cell
    axis: Axis
    kind: DoorKind = DoorKind.WOODEN
    state: DoorState = DoorState.CLOSED
    edge: str | None = None
    span: int = 1
    note: str = ""
    ends: tuple[Spot, Spot] | None = None

    @property
    def secret(self) -> bool:
        """Whether players do not know of it."""
        return self.kind is DoorKind.SECRET

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells it fills, or on whose edge it hangs: across the way that leads through it."""
        x, y = self.at
        if self.axis is Axis.EAST_WEST:
            return tuple((x, y + step) for step in range(self.span))
        return tuple((x + step, y) for step in range(self.span))

    @property
    def middle(self) -> Spot:
        """Where it is."""
        if self.ends is None:
            return self._grid_middle
        (x0, y0), (x1, y1) = self.ends
        return (x0 + x1) / 2, (y0 + y1) / 2

    @property
    def length(self) -> float:
        """How long it is, in cells."""
        return float(self.span) if self.ends is None else math.dist(*self.ends)

    @property
    def _grid_middle(self) -> Spot:
        (x, y), half = self.at, self.span / 2
        match self.edge:
            case None if self.axis is Axis.EAST_WEST:
                return x + 0.5, y + half
            case None:
                return x + half, y + 0.5
            case "n" | "s":
                return x + half, float(y + (self.edge == "s"))
            case _:
                return float(x + (self.edge == "e")), y + half

    @property
    def bounds(self) -> tuple[Spot, Spot]:
        """Its two ends: the line that stops whoever walks along its axis."""
        return self.ends or self.grid_bounds

    @property
    def grid_bounds(self) -> tuple[Spot, Spot]:
        """The ends of its cells, or of their edges: where play has it."""
        (x, y), half = self._grid_middle, self.span / 2
        if self.axis is Axis.EAST_WEST:
            return (x, y - half), (x, y + half)
        return (x - half, y), (x + half, y)


class RoomRole(StrEnum):
    """What a room is for in the whole.

    Attributes:
        ENTRANCE: Where one comes in.
        GOAL: What it is all about lies here.
        GUARD: Who is here keeps others from the goal.
        TREASURE: Something worth carrying away lies here.
        SECRET: Only secret doors lead in.
        DEAD_END: A single way leads in.
        HUB: Many ways meet here.
        ORDINARY: None of these.
    """

    ENTRANCE = "entrance"
    GOAL = "goal"
    GUARD = "guard"
    TREASURE = "treasure"
    SECRET = "secret"
    DEAD_END = "dead-end"
    HUB = "hub"
    ORDINARY = "ordinary"


@dataclass(frozen=True, slots=True)
class Room:
    """A room, chamber, glade or house.

    Attributes:
        id: `room-1`, ...
        number: Its number on the keyed legend, from 1.
        x: Left column of the box around it.
        y: Top row.
        width: Columns of the box.
        height: Rows of the box.
        name: For people.
        role: What it is for; a secret room is shown to nobody but the game master.
        tags: Further words: `round`, `flooded`, `secret`, ...
        notes: What the game master reads, a sentence each.
        spans: The cells, as (row, first column, column after the last), where they do not fill the box.
    """

    id: str
    number: int
    x: int
    y: int
    width: int
    height: int
    name: str = ""
    role: RoomRole = RoomRole.ORDINARY
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, int], ...] = ()

    @property
    def secret(self) -> bool:
        """Whether it is hidden behind secret doors alone."""
        return self.role is RoomRole.SECRET

    @property
    def rows(self) -> tuple[tuple[int, int, int], ...]:
        """Its cells, as (row, first column, column after the last)."""
        return self.spans or tuple(
            (y, self.x, self.x + self.width) for y in range(self.y, self.y + self.height)
        )

    @property
    def area(self) -> int:
        """Its cells."""
        return sum(last - first for _, first, last in self.rows)

    @property
    def middle(self) -> Spot:
        """The middle of its box."""
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Passage:
    """A way between two rooms.

    Attributes:
        start: Id of a room.
        end: Id of the other.
        doors: Ids of the doors on the way.
        secret: Whether one of them is secret.
    """

    start: str
    end: str
    doors: tuple[str, ...] = ()
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Trap:
    """A trap; only the game master sees it.

    Attributes:
        id: `trap-1`, ...
        at: Its cell, or the top left one.
        width: Columns it covers.
        height: Rows it covers.
        kind: `pit`, `dart`, `blade`, `net`, `rune`, `gas`, `collapse`.
        note: How it is set off and found, in our words, no game's numbers.
    """

    id: str
    at: Cell
    kind: str
    width: int = 1
    height: int = 1
    note: str = ""


@dataclass(frozen=True, slots=True)
class Stairs:
    """Stairs, a ladder or a shaft to another level.

    Attributes:
        id: `stairs-1`, ...
        at: Its cell.
        up: Whether it leads up.
        facing: The side one steps off at: "n", "e", "s" or "w".
    """

    id: str
    at: Cell
    up: bool
    facing: str


ADDED, CARRIED = "added", "carried"
"""Kinds of lights that play brings: those put on the map, and those of tokens."""

PLAYED_LIGHTS = frozenset({ADDED, CARRIED})


@dataclass(frozen=True, slots=True)
class Light:
    """Something that shines.

    Attributes:
        id: `light-1`, ...
        at: Where.
        bright: Cells of bright light around it.
        dim: Cells of light at all; not less than `bright`.
        color: As "#rrggbb".
        kind: `torch`, `brazier`, `lantern`, `crystal`, `campfire`, `daylight`, ...
    """

    id: str
    at: Spot
    bright: float
    dim: float
    color: str = "#ffb35c"
    kind: str = "torch"


@dataclass(frozen=True, slots=True)
class Prop:
    """Something that stands there and is drawn: its obstacle is in the cells.

    Attributes:
        id: `prop-1`, ...
        kind: `table`, `barrel`, `crate`, `altar`, `statue`, `bed`, `cart`, `well`, `log`, `fire`, ...
        x: Left edge.
        y: Top edge.
        width: Columns, may be a fraction.
        height: Rows.
        turn: Degrees clockwise.
    """

    id: str
    kind: str
    x: float
    y: float
    width: float = 1.0
    height: float = 1.0
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Zone:
    """A named part of the map.

    Attributes:
        id: `start-heroes`, `start-foes`, `ambush`, ...
        kind: `start`, `approach`, `hazard`, `exit`, `ambush`.
        name: For people.
        spans: Its cells, as (row, first column, column after the last).
        side: Whose it is: `heroes`, `foes`, or nobody's.
        secret: Whether only the game master sees it.
    """

    id: str
    kind: str
    name: str
    spans: tuple[tuple[int, int, int], ...]
    side: str = ""
    secret: bool = False


@dataclass(frozen=True, slots=True)
class KeyNote:
    """A note at a spot.

    Attributes:
        id: `note-1`, ...
        at: Where.
        text: What it says.
        secret: Whether only the game master sees it.
    """

    id: str
    at: Spot
    text: str
    secret: bool = True


@dataclass(frozen=True, slots=True)
class GridMap:
    """A finished grid map.

    Attributes:
        kind: What it is a map of.
        generator_version: Of the generator that made it.
        seed: What everything was drawn from; 0 for an imported map.
        attempt: Which sub-seed passed the gates, from 0.
        title: Its name.
        theme: The look and the words: `crypt`, `mine`, `forest`, ...
        width: Columns.
        height: Rows.
        cells: One `Terrain` code a cell, row by row from the top left; `width * height` bytes.
        ambient: Light where nothing shines: `bright`, `dim` or `dark`.
        rooms: Rooms, by number.
        passages: The graph of the rooms.
        doors: Doors.
        walls: Thin walls besides the solid cells.
        traps: Traps.
        stairs: Stairs.
        lights: Lights.
        props: What stands there.
        zones: Named parts.
        notes: Notes at spots.
        heights: Elevation of each cell in steps of five feet, row by row, as signed bytes; empty when flat.
        entrance: The cell one comes in at.
        goal: The cell it is all about.
        feet: Feet along one side of a cell.
        extent: Columns and rows that the picture of an imported map covers, from the top left, where it ends
            inside the last cells; None where it covers all cells.
        baked_lighting: Whether the light of the lamps is painted into the picture already.
    """

    kind: GridKind
    generator_version: int
    seed: int
    attempt: int
    title: str
    theme: str
    width: int
    height: int
    cells: bytes
    ambient: str = "dark"
    rooms: tuple[Room, ...] = ()
    passages: tuple[Passage, ...] = ()
    doors: tuple[Door, ...] = ()
    walls: tuple[Wall, ...] = ()
    traps: tuple[Trap, ...] = ()
    stairs: tuple[Stairs, ...] = ()
    lights: tuple[Light, ...] = ()
    props: tuple[Prop, ...] = ()
    zones: tuple[Zone, ...] = ()
    notes: tuple[KeyNote, ...] = ()
    heights: bytes = b""
    entrance: Cell | None = None
    goal: Cell | None = None
    feet: int = 5
    extent: Spot | None = None
    baked_lighting: bool = False

    def terrain(self, x: int, y: int) -> Terrain:
        """What a cell is; solid rock beyond the edge."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return Terrain(self.cells[y * self.width + x])
        return Terrain.ROCK

    def elevation(self, x: int, y: int) -> int:
        """How high a cell lies, in steps of five feet."""
        if not self.heights:
            return 0
        height = self.heights[y * self.width + x]
        return height - 256 if height > 127 else height
