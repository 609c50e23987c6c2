"""Universal VTT files from anywhere: what they become, and everything that can be wrong with them."""

from __future__ import annotations

import base64
import copy
import json
import math
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from services.map.exports import uvtt_file
from services.map.exports.foundry import Profile, to_foundry
from services.map.exports.geometry import barriers
from services.map.exports.refusals import MOST_PROBLEMS
from services.map.exports.soundness import faults
from services.map.exports.uvtt import to_uvtt
from services.map.exports.uvtt_import import Imported, from_uvtt
from services.map.generation.grid import canonical
from services.map.generation.grid.model import Axis, Door, GridKind, GridMap, Wall, WallKind
from services.map.generation.grid.terrain import Terrain
from services.rules.engine.problem import Problems
from tests.at_length import part_or_whole
from tests.map.test_exports_geometry import alike, cell_maps, walled_maps
from tests.map.test_exports_uvtt import PNG

GOOD: dict[str, Any] = {
    "format": 0.3,
    "resolution": {
        "map_origin": {"x": 0, "y": 0},
        "map_size": {"x": 6, "y": 4},
        "pixels_per_grid": 70,
    },
    "line_of_sight": [[{"x": 0.0, "y": 1.0}, {"x": 2.0, "y": 1.0}], [{"x": 3, "y": 1}, {"x": 6, "y": 1}]],
    "objects_line_of_sight": [],
    "portals": [
        {
            "position": {"x": 2.5, "y": 1.0},
            "bounds": [{"x": 2.0, "y": 1.0}, {"x": 3.0, "y": 1.0}],
            "rotation": 0.0,
            "closed": True,
            "freestanding": False,
        }
    ],
    "environment": {"baked_lighting": False, "ambient_light": "ff000000"},
    "lights": [
        {
            "position": {"x": 1.5, "y": 2.5},
            "range": 4.0,
            "intensity": 1.0,
            "color": "ffff8800",
            "shadows": True,
        }
    ],
    "image": base64.b64encode(PNG).decode(),
}


def good(**changed: Any) -> dict[str, Any]:
    return copy.deepcopy(GOOD) | changed


def imported(document: dict[str, Any]) -> Imported:
    found = from_uvtt(json.dumps(document).encode())
    assert isinstance(found, Imported), str(found)
    assert list(faults(found.model)) == []
    assert canonical.from_data(json.loads(canonical.to_bytes(found.model))) == found.model
    return found


def problems(document: object) -> set[tuple[str, tuple[str | int, ...]]]:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    found = from_uvtt(data)
    assert isinstance(found, Problems)
    return {(problem.code, problem.path) for problem in found}


def drawn(lines: Iterable[Iterable[tuple[float, float]]]) -> BaseGeometry:
    return unary_union([LineString(line) for line in lines] or [LineString()])


def portal(*bounds: tuple[float, float], closed: bool = True) -> dict[str, Any]:
    return {"bounds": [{"x": x, "y": y} for x, y in bounds], "closed": closed}


def line(*spots: tuple[float, float]) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in spots]


def test_lines_portals_and_lights_become_walls_doors_and_lights() -> None:
    found = imported(good())
    model = found.model
    assert (model.kind, model.width, model.height) == (GridKind.IMPORTED, 6, 4)
    assert model.cells == bytes([Terrain.FLOOR]) * 24
    assert model.walls == (Wall(((0.0, 1.0), (2.0, 1.0))), Wall(((3.0, 1.0), (6.0, 1.0))))
    assert [door.bounds for door in model.doors] == [((2.0, 1.0), (3.0, 1.0))]
    (light,) = model.lights
    assert (light.at, light.bright, light.dim, light.color) == ((1.5, 2.5), 2.0, 4.0, "#ff8800")
    assert model.ambient == "dark"
    assert (found.image, found.media_type, found.pixels_per_grid) == (PNG, "image/png", 70)


@settings(max_examples=60)
@given(st.one_of(cell_maps(), walled_maps()))
def test_what_we_write_comes_back(model: GridMap) -> None:
    found = imported(json.loads(to_uvtt(model, PNG, 50))).model
    before, after = barriers(model), barriers(found)
    assert alike(drawn(after.walls), drawn(before.walls))
    assert after.objects == before.objects
    assert {door.bounds for door in found.doors} == {door.bounds for door in before.doors}
    assert [(one.at, one.dim, one.color) for one in found.lights] == [
        (one.at, one.dim, one.color) for one in model.lights
    ]
    assert (found.width, found.height, found.ambient) == (model.width, model.height, model.ambient)


