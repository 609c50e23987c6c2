"""The region's map file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from services.map.generation.kind import MapFileError
from services.map.kinds.region.generator import GENERATOR
from services.map.kinds.region.model import Biome, RegionMap
from services.map.kinds.region.parameters import RegionParameters
from services.map.kinds.region.vocabulary import RegionClimate, RegionShape


@cache
def region() -> RegionMap:
    return GENERATOR.draw(RegionParameters(width=80, height=64), 9, 0)


def data() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(GENERATOR.to_bytes(region()))
    return read


@pytest.mark.parametrize("shape", RegionShape)
def test_a_map_comes_back_as_it_was(shape: RegionShape) -> None:
    for seed, climate in enumerate(RegionClimate):
        model = GENERATOR.draw(RegionParameters(width=70, height=66, shape=shape, climate=climate), seed, 0)
        text = GENERATOR.to_bytes(model)
        again = GENERATOR.from_data(json.loads(text))
        assert again == model
        assert GENERATOR.to_bytes(again) == text


def test_the_usual_file_is_small() -> None:
    assert len(GENERATOR.to_bytes(GENERATOR.draw(RegionParameters(settlements=60, sites=40), 1, 0))) < 400_000


def test_the_file_can_be_read_by_eye() -> None:
    read, model = data(), region()
    assert (read["format"], read["format_version"], read["kind"]) == ("hearthforge-region", 1, "region")
    assert read["seed"] == "9"
    assert len(read["biomes"]) == 64
    assert {len(row) for row in read["biomes"]} == {80}
    x, y = model.settlements[0].at
    assert read["biomes"][y][x] != "~"
    sea = sum(row.count("~") for row in read["biomes"])
    assert sea == model.biomes.count(Biome.SEA)
    assert read["settlements"][0]["name"] == model.settlements[0].name


def _set(key: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document[key] = value

    return change


def _drop(key: str) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        del document[key]

    return change


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (_set("format", "hearthforge-realm"), "expected hearthforge-region 1"),
        (_set("format_version", 2), "expected hearthforge-region 1"),
        (_drop("rivers"), "the key rivers is missing"),
        (_drop("seed"), "the key seed is missing"),
        (_set("seed", "nine"), "not of its type"),
        (_set("width", 10**9), "width: expected 64 to 1024"),
        (_set("height", "64"), "height: expected a whole number"),
        (_set("furlongs", 0), "furlongs: expected"),
        (_set("weather_side", 0), "weather_side: expected"),
        (_set("shape", "square"), "shape: expected one of"),
        (_set("biomes", ["~" * 80]), "biomes: expected 64 rows of 80"),
        (_set("biomes", ["?" * 80] * 64), "biomes: there is no letter"),
        (_set("ground", ["é" * 80] * 64), "ground: there is no letter"),
        (_set("heights", "%%%"), "heights: not base64"),
        (_set("heights", b64encode(b"12").decode()), "heights: expected 10240 bytes"),
        (_set("weather", []), "weather: expected"),
        (_set("zones", []), "weather"),
        (_set("settlements", [{"id": "x"}]), r"settlements\[0\]"),
        (_set("rivers", 3), "rivers: expected a list"),
    ],
)
def test_a_malformed_file_is_refused(change: Callable[[dict[str, Any]], None], complaint: str) -> None:
    document = data()
    change(document)
    with pytest.raises(MapFileError, match=complaint):
        GENERATOR.from_data(document)
