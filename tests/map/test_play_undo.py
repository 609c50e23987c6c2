"""Undo on a map at the table: exact, and refused where somebody went on."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.generation.grid.model import DoorState
from services.map.play.changes import (
    Applied,
    changes_between,
    changes_from_data,
    changes_to_data,
    inverse,
    undo,
)
from services.map.play.edits import (
    CellArea,
    CellRectangle,
    Conceal,
    Draw,
    Edit,
    Erase,
    FindDoor,
    MoveToken,
    PutArea,
    PutLight,
    PutMarker,
    PutNote,
    PutPlace,
    PutToken,
    RemoveArea,
    RemoveLight,
    RemoveMarker,
    RemoveNote,
    RemovePlace,
    RemoveToken,
    Reveal,
    RevealAll,
    SetDoor,
    SetFog,
)
from services.map.play.limits import MOST
from services.map.play.rights import Editor
from services.map.play.shapes import AreaShape, DrawingShape
from services.map.play.sight import look_around
from services.map.play.state import (
    PARTY,
    STATE_CODEC,
    CarriedLight,
    FogMode,
    Layer,
    MapState,
    Sight,
    Spot,
    find,
    to_bytes,
)
from services.rules.engine.codec import CodecError
from services.rules.engine.problem import Problems
from tests.at_length import part_or_whole
from tests.map.test_play_stage import (
    ANN,
    BOB,
    EVE,
    GM,
    HEIGHT,
    WIDTH,
    StageGround,
    at,
    done,
    stage,
    tried,
)

IDS = st.sampled_from(["elf", "dwarf", "ogre", "id-0", "id-1", "id-2", "id-3", "id-4"])
MAYBE = st.one_of(st.just(""), IDS)
CELLS = st.builds(Spot, st.integers(0, WIDTH - 1).map(float), st.integers(0, HEIGHT - 1).map(float))
SPOTS = st.builds(Spot, st.floats(0, WIDTH), st.floats(0, HEIGHT))
LAYERS = st.sampled_from(Layer)
VIEWERS = st.sampled_from([PARTY, ANN.account, BOB.account])
OWNERS = st.sampled_from([(), (ANN.account,), (BOB.account,), (ANN.account, BOB.account)])
RECTANGLES = st.builds(
    CellRectangle, st.integers(0, 6), st.integers(0, 4), st.integers(1, 5), st.integers(1, 4)
)
AREAS = st.builds(CellArea, RECTANGLES)
DOORS = st.sampled_from(["door-1", "door-2", "door-3", "door-4"])
LINES = st.tuples(SPOTS, SPOTS)

EDITS: st.SearchStrategy[Edit] = st.one_of(
    st.builds(
        PutToken,
        st.just("Somebody"),
        CELLS,
        MAYBE,
        owners=OWNERS,
        layer=LAYERS,
        sight=st.none() | st.builds(Sight, st.integers(0, 9), st.integers(0, 9)),
        light=st.none() | st.builds(CarriedLight, st.floats(0, 3), st.floats(3, 6)),
    ),
    st.builds(MoveToken, IDS, CELLS),
    st.builds(RemoveToken, IDS),
    st.builds(PutMarker, SPOTS, MAYBE, layer=LAYERS),
    st.builds(RemoveMarker, IDS),
    st.builds(PutNote, SPOTS, st.just("Note"), st.text("ab\n", max_size=9), MAYBE, LAYERS),
    st.builds(RemoveNote, IDS),
    st.builds(SetDoor, DOORS, st.sampled_from(DoorState)),
    st.builds(FindDoor, DOORS, st.booleans()),
    st.builds(Draw, st.just(DrawingShape.LINE), LINES, MAYBE, layer=LAYERS),
    st.builds(Erase, IDS),
    st.builds(PutPlace, st.just("Inn"), SPOTS, MAYBE, known=st.booleans()),
    st.builds(RemovePlace, IDS),
    st.builds(PutLight, SPOTS, st.just(1), st.floats(1, 5), MAYBE, layer=LAYERS),
    st.builds(RemoveLight, IDS),
    st.builds(PutArea, st.just(AreaShape.CIRCLE), SPOTS, st.floats(1, 5), MAYBE, layer=LAYERS),
    st.builds(RemoveArea, IDS),
    st.builds(SetFog, st.sampled_from(FogMode), st.booleans()),
    st.builds(Reveal, AREAS, VIEWERS),
    st.builds(Conceal, AREAS, VIEWERS),
    st.builds(RevealAll, VIEWERS),
)


EDITORS = st.sampled_from([GM, GM, GM, GM, ANN, ANN, BOB, EVE])
SECTIONS = {
    MoveToken: "tokens",
    RemoveToken: "tokens",
    RemoveMarker: "markers",
    RemoveNote: "notes",
    Erase: "drawings",
    RemovePlace: "places",
    RemoveLight: "lights",
    RemoveArea: "areas",
    PutToken: "tokens",
    PutMarker: "markers",
    PutNote: "notes",
    Draw: "drawings",
    PutPlace: "places",
    PutLight: "lights",
    PutArea: "areas",
}


def aimed(state: MapState, edit: Edit) -> Edit:
    """The edit at a thing that is there, where it names one that is not."""
    things = getattr(state, SECTIONS[type(edit)]) if type(edit) in SECTIONS else ()
    id = getattr(edit, "id", "")
    if not things or not id or any(one.id == id for one in things):
        return edit
    aim: dict[str, Any] = {"id": things[len(id) * ord(id[-1]) % len(things)].id}
    return replace(edit, **aim)


def furnished() -> MapState:
    """The stage under fog with a thing in every section."""
    state, spot = stage(FogMode.FOGGED), Spot(2.5, 2.5)
    things: tuple[tuple[Edit, Editor], ...] = (
        (PutMarker(spot), ANN),
        (PutNote(spot, "Note"), GM),
        (Draw(DrawingShape.LINE, (spot, Spot(3, 3))), BOB),
        (PutPlace("Inn", spot), GM),
        (PutLight(spot, 1, 2), GM),
        (PutArea(AreaShape.CIRCLE, spot, 2), GM),
    )
    for edit, editor in things:
        state = done(state, edit, editor, "first")
    return state


def played(edits: list[tuple[Edit, Editor]]) -> list[tuple[MapState, Applied]]:
    """Makes what edits are allowed, one after the other, and everybody look around between them."""
    state, numbers, steps = furnished(), count(), []
    for edit, editor in edits:
        applied = tried(state, aimed(state, edit), editor, f"id-{next(numbers)}")
        if isinstance(applied, Applied):
            seen = look_around(applied.state, StageGround(applied.state).see)
            steps += [(state, applied), (applied.state, seen)]
            state = seen.state
    return steps


@settings(max_examples=part_or_whole(50, 150))
@given(st.lists(st.tuples(EDITS, EDITORS), max_size=8))
def test_undo_gives_back_the_very_state(edits: list[tuple[Edit, Editor]]) -> None:
    for before, applied in played(edits):
        back = undo(applied.state, applied.changes)
        assert back == before
        assert to_bytes(before) == to_bytes(back)
        assert undo(before, inverse(applied.changes)) == applied.state


@settings(max_examples=100)
@given(st.lists(st.tuples(EDITS, EDITORS), max_size=10))
def test_a_whole_evening_is_undone_from_what_was_kept_of_it(edits: list[tuple[Edit, Editor]]) -> None:
    steps = played(edits)
    if not steps:
        return
    kept = json.loads(json.dumps([changes_to_data(applied.changes) for _, applied in steps]))
    state = steps[-1][1].state
    for data in reversed(kept):
        turned = undo(state, changes_from_data(data))
        assert isinstance(turned, MapState), str(turned)
        state = turned
    assert state == steps[0][0]


@settings(max_examples=100)
@given(st.lists(st.tuples(EDITS, EDITORS), max_size=8))
def test_a_state_comes_back_from_json_as_it_was(edits: list[tuple[Edit, Editor]]) -> None:
    for _, applied in played(edits)[-1:]:
        read = STATE_CODEC.load(json.loads(to_bytes(applied.state)))
        assert read == applied.state
        assert to_bytes(read) == to_bytes(applied.state)


def test_changes_name_what_changed_and_nothing_else() -> None:
    applied = tried(stage(), MoveToken("elf", Spot(3, 2)), ANN)
    assert isinstance(applied, Applied)
    (change,) = applied.changes
    assert (change.section, change.id) == ("tokens", "elf")
    before, after = change.before, change.after
    assert isinstance(before, dict) and isinstance(after, dict)
    assert {key for key in after if before[key] != after[key]} == {"at"}


def test_undo_is_refused_when_the_thing_was_changed_since() -> None:
    first = tried(stage(), MoveToken("elf", Spot(3, 2)), ANN)
    assert isinstance(first, Applied)
    later = done(first.state, MoveToken("elf", Spot(4, 2)), ANN)
    refused = undo(later, first.changes)
    assert isinstance(refused, Problems)
    assert [(one.code, one.path) for one in refused] == [("map_changed_since", ("tokens", "elf"))]


@pytest.mark.parametrize("later", [RemoveToken("elf"), PutToken("Elf", Spot(1, 1), "elf")])
def test_undo_is_refused_when_the_thing_is_gone_or_another(later: Edit) -> None:
    first = tried(stage(), MoveToken("elf", Spot(3, 2)), ANN)
    assert isinstance(first, Applied)
    assert isinstance(undo(done(first.state, later), first.changes), Problems)


def test_undo_goes_round_what_others_did_since() -> None:
    first = tried(stage(), MoveToken("elf", Spot(3, 2)), ANN)
    assert isinstance(first, Applied)
    later = done(first.state, MoveToken("dwarf", Spot(7, 5)), BOB)
    back = undo(later, first.changes)
    assert isinstance(back, MapState)
    assert (at(back, "elf"), at(back, "dwarf")) == ((1, 1), (7, 5))


def test_a_reveal_is_undone_after_tokens_walked_on_and_takes_only_its_own_cells_back() -> None:
    state = stage(FogMode.FOGGED)
    reveal = tried(state, Reveal(CellArea(CellRectangle(6, 1, 5, 3))))
    assert isinstance(reveal, Applied)
    looked = look_around(reveal.state, StageGround(reveal.state).see).state
    back = undo(looked, reveal.changes)
    assert isinstance(back, MapState)
    assert back == look_around(state, StageGround(state).see).state


def test_a_reveal_is_not_undone_when_some_of_it_was_concealed_since() -> None:
    reveal = tried(stage(FogMode.FOGGED), Reveal(CellArea(CellRectangle(6, 1, 5, 3))))
    assert isinstance(reveal, Applied)
    later = done(reveal.state, Conceal(CellArea(CellRectangle(7, 2, 1, 1))))
    refused = undo(later, reveal.changes)
    assert isinstance(refused, Problems)
    assert [one.path for one in refused] == [("explored", PARTY)]


def test_an_erased_drawing_comes_back_between_those_it_lay_between() -> None:
    state = stage()
    for id in ("low", "middle", "high"):
        state = done(state, Draw(DrawingShape.LINE, (Spot(1, 1), Spot(2, 2))), GM, id)
    erased = tried(state, Erase("middle"))
    assert isinstance(erased, Applied)
    above = done(erased.state, Draw(DrawingShape.LINE, (Spot(1, 1), Spot(2, 2))), GM, "new")
    back = undo(above, erased.changes)
    assert isinstance(back, MapState)
    by_order = sorted(back.drawings, key=lambda one: one.order)
    assert [one.id for one in by_order] == ["low", "middle", "high", "new"]


def test_undo_fills_no_section_beyond_its_limit() -> None:
    state = stage()
    for number in range(MOST["areas"]):
        state = done(state, PutArea(AreaShape.CIRCLE, Spot(1, 1), 1), GM, f"area-{number}")
    removed = tried(state, RemoveArea("area-7"))
    assert isinstance(removed, Applied)
    full = done(removed.state, PutArea(AreaShape.CIRCLE, Spot(1, 1), 1), GM, "another")
    refused = undo(full, removed.changes)
    assert isinstance(refused, Problems) and refused.codes == ("map_too_many",)
    assert undo(removed.state, removed.changes) == state


def test_what_a_change_is_not_is_refused() -> None:
    with pytest.raises(CodecError):
        changes_from_data([{"section": "tokens", "id": "elf"}])
    token = changes_to_data(changes_between(stage(), done(stage(), RemoveToken("elf"))))[0]
    assert isinstance(token, dict)
    with pytest.raises(CodecError):
        undo(stage(), changes_from_data([{**token, "section": "no-such"}]))
    with pytest.raises(CodecError):
        undo(done(stage(), RemoveToken("elf")), changes_from_data([{**token, "before": {"id": "elf"}}]))
    assert find(stage(), "tokens", "elf") is not None


def test_what_was_kept_before_tokens_had_all_their_fields_is_undone_all_the_same() -> None:
    applied = tried(stage(), MoveToken("elf", Spot(3, 2)), ANN)
    assert isinstance(applied, Applied)
    kept: Any = changes_to_data(applied.changes)
    for change in kept:
        for form in (change["before"], change["after"]):
            assert isinstance(form, dict) and form.pop("scene") is None
    assert undo(applied.state, changes_from_data(kept)) == stage()
