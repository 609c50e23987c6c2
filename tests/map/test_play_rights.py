"""Who may do what on a map at the table."""

from __future__ import annotations

import pytest

from services.map.generation.grid.model import DoorState
from services.map.play.apply import apply
from services.map.play.changes import Applied
from services.map.play.edits import (
    EDITS,
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
from services.map.play.rights import Editor
from services.map.play.shapes import AreaShape, DrawingShape
from services.map.play.state import (
    FogMode,
    Layer,
    MapState,
    Spot,
    begin,
    find,
)
from services.rules.engine.problem import Problems
from tests.map.test_play_stage import ANN, BOB, EVE, GM, at, codes, done, paths, stage, tried

HERE = Spot(2, 2)
AREA = CellArea(CellRectangle(1, 1, 2, 2))
LINE = (Spot(1, 1), Spot(3, 1))


def furnished(mode: FogMode = FogMode.OPEN) -> MapState:
    """The stage with one thing in every section, those that have authors from Ann; her elf by the door."""
    state = done(stage(mode), MoveToken("elf", Spot(4, 2)))
    if mode is not FogMode.HIDDEN:
        state = done(state, PutMarker(HERE), ANN, "marker")
        state = done(state, Draw(DrawingShape.LINE, LINE), ANN, "drawing")
    state = done(state, PutNote(HERE, "A note"), new_id="note")
    state = done(state, PutPlace("A place", HERE), new_id="place")
    state = done(state, PutLight(HERE, 2, 4), new_id="light")
    return done(state, PutArea(AreaShape.CIRCLE, HERE, 2), new_id="area")


MATRIX: tuple[tuple[Edit, bool, bool], ...] = (
    # The edit; whether Ann may make it, and Bob, who owns none of it. The game master may always.
    (PutToken("Wolf", HERE), False, False),
    (MoveToken("elf", Spot(3, 2)), True, False),
    (RemoveToken("elf"), False, False),
    (PutMarker(HERE), True, True),
    (PutMarker(Spot(3, 3), "marker"), True, False),
    (RemoveMarker("marker"), True, False),
    (PutNote(HERE, "Another"), False, False),
    (RemoveNote("note"), False, False),
    (SetDoor("door-1", DoorState.OPEN), True, False),
    (SetDoor("door-1", DoorState.LOCKED), False, False),
    (SetDoor("door-2", DoorState.OPEN), False, False),
    (FindDoor("door-3"), False, False),
    (Draw(DrawingShape.LINE, LINE), True, True),
    (Draw(DrawingShape.LINE, LINE, "drawing"), True, False),
    (Erase("drawing"), True, False),
    (PutPlace("Another", HERE), False, False),
    (RemovePlace("place"), False, False),
    (PutLight(HERE, 1, 2), False, False),
    (RemoveLight("light"), False, False),
    (PutArea(AreaShape.CIRCLE, HERE, 2), True, True),
    (RemoveArea("area"), False, False),
    (SetFog(FogMode.FOGGED), False, False),
    (Reveal(AREA), False, False),
    (Conceal(AREA), False, False),
    (RevealAll(), False, False),
)


def test_the_matrix_names_every_edit() -> None:
    assert {type(edit) for edit, _, _ in MATRIX} == set(EDITS)


@pytest.mark.parametrize(("edit", "ann", "bob"), MATRIX, ids=lambda value: type(value).__name__)
def test_rights(edit: Edit, ann: bool, bob: bool) -> None:
    state = furnished()
    allowed = {
        editor.account: isinstance(tried(state, edit, editor), Applied) for editor in (GM, ANN, BOB, EVE)
    }
    assert allowed == {GM.account: True, ANN.account: ann, BOB.account: bob, EVE.account: False}


@pytest.mark.parametrize("edit", [edit for edit, _, _ in MATRIX], ids=lambda edit: type(edit).__name__)
def test_a_hidden_map_is_for_the_game_master_alone(edit: Edit) -> None:
    state = furnished(FogMode.HIDDEN)
    assert isinstance(tried(state, edit, ANN), Problems)
    assert isinstance(tried(state, edit, BOB), Problems)


@pytest.mark.parametrize(
    "edit", [PutMarker(HERE, layer=Layer.GM), Draw(DrawingShape.LINE, LINE, layer=Layer.GM)]
)
def test_players_put_nothing_on_the_game_masters_layer(edit: Edit) -> None:
    assert codes(stage(), edit, ANN) == ("map_layer",)
    assert paths(stage(), edit, ANN) == {("layer",)}
    assert codes(stage(), edit, GM) == ()


def test_what_somebody_put_stays_theirs_when_the_game_master_changes_it() -> None:
    state = done(furnished(), PutMarker(Spot(3, 3), "marker", label="moved"))
    marker = find(state, "markers", "marker")
    assert marker is not None
    assert (marker.author, marker.label) == (ANN.account, "moved")  # type: ignore[union-attr]
    assert codes(state, RemoveMarker("marker"), ANN) == ()


@pytest.mark.parametrize(
    ("hidden", "edit", "missing"),
    [
        (PutMarker(HERE, layer=Layer.GM), RemoveMarker("secret"), RemoveMarker("no-such")),
        (PutMarker(HERE, layer=Layer.GM), PutMarker(HERE, "secret"), PutMarker(HERE, "no-such")),
        (PutToken("Spy", HERE, layer=Layer.GM), MoveToken("secret", HERE), MoveToken("no-such", HERE)),
        (
            PutToken("Spy", HERE, layer=Layer.GM, owners=(ANN.account,)),
            MoveToken("secret", HERE),
            MoveToken("no-such", HERE),
        ),
    ],
)
def test_what_is_hidden_is_refused_like_what_is_not_there(hidden: Edit, edit: Edit, missing: Edit) -> None:
    state = done(stage(), hidden, new_id="secret")
    for editor in (ANN, BOB):
        told = [tried(state, one, editor) for one in (edit, missing)]
        assert all(isinstance(one, Problems) and one.codes == ("map_not_yours",) for one in told)
        assert str(told[0]) == str(told[1])


def test_a_door_that_is_secret_far_away_or_missing_is_refused_in_the_same_words() -> None:
    state = done(stage(), MoveToken("dwarf", Spot(6, 6)))
    for id in ("door-3", "door-1", "no-such"):
        applied = tried(state, SetDoor(id, DoorState.OPEN), BOB)
        assert isinstance(applied, Problems)
        assert [(one.code, one.message, one.path) for one in applied] == [
            ("map_door_out_of_reach", "None of your tokens stands before such a door.", ("id",))
        ]


def test_a_secret_door_that_was_found_is_opened_like_any_other() -> None:
    state = done(done(stage(), MoveToken("dwarf", Spot(6, 6))), FindDoor("door-3"))
    state = done(state, SetDoor("door-3", DoorState.OPEN), BOB)
    assert at(done(state, MoveToken("dwarf", Spot(2, 5)), BOB), "dwarf") == (2, 5)


def test_a_secret_door_that_is_opened_is_found_and_cannot_be_hidden_while_it_is_open() -> None:
    state = done(stage(), SetDoor("door-3", DoorState.OPEN))
    assert [door.found for door in state.doors] == [True]
    assert codes(state, FindDoor("door-3", found=False)) == ("map_door_open",)
    state = done(state, SetDoor("door-3", DoorState.CLOSED))
    assert [door.found for door in done(state, FindDoor("door-3", found=False)).doors] == [False]


@pytest.mark.parametrize("cell", [(4, 2), (5, 2), (6, 2)])
def test_a_door_is_opened_from_right_before_it(cell: tuple[int, int]) -> None:
    state = done(stage(), MoveToken("elf", Spot(*cell)))
    assert codes(state, SetDoor("door-1", DoorState.OPEN), ANN) == ()


@pytest.mark.parametrize("cell", [(3, 2), (4, 1), (4, 3), (7, 2), (5, 1)])
def test_a_door_is_not_opened_from_elsewhere(cell: tuple[int, int]) -> None:
    state = done(stage(), MoveToken("elf", Spot(*cell)))
    assert codes(state, SetDoor("door-1", DoorState.OPEN), ANN) == ("map_door_out_of_reach",)


def test_players_neither_lock_nor_unlock() -> None:
    state = done(stage(), MoveToken("elf", Spot(6, 3)))
    assert codes(state, SetDoor("door-2", DoorState.OPEN), ANN) == ("map_door_locked",)
    state = done(state, SetDoor("door-2", DoorState.CLOSED))
    assert codes(state, SetDoor("door-2", DoorState.LOCKED), ANN) == ("map_door_locked",)
    assert codes(state, SetDoor("door-2", DoorState.OPEN), ANN) == ()


def test_doors_that_are_none_or_no_secret_or_arches_are_told() -> None:
    assert codes(stage(), SetDoor("no-such", DoorState.OPEN)) == ("map_unknown",)
    assert codes(stage(), FindDoor("no-such")) == ("map_unknown",)
    assert codes(stage(), FindDoor("door-1")) == ("map_door_plain",)
    assert codes(stage(), SetDoor("door-4", DoorState.CLOSED)) == ("map_arch_open",)


@pytest.mark.parametrize(
    "edit",
    [
        RemoveToken("no-such"),
        MoveToken("no-such", HERE),
        PutToken("Wolf", HERE, "no-such"),
        RemoveNote("no-such"),
        Erase("no-such"),
        RemovePlace("no-such"),
        RemoveLight("no-such"),
        RemoveArea("no-such"),
        RemoveMarker("no-such"),
    ],
)
def test_the_game_master_is_told_what_is_not_there(edit: Edit) -> None:
    assert codes(stage(), edit) == ("map_unknown",)
    assert paths(stage(), edit) == {("id",)}


def test_a_game_master_owns_no_token() -> None:
    # The party would share the eyes of a villain.
    wolf = PutToken("Wolf", HERE, owners=(ANN.account, GM.account))
    assert codes(stage(), wolf) == ("map_owner_gm",)
    assert paths(stage(), wolf) == {("owners", 1)}


def test_a_new_thing_needs_an_id_of_its_own() -> None:
    for new_id in ("", "elf"):
        with pytest.raises(ValueError, match="id of its own"):
            tried(stage(), PutToken("Wolf", HERE), GM, new_id)


def test_a_grid_map_needs_its_ground() -> None:
    with pytest.raises(ValueError, match="ground"):
        apply(stage(), MoveToken("elf", HERE), GM)


def test_on_a_map_without_cells_players_move_their_own_tokens_anywhere() -> None:
    state = begin(120, 90, cells=False)

    def changed(edit: Edit, editor: Editor = GM) -> MapState:
        applied = apply(state, edit, editor, None, "rider")
        assert isinstance(applied, Applied), str(applied)
        return applied.state

    state = changed(PutToken("Rider", Spot(3.25, 4.5), owners=(ANN.account,)))
    state = changed(MoveToken("rider", Spot(100.12345, 89.9)), ANN)
    assert at(state, "rider") == (100.123, 89.9)
    refused = apply(state, MoveToken("rider", Spot(1, 1)), BOB)
    assert isinstance(refused, Problems) and refused.codes == ("map_not_yours",)
    state = changed(SetFog(FogMode.HIDDEN))
    hidden = apply(state, MoveToken("rider", Spot(1, 1)), ANN)
    assert isinstance(hidden, Problems) and hidden.codes == ("map_hidden",)
