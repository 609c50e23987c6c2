"""Scenes for Foundry Virtual Tabletop, as its "Import Data" reads them, for its generations 13 and 14.

Generation 13 keeps the picture in `background`; in generation 14 a scene has levels and each its picture. The
canvas has no padding, so its pixels are those of the picture. A wall tells for walking (`move`: 0 or 20),
`sight`, `light` and `sound` (0 nothing, 10 limited, 20 all) what it stops. Limited is what Foundry calls a
terrain wall: seen itself, not through, as pillars, trees and boulders are.

Everybody at a Foundry table gets the whole scene, its secret doors too: the program only does not show them.
For players who look into their browser, import a player's file.

The game master's notes are pages of a journal entry (`to_foundry_journal`), which no player may open. Pins on
rooms lead there and bear a number. Traps, doors and secret notes have no pins, their pages tell where they
are: a pin whose journal was not imported is seen by everybody.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from services.map.exports.geometry import Line, barriers, segments
from services.map.generation.grid.model import Door, DoorKind, DoorState, GridMap, Light, Spot

PIXELS_PER_GRID = 100
LEAST_PIXELS_PER_GRID = 20
"""The smallest grid Foundry accepts."""

LEVEL = "defaultLevel0000"
"""The id Foundry gives the only level of a scene."""

_SHOWN = {"default": 0}
_NORMAL, _LIMITED, _OPEN = 20, 10, 0
_DOOR_STATES = {DoorState.CLOSED: 0, DoorState.OPEN: 1, DoorState.LOCKED: 2}
_DARKNESS = {"bright": 0.0, "dim": 0.5, "dark": 1.0}
_FLAMES = frozenset({"torch", "brazier", "campfire", "lantern", "candle", "fire", "hearth"})
_PIN = "icons/svg/book.svg"


class Profile(StrEnum):
    """The generation of Foundry a scene is for."""

    V13 = "v13"
    V14 = "v14"


_CORE_VERSIONS = {Profile.V13: "13.351", Profile.V14: "14.364"}


def to_foundry(
    model: GridMap, profile: Profile, background: str | None = None, pixels_per_grid: int = PIXELS_PER_GRID
) -> bytes:
    """The map as a scene.

    Args:
        model: The map; for players the one without what they must not know.
        profile: The generation of Foundry.
        background: Path of the picture in Foundry's user data, `width * pixels_per_grid` by
            `height * pixels_per_grid` pixels; None for a scene without one.
        pixels_per_grid: Pixels along one cell, at least 20.

    Raises:
        ValueError: The cells are smaller than Foundry's smallest.
    """
    if pixels_per_grid < LEAST_PIXELS_PER_GRID:
        raise ValueError(f"Foundry's cells have at least {LEAST_PIXELS_PER_GRID} pixels")
    drawn = _Scene(model, profile, pixels_per_grid, _identity(model))
    start = drawn.start()
    scene: dict[str, Any] = {
        "_id": drawn.id("scene"),
        "name": model.title or "Map",
        "active": False,
        "navigation": True,
        "navOrder": 0,
        "navName": "",
        "thumb": None,
        "width": model.width * pixels_per_grid,
        "height": model.height * pixels_per_grid,
        "padding": 0,
        "initial": {"x": start[0], "y": start[1], "scale": None},
        "grid": {
            "type": 1,
            "size": pixels_per_grid,
            "style": "solidLines",
            "thickness": 1,
            "color": "#000000",
            "alpha": 0.2,
            "distance": model.feet,
            "units": "ft",
        },
        "tokenVision": True,
        "environment": _environment(model.ambient),
        "drawings": [],
        "tokens": [],
        "lights": [drawn.light(light) for light in model.lights],
        "notes": list(drawn.notes()),
        "sounds": [],
        "regions": [],
        "tiles": [],
        "walls": list(drawn.walls()),
        "weather": "",
        "folder": None,
        "sort": 0,
        "ownership": _SHOWN,
        "flags": {},
        "_stats": {"coreVersion": _CORE_VERSIONS[profile]},
    }
    return orjson.dumps(scene | _picture(model, profile, background))


def to_foundry_journal(model: GridMap) -> bytes | None:
    """The journal entry with the game master's notes, which the scene's pins lead to; None without notes."""
    identity = _identity(model)
    pages = list(_pages(model))
    if not pages:
        return None
    return orjson.dumps(
        {
            "_id": _id(identity, "journal"),
            "name": model.title or "Map",
            "pages": [
                {
                    "_id": _id(identity, f"page/{page.key}"),
                    "name": page.name,
                    "type": "text",
                    "title": {"show": True, "level": 1},
                    "text": {"format": 1, "content": page.content},
                    "sort": order * 100_000,
                    "ownership": {"default": -1},
                    "flags": {},
                }
                for order, page in enumerate(pages)
            ],
            "folder": None,
            "sort": 0,
            "ownership": _SHOWN,
            "flags": {},
        }
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """One page of the game master's notes, with the label and place of its pin when it has one."""

    key: str
    name: str
    content: str
    pin: tuple[str, Spot] | None = None


