"""The state of play on a map: tokens, doors, drawings and the fog, beside a model that stays as it is.

Things lie in sections, each sorted by id, so that equal states have equal bytes. Ids are opaque: a number in
them would tell players how much there is that they do not see. Positions are in cells on a grid map, counted
from 0 at the top left, and in the map's own units on any other; they have at most three decimals.
"""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import pairwise
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from services.map.generation.grid.model import DoorState
from services.map.generation.kind import canonical_bytes
from services.map.play.shapes import AreaShape, DrawingShape
from services.rules.engine.codec import Codec

PARTY = "party"
"""The viewer whose fog is everyone's."""


class Layer(StrEnum):
    """Who sees a thing at all.

    Attributes:
        PLAYERS: All who see the map, as far as the fog allows.
        GM: Game masters alone.
    """

    PLAYERS = "players"
    GM = "gm"


class FogMode(StrEnum):
    """What players see of a map.

    Open is the whole map as players may know it, fogged only what they explored, hidden nothing at all until
    the game master chooses another mode.

    Attributes:
        OPEN: The whole map as players may know it.
        FOGGED: What they have explored; for maps with cells.
        HIDDEN: Nothing at all, not even that there is such a map.
    """

    OPEN = "open"
    FOGGED = "fogged"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a map goes.

    Attributes:
        width: Columns of a grid map; else units.
        height: Rows of a grid map; else units.
        cells: Whether it is a grid map.
        x: The first column: 0 but for a part of a map under fog; positions are those of the whole map.
        y: The first row, likewise.

    Raises:
        ValueError: A grid map whose columns or rows are not whole.
    """

    width: float
    height: float
    cells: bool
    x: float = 0.0
    y: float = 0.0

    def __post_init__(self) -> None:
        # Equal extents are to have equal bytes, also when a grid map's whole numbers were given.
        for name in ("width", "height", "x", "y"):
            object.__setattr__(self, name, float(getattr(self, name)))
        if self.cells and not all(one.is_integer() for one in (self.width, self.height, self.x, self.y)):
            raise ValueError("a grid map has whole columns and rows")

    @property
    def left(self) -> int:
        """Its first column; 0 without cells."""
        return int(self.x) if self.cells else 0

    @property
    def top(self) -> int:
        """Its first row; 0 without cells."""
        return int(self.y) if self.cells else 0

    @property
    def columns(self) -> int:
        """Cells in a row; 0 without cells."""
        return int(self.width) if self.cells else 0

    @property
    def rows(self) -> int:
        """Cells in a column; 0 without cells."""
        return int(self.height) if self.cells else 0


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot on a map.

    Attributes:
        x: From the left edge, in cells or the map's units.
        y: From the top edge.
    """

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Sight:
    """How far somebody sees.

    Attributes:
        range: Cells seen where there is light, 0 to 400.
        dark: Cells seen in the dark, 0 to 400.
    """

    range: int = 60
    dark: int = 0


@dataclass(frozen=True, slots=True)
class CarriedLight:
    """Light that somebody carries.

    Attributes:
        bright: Cells of bright light, 0 to 400.
        dim: Cells of light at all, not less than `bright`.
        color: As "#rrggbb".
    """

    bright: float
    dim: float
    color: str = "#ffb35c"


@dataclass(frozen=True, slots=True)
class Token:
    """A figure on the map.

    Attributes:
        id: Its id.
        name: What it is called.
        at: Its top left cell on a grid map; its middle on any other.
        size: Cells along one side.
        color: As "#rrggbb".
        label: A few letters drawn on it.
        character: Id of the character it stands for.
        owners: Ids of the accounts of players who may move it, and see what it sees.
        layer: Who sees it at all.
        sight: What it sees; nothing without.
        light: Light it carries.
        conditions: Words for what it suffers.
        scene: Id of the scene that put it there, and that moves it while it leads the map; none for one that
            people put.
        creature: Content id of the creature of a game that it stands for; empty for none.
        actor: Id of the actor in the scene; empty without a scene.
        side: Whose side it is on there: the game's own word.
        on_turn: Whether it is its turn there.
    """

    id: str
    name: str
    at: Spot
    size: int = 1
    color: str = "#7a1f1f"
    label: str = ""
    character: str | None = None
    owners: tuple[str, ...] = ()
    layer: Layer = Layer.PLAYERS
    sight: Sight | None = None
    light: CarriedLight | None = None
    conditions: tuple[str, ...] = ()
    scene: str | None = None
    creature: str = ""
    actor: str = ""
    side: str = ""
    on_turn: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    """A pin on the map.

    Attributes:
        id: Its id.
        at: Where.
        sort: A word for what it marks, which a client has a picture for.
        label: A few words beside it.
        color: As "#rrggbb".
        layer: Who sees it at all.
        author: Id of the account that put it.
    """

    id: str
    at: Spot
    sort: str
    label: str
    color: str
    layer: Layer
    author: str