def test_windows_come_back_as_windows() -> None:
    found = imported(good(portals=[portal((1, 2), (2, 2), closed=False)]))
    windows = [wall for wall in found.model.walls if wall.kind is WallKind.WINDOW]
    assert windows == [Wall(((1.0, 2.0), (2.0, 2.0)), WallKind.WINDOW)]
    assert found.model.doors == ()


@pytest.mark.parametrize(
    ("bounds", "door"),
    [
        (((2, 1), (4, 1)), Door("door-1", (2, 1), Axis.NORTH_SOUTH, edge="n", span=2)),
        (((4, 1), (2, 1)), Door("door-1", (2, 1), Axis.NORTH_SOUTH, edge="n", span=2)),
        (((3, 1), (3, 2)), Door("door-1", (3, 1), Axis.EAST_WEST, edge="w")),
        (((3.5, 1), (3.5, 3)), Door("door-1", (3, 1), Axis.EAST_WEST, span=2)),
        (((2, 2.5), (3, 2.5)), Door("door-1", (2, 2), Axis.NORTH_SOUTH)),
        (((6, 1), (6, 2)), Door("door-1", (5, 1), Axis.EAST_WEST, edge="e")),
        (((1, 4), (2, 4)), Door("door-1", (1, 3), Axis.NORTH_SOUTH, edge="s")),
    ],
)
def test_a_portal_on_the_grid_is_the_door_of_just_these_ends(
    bounds: tuple[tuple[float, float], ...], door: Door
) -> None:
    model = imported(good(portals=[portal(*bounds)], line_of_sight=[])).model
    assert model.doors == (door,)
    assert set(model.doors[0].bounds) == set(bounds)
    assert model.walls == ()


@settings(max_examples=80)
@given(st.floats(0.2, 4.5), st.floats(0.3, 1.4), st.floats(-0.24, 0.24))
def test_a_portal_beside_the_grid_leaves_no_gap(start: float, length: float, off: float) -> None:
    """Nobody slips past a door that had to be moved: walls and door part the map as the portal did."""
    end, y = start + length, 2 + off
    wall = [line((0, y), (start, y)), line((end, y), (6, y))]
    model = imported(good(portals=[portal((start, y), (end, y))], line_of_sight=wall)).model
    (door,) = model.doors
    shut = drawn([*barriers(model).walls, door.bounds])
    assert shut.buffer(1e-7).intersects(LineString([(0.05, 0), (0.05, 4)]))
    north, south = LineString([(0, 0.5), (6, 0.5)]), LineString([(0, 3.5), (6, 3.5)])
    pieces = box(0, 0, 6, 4).difference(shut.buffer(1e-7)).geoms
    assert not any(piece.intersects(north) and piece.intersects(south) for piece in pieces)


def test_a_slanting_portal_becomes_wall_and_the_game_master_is_told() -> None:
    model = imported(good(portals=[portal((1, 1), (2, 2))], line_of_sight=[])).model
    assert model.doors == ()
    assert model.walls == (Wall(((1.0, 1.0), (2.0, 2.0))),)
    (note,) = model.notes
    assert note.secret
    assert note.at == (1.5, 1.5)


def test_a_cropped_map_begins_at_its_origin_and_ends_at_its_edge() -> None:
    resolution = {"map_origin": {"x": -3, "y": 10}, "map_size": {"x": 4, "y": 3}, "pixels_per_grid": 100}
    found = imported(
        good(
            resolution=resolution,
            line_of_sight=[line((-5, 11), (0, 11), (9, 11)), line((-3, 0), (1, 0)), line((-3, 10), (1, 13))],
            portals=[portal((20, 11), (21, 11))],
            lights=[
                {"position": {"x": -2, "y": 11}, "range": 3},
                {"position": {"x": 5, "y": 11}, "range": 3},
            ],
        )
    )
    assert found.origin == (-3.0, 10.0)
    assert [wall.points for wall in found.model.walls] == [
        ((0.0, 1.0), (3.0, 1.0), (4.0, 1.0)),
        ((0.0, 0.0), (4.0, 3.0)),
    ]
    assert found.model.doors == ()
    assert [light.at for light in found.model.lights] == [(1.0, 1.0)]


def test_other_programs_leave_things_out() -> None:
    document = good()
    for key in ("format", "objects_line_of_sight", "portals", "lights", "environment", "image"):
        del document[key]
    del document["resolution"]["map_origin"]
    found = imported(document)
    assert (found.image, found.model.doors, found.model.lights) == (None, (), ())
    assert found.model.ambient == "bright"


