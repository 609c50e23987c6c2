"""Maps for the Tiled editor and the engines that read its JSON (`.tmj`), format 1.10.

Cells are tiles: one tile layer for each height the ground has, `terrain` for level ground and `terrain +2`
for what lies two steps above it, so that together they are the whole map. The tileset has one tile a terrain,
in the order of their codes, with what the terrain does to people as properties. Everything else is objects on
layers of its own, in pixels; an object's `type` is what it is and its `name` its id.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson

from services.map.exports.geometry import Polyline, barriers
from services.map.exports.outlines import polygons
from services.map.generation.grid.cells import mask_of
from services.map.generation.grid.model import (
    Door,
    GridKind,
    GridMap,
    KeyNote,
    Light,
    Prop,
    Room,
    Spot,
    Stairs,
    Trap,
    Zone,
)
from services.map.generation.grid.terrain import TRAITS, Terrain

VERSION = "1.10"
TILED_VERSION = "1.11.2"
TILE = 32
"""Pixels along one cell."""
TILESET_IMAGE = "hearthforge-terrain.png"

Value = str | int | float | bool
Told = dict[str, Value]


def to_tiled(
    model: GridMap, tile: int = TILE, tileset_image: str = TILESET_IMAGE, picture: str | None = None
) -> bytes:
    """The map as a Tiled map.

    Args:
        model: The map; for players the one without what they must not know.
        tile: Pixels along one cell.
        tileset_image: Path, from the map's file, of the picture of the tiles: those of `tileset_model`, in
            one row, `tile` pixels each.
        picture: Path of a picture of the whole map, which is laid over the tiles; none without it.

    Raises:
        ValueError: A cell has no pixels.
    """
    if tile < 1:
        raise ValueError("a cell has at least one pixel")
    layers = _Layers(model, tile)
    layers.tiles()
    if picture is not None:
        layers.picture(picture)
    layers.everything()
    document = {
        "type": "map",
        "version": VERSION,
        "tiledversion": TILED_VERSION,
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "width": model.width,
        "height": model.height,
        "tilewidth": tile,
        "tileheight": tile,
        "infinite": False,
        "compressionlevel": -1,
        "layers": layers.made,
        "nextlayerid": len(layers.made) + 1,
        "nextobjectid": layers.objects + 1,
        "tilesets": [_tileset(tile, tileset_image)],
        "properties": _properties(
            title=model.title,
            kind=model.kind,
            theme=model.theme,
            ambient=model.ambient,
            feet=model.feet,
        ),
    }
    return orjson.dumps(document)


def tileset_model() -> GridMap:
    """One row with every terrain in the order of the tiles: drawn bare, it is the tileset's picture."""
    cells = bytes(range(len(Terrain)))
    return GridMap(GridKind.IMPORTED, 1, 0, 0, "Terrains", "", len(cells), 1, cells, "bright")