@dataclass(frozen=True, slots=True)
class Note:
    """A note at a spot.

    Attributes:
        id: Its id.
        at: Where.
        title: What it is about.
        text: What it says.
        layer: Who sees it at all.
    """

    id: str
    at: Spot
    title: str
    text: str
    layer: Layer


@dataclass(frozen=True, slots=True)
class DoorPlay:
    """What play has made of a door of the map.

    Attributes:
        id: Id of the door in the map.
        state: How it stands; as on the new map without.
        found: Whether this secret door was found.
    """

    id: str
    state: DoorState | None = None
    found: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """Something drawn by hand.

    Attributes:
        id: Its id.
        shape: How its points are meant.
        points: Its points.
        color: Of its line or text, as "#rrggbb".
        width: Width of its line, or height of its text, in cells or units.
        fill: Of its inside, as "#rrggbb"; empty for none.
        text: What a text says.
        layer: Who sees it at all.
        author: Id of the account that drew it.
        order: Those of a higher order lie above those of a lower one.
    """

    id: str
    shape: DrawingShape
    points: tuple[Spot, ...]
    color: str
    width: float
    fill: str
    text: str
    layer: Layer
    author: str
    order: int


@dataclass(frozen=True, slots=True)
class AddedPlace:
    """A place that play has added to the map.

    Attributes:
        id: Its id.
        name: What it is called.
        sort: A word for what it is: `village`, `cave`.
        at: Where.
        details: What there is to say of it.
        known: Whether players know of it.
    """

    id: str
    name: str
    sort: str
    at: Spot
    details: str
    known: bool


@dataclass(frozen=True, slots=True)
class LightSource:
    """A light that play has added; on the game master's layer it does not shine.

    Attributes:
        id: Its id.
        at: Where.
        bright: Cells of bright light around it.
        dim: Cells of light at all.
        color: As "#rrggbb".
        layer: Who sees it at all.
        scene: Id of the scene that put it there while it leads the map; none for one that people put.
    """

    id: str
    at: Spot
    bright: float
    dim: float
    color: str
    layer: Layer
    scene: str | None = None


@dataclass(frozen=True, slots=True)
class AreaTemplate:
    """An area laid on the map: a blast, a breath, a wall of fire.

    Attributes:
        id: Its id.
        shape: Its shape.
        at: Where it comes from: the middle of a circle.
        length: Its radius or length, in cells or units.
        toward: A spot it points at; a circle has none.
        degrees: How wide an arc is, 90 or 180.
        width: How wide a line is.
        color: As "#rrggbb".
        label: A few words on it.
        layer: Who sees it at all.
        author: Id of the account that laid it.
    """

    id: str
    shape: AreaShape
    at: Spot
    length: float
    toward: Spot | None
    degrees: int
    width: float
    color: str
    label: str
    layer: Layer
    author: str


@dataclass(frozen=True, slots=True)
class Fog:
    """How the fog lies over a grid map.

    Attributes:
        mode: What players see of the map.
        shared: Whether what one explores is explored for all.
    """

    mode: FogMode = FogMode.OPEN
    shared: bool = True


@dataclass(frozen=True, slots=True)
class Explored:
    """The cells that a viewer has explored.

    While the party shares its fog, there is that of the party alone. Else who has none of their own yet has
    that of the party.

    Attributes:
        id: Id of the viewer's account, or `party`.
        cells: A bit a cell, row by row from the top left, the first in the highest bit of a byte; as base64.
    """

    id: str
    cells: str


