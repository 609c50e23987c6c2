"""A Universal VTT file whose every value is sound, or everything that is wrong with it.

The file comes from anywhere: each value is looked at by its path before anything is made of any of them. What
a map can do without, a single door or light or the light around, is left out when it is odd, with a warning.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from services.map.exports.embedded import embedded
from services.map.exports.pictures import measured
from services.map.exports.refusals import MOST_PROBLEMS, read_object, refusal, refused
from services.map.exports.uvtt import AMBIENT
from services.map.generation.grid.model import MAX_SIDE, Spot
from services.rules.engine.problem import Finding, KeyPath, Problems, RuleProblem

T = TypeVar("T")

RULE = "universal vtt"
MAX_POINTS = 20_000
"""Points of lines, portals and lights together: four times those of the largest maps that people draw."""
MAX_IMAGE = 64 * 1024 * 1024
MAX_FILE = MAX_IMAGE * 4 // 3 + 16 * 1024 * 1024
MAX_POSITION = 100_000.0
MAX_RANGE = 1_000.0
MAX_PIXELS = 1_000

NOISE = 1e-3
"""Cells by which a size may miss a whole number, or a light the map, and still be meant: a fifth of a pixel
of the finest picture, and what is left of a number that was written with three decimals."""

_COLOUR = re.compile(r"#?(?:[0-9a-fA-F]{2})?([0-9a-fA-F]{6})")
_VERSION = re.compile(r"\d{1,2}(\.\d{1,6}){0,2}")
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
_LAMP_COLOUR = "#ffb35c"
_DIM_FROM, _BRIGHT_FROM = 0x40, 0xC0
_ENDS = 2


@dataclass(frozen=True, slots=True)
class Portal:
    """A door, or a window when it is not closed.

    Attributes:
        bounds: Its two ends, in cells of the map.
        closed: Whether it can be shut.
    """

    bounds: tuple[Spot, Spot]
    closed: bool


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light.

    Attributes:
        at: Where, in cells of the map.
        range: Cells it lights at all.
        color: As "#rrggbb".
    """

    at: Spot
    range: float
    color: str = _LAMP_COLOUR


@dataclass(frozen=True, slots=True)
class File:
    """A file whose every value is sound; positions are in cells from the top left of the map.

    Attributes:
        width: Columns.
        height: Rows.
        extent: Columns and rows as the file has them: the last ones may be cut.
        origin: Where the map begins in the file's own count.
        pixels_per_grid: Pixels along one cell of the picture.
        lines: Walls, as points.
        objects: Outlines of what stands by itself and stops sight, as points.
        portals: Doors and windows.
        lamps: Lights.
        ambient: Light where nothing shines: `bright`, `dim` or `dark`.
        baked_lighting: Whether the lights are painted into the picture.
        image: The picture.
        media_type: Of the picture.
        image_pixels: That the picture has by its header.
        warnings: What is odd about single parts that were left out or read as usual ones; the first of them.
        odd: How many such parts there are.
    """

    width: int
    height: int
    extent: Spot
    origin: Spot
    pixels_per_grid: int
    lines: tuple[tuple[Spot, ...], ...]
    objects: tuple[tuple[Spot, ...], ...]
    portals: tuple[Portal, ...]
    lamps: tuple[Lamp, ...]
    ambient: str
    baked_lighting: bool
    image: bytes | None
    media_type: str | None
    image_pixels: int
    warnings: tuple[RuleProblem, ...]
    odd: int


def read_file(data: bytes) -> File | Problems:
    """The file's sound values, or what is wrong with it."""
    document = read_object(data, RULE, MAX_FILE)
    if isinstance(document, Problems):
        return document
    check = _Check()
    file = check.file(document)
    if file is None or check.problems:
        # Who mends the file mends all of it at once.
        return refused([*check.problems, *check.warnings])
    return file


