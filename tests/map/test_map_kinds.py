"""A kind of map is one package: a toy that is dropped in is made, priced, drawn, grown, led and shown."""

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from services.map.registry import KINDS, KindError, by_slug

ROOT = Path(__file__).resolve().parents[2]
DROPPED_IN = """
import json
from dataclasses import asdict

import services.map.kinds

services.map.kinds.__path__.append("tests/toys/maps")

from services.map.board import Board
from services.map.exports.schemas import published
from services.map.formats import FORMATS, OutputRequest, check
from services.map.generation.kind import make
from services.map.graphql.schema import SCHEMA
from services.map.growth import grown
from services.map.reading import read_map
from services.map.kinds.lanterns.kind import LanternSite, LanternWish, LightLantern
from services.map.led import led
from services.map.outputs import Studio, words_gate
from services.map.play.state import MapState
from services.map.pricing import milliseconds_of
from services.map.registry import GENERATORS, KINDS
from services.map.scene_site import site_document
from services.map.wishes import Wish, checked, described_parameters

kind = KINDS["lanterns"]
order = checked(Wish("lanterns", LanternWish(many=True)), 5)
model = make(GENERATORS["lanterns"], order.parameters, order.seed, words_gate("lanterns")).model
lit = grown("lanterns", model, LightLantern("lantern-2"))
board = led(Board(model, MapState(kind.extent(model))), "scn", kind.leading, LanternSite(lit.lanterns))
studio = Studio("lanterns", kind.filed.to_bytes(model), model)
brought = read_map(kind.filed.to_bytes(lit), None)
story = make(GENERATORS["story"], GENERATORS["story"].codec.type(), 1).model
print(json.dumps({
    "seed": order.seed,
    "kinds": list(KINDS),
    "many": len(model.lanterns),
    "wrong": [issue.path for issue in checked(Wish("lanterns", LanternWish(across=1)), 5)],
    "asked": sorted(described_parameters("lanterns")["properties"]),
    "formats": [name for name, form in FORMATS.items() if "lanterns" in form.kinds],
    "refused": [problem.code for problem in check("lanterns", OutputRequest("uvtt"))],
    "milliseconds": [milliseconds_of(order, [name]) for name in ("json", "svg", "png", "geojson")],
    "extent": asdict(kind.extent(model)),
    "svg": b"lantern-9" in studio.give(OutputRequest("svg")).content,
    "geojson": studio.give(OutputRequest("geojson")).content.decode(),
    "lit": [one.id for one in lit.lanterns if one.lit],
    "unknown": [problem.code for problem in grown("lanterns", model, LightLantern("lamp"))],
    "of_another": [problem.code for problem in grown("story", story, LightLantern("lantern-2"))],
    "tokens": [[token.name, token.scene] for token in board.state.tokens],
    "led": board.model == lit,
    "site": site_document("lanterns", board)["data"]["lanterns"][1]["lit"],
    "brought": [brought.kind, brought.file == kind.filed.to_bytes(lit), brought.gates],
    "players": len(kind.filed.for_players(model).lanterns),
    "schemas": [name for name in published([kind]) if "antern" in name],
    "sdl": SCHEMA.as_str(),
}))
"""


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What a process finds that has the toy among the kinds."""
    done = subprocess.run(
        [sys.executable, "-c", DROPPED_IN], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_a_dropped_in_kind_is_asked_for_made_and_priced(found: dict[str, Any]) -> None:
    assert found["kinds"] == [*KINDS, "lanterns"]
    assert (found["seed"], found["many"]) == (77, 9)
    assert (found["wrong"], found["asked"]) == ([["map", "lanterns", "across"]], ["across", "many", "seed"])
    assert found["milliseconds"] == [1, 3, 5, 9]


def test_a_dropped_in_kind_is_drawn_exported_and_brought_back(found: dict[str, Any]) -> None:
    assert found["formats"] == ["json", "svg", "png", "webp", "geojson"]
    assert found["refused"] == ["map_format"]
    assert (found["svg"], found["geojson"]) == (True, '{"lanterns":9}')
    assert found["extent"] == {"width": 20.0, "height": 10.0, "cells": False, "x": 0.0, "y": 0.0}
    assert found["brought"] == ["lanterns", True, [["dark", []]]]
    assert found["schemas"] == ["hearthforge-lanterns.schema.json", "map-lanterns-parameters.schema.json"]


def test_a_dropped_in_kind_grows_keeps_secrets_and_follows_a_scene(found: dict[str, Any]) -> None:
    assert (found["lit"], found["unknown"]) == (["lantern-2"], ["lantern_unknown"])
    assert found["of_another"] == ["map_cannot_grow_so"]
    assert found["players"] == 8
    assert (found["led"], found["tokens"], found["site"]) == (True, [["Flame", "scn"]], True)


def test_a_dropped_in_kind_is_in_the_graph(found: dict[str, Any]) -> None:
    sdl = found["sdl"]
    assert "  lanterns: ToyLanternsInput\n" in sdl and "  LANTERNS\n" in sdl
    assert "  lightLantern: MapLightLanternInput\n" in sdl and "  lanterns: ToyLanterns @deprecated" in sdl
    assert "union MapContent = GridMap | ForgebornRealm | Story | Region | ToyLanterns\n" in sdl


def module(name: str, kind: object) -> ModuleType:
    """Make a module with a kind."""
    made = ModuleType(name)
    made.__dict__["KIND"] = kind
    return made


@pytest.mark.parametrize("other", ["forgeborn_realm", None])
def test_a_kind_that_is_none_or_claims_what_another_has_is_refused(other: str | None) -> None:
    realm = module("realm", KINDS["forgeborn_realm"])
    with pytest.raises(KindError, match="another"):
        by_slug([realm, module("another", None if other is None else KINDS[other])])


def test_kinds_are_listed_in_the_order_of_their_places() -> None:
    modules = [module(slug, kind) for slug, kind in KINDS.items()]
    assert list(by_slug(reversed(modules))) == list(KINDS)
    assert list(KINDS) == ["forgeborn_realm", "story", "dungeon", "cave", "battle", "region", "imported"]