def test_a_byte_order_mark_and_a_data_url_do_no_harm() -> None:
    document = good(image=f"data:image/png;base64,{GOOD['image']}")
    found = from_uvtt(b"\xef\xbb\xbf" + json.dumps(document).encode())
    assert isinstance(found, Imported)
    assert found.image == PNG


PLAIN: str = GOOD["image"]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.rstrip("="),
        "\r\n".join(PLAIN[at : at + 76] for at in range(0, len(PLAIN), 76)) + "\n",
        f"  {PLAIN}\t",
        f"DATA:IMAGE/PNG;BASE64,{PLAIN}",
        f"data:image/png;charset=utf-8;name=map.png; base64,{PLAIN.rstrip('=')}",
        f"data:;base64,{PLAIN.replace('=', '%3D').replace('+', '%2B')}",
        f"data:image/png,{quote(PNG)}",
    ],
    ids=["unpadded", "lines", "blanks", "capitals", "parameters", "percent", "no base64"],
)
def test_a_picture_is_read_as_browsers_read_it(text: str) -> None:
    assert imported(good(image=text)).image == PNG


@pytest.mark.parametrize("text", ["A", "AB=C", "AAAA=", PLAIN[:-4] + "====", PLAIN.replace("A", "-", 1), "é"])
def test_a_text_that_browsers_refuse_is_no_picture(text: str) -> None:
    assert problems(good(image=text)) == {("import_image_unreadable", ("image",))}


@pytest.mark.parametrize(
    ("size", "cells", "extent"),
    [
        ((10.1, 6.1), (11, 7), (10.1, 6.1)),
        ((10.000001, 5.9999), (10, 6), None),
        ((10.5, 6.0), (11, 6), (10.5, 6.0)),
        ((400.00001, 1), (400, 1), None),
    ],
)
def test_a_map_that_ends_inside_a_cell_has_all_of_it(
    size: tuple[float, float], cells: tuple[int, int], extent: tuple[float, float] | None
) -> None:
    resolution = {"map_size": {"x": size[0], "y": size[1]}, "pixels_per_grid": 50}
    found = imported(good(resolution=resolution, line_of_sight=[line((0, 0.5), (900, 0.5))]))
    assert (found.model.width, found.model.height) == cells
    assert found.model.extent == extent
    assert found.model.walls == (Wall(((0.0, 0.5), ((extent or cells)[0], 0.5))),)


@settings(max_examples=80)
@given(
    st.sampled_from([True, False]),
    st.floats(0.3, 4.0),
    st.floats(0.3, 2.5),
    st.floats(0.0, 5.0),
)
def test_a_door_beside_the_grid_goes_out_where_it_came_in(
    upright: bool, start: float, length: float, track: float
) -> None:
    ends = [(start, track), (start + length, track)]
    bounds = tuple((y, x) if upright else (x, y) for x, y in ends)
    resolution = {"map_size": {"x": 8, "y": 8}, "pixels_per_grid": 50}
    model = imported(good(resolution=resolution, portals=[portal(*bounds)], line_of_sight=[])).model
    (out,) = json.loads(to_uvtt(model))["portals"]
    found = [(spot["x"], spot["y"]) for spot in out["bounds"]]
    assert all(math.dist(a, b) <= 1e-6 for a, b in zip(sorted(found), sorted(bounds), strict=True))
    (door,) = model.doors
    assert door.length == pytest.approx(length, abs=1e-6)
    assert all(0 <= x < 8 and 0 <= y < 8 for x, y in door.cells)


def test_lights_on_the_rims_are_on_the_map_and_those_beyond_are_not() -> None:
    spots = [(0, -1e-7), (6, 2), (6.0000001, 4), (6.1, 2), (-0.5, 2)]
    lights = [{"position": {"x": x, "y": y}, "range": 3} for x, y in spots]
    found = imported(good(lights=lights)).model.lights
    assert len(found) == 3
    assert all(math.dist(light.at, spot) < 0.01 for light, spot in zip(found, spots, strict=False))


def test_objects_stay_objects() -> None:
    ring = line((1, 1), (2, 1), (2, 2), (1, 2), (1, 1))
    model = imported(good(objects_line_of_sight=[ring])).model
    assert [wall.kind for wall in model.walls] == [WallKind.WALL, WallKind.WALL, WallKind.OBJECT]
    assert json.loads(to_uvtt(model))["objects_line_of_sight"] == [ring]
    scene = json.loads(to_foundry(model, Profile.V13))
    assert [wall["sight"] for wall in scene["walls"]].count(10) == 4


