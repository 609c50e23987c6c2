"""How a grid map is shown in the graph: the model with its positions as objects."""

from dataclasses import dataclass

from services.map.generation.grid.canonical import letter_rows
from services.map.generation.grid.model import (
    Axis,
    DoorKind,
    DoorState,
    GridMap,
    RoomRole,
    WallKind,
)
from services.map.generation.grid.terrain import TRAITS
from services.map.play.known_extent import with_cells_of
from services.map.play.state import Extent, Spot


@dataclass(frozen=True, slots=True)
class MapCell:
    """A cell by column and row, counted from 0 at the top left.

    Attributes:
        x: Column.
        y: Row.
    """

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class MapSpan:
    """Cells of one row.

    Attributes:
        row: The row.
        first: The first column.
        last: The column after the last.
    """

    row: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class MapTerrain:
    """What a letter of the cells stands for.

    Attributes:
        letter: The letter.
        name: For people.
        pace: Paces that entering it costs: 1 open, 2 difficult, 0 when nobody walks there.
        opaque: Whether it stops sight and light.
        cover: Whether it grants cover to who is behind it.
    """

    letter: str
    name: str
    pace: int
    opaque: bool
    cover: bool


@dataclass(frozen=True, slots=True)
class MapRoom:
    """A room, chamber, glade or house.

    Attributes:
        id: `room-1`, ...
        number: Its number on the keyed legend.
        name: For people.
        role: What it is for in the whole, as far as you may know.
        tags: Further words.
        notes: What the game master reads.
        x: Left column of the box around it.
        y: Top row of the box.
        width: Columns of the box.
        height: Rows of the box.
        area: Its cells.
        spans: Which cells, where they do not fill the box.
    """

    id: str
    number: int
    name: str
    role: RoomRole
    tags: tuple[str, ...]
    notes: tuple[str, ...]
    x: int
    y: int
    width: int
    height: int
    area: int
    spans: tuple[MapSpan, ...]


@dataclass(frozen=True, slots=True)
class MapPassage:
    """A way between two rooms.

    Attributes:
        start: Id of a room.
        end: Id of the other.
        doors: Ids of the doors on the way.
        secret: Whether one of them is secret.
    """

    start: str
    end: str
    doors: tuple[str, ...]
    secret: bool


@dataclass(frozen=True, slots=True)
class MapDoor:
    """A door.

    Attributes:
        id: `door-1`, ...
        at: The cell it fills, or on whose edge it hangs.
        axis: Which way one walks through it.
        kind: What it is.
        state: How it stands.
        edge: The edge of the cell it hangs in: n, e, s or w; null when it fills its cell.
        span: How many cells wide it is.
        middle: Where it is.
        ends: Its two ends: the line that stops who walks through.
        note: For the game master.
    """

    id: str
    at: MapCell
    axis: Axis
    kind: DoorKind
    state: DoorState
    edge: str | None
    span: int
    middle: Spot
    ends: tuple[Spot, ...]
    note: str


@dataclass(frozen=True, slots=True)
class MapWall:
    """A thin wall along a line, besides the solid cells.

    Attributes:
        kind: What it stops.
        points: Its corners.
    """

    kind: WallKind
    points: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class MapTrap:
    """A trap; only the game master sees it.

    Attributes:
        id: `trap-1`, ...
        kind: `pit`, `dart`, ...
        at: Its cell, or the top left one.
        width: Columns it covers.
        height: Rows it covers.
        note: How it is set off and found.
    """

    id: str
    kind: str
    at: MapCell
    width: int
    height: int
    note: str


@dataclass(frozen=True, slots=True)
class MapStairs:
    """Stairs, a ladder or a shaft to another level.

    Attributes:
        id: `stairs-1`, ...
        at: Its cell.
        up: Whether it leads up.
        facing: The side one steps off at: n, e, s or w.
    """

    id: str
    at: MapCell
    up: bool
    facing: str


@dataclass(frozen=True, slots=True)
class MapLight:
    """Something that shines.

    Attributes:
        id: `light-1`, ...
        kind: `torch`, `brazier`, ...
        at: Where.
        bright: Cells of bright light around it.
        dim: Cells of light at all.
        color: As "#rrggbb".
    """

    id: str
    kind: str
    at: Spot
    bright: float
    dim: float
    color: str


@dataclass(frozen=True, slots=True)
class MapProp:
    """Something that stands there.

    Attributes:
        id: `prop-1`, ...
        kind: `table`, `barrel`, ...
        at: Its top left corner.
        width: Columns.
        height: Rows.
        turn: Degrees clockwise.
    """

    id: str
    kind: str
    at: Spot
    width: float
    height: float
    turn: int


@dataclass(frozen=True, slots=True)
class MapZone:
    """A named part of a map.

    Attributes:
        id: `start-heroes`, ...
        kind: `start`, `approach`, `hazard`, `exit`, `ambush`.
        name: For people.
        side: Whose it is; empty for nobody's.
        spans: Its cells.
    """

    id: str
    kind: str
    name: str
    side: str
    spans: tuple[MapSpan, ...]


