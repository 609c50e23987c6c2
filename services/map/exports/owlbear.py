"""Scenes for Owlbear Rodeo, as its extensions upload them: `OBR.assets.uploadScenes([scene])`.

A `SceneUpload` holds its picture as a Blob, which JSON cannot: `baseMap.file` is the picture's address, or
the picture itself as a data URL, and an extension puts `await (await fetch(file)).blob()` in its place.

Positions are in pixels of the scene, 150 to a cell. Walls and doors are drawings on the fog layer, as
Owlbear's own Dynamic Fog extension reads them: a door is a drawing with its two ends in the metadata. A light
is told in the metadata of a small disc: the extension makes a light of it at every player's, as light items
are known to none but who made them. Players see its light only where they see the disc, so that is visible.
Windows and fences stop no sight and are left to the picture. What only the game master reads is text that is
not visible to players.
"""

from __future__ import annotations

import base64
import hashlib
import uuid
from dataclasses import dataclass, field
from typing import Any

import orjson

from services.map.exports.geometry import Polyline, barriers
from services.map.generation.grid.model import Door, DoorState, GridMap, Light, Spot

DPI = 150
"""Pixels of the scene along one cell: Owlbear's own measure."""

PIXELS_PER_CELL = 100
DYNAMIC_FOG = "rodeo.owlbear.dynamic-fog"

_EPOCH = "1970-01-01T00:00:00.000Z"
_MOVE, _LINE = 0, 1
_SOURCE_RADIUS = 50
_DISC = 30


def to_owlbear(
    model: GridMap,
    image: bytes | str | None = None,
    pixels_per_cell: int = PIXELS_PER_CELL,
    media_type: str = "image/png",
) -> bytes:
    """The map as a scene upload.

    Args:
        model: The map; for players the one without what they must not know.
        image: The picture, or its address as seen from the extension; None for a scene without one.
        pixels_per_cell: Pixels along one cell of the picture.
        media_type: Of the picture when it is given as bytes.

    Raises:
        ValueError: A cell has no pixels.
    """
    if pixels_per_cell < 1:
        raise ValueError("a cell has at least one pixel")
    scene: dict[str, Any] = {
        "name": model.title or "Map",
        "fog": {"filled": model.ambient == "dark", "style": {"color": "#222222", "strokeWidth": 5}},
        "grid": {
            "dpi": DPI,
            "scale": f"{model.feet}ft",
            "type": "SQUARE",
            "measurement": "CHEBYSHEV",
            "style": {"lineColor": "DARK", "lineOpacity": 0.4, "lineType": "SOLID", "lineWidth": 1},
        },
        "items": _items(model),
    }
    if image is not None:
        if isinstance(image, bytes):
            image = f"data:{media_type};base64,{base64.b64encode(image).decode('ascii')}"
        scene["baseMap"] = {
            "file": image,
            "name": model.title or "Map",
            "grid": {"dpi": pixels_per_cell, "offset": {"x": 0, "y": 0}},
            "rotation": 0,
            "scale": {"x": 1, "y": 1},
            "visible": True,
            "locked": True,
            "text": _text("", 24, "LABEL"),
            "textItemType": "LABEL",
        }
    return orjson.dumps(scene)


