"""How far players under fog know a map: no state of play, picture or export of theirs goes farther."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.board import Board
from services.map.exports.pictures import read_picture
from services.map.formats import OutputRequest
from services.map.generation.grid.canonical import to_bytes
from services.map.generation.grid.model import GridMap
from services.map.generation.grid.terrain import Terrain
from services.map.grid_view import grid_view
from services.map.outputs import Studio, produce
from services.map.play.cells import no_cells, packed, unpacked
from services.map.play.edits import PutMarker
from services.map.play.known_extent import UNKNOWN, cut_to, picture_part
from services.map.play.sight import Cells
from services.map.play.state import (
    PARTY,
    Explored,
    Extent,
    Fog,
    FogMode,
    Layer,
    MapState,
    Spot,
    Token,
)
from services.map.render.raster.encode import png
from services.rules.engine.problem import Problems
from tests.map.test_play_masked import FULL
from tests.map.test_play_stage import ANN, GM, HEIGHT, WIDTH


def board(model: GridMap, explored: Cells, *tokens: Token, mode: FogMode = FogMode.FOGGED) -> Board:
    """A map of which the party has explored some cells."""
    extent = Extent(model.width, model.height, True)
    state = MapState(extent, Fog(mode), (Explored(PARTY, packed(explored)),), tokens)
    return Board(model, state)


def box(left: int, top: int, right: int, bottom: int, model: GridMap = FULL) -> Cells:
    """The cells of a box, the last ones left out."""
    cells = no_cells(Extent(model.width, model.height, True))
    cells[top:bottom, left:right] = True
    return cells


def larger(model: GridMap, right: int, bottom: int, terrain: Terrain) -> GridMap:
    """A map that goes on to the east and south."""
    cells = np.full((model.height + bottom, model.width + right), terrain, np.uint8)
    cells[: model.height, : model.width] = np.frombuffer(model.cells, np.uint8).reshape(model.height, -1)
    heights = np.full_like(cells, 2)
    heights[: model.height, : model.width] = np.frombuffer(model.heights, np.uint8).reshape(model.height, -1)
    return replace(
        model,
        width=model.width + right,
        height=model.height + bottom,
        cells=cells.tobytes(),
        heights=heights.tobytes(),
    )


def drawn(found: Board) -> GridMap:
    """What Ann's pictures are of."""
    shown = found.seen(ANN)
    return cut_to(found.model_for(ANN, shown), shown.extent)


def test_a_player_knows_the_box_of_what_is_explored_and_a_cell_around_it() -> None:
    found = board(FULL, box(6, 1, 10, 3) | box(9, 3, 10, 4))
    shown = found.seen(ANN)
    # The bed stands in 7, 1 and the door in 5, 2 opens to 6, 2, but fills a cell that is unknown.
    assert shown.extent == Extent(6, 5, True, 5, 0)
    known = unpacked(shown.explored[0].cells, shown.extent)
    assert known.sum() == 4 * 2 + 1 and known[1:3, 1:5].all() and known[3, 4]
    model = drawn(found)
    assert (model.width, model.height) == (6, 5)
    whole = found.model_for(ANN, shown)
    assert [model.terrain(x, y) for y in range(5) for x in range(6)] == [
        whole.terrain(x + 5, y) for y in range(5) for x in range(6)
    ]
    assert [(one.id, one.x, one.y) for one in model.props] == [("prop-2", 2.0, 1.0)]
    assert [(one.id, one.at) for one in model.stairs] == [("stairs-2", (4, 1))]
    assert [one.at for one in model.notes] == [(4.0, 3.0)]


def test_the_map_in_the_graph_keeps_its_coordinates() -> None:
    found = board(FULL, box(6, 1, 10, 3))
    shown = found.seen(ANN)
    seen = grid_view(found.model_for(ANN, shown), shown.extent)
    assert (seen.x, seen.y, seen.width, seen.height) == (5, 0, 6, 4)
    assert [len(row) for row in seen.cells] == [6] * 4 and len(seen.heights) == 24
    assert [(one.at.x, one.at.y) for one in seen.stairs] == [(9, 1)]


def test_game_masters_and_maps_without_fog_stay_whole() -> None:
    found = board(FULL, box(6, 1, 10, 3))
    assert found.seen(GM).extent == Extent(WIDTH, HEIGHT, True)
    assert cut_to(FULL, found.seen(GM).extent) is FULL
    assert board(FULL, box(6, 1, 10, 3), mode=FogMode.OPEN).seen(ANN).extent == Extent(WIDTH, HEIGHT, True)