@dataclass(frozen=True, slots=True)
class MapKeyNote:
    """A note that came with the map.

    Attributes:
        id: `note-1`, ...
        at: Where.
        text: What it says.
    """

    id: str
    at: Spot
    text: str


@dataclass(frozen=True, slots=True)
class GridView:
    """A map on the five-foot grid, as you may know it.

    Attributes:
        title: Its name.
        theme: The look and the words.
        x: Column of the first letter of each text in `cells`: 0, but where you know a part of a map under fog
            alone. Positions are always counted from the top left of the whole map.
        y: Row of the first text in `cells`, likewise.
        width: Columns, as far as you may know.
        height: Rows, as far as you may know.
        feet: Feet along one side of a cell.
        ambient: Light where nothing shines: `bright`, `dim` or `dark`.
        cells: One text a row from the top, one letter a cell.
        terrains: What the letters stand for.
        heights: Elevation of each cell in steps of five feet, row by row; empty for a flat map.
        rooms: Rooms, by number.
        passages: The graph of the rooms.
        doors: Doors.
        walls: Thin walls.
        traps: Traps.
        stairs: Stairs.
        lights: Lights.
        props: What stands there.
        zones: Named parts.
        notes: Notes that came with the map.
        entrance: The cell one comes in at.
        goal: The cell it is all about.
    """

    title: str
    theme: str
    x: int
    y: int
    width: int
    height: int
    feet: int
    ambient: str
    cells: tuple[str, ...]
    terrains: tuple[MapTerrain, ...]
    heights: tuple[int, ...]
    rooms: tuple[MapRoom, ...]
    passages: tuple[MapPassage, ...]
    doors: tuple[MapDoor, ...]
    walls: tuple[MapWall, ...]
    traps: tuple[MapTrap, ...]
    stairs: tuple[MapStairs, ...]
    lights: tuple[MapLight, ...]
    props: tuple[MapProp, ...]
    zones: tuple[MapZone, ...]
    notes: tuple[MapKeyNote, ...]
    entrance: MapCell | None
    goal: MapCell | None


TERRAINS = tuple(
    MapTerrain(trait.letter, trait.name, trait.pace, trait.opaque, trait.cover > 0)
    for trait in TRAITS.values()
)


def grid_view(model: GridMap, extent: Extent) -> GridView:
    """Show a grid map, already as its reader may know it, as far as they know it."""
    part = with_cells_of(model, extent)
    return GridView(
        title=model.title,
        theme=model.theme,
        x=extent.left,
        y=extent.top,
        width=part.width,
        height=part.height,
        feet=model.feet,
        ambient=model.ambient,
        cells=tuple(letter_rows(part)),
        terrains=TERRAINS,
        heights=tuple(memoryview(part.heights).cast("b").tolist()) if part.heights else (),
        rooms=tuple(
            MapRoom(
                room.id,
                room.number,
                room.name,
                room.role,
                room.tags,
                room.notes,
                room.x,
                room.y,
                room.width,
                room.height,
                room.area,
                _spans(room.spans),
            )
            for room in model.rooms
        ),
        passages=tuple(MapPassage(way.start, way.end, way.doors, way.secret) for way in model.passages),
        doors=tuple(
            MapDoor(
                door.id,
                MapCell(*door.at),
                door.axis,
                door.kind,
                door.state,
                door.edge,
                door.span,
                Spot(*door.middle),
                tuple(Spot(*end) for end in door.bounds),
                door.note,
            )
            for door in model.doors
        ),
        walls=tuple(MapWall(wall.kind, tuple(Spot(*point) for point in wall.points)) for wall in model.walls),
        traps=tuple(
            MapTrap(one.id, one.kind, MapCell(*one.at), one.width, one.height, one.note)
            for one in model.traps
        ),
        stairs=tuple(MapStairs(one.id, MapCell(*one.at), one.up, one.facing) for one in model.stairs),
        lights=tuple(
            MapLight(one.id, one.kind, Spot(*one.at), one.bright, one.dim, one.color) for one in model.lights
        ),
        props=tuple(
            MapProp(one.id, one.kind, Spot(one.x, one.y), one.width, one.height, one.turn)
            for one in model.props
        ),
        zones=tuple(MapZone(one.id, one.kind, one.name, one.side, _spans(one.spans)) for one in model.zones),
        notes=tuple(MapKeyNote(one.id, Spot(*one.at), one.text) for one in model.notes),
        entrance=None if model.entrance is None else MapCell(*model.entrance),
        goal=None if model.goal is None else MapCell(*model.goal),
    )


def _spans(spans: tuple[tuple[int, int, int], ...]) -> tuple[MapSpan, ...]:
    return tuple(MapSpan(*span) for span in spans)