@dataclass(slots=True)
class _Layers:
    """The layers of one map, with ids in the order they are made."""

    model: GridMap
    tile: int
    made: list[dict[str, Any]] = field(default_factory=list)
    objects: int = 0

    def tiles(self) -> None:
        model = self.model
        tiles = np.frombuffer(model.cells, dtype=np.uint8).astype(np.int64) + 1
        if not model.heights:
            self.tile_layer("terrain", tiles, 0)
            return
        heights = np.frombuffer(model.heights, dtype=np.int8)
        for height in np.unique(heights).tolist():
            name = "terrain" if height == 0 else f"terrain {height:+d}"
            self.tile_layer(name, np.where(heights == height, tiles, 0), height)

    def tile_layer(self, name: str, tiles: np.ndarray[Any, np.dtype[np.int64]], height: int) -> None:
        layer = self.layer(name, "tilelayer")
        layer["width"], layer["height"] = self.model.width, self.model.height
        layer["data"] = tiles.tolist()
        layer["properties"] = _properties(elevation=height)

    def picture(self, path: str) -> None:
        layer = self.layer("picture", "imagelayer")
        layer["image"] = path
        layer["imagewidth"] = self.model.width * self.tile
        layer["imageheight"] = self.model.height * self.tile
        layer["locked"] = True

    def everything(self) -> None:
        model, found = self.model, barriers(self.model)
        self.object_layer("rooms", (one for room in model.rooms for one in self.room(room)))
        self.object_layer("zones", (one for zone in model.zones for one in self.zone(zone)))
        self.object_layer("props", (self.prop(prop) for prop in model.props))
        kinds: tuple[tuple[str, Iterable[Polyline]], ...] = (
            ("wall", found.walls),
            ("object", found.objects),
            ("window", found.windows),
            ("fence", found.fences),
            ("low", found.low),
        )
        self.object_layer("walls", (self.line(kind, "", line) for kind, lines in kinds for line in lines))
        self.object_layer("doors", (self.door(door) for door in model.doors))
        self.object_layer("stairs", (self.stairs(stairs) for stairs in model.stairs))
        self.object_layer("lights", (self.light(light) for light in model.lights))
        self.object_layer("traps", (self.trap(trap) for trap in model.traps))
        self.object_layer("notes", (self.note(note) for note in model.notes))
        ways = (("entrance", model.entrance), ("goal", model.goal))
        self.object_layer(
            "ways", (self.point(name, name, _middle(cell)) for name, cell in ways if cell is not None)
        )

    def layer(self, name: str, kind: str) -> dict[str, Any]:
        layer = {
            "id": len(self.made) + 1,
            "name": name,
            "type": kind,
            "opacity": 1,
            "visible": True,
            "x": 0,
            "y": 0,
        }
        self.made.append(layer)
        return layer

    def object_layer(self, name: str, objects: Iterable[dict[str, Any]]) -> None:
        layer = self.layer(name, "objectgroup")
        layer["draworder"] = "topdown"
        layer["objects"] = list(objects)

    def object(
        self, kind: str, name: str, at: Spot, told: Told | None = None, size: Spot = (0.0, 0.0)
    ) -> dict[str, Any]:
        self.objects += 1
        return {
            "id": self.objects,
            "name": name,
            "type": kind,
            "x": at[0] * self.tile,
            "y": at[1] * self.tile,
            "width": size[0] * self.tile,
            "height": size[1] * self.tile,
            "rotation": 0,
            "visible": True,
            "properties": _properties(**(told or {})),
        }

    def point(self, kind: str, name: str, at: Spot, told: Told | None = None) -> dict[str, Any]:
        return self.object(kind, name, at, told) | {"point": True}

    def line(self, kind: str, name: str, line: Polyline, told: Told | None = None) -> dict[str, Any]:
        return self.object(kind, name, line[0], told) | {"polyline": self.steps(line)}

    def steps(self, line: Polyline) -> list[dict[str, float]]:
        (left, top), tile = line[0], self.tile
        return [{"x": (x - left) * tile, "y": (y - top) * tile} for x, y in line]

    def room(self, room: Room) -> list[dict[str, Any]]:
        told: Told = {"number": room.number, "title": room.name, "role": room.role}
        told |= {"tags": ", ".join(room.tags), "notes": "\n".join(room.notes)}
        if room.spans:
            return self.area("room", room.id, room.spans, told)
        return [self.object("room", room.id, (room.x, room.y), told, (room.width, room.height))]

    def zone(self, zone: Zone) -> list[dict[str, Any]]:
        told: Told = {"title": zone.name, "kind": zone.kind, "side": zone.side, "secret": zone.secret}
        return self.area("zone", zone.id, zone.spans, told)

    def area(
        self, kind: str, name: str, spans: Iterable[tuple[int, int, int]], told: Told
    ) -> list[dict[str, Any]]:
        """Polygons of cells; Tiled has no holes in them."""
        made = []
        for outer, *_ in polygons(mask_of(spans, self.model.width, self.model.height)):
            ring = tuple((float(x), float(y)) for x, y in outer)
            made.append(self.object(kind, name, ring[0], told) | {"polygon": self.steps(ring)})
        return made

    def prop(self, prop: Prop) -> dict[str, Any]:
        # Tiled turns an object round its top left corner, the model round its middle.
        turn = math.radians(prop.turn)
        across, down = prop.width / 2, prop.height / 2
        x = prop.x + across - (across * math.cos(turn) - down * math.sin(turn))
        y = prop.y + down - (across * math.sin(turn) + down * math.cos(turn))
        made = self.object("prop", prop.id, (x, y), {"kind": prop.kind}, (prop.width, prop.height))
        return made | {"rotation": prop.turn}

    def door(self, door: Door) -> dict[str, Any]:
        told: Told = {"kind": door.kind, "state": door.state, "secret": door.secret}
        told |= {"axis": door.axis, "span": door.span, "note": door.note}
        return self.line("door", door.id, door.bounds, told)

    def light(self, light: Light) -> dict[str, Any]:
        told: Told = {"kind": light.kind, "bright": light.bright, "dim": light.dim}
        made = self.point("light", light.id, light.at, told)
        colour = f"#ff{light.color.removeprefix('#')}"
        made["properties"].append({"name": "color", "type": "color", "value": colour})
        return made

    def stairs(self, stairs: Stairs) -> dict[str, Any]:
        told: Told = {"up": stairs.up, "facing": stairs.facing}
        return self.point("stairs", stairs.id, _middle(stairs.at), told)

    def trap(self, trap: Trap) -> dict[str, Any]:
        told: Told = {"kind": trap.kind, "note": trap.note}
        return self.object("trap", trap.id, trap.at, told, (trap.width, trap.height))

    def note(self, note: KeyNote) -> dict[str, Any]:
        return self.point("note", note.id, note.at, {"text": note.text, "secret": note.secret})


def _middle(cell: tuple[int, int]) -> Spot:
    return cell[0] + 0.5, cell[1] + 0.5


def _properties(**values: Value) -> list[dict[str, Any]]:
    return [{"name": name, "type": _type(value), "value": value} for name, value in values.items()]


def _type(value: Value) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    return "float" if isinstance(value, float) else "string"


def _tileset(tile: int, image: str) -> dict[str, Any]:
    return {
        "firstgid": 1,
        "name": "hearthforge-terrain",
        "type": "tileset",
        "image": image,
        "imagewidth": tile * len(Terrain),
        "imageheight": tile,
        "tilewidth": tile,
        "tileheight": tile,
        "columns": len(Terrain),
        "tilecount": len(Terrain),
        "margin": 0,
        "spacing": 0,
        "tiles": [
            {
                "id": int(terrain),
                "type": trait.name,
                "properties": _properties(
                    letter=trait.letter, pace=trait.pace, opaque=trait.opaque, cover=trait.cover
                ),
            }
            for terrain, trait in sorted(TRAITS.items())
        ],
    }
