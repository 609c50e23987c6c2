"""What a grid map must hold to before anything is done with it.

A file may be read well and still make no map. Generated maps are sound by themselves; this is for those from
elsewhere, trusted in nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from services.map.exports.refusals import refusal
from services.map.generation.grid.canonical import FORMAT
from services.map.generation.grid.model import Axis, Cell, Door, GridMap, Light, Prop, Room, Spot, Wall
from services.map.generation.kind import MAX_SEED
from services.rules.engine.problem import Finding, KeyPath, RuleProblem

MOST = {
    "rooms": 5_000,
    "passages": 20_000,
    "doors": 10_000,
    "walls": 25_000,
    "traps": 10_000,
    "stairs": 5_000,
    "lights": 1_000,
    "props": 40_000,
    "zones": 1_000,
    "notes": 5_000,
}
"""How many of each a map has at most."""

MAX_WALL_POINTS = 20_000
"""Four times the walls of the largest maps that people draw."""

MAX_WALL_LENGTH = 100_000
"""Cells that all walls are long together: what is cut to what players know grows with it."""

MAX_ASIDE = 1.5
"""Cells between the own end of a door and the end of its cells."""

MAX_NAME = 200
MAX_NOTE = 5_000
MAX_LIGHT = 1_000.0
MAX_PROP = 100.0
MAX_FEET = 1_000
MAX_VERSION = 2**31 - 1

AMBIENTS = ("bright", "dim", "dark")
SIDES = ("n", "e", "s", "w")

COLOUR = r"^#[0-9a-fA-F]{6}$"
_COLOUR = re.compile(COLOUR)

Faults = Iterator[RuleProblem]


def faults(model: GridMap) -> Faults:
    """Everything about a grid map that no map can have, by its path in the map file."""
    for name, most in MOST.items():
        if (count := len(getattr(model, name))) > most:
            yield _range((name,), count, (0, most))
    points = sum(len(wall.points) for wall in model.walls)
    if points > MAX_WALL_POINTS:
        yield _range(("walls",), points, (0, MAX_WALL_POINTS))
    length = sum(math.dist(*ends) for wall in model.walls for ends in pairwise(wall.points))
    if not length <= MAX_WALL_LENGTH:
        yield _range(("walls",), length, (0, MAX_WALL_LENGTH))
    yield from _head(model)
    for index, room in enumerate(model.rooms):
        yield from _room(model, room, ("rooms", index))
    yield from _passages(model)
    for index, door in enumerate(model.doors):
        yield from _door(model, door, ("doors", index))
    for index, wall in enumerate(model.walls):
        yield from _wall(model, wall, ("walls", index))
    for index, light in enumerate(model.lights):
        yield from _light(model, light, ("lights", index))
    for index, prop in enumerate(model.props):
        yield from _prop(model, prop, ("props", index))
    yield from _small(model)
    for name in ("rooms", "doors", "traps", "stairs", "lights", "props", "zones", "notes"):
        yield from _unique(name, [one.id for one in getattr(model, name)])


def _wrong(message: str, path: KeyPath, found: object, allowed: Finding = None) -> RuleProblem:
    return refusal("malformed", message, FORMAT, path, found, allowed)


def _range(path: KeyPath, found: float, allowed: tuple[int, int]) -> RuleProblem:
    message = f"A number from {allowed[0]} to {allowed[1]} is expected here."
    return refusal("out_of_range", message, FORMAT, path, found, allowed)


def _whole(path: KeyPath, found: int, low: int, high: int) -> Faults:
    if not low <= found <= high:
        yield _range(path, found, (low, high))


def _one_of(path: KeyPath, found: str, allowed: tuple[str, ...]) -> Faults:
    if found not in allowed:
        yield _wrong(f"One of {', '.join(allowed)} is expected here.", path, found, allowed)


def _text(path: KeyPath, found: str, longest: int, *, lines: bool = False) -> Faults:
    if len(found) > longest:
        message = f"A text here has at most {longest} characters."
        yield refusal("out_of_range", message, FORMAT, path, len(found), longest)
    elif not (found.replace("\n", " ") if lines else found).isprintable():
        # Marks that turn the direction of writing are no printable characters either.
        allowed = "letters, signs and line ends" if lines else "letters and signs of one line"
        yield _wrong(f"A text here is made of {allowed}.", path, ascii(found))


def _cell(model: GridMap, path: KeyPath, cell: Cell) -> Faults:
    if not (0 <= cell[0] < model.width and 0 <= cell[1] < model.height):
        yield _off(path, cell)


def _spot(model: GridMap, path: KeyPath, spot: Spot) -> Faults:
    # On the last edge is no longer in a cell, but walls end there.
    if not (0 <= spot[0] <= model.width and 0 <= spot[1] <= model.height):
        yield _off(path, spot)


def _inside(model: GridMap, path: KeyPath, spot: Spot) -> Faults:
    if not (0 <= spot[0] < model.width and 0 <= spot[1] < model.height):
        yield _off(path, spot)


def _off(path: KeyPath, spot: tuple[float, float]) -> RuleProblem:
    return _wrong("This lies off the map.", path, f"{spot[0]:g}, {spot[1]:g}")


def _spans(model: GridMap, path: KeyPath, spans: Iterable[tuple[int, int, int]]) -> Faults:
    for index, (y, first, last) in enumerate(spans):
        if not (0 <= y < model.height and 0 <= first < last <= model.width):
            message = "A row of cells is on the map and has one cell or more."
            yield _wrong(message, (*path, index), f"{y}, {first}, {last}")


def _unique(name: str, ids: list[str]) -> Faults:
    seen: set[str] = set()
    for index, one in enumerate(ids):
        path = (name, index, "id")
        yield from _text(path, one, MAX_NAME)
        if not one or one in seen:
            yield _wrong("Every id is there once.", path, one)
        seen.add(one)


def _head(model: GridMap) -> Faults:
    yield from _text(("title",), model.title, MAX_NAME)
    yield from _text(("theme",), model.theme, MAX_NAME)
    yield from _whole(("generator_version",), model.generator_version, 0, MAX_VERSION)
    yield from _whole(("seed",), model.seed, 0, MAX_SEED)
    yield from _whole(("attempt",), model.attempt, 0, MAX_VERSION)
    yield from _whole(("feet",), model.feet, 1, MAX_FEET)
    yield from _one_of(("ambient",), model.ambient, AMBIENTS)
    for name, cell in (("entrance", model.entrance), ("goal", model.goal)):
        if cell is not None:
            yield from _cell(model, (name,), cell)
    if model.extent is not None:
        for key, covered, cells in zip(("x", "y"), model.extent, (model.width, model.height), strict=True):
            if not cells - 1 < covered <= cells:
                message = "A picture ends inside the last cells of a map, or covers them."
                yield _wrong(message, ("extent", key), covered, cells)


def _room(model: GridMap, room: Room, path: KeyPath) -> Faults:
    yield from _text((*path, "name"), room.name, MAX_NAME)
    for key, texts in (("tags", room.tags), ("notes", room.notes)):
        for index, text in enumerate(texts):
            yield from _text((*path, key, index), text, MAX_NOTE, lines=key == "notes")
    yield from _whole((*path, "number"), room.number, 0, MOST["rooms"])
    last = room.x + room.width - 1, room.y + room.height - 1
    if room.width < 1 or room.height < 1:
        yield _wrong("A room has a cell or more.", path, f"{room.width} by {room.height}")
    yield from _cell(model, path, (room.x, room.y))
    yield from _cell(model, path, last)
    yield from _spans(model, (*path, "spans"), room.spans)


def _passages(model: GridMap) -> Faults:
    rooms = {room.id for room in model.rooms}
    doors = {door.id for door in model.doors}
    for index, way in enumerate(model.passages):
        for key, room in (("start", way.start), ("end", way.end)):
            if room not in rooms:
                yield _wrong("There is no such room.", ("passages", index, key), room)
        for step, door in enumerate(way.doors):
            if door not in doors:
                yield _wrong("There is no such door.", ("passages", index, "doors", step), door)


def _door(model: GridMap, door: Door, path: KeyPath) -> Faults:
    yield from _text((*path, "note"), door.note, MAX_NOTE, lines=True)
    longest = max(model.width, model.height)
    if not 1 <= door.span <= longest:
        yield _range((*path, "span"), door.span, (1, longest))
        return
    for cell in door.cells:
        yield from _cell(model, (*path, "at"), cell)
    if door.ends is not None:
        for index, (end, other) in enumerate(zip(_in_order(door), door.grid_bounds, strict=True)):
            yield from _spot(model, (*path, "ends", index), end)
            if not math.dist(end, other) <= MAX_ASIDE:
                message = "A door ends beside the cells that it is on."
                yield _wrong(message, (*path, "ends", index), f"{end[0]:g}, {end[1]:g}")
        if door.ends[0] == door.ends[1]:
            yield _wrong("A door has two ends.", (*path, "ends"), f"{door.length:g}")
    if door.edge is not None:
        sides = ("e", "w") if door.axis is Axis.EAST_WEST else ("n", "s")
        yield from _one_of((*path, "edge"), door.edge, sides)


def _in_order(door: Door) -> list[Spot]:
    return sorted(door.ends or (), key=lambda spot: spot[door.axis is Axis.EAST_WEST])


def _wall(model: GridMap, wall: Wall, path: KeyPath) -> Faults:
    if len(wall.points) < 2:
        yield _wrong("A wall has two points or more.", (*path, "points"), len(wall.points), 2)
    for index, spot in enumerate(wall.points):
        yield from _spot(model, (*path, "points", index), spot)


def _light(model: GridMap, light: Light, path: KeyPath) -> Faults:
    yield from _inside(model, (*path, "at"), light.at)
    yield from _text((*path, "kind"), light.kind, MAX_NAME)
    if not 0 <= light.dim <= MAX_LIGHT:
        yield _range((*path, "dim"), light.dim, (0, int(MAX_LIGHT)))
    if not 0 <= light.bright <= light.dim:
        yield _wrong("Bright light reaches no farther than light at all.", (*path, "bright"), light.bright)
    if not _COLOUR.fullmatch(light.color):
        yield _wrong("A colour is #rrggbb.", (*path, "color"), light.color, "#rrggbb")


def _prop(model: GridMap, prop: Prop, path: KeyPath) -> Faults:
    yield from _text((*path, "kind"), prop.kind, MAX_NAME)
    for key, size in (("width", prop.width), ("height", prop.height)):
        if not 0 < size <= MAX_PROP:
            yield _range((*path, key), size, (0, int(MAX_PROP)))
    if not -360 <= prop.turn <= 360:
        yield _range((*path, "turn"), prop.turn, (-360, 360))
    # The canopy of a tree may reach beyond the map; its middle does not.
    middle = prop.x + prop.width / 2, prop.y + prop.height / 2
    if not all(map(math.isfinite, middle)):
        yield _off(path, middle)
    else:
        yield from _spot(model, path, middle)


def _small(model: GridMap) -> Faults:
    for index, trap in enumerate(model.traps):
        path: KeyPath = ("traps", index)
        yield from _text((*path, "kind"), trap.kind, MAX_NAME)
        yield from _text((*path, "note"), trap.note, MAX_NOTE, lines=True)
        yield from _cell(model, (*path, "at"), trap.at)
        yield from _cell(model, path, (trap.at[0] + trap.width - 1, trap.at[1] + trap.height - 1))
        if trap.width < 1 or trap.height < 1:
            yield _wrong("A trap has a cell or more.", path, f"{trap.width} by {trap.height}")
    for index, stairs in enumerate(model.stairs):
        yield from _cell(model, ("stairs", index, "at"), stairs.at)
        yield from _one_of(("stairs", index, "facing"), stairs.facing, SIDES)
    for index, zone in enumerate(model.zones):
        path = ("zones", index)
        for key, text in (("kind", zone.kind), ("name", zone.name), ("side", zone.side)):
            yield from _text((*path, key), text, MAX_NAME)
        yield from _spans(model, (*path, "spans"), zone.spans)
    for index, note in enumerate(model.notes):
        yield from _spot(model, ("notes", index, "at"), note.at)
        yield from _text(("notes", index, "text"), note.text, MAX_NOTE, lines=True)
