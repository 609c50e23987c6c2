"""The lines that stop sight and walking, against the cells they come from, with shapely as the judge."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, MultiLineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

from services.map.exports.geometry import Barriers, barriers, segments, wall_runs
from services.map.exports.outlines import area, polygons, rings
from services.map.generation.grid.cells import mask_of
from services.map.generation.grid.model import (
    Axis,
    Door,
    DoorKind,
    DoorState,
    GridKind,
    GridMap,
    Light,
    Wall,
    WallKind,
)
from services.map.generation.grid.terrain import OPAQUE, Terrain
from services.rules.engine.grid import Grid, Square, sees

Cell = tuple[int, int]

LETTERS = {
    "#": Terrain.WALL,
    " ": Terrain.ROCK,
    ".": Terrain.FLOOR,
    "o": Terrain.PILLAR,
    "T": Terrain.TREE,
    "~": Terrain.WATER,
}


def grid_map(*rows: str, **fields: object) -> GridMap:
    """A map from rows of letters."""
    cells = bytes(LETTERS[letter] for row in rows for letter in row)
    made = {"kind": GridKind.DUNGEON, "generator_version": 1, "seed": 5, "attempt": 0, "title": "Test"}
    made |= {"theme": "crypt", "width": len(rows[0]), "height": len(rows), "cells": cells}
    return GridMap(**(made | fields))  # type: ignore[arg-type]


def fits(cells: np.ndarray, door: Door) -> bool:
    """Whether wall stands on both sides of a doorway and ground before and behind it."""
    x, y = door.at
    thick = (Terrain.ROCK, Terrain.WALL)
    if door.axis is Axis.EAST_WEST:
        sides, ways = ((x, y - 1), (x, y + door.span)), ((x - 1, y), (x + 1, y))
    else:
        sides, ways = ((x - 1, y), (x + door.span, y)), ((x, y - 1), (x, y + 1))
    return all(cells[b, a] in thick for a, b in sides) and all(cells[b, a] == Terrain.FLOOR for a, b in ways)


@st.composite
def cell_maps(draw: st.DrawFn) -> GridMap:
    """Maps of random cells with doors in doorways."""
    width, height = draw(st.integers(4, 14)), draw(st.integers(4, 11))
    weights = [Terrain.FLOOR] * 6 + [Terrain.ROCK] * 3 + [Terrain.WALL, Terrain.TREE, Terrain.PILLAR]
    drawn = draw(st.lists(st.sampled_from(weights), min_size=width * height, max_size=width * height))
    cells = np.array(drawn, dtype=np.uint8).reshape(height, width)
    spots = st.tuples(st.integers(1, width - 2), st.integers(1, height - 2), st.sampled_from(Axis))
    doors = []
    for number, (x, y, axis) in enumerate(draw(st.lists(spots, max_size=5, unique_by=lambda spot: spot[:2]))):
        across = axis is Axis.EAST_WEST
        cells[y, x - 1 : x + 2] = Terrain.FLOOR if across else Terrain.ROCK
        cells[y - 1 : y + 2, x] = Terrain.ROCK if across else Terrain.FLOOR
        cells[y, x] = Terrain.FLOOR
        kind = draw(st.sampled_from([DoorKind.WOODEN, DoorKind.SECRET, DoorKind.ARCH]))
        doors.append(Door(f"door-{number}", (x, y), axis, kind, draw(st.sampled_from(DoorState))))
    places = {door.at for door in doors}
    kept = []
    for door in doors:
        x, y = door.at
        across = door.axis is Axis.EAST_WEST
        ways = {(x - 1, y), (x + 1, y)} if across else {(x, y - 1), (x, y + 1)}
        if cells[y, x] == Terrain.FLOOR and fits(cells, door) and not ways & places:
            kept.append(door)
    spot = st.tuples(st.floats(0, width, exclude_max=True), st.floats(0, height, exclude_max=True))
    spots_of_light = draw(st.lists(spot, max_size=3))
    lights = tuple(
        Light(f"light-{index}", at, 2.0, 4.5, "#12ab9f") for index, at in enumerate(spots_of_light)
    )
    return GridMap(
        GridKind.DUNGEON,
        1,
        7,
        0,
        "Random",
        "crypt",
        width,
        height,
        cells.tobytes(),
        draw(st.sampled_from(("bright", "dim", "dark"))),
        doors=tuple(kept),
        lights=lights,
    )


@st.composite
def walled_maps(draw: st.DrawFn) -> GridMap:
    """Open ground with thin walls on grid lines and slantwise, and doors on edges."""
    width, height = draw(st.integers(4, 12)), draw(st.integers(4, 9))
    corner = st.tuples(st.integers(0, width), st.integers(0, height))
    walls = []
    for (x0, y0), (x1, y1) in draw(st.lists(st.tuples(corner, corner), max_size=8)):
        level = draw(st.booleans())
        end = (x1, y0) if level else (x0, y1)
        if draw(st.booleans()):
            end = (x1, y1)
        if (x0, y0) != end:
            walls.append(Wall(((float(x0), float(y0)), (float(end[0]), float(end[1])))))
    doors = []
    for number, wall in enumerate(walls):
        (x0, y0), (x1, y1) = wall.points
        if y0 == y1 and 0 < y0 < height and abs(x1 - x0) >= 2:
            at = (int(min(x0, x1)), int(y0))
            doors.append(Door(f"door-{number}", at, Axis.NORTH_SOUTH, edge="n"))
    return GridMap(
        GridKind.BATTLE,
        1,
        7,
        0,
        "Walls",
        "village",
        width,
        height,
        bytes([Terrain.GRASS]) * (width * height),
        walls=tuple(walls),
        doors=tuple(doors),
    )


def alike(one: BaseGeometry, other: BaseGeometry) -> bool:
    """Whether two drawings are the same lines, whatever points they are cut at."""
    rest = one.difference(other.buffer(1e-7)).length + other.difference(one.buffer(1e-7)).length
    return bool(rest < 1e-6)


def shut(found: Barriers, doors: bool = True) -> list[LineString]:
    """Every line that stops sight."""
    lines = [LineString(line) for line in (*found.walls, *found.objects)]
    return lines + ([LineString(door.bounds) for door in found.doors] if doors else [])


def stopping(model: GridMap, doors: bool) -> set[Cell]:
    """Cells that stop sight by themselves, or by the shut door that fills them."""
    cells = {
        (index % model.width, index // model.width) for index, code in enumerate(model.cells) if OPAQUE[code]
    }
    if doors:
        for door in model.doors:
            if door.edge is None and door.kind is not DoorKind.ARCH:
                cells |= set(door.cells)
    return cells


def components(model: GridMap, stopped: set[Cell]) -> dict[Cell, int]:
    """The number of the joined piece that each open cell belongs to."""
    found: dict[Cell, int] = {}
    for y in range(model.height):
        for x in range(model.width):
            if (x, y) in stopped or (x, y) in found:
                continue
            waiting = [(x, y)]
            found[(x, y)] = len(found)
            number = found[(x, y)]
            while waiting:
                a, b = waiting.pop()
                for to in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
                    inside = 0 <= to[0] < model.width and 0 <= to[1] < model.height
                    if inside and to not in stopped and to not in found:
                        found[to] = number
                        waiting.append(to)
    return found


def faces(model: GridMap, lines: Iterable[LineString]) -> list[Polygon]:
    """The pieces the lines cut a map into."""
    frame = box(0, 0, model.width, model.height)
    inside = [line.intersection(frame) for line in lines]
    return list(polygonize(unary_union([*inside, frame.exterior])))


def through_corner(one: Cell, other: Cell) -> bool:
    """Whether the line between two cells' middles passes the very corner of a cell."""
    (x0, y0), (x1, y1) = one, other
    if x0 == x1 or y0 == y1:
        return False
    slope = Fraction(y1 - y0, x1 - x0)
    crossed = range(min(x0, x1) + 1, max(x0, x1) + 1)
    return any((y0 + Fraction(1, 2) + slope * (x - x0 - Fraction(1, 2))).denominator == 1 for x in crossed)


