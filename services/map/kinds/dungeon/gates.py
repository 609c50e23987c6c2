"""What every dungeon must pass, measured on the finished map (see `survey` and `routes`), whoever made it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from services.map.generation.gate import Gate, GateReport
from services.map.generation.grid.model import Axis, Cell, DoorKind, GridMap
from services.map.generation.grid.terrain import PACES, Terrain
from services.map.kinds.dungeon.chance import Bytes, Ints
from services.map.kinds.dungeon.routes import (
    check_ways,
    disjoint_routes,
    hops_between,
    join_up,
    rooms_joined,
)
from services.map.kinds.dungeon.survey import (
    CLIMBED,
    OPEN,
    SOLID,
    check_doors,
    check_props,
    examine_cells,
    flood,
    label_rooms,
)

LOOPED_FROM = 8
"""From this many rooms on a dungeon has a loop, dead-end rooms, and rooms of different sizes."""
LEAF_SHARES = (0.05, 0.30)
LEAST_AREA_VARIATION = 0.35
LEAST_JOURNEY = 0.4
FEWEST_ROOMS = 3

_GROUND = np.full(len(PACES), SOLID, np.uint8)
for _code, _pace in enumerate(PACES):
    _GROUND[_code] = OPEN if _pace else SOLID
_GROUND[int(Terrain.OBSTACLE)] = CLIMBED
_WALLS = (int(Terrain.ROCK), int(Terrain.WALL))
_FACINGS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
_IS_WALL = np.zeros(len(PACES), np.uint8)
_IS_WALL[list(_WALLS)] = 1


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A map, measured.

    Attributes:
        model: The map.
        ground: What each cell is to somebody walking.
        walls: 1 where a cell is rock or wall.
        label: The room of each cell, as an index into the rooms, or -1.
        areas: Cells of each room.
        doubled: Cells that belong to two rooms.
        doors: A row a door: column, row, 1 when walked through north and south, 1 when secret.
        hidden: Whether each room is hidden.
        plain: 1 where one comes from the entrance with secret doors shut.
        counts: Of wrong cells, see `survey.examine_cells`.
        wrong: Wrong cells of each room.
        openings: Of each room.
        entrance: The room one comes in at, -1 for none.
        goal: The room it is all about, -1 for none.
    """

    model: GridMap
    ground: Bytes
    walls: Bytes
    label: Ints
    areas: npt.NDArray[np.int64]
    doubled: int
    doors: Ints
    hidden: Ints
    plain: Bytes
    counts: list[int]
    wrong: Ints
    openings: Ints
    entrance: int
    goal: int


def _spans(model: GridMap) -> Ints:
    rows: list[tuple[int, int, int, int]] = []
    for index, room in enumerate(model.rooms):
        if room.spans:
            rows.extend([(index, y, first, last) for y, first, last in room.spans])
        else:
            first, last = room.x, room.x + room.width
            rows.extend([(index, y, first, last) for y in range(room.y, room.y + room.height)])
    return _table(4, rows)


def _table(columns: int, rows: Sequence[Sequence[float]]) -> Ints:
    """Rows of numbers as an array; fractions are dropped. Several times faster than `np.array`."""
    return np.fromiter(chain.from_iterable(rows), np.int32, columns * len(rows)).reshape(-1, columns)


def _inside(model: GridMap, cells: Iterable[Cell]) -> bool:
    return all(0 < x < model.width - 1 and 0 < y < model.height - 1 for x, y in cells)


def _frame(model: GridMap, spans: Ints) -> tuple[str, ...]:
    """What must hold before anything can be measured: a rim of rock, everything inside it, a start."""
    faults = []
    cells = np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width)
    if cells[0].any() or cells[-1].any() or cells[:, 0].any() or cells[:, -1].any():
        faults.append("the rim is not solid rock")
    if len(model.rooms) < FEWEST_ROOMS:
        faults.append(f"{len(model.rooms)} rooms")
    elif not (
        spans[:, 1].min() > 0
        and spans[:, 1].max() < model.height - 1
        and spans[:, 2].min() > 0
        and spans[:, 3].max() < model.width
        and (spans[:, 2] < spans[:, 3]).all()
    ):
        faults.append("a room is not inside")
    if not _inside(model, [door.at for door in model.doors]):
        faults.append("a door is not inside")
    if model.entrance is None or not _inside(model, [model.entrance]):
        faults.append("no entrance")
    elif model.terrain(*model.entrance) in _WALLS:
        faults.append("the entrance is in rock")
    if model.goal is None or not _inside(model, [model.goal]):
        faults.append("no goal")
    return tuple(faults)


