"""A place on a stored map, as a scene may be set there: the ground of the rules, no game's words.

The map service returns it as a document; a game that can be played on such ones has `laid_out`. Games with
maps of their own kind have documents of their own kind.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from services.rules.engine.codec import Codec, CodecError, Json, decode, encode
from services.rules.engine.ground.explored import Explored
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import WALL, WALLED, Ambient, Barrier, Door, DoorState, Lamp
from services.rules.engine.ground.measure import Measure
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Edge, Square
from services.rules.engine.ground.steps import fits
from services.rules.engine.problem import Problems

SetupT = TypeVar("SetupT")
SiteT = TypeVar("SiteT")

GRID_KINDS = ("dungeon", "cave", "battle", "imported")
"""The kinds of stored maps in cells: all that a game which is played on squares can be set on."""

ROUGH = ","
"""The sign of difficult ground among the usual terrains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteDoor:
    """What is told of a door; where it is and how it stands is in the ground's own door.

    Attributes:
        id: Its id on the map, and on the ground.
        name: For people: `an iron door`.
        secret: Whether only the game master knows of it.
    """

    id: str
    name: str
    secret: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteToken:
    """A figure that stands on the map.

    Attributes:
        id: Its id on the map.
        name: What it is called.
        at: Where it stands.
        character: Id of the character it stands for; empty for none.
        hidden: Whether only the game master knows of it.
        lamp: What it carries that shines, at its middle as it stands; the ground's lamps are without it.
        creature: Content id of the creature it stands for; empty for none.
        side: Whose side it is on, where it takes part in a scene: the game's own word.
        on_turn: Whether it is its turn there.
        conditions: Words for what it suffers.
    """

    id: str
    name: str
    at: Footprint
    character: str = ""
    hidden: bool = False
    lamp: Lamp | None = None
    creature: str = ""
    side: str = ""
    on_turn: bool = False
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A map as a scene begins on it.

    Attributes:
        title: Its name.
        ground: The ground, the doors on it as they stand, lit by what stands fast; its measure is the map's
            own, in feet.
        doors: What is told of the doors, arches left out.
        tokens: Figures that stand on it.
        heroes: Squares where the heroes start, the best first; empty when the map says nothing.
        foes: Squares where those against them start.
        fog: Whether players know of the map only what was explored; a game cuts its scenes by it.
        explored: The cells that they know already, under fog: a set of `ground.fog`, as text.
        shared: Whether what one of them sees is seen by all.
        explored_by: The cells that a character's player knows beside that, by the character's id, where sight
            is not shared.

    Raises:
        ValueError: Nothing is told of a door that stops something.
    """

    title: str
    ground: Ground
    doors: tuple[SiteDoor, ...] = ()
    tokens: tuple[SiteToken, ...] = ()
    heroes: tuple[Square, ...] = ()
    foes: tuple[Square, ...] = ()
    fog: bool = True
    explored: str = ""
    shared: bool = True
    explored_by: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        untold = {door.id for door in self.ground.doors if door.shut.flags} - {door.id for door in self.doors}
        if untold:
            raise ValueError(f"nothing is told of the door {min(untold)!r}")

    @property
    def characters(self) -> tuple[str, ...]:
        """Ids of the characters whose tokens stand on it, each once."""
        return tuple(dict.fromkeys(token.character for token in self.tokens if token.character))

    def with_cast(self, characters: Collection[str]) -> Site:
        """The map without the tokens of characters that are not among these."""
        kept = (token for token in self.tokens if not token.character or token.character in characters)
        return replace(self, tokens=tuple(kept))

    @property
    def standing(self) -> tuple[SiteToken, ...]:
        """The tokens of characters and creatures that stand where they fit, no two in one square."""
        ground, taken, found = self.walled_up(), set[Square](), list[SiteToken]()
        for token in self.tokens:
            squares = set(token.at.squares())
            if (token.character or token.creature) and fits(ground, token.at) and taken.isdisjoint(squares):
                taken |= squares
                found.append(token)
        return tuple(found)

    @property
    def known(self) -> Explored:
        """What the players know already, under fog."""
        return Explored(cells=self.explored, shared=self.shared, own=self.explored_by)

    def walled_up(self) -> Ground:
        """The ground while its secret doors are not found: walls in place of those that are not open."""
        secret = {door.id for door in self.doors if door.secret}
        shut = [one for one in self.ground.doors if one.id in secret and one.state is not DoorState.OPEN]
        cells = list(self.ground.cells)
        for door in shut:
            for square in door.squares:
                cells[square.y * self.ground.width + square.x] = _wall_around(self.ground, square)
        terrains = self.ground.terrains
        ground = replace(
            self.ground,
            cells="".join(cells),
            terrains=terrains if WALLED in terrains else (*terrains, WALLED),
            doors=tuple(door for door in self.ground.doors if door not in shut),
        )
        for door in shut:
            for edge in door.edges:
                ground = ground.with_barrier(edge, _barrier_in_line(ground, edge))
        return ground

    @property
    def solid(self) -> tuple[Square, ...]:
        """Squares that cannot be entered while every door is open, row by row."""
        doorways = {square for door in self.ground.doors for square in door.squares}
        shut = {terrain.sign for terrain in self.ground.terrains if not terrain.cost}
        width = self.ground.width
        squares = (
            Square(at % width, at // width) for at, sign in enumerate(self.ground.cells) if sign in shut
        )
        return tuple(square for square in squares if square not in doorways)


def _wall_around(ground: Ground, square: Square) -> str:
    """The sign of the wall that a secret door is part of: that of a wall cell which touches it."""
    walls = {kind.sign for kind in ground.terrains if kind.opaque and not kind.cost}
    near = (Square(square.x + x, square.y + y) for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    signs = (ground.cells[one.y * ground.width + one.x] for one in near if ground.holds(one))
    return next((sign for sign in signs if sign in walls), WALLED.sign)


def _barrier_in_line(ground: Ground, edge: Edge) -> Barrier:
    """The barrier of the thin wall that a secret door hangs in: that of the next edge in its line."""
    one, other = edge
    signs = ground.east if one.y == other.y else ground.south
    dx, dy = (0, 1) if one.y == other.y else (1, 0)
    walls = {kind.sign: kind for kind in ground.barriers if kind.walls and kind.opaque}
    near = (Square(one.x + step * dx, one.y + step * dy) for step in (-1, 1, -2, 2))
    found = (signs[at.y * ground.width + at.x] for at in near if signs and ground.holds(at))
    return next((walls[sign] for sign in found if sign in walls), WALL)


def plain_ground(
    width: int,
    height: int,
    solid: tuple[Square, ...] = (),
    difficult: tuple[Square, ...] = (),
    **more: Any,
) -> Ground:
    """A ground of floor, walls and difficult squares.

    Args:
        width: Columns.
        height: Rows.
        solid: Squares that are wall; those beyond the ground are left out.
        difficult: Squares that cost two.
        more: What else it has, by the names of the attributes of `Ground`.
    """
    cells = bytearray(b"." * (width * height))
    for squares, sign in ((difficult, ROUGH), (solid, WALLED.sign)):
        for square in squares:
            if 0 <= square.x < width and 0 <= square.y < height:
                cells[square.y * width + square.x] = ord(sign)
    return Ground(width, height, cells.decode(), **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FirstDoor:
    id: str
    name: str
    squares: tuple[Square, ...]
    open: bool
    locked: bool
    secret: bool

    @property
    def door(self) -> Door:
        state = DoorState.OPEN if self.open else DoorState.LOCKED if self.locked else DoorState.CLOSED
        return Door(self.id, self.squares, state=state)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FirstSite:
    """A site of version 1: solid and difficult squares, doors that fill squares, light all around."""

    title: str
    width: int
    height: int
    solid: tuple[Square, ...] = ()
    difficult: tuple[Square, ...] = ()
    doors: tuple[_FirstDoor, ...] = ()
    light: Ambient = Ambient.BRIGHT
    heroes: tuple[Square, ...] = ()
    foes: tuple[Square, ...] = ()


def _from_first(data: dict[str, Json]) -> dict[str, Json]:
    """The JSON form of version 2 from that of version 1, as it stood on maps of five feet a cell."""
    first: _FirstSite = decode(_FirstSite, data, ("data",))
    try:
        return cast(dict[str, Json], encode(Site, _site_of(first)))
    except ValueError as error:
        raise CodecError(("data",), data, str(error)) from error


def _site_of(first: _FirstSite) -> Site:
    ground = plain_ground(
        first.width,
        first.height,
        first.solid,
        first.difficult,
        doors=tuple(door.door for door in first.doors),
        ambient=first.light,
        measure=Measure(5, "foot"),
    )
    return Site(
        title=first.title,
        ground=ground,
        doors=tuple(SiteDoor(id=door.id, name=door.name, secret=door.secret) for door in first.doors),
        heroes=first.heroes,
        foes=first.foes,
    )


SITE_CODEC: Codec[Site] = Codec(Site, "engine/site", 2, {1: _from_first})


@runtime_checkable
class PlayedOnSites(Protocol[SetupT, SiteT]):
    """Play whose scenes can be set on a stored map."""

    @property
    def site_codec(self) -> Codec[SiteT]:
        """Which maps: those given as such a document; `SITE_CODEC` for squares of a grid."""

    @property
    def map_kinds(self) -> tuple[str, ...]:
        """The kinds of stored maps that it can be set on, by slug; `GRID_KINDS` for squares of a grid."""

    def laid_out(self, setup: SetupT, site: SiteT) -> SetupT | Problems:
        """The setup with the map as its place; or why the game cannot be played there."""


@runtime_checkable
class LeadsMaps(Protocol):
    """Play that changes a map of its own kind: while a scene runs, map and scene are one.

    Scenes on squares lead their maps without it: see `services.rules.engine.map_now`.
    """

    def on_map(self, state: Any) -> Any | None:
        """The map as it is now, with what stands on it; None when it was not set on a stored map."""