@pytest.mark.parametrize("doors", [True, False])
@settings(max_examples=60)
@given(model=cell_maps())
def test_no_gap_and_no_wall_too_many(model: GridMap, doors: bool) -> None:
    stopped = stopping(model, doors)
    pieces = components(model, stopped)
    cut = faces(model, shut(barriers(model), doors))
    tree = shapely.STRtree(cut)
    by_face: dict[int, set[int]] = {}
    face_of: dict[int, set[int]] = {}
    for (x, y), piece in pieces.items():
        (face,) = tree.query(Point(x + 0.5, y + 0.5), predicate="within").tolist()
        by_face.setdefault(face, set()).add(piece)
        face_of.setdefault(piece, set()).add(face)
    assert all(len(found) == 1 for found in by_face.values())
    assert all(len(found) == 1 for found in face_of.values())


@settings(max_examples=60)
@given(cell_maps(), st.randoms(use_true_random=False))
def test_a_line_of_sight_is_stopped_by_lines_just_when_cells_stop_it(
    model: GridMap, random: st.DataObject
) -> None:
    stopped = stopping(model, doors=True)
    doorways = {cell for door in model.doors for cell in door.cells}
    free = [
        (x, y)
        for y in range(model.height)
        for x in range(model.width)
        if (x, y) not in stopped and (x, y) not in doorways
    ]
    grid = Grid(model.width, model.height, tuple(Square(*cell) for cell in sorted(stopped)))
    tree = shapely.STRtree(shut(barriers(model)))
    for _ in range(40):
        if len(free) < 2:
            return
        one, other = random.sample(free, 2)  # type: ignore[attr-defined]
        if through_corner(one, other):
            continue
        ray = LineString([(one[0] + 0.5, one[1] + 0.5), (other[0] + 0.5, other[1] + 0.5)])
        stopped_by_lines = len(tree.query(ray, predicate="intersects")) > 0
        assert stopped_by_lines is not sees(grid, Square(*one), Square(*other))


