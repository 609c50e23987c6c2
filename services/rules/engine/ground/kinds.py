"""The kinds of things a ground is made of: terrains, barriers, doors, lamps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from services.rules.engine.ground.squares import Edge, Square

MOST_COVER = 3
"""Quarters that what can be seen through covers at most."""


def _check_sign(sign: str) -> None:
    if len(sign) != 1:
        raise ValueError(f"a sign is one sign, not {sign!r}")


@dataclass(frozen=True, slots=True)
class Terrain:
    """What a cell is.

    Attributes:
        sign: One sign that stands for it.
        cost: Squares that entering it costs: 1 open, 2 difficult, 0 when it is not entered.
        opaque: Whether it stops sight.
        tall: Steps of height above the floor up to which it stops sight; None for as high as anybody looks.
        cover: Quarters of what is in or behind it that it covers, 0 to 3.

    Raises:
        ValueError: The sign is not one sign, or a figure is out of its range.
    """

    sign: str
    cost: int = 1
    opaque: bool = False
    tall: int | None = None
    cover: int = 0

    def __post_init__(self) -> None:
        _check_sign(self.sign)
        if not 0 <= self.cost <= 9 or not 0 <= self.cover <= MOST_COVER:
            raise ValueError(f"a terrain costs 0 to 9 and covers 0 to {MOST_COVER} quarters")


@dataclass(frozen=True, slots=True)
class Barrier:
    """What an edge between two cells is.

    Attributes:
        sign: One sign that stands for it.
        walls: Whether it stops who walks.
        opaque: Whether it stops sight.
        rough: Whether crossing it costs one square more.
        cover: Quarters of what is behind it that it covers, 0 to 3.

    Raises:
        ValueError: The sign is not one sign, or the cover is out of its range.
    """

    sign: str
    walls: bool = False
    opaque: bool = False
    rough: bool = False
    cover: int = 0

    def __post_init__(self) -> None:
        _check_sign(self.sign)
        if not 0 <= self.cover <= MOST_COVER:
            raise ValueError(f"a barrier covers 0 to {MOST_COVER} quarters")

    @property
    def flags(self) -> int:
        """The same as one number: `IMPASSABLE`, `OPAQUE` and `DIFFICULT`, and the quarters in `COVER`."""
        return (
            self.walls * IMPASSABLE + self.opaque * OPAQUE + self.rough * DIFFICULT + (self.cover << COVER_AT)
        )


IMPASSABLE = 1
"""The flag of an edge that is not walked through."""
OPAQUE = 2
"""The flag of an edge that is not seen through."""
DIFFICULT = 4
"""The flag of an edge that costs one square more."""
COVER_AT = 3
"""Where the quarters of cover begin in the flags of an edge."""
COVER = MOST_COVER << COVER_AT
"""The flags of an edge that grants cover."""


def barrier_of(sign: str, flags: int) -> Barrier:
    """The barrier with some flags."""
    return Barrier(
        sign,
        bool(flags & IMPASSABLE),
        bool(flags & OPAQUE),
        bool(flags & DIFFICULT),
        (flags & COVER) >> COVER_AT,
    )


FLOOR = Terrain(".")
WALLED = Terrain("#", cost=0, opaque=True)
TERRAINS = (
    FLOOR,
    WALLED,
    Terrain("~", cost=0),
    Terrain(",", cost=2),
    Terrain("b", cost=2, cover=1),
    Terrain("n", cost=2, opaque=True, tall=1, cover=2),
)
"""Floor, wall, deep water, rough ground, undergrowth, and an obstacle that is looked over."""

NOTHING = Barrier(".")
WALL = Barrier("|", walls=True, opaque=True)
WINDOW = Barrier("w", walls=True, cover=2)
FENCE = Barrier("f", walls=True, cover=1)
LOW_WALL = Barrier("l", rough=True, cover=1)
PORTCULLIS = Barrier("p", walls=True, cover=2)
CURTAIN = Barrier("c", opaque=True)
BARRIERS = (NOTHING, WALL, WINDOW, FENCE, LOW_WALL, PORTCULLIS, CURTAIN)
"""The usual barriers: none, a wall, a window, a fence, a low wall, a portcullis, a curtain."""


class DoorState(StrEnum):
    """How a door stands.

    Attributes:
        OPEN: In nobody's way.
        CLOSED: In the way, and hides what is behind; opens at a touch.
        LOCKED: Closed, and takes a key, skill or force.
    """

    OPEN = "open"
    CLOSED = "closed"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class Door:
    """A door: it fills squares, or hangs on edges, and stops nothing while it is open.

    Attributes:
        id: Its id.
        squares: The squares it fills.
        edges: The edges it hangs on, each as `squares.edge` returns it.
        shut: What it stops while it is shut; a locked one stops what a closed one does.
        state: How it stands.
    """

    id: str
    squares: tuple[Square, ...] = ()
    edges: tuple[Edge, ...] = ()
    shut: Barrier = WALL
    state: DoorState = DoorState.CLOSED

    @property
    def flags(self) -> int:
        """What it stops as it stands."""
        return 0 if self.state is DoorState.OPEN else self.shut.flags


class Level(IntEnum):
    """How bright it is (DungeonTeller, Hazards: dim light and darkness take dice from who needs to see)."""

    DARK = 0
    DIM = 1
    BRIGHT = 2


class Ambient(StrEnum):
    """Light where nothing shines.

    Attributes:
        DARK: Nothing can be seen without a light of one's own.
        DIM: Seen, but not well.
        BRIGHT: As by day.
    """

    DARK = "dark"
    DIM = "dim"
    BRIGHT = "bright"

    @property
    def level(self) -> Level:
        """How bright that is."""
        return Level[self.name]


@dataclass(frozen=True, slots=True)
class Lamp:
    """A source of light.

    Attributes:
        id: Its id.
        at: The square it shines from.
        bright: Squares of bright light around it.
        dim: Squares of light at all.
    """

    id: str
    at: Square
    bright: int
    dim: int