SIZE = ("resolution", "map_size")


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (b"", ("import_not_json", ())),
        (b"\x00\xff", ("import_not_json", ())),
        (b'{"format": NaN}', ("import_not_json", ())),
        (b'{"format": 1e999}', ("import_not_json", ())),
        (b"[" * 100_000, ("import_not_json", ())),
        (b'{"a":' * 5_000, ("import_not_json", ())),
        ([], ("import_wrong_type", ())),
        ({}, ("import_key_missing", ("resolution",))),
        (good(resolution=None), ("import_key_missing", ("resolution",))),
        (good(resolution=3), ("import_wrong_type", ("resolution",))),
        (good(resolution={"map_size": None}), ("import_key_missing", SIZE)),
        (good(resolution={"map_size": {"x": 3}}), ("import_key_missing", (*SIZE, "y"))),
        (
            good(resolution={"map_size": {"x": 3, "y": 3}}),
            ("import_key_missing", ("resolution", "pixels_per_grid")),
        ),
        (good(resolution={"map_size": {"x": "3", "y": 3}}), ("import_wrong_type", (*SIZE, "x"))),
        (good(resolution={"map_size": {"x": 401, "y": 3}}), ("import_out_of_range", (*SIZE, "x"))),
        (good(resolution={"map_size": {"x": 3, "y": 1e300}}), ("import_out_of_range", (*SIZE, "y"))),
        (good(resolution={"map_size": {"x": 0, "y": 3}}), ("import_out_of_range", (*SIZE, "x"))),
        (good(resolution={"map_size": {"x": -5, "y": 3}}), ("import_out_of_range", (*SIZE, "x"))),
        (good(resolution={"map_size": {"x": True, "y": 3}}), ("import_wrong_type", (*SIZE, "x"))),
        (good(line_of_sight=None), ("import_key_missing", ("line_of_sight",))),
        (good(line_of_sight={}), ("import_wrong_type", ("line_of_sight",))),
        (good(line_of_sight=[7]), ("import_wrong_type", ("line_of_sight", 0))),
        (good(line_of_sight=[[[1, 2]]]), ("import_wrong_type", ("line_of_sight", 0, 0))),
        (
            good(line_of_sight=[line((0, 0)), [{"x": "1", "y": 2}]]),
            ("import_wrong_type", ("line_of_sight", 1, 0, "x")),
        ),
        (good(line_of_sight=[[{"x": 1e9, "y": 2}]]), ("import_out_of_range", ("line_of_sight", 0, 0, "x"))),
        (good(objects_line_of_sight=4), ("import_wrong_type", ("objects_line_of_sight",))),
        (good(image=7), ("import_wrong_type", ("image",))),
        (good(image="no base64!"), ("import_image_unreadable", ("image",))),
        (good(image="R0lGODlh"), ("import_image_unreadable", ("image",))),
    ],
)
def test_each_fault_is_told_with_its_path(
    document: object, expected: tuple[str, tuple[str | int, ...]]
) -> None:
    assert expected in problems(document)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (good(format="one"), ("import_wrong_type", ("format",))),
        (good(format=11), ("import_out_of_range", ("format",))),
        (
            good(environment={"baked_lighting": "maybe"}),
            ("import_wrong_type", ("environment", "baked_lighting")),
        ),
        (good(portals=[None]), ("import_wrong_type", ("portals", 0))),
        (good(portals=[{}]), ("import_key_missing", ("portals", 0, "bounds"))),
        (good(portals=[portal((1, 1))]), ("import_wrong_type", ("portals", 0, "bounds"))),
        (
            good(portals=[portal((1, 1), (2, 1)) | {"closed": "no"}]),
            ("import_wrong_type", ("portals", 0, "closed")),
        ),
        (good(lights=[{"range": 3}]), ("import_key_missing", ("lights", 0, "position"))),
        (good(lights=[{"position": {"x": 1, "y": 1}}]), ("import_key_missing", ("lights", 0, "range"))),
        (
            good(lights=[{"position": {"x": 1, "y": 1}, "range": -1}]),
            ("import_out_of_range", ("lights", 0, "range")),
        ),
        (
            good(lights=[{"position": {"x": 1, "y": 1}, "range": 1, "color": "red"}]),
            ("import_wrong_type", ("lights", 0, "color")),
        ),
        (good(environment={"ambient_light": 7}), ("import_wrong_type", ("environment", "ambient_light"))),
        (good(environment=7), ("import_wrong_type", ("environment",))),
    ],
)
def test_one_odd_part_is_left_out_or_read_as_usual_with_its_path(
    document: dict[str, Any], expected: tuple[str, tuple[str | int, ...]]
) -> None:
    found = imported(document)
    assert [(problem.code, problem.path) for problem in found.warnings] == [expected]
    assert found.odd == 1
    assert len(found.model.walls) == 2