@settings(max_examples=60)
@given(st.one_of(cell_maps(), walled_maps()))
def test_runs_are_as_long_as_can_be_and_lie_on_each_other_nowhere(model: GridMap) -> None:
    ends = {end for door in model.doors if door.kind is not DoorKind.ARCH for end in door.bounds}
    on: dict[tuple[bool, float], list[tuple[float, float]]] = {}
    for (x0, y0), (x1, y1) in wall_runs(model):
        if x0 == x1:
            on.setdefault((True, x0), []).append((y0, y1))
        elif y0 == y1:
            on.setdefault((False, y0), []).append((x0, x1))
    for (upright, at), runs in on.items():
        for before, after in pairwise(sorted(runs)):
            assert before[1] <= after[0]
            if before[1] == after[0]:
                assert ((at, after[0]) if upright else (after[0], at)) in ends


@settings(max_examples=60)
@given(st.one_of(cell_maps(), walled_maps()))
def test_joined_walls_are_the_same_lines_as_the_runs(model: GridMap) -> None:
    runs = sorted(tuple(sorted(run)) for run in wall_runs(model))
    assert sorted(tuple(sorted(piece)) for piece in segments(barriers(model).walls)) == runs


@settings(max_examples=80)
@given(walled_maps())
def test_thin_walls_stand_whole_but_for_the_doors(model: GridMap) -> None:
    asked = unary_union([LineString(wall.points) for wall in model.walls] or [LineString()])
    doors = unary_union([LineString(door.bounds) for door in model.doors] or [LineString()])
    found = unary_union([LineString(line) for line in barriers(model).walls] or [LineString()])
    assert alike(found, asked.difference(doors.buffer(1e-9)))