def survey_map(model: GridMap, spans: Ints) -> Survey:
    """Measures a map whose frame is sound."""
    cells = np.frombuffer(model.cells, np.uint8).reshape(model.height, model.width)
    ground = _GROUND[cells]
    label, areas, doubled = label_rooms(model.width, model.height, spans)
    doors = _table(
        4, [(*door.at, door.axis is Axis.NORTH_SOUTH, door.kind is DoorKind.SECRET) for door in model.doors]
    )
    hidden = np.array([room.secret for room in model.rooms], np.int32)
    shut = np.zeros_like(ground)
    secret = doors[doors[:, 3] == 1]
    shut[secret[:, 1], secret[:, 0]] = 1
    x, y = model.entrance or (1, 1)
    start = y * model.width + x
    plain = np.zeros_like(ground)
    flood(ground, shut, plain, start, OPEN)
    everything = np.zeros_like(ground)
    flood(ground, np.zeros_like(shut), everything, start, OPEN)
    counts, wrong, openings = examine_cells(ground, label, shut, plain, everything, hidden)
    goal_x, goal_y = model.goal or (1, 1)
    return Survey(
        model,
        ground,
        _IS_WALL[cells],
        label,
        areas,
        int(doubled),
        doors,
        hidden,
        plain,
        counts.tolist(),
        wrong,
        openings,
        int(label[y, x]),
        int(label[goal_y, goal_x]),
    )


def _reachable(survey: Survey) -> tuple[str, ...]:
    rooms = survey.model.rooms
    faults = []
    for index in np.nonzero(survey.wrong)[0].tolist():
        how = "open to everyone" if rooms[index].secret else "cut off with secret doors shut"
        faults.append(f"{rooms[index].id} is {how}")
    if survey.counts[0]:
        faults.append(f"{survey.counts[0]} cells are out of reach")
    if survey.counts[1]:
        faults.append(f"{survey.counts[1]} obstacles are out of reach")
    x, y = survey.model.goal or (0, 0)
    if not survey.plain[y, x]:
        faults.append("the goal is out of reach")
    return tuple(faults)


def _doors(survey: Survey) -> tuple[str, ...]:
    model = survey.model
    sound = check_doors(survey.ground, survey.walls, survey.doors)
    faults = [f"{model.doors[index].id} stands badly" for index in np.nonzero(sound == 0)[0].tolist()]
    if len({door.at for door in model.doors}) < len(model.doors):
        faults.append("two doors stand in one cell")
    if (survey.label[survey.doors[:, 1], survey.doors[:, 0]] >= 0).any():
        faults.append("a door stands in a room")
    return tuple(faults)


def _dead_ends(survey: Survey) -> tuple[str, ...]:
    faults = []
    if survey.counts[2]:
        faults.append(f"{survey.counts[2]} dead ends")
    if survey.counts[3]:
        faults.append(f"{survey.counts[3]} dead ends betray a secret door")
    return tuple(faults)


def _features(survey: Survey) -> tuple[str, ...]:
    """Everything stands where it can, and nothing bars a door."""
    model = survey.model
    cells, width, height = model.cells, model.width, model.height
    walkable = survey.ground.tobytes()
    standing = [*(trap.at for trap in model.traps), *(stairs.at for stairs in model.stairs)]
    faults = [
        f"a trap or stairs cannot be at {x}, {y}"
        for x, y in standing
        if not (0 <= x < width and 0 <= y < height) or walkable[y * width + x] != OPEN
    ]
    for light in model.lights:
        x, y = int(light.at[0]), int(light.at[1])
        if not (0 <= x < width and 0 <= y < height) or cells[y * width + x] in _WALLS:
            faults.append(f"{light.id} is in rock")
        if not 0 <= light.bright <= light.dim:
            faults.append(f"{light.id} is brighter than it is wide")
    stairs = _table(2, [one.at for one in model.stairs])
    props = _table(3, [(prop.x, prop.y, prop.width) for prop in model.props])
    wrong = check_props(survey.walls, survey.doors, stairs, props)
    for index in np.nonzero(wrong)[0].tolist():
        how = "is in rock" if wrong[index] == 1 else "stands in the way"
        faults.append(f"{model.props[index].id} {how}")
    for one in model.stairs:
        dx, dy = _FACINGS[one.facing]
        if _inside(model, [one.at]) and not walkable[(one.at[1] + dy) * width + one.at[0] + dx]:
            faults.append(f"nobody can step off {one.id}")
    up = [stairs.at for stairs in model.stairs if stairs.up]
    if model.entrance not in up:
        faults.append("no stairs at the entrance")
    return tuple(faults)


