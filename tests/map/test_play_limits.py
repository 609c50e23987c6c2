"""What values edits may have, and how much fits on a map."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import pytest

from services.map.play import limits
from services.map.play.apply import apply
from services.map.play.changes import Applied
from services.map.play.edits import (
    EDITS,
    CellArea,
    CellRectangle,
    CellSpan,
    Draw,
    Edit,
    MoveToken,
    PutArea,
    PutLight,
    PutMarker,
    PutNote,
    PutPlace,
    PutToken,
    RemoveToken,
    Reveal,
    RevealAll,
    SetFog,
)
from services.map.play.shapes import AreaShape, DrawingShape
from services.map.play.state import (
    CarriedLight,
    FogMode,
    Layer,
    MapState,
    Sight,
    Spot,
    begin,
    find,
)
from services.rules.engine.grid import Square
from services.rules.engine.problem import Problems
from services.shared.graphql.hints import attribute_descriptions
from tests.map.test_play_stage import ANN, BOB, GM, codes, done, paths, stage, tried

HERE, THERE = Spot(2, 2), Spot(3, 3)
TOKEN = PutToken("Wolf", HERE)
MARKER = PutMarker(HERE)
NOTE = PutNote(HERE, "Title")
PLACE = PutPlace("Inn", HERE)
LIGHT = PutLight(HERE, 1, 2)
AREA = PutArea(AreaShape.CIRCLE, HERE, 2)
CONE = PutArea(AreaShape.CONE, HERE, 2, toward=THERE)
STROKE = Draw(DrawingShape.POLYLINE, (HERE, THERE))
WORDS = Draw(DrawingShape.TEXT, (HERE,), text="Here")
NAN = math.nan


def with_(edit: Edit, **values: Any) -> Edit:
    """An edit with other values."""
    return replace(edit, **values)


WRONG: tuple[tuple[Edit, str, tuple[str | int, ...]], ...] = (
    (with_(TOKEN, name=""), "map_text_length", ("name",)),
    (with_(TOKEN, name="x" * 81), "map_text_length", ("name",)),
    (with_(TOKEN, name="  "), "map_text_blank", ("name",)),
    (with_(TOKEN, name="two\nlines"), "map_text_unprintable", ("name",)),
    (with_(TOKEN, name="left\u202eright"), "map_text_unprintable", ("name",)),
    (with_(TOKEN, label="x" * 9), "map_text_length", ("label",)),
    (with_(TOKEN, color="red"), "map_color", ("color",)),
    (with_(TOKEN, color="#12345g"), "map_color", ("color",)),
    (with_(TOKEN, color="#1234567"), "map_color", ("color",)),
    (with_(TOKEN, character=""), "map_text_length", ("character",)),
    (with_(TOKEN, size=0), "map_out_of_range", ("size",)),
    (with_(TOKEN, size=11), "map_out_of_range", ("size",)),
    (with_(TOKEN, at=Spot(2.5, 2)), "map_spot_between_cells", ("at",)),
    (with_(TOKEN, at=Spot(NAN, 2)), "map_spot_between_cells", ("at",)),
    (with_(TOKEN, at=Spot(12, 2)), "map_spot_outside", ("at",)),
    (with_(TOKEN, at=Spot(-1, 2)), "map_spot_outside", ("at",)),
    (with_(TOKEN, at=Spot(11, 2), size=2), "map_spot_outside", ("at",)),
    (with_(TOKEN, owners=tuple(f"account-{n}" for n in range(21))), "map_count", ("owners",)),
    (with_(TOKEN, owners=(ANN.account, ANN.account)), "map_twice", ("owners", 1)),
    (with_(TOKEN, conditions=tuple(f"word-{n}" for n in range(21))), "map_count", ("conditions",)),
    (with_(TOKEN, conditions=("prone", "x" * 41)), "map_text_length", ("conditions", 1)),
    (with_(TOKEN, sight=Sight(401)), "map_out_of_range", ("sight", "range")),
    (with_(TOKEN, sight=Sight(1, -1)), "map_out_of_range", ("sight", "dark")),
    (with_(TOKEN, light=CarriedLight(3, 2)), "map_light_range", ("light", "bright")),
    (with_(TOKEN, light=CarriedLight(1, NAN)), "map_out_of_range", ("light", "dim")),
    (with_(TOKEN, light=CarriedLight(1, 2, "")), "map_color", ("light", "color")),
    (MoveToken("elf", Spot(1.5, 1)), "map_spot_between_cells", ("to",)),
    (MoveToken("elf", Spot(12, 1)), "map_spot_outside", ("to",)),
    (MoveToken("elf", HERE, (Square(2, 1),)), "map_way_elsewhere", ("way", 0)),
    (MoveToken("elf", HERE, (Square(2, 2),) * 501), "map_count", ("way",)),
    (MoveToken("elf", HERE, (Square(-1, 2), Square(2, 2))), "map_spot_outside", ("way", 0)),
    (with_(MARKER, at=Spot(12.1, 2)), "map_spot_outside", ("at",)),
    (with_(MARKER, at=Spot(2, math.inf)), "map_spot_outside", ("at",)),
    (with_(MARKER, sort=""), "map_text_length", ("sort",)),
    (with_(MARKER, label="x" * 81), "map_text_length", ("label",)),
    (with_(MARKER, color="#fff"), "map_color", ("color",)),
    (with_(NOTE, at=Spot(2, NAN)), "map_spot_outside", ("at",)),
    (with_(NOTE, title="x" * 121), "map_text_length", ("title",)),
    (with_(NOTE, text="x" * 2001), "map_text_length", ("text",)),
    (with_(NOTE, text="bell\a"), "map_text_unprintable", ("text",)),
    (with_(STROKE, points=(HERE,)), "map_count", ("points",)),
    (with_(STROKE, points=(HERE,) * 5001), "map_count", ("points",)),
    (with_(STROKE, points=(HERE, Spot(0, 9))), "map_spot_outside", ("points", 1)),
    (with_(STROKE, shape=DrawingShape.POLYGON), "map_count", ("points",)),
    (with_(STROKE, shape=DrawingShape.TEXT, text="Here"), "map_count", ("points",)),
    (with_(STROKE, shape=DrawingShape.RECTANGLE, points=(HERE,) * 3), "map_count", ("points",)),
    (with_(STROKE, shape=DrawingShape.ELLIPSE, points=(HERE,) * 3), "map_count", ("points",)),
    (with_(STROKE, shape=DrawingShape.LINE, points=(HERE,) * 3), "map_count", ("points",)),
    (with_(STROKE, shape=DrawingShape.FREEHAND, points=(HERE,)), "map_count", ("points",)),
    (with_(STROKE, width=0.0), "map_out_of_range", ("width",)),
    (with_(STROKE, width=21.0), "map_out_of_range", ("width",)),
    (with_(STROKE, fill="none"), "map_color", ("fill",)),
    (with_(STROKE, text="no text"), "map_text_length", ("text",)),
    (with_(WORDS, text=""), "map_text_length", ("text",)),
    (with_(WORDS, text="x" * 201), "map_text_length", ("text",)),
    (with_(PLACE, name=""), "map_text_length", ("name",)),
    (with_(PLACE, sort="x" * 41), "map_text_length", ("sort",)),
    (with_(PLACE, details="x" * 2001), "map_text_length", ("details",)),
    (with_(PLACE, at=Spot(2, 8.5)), "map_spot_outside", ("at",)),
    (with_(LIGHT, bright=3.0), "map_light_range", ("bright",)),
    (with_(LIGHT, dim=401.0), "map_out_of_range", ("dim",)),
    (with_(LIGHT, bright=-1.0), "map_out_of_range", ("bright",)),
    (with_(LIGHT, color="#ffffffff"), "map_color", ("color",)),
    (with_(AREA, length=0.0), "map_out_of_range", ("length",)),
    (with_(AREA, width=401.0), "map_out_of_range", ("width",)),
    (with_(AREA, degrees=120), "map_arc", ("degrees",)),
    (with_(AREA, toward=THERE), "map_circle_toward", ("toward",)),
    (with_(CONE, toward=None), "map_area_toward", ("toward",)),
    (with_(CONE, toward=HERE), "map_area_toward", ("toward",)),
    (with_(CONE, toward=Spot(99, 0)), "map_spot_outside", ("toward",)),
    (Reveal(CellArea()), "map_area_empty", ("area",)),
    (Reveal(CellArea(CellRectangle(0, 0, 0, 1))), "map_area_outside", ("area", "rectangle")),
    (Reveal(CellArea(CellRectangle(0, 0, 13, 1))), "map_area_outside", ("area", "rectangle")),
    (Reveal(CellArea(CellRectangle(-1, 0, 2, 2))), "map_area_outside", ("area", "rectangle")),
    (Reveal(CellArea(polygon=(HERE, THERE))), "map_count", ("area", "polygon")),
    (Reveal(CellArea(polygon=(HERE, THERE) * 251)), "map_count", ("area", "polygon")),
    (
        Reveal(CellArea(polygon=(HERE, THERE, Spot(1, NAN)))),
        "map_spot_outside",
        ("area", "polygon", 2),
    ),
    (Reveal(CellArea(spans=(CellSpan(8, 0, 1),))), "map_area_outside", ("area", "spans", 0)),
    (Reveal(CellArea(spans=(CellSpan(1, 3, 3),))), "map_area_outside", ("area", "spans", 0)),
    (Reveal(CellArea(spans=(CellSpan(1, 3, 4),) * 2001)), "map_count", ("area", "spans")),
    (RevealAll(""), "map_text_length", ("viewer",)),
)


@pytest.mark.parametrize(("edit", "code", "path"), WRONG)
def test_a_value_out_of_range_is_told_with_its_path(
    edit: Edit, code: str, path: tuple[str | int, ...]
) -> None:
    refused = tried(stage(), edit)
    assert isinstance(refused, Problems)
    assert [(one.code, one.path) for one in refused] == [(code, path)]


@pytest.mark.parametrize(
    "edit",
    [TOKEN, MARKER, NOTE, PLACE, LIGHT, AREA, CONE, STROKE, WORDS],
    ids=lambda edit: type(edit).__name__,
)
def test_what_is_within_the_ranges_is_allowed(edit: Edit) -> None:
    assert codes(stage(), edit) == ()


@pytest.mark.parametrize(
    "edit",
    [
        with_(TOKEN, name="x" * 80, label="x" * 8, size=8, at=Spot(4, 0), sight=Sight(400, 400)),
        with_(MARKER, at=Spot(12, 8), color="#ABCDEF"),
        with_(NOTE, text="first line\nsecond line"),
        with_(STROKE, shape=DrawingShape.FREEHAND, points=(HERE,) * 5000, width=20.0),
        with_(CONE, shape=AreaShape.ARC, degrees=180, length=400.0),
        MoveToken("elf", Spot(11, 7)),
    ],
    ids=lambda edit: type(edit).__name__,
)
def test_the_bounds_belong_to_the_ranges(edit: Edit) -> None:
    assert codes(stage(), edit) == ()


def test_everything_that_is_wrong_is_told_at_once() -> None:
    wrong = PutToken("", Spot(99, 0), color="red", owners=(ANN.account,) * 2)
    assert paths(stage(), wrong) == {("name",), ("at",), ("color",), ("owners", 1)}


def test_a_large_token_is_not_moved_over_the_edge() -> None:
    state = done(stage(), PutToken("Troll", Spot(1, 1), size=3), new_id="troll")
    assert paths(state, MoveToken("troll", Spot(10, 1))) == {("to",)}
    assert codes(state, MoveToken("troll", Spot(9, 5))) == ()


def test_positions_are_kept_to_three_decimals_and_never_as_minus_zero() -> None:
    state = done(stage(), PutMarker(Spot(1 / 3, -0.0)), new_id="marker")
    marker = find(state, "markers", "marker")
    assert marker is not None
    assert repr(marker.at) == "Spot(x=0.333, y=0.0)"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "edit", [SetFog(FogMode.FOGGED), Reveal(CellArea(polygon=(HERE,) * 3)), RevealAll()], ids=str
)
def test_a_map_without_cells_has_no_fog_to_lift(edit: Edit) -> None:
    refused = apply(begin(100, 80, cells=False), edit, GM)
    assert isinstance(refused, Problems)
    assert refused.codes == ("map_without_cells",)


def test_a_map_without_cells_takes_any_spot_inside_and_no_way() -> None:
    state = begin(100, 80, cells=False)
    applied = apply(state, PutToken("Rider", Spot(99.5, 80)), GM, None, "rider")
    assert isinstance(applied, Applied)
    for move, path in (
        (MoveToken("rider", Spot(100.5, 1)), ("to",)),
        (MoveToken("rider", Spot(3, 3), (Square(3, 3),)), ("way",)),
    ):
        refused = apply(applied.state, move, GM)
        assert isinstance(refused, Problems)
        assert [one.path for one in refused] == [path]


def many(section: str, edit: Edit, most: int, state: MapState | None = None) -> MapState:
    """The stage with a section filled, by way of the state, which is quicker."""
    state = state or stage()
    first = find(done(state, edit, GM, "one"), section, "one")
    assert first is not None
    kept = tuple(getattr(state, section))
    more = tuple(replace(first, id=f"one-{n:05}") for n in range(most - len(kept)))
    filled: dict[str, Any] = {section: tuple(sorted((*kept, *more), key=lambda one: one.id))}
    return replace(state, **filled)


@pytest.mark.parametrize(
    ("section", "edit"),
    [
        ("tokens", TOKEN),
        ("markers", MARKER),
        ("notes", NOTE),
        ("drawings", WORDS),
        ("places", PLACE),
        ("lights", LIGHT),
        ("areas", AREA),
    ],
)
def test_every_section_has_a_limit(section: str, edit: Edit) -> None:
    assert codes(many(section, edit, limits.MOST[section] - 1), edit) == ()
    full = many(section, edit, limits.MOST[section])
    assert codes(full, edit) == ("map_too_many",)
    # What is there may still be changed.
    there = getattr(full, section)[-1].id
    assert codes(full, with_(edit, id=there)) == ()
    assert codes(done(full, RemoveToken("elf")), TOKEN) == ()


def test_all_drawings_together_have_a_limit_of_points() -> None:
    long = with_(STROKE, points=(HERE, THERE) * 1250)
    state = done(done(stage(), long, GM, "first"), long, GM, "second")
    assert codes(state, WORDS) == ("map_too_many_points",)
    assert paths(state, WORDS) == {("points",)}
    assert codes(state, with_(long, id="first", points=(HERE, THERE) * 1251)) == ("map_too_many_points",)
    assert codes(state, with_(long, id="first", points=(HERE, THERE))) == ()


def test_a_players_limits_count_their_own_things_only() -> None:
    most = limits.MOST_OF_A_PLAYER["markers"]
    state = many("markers", with_(MARKER, layer=Layer.GM), 500)
    for number in range(most):
        state = done(state, MARKER, ANN, f"ann-{number}")
    assert codes(state, MARKER, ANN) == ("map_too_many",)
    assert codes(state, MARKER, BOB) == ()
    assert codes(state, MARKER, GM) == ()


def test_a_players_drawings_have_fewer_points() -> None:
    half = with_(STROKE, points=(HERE, THERE) * 500)
    state = done(done(stage(), half, ANN, "first"), half, ANN, "second")
    assert codes(state, STROKE, ANN) == ("map_too_many_points",)
    assert codes(state, STROKE, BOB) == ()


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_every_field_of_an_edit_is_described_and_none_is_called_kind(edit: type[Edit]) -> None:
    names = [item.name for item in fields(edit)]
    assert sorted(attribute_descriptions(edit)) == sorted(names)
    assert "kind" not in names
