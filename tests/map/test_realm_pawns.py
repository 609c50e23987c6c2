"""Those who stand on a realm: where their pawns are, and what gives way to whom."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.board import Board
from services.map.kinds.realm.generator import GeneratedRealm, RealmParameters, generate
from services.map.kinds.realm.kind import KIND
from services.map.kinds.realm.leading import LEADING
from services.map.kinds.realm.model import RealmMap
from services.map.kinds.realm.render.layout import PAGE, UNIT, RealmLayout, beside, lay_out
from services.map.kinds.realm.render.pawns import MOST_CLEAR, PAWN
from services.map.kinds.realm.render.picture import render
from services.map.led import led
from services.map.play.limits import MAX_NAME
from services.map.play.state import MapState, Spot, Token, scene_thing_id
from services.map.render.figures import Figure
from services.map.render.legibility import inspect_words
from services.map.render.shapes import Disc
from services.rules.systems.forgeborn.site import Piece, PieceKind, RealmSite
from services.shared.ids import is_id, new_id

SVG = "{http://www.w3.org/2000/svg}"
PLACES = ("citadel", "city", "lair", "forest", "village-1", "village-2", "village-3", "ruin-1", "ruin-2")


def realm_map(seed: int, width: int = 120, height: int = 90) -> RealmMap:
    result = generate(RealmParameters(seed=seed, width=width, height=height))
    assert isinstance(result, GeneratedRealm), result
    return result.model


def standing(*spots: tuple[float, float]) -> list[Figure]:
    return [Figure(f"Nobody {n}", "", "#2a5ba8", x, y) for n, (x, y) in enumerate(spots)]


def spot_of(figure: Figure) -> tuple[float, float]:
    return PAGE.left + figure.x * UNIT, PAGE.top + figure.y * UNIT


def signs(layout: RealmLayout) -> list[Disc]:
    return [*(icon.disc for icon in layout.icons), layout.compass]


def assert_clear(layout: RealmLayout) -> None:
    discs = [pawn.disc for pawn in layout.pawns]
    for one, other in (*combinations(discs, 2), *((disc, sign) for disc in discs for sign in signs(layout))):
        assert hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius - 1e-6
    assert all(layout.frame.holds(disc.box) for disc in discs)
    assert inspect_words(layout.labels, [*signs(layout), *discs], layout.frame).faults == ()


@settings(max_examples=30)
@given(st.integers(0, 2**63 - 1), st.lists(st.sampled_from(PLACES), min_size=1, max_size=8), st.booleans())
def test_pieces_stand_beside_their_places_and_cover_neither_names_nor_signs(
    seed: int, places: list[str], small: bool
) -> None:
    model = realm_map(seed, *((80, 60) if small else (120, 90)))
    figures = standing(*beside(model, places))
    layout = lay_out(model, figures)
    assert_clear(layout)
    icons = {icon.place.id: icon.disc for icon in layout.icons}
    for place, figure, pawn in zip(places, figures, layout.pawns, strict=True):
        assert 0 <= figure.x <= model.realm.sheet.width / 1000
        assert 0 <= figure.y <= model.realm.sheet.height / 1000
        # Who reads the map sees them where the picture has them.
        assert (pawn.disc.x, pawn.disc.y) == pytest.approx(spot_of(figure), abs=1e-6)
        away = hypot(pawn.disc.x - icons[place].x, pawn.disc.y - icons[place].y) - icons[place].radius
        assert away < 8 * PAWN
    if not small:
        assert {label.id for label in layout.labels} == {label.id for label in lay_out(model).labels}


def test_names_stay_where_they_are_while_pieces_move() -> None:
    moved, names = 0, 0
    for seed in range(6):
        model = realm_map(seed)
        before = {label.id: label.box for label in lay_out(model).labels}
        for places in (["citadel"], ["village-1", "city", "ruin-1"], ["village-2"] * 4):
            layout = lay_out(model, standing(*beside(model, places)))
            moved += sum(label.box != before[label.id] for label in layout.labels)
            names += len(before)
    assert moved <= names / 50


def test_who_is_put_upon_a_sign_or_another_steps_aside() -> None:
    model = realm_map(3)
    city = next(place.at for place in model.realm.places if place.id == "city")
    spot = (city.x / 1000, city.y / 1000)
    layout = lay_out(model, standing(spot, spot, spot, (2.0, 85.0)))
    assert_clear(layout)
    last = layout.pawns[3]
    assert (last.disc.x, last.disc.y) == spot_of(last.figure)
    crowd = lay_out(model, standing(*[spot] * 300)).pawns
    assert len(crowd) == 300 and {(p.disc.x, p.disc.y) for p in crowd[MOST_CLEAR:]} == {
        spot_of(crowd[0].figure)
    }


def test_a_pawn_shows_its_color_and_letters_and_tells_its_name() -> None:
    model = realm_map(3)
    figures = (
        Figure("Anna <b> Ash", "", "#ffee88", 60, 5),
        Figure("Bert", "&<>?", "#221100", 70, 6),
    )
    root = ET.fromstring(render(model, figures))
    pawns = root.findall(f"{SVG}g[@id='hf-pawns']/{SVG}g")
    assert [pawn.findtext(f"{SVG}title") for pawn in pawns] == ["Anna <b> Ash", "Bert"]
    assert [pawn.findtext(f"{SVG}text") for pawn in pawns] == ["A<", "&<>"]
    assert [
        sum(node.get("fill") == color for node in pawns[n]) for n, color in ((0, "#ffee88"), (1, "#221100"))
    ] == [2, 2]
    inks = {node.get("fill") for pawn in pawns for node in pawn.iter(f"{SVG}text")}
    assert len(inks) == 2  # dark letters on a bright pawn, bright ones on a dark
    words = root.findtext(f"{SVG}desc") or ""
    assert "Bert stands by " in words and "stands by" not in (
        ET.fromstring(render(model)).findtext(f"{SVG}desc") or ""
    )


NAMES = st.text(max_size=100) | st.sampled_from(["Anna", "Anna Ash", "Anton", "\u202e", " "])


@settings(max_examples=25)
@given(st.lists(st.tuples(NAMES, st.sampled_from(PLACES), st.text(max_size=8)), min_size=1, max_size=9))
def test_pieces_become_tokens_that_can_be_kept_and_told_apart(given_: list[tuple[str, str, str]]) -> None:
    model, scene = realm_map(7), new_id("scn")
    pieces = tuple(
        Piece(id=f"piece-{n}", kind=PieceKind.SMITH, name=name, place=place, player="x", color=color)
        for n, (name, place, color) in enumerate(given_)
    )
    own = Token(id="thg_own", name="A crow", at=Spot(1, 1))
    left = Token(id=scene_thing_id(new_id("scn"), "piece-0"), name="Old", at=Spot(2, 2), scene=new_id("scn"))
    board = Board(
        model, MapState(KIND.extent(model), tokens=tuple(sorted((own, left), key=lambda one: one.id)))
    )
    tokens = led(board, scene, LEADING, RealmSite(title="", realm=model.realm, pieces=pieces)).state.tokens
    ours = [token for token in tokens if token.scene == scene]
    assert [token for token in tokens if token.scene != scene] == [own]
    assert {token.id for token in ours} == {scene_thing_id(scene, piece.id) for piece in pieces}
    assert len({token.label for token in ours}) == len(pieces)
    for token in ours:
        assert is_id(token.id, "thg") and 1 <= len(token.name) <= MAX_NAME and token.name.isprintable()
        assert 1 <= len(token.label) <= 3