@dataclass(frozen=True, slots=True)
class MapState:
    """All that lies on a map at the table; every section is sorted by id.

    Attributes:
        extent: How far the map goes.
        fog: How the fog lies.
        explored: Cells explored, by viewer.
        tokens: Figures.
        markers: Pins.
        notes: Notes.
        doors: Doors that play has touched.
        drawings: Drawings.
        places: Places added.
        lights: Lights added.
        areas: Areas laid.

    Raises:
        ValueError: Fog without cells, a bitmap of another size than the map, or a section out of order.
    """

    extent: Extent
    fog: Fog = Fog()
    explored: tuple[Explored, ...] = ()
    tokens: tuple[Token, ...] = ()
    markers: tuple[Marker, ...] = ()
    notes: tuple[Note, ...] = ()
    doors: tuple[DoorPlay, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    places: tuple[AddedPlace, ...] = ()
    lights: tuple[LightSource, ...] = ()
    areas: tuple[AreaTemplate, ...] = ()

    def __post_init__(self) -> None:
        if self.fog.mode is FogMode.FOGGED and not self.extent.cells:
            raise ValueError("only a map with cells has fog")
        letters = bitmap_letters(self.extent.columns, self.extent.rows)
        if any(len(one.cells) != letters for one in self.explored):
            raise ValueError(f"explored cells are {letters} letters of base64")
        for section in SECTIONS:
            # Looking things up by halves relies on this.
            if any(one.id >= other.id for one, other in pairwise(getattr(self, section))):
                raise ValueError(f"{section}: ids are not in order, or not distinct")


def bitmap_letters(columns: int, rows: int) -> int:
    """Letters of base64 that hold one bit for each cell."""
    octets = (columns * rows + 7) // 8
    return (octets + 2) // 3 * 4


Entity = Explored | Token | Marker | Note | DoorPlay | Drawing | AddedPlace | LightSource | AreaTemplate
"""A thing in a section."""

SECTIONS: Mapping[str, type[Entity]] = MappingProxyType(
    {
        "explored": Explored,
        "tokens": Token,
        "markers": Marker,
        "notes": Note,
        "doors": DoorPlay,
        "drawings": Drawing,
        "places": AddedPlace,
        "lights": LightSource,
        "areas": AreaTemplate,
    }
)
"""The sections of a state, and what lies in them."""

_ID_DIGITS = 26

STATE_CODEC = Codec(MapState, "hearthforge/map-state")


def begin(width: float, height: float, cells: bool) -> MapState:
    """The state of a map that nobody has played on yet: open, nothing on it, nothing explored."""
    extent = Extent(width, height, cells)
    unexplored = b64encode(bytes((extent.columns * extent.rows + 7) // 8)).decode()
    return MapState(extent, explored=(Explored(PARTY, unexplored),) if cells else ())


def to_bytes(state: MapState) -> bytes:
    """The state as JSON without white space: the same bytes for equal states, in every process."""
    # The dataclasses are written as they are, in the same form as the codec's: this is quicker.
    return canonical_bytes({"type": STATE_CODEC.name, "version": STATE_CODEC.version, "data": state})


def scene_thing_id(scene: str, name: str) -> str:
    """Name what a scene puts on a map: nobody can tell from it how much there is.

    Args:
        scene: Id of the scene.
        name: What it is there.
    """
    return f"thg_{sha256(f'{scene} {name}'.encode()).hexdigest()[:_ID_DIGITS]}"


def find(state: MapState, section: str, id: str) -> Entity | None:
    """The thing with this id in a section."""
    things: tuple[Entity, ...] = getattr(state, section)
    place = _place(things, id)
    return things[place] if place < len(things) and things[place].id == id else None


def with_thing(state: MapState, section: str, thing: Entity) -> MapState:
    """The state with a thing in a section, in the place of one with the same id."""
    things: tuple[Entity, ...] = getattr(state, section)
    place = _place(things, thing.id)
    after = place + (place < len(things) and things[place].id == thing.id)
    return _replaced(state, section, (*things[:place], thing, *things[after:]))


def without_thing(state: MapState, section: str, id: str) -> MapState:
    """The state without the thing of this id in a section."""
    things: tuple[Entity, ...] = getattr(state, section)
    place = _place(things, id)
    if place == len(things) or things[place].id != id:
        return state
    return _replaced(state, section, (*things[:place], *things[place + 1 :]))


def _place(things: tuple[Entity, ...], id: str) -> int:
    return bisect_left(things, id, key=attrgetter("id"))


def _replaced(state: MapState, section: str, things: tuple[Entity, ...]) -> MapState:
    changed: dict[str, Any] = {section: things}
    return replace(state, **changed)
