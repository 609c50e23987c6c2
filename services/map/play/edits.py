"""What somebody may want to change on a map at the table.

An edit that puts a thing gives it a new id when it names none, and else takes the place of the thing with
that id. What a thing is, in a word, is its `sort`.
"""

from __future__ import annotations

from dataclasses import dataclass

from services.map.generation.grid.model import DoorState
from services.map.play.shapes import AreaShape, DrawingShape
from services.map.play.state import (
    PARTY,
    CarriedLight,
    FogMode,
    Layer,
    Sight,
    Spot,
)
from services.rules.engine.ground.squares import Square

MAX_POINTS = 5_000
"""Points in all drawings of one account together."""

MAX_SPANS = 2_000
"""Rows of cells in one area."""


@dataclass(frozen=True, slots=True)
class PutToken:
    """Puts a figure on the map, or changes one; for the game master.

    Attributes:
        name: What it is called, 1 to 80 characters.
        at: Its top left cell, in whole numbers, on a grid map; its middle on any other.
        id: Id of the token to change; none for a new one.
        size: Cells along one side, 1 to 10.
        color: As "#rrggbb".
        label: Up to 8 characters drawn on it.
        character: Id of the character it stands for.
        owners: Ids of the accounts of players who may move it and see what it sees, up to 20.
        layer: Whether players see it at all.
        sight: What it sees; nothing without.
        light: Light it carries.
        conditions: Words for what it suffers, up to 20 of 40 characters.
        creature: Content id of the creature of a game that it stands for, up to 120 characters: a scene that
            is set on the map has it as a foe there.
    """

    name: str
    at: Spot
    id: str = ""
    size: int = 1
    color: str = "#7a1f1f"
    label: str = ""
    character: str | None = None
    owners: tuple[str, ...] = ()
    layer: Layer = Layer.PLAYERS
    sight: Sight | None = None
    light: CarriedLight | None = None
    conditions: tuple[str, ...] = ()
    creature: str = ""


@dataclass(frozen=True, slots=True)
class MoveToken:
    """Moves a token: a player one of their own along a way it can walk, the game master any anywhere.

    Attributes:
        id: Id of the token.
        to: Where to; its new top left cell on a grid map.
        way: The cells it walks through, its last one `to`; without, a player's token takes a shortest way.
            Up to 500 cells.
    """

    id: str
    to: Spot
    way: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class RemoveToken:
    """Takes a token off the map; for the game master.

    Attributes:
        id: Id of the token.
    """

    id: str


@dataclass(frozen=True, slots=True)
class PutMarker:
    """Puts a pin on the map, or changes one; players only their own.

    Attributes:
        at: Where.
        id: Id of the marker to change; none for a new one.
        sort: A word for what it marks, 1 to 40 characters.
        label: Up to 80 characters beside it.
        color: As "#rrggbb".
        layer: Whether players see it at all.
    """

    at: Spot
    id: str = ""
    sort: str = "pin"
    label: str = ""
    color: str = "#b3261e"
    layer: Layer = Layer.PLAYERS


@dataclass(frozen=True, slots=True)
class RemoveMarker:
    """Takes a pin off the map; players only their own.

    Attributes:
        id: Id of the marker.
    """

    id: str


@dataclass(frozen=True, slots=True)
class PutNote:
    """Puts a note at a spot, or changes one; for the game master.

    Attributes:
        at: Where.
        title: What it is about, 1 to 120 characters.
        text: What it says, up to 2,000 characters.
        id: Id of the note to change; none for a new one.
        layer: Whether players see it at all.
    """

    at: Spot
    title: str
    text: str = ""
    id: str = ""
    layer: Layer = Layer.GM


@dataclass(frozen=True, slots=True)
class RemoveNote:
    """Takes a note off the map; for the game master.

    Attributes:
        id: Id of the note.
    """

    id: str


@dataclass(frozen=True, slots=True)
class SetDoor:
    """Opens, closes or locks a door; players open and close one that a token of theirs stands before.

    A secret door that is opened is found.

    Attributes:
        id: Id of the door in the map.
        state: How it is to stand; an arch is always open.
    """

    id: str
    state: DoorState


@dataclass(frozen=True, slots=True)
class FindDoor:
    """Shows players a secret door, or hides it again; for the game master.

    Attributes:
        id: Id of the door in the map.
        found: Whether players know of it; an open door cannot be hidden.
    """

    id: str
    found: bool = True


@dataclass(frozen=True, slots=True)
class Draw:
    """Draws something, or draws it anew; players only their own.

    Attributes:
        shape: How the points are meant.
        points: Its points: 2 of a line; 2 corners of the box of a rectangle or an ellipse; 2 or more of a
            polyline or a freehand stroke; 3 or more of a polygon; 1 of a text, where it begins.
        id: Id of the drawing to change; none for a new one.
        color: As "#rrggbb".
        width: Width of the line, or height of the text, in cells or units, 0.01 to 20.
        fill: Of its inside, as "#rrggbb"; empty for none.
        text: What a text says, 1 to 200 characters; for a text only.
        layer: Whether players see it at all.
    """

    shape: DrawingShape
    points: tuple[Spot, ...]
    id: str = ""
    color: str = "#1f1f1f"
    width: float = 0.1
    fill: str = ""
    text: str = ""
    layer: Layer = Layer.PLAYERS


@dataclass(frozen=True, slots=True)
class Erase:
    """Takes a drawing off the map; players only their own.

    Attributes:
        id: Id of the drawing.
    """

    id: str