def _legend(survey: Survey, stretch: Ints) -> tuple[str, ...]:
    """Numbers, ids and passages of the legend are those of the map."""
    model = survey.model
    faults = []
    if [room.number for room in model.rooms] != list(range(1, len(model.rooms) + 1)):
        faults.append("the rooms are not numbered in order")
    kinds = (model.rooms, model.doors, model.props, model.lights, model.traps, model.stairs)
    faults += ["two things have one id" for named in kinds if len({one.id for one in named}) < len(named)]
    if survey.doubled:
        faults.append(f"{survey.doubled} cells belong to two rooms")
    if not all(room.name and room.notes for room in model.rooms):
        faults.append("a room has no name or note")
    doors = {door.id: number for number, door in enumerate(model.doors)}
    secret = {door.id for door in model.doors if door.secret}
    rooms = {room.id: number for number, room in enumerate(model.rooms)}
    plain: list[tuple[int, int, int, int]] = []
    for way in model.passages:
        if not way.doors or way.secret == secret.isdisjoint(way.doors):
            faults.append(f"the passage {way.start} to {way.end} is not as secret as its doors")
        elif not way.secret:
            plain.append((doors[way.doors[0]], doors[way.doors[-1]], rooms[way.start], rooms[way.end]))
    dug = check_ways(survey.label, stretch, survey.doors, _table(4, plain))
    if not dug.all():
        faults.append(f"{int((dug == 0).sum())} passages are not dug")
    return tuple(faults)


def inspect_dungeon(model: GridMap) -> GateReport:
    """Runs every gate over a dungeon.

    The figures are the rooms, loops for each room, the share of rooms with one opening, the variation of the
    rooms' areas, the journey to the goal as a share of the longest, whether two routes lead there that share
    no step, and the share of the map that was dug out; secret doors are shut in all of them.
    """
    spans = _spans(model)
    frame = Gate("frame", _frame(model, spans))
    if not frame.passed:
        return GateReport((frame,))
    survey = survey_map(model, spans)
    rooms = len(model.rooms)
    plain_rooms = rooms - int(survey.hidden.sum())
    _, edges, nodes = join_up(survey.label, survey.plain, rooms)
    loops = len(edges) - int(nodes) + 1
    stretch, touching = rooms_joined(survey.label, survey.plain, rooms)
    entrance, goal = survey.entrance, survey.goal
    journey, widest = 0, 1
    routes = 0
    if entrance >= 0 and goal >= 0 and entrance != goal:
        journey, widest = hops_between(touching, rooms, entrance, goal)
        most = int(edges.max()) + 1 if len(edges) else rooms
        routes = disjoint_routes(edges, max(most, rooms), entrance, goal)
    areas = survey.areas
    variation = float(areas.std() / areas.mean())
    leaves = float((survey.openings == 1).mean())
    share = journey / max(widest, 1)
    checks: tuple[tuple[str, Callable[[], tuple[str, ...]]], ...] = (
        ("reachable", lambda: _reachable(survey)),
        ("loops", lambda: ("no loop",) if rooms >= LOOPED_FROM and loops < 1 else ()),
        ("doors", lambda: _doors(survey)),
        ("dead ends", lambda: _dead_ends(survey)),
        ("leaf rooms", lambda: _leaf_faults(rooms, leaves)),
        ("room sizes", lambda: _size_faults(rooms, variation)),
        ("journey", lambda: (f"{share:.2f} of the longest",) if share < LEAST_JOURNEY else ()),
        ("features", lambda: _features(survey)),
        ("legend", lambda: _legend(survey, stretch)),
    )
    figures = (
        ("rooms", float(rooms)),
        ("loops_per_room", round(loops / max(plain_rooms, 1), 4)),
        ("leaf_share", round(leaves, 4)),
        ("area_variation", round(variation, 4)),
        ("journey_share", round(share, 4)),
        ("two_disjoint_routes", float(routes > 1)),
        ("floor_share", round(1 - model.cells.count(0) / len(model.cells), 4)),
    )
    return GateReport((frame, *(Gate(name, check()) for name, check in checks)), figures)


def _leaf_faults(rooms: int, leaves: float) -> tuple[str, ...]:
    low, high = LEAF_SHARES
    return (f"{leaves:.2f} of the rooms",) if rooms >= LOOPED_FROM and not low <= leaves <= high else ()


def _size_faults(rooms: int, variation: float) -> tuple[str, ...]:
    if rooms < LOOPED_FROM or variation >= LEAST_AREA_VARIATION:
        return ()
    return (f"areas vary by {variation:.2f}",)