def test_what_else_is_in_an_odd_list_is_kept() -> None:
    light, odd = GOOD["lights"][0], {"position": {"x": 1, "y": 1}, "range": "far"}
    model = imported(
        good(lights=[odd, light, light | {"color": "red"}], portals=[{}, *GOOD["portals"]])
    ).model
    assert [(one.at, one.color) for one in model.lights] == [((1.5, 2.5), "#ff8800"), ((1.5, 2.5), "#ffb35c")]
    assert [door.bounds for door in model.doors] == [((2.0, 1.0), (3.0, 1.0))]


@pytest.mark.parametrize("text", ["true", "True", " 1 ", 1, True])
def test_baked_lighting_and_the_format_may_be_texts_and_are_kept(text: object) -> None:
    found = imported(good(format="0.3", environment={"baked_lighting": text, "ambient_light": "ff000000"}))
    assert found.warnings == ()
    assert found.model.baked_lighting and found.model.ambient == "dark"
    assert json.loads(to_uvtt(found.model))["environment"]["baked_lighting"] is True
    again = imported(good(environment={"baked_lighting": "false"})).model
    assert not again.baked_lighting


def test_every_fault_is_told_at_once_up_to_a_number() -> None:
    document = good(format="x", line_of_sight=[[{"x": None, "y": "2"}]], portals=[{}])
    assert problems(document) == {
        ("import_wrong_type", ("format",)),
        ("import_key_missing", ("line_of_sight", 0, 0, "x")),
        ("import_wrong_type", ("line_of_sight", 0, 0, "y")),
        ("import_key_missing", ("portals", 0, "bounds")),
    }
    many = from_uvtt(json.dumps(good(line_of_sight=[[{}]] * 5_000)).encode())
    assert isinstance(many, Problems)
    assert len(many) == MOST_PROBLEMS
    odd = imported(good(portals=[{}] * 5_000))
    assert (len(odd.warnings), odd.odd) == (MOST_PROBLEMS, 5_000)


def test_too_many_points_are_refused_wherever_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert uvtt_file.MAX_POINTS == 20_000
    monkeypatch.setattr(uvtt_file, "MAX_POINTS", 100)
    spots = [{"x": 1, "y": 1}] * 60
    found = problems(good(line_of_sight=[spots], objects_line_of_sight=[spots]))
    assert ("import_out_of_range", ("objects_line_of_sight", 0)) in found
    assert problems(good(portals=[portal((1, 1), (2, 1))] * 101)) == {("import_out_of_range", ("portals",))}


def test_a_picture_or_a_file_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvtt_file, "MAX_IMAGE", len(PNG) - 1)
    assert problems(good()) == {("import_too_large", ("image",))}
    monkeypatch.setattr(uvtt_file, "MAX_FILE", 100)
    assert problems(good()) == {("import_too_large", ())}


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=4),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.sampled_from(["x", "y", "bounds"]), st.integers(), max_size=2),
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    keys: Iterable[str | int] = ()
    if isinstance(value, dict):
        keys = value
    elif isinstance(value, list):
        keys = range(len(value))
    return [path, *(deep for key in keys for deep in places(value[key], (*path, key)))]


PLACES = [path for path in places(GOOD) if path]


@settings(max_examples=part_or_whole(50, 150))
@given(st.lists(st.tuples(st.sampled_from(PLACES), JUNK), min_size=1, max_size=3))
def test_whatever_stands_there_the_answer_is_a_sound_map_or_problems(
    changes: list[tuple[tuple[str | int, ...], Any]],
) -> None:
    document = good()
    for path, junk in changes:
        holder: Any = document
        try:
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = junk
        except (TypeError, LookupError):
            continue
    found = from_uvtt(json.dumps(document).encode())
    if isinstance(found, Imported):
        assert list(faults(found.model)) == []
    else:
        assert all(problem.code.startswith("import_") for problem in found)
