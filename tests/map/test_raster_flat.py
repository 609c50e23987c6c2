"""Flat pictures of grid maps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.grid.model import (
    Axis,
    Door,
    DoorKind,
    DoorState,
    GridKind,
    GridMap,
    Prop,
    Stairs,
    Trap,
    Wall,
    WallKind,
)
from services.map.generation.grid.terrain import Terrain
from services.map.render.raster.flat import Indexed, flat
from services.map.render.raster.floor_palette import GRID, SHADE, Ink, palette_of
from services.map.render.raster.furnishings import WALL_INKS
from services.map.render.raster.limits import PictureTooLargeError

PX = 20
FLOORS = {Ink.FLOOR, Ink.FLOOR_LIGHT, Ink.FLOOR_DARK}
LETTERS = {
    " ": Terrain.ROCK,
    "#": Terrain.WALL,
    ".": Terrain.FLOOR,
    "~": Terrain.WATER,
    "g": Terrain.GRASS,
    "p": Terrain.PLANKS,
    "o": Terrain.PILLAR,
    "b": Terrain.BRUSH,
    "T": Terrain.TREE,
    "n": Terrain.OBSTACLE,
    "%": Terrain.RUBBLE,
    "v": Terrain.CHASM,
}


def drawn(*rows: str, kind: GridKind = GridKind.DUNGEON) -> GridMap:
    cells = bytes(LETTERS[letter] for row in rows for letter in row)
    return GridMap(kind, 1, 1, 0, "Test", "crypt", len(rows[0]), len(rows), cells)


def inks(picture: Indexed) -> npt.NDArray[np.uint8]:
    """The inks alone, without grid lines and shadows."""
    return picture.indices & np.uint8(63)


def cell(picture: Indexed, x: int, y: int, px: int = PX) -> npt.NDArray[np.uint8]:
    return inks(picture)[y * px : (y + 1) * px, x * px : (x + 1) * px]


def found(picture: Indexed, x: int, y: int) -> set[int]:
    return set(map(int, np.unique(cell(picture, x, y))))


HALL = drawn("       ", "  ...  ", "  ...  ", "  ...  ", "       ")


def test_the_picture_has_the_size_of_its_cells() -> None:
    for px in (4, 7, 20, 70):
        picture = flat(HALL, px)
        assert picture.indices.shape == (5 * px, 7 * px)
        assert picture.palette.shape == (256, 3)
        assert picture.rgb().shape == (5 * px, 7 * px, 3)


def test_floors_are_floor_and_rock_is_rock_up_to_the_edge_of_the_cell() -> None:
    picture = flat(HALL, PX)
    floor = np.isin(inks(picture), list(FLOORS))
    wanted = np.zeros_like(floor)
    wanted[PX : 4 * PX, 2 * PX : 5 * PX] = True
    np.testing.assert_array_equal(floor, wanted)
    assert found(picture, 0, 0) == {Ink.ROCK}


def test_an_outline_runs_round_the_floor_inside_the_rock() -> None:
    outline = inks(flat(HALL, PX)) == Ink.OUTLINE
    band = round(0.16 * PX)
    wanted = np.zeros_like(outline)
    wanted[PX - band : 4 * PX + band, 2 * PX - band : 5 * PX + band] = True
    wanted[PX : 4 * PX, 2 * PX : 5 * PX] = False
    np.testing.assert_array_equal(outline, wanted)


def test_walls_throw_their_shadow_to_the_south_and_the_east() -> None:
    shade = (flat(HALL, PX).indices & SHADE) > 0
    long = round(0.13 * PX)
    wanted = np.zeros_like(shade)
    wanted[PX : PX + long, 2 * PX : 5 * PX] = True
    wanted[PX : 4 * PX, 2 * PX : 2 * PX + long] = True
    np.testing.assert_array_equal(shade, wanted)


def test_grid_lines_show_on_open_cells_alone_and_only_when_asked_for() -> None:
    lines = (flat(HALL, PX).indices & GRID) > 0
    wanted = np.zeros_like(lines)
    wanted[PX : 4 * PX : PX, 2 * PX : 5 * PX] = True
    wanted[PX : 4 * PX, 2 * PX : 5 * PX : PX] = True
    np.testing.assert_array_equal(lines, wanted)
    without = flat(HALL, PX, grid=False)
    assert not (without.indices & GRID).any()
    np.testing.assert_array_equal(inks(without), inks(flat(HALL, PX)))


def test_the_same_map_gives_the_same_pixels() -> None:
    first, second = flat(HALL, 33), flat(HALL, 33)
    np.testing.assert_array_equal(first.indices, second.indices)
    np.testing.assert_array_equal(first.palette, second.palette)


@pytest.mark.parametrize("axis", Axis)
@pytest.mark.parametrize("kind", DoorKind)
def test_a_closed_door_fills_its_line_from_jamb_to_jamb(axis: Axis, kind: DoorKind) -> None:
    rows = ("     ", "     ", " ... ", "     ", "     ") if axis is Axis.EAST_WEST else (
        "     ", "  .  ", "  .  ", "  .  ", "     ",
    )  # fmt: skip
    door = Door("door-1", (2, 2), axis, kind)
    picture = flat(replace(drawn(*rows), doors=(door,)), 40)
    middle = cell(picture, 2, 2, 40)
    along = middle[:, 20] if axis is Axis.EAST_WEST else middle[20]
    across = middle[20] if axis is Axis.EAST_WEST else middle[:, 20]
    if kind is not DoorKind.SECRET:
        assert set(map(int, (along[2], along[37]))) == {Ink.OUTLINE}
    passage = FLOORS
    if kind is DoorKind.ARCH:
        assert set(map(int, along[8:32])) <= passage
    elif kind is not DoorKind.PORTCULLIS:
        assert not set(map(int, along)) & passage
    assert int(across[2]) in passage
    assert int(across[37]) in passage


def test_an_open_door_leaves_the_way_free() -> None:
    door = Door("door-1", (2, 2), Axis.EAST_WEST, DoorKind.WOODEN, DoorState.OPEN)
    picture = flat(replace(drawn("     ", "     ", " ... ", "     ", "     "), doors=(door,)), 40)
    assert set(map(int, cell(picture, 2, 2, 40)[20])) <= FLOORS


def test_a_locked_door_shows_its_lock_and_a_secret_one_hides_in_the_wall() -> None:
    hall = drawn("     ", " ... ", "     ")
    for kind, state, ink in (
        (DoorKind.WOODEN, DoorState.LOCKED, Ink.GOLD),
        (DoorKind.SECRET, DoorState.CLOSED, Ink.WALL),
    ):
        picture = flat(replace(hall, doors=(Door("door-1", (2, 1), Axis.EAST_WEST, kind, state),)), 40)
        assert ink in found_at(picture, 2, 1, 40)
        plain = flat(replace(hall, doors=(Door("door-1", (2, 1), Axis.EAST_WEST),)), 40)
        assert ink not in found_at(plain, 2, 1, 40)


def found_at(picture: Indexed, x: int, y: int, px: int) -> set[int]:
    return set(map(int, np.unique(cell(picture, x, y, px))))


def test_a_wide_gate_on_an_edge_spans_its_cells() -> None:
    gate = Door("door-1", (1, 1), Axis.NORTH_SOUTH, DoorKind.GATE, edge="s", span=2)
    picture = flat(replace(drawn("....", "....", "....", "...."), doors=(gate,)), 40)
    line = inks(picture)[80]
    assert set(map(int, line[40:120])).isdisjoint(FLOORS)
    assert set(map(int, line[:36])) | set(map(int, line[124:])) <= FLOORS


@pytest.mark.parametrize("kind", WallKind)
def test_thin_walls_lie_on_their_lines(kind: WallKind) -> None:
    wall = Wall(((1.0, 2.0), (3.0, 2.0), (3.0, 3.0)), kind)
    picture = flat(replace(drawn("....", "....", "....", "...."), walls=(wall,)), 40)
    ink = WALL_INKS[kind][0]
    rows, columns = np.nonzero(inks(picture) == ink)
    half = WALL_INKS[kind][1] * 40 / 2
    assert rows.min() == pytest.approx(80 - half, abs=1)
    assert columns.min() == pytest.approx(40 - half, abs=1)
    assert rows.max() + 1 == pytest.approx(120 + half, abs=1)
    assert columns.max() + 1 == pytest.approx(120 + half, abs=1)
    assert (inks(picture)[80, 40:120] == ink).all()
    assert (inks(picture)[80:120, 120] == ink).all()
    assert ink not in map(int, inks(picture)[100, 40:100])


def test_a_slanting_wall_is_drawn_too() -> None:
    wall = Wall(((0.0, 0.0), (4.0, 4.0)))
    picture = flat(replace(drawn("....", "....", "....", "...."), walls=(wall,)), PX)
    assert (np.diagonal(inks(picture)) == Ink.OUTLINE).all()
    assert inks(picture)[10, 60] in FLOORS


def test_soft_grounds_meet_in_a_wavering_line_within_a_cell_of_the_border() -> None:
    model = drawn(*["gggg~~~~"] * 8, kind=GridKind.BATTLE)
    px = 30
    wet = np.isin(inks(flat(model, px)), (Ink.WATER, Ink.WATER_LIGHT, Ink.SHORE))
    assert not wet[:, : 3 * px].any()
    assert wet[:, 5 * px :].all()
    shores = wet.argmax(axis=1)
    assert len(set(map(int, shores))) > 5
    assert (inks(flat(model, px)) == Ink.SHORE).any(axis=1).mean() > 0.9


def test_a_lone_pool_is_round() -> None:
    model = drawn(".....", ".....", "..~..", ".....", ".....")
    wet = np.isin(cell(flat(model, 60), 2, 2, 60), (Ink.WATER, Ink.WATER_LIGHT, Ink.SHORE))
    assert wet[30, 30]
    assert not (wet[0, 0] or wet[0, -1] or wet[-1, 0] or wet[-1, -1])


def test_hard_grounds_keep_the_edges_of_their_cells() -> None:
    model = drawn("gggg", "gppg", "gppg", "gggg", kind=GridKind.BATTLE)
    planks = np.isin(inks(flat(model, PX)), (Ink.PLANK, Ink.PLANK_DARK, Ink.PLANK_GAP))
    wanted = np.zeros_like(planks)
    wanted[PX : 3 * PX, PX : 3 * PX] = True
    np.testing.assert_array_equal(planks, wanted)


def test_what_stands_somewhere_stands_on_the_ground_around_it() -> None:
    grass = {Ink.GRASS, Ink.GRASS_LIGHT, Ink.GRASS_DARK}
    outdoors = drawn("ggggg", "gbgng", "ggggg", kind=GridKind.BATTLE)
    picture = flat(outdoors, PX)
    assert found(picture, 1, 1) >= {Ink.LEAF, Ink.GRASS}
    assert found(picture, 3, 1) <= grass
    indoors = flat(drawn(".....", ".o.n.", "....."), PX)
    assert Ink.STONE in found(indoors, 1, 1)
    assert found(indoors, 3, 1) <= FLOORS


def test_the_ground_of_a_thing_is_that_of_most_cells_around_it() -> None:
    picture = flat(drawn("gggg", "gnpp", "gppp", "gppp", kind=GridKind.BATTLE), PX)
    tied = cell(picture, 1, 1)
    assert {int(tied[10, 10])} <= {Ink.GRASS, Ink.GRASS_LIGHT, Ink.GRASS_DARK}
    picture = flat(drawn("gppp", "gnpp", "gppp", "gppp", kind=GridKind.BATTLE), PX)
    assert found(picture, 1, 1) <= {Ink.PLANK, Ink.PLANK_DARK, Ink.PLANK_GAP}


def test_walls_part_the_grounds_that_things_stand_on() -> None:
    house = drawn("ggpp", "gnnp", "ggpp", kind=GridKind.BATTLE)
    walled = replace(house, walls=(Wall(((2.0, 0.0), (2.0, 3.0))),))
    picture = flat(walled, 40)
    assert set(map(int, cell(picture, 1, 1, 40)[:, 10])) <= {Ink.GRASS, Ink.GRASS_LIGHT, Ink.GRASS_DARK}
    assert set(map(int, cell(picture, 2, 1, 40)[:, 20])) <= {Ink.PLANK, Ink.PLANK_DARK, Ink.PLANK_GAP}


def test_rubble_at_a_chasm_lies_on_the_floor() -> None:
    picture = flat(drawn("..%v", "..%v", "..%v"), PX)
    assert found(picture, 2, 1) & FLOORS


def test_crowns_of_trees_reach_beyond_their_cells() -> None:
    picture = flat(drawn("ggg", "gTg", "ggg", kind=GridKind.BATTLE), PX)
    for x, y in ((1, 0), (0, 1), (2, 1), (1, 2), (1, 1)):
        assert Ink.LEAF_EDGE in found(picture, x, y)
    assert inks(picture)[PX + 10, PX + 10] in (Ink.LEAF, Ink.LEAF_LIGHT, Ink.LEAF_DARK)


def test_ledges_are_drawn_where_the_ground_steps() -> None:
    model = replace(drawn(*["gggg"] * 4, kind=GridKind.BATTLE), heights=bytes([1, 1, 0, 255] * 4))
    columns = np.nonzero((inks(flat(model, PX)) == Ink.STONE_DARK).all(axis=0))[0]
    assert set(map(int, columns // PX)) == {1, 2}
    assert (flat(model, PX).indices[:, 2 * PX + 1] & SHADE).all()


def test_stairs_traps_and_props_stand_in_their_cells() -> None:
    hall = drawn(*["....."] * 5)
    model = replace(
        hall,
        stairs=(Stairs("stairs-1", (0, 0), True, "s"),),
        traps=(Trap("trap-1", (2, 2), "dart"),),
        props=(Prop("prop-1", "table", 3.0, 3.0, 2.0, 1.0), Prop("prop-2", "unheard-of", 0.0, 4.0)),
    )
    changed = flat(model, PX).indices != flat(hall, PX).indices
    cells = {(int(x) // PX, int(y) // PX) for y, x in np.argwhere(changed)}
    # The table's shadow falls into the row below it.
    assert cells - {(3, 4), (4, 4), (1, 4)} == {(0, 0), (2, 2), (3, 3), (4, 3), (0, 4)}
    turned = replace(hall, props=(Prop("prop-1", "bookshelf", 1.0, 2.0, 3.0, 1.0, 90),))
    rows, columns = np.nonzero(np.isin(inks(flat(turned, PX)), (Ink.WOOD, Ink.WOOD_LIGHT, Ink.WOOD_DARK)))
    assert rows.max() - rows.min() > 2 * PX > PX > columns.max() - columns.min()


def test_stairs_are_darkest_where_they_lead_down() -> None:
    hall = drawn("...", "...", "...")
    for facing, first in (("n", (0, 1)), ("s", (0, -1)), ("w", (1, 1)), ("e", (1, -1))):
        picture = flat(replace(hall, stairs=(Stairs("stairs-1", (1, 1), False, facing),)), 40)
        axis, way = first
        treads = cell(picture, 1, 1, 40)[:, 20] if axis == 0 else cell(picture, 1, 1, 40)[20]
        seen = [int(ink) for ink in treads[::way] if ink in (Ink.STONE_LIGHT, Ink.STONE, Ink.STONE_DARK)]
        assert seen[0] == Ink.STONE_LIGHT
        assert seen[-1] == Ink.STONE_DARK


def test_things_beyond_the_edge_are_cut_off() -> None:
    props = tuple(
        Prop(f"prop-{n}", "crate", x, y) for n, (x, y) in enumerate(((-0.5, -0.5), (2.6, 2.6), (9.0, 0.0)))
    )
    assert flat(replace(drawn("...", "...", "..."), props=props), PX).indices.shape == (60, 60)


def test_themes_have_their_own_colors() -> None:
    plain = palette_of("")
    assert not np.array_equal(palette_of("mine"), plain)
    assert np.array_equal(palette_of("abandoned mine"), palette_of("mine"))
    assert np.array_equal(palette_of("no such theme"), plain)
    assert flat(replace(HALL, theme="sewer"), PX).palette.tolist() == palette_of("sewer").tolist()


def test_shadows_and_grid_lines_are_darker_than_what_they_lie_on() -> None:
    light = palette_of("crypt").astype(int).sum(axis=1)
    for ink in FLOORS | {Ink.GRASS, Ink.WATER, Ink.PLANK}:
        assert light[ink] > light[ink | GRID] > light[ink | SHADE] > light[ink | SHADE | GRID]


def test_sizes_beyond_the_limits_are_refused() -> None:
    with pytest.raises(ValueError, match="pixels a cell"):
        flat(HALL, 3)
    with pytest.raises(ValueError, match="pixels a cell"):
        flat(HALL, 300)
    huge = GridMap(GridKind.CAVE, 1, 1, 0, "", "", 400, 400, bytes(160_000))
    with pytest.raises(PictureTooLargeError) as caught:
        flat(huge, 30)
    assert caught.value.problem.found == 144_000_000


@settings(max_examples=25)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(4, 12), st.sampled_from(GridKind), st.data())
def test_any_cells_are_drawn(width: int, height: int, px: int, kind: GridKind, data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.sampled_from(Terrain), min_size=width * height, max_size=width * height))
    model = GridMap(kind, 1, 1, 0, "", "", width, height, bytes(codes))
    picture = flat(model, px)
    assert picture.indices.shape == (height * px, width * px)
    assert set(map(int, np.unique(inks(picture)))) <= set(Ink)
    solid = np.isin(np.array(codes).reshape(height, width), (Terrain.ROCK, Terrain.WALL))
    rock = np.isin(inks(picture), (Ink.ROCK, Ink.OUTLINE, Ink.WALL, Ink.WALL_JOINT))
    crowns = Terrain.TREE in codes
    middles = rock[px // 2 :: px, px // 2 :: px]
    assert crowns or middles[solid].all()