@dataclass(slots=True)
class _Items:
    """The items of one scene, later ones above earlier ones."""

    identity: bytes
    made: list[dict[str, Any]] = field(default_factory=list)

    def add(self, key: str, name: str, kind: str, layer: str, at: Spot, **more: Any) -> None:
        self.made.append(
            {
                "id": _uuid(self.identity, key),
                "type": kind,
                "name": name,
                "visible": True,
                "locked": True,
                "createdUserId": "",
                "zIndex": len(self.made),
                "lastModified": _EPOCH,
                "lastModifiedUserId": "",
                "position": {"x": at[0] * DPI, "y": at[1] * DPI},
                "rotation": 0,
                "scale": {"x": 1, "y": 1},
                "metadata": {},
                "layer": layer,
                **more,
            }
        )

    def wall(self, key: str, line: Polyline) -> None:
        self.add(key, "Wall", "PATH", "FOG", (0.0, 0.0), **_path(line, "#000000"))

    def door(self, door: Door) -> None:
        length = DPI * door.length
        shut = {
            "open": door.state is DoorState.OPEN,
            "start": {"distance": 0, "index": 0},
            "end": {"distance": length, "index": 0},
        }
        metadata = {f"{DYNAMIC_FOG}/doors": [shut]}
        path = _path(door.bounds, "#ff0000")
        self.add(door.id, "Door", "PATH", "FOG", (0.0, 0.0), metadata=metadata, **path)

    def light(self, light: Light) -> None:
        shining = {
            "attenuationRadius": light.dim * DPI,
            "sourceRadius": _SOURCE_RADIUS,
            "falloff": 1.0,
            "innerAngle": 360,
            "outerAngle": 360,
            # Lights that do not move.
            "lightType": "SECONDARY",
        }
        self.add(
            light.id,
            "Light",
            "SHAPE",
            "PROP",
            light.at,
            metadata={f"{DYNAMIC_FOG}/light": shining},
            shapeType="CIRCLE",
            width=_DISC,
            height=_DISC,
            style={
                "fillColor": light.color,
                "fillOpacity": 0.6,
                "strokeColor": light.color,
                "strokeOpacity": 1,
                "strokeWidth": 2,
                "strokeDash": [],
            },
        )

    def text(self, key: str, at: Spot, text: str, visible: bool) -> None:
        words = {"visible": visible, "text": _text(text, 32, "TEXT")}
        self.add(key, "Note", "TEXT", "TEXT", at, **words)


def _items(model: GridMap) -> list[dict[str, Any]]:
    seen = hashlib.blake2b(model.cells, digest_size=16, person=b"owlbear")
    seen.update(f"{model.width}x{model.height} {model.title}".encode())
    items = _Items(seen.digest())
    found = barriers(model)
    for number, line in enumerate((*found.walls, *found.objects), 1):
        items.wall(f"wall-{number}", line)
    for door in found.doors:
        items.door(door)
    for light in model.lights:
        items.light(light)
    for room in model.rooms:
        name = f"{room.number}. {room.name}" if room.name else str(room.number)
        items.text(room.id, room.middle, "\n".join((name, *room.notes)), visible=False)
    for trap in model.traps:
        at = trap.at[0] + trap.width / 2, trap.at[1] + trap.height / 2
        items.text(trap.id, at, f"Trap ({trap.kind})\n{trap.note}".strip(), visible=False)
    for note in model.notes:
        items.text(note.id, note.at, note.text, visible=not note.secret)
    return items.made


def _uuid(identity: bytes, key: str) -> str:
    """An id as the SDK makes them (UUID 4), but the same for the same map in every process."""
    return str(
        uuid.UUID(bytes=hashlib.blake2b(key.encode(), digest_size=16, key=identity).digest(), version=4)
    )


def _path(line: Polyline, colour: str) -> dict[str, Any]:
    first, *others = line
    commands = [
        [_MOVE, first[0] * DPI, first[1] * DPI],
        *([_LINE, x * DPI, y * DPI] for x, y in others),
    ]
    return {
        "commands": commands,
        "fillRule": "nonzero",
        "style": {
            "fillColor": "#000000",
            "fillOpacity": 0,
            "strokeColor": colour,
            "strokeOpacity": 1,
            "strokeWidth": 2,
            "strokeDash": [],
        },
    }


def _text(text: str, size: int, kind: str) -> dict[str, Any]:
    centred = kind == "LABEL"
    return {
        "richText": [{"type": "paragraph", "children": [{"text": text}]}],
        "plainText": text,
        "style": {
            "padding": 8,
            "fontFamily": "Roboto",
            "fontSize": size,
            "fontWeight": 400,
            "textAlign": "CENTER" if centred else "LEFT",
            "textAlignVertical": "BOTTOM" if centred else "TOP",
            "fillColor": "white",
            "fillOpacity": 1,
            "strokeColor": "black",
            "strokeOpacity": 1,
            "strokeWidth": 2,
            "lineHeight": 1.5,
        },
        "type": "PLAIN",
        "width": "AUTO",
        "height": "AUTO",
    }