@dataclass(frozen=True, slots=True)
class _Scene:
    """What the parts of a scene have in common."""

    model: GridMap
    profile: Profile
    pixels: int
    identity: bytes

    def id(self, name: str) -> str:
        return _id(self.identity, name)

    def pixel(self, spot: Spot) -> tuple[int, int]:
        return round(spot[0] * self.pixels), round(spot[1] * self.pixels)

    def levels(self) -> dict[str, Any]:
        """Generation 14 asks of all that is placed on which levels it is; none named means all."""
        return {"levels": []} if self.profile is Profile.V14 else {}

    def start(self) -> tuple[int | None, int | None]:
        """Where the view begins: the start of the heroes, or the way in."""
        for zone in self.model.zones:
            if zone.kind == "start" and zone.side == "heroes" and zone.spans:
                y, first, last = zone.spans[len(zone.spans) // 2]
                return self.pixel(((first + last) / 2, y + 0.5))
        if self.model.entrance is not None:
            x, y = self.model.entrance
            return self.pixel((x + 0.5, y + 0.5))
        return None, None

    def walls(self) -> Iterator[dict[str, Any]]:
        found = barriers(self.model)
        kinds = (
            (segments(found.walls), _NORMAL, _NORMAL, _NORMAL),
            (segments(found.objects), _NORMAL, _LIMITED, _OPEN),
            (found.windows, _NORMAL, _OPEN, _NORMAL),
            (found.fences, _NORMAL, _OPEN, _OPEN),
            (found.low, _OPEN, _OPEN, _OPEN),
        )
        number = 0
        for lines, move, sight, sound in kinds:
            for line in lines:
                if self.pixel(line[0]) != self.pixel(line[1]):
                    number += 1
                    yield self.wall(f"wall/{number}", line, (move, sight, sound))
        for door in found.doors:
            stops = _stops(door)
            kind = 2 if door.secret else 1
            yield self.wall(f"door/{door.id}", door.bounds, stops, kind, _DOOR_STATES[door.state])

    def wall(
        self, name: str, line: Line, stops: tuple[int, int, int], door: int = 0, state: int = 0
    ) -> dict[str, Any]:
        move, sight, sound = stops
        return {
            "_id": self.id(name),
            "c": [*self.pixel(line[0]), *self.pixel(line[1])],
            "light": sight,
            "move": move,
            "sight": sight,
            "sound": sound,
            "dir": 0,
            "door": door,
            "ds": state,
            "threshold": {"light": None, "sight": None, "sound": None, "attenuation": False},
            "flags": {},
            **self.levels(),
        }

    def light(self, light: Light) -> dict[str, Any]:
        x, y = self.pixel(light.at)
        feet = self.model.feet
        return {
            "_id": self.id(f"light/{light.id}"),
            "x": x,
            "y": y,
            "elevation": 0,
            "rotation": 0,
            "walls": True,
            "vision": False,
            "hidden": False,
            "config": {
                "negative": False,
                "priority": 0,
                "alpha": 0.4,
                "angle": 360,
                "bright": round(light.bright * feet, 2),
                "dim": round(light.dim * feet, 2),
                "color": light.color,
                "coloration": 1,
                "attenuation": 0.5,
                "luminosity": 0.5,
                "saturation": 0,
                "contrast": 0,
                "shadows": 0,
                "animation": {
                    "type": "torch" if light.kind in _FLAMES else None,
                    "speed": 3,
                    "intensity": 3,
                    "reverse": False,
                },
                "darkness": {"min": 0, "max": 1},
            },
            "flags": {},
            **self.levels(),
        }

    def notes(self) -> Iterator[dict[str, Any]]:
        journal = self.id("journal")
        for page in _pages(self.model):
            if page.pin is not None:
                label, at = page.pin
                yield self.note(page.key, at, label, journal, self.id(f"page/{page.key}"))
        for note in self.model.notes:
            if not note.secret:
                yield self.note(note.id, note.at, note.text, None, None)

    def note(self, key: str, at: Spot, text: str, entry: str | None, page: str | None) -> dict[str, Any]:
        x, y = self.pixel(at)
        return {
            "_id": self.id(f"note/{key}"),
            "entryId": entry,
            "pageId": page,
            "x": x,
            "y": y,
            "elevation": 0,
            "sort": 0,
            "texture": {"src": _PIN, "tint": "#ffffff"},
            "iconSize": max(32, self.pixels // 2),
            "text": text,
            "fontSize": 24,
            "textAnchor": 1,
            "textColor": "#ffffff",
            "global": False,
            "flags": {},
            **self.levels(),
        }


def _identity(model: GridMap) -> bytes:
    """What the ids of a map are made from: what can be seen of it, never the seed."""
    seen = hashlib.blake2b(digest_size=16)
    for part in (model.title, f"{model.width}x{model.height}", model.kind):
        seen.update(part.encode() + b"\0")
    seen.update(model.cells)
    return seen.digest()


def _id(identity: bytes, name: str) -> str:
    """Sixteen letters and digits, as Foundry's ids are: the same for the same map, in every process."""
    return hashlib.blake2b(name.encode(), digest_size=8, key=identity).hexdigest()


def _stops(door: Door) -> tuple[int, int, int]:
    """What a shut door stops: walking, sight and light, sound."""
    if door.kind is DoorKind.PORTCULLIS:
        return _NORMAL, _OPEN, _OPEN
    if door.kind is DoorKind.CURTAIN:
        return _OPEN, _NORMAL, _OPEN
    return _NORMAL, _NORMAL, _NORMAL


def _pages(model: GridMap) -> Iterator[_Page]:
    """What only the game master reads, a page each."""
    for room in model.rooms:
        if room.notes:
            name = f"{room.number}. {room.name}" if room.name else f"{room.number}"
            yield _Page(room.id, name, _paragraphs(room.notes), (str(room.number), room.middle))
    for door in model.doors:
        if door.note:
            yield _Page(door.id, f"Door ({door.kind})", _paragraphs((_place(door.middle), door.note)))
    for trap in model.traps:
        at = trap.at[0] + trap.width / 2, trap.at[1] + trap.height / 2
        yield _Page(trap.id, f"Trap ({trap.kind})", _paragraphs((_place(at), trap.note)))
    for order, note in enumerate((note for note in model.notes if note.secret), 1):
        yield _Page(note.id, f"Note {order}", _paragraphs((_place(note.at), note.text)))


def _place(spot: Spot) -> str:
    """Where something is, in words: cells are counted from 1."""
    return f"Column {int(spot[0]) + 1}, row {int(spot[1]) + 1}."


def _paragraphs(texts: tuple[str, ...]) -> str:
    return "".join(f"<p>{html.escape(text)}</p>" for text in texts if text)


def _environment(ambient: str) -> dict[str, Any]:
    return {
        "darknessLevel": _DARKNESS[ambient],
        "darknessLevelLock": False,
        "globalLight": {
            "enabled": ambient != "dark",
            "alpha": 0.5,
            "bright": ambient == "bright",
            "color": None,
            "coloration": 1,
            "luminosity": 0,
            "saturation": 0,
            "contrast": 0,
            "shadows": 0,
            "darkness": {"min": 0, "max": 1},
        },
        "cycle": True,
        "base": {"hue": 0, "intensity": 0, "luminosity": 0, "saturation": 0, "shadows": 0},
        "dark": {
            "hue": 0.7138888888888889,
            "intensity": 0,
            "luminosity": -0.25,
            "saturation": 0,
            "shadows": 0,
        },
    }


def _picture(model: GridMap, profile: Profile, background: str | None) -> dict[str, Any]:
    """What differs between the generations: the picture, and the fog over it."""
    colors = {"explored": None, "unexplored": None}
    placed = {"offsetX": 0, "offsetY": 0, "fit": "fill", "scaleX": 1, "scaleY": 1, "rotation": 0}
    if profile is Profile.V13:
        return {
            "background": {
                "src": background,
                "anchorX": 0,
                "anchorY": 0,
                **placed,
                "tint": "#ffffff",
                "alphaThreshold": 0,
            },
            "backgroundColor": "#000000",
            "foreground": None,
            "foregroundElevation": 20,
            "fog": {"exploration": True, "reset": None, "overlay": None, "colors": colors},
            "templates": [],
        }
    lowest, highest = _elevations(model)
    shade = {"tint": "#ffffff", "alphaThreshold": 0.75}
    return {
        "shiftX": 0,
        "shiftY": 0,
        "initialLevel": LEVEL,
        "fog": {"mode": 1, "reset": None, "colors": colors},
        "levels": [
            {
                "_id": LEVEL,
                "name": "Level",
                "elevation": {"bottom": lowest, "top": highest + 20},
                "background": {"src": background, "color": "#000000", **shade},
                "foreground": {"src": None, **shade},
                "fog": {"src": None, "tint": "#ffffff"},
                "textures": {"anchorX": 0.5, "anchorY": 0.5, **placed},
                "visibility": {"levels": []},
                "sort": 0,
                "flags": {},
            }
        ],
    }


def _elevations(model: GridMap) -> tuple[int, int]:
    """Feet of the lowest and the highest ground, level ground at least."""
    steps = {0, *memoryview(model.heights).cast("b").tolist()} if model.heights else {0}
    return min(steps) * model.feet, max(steps) * model.feet