@dataclass(frozen=True, slots=True)
class PutPlace:
    """Adds a place to the map, or changes one that was added; for the game master.

    Attributes:
        name: What it is called, 1 to 80 characters.
        at: Where.
        id: Id of the place to change; none for a new one.
        sort: A word for what it is, 1 to 40 characters.
        details: What there is to say of it, up to 2,000 characters.
        known: Whether players know of it.
    """

    name: str
    at: Spot
    id: str = ""
    sort: str = "place"
    details: str = ""
    known: bool = False


@dataclass(frozen=True, slots=True)
class RemovePlace:
    """Takes an added place off the map; for the game master.

    Attributes:
        id: Id of the place.
    """

    id: str


@dataclass(frozen=True, slots=True)
class PutLight:
    """Adds a light to the map, or changes one that was added; for the game master.

    Attributes:
        at: Where.
        bright: Cells of bright light around it, 0 to 400.
        dim: Cells of light at all, not less than `bright`, up to 400.
        id: Id of the light to change; none for a new one.
        color: As "#rrggbb".
        layer: Whether players see it at all; on the game master's layer it does not shine.
    """

    at: Spot
    bright: float
    dim: float
    id: str = ""
    color: str = "#ffb35c"
    layer: Layer = Layer.PLAYERS


@dataclass(frozen=True, slots=True)
class RemoveLight:
    """Takes an added light off the map; for the game master.

    Attributes:
        id: Id of the light.
    """

    id: str


@dataclass(frozen=True, slots=True)
class PutArea:
    """Lays an area on the map, or changes one; players only their own.

    Attributes:
        shape: Its shape.
        at: Where it comes from: the middle of a circle.
        length: Its radius or length in cells or units, above 0, up to 400.
        id: Id of the area to change; none for a new one.
        toward: A spot it points at, another than `at`; needed by all but a circle, which has none.
        degrees: How wide an arc is: 90 or 180.
        width: How wide a line is, above 0, up to 400.
        color: As "#rrggbb".
        label: Up to 80 characters on it.
        layer: Whether players see it at all.
    """

    shape: AreaShape
    at: Spot
    length: float
    id: str = ""
    toward: Spot | None = None
    degrees: int = 90
    width: float = 1.0
    color: str = "#c2571a"
    label: str = ""
    layer: Layer = Layer.PLAYERS


@dataclass(frozen=True, slots=True)
class RemoveArea:
    """Takes an area off the map; players only their own.

    Attributes:
        id: Id of the area.
    """

    id: str


@dataclass(frozen=True, slots=True)
class CellRectangle:
    """A box of cells.

    Attributes:
        x: Left column.
        y: Top row.
        width: Columns, 1 or more.
        height: Rows, 1 or more.
    """

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class CellSpan:
    """Cells side by side in a row.

    Attributes:
        row: The row.
        first: First column.
        after: Column after the last.
    """

    row: int
    first: int
    after: int


@dataclass(frozen=True, slots=True)
class CellArea:
    """Cells of a grid map: those of the box, the polygon and the spans together; at least one must be given.

    Attributes:
        rectangle: A box of cells.
        polygon: 3 to 500 corners, in cells; a cell is inside when its middle is.
        spans: Up to 2,000 rows of cells.
    """

    rectangle: CellRectangle | None = None
    polygon: tuple[Spot, ...] = ()
    spans: tuple[CellSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class SetFog:
    """Says how the fog lies over a grid map; for the game master.

    When the party begins to share its fog, all know what any one of them explored; when it stops, each goes
    on alone from what all knew.

    Attributes:
        mode: What players see of the map; a map without cells is open or hidden.
        shared: Whether what one explores is explored for all.
    """

    mode: FogMode
    shared: bool = True


@dataclass(frozen=True, slots=True)
class Reveal:
    """Lifts the fog from cells; for the game master.

    Attributes:
        area: The cells.
        viewer: Id of the account for whom, where each explores alone; `party` for all.
    """

    area: CellArea
    viewer: str = PARTY


@dataclass(frozen=True, slots=True)
class Conceal:
    """Lays the fog over cells again; for the game master.

    Attributes:
        area: The cells.
        viewer: Id of the account for whom, where each explores alone; `party` for all.
    """

    area: CellArea
    viewer: str = PARTY


@dataclass(frozen=True, slots=True)
class RevealAll:
    """Lifts the fog from the whole map; for the game master.

    Attributes:
        viewer: Id of the account for whom, where each explores alone; `party` for all.
    """

    viewer: str = PARTY


Put = PutToken | PutMarker | PutNote | Draw | PutPlace | PutLight | PutArea
Remove = RemoveToken | RemoveMarker | RemoveNote | Erase | RemovePlace | RemoveLight | RemoveArea
Lift = Reveal | Conceal | RevealAll

Edit = Put | Remove | Lift | MoveToken | SetDoor | FindDoor | SetFog
"""Everything that can be wanted of a map."""

EDITS: tuple[type[Edit], ...] = (
    PutToken,
    MoveToken,
    RemoveToken,
    PutMarker,
    RemoveMarker,
    PutNote,
    RemoveNote,
    SetDoor,
    FindDoor,
    Draw,
    Erase,
    PutPlace,
    RemovePlace,
    PutLight,
    RemoveLight,
    PutArea,
    RemoveArea,
    SetFog,
    Reveal,
    Conceal,
    RevealAll,
)
"""The edits, for whoever reflects them into another language."""