class _Check:
    """Reads values by their path and keeps what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[RuleProblem] = []
        self.warnings: list[RuleProblem] = []
        self.odd = 0
        self.points = 0
        self.image_pixels = 0

    def refuse(self, code: str, message: str, path: KeyPath, found: object, allowed: Finding) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(refusal(code, message, RULE, path, found, allowed))

    def spared(self, read: Callable[[], T]) -> T | None:
        """What is read, or None with a warning: a part that the map can do without."""
        problems, self.problems = self.problems, []
        found = read()
        odd, self.problems = self.problems, problems
        if not odd:
            return found
        self.odd += 1
        self.warnings += odd[: MOST_PROBLEMS - len(self.warnings)]
        return None

    def value(self, holder: object, key: str, path: KeyPath) -> object:
        if not isinstance(holder, dict):
            self.refuse("wrong_type", "An object is expected here.", path, holder, "an object")
            return None
        if holder.get(key) is None:
            self.refuse("key_missing", f"The key {key} is missing.", (*path, key), None, key)
        found: object = holder.get(key)
        return found

    def number(self, holder: object, key: str, path: KeyPath, low: float, high: float) -> float:
        found = self.value(holder, key, path)
        where = (*path, key)
        if found is None:
            return low
        if isinstance(found, bool) or not isinstance(found, int | float):
            self.refuse("wrong_type", "A number is expected here.", where, found, "a number")
            return low
        if not low <= found <= high:
            message = f"A number from {low:g} to {high:g} is expected here."
            self.refuse("out_of_range", message, where, float(found), (f"{low:g}", f"{high:g}"))
            return low
        return float(found)

    def spot(self, holder: object, path: KeyPath, origin: Spot = (0.0, 0.0)) -> Spot:
        x = self.number(holder, "x", path, -MAX_POSITION, MAX_POSITION)
        y = self.number(holder, "y", path, -MAX_POSITION, MAX_POSITION)
        return x - origin[0], y - origin[1]

    def items(self, document: dict[str, Any], key: str, needed: bool = False) -> list[Any]:
        if document.get(key) is None and not needed:
            return []
        found = self.value(document, key, ())
        if not isinstance(found, list):
            if found is not None:
                self.refuse("wrong_type", "A list is expected here.", (key,), found, "a list")
            return []
        return found if self.count(len(found), (key,)) else []

    def count(self, more: int, path: KeyPath) -> bool:
        """Counts points; a file with too many is told so once, and read no further."""
        before, self.points = self.points, self.points + more
        if before <= MAX_POINTS < self.points:
            message = f"A file has at most {MAX_POINTS} points, portals and lights together."
            self.problems.insert(
                0, refusal("out_of_range", message, RULE, path, f"over {MAX_POINTS}", MAX_POINTS)
            )
        return self.points <= MAX_POINTS

    def file(self, document: dict[str, Any]) -> File | None:
        resolution = self.value(document, "resolution", ())
        size = self.value(resolution, "map_size", ("resolution",)) if resolution is not None else None
        if size is None:
            return None
        extent = self.side(size, "x"), self.side(size, "y")
        pixels = int(self.number(resolution, "pixels_per_grid", ("resolution",), 1, MAX_PIXELS))
        origin = self.origin(resolution)
        self.spared(lambda: self.format(document.get("format")))
        lines = tuple(self.lines(document, "line_of_sight", origin, needed=True))
        objects = tuple(self.lines(document, "objects_line_of_sight", origin))
        portals = tuple(self.portals(document, origin))
        lamps = tuple(self.lamps(document, origin))
        environment = document.get("environment")
        ambient = self.spared(lambda: self.ambient(environment)) or "bright"
        baked = self.spared(lambda: self.baked(environment)) or False
        image, media_type = self.image(document.get("image"))
        return File(
            width=math.ceil(extent[0]),
            height=math.ceil(extent[1]),
            extent=extent,
            origin=origin,
            pixels_per_grid=pixels,
            lines=lines,
            objects=objects,
            portals=portals,
            lamps=lamps,
            ambient=ambient,
            baked_lighting=baked,
            image=image,
            media_type=media_type,
            image_pixels=self.image_pixels,
            warnings=tuple(self.warnings),
            odd=self.odd,
        )

    def side(self, size: object, key: str) -> float:
        """Cells along a side; what misses a whole number by noise is that number."""
        found = size.get(key) if isinstance(size, dict) else None
        if isinstance(found, float) and abs(found - round(found)) <= NOISE:
            size = {key: round(found)}
        return self.number(size, key, ("resolution", "map_size"), 0.5, MAX_SIDE)

    def format(self, found: object) -> None:
        """The version of the format, which some programs write as a text; any is read alike."""
        if found is None or (isinstance(found, str) and _VERSION.fullmatch(found.strip())):
            return
        self.number({"format": found}, "format", (), 0, 10)

    def origin(self, resolution: object) -> Spot:
        if not isinstance(resolution, dict) or resolution.get("map_origin") is None:
            return 0.0, 0.0
        return self.spot(resolution["map_origin"], ("resolution", "map_origin"))

    def lines(
        self, document: dict[str, Any], key: str, origin: Spot, needed: bool = False
    ) -> Iterator[tuple[Spot, ...]]:
        for index, line in enumerate(self.items(document, key, needed)):
            path = (key, index)
            if not isinstance(line, list):
                self.refuse("wrong_type", "A list of points is expected here.", path, line, "a list")
            elif self.count(len(line), path):
                yield tuple(self.spot(point, (*path, step), origin) for step, point in enumerate(line))
            else:
                return

    def portals(self, document: dict[str, Any], origin: Spot) -> Iterator[Portal]:
        for index, portal in enumerate(self.items(document, "portals")):
            path: KeyPath = ("portals", index)
            ends = self.spared(partial(self.ends, portal, path, origin))
            if ends is not None:
                closed = self.spared(partial(self.flag, portal, "closed", path, True))
                yield Portal(ends, True if closed is None else closed)

    def ends(self, portal: object, path: KeyPath, origin: Spot) -> tuple[Spot, Spot]:
        bounds = self.value(portal, "bounds", path)
        path = (*path, "bounds")
        if not isinstance(bounds, list) or len(bounds) != _ENDS:
            if bounds is not None:
                self.refuse("wrong_type", "Two points are expected here.", path, bounds, "two points")
            return origin, origin
        return self.spot(bounds[0], (*path, 0), origin), self.spot(bounds[1], (*path, 1), origin)

    def flag(self, holder: object, key: str, path: KeyPath, default: bool) -> bool:
        """A truth, which some programs write as a text or as 0 and 1."""
        found = holder.get(key) if isinstance(holder, dict) else None
        if found is None:
            return default
        read = _TRUTHS.get(str(found).strip().lower()) if isinstance(found, str | int) else None
        if read is None:
            self.refuse("wrong_type", "True or false is expected here.", (*path, key), found, (True, False))
            return default
        return read

    def lamps(self, document: dict[str, Any], origin: Spot) -> Iterator[Lamp]:
        for index, light in enumerate(self.items(document, "lights")):
            path: KeyPath = ("lights", index)
            lamp = self.spared(partial(self.lamp, light, path, origin))
            if lamp is not None:
                yield replace(lamp, color=self.spared(partial(self.colour, light, path)) or _LAMP_COLOUR)

    def lamp(self, light: object, path: KeyPath, origin: Spot) -> Lamp:
        position = self.value(light, "position", path)
        if position is None:
            return Lamp(origin, 0.0)
        at = self.spot(position, (*path, "position"), origin)
        return Lamp(at, self.number(light, "range", path, 0.0, MAX_RANGE))

    def colour(self, light: object, path: KeyPath) -> str:
        found = light.get("color") if isinstance(light, dict) else None
        if found is None:
            return _LAMP_COLOUR
        match = _COLOUR.fullmatch(found) if isinstance(found, str) else None
        if match is None:
            message = "A colour is eight hexadecimal digits, AARRGGBB."
            self.refuse("wrong_type", message, (*path, "color"), found, "AARRGGBB")
            return _LAMP_COLOUR
        return f"#{match.group(1).lower()}"

    def baked(self, environment: object) -> bool:
        return self.flag(environment, "baked_lighting", ("environment",), False)

    def ambient(self, environment: object) -> str:
        if environment is None:
            return "bright"
        found = environment.get("ambient_light") if isinstance(environment, dict) else environment
        if found is None:
            return "bright"
        path = ("environment", "ambient_light") if isinstance(environment, dict) else ("environment",)
        match = _COLOUR.fullmatch(found) if isinstance(found, str) else None
        if match is None:
            message = "The light around is a colour of eight hexadecimal digits, AARRGGBB."
            self.refuse("wrong_type", message, path, found, "AARRGGBB")
            return "bright"
        brightest = max(bytes.fromhex(match.group(1)))
        names = tuple(AMBIENT)
        return names[0] if brightest >= _BRIGHT_FROM else names[1 if brightest >= _DIM_FROM else 2]

    def image(self, found: object) -> tuple[bytes | None, str | None]:
        if found is None or found == "":
            return None, None
        path = ("image",)
        if not isinstance(found, str):
            self.refuse("wrong_type", "A picture in base64 is expected here.", path, found, "base64")
            return None, None
        try:
            image = embedded(found)
        except ValueError:
            message = "The picture is no base64."
            self.refuse("image_unreadable", message, path, found, "base64")
            return None, None
        if len(image) > MAX_IMAGE:
            message = f"A picture has at most {MAX_IMAGE} bytes."
            self.refuse("too_large", message, path, len(image), MAX_IMAGE)
            return None, None
        media_type = _media_type(image)
        if media_type is None:
            message = "The picture is neither PNG, WebP nor JPEG."
            self.refuse("image_unreadable", message, path, "another format", ("PNG", "WebP", "JPEG"))
            return image, media_type
        size = measured(image)
        if not isinstance(size, RuleProblem):
            self.image_pixels = size[0] * size[1]
        elif len(self.problems) < MOST_PROBLEMS:
            self.problems.append(size)
        return image, media_type


def _media_type(image: bytes) -> str | None:
    if image.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if image.startswith(b"RIFF") and image[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg" if image.startswith(b"\xff\xd8\xff") else None