@pytest.mark.parametrize("side", [1, 2, 40])
def test_who_has_explored_nothing_receives_a_small_picture_with_nothing_in_it(side: int) -> None:
    cells = bytes(Terrain.FLOOR for _ in range(side * side))
    model = GridMap(FULL.kind, 1, 7, 0, "Hall", "crypt", side, side, cells)
    found = board(model, no_cells(Extent(side, side, True)))
    shown = found.seen(ANN)
    assert shown.extent == UNKNOWN and not unpacked(shown.explored[0].cells, UNKNOWN).any()
    assert drawn(found) == replace(model, seed=0, width=3, height=3, cells=bytes([Terrain.ROCK]) * 9)


def test_their_own_tokens_and_pins_are_in_it_wherever_they_stand() -> None:
    mine = Token("token-1", "Ann", Spot(3, 5), size=2, owners=(ANN.account,), layer=Layer.PLAYERS)
    other = replace(mine, id="token-2", at=Spot(9, 5), owners=())
    found = board(FULL, box(1, 1, 3, 3), mine, other)
    assert found.seen(ANN).extent == Extent(6, 8, True)
    marked = found.edit(PutMarker(at=Spot(7.5, 6.0), label="here"), ANN, "marker-1")
    assert not isinstance(marked, Problems)
    assert marked[0].seen(ANN).extent == Extent(9, 8, True)


def test_a_refusal_does_not_tell_the_size_of_a_map_under_fog() -> None:
    found = board(FULL, box(1, 1, 3, 3))
    (refused,) = found.edit(PutMarker(at=Spot(900.0, 900.0), label="here"), ANN, "marker-1")
    assert refused.code == "map_spot_outside" and refused.allowed is None
    (told,) = found.edit(PutMarker(at=Spot(900.0, 900.0), label="here"), GM, "marker-1")
    assert told.allowed == f"0, 0 to {WIDTH}, {HEIGHT}"


CORNER = st.tuples(st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1))


@settings(max_examples=30, deadline=None)
@given(
    CORNER,
    CORNER,
    st.integers(1, 60),
    st.integers(1, 60),
    st.sampled_from([Terrain.FLOOR, Terrain.WALL]),
    st.binary(min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT),
)
def test_maps_that_differ_beyond_what_is_explored_draw_the_same_bytes(
    one: tuple[int, int],
    other: tuple[int, int],
    right: int,
    bottom: int,
    terrain: Terrain,
    noise: bytes,
) -> None:
    # Both maps go on beside what is explored: whether a map ends there is seen from the cell before.
    model = larger(FULL, 1, 1, Terrain.WALL)
    left, top = min(one[0], other[0]), min(one[1], other[1])
    cells = box(left, top, max(one[0], other[0]) + 1, max(one[1], other[1]) + 1, model)
    grown = larger(model, right, bottom, terrain)
    known = box(0, 0, grown.width, grown.height, grown) & False
    known[: model.height, : model.width] = cells
    changed = np.frombuffer(grown.cells, np.uint8).reshape(grown.height, grown.width).copy()
    random = np.zeros_like(changed)
    random[:HEIGHT, :WIDTH] = (np.frombuffer(noise, np.uint8) % 2).reshape(HEIGHT, WIDTH)
    unknown = ~known
    changed[unknown] = random[unknown]
    differing = replace(grown, cells=changed.tobytes())
    first, second = board(model, cells), board(differing, known)
    assert first.seen(ANN) == second.seen(ANN)
    files = [to_bytes(drawn(found)) for found in (first, second)]
    assert files[0] == files[1]


@pytest.mark.parametrize(
    "asked",
    [OutputRequest("svg"), OutputRequest("png", style="flat", pixels=16), OutputRequest("uvtt-lines")],
)
def test_pictures_and_exports_are_of_the_known_part(asked: OutputRequest) -> None:
    small, huge = FULL, larger(FULL, 80, 50, Terrain.FLOOR)
    cells = box(6, 1, 10, 3)
    known = box(6, 1, 10, 3, huge)
    made = [
        produce("dungeon", to_bytes(drawn(found)), asked)
        for found in (board(small, cells), board(huge, known))
    ]
    assert not isinstance(made[0], Problems) and made[0] == made[1]
    nothing = produce("dungeon", to_bytes(drawn(board(huge, known & False))), asked)
    assert not isinstance(nothing, Problems) and nothing.content
    if asked.format == "png":
        picture = read_picture(made[0].content)
        assert picture.shape[:2] == (4 * 16, 6 * 16)


def test_the_picture_that_a_map_came_with_is_cut_along() -> None:
    rows, columns = np.mgrid[0 : HEIGHT * 4, 0 : WIDTH * 4]
    pixels = np.stack([columns, rows, columns * 0], axis=2).astype(np.uint8)
    found = board(FULL, box(6, 1, 10, 3))
    shown = found.seen(ANN)
    part = picture_part(found.model_for(ANN, shown), shown.extent)
    studio = Studio("imported", to_bytes(drawn(found)), drawn(found), image=png(pixels), part=part)
    picture = studio.picture
    assert isinstance(picture, np.ndarray)
    assert np.array_equal(picture[..., :3], pixels[0:16, 20:44])
