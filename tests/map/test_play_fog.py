"""The fog over a grid map: its cells, who explores them, and how the game master lifts it."""

from __future__ import annotations

import base64
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.grid.model import DoorState
from services.map.play.cells import area_cells, as_cells, known, packed, unpacked
from services.map.play.edits import (
    CellArea,
    CellRectangle,
    CellSpan,
    Conceal,
    MoveToken,
    PutLight,
    PutToken,
    Reveal,
    RevealAll,
    SetDoor,
    SetFog,
)
from services.map.play.sight import explore, look_around, seen_from, seen_now, shining
from services.map.play.state import (
    PARTY,
    CarriedLight,
    Explored,
    Extent,
    FogMode,
    Layer,
    MapState,
    Sight,
    Spot,
    Token,
    begin,
    find,
)
from tests.map.test_play_stage import (
    ANN,
    BOB,
    HEIGHT,
    WIDTH,
    StageGround,
    codes,
    done,
    looked,
    paths,
    stage,
)

NORTH_WEST = CellArea(CellRectangle(1, 1, 4, 3))
KITCHEN = CellArea(CellRectangle(6, 1, 5, 3))
EXTENT = Extent(WIDTH, HEIGHT, True)


def box(left: int, top: int, width: int, height: int) -> np.ndarray:
    """The cells of a box of the stage."""
    cells = np.zeros((HEIGHT, WIDTH), dtype=bool)
    cells[top : top + height, left : left + width] = True
    return cells


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_a_bitmap_is_the_cells_row_by_row_a_bit_each(columns: int, rows: int, data: st.DataObject) -> None:
    bits = data.draw(st.integers(0, 2 ** (columns * rows) - 1))
    written = format(bits, f"0{columns * rows}b")
    cells = np.array([sign == "1" for sign in written]).reshape(rows, columns)
    extent = Extent(columns, rows, True)
    octets = -(-columns * rows // 8)
    padded = written.ljust(octets * 8, "0")
    assert base64.b64decode(packed(cells)) == int(padded, 2).to_bytes(octets, "big")
    assert (unpacked(packed(cells), extent) == cells).all()
    assert (as_cells(bytes(cells.ravel().tolist()), extent) == cells).all()


@given(st.integers(1, 60), st.integers(1, 60))
def test_nothing_is_explored_of_a_new_map_of_any_size(columns: int, rows: int) -> None:
    state = begin(columns, rows, cells=True)
    assert known(state, ANN.account).shape == (rows, columns)
    assert not known(state, ANN.account).any()
    assert state.explored == (Explored(PARTY, packed(known(state, PARTY))),)


@pytest.mark.parametrize("bitmap", ["", "AAAA", "A" * 20, "?" * 16])
def test_a_bitmap_of_another_map_is_refused(bitmap: str) -> None:
    with pytest.raises(ValueError, match="bitmap"):
        unpacked(bitmap, EXTENT)
    with pytest.raises(ValueError, match="base64"):
        MapState(EXTENT, explored=(Explored(PARTY, bitmap[:15]),))


COORDINATES = st.integers(0, 48).map(lambda quarters: quarters / 4)


@settings(max_examples=150)
@given(st.lists(st.tuples(COORDINATES, COORDINATES), min_size=3, max_size=8, unique=True))
def test_a_polygon_holds_the_cells_whose_middles_lie_inside(corners: list[tuple[float, float]]) -> None:
    polygon = shapely.Polygon(corners)
    if not polygon.is_valid:
        return
    extent = Extent(12, 12, True)
    cells = area_cells(CellArea(polygon=tuple(Spot(x, y) for x, y in corners)), extent)
    for y in range(12):
        for x in range(12):
            middle = shapely.Point(x + 0.5, y + 0.5)
            if polygon.boundary.distance(middle) > 1e-9:
                assert cells[y, x] == polygon.contains(middle)


def test_polygons_side_by_side_share_no_cell_and_leave_none_out() -> None:
    extent, parts = Extent(12, 12, True), ((0.0, 3.5), (3.5, 7.5), (7.5, 12.0))
    shares = [
        area_cells(CellArea(polygon=(Spot(a, 0), Spot(b, 0), Spot(b, 12), Spot(a, 12))), extent)
        for a, b in parts
    ]
    assert (np.sum(shares, axis=0) == 1).all()


def test_an_area_is_its_parts_together() -> None:
    area = CellArea(CellRectangle(0, 0, 2, 1), spans=(CellSpan(3, 4, 6),))
    assert (area_cells(area, EXTENT) == (box(0, 0, 2, 1) | box(4, 3, 2, 1))).all()


def test_reveal_and_conceal_for_a_party_that_shares_its_fog() -> None:
    state = done(stage(FogMode.FOGGED), Reveal(NORTH_WEST))
    for account in (ANN.account, BOB.account):
        assert (known(state, account) == box(1, 1, 4, 3)).all()
    state = done(state, Conceal(CellArea(CellRectangle(1, 1, 4, 1))))
    assert (known(state, ANN.account) == box(1, 2, 4, 2)).all()
    assert known(done(state, RevealAll()), BOB.account).all()
    assert codes(state, Reveal(KITCHEN, ANN.account)) == ("map_fog_shared",)
    assert paths(state, Reveal(KITCHEN, ANN.account)) == {("viewer",)}


def test_reveal_and_conceal_where_each_explores_alone() -> None:
    state = done(stage(FogMode.FOGGED, shared=False), Reveal(NORTH_WEST))
    state = done(state, Reveal(KITCHEN, ANN.account))
    assert (known(state, ANN.account) == box(1, 1, 4, 3) | box(6, 1, 5, 3)).all()
    assert (known(state, BOB.account) == box(1, 1, 4, 3)).all()
    # For the party means for all, whatever they have of their own.
    state = done(state, Conceal(NORTH_WEST))
    assert (known(state, ANN.account) == box(6, 1, 5, 3)).all()
    assert not known(state, BOB.account).any()
    state = done(state, RevealAll(BOB.account))
    assert known(state, BOB.account).all()
    assert not known(state, PARTY).any()


def test_to_reveal_what_is_known_changes_nothing() -> None:
    state = done(stage(FogMode.FOGGED, shared=False), Reveal(NORTH_WEST))
    assert done(state, Reveal(NORTH_WEST, ANN.account)) is state


def test_a_party_that_begins_to_share_knows_what_any_of_them_did() -> None:
    state = done(stage(FogMode.FOGGED, shared=False), Reveal(NORTH_WEST, ANN.account))
    state = done(state, Reveal(KITCHEN, BOB.account))
    state = done(state, SetFog(FogMode.FOGGED, shared=True))
    assert [one.id for one in state.explored] == [PARTY]
    assert (known(state, ANN.account) == box(1, 1, 4, 3) | box(6, 1, 5, 3)).all()
    state = done(state, SetFog(FogMode.FOGGED, shared=False))
    assert (known(state, BOB.account) == box(1, 1, 4, 3) | box(6, 1, 5, 3)).all()


def test_tokens_explore_what_they_see_for_their_owners() -> None:
    state = looked(stage(FogMode.FOGGED, shared=False))
    # The floor of one's room, some of the walls around it, and nothing beyond.
    assert known(state, ANN.account)[box(1, 1, 4, 3)].all()
    assert not known(state, ANN.account)[~box(0, 0, 6, 5)].any()
    assert known(state, BOB.account)[box(6, 5, 5, 2)].all()
    assert not known(state, BOB.account)[~box(5, 4, 7, 4)].any()
    assert not known(state, PARTY).any()
    together = looked(stage(FogMode.FOGGED, shared=True))
    assert (known(together, PARTY) == known(state, ANN.account) | known(state, BOB.account)).all()


def test_an_opened_door_lets_one_look_on() -> None:
    state = looked(done(stage(FogMode.FOGGED), MoveToken("elf", Spot(4, 2))))
    assert not known(state, PARTY)[2, 8]
    state = looked(done(state, SetDoor("door-1", DoorState.OPEN), ANN))
    assert known(state, PARTY)[2, 8]


@pytest.mark.parametrize("mode", [FogMode.OPEN, FogMode.HIDDEN])
def test_nothing_is_explored_while_the_map_is_open_or_hidden(mode: FogMode) -> None:
    assert looked(stage(mode)) == stage(mode)


def test_what_nobody_owns_or_sees_or_may_see_explores_nothing() -> None:
    state = stage(FogMode.FOGGED)
    token = Token("scout", "Scout", Spot(8, 2), owners=(ANN.account,), sight=Sight())
    everything = np.ones((HEIGHT, WIDTH), dtype=bool)
    assert explore(state, token, everything).changes != ()
    for other in (replace(token, owners=()), replace(token, layer=Layer.GM)):
        assert explore(state, other, everything).changes == ()
    blind = replace(token, sight=None)
    assert not seen_from(blind, (8, 2), EXTENT, StageGround(state).see).any()


def test_sight_ends_at_its_range() -> None:
    token = Token("scout", "Scout", Spot(8, 2), sight=Sight(range=1))
    seen = seen_from(token, (8, 2), EXTENT, StageGround(stage()).see)
    assert (seen == box(7, 1, 3, 3)).all()


def test_in_the_dark_one_sees_what_is_lit_and_what_is_near() -> None:
    token = Token("scout", "Scout", Spot(6, 2), sight=Sight(range=60, dark=1))
    see = StageGround(stage()).see
    lit = box(10, 1, 1, 3) | box(1, 1, 1, 1)
    seen = seen_from(token, (6, 2), EXTENT, see, lit)
    assert (seen == (box(5, 1, 3, 3) | box(10, 1, 1, 3))).all()
    cats_eyes = replace(token, sight=Sight(range=0, dark=2))
    assert (seen_from(cats_eyes, (6, 2), EXTENT, see, lit) & box(6, 1, 5, 3) == box(6, 1, 3, 3)).all()


def test_a_large_token_sees_from_all_of_its_sides() -> None:
    see = StageGround(stage()).see
    small = Token("one", "One", Spot(2, 1), sight=Sight(range=1))
    large = replace(small, size=3)
    floor = box(1, 1, 4, 3)
    assert (seen_from(small, (2, 1), EXTENT, see) & floor == box(1, 1, 3, 2)).all()
    assert (seen_from(large, (2, 1), EXTENT, see) & floor == floor).all()


def test_sight_may_come_as_bytes() -> None:
    state = stage()
    ground = StageGround(state)

    def as_bytes(x: int, y: int, radius: float) -> bytes:
        return bytes(ground.see(x, y, radius).ravel().tolist())

    assert (seen_now(state, ANN, as_bytes) == seen_now(state, ANN, ground.see)).all()
    assert seen_now(state, ANN, ground.see).any()


def test_lights_added_and_carried_shine_but_not_from_the_game_masters_layer() -> None:
    state = stage()
    state = done(state, PutLight(Spot(2.5, 2.5), 2, 4), new_id="brazier")
    state = done(state, PutLight(Spot(2.5, 2.5), 2, 4, layer=Layer.GM), new_id="planned")
    torch = CarriedLight(3, 6)
    state = done(state, PutToken("Bearer", Spot(7, 1), size=2, light=torch), new_id="bearer")
    state = done(state, PutToken("Spy", Spot(7, 1), light=torch, layer=Layer.GM), new_id="spy")
    lights = {light.id: (light.at, light.bright, light.dim) for light in shining(state)}
    assert lights == {"brazier": ((2.5, 2.5), 2, 4), "bearer": ((8.0, 2.0), 3, 6)}


def test_a_map_without_cells_has_no_fog() -> None:
    with pytest.raises(ValueError, match="fog"):
        replace(begin(10, 10, cells=False), fog=replace(stage(FogMode.FOGGED).fog))


def test_looking_around_twice_explores_no_more() -> None:
    state = looked(stage(FogMode.FOGGED))
    assert look_around(state, StageGround(state).see).changes == ()
    assert isinstance(find(state, "explored", PARTY), Explored)
