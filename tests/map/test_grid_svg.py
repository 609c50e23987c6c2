"""Pictures of grid maps: outlines, what is drawn, where the words stand, and that they keep secrets."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import ndimage

from services.map.generation.grid.model import (
    Axis,
    Door,
    DoorKind,
    DoorState,
    GridKind,
    GridMap,
    KeyNote,
    Light,
    Passage,
    Prop,
    Room,
    RoomRole,
    Stairs,
    Trap,
    Wall,
    WallKind,
    Zone,
)
from services.map.generation.grid.secrets import for_players
from services.map.generation.grid.terrain import BY_LETTER, Terrain
from services.map.render.grid.legend import COLUMN, blocks, column_height, columns
from services.map.render.grid.lettering import letter, note_letter
from services.map.render.grid.look import Look, Style, check
from services.map.render.grid.noise import one, shares
from services.map.render.grid.outline import (
    UNIT,
    Mask,
    Outline,
    cell_runs,
    closed_path,
    crisp,
    curved_path,
    smooth,
    trace,
    wall_runs,
)
from services.map.render.grid.palette import PALETTES
from services.map.render.grid.picture import describe, render
from services.map.render.grid.props.library import GLYPHS, Stamps
from services.map.render.grid.sheet import lay_out
from services.map.render.grid.writing import line_width, shortened, wrapped
from services.map.render.raster.painter import paint

SVG = "{http://www.w3.org/2000/svg}"

ELEMENTS = [
    "svg",
    "style",
    "defs",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "use",
    "symbol",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "pattern",
    "title",
    "desc",
]
ATTRIBUTES = [
    "id",
    "href",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "d",
    "points",
    "width",
    "height",
    "viewBox",
    "transform",
    "offset",
    "role",
    "aria-labelledby",
    "fill",
    "fill-rule",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "opacity",
    "clip-path",
    "stop-color",
    "stop-opacity",
    "gradientUnits",
    "patternUnits",
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "text-anchor",
    "textLength",
    "lengthAdjust",
    "letter-spacing",
]

MASKS = hnp.arrays(bool, st.tuples(st.integers(1, 9), st.integers(1, 9)))
HEADINGS = ((1, 0), (0, 1), (-1, 0), (0, -1))

ROWS = (
    "                         ",
    "  ......      .......    ",
    "  ......      .ooooo.    ",
    "  ......,,,,,,.......    ",
    "  ......   ,  ...~~..    ",
    "  ....%%   ,  ...~~--    ",
    "           ,     ,       ",
    "  vvv..    ,  ,,,,       ",
    "  vvv..,,,,,  ,          ",
    "  .....      .,,iillff   ",
    "             ......llff  ",
    "                         ",
)


def cells(rows: tuple[str, ...]) -> bytes:
    return bytes(BY_LETTER[sign] for row in rows for sign in row)


def dungeon(**changes: object) -> GridMap:
    model = GridMap(
        kind=GridKind.DUNGEON,
        generator_version=1,
        seed=7,
        attempt=0,
        title="The Drowned <Crypt> & Well",
        theme="crypt",
        width=25,
        height=12,
        cells=cells(ROWS),
        rooms=(
            Room(
                "room-1", 1, 2, 1, 6, 5, "Hall of Effigies", notes=("Seven faces, and one of them is new.",)
            ),
            Room("room-2", 2, 14, 1, 7, 5, "Pillared Bath", RoomRole.GOAL, ("flooded",), ("It is deep.",)),
            Room("room-3", 3, 2, 7, 5, 3, "Broken Floor", RoomRole.SECRET, (), ("CANARY of the chasm",)),
            Room("room-4", 4, 13, 9, 8, 2, "", tags=("round",), spans=((9, 13, 21), (10, 13, 21))),
        ),
        passages=(Passage("room-1", "room-2", ("door-1",)), Passage("room-1", "room-3", ("door-2",), True)),
        doors=(
            Door("door-1", (8, 3), Axis.EAST_WEST, DoorKind.IRON, DoorState.LOCKED),
            Door("door-2", (7, 8), Axis.EAST_WEST, DoorKind.SECRET, note="CANARY behind the panel"),
            Door("door-3", (17, 6), Axis.NORTH_SOUTH, DoorKind.PORTCULLIS),
            Door("door-4", (14, 8), Axis.NORTH_SOUTH, DoorKind.CURTAIN, DoorState.OPEN),
        ),
        traps=(Trap("trap-1", (11, 5), "pit", note="CANARY under the boards"), Trap("trap-2", (3, 1), "gas")),
        stairs=(Stairs("stairs-1", (2, 1), True, "s"), Stairs("stairs-2", (20, 1), False, "w")),
        lights=(Light("light-1", (5.5, 2.5), 4.0, 8.0), Light("light-2", (16.5, 1.2), 2.0, 4.0, "#99ccff")),
        props=(Prop("prop-1", "altar", 4.0, 3.0, 2.0), Prop("prop-2", "orrery", 15.0, 3.0, turn=45)),
        notes=(KeyNote("note-1", (12.5, 3.5), "CANARY in the corridor"),),
    )
    return replace(model, **changes)  # type: ignore[arg-type]


def battle(**changes: object) -> GridMap:
    rows = ["g" * 24 for _ in range(16)]
    rows[7] = rows[8] = "r" * 24
    rows[2] = "ggTTgg......gggggg---ggg"
    rows[3] = "ggTTgg......gggggg-~-ggg"
    rows[4] = "gggggg......ggggge-~-ggg"
    heights = bytearray(24 * 16)
    for y in range(10, 15):
        for x in range(3, 10):
            heights[y * 24 + x] = 1 if y < 12 else 3
    model = GridMap(
        kind=GridKind.BATTLE,
        generator_version=1,
        seed=3,
        attempt=0,
        title="Millbrook",
        theme="village-autumn",
        width=24,
        height=16,
        cells=cells(tuple(rows)),
        ambient="dim",
        rooms=(Room("room-1", 1, 6, 2, 6, 3, "Mill"), Room("room-2", 2, 18, 2, 3, 3, "Mill pond")),
        doors=(Door("door-1", (8, 4), Axis.NORTH_SOUTH, edge="s"),),
        walls=(
            Wall(((6.0, 2.0), (12.0, 2.0), (12.0, 5.0), (6.0, 5.0), (6.0, 2.0))),
            Wall(((6.0, 3.0), (6.0, 4.0)), WallKind.WINDOW),
            Wall(((14.0, 10.0), (20.0, 12.5)), WallKind.FENCE),
            Wall(((14.0, 13.0), (20.0, 13.0)), WallKind.LOW),
        ),
        props=(Prop("prop-1", "tree", 1.5, 1.5, 3.0, 3.0), Prop("prop-2", "fire", 15.0, 11.0)),
        lights=(Light("light-1", (15.5, 11.5), 3.0, 6.0, kind="campfire"),),
        zones=(
            Zone("start-heroes", "start", "The heroes' start", ((6, 0, 3), (7, 0, 3)), "heroes"),
            Zone("start-foes", "start", "The foes' start", ((6, 21, 24), (7, 21, 24)), "foes"),
            Zone("hazard", "hazard", "Bog", ((14, 0, 2), (15, 20, 22))),
        ),
        heights=bytes(heights),
    )
    return replace(model, **changes)  # type: ignore[arg-type]


def cave() -> GridMap:
    rng = np.random.default_rng(4)
    codes = np.where(rng.random((30, 40)) < 0.62, 2, 0).astype(np.uint8)
    codes[10:14, 10:20] = int(Terrain.WATER)
    return GridMap(GridKind.CAVE, 1, 4, 0, "Gullet", "limestone", 40, 30, codes.tobytes())


MODELS = {"dungeon": dungeon(), "battle": battle(), "cave": cave()}


def boundary(mask: Mask) -> set[tuple[int, int, int]]:
    """Unit edges around an area, found cell by cell: (x, y, 0) runs east from there, (x, y, 1) south."""
    found = set()
    height, width = mask.shape
    for y in range(height + 1):
        for x in range(width + 1):
            here = y < height and x < width and bool(mask[y, x])
            if x < width and here != bool(y > 0 and mask[y - 1, x]):
                found.add((x, y, 0))
            if y < height and here != bool(x > 0 and mask[y, x - 1]):
                found.add((x, y, 1))
    return found


def unit_edges(outline: Outline) -> list[tuple[int, int, int]]:
    edges = []
    for x, y, heading, length in zip(
        outline.x.tolist(), outline.y.tolist(), outline.heading.tolist(), outline.length.tolist(), strict=True
    ):
        dx, dy = HEADINGS[heading]
        for step in range(length):
            a, b = (x + dx * step, y + dy * step), (x + dx * (step + 1), y + dy * (step + 1))
            edges.append((*min(a, b), heading % 2))
    return edges


@given(MASKS)
def test_loops_run_along_every_boundary_edge_once(mask: Mask) -> None:
    edges = unit_edges(trace(mask))
    assert len(edges) == len(set(edges))
    assert set(edges) == boundary(mask)


@given(MASKS)
def test_loops_are_closed_turn_at_each_corner_and_keep_the_area_on_their_right(mask: Mask) -> None:
    outline = trace(mask)
    doubled = 0
    for start, end in pairwise(outline.bounds.tolist()):
        corners = list(
            zip(
                outline.x[start:end].tolist(),
                outline.y[start:end].tolist(),
                outline.heading[start:end].tolist(),
                outline.length[start:end].tolist(),
                strict=True,
            )
        )
        for (x, y, heading, length), (nx, ny, turned, _) in pairwise([*corners, corners[0]]):
            assert (x + HEADINGS[heading][0] * length, y + HEADINGS[heading][1] * length) == (nx, ny)
            assert (heading + turned) % 2 == 1
            doubled += x * ny - nx * y
    # With y downward, loops that keep the area on their right add up to twice its cells.
    assert doubled == 2 * int(mask.sum())


@given(MASKS)
def test_areas_that_touch_at_a_corner_alone_have_outer_loops_of_their_own(mask: Mask) -> None:
    outline = trace(mask)
    outer = 0
    for start, end in pairwise(outline.bounds.tolist()):
        corners = list(zip(outline.x[start:end].tolist(), outline.y[start:end].tolist(), strict=True))
        outer += sum(x * ny - nx * y for (x, y), (nx, ny) in pairwise([*corners, corners[0]])) > 0
    assert outer == ndimage.label(mask)[1]


@given(MASKS)
def test_runs_of_cells_are_maximal_and_complete(mask: Mask) -> None:
    rows, first, last = cell_runs(mask)
    seen = np.zeros_like(mask)
    for y, start, end in zip(rows, first, last, strict=True):
        assert mask[y, start:end].all()
        assert start == 0 or not mask[y, start - 1]
        assert end == mask.shape[1] or not mask[y, end]
        seen[y, start:end] = True
    assert (seen == mask).all()


@given(hnp.arrays(np.uint8, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=st.integers(0, 21)))
def test_wall_runs_are_the_maximal_lines_between_solid_and_open_cells(codes: np.ndarray) -> None:
    height, width = codes.shape
    model = GridMap(GridKind.DUNGEON, 1, 0, 0, "", "", width, height, codes.tobytes())
    solid = codes <= 1
    inside = {
        (x, y, upright) for x, y, upright in boundary(solid) if (0 < x < width if upright else 0 < y < height)
    }
    covered: list[tuple[int, int, int]] = []
    ends: Counter[tuple[int, int, bool]] = Counter()
    for (x0, y0), (x1, y1) in wall_runs(model):
        upright = x0 == x1
        assert upright != (y0 == y1)
        covered += [(x, y0, 0) for x in range(x0, x1)] + [(x0, y, 1) for y in range(y0, y1)]
        ends.update(((x0, y0, upright), (x1, y1, upright)))
    assert len(covered) == len(set(covered))
    assert set(covered) == inside
    # Where one run ended and another of the same direction began, they would be one run.
    assert all(count == 1 for count in ends.values())


def _points(data: str) -> list[list[tuple[int, int]]]:
    """The points of relative straight-line path data, loop by loop."""
    loops = []
    for loop in data.split("z")[:-1]:
        values = [int(v) for v in re.findall(r"-?\d+", loop)]
        spots = [(values[0], values[1])]
        for dx, dy in zip(values[2::2], values[3::2], strict=True):
            spots.append((spots[-1][0] + dx, spots[-1][1] + dy))
        loops.append(spots)
    return loops


@given(MASKS)
def test_path_data_of_square_outlines_encloses_the_area(mask: Mask) -> None:
    area = sum(
        sum(x * ny - nx * y for (x, y), (nx, ny) in pairwise([*spots, spots[0]])) / 2
        for spots in _points(closed_path(crisp(trace(mask))))
    )
    assert area == mask.sum() * UNIT * UNIT


@given(MASKS)
def test_hand_drawn_outlines_stay_within_their_wobble(mask: Mask) -> None:
    straight = crisp(trace(mask))
    drawn = crisp(trace(mask), wobble=6.0)
    assert np.abs(drawn.x - straight.x).max(initial=0) <= 6.0
    assert np.abs(drawn.y - straight.y).max(initial=0) <= 6.0


@given(MASKS)
def test_soft_outlines_have_a_point_on_each_edge(mask: Mask) -> None:
    loops = smooth(trace(mask))
    assert len(loops.x) == len(boundary(mask))
    assert curved_path(loops).count("M") == len(loops.bounds) - 1


def test_steps_of_round_rooms_are_cut_aslant() -> None:
    mask = np.ones((6, 6), bool)
    mask[[0, 0, 5, 5], [0, 5, 0, 5]] = False
    spots = _points(closed_path(crisp(trace(mask), soft=mask)))
    assert sorted(spots[0]) == sorted(
        [(100, 0), (500, 0), (600, 100), (600, 500), (500, 600), (100, 600), (0, 500), (0, 100)]
    )
    assert len(_points(closed_path(crisp(trace(mask))))[0]) == 12


@given(st.integers(-400, 4000), st.integers(-400, 4000), st.integers(0, 400))
def test_chance_is_the_same_for_one_place_and_for_many(x: int, y: int, salt: int) -> None:
    assert one(x / 100, y / 100, salt) == shares(np.array([x]), np.array([y]), salt)[0]


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("name", MODELS)
def test_pictures_use_only_plain_svg_and_all_their_references_lead_somewhere(name: str, style: Style) -> None:
    svg = render(MODELS[name], Look(style=style))
    root = ET.fromstring(svg)
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    assert len(ids) == len(set(ids))
    assert {node.tag.removeprefix(SVG) for node in root.iter()} <= set(ELEMENTS)
    assert {key for node in root.iter() for key in node.attrib} <= set(ATTRIBUTES)
    wanted = re.findall(r"url\(#([^)]+)\)", svg) + re.findall(r' href="#([^"]+)"', svg)
    assert set(wanted) <= set(ids)
    assert len(re.findall(r' href="', svg)) == len(re.findall(r' href="#', svg))
    assert "nan" not in svg and "inf" not in svg.replace("info", "")


def test_a_picture_has_a_title_and_a_description() -> None:
    model = dungeon()
    root = ET.fromstring(render(model))
    named = {node.attrib["id"]: node.text for node in root if "id" in node.attrib}
    assert named["hf-title"] == model.title
    assert named["hf-desc"] == describe(model)
    assert root.attrib["aria-labelledby"] == "hf-title hf-desc"
    assert "Hall of Effigies" in describe(model)


def test_the_same_map_gives_the_same_bytes_in_another_process() -> None:
    program = (
        "import sys; from tests.map.test_grid_svg import dungeon, render, Look;"
        "sys.stdout.write(render(dungeon(), Look()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode() == render(dungeon(), Look())


@pytest.mark.parametrize("pixels", [8, 33, 200])
def test_a_bare_picture_is_the_cells_and_nothing_around_them(pixels: int) -> None:
    root = ET.fromstring(render(dungeon(), Look(pixels=pixels, bare=True)))
    assert root.attrib["width"] == str(25 * pixels)
    assert root.attrib["height"] == str(12 * pixels)
    assert root.attrib["viewBox"] == f"0 0 {25 * pixels} {12 * pixels}"


def test_a_bare_picture_without_labels_has_no_words_but_the_sign_of_secret_doors() -> None:
    model = dungeon(notes=())
    root = ET.fromstring(render(model, Look(bare=True, labels=False)))
    assert [node.text for node in root.iter(f"{SVG}text")] == ["S"]
    shown = render(for_players(model), Look(bare=True, labels=False))
    assert not list(ET.fromstring(shown).iter(f"{SVG}text"))
    assert "<style>" not in shown


def test_the_picture_for_players_keeps_secrets() -> None:
    model = dungeon()
    for_master, shown = render(model), render(for_players(model))
    assert for_master.count("CANARY") >= 4
    assert "CANARY" not in shown
    for word in ("ecret", "Trap", "Broken Floor", "seed"):
        assert word not in shown
    # The seed would let players make the whole map again: the picture does not depend on it.
    assert render(replace(model, seed=99, attempt=5)) == for_master


def test_game_masters_and_players_see_the_same_strokes() -> None:
    look = Look(bare=True, labels=False)
    model = dungeon(doors=(), rooms=(), passages=(), traps=(), notes=())
    assert render(model, look).replace(describe(model), "") == render(for_players(model), look).replace(
        describe(for_players(model)), ""
    )


def test_options_leave_out_what_they_name() -> None:
    model = battle()
    everything = render(model)
    assert "hf-glow0" in everything and "hf-glow0" not in render(model, Look(lights=False))
    assert "Compass rose" in everything and "Compass rose" not in render(model, Look(furniture=False))
    assert ">Places<" in everything and ">Places<" not in render(model, Look(legend=False))
    words = [node.text for node in ET.fromstring(render(model, Look(labels=False))).iter(f"{SVG}text")]
    assert "The heroes' start" in everything.replace("&#39;", "'")
    assert "The heroes' start" not in words
    outline = 'stroke-dasharray="24 14"'
    assert outline in everything and outline not in render(model, Look(labels=False))
    lines = "M100 0V1600"
    assert lines in everything and lines not in render(model, Look(grid=False))
    assert "<style>" in everything and "<style>" not in render(model, embed=False)


def test_battle_maps_are_painted_and_dungeons_inked_unless_a_style_is_chosen() -> None:
    assert render(battle()) == render(battle(), Look(style=Style.PAINTED))
    assert render(dungeon()) == render(dungeon(), Look(style=Style.INK))
    assert len({render(dungeon(), Look(style=style)) for style in Style}) == len(Style)


def test_the_season_colours_a_painted_meadow() -> None:
    pictures = {render(battle(theme=f"village{end}"), Look(bare=True)) for end in ("", "-autumn", "-winter")}
    assert len(pictures) == 3


def test_pixels_out_of_range_are_a_problem() -> None:
    assert check(Look(pixels=8)) == check(Look(pixels=200)) == ()
    for pixels in (7, 201, -1):
        (problem,) = check(Look(pixels=pixels))
        assert (problem.path, problem.found, problem.allowed) == (("pixels",), pixels, (8, 200))


def test_floor_is_painted_as_floor_and_far_rock_as_paper() -> None:
    model = dungeon(props=(), traps=(), doors=(), lights=(), stairs=(), notes=())
    image = paint(render(model, Look(pixels=20, bare=True, labels=False, grid=False)), 1.0)
    floor = int(PALETTES[Style.INK].floor[1:3], 16)
    plain = 0
    for y in range(1, 11):
        for x in range(1, 24):
            if model.terrain(x, y) in (Terrain.FLOOR, Terrain.CORRIDOR):
                beside = {model.terrain(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
                if beside <= {Terrain.FLOOR, Terrain.CORRIDOR, Terrain.ROCK}:
                    plain += 1
                    assert abs(int(image[20 * y + 12, 20 * x + 12, 0]) - floor) <= 2
    assert plain > 40
    # Rock in the middle of nowhere bears no stroke: the patch is nearly of one colour.
    assert np.ptp(image[225:238, 165:220, 0].astype(int)) <= 12
    # Rock beside a wall is hatched.
    assert np.ptp(image[20 * 0 + 6 : 20 * 1 - 4, 20 * 3 : 20 * 7, 0].astype(int)) > 60


@pytest.mark.parametrize("model", [dungeon(), battle()])
@pytest.mark.parametrize("pixels", [8, 16, 32, 90])
def test_numbers_and_names_overlap_nothing_and_stay_on_the_map(model: GridMap, pixels: int) -> None:
    lettering = letter(model, pixels)
    for a, b in combinations(lettering.badges, 2):
        apart = ((a.disc.x - b.disc.x) ** 2 + (a.disc.y - b.disc.y) ** 2) ** 0.5
        assert apart >= a.disc.radius + b.disc.radius
    for badge in lettering.badges:
        column, row = int(badge.disc.x / UNIT - 1e-6), int(badge.disc.y / UNIT - 1e-6)
        assert any(y == row and first <= column < last for y, first, last in badge.room.rows)
        assert badge.disc.radius * pixels / UNIT >= 9.4
    for first_label, second in combinations(lettering.labels, 2):
        assert not first_label.box.overlaps(second.box)
    for label in lettering.labels:
        assert label.box.left >= 0 and label.box.right <= model.width * UNIT
        assert label.box.top >= 0 and label.box.bottom <= model.height * UNIT
        assert not any(badge.disc.meets(label.box) for badge in lettering.badges)
        assert not any(disc.meets(label.box) for disc, _ in lettering.notes)


def test_a_room_number_gives_way_to_what_stands_in_the_room() -> None:
    free = letter(dungeon(props=(), lights=()), 32).badges[0].disc
    assert (free.x, free.y) == (500, 350)
    moved = letter(dungeon(props=(Prop("prop-1", "statue", 4.5, 3.0),), lights=()), 32).badges[0].disc
    assert not (450 <= moved.x <= 550 and 300 <= moved.y <= 400)


def test_every_room_of_a_usual_size_is_numbered_and_every_place_named() -> None:
    assert [badge.room.number for badge in letter(dungeon(), 32).badges] == [1, 2, 3, 4]
    named = {label.id for label in letter(battle(), 32).labels}
    assert named == {"room-1", "room-2", "start-heroes", "start-foes", "hazard"}


def test_plateaus_tell_their_height_in_feet() -> None:
    assert {words for _, _, words in letter(battle(), 32).heights} == {"+5 ft", "+15 ft"}
    assert letter(battle(heights=b""), 32).heights == ()


def test_notes_have_letters_on_the_map_and_in_the_key() -> None:
    assert [note_letter(index) for index in (0, 25, 26, 51, 52, 701, 702)] == [
        "a",
        "z",
        "aa",
        "az",
        "ba",
        "zz",
        "aaa",
    ]
    words = [node.text for node in ET.fromstring(render(dungeon())).iter(f"{SVG}text")]
    assert words.count("a") == 2


def test_the_key_explains_rooms_and_the_signs_in_use() -> None:
    words = [node.text or "" for node in ET.fromstring(render(dungeon())).iter(f"{SVG}text")]
    for expected in ("Hall of Effigies", "Iron door", "Portcullis", "Secret door", "Locked", "Stairs up"):
        assert expected in words
    for expected in ("Stairs down", "Trap: pit", "Trap: gas", "Deep water", "Chasm", "Lava", "Ice"):
        assert expected in words
    assert "Wooden door" not in words and "Mud" not in words


@given(st.integers(1, 6), st.integers(0, 40))
@settings(max_examples=30)
def test_the_key_is_dealt_out_in_order_and_no_heading_ends_a_column(count: int, rooms: int) -> None:
    model = dungeon(
        rooms=tuple(
            Room(f"room-{i}", i, 2, 1, 2, 2, f"Room {i}", notes=("word " * i,)) for i in range(1, rooms)
        )
    )
    entries = blocks(model)
    dealt = columns(entries, count)
    assert 1 <= len(dealt) <= count
    assert [entry for column in dealt for entry in column] == list(entries)
    titles = {"Rooms", "Notes", "Signs"}
    assert not any(column[-1].heading and column[-1].heading[0] in titles for column in dealt)
    total, tallest = column_height(entries), max(entry.height for entry in entries)
    assert max(map(column_height, dealt)) <= total / len(dealt) + 3 * tallest + 32


def test_the_key_stands_beside_the_map_or_below_it_and_never_on_it() -> None:
    crowd = tuple(
        Room(f"room-{i}", i, 2, 1, 2, 2, f"Chamber {i}", notes=("A long note. " * 9,)) for i in range(1, 90)
    )
    places = set()
    for model in (dungeon(), dungeon(rooms=crowd)):
        sheet = lay_out(model, Look())
        for left, top, column in sheet.key:
            beside = left >= sheet.frame.right
            assert beside or top >= sheet.frame.bottom
            assert left + COLUMN <= sheet.width and top + column_height(column) <= sheet.height
            places.add(beside)
    assert places == {True, False}


@given(st.text(st.sampled_from("abc WÄ-.'"), max_size=120), st.floats(30, 300))
def test_wrapped_lines_fit_their_room_and_lose_no_letter(text: str, room: float) -> None:
    lines = wrapped(text, 12.0, room)
    assert "".join(lines).replace(" ", "") == "".join(text.split())
    assert all(line_width(line, 12.0) <= room + 1e-6 for line in lines)
    cut = shortened(text, 12.0, room)
    assert cut == text or (line_width(cut, 12.0) <= room and cut.endswith("…"))


def test_long_titles_stay_on_the_page() -> None:
    for title in ("W" * 200, "The Very Long Name of a Small Place " * 4):
        sheet = lay_out(battle(title=title), Look(pixels=8))
        root = ET.fromstring(render(battle(title=title), Look(pixels=8)))
        heading = next(
            node for node in root.iter(f"{SVG}text") if node.text and title.startswith(node.text.rstrip("…"))
        )
        assert float(heading.attrib["textLength"]) < sheet.width - 150


@pytest.mark.parametrize("style", [Style.INK, Style.PAINTED])
def test_every_kind_of_prop_has_a_glyph_of_its_own(style: Style) -> None:
    stamps = Stamps(PALETTES[style])
    for index, kind in enumerate((*sorted(GLYPHS), "never drawn")):
        stamps.put(kind, 0.5 + index % 10, 0.5 + index // 10, 1.0, 1.0)
    root = ET.fromstring(f"<svg>{stamps.definitions()}</svg>")
    drawn = ["".join(ET.tostring(child, "unicode") for child in node) for node in root]
    same = {"pillar", "column"}
    assert len(drawn) == len(GLYPHS) + 1
    assert len(set(drawn)) >= len(drawn) - len(same) + 1
    assert all(drawn)


def test_equal_props_share_one_definition() -> None:
    tables = tuple(Prop(f"prop-{i}", "brazier", 2.0 + i, 1.0) for i in range(6))
    svg = render(dungeon(props=tables))
    uses = re.findall(r'<use href="#(hf-p\d+)"', svg)
    assert len(uses) > len(set(uses))
    assert all(f'<g id="{name}">' in svg for name in uses)


def test_bushes_and_trees_stand_on_their_cells_but_not_under_a_prop_that_is_one() -> None:
    rows = ("ggggg", "gTgTg", "ggggg")
    plain = battle(width=5, height=3, cells=cells(rows), heights=b"", walls=(), doors=(), zones=(), rooms=())
    bare = Look(bare=True, labels=False, lights=False)
    without = render(replace(plain, props=(), lights=()), bare)
    with_one = render(replace(plain, props=(Prop("prop-1", "tree", 0.0, 0.0, 3.0, 3.0),), lights=()), bare)
    assert without.count("<use ") == with_one.count("<use ") == 2


@pytest.mark.parametrize("kind", GridKind)
@pytest.mark.parametrize("code", [Terrain.ROCK, Terrain.FLOOR, Terrain.WATER, Terrain.CHASM, Terrain.TREE])
def test_maps_of_one_terrain_are_drawn(kind: GridKind, code: Terrain) -> None:
    for width, height in ((1, 1), (1, 7), (9, 2)):
        model = GridMap(kind, 1, 0, 0, "", "", width, height, bytes([code]) * (width * height))
        for look in (Look(), Look(bare=True)):
            ET.fromstring(render(model, look))


def test_imported_maps_with_odd_values_are_drawn() -> None:
    model = dungeon(
        kind=GridKind.IMPORTED,
        rooms=(Room("room-1", 1, -4, -3, 900, 900, "Beyond", spans=((-3, -9, 4), (3, 2, 900), (99, 0, 3))),),
        props=(Prop("prop-1", "bookshelf", 1.0, 1.0, 9e6, 0.0), Prop("prop-2", "table", -50.0, 3.0)),
        walls=(Wall(((-3.5, 1.25), (2.125, 8.75))), Wall(((0.0, 4.0), (400.0, 4.0)))),
        doors=(Door("door-1", (-2, 90), Axis.EAST_WEST, DoorKind.PORTCULLIS, span=10**6),),
        zones=(Zone("z", "start", "Far", ((-1, -5, 3), (40, 0, 9))),),
        traps=(Trap("trap-1", (-1, -1), "<odd>"),),
        lights=(Light("light-1", (-9.5, 99.0), 0.0, 0.0, "not a colour"),),
        stairs=(Stairs("stairs-1", (77, 77), True, "up"),),
    )
    for style in Style:
        svg = render(model, Look(style=style))
        ET.fromstring(svg)
        assert len(svg) < 1_000_000


def painted_at(model: GridMap, x: float, y: float) -> tuple[int, ...]:
    """The colour of a bare picture at a spot, in cells."""
    image = paint(render(model, Look(pixels=20, bare=True, labels=False, grid=False)), 1.0)
    return tuple(int(value) for value in image[int(y * 20), int(x * 20), :3])


def test_what_stands_inside_a_house_stands_on_its_floor_and_what_leans_on_it_outside_does_not() -> None:
    rows = ["g" * 9, "ggnppppgg", "ggpppppgg", "ggpppppgg", "gggnggggg"]
    walls = (Wall(((2.0, 1.0), (7.0, 1.0), (7.0, 4.0), (2.0, 4.0), (2.0, 1.0))),)
    model = battle(
        width=9,
        height=5,
        cells=cells(tuple(rows)),
        walls=walls,
        theme="village",
        ambient="bright",
        **dict.fromkeys(("rooms", "doors", "props", "lights", "zones"), ()),
        heights=b"",
    )
    boards, meadow = PALETTES[Style.PAINTED].planks, PALETTES[Style.PAINTED].grass
    for (x, y), colour in (((2.92, 1.86), boards), ((3.08, 4.9), meadow)):
        wanted = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
        assert max(abs(a - b) for a, b in zip(painted_at(model, x, y), wanted, strict=True)) <= 24


def test_nothing_stands_upon_a_drop_while_there_is_firm_ground_beside_it() -> None:
    rows = ["         ", " .vvvv..", " .vvv%..", " .vvvv..", "         "]
    model = dungeon(
        width=9,
        height=5,
        cells=cells(tuple(row.ljust(9) for row in rows)),
        **dict.fromkeys(("rooms", "doors", "props", "lights", "traps", "stairs", "notes", "passages"), ()),
    )
    red, *_ = painted_at(model, 5.95, 2.5)
    assert red > 200
    assert painted_at(model, 3.5, 2.5)[0] < 200


def test_water_in_one_room_does_not_show_in_the_corners_of_another() -> None:
    rows = [
        " " * 9,
        " ~~~~~~~ ",
        " ~~~~~~~ ",
        " " * 9,
        " " * 9,
        "  .....  ",
        " ....... ",
        "  .....  ",
        " " * 9,
    ]
    rooms = (Room("room-1", 1, 1, 5, 7, 3, tags=("round",), spans=((5, 2, 7), (6, 1, 8), (7, 2, 7))),)
    model = dungeon(
        width=9,
        height=9,
        cells=cells(tuple(rows)),
        rooms=rooms,
        **dict.fromkeys(("doors", "props", "lights", "traps", "stairs", "notes", "passages"), ()),
    )
    red, _, blue = painted_at(model, 1.8, 5.9)
    assert abs(red - blue) < 30 and red > 190