def test_a_doorway_has_its_jambs_and_the_walls_end_where_the_door_does() -> None:
    model = grid_map(
        "#####",
        "#.#.#",
        "#...#",
        "#.#.#",
        "#####",
        doors=(Door("door-1", (2, 2), Axis.EAST_WEST),),
    )
    runs = set(wall_runs(model))
    assert {((2.0, 2.0), (2.5, 2.0)), ((2.5, 2.0), (3.0, 2.0))} <= runs
    assert {((2.0, 3.0), (2.5, 3.0)), ((2.5, 3.0), (3.0, 3.0))} <= runs
    ends = {end for line in barriers(model).walls for end in (line[0], line[-1])}
    assert {(2.5, 2.0), (2.5, 3.0)} <= ends


def test_a_doorway_is_open_whatever_its_cell_is_drawn_as() -> None:
    door = Door("door-1", (1, 1), Axis.EAST_WEST)
    as_wall, as_floor = (grid_map("###", f".{cell}.", "###", doors=(door,)) for cell in "#.")
    assert wall_runs(as_wall) == wall_runs(as_floor)
    assert ((1.0, 1.0), (1.0, 2.0)) not in wall_runs(as_wall)


def test_an_arch_is_a_gap_in_the_walls_and_no_door() -> None:
    arch = Door("door-1", (1, 1), Axis.NORTH_SOUTH, DoorKind.ARCH, edge="n")
    model = grid_map("...", "...", walls=(Wall(((0.0, 1.0), (3.0, 1.0))),), doors=(arch,))
    found = barriers(model)
    assert set(found.walls) == {((0.0, 1.0), (1.0, 1.0)), ((2.0, 1.0), (3.0, 1.0))}
    assert found.doors == ()


def test_the_edge_of_the_map_is_no_wall() -> None:
    assert barriers(grid_map("...", "...")).walls == ()
    assert wall_runs(grid_map("#..")) == (((1.0, 0.0), (1.0, 1.0)),)


def test_walls_of_other_kinds_stand_apart_and_gates_open_fences() -> None:
    walls = (
        Wall(((0.0, 1.0), (1.0, 1.0)), WallKind.WINDOW),
        Wall(((1.0, 1.0), (3.0, 1.0)), WallKind.FENCE),
        Wall(((3.0, 1.0), (3.0, 2.0)), WallKind.LOW),
    )
    gate = Door("door-1", (1, 1), Axis.NORTH_SOUTH, DoorKind.GATE, edge="n")
    found = barriers(grid_map("...", "...", walls=walls, doors=(gate,)))
    assert found.walls == ()
    assert found.windows == (((0.0, 1.0), (1.0, 1.0)),)
    assert found.fences == (((2.0, 1.0), (3.0, 1.0)),)
    assert found.low == (((3.0, 1.0), (3.0, 2.0)),)
    assert found.doors == (gate,)


def test_a_pillar_is_a_closed_line_of_its_own() -> None:
    found = barriers(grid_map("...", ".o.", "..."))
    assert found.walls == ()
    (ring,) = found.objects
    assert ring[0] == ring[-1]
    assert set(ring) == {(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)}


@settings(max_examples=120)
@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_outlines_of_cells_are_valid_shapes_of_just_these_cells(
    width: int, height: int, data: st.DataObject
) -> None:
    drawn = data.draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    mask = np.array(drawn, dtype=np.bool_).reshape(height, width)
    shapes = [Polygon(shape[0], shape[1:]) for shape in polygons(mask)]
    assert all(shape.is_valid for shape in shapes)
    cells = [box(x, y, x + 1, y + 1) for y, x in zip(*np.nonzero(mask), strict=True)]
    assert unary_union(shapes).symmetric_difference(unary_union(cells)).area == 0
    assert sum(map(area, rings(mask))) == mask.sum() == sum(shape.area for shape in shapes)
    assert all(area(shape[0]) > 0 and all(area(hole) < 0 for hole in shape[1:]) for shape in polygons(mask))


def test_rows_off_the_map_are_left_out() -> None:
    assert mask_of([(0, -2, 1), (1, 1, 9), (7, 0, 2)], 3, 2).tolist() == [
        [True, False, False],
        [False, True, True],
    ]


def test_lines_are_made_of_two_points_or_more() -> None:
    model = grid_map("#.", ".#")
    assert MultiLineString([list(line) for line in barriers(model).walls]).length == 4
