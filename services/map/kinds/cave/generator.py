"""Makes caves: parameters to a grid map that is ready to be inspected.

    parameters -> hollows (noise, cellular automaton, one cave) -> chambers -> mouths, goal
    -> growth (pools, chasms, patches) -> legend -> GridMap

Every stage draws from a stream of its own, so that none disturbs another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from services.map.generation.gate import GateReport
from services.map.generation.grid.canonical import from_data, to_bytes
from services.map.generation.grid.model import (
    Cell,
    GridKind,
    GridMap,
    Light,
    Passage,
    Prop,
    Room,
    Stairs,
)
from services.map.generation.grid.secrets import for_players
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.cave.chambers import (
    chamber_spans,
    chamber_ways,
    choose_mouths,
    find_chambers,
    steps_from,
)
from services.map.kinds.cave.gates import inspect_cave
from services.map.kinds.cave.growth import grow_patches, spots_by_rock, strew
from services.map.kinds.cave.hollows import dig_loops, hollow_out, join_hollows, roughen
from services.map.kinds.cave.legend import Entry, make_legend
from services.map.kinds.cave.parameters import CaveParameters, check_parameters
from services.map.kinds.cave.themes import LOOKS, CaveLook
from services.map.kinds.dungeon.chance import Bytes, Ints, start
from services.map.kinds.dungeon.naming import Words, made_name
from services.rules.engine.codec import Codec
from services.rules.engine.problem import RuleProblem

GENERATOR_VERSION = 1

_NARROW, _WIDE = 0.32, 0.22
"""Share of floor at openness 0, and how much more at openness 1."""
_DEEP = 0.9
"""The goal is at least so far in, as a share of the farthest there is."""
_FLOOR_A_LOOP = 300
_STEPS = {"s": (0, 1), "w": (-1, 0), "n": (0, -1), "e": (1, 0)}
_INWARDS = ("swne", "wsne", "nwes", "ensw")
"""From each side of the map: the sides to step off stairs at, the best first."""
_DAYLIGHT = (3.0, 9.0, "#fff3d6")


@dataclass(frozen=True, slots=True, eq=False)
class _Hollows:
    cells: Bytes
    open_cells: Bytes
    label: Ints
    chambers: Ints
    spans: Ints
    boxes: Ints
    ways: list[tuple[int, int, int]]
    mouths: list[tuple[int, int, int]]
    goal: Cell
    far: Ints


def _hollows(parameters: CaveParameters, seed: int, attempt: int) -> _Hollows:
    share = _NARROW + _WIDE * parameters.openness
    state = start(seed, "cave hollows", attempt)
    floor = hollow_out(parameters.width, parameters.height, share, parameters.roughness, state)
    join_hollows(floor, start(seed, "cave joints", attempt))
    dig_loops(floor, int(floor.sum()) // _FLOOR_A_LOOP + 1, start(seed, "cave loops", attempt))
    roughen(floor, parameters.roughness, start(seed, "cave walls", attempt))
    chambers, label, steps = find_chambers(floor)
    spans, boxes = chamber_spans(label, steps, chambers)
    ways = [(a, b, width) for a, b, width in chamber_ways(label, len(chambers)).tolist()]
    mouths = choose_mouths(floor, parameters.entrances, start(seed, "cave mouths", attempt))
    far = steps_from(floor, int(mouths[0, 0]), int(mouths[0, 1]))
    goal = _goal(floor, far, chambers)
    cells = np.where(floor == 1, np.uint8(Terrain.FLOOR), np.uint8(Terrain.ROCK))
    return _Hollows(
        cells,
        floor,
        label,
        chambers,
        spans,
        boxes,
        ways,
        [(x, y, side) for x, y, side in mouths.tolist()],
        goal,
        far,
    )


def _goal(floor: Bytes, far: Ints, chambers: Ints) -> Cell:
    """The middle of the roomiest chamber that is deep inside, or else the deepest cell."""
    deepest = int(far.max())
    depths = far[chambers[:, 1], chambers[:, 0]]
    deep = np.nonzero(depths >= _DEEP * deepest)[0]
    if len(deep):
        best = deep[np.argmax(chambers[deep, 2])]
        return int(chambers[best, 0]), int(chambers[best, 1])
    y, x = divmod(int(far.argmax()), far.shape[1])
    return x, y


def _fill(parameters: CaveParameters, look: CaveLook, hollows: _Hollows, seed: int, attempt: int) -> None:
    """Pools, chasms, growth and rubble; the cells are changed."""
    cells, open_cells = hollows.cells, hollows.open_cells
    area = int(open_cells.sum())
    keep = np.zeros_like(cells)
    x, y = hollows.goal
    keep[y - 1 : y + 2, x - 1 : x + 2] = 1
    for x, y, _ in hollows.mouths:
        keep[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3] = 1
    pools, chasms = int(0.3 * parameters.water * area), int(0.2 * parameters.chasms * area)
    growth = int(0.35 * parameters.growth * area)
    state = start(seed, "cave pools", attempt)
    grow_patches(cells, open_cells, keep, pools, 14 + area // 60, look.pool, look.shore, state)
    state = start(seed, "cave chasms", attempt)
    grow_patches(cells, open_cells, keep, chasms, 12 + area // 120, Terrain.CHASM, Terrain.RUBBLE, state)
    state = start(seed, "cave growth", attempt)
    grow_patches(cells, open_cells, keep, growth, 12, look.growth, 0, state)
    strew(cells, Terrain.RUBBLE, 60, start(seed, "cave rubble", attempt))


def _rooms(hollows: _Hollows, legend: list[Entry]) -> tuple[Room, ...]:
    spans: list[list[tuple[int, int, int]]] = [[] for _ in legend]
    for chamber, y, first, last in hollows.spans.tolist():
        spans[chamber].append((y, first, last))
    boxes = hollows.boxes.tolist()
    rooms = []
    for number, entry in enumerate(legend, 1):
        left, top, right, bottom = boxes[entry.chamber]
        rooms.append(
            Room(
                f"room-{number}",
                number,
                left,
                top,
                right - left,
                bottom - top,
                entry.name,
                entry.role,
                (),
                entry.notes,
                tuple(spans[entry.chamber]),
            )
        )
    return tuple(rooms)


def _facing(open_cells: Bytes, x: int, y: int, side: int) -> str:
    """Where one steps off the stairs: inwards, if one can walk there."""
    for face in _INWARDS[side]:
        dx, dy = _STEPS[face]
        if open_cells[y + dy, x + dx]:
            return face
    return _INWARDS[side][0]


def _furniture(
    parameters: CaveParameters,
    look: CaveLook,
    hollows: _Hollows,
    legend: list[Entry],
    seed: int,
    attempt: int,
) -> tuple[tuple[Prop, ...], tuple[Light, ...]]:
    """Crystals and other lights, and what lies at the walls."""
    choices = Words(seed, "cave furniture", attempt)
    lit = [choices.chance(parameters.lights) for _ in legend]
    wanted = np.array([1 + choices.below(3) for _ in legend], np.int32)
    lights: list[Light] = []
    props: list[Prop] = []
    last = -1
    spots = spots_by_rock(hollows.cells, hollows.spans, wanted, start(seed, "cave spots", attempt))
    mouths = {(x, y) for x, y, _ in hollows.mouths}
    for chamber, x, y in spots.tolist():
        if (x, y) in mouths:
            continue
        if chamber != last and lit[chamber]:
            shine = choices.choice(look.lights)
            at = (x + 0.5, y + 0.5)
            lights.append(
                Light(f"light-{len(lights) + 1}", at, shine.bright, shine.dim, shine.color, shine.kind)
            )
            kind = "mushroom" if shine.kind == "fungus" else "crystal"
        else:
            kind = choices.choice(look.props)
        last = chamber
        props.append(
            Prop(f"prop-{len(props) + 1}", kind, float(x), float(y), 1.0, 1.0, 90 * choices.below(4))
        )
    bright, dim, color = _DAYLIGHT
    for x, y, _ in hollows.mouths:
        lights.append(Light(f"light-{len(lights) + 1}", (x + 0.5, y + 0.5), bright, dim, color, "daylight"))
    return tuple(props), tuple(lights)


class CaveGenerator:
    """Makes caves, hollows in the rock; see `services.map.generation.kind.Generator`."""

    slug = "cave"
    generator_version = GENERATOR_VERSION
    codec = Codec(CaveParameters, "hearthforge/cave-parameters")
    secretive = True

    def check(self, parameters: CaveParameters) -> tuple[RuleProblem, ...]:
        """Everything that is wrong with some parameters, with paths."""
        return check_parameters(parameters)

    def draw(self, parameters: CaveParameters, seed: int, attempt: int) -> GridMap:
        """One attempt at a cave."""
        look = LOOKS[parameters.theme]
        hollows = _hollows(parameters, seed, attempt)
        choices = Words(seed, "cave words", attempt)
        title = choices.choice(look.titles).format(name=made_name(choices))
        _fill(parameters, look, hollows, seed, attempt)
        middles = hollows.chambers
        depths = hollows.far[middles[:, 1], middles[:, 0]].tolist()
        goal = int(hollows.label[hollows.goal[1], hollows.goal[0]])
        legend = make_legend(hollows.ways, depths, goal, look, choices)
        numbers = {entry.chamber: number for number, entry in enumerate(legend, 1)}
        props, lights = _furniture(parameters, look, hollows, legend, seed, attempt)
        x, y, _ = hollows.mouths[0]
        return GridMap(
            kind=GridKind.CAVE,
            generator_version=GENERATOR_VERSION,
            seed=seed,
            attempt=attempt,
            title=parameters.title or title,
            theme=parameters.theme.value,
            width=parameters.width,
            height=parameters.height,
            cells=hollows.cells.tobytes(),
            rooms=_rooms(hollows, legend),
            passages=tuple([Passage(f"room-{numbers[a]}", f"room-{numbers[b]}") for a, b, _ in hollows.ways]),
            stairs=tuple(
                Stairs(
                    f"stairs-{number}", (column, row), True, _facing(hollows.open_cells, column, row, side)
                )
                for number, (column, row, side) in enumerate(hollows.mouths, 1)
            ),
            lights=lights,
            props=props,
            entrance=(x, y),
            goal=hollows.goal,
        )

    def inspect(self, model: GridMap) -> GateReport:
        """Runs every gate over a cave."""
        return inspect_cave(model)

    def title(self, model: GridMap) -> str:
        """The cave's name."""
        return model.title

    def to_bytes(self, model: GridMap) -> bytes:
        """The map file."""
        return to_bytes(model)

    def from_data(self, data: Mapping[str, Any]) -> GridMap:
        """The map whose file was read.

        Raises:
            MapFileError: The data is no grid map of this format.
        """
        return from_data(data)

    def for_players(self, model: GridMap) -> GridMap:
        """The map without what only the game master knows."""
        return for_players(model)


GENERATOR = CaveGenerator()


def warm() -> None:
    """Compiles every kernel, or loads it from the cache on disk, by making one small cave."""
    model = GENERATOR.draw(CaveParameters(), 1, 0)
    GENERATOR.inspect(model)
    GENERATOR.to_bytes(model)
