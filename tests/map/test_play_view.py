"""What a viewer may know of the state of play: a hidden thing leaves no trace."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.grid.model import DoorState
from services.map.play.apply import apply, with_explored
from services.map.play.cells import known
from services.map.play.changes import Applied, changes_between
from services.map.play.edits import (
    CellArea,
    CellRectangle,
    Draw,
    Edit,
    FindDoor,
    MoveToken,
    PutArea,
    PutLight,
    PutMarker,
    PutNote,
    PutPlace,
    PutToken,
    Reveal,
    SetDoor,
    SetFog,
)
from services.map.play.rights import Editor
from services.map.play.shapes import AreaShape, DrawingShape
from services.map.play.sight import seen_now
from services.map.play.state import (
    FogMode,
    Layer,
    MapState,
    Sight,
    Spot,
    begin,
    find,
    to_bytes,
)
from services.map.play.view import etag, view
from tests.map.test_play_stage import ANN, BOB, EVE, GM, StageGround, done, looked, stage

CANARY = "Xanthippe"
GM_LAYER = Layer.GM
WEST, KITCHEN, CELLAR, VAULT = Spot(2, 2), Spot(8, 2), Spot(8, 6), Spot(2, 6)


def shown(state: MapState, viewer: Editor) -> MapState:
    """What a viewer sees on the stage."""
    ground = StageGround(state)
    return view(state, viewer, ground, seen_now(state, viewer, ground.see))


def ids(state: MapState, section: str) -> list[str]:
    """The ids of a section."""
    return [one.id for one in getattr(state, section)]


def hidden_things(spot: Spot) -> tuple[Edit, ...]:
    """One thing in every section that players must not see."""
    cell, word = Spot(float(int(spot.x)), float(int(spot.y))), CANARY[:8]
    return (
        PutToken(CANARY, cell, label=word, character=CANARY, conditions=(CANARY,), layer=GM_LAYER),
        PutMarker(spot, sort=CANARY, label=CANARY, layer=GM_LAYER),
        PutNote(spot, CANARY, CANARY, layer=GM_LAYER),
        Draw(DrawingShape.TEXT, (spot,), text=CANARY, layer=GM_LAYER),
        PutPlace(CANARY, spot, sort=CANARY, details=CANARY, known=False),
        PutLight(spot, 1, 2, color="#facade", layer=GM_LAYER),
        PutArea(AreaShape.CIRCLE, spot, 3, label=CANARY, layer=GM_LAYER),
        SetDoor("door-3", DoorState.LOCKED),
    )


def shown_things(spot: Spot) -> tuple[Edit, ...]:
    """One thing in every section that players may see where they see at all."""
    cell, word = Spot(float(int(spot.x)), float(int(spot.y))), CANARY[:8]
    return (
        PutToken(CANARY, cell, label=word, conditions=(CANARY,)),
        PutMarker(spot, sort=CANARY, label=CANARY),
        PutNote(spot, CANARY, CANARY, layer=Layer.PLAYERS),
        Draw(DrawingShape.TEXT, (spot,), text=CANARY),
        PutPlace(CANARY, spot, sort=CANARY, details=CANARY, known=True),
        PutLight(spot, 1, 2, color="#facade"),
        PutArea(AreaShape.CIRCLE, spot, 3, label=CANARY),
    )


MODES = st.sampled_from([FogMode.OPEN, FogMode.FOGGED, FogMode.HIDDEN])
PLAYERS = st.sampled_from([ANN, BOB, EVE])
# Not so near to the edge of a cell that rounding would put it into the next one.
SPOTS = st.builds(Spot, st.integers(0, 95).map(lambda n: n / 8), st.integers(0, 63).map(lambda n: n / 8))


@settings(max_examples=60)
@given(MODES, st.booleans(), PLAYERS, st.lists(st.tuples(SPOTS, st.integers(0, 7)), min_size=1, max_size=8))
def test_a_hidden_thing_leaves_no_trace(
    mode: FogMode, shared: bool, viewer: Editor, things: list[tuple[Spot, int]]
) -> None:
    before = looked(stage(mode, shared))
    after = before
    for number, (spot, which) in enumerate(things):
        after = done(after, hidden_things(spot)[which], GM, f"{CANARY}-{number}")
    assert CANARY.encode() in to_bytes(after) or after.doors
    assert CANARY.encode() not in to_bytes(shown(after, viewer))
    assert shown(after, viewer) == shown(before, viewer)
    assert etag(shown(after, viewer)) == etag(shown(before, viewer))
    assert changes_between(shown(before, viewer), shown(after, viewer)) == ()


@settings(max_examples=60)
@given(st.booleans(), PLAYERS, SPOTS, st.integers(0, 6), st.booleans())
def test_under_fog_nothing_is_shown_that_lies_in_unexplored_cells(
    shared: bool, viewer: Editor, spot: Spot, which: int, revealed: bool
) -> None:
    before = looked(stage(FogMode.FOGGED, shared))
    if revealed:
        before = done(before, Reveal(CellArea(CellRectangle(1, 5, 4, 2))))
    after = done(before, shown_things(spot)[which], GM, "thing")
    explored = known(before, viewer.account)[int(spot.y), int(spot.x)]
    same = etag(shown(after, viewer)) == etag(shown(before, viewer))
    if not explored:
        assert same
    elif which:
        assert not same


def test_the_game_master_sees_everything() -> None:
    state = stage(FogMode.HIDDEN)
    for number, edit in enumerate(hidden_things(WEST)):
        state = done(state, edit, GM, f"thing-{number}")
    assert shown(state, GM) == state


def test_a_hidden_map_shows_nothing() -> None:
    state = stage()
    for number, edit in enumerate(shown_things(WEST)):
        state = done(state, edit, GM, f"thing-{number}")
    state = done(state, SetFog(FogMode.HIDDEN))
    empty = begin(12, 8, cells=True)
    assert shown(state, ANN) == replace(empty, fog=state.fog, explored=())


def test_an_open_map_shows_what_is_on_the_players_layer() -> None:
    state = stage()
    for number, edit in enumerate(shown_things(CELLAR)):
        state = done(state, edit, GM, f"thing-{number}")
    for viewer in (ANN, BOB, EVE):
        seen = shown(state, viewer)
        assert ids(seen, "tokens") == ids(state, "tokens")
        for section in ("markers", "notes", "drawings", "places", "lights", "areas"):
            assert ids(seen, section) == ids(state, section)


def test_tokens_are_shown_where_an_own_token_sees_now_not_where_one_has_been() -> None:
    state = done(stage(FogMode.FOGGED, shared=False), SetDoor("door-1", DoorState.OPEN))
    assert ids(shown(looked(state), ANN), "tokens") == ["elf"]
    state = looked(done(state, MoveToken("elf", Spot(8, 1))))
    assert ids(shown(state, ANN), "tokens") == ["elf", "ogre"]
    state = looked(done(state, MoveToken("elf", Spot(1, 1))))
    assert known(state, ANN.account)[1, 9]
    assert ids(shown(state, ANN), "tokens") == ["elf"]


def test_a_party_that_shares_its_fog_shares_its_eyes() -> None:
    state = looked(stage(FogMode.FOGGED, shared=True))
    for viewer in (ANN, BOB, EVE):
        assert ids(shown(state, viewer), "tokens") == ["dwarf", "elf"]
    state = looked(stage(FogMode.FOGGED, shared=False))
    assert [ids(shown(state, viewer), "tokens") for viewer in (ANN, BOB, EVE)] == [["elf"], ["dwarf"], []]


def test_the_fog_of_others_is_not_shown() -> None:
    state = looked(stage(FogMode.FOGGED, shared=False))
    assert ids(state, "explored") == [ANN.account, BOB.account, "party"]
    assert ids(shown(state, ANN), "explored") == [ANN.account]
    assert shown(state, ANN).explored != shown(state, BOB).explored
    # Who has explored nothing of their own is shown what the party knows.
    (own,) = shown(state, EVE).explored
    assert own.cells == find(state, "explored", "party").cells  # type: ignore[union-attr]


def test_a_token_that_is_blind_or_on_the_game_masters_layer_shows_its_owner_nothing() -> None:
    blind = PutToken("Blind", KITCHEN, owners=(ANN.account,))
    veiled = PutToken("Veiled", KITCHEN, owners=(ANN.account,), sight=Sight(), layer=Layer.GM)
    for token in (blind, veiled):
        state = done(stage(FogMode.FOGGED, shared=False), token, GM, "scout")
        assert "ogre" not in ids(shown(looked(state), ANN), "tokens")
        assert not known(looked(state), ANN.account)[2, 8]


def test_own_markers_and_drawings_are_always_shown() -> None:
    state = stage(FogMode.FOGGED)
    state = done(state, PutMarker(VAULT), ANN, "marker")
    state = done(state, Draw(DrawingShape.LINE, (VAULT, CELLAR)), ANN, "drawing")
    assert (ids(shown(state, ANN), "markers"), ids(shown(state, ANN), "drawings")) == (
        ["marker"],
        ["drawing"],
    )
    assert (ids(shown(state, BOB), "markers"), ids(shown(state, BOB), "drawings")) == ([], [])


@pytest.mark.parametrize(
    ("shape", "points", "fill", "explored"),
    [
        (DrawingShape.LINE, (Spot(1.5, 1.5), Spot(4.5, 3.5)), "", True),
        (DrawingShape.LINE, (Spot(1.5, 1.5), Spot(7.5, 1.5)), "", False),
        # Its ends are explored, and its middle is not.
        (DrawingShape.LINE, (Spot(1.5, 1.5), Spot(9.5, 5.5)), "", False),
        (DrawingShape.POLYGON, (Spot(1.5, 1.5), Spot(4.5, 1.5), Spot(3, 3.5)), "", True),
        (DrawingShape.ELLIPSE, (Spot(1.1, 1.1), Spot(4.9, 3.9)), "#123456", True),
        (DrawingShape.RECTANGLE, (Spot(1.1, 1.1), Spot(4.9, 3.9)), "#123456", True),
        (DrawingShape.ELLIPSE, (Spot(3, 1), Spot(8, 3)), "", False),
    ],
)
def test_a_drawing_is_shown_when_all_of_it_is_explored(
    shape: DrawingShape, points: tuple[Spot, ...], fill: str, explored: bool
) -> None:
    state = done(stage(FogMode.FOGGED), Reveal(CellArea(CellRectangle(1, 1, 4, 3))))
    state = done(state, Reveal(CellArea(CellRectangle(8, 5, 3, 2))))
    state = done(state, Draw(shape, points, fill=fill), GM, "drawing")
    assert ids(shown(state, ANN), "drawings") == ["drawing"] * explored


def test_a_filled_drawing_is_hidden_when_its_inside_is_not_explored() -> None:
    state = done(stage(FogMode.FOGGED), Reveal(CellArea(CellRectangle(0, 0, 12, 8))))
    from_gm = Draw(DrawingShape.RECTANGLE, (Spot(1.5, 1.5), Spot(10.5, 6.5)), fill="#123456")
    state = done(state, from_gm, GM, "filled")
    state = done(state, replace(from_gm, fill=""), GM, "outline")
    assert ids(shown(state, ANN), "drawings") == ["filled", "outline"]
    cells = known(state, "party")
    cells[4, 5] = False
    assert ids(shown(with_explored(state, "party", cells), ANN), "drawings") == ["outline"]


def test_the_orders_of_drawings_tell_nothing_of_hidden_ones() -> None:
    state = stage()
    for number in range(6):
        layer = Layer.GM if number % 2 else Layer.PLAYERS
        state = done(state, Draw(DrawingShape.LINE, (WEST, KITCHEN), layer=layer), GM, f"id-{5 - number}")
    seen = sorted(shown(state, ANN).drawings, key=lambda one: one.order)
    assert [(one.id, one.order) for one in seen] == [("id-5", 1), ("id-3", 2), ("id-1", 3)]


def test_doors_are_shown_when_they_were_found_and_explored() -> None:
    state = done(stage(), SetDoor("door-3", DoorState.CLOSED))
    state = done(state, SetDoor("door-1", DoorState.OPEN))
    assert ids(shown(state, ANN), "doors") == ["door-1"]
    state = done(state, FindDoor("door-3"))
    assert ids(shown(state, ANN), "doors") == ["door-1", "door-3"]
    state = looked(done(state, SetFog(FogMode.FOGGED, shared=False)))
    assert ids(shown(state, ANN), "doors") == ["door-1"]
    assert ids(shown(state, BOB), "doors") == ["door-3"]


def test_a_view_of_a_map_without_cells_follows_layers_alone() -> None:
    state = begin(100, 80, cells=False)
    for id, known_to_players in (("inn", True), ("crypt", False)):
        applied = apply(state, PutPlace(id, Spot(50, 40), known=known_to_players), GM, None, id)
        assert isinstance(applied, Applied)
        state = applied.state
    assert ids(view(state, ANN), "places") == ["inn"]
    assert ids(view(state, GM), "places") == ["crypt", "inn"]
