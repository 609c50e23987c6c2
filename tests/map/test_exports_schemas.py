"""The published JSON Schemas: right by themselves, and right about the files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.exports.schemas import (
    dataclass_schema,
    grid_map_schema,
    parameters_schema,
    published,
    uvtt_schema,
)
from services.map.generation.grid import canonical
from services.map.generation.grid.model import GridMap
from services.map.generation.grid.terrain import LETTERS
from services.map.generation.kind import make
from services.map.kinds.realm.generator import GENERATOR as REALM
from services.map.kinds.realm.generator import RealmParameters
from services.map.kinds.realm.schema import realm_schema
from services.map.kinds.region import canonical as region_canonical
from services.map.kinds.region.schema import region_schema
from services.map.kinds.story.generator import GENERATOR as STORY
from services.map.kinds.story.schema import story_schema
from services.map.registry import KINDS
from services.rules.engine.codec import CodecError, decode
from services.rules.engine.forms import spelled
from services.rules.engine.json_schema import Schema, attributes
from services.rules.engine.problem import Problems
from services.rules.engine.spelling import PUBLISHED
from tests.map.test_exports_geojson import REGION
from tests.map.test_exports_geometry import cell_maps, grid_map, walled_maps
from tests.map.test_exports_tiled import FURNISHED

GRID = jsonschema.Draft202012Validator(grid_map_schema())


class Theme(StrEnum):
    """How it looks."""

    CRYPT = "crypt"
    MINE = "mine"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of something.

    Attributes:
        percent: Of a hundred.
    """

    percent: int = 10


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a map is made from,
    in a sentence.

    Attributes:
        width: Columns, 21 to 301: odd
            numbers come out as asked.
        theme: The look.
        loops: Share of loops.
        title: Its name.
        words: Words of two kinds.
        share: A part.

    Raises:
        ValueError: Never mind: this is no attribute.
    """

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = MappingProxyType({"width": (21, 301)})

    width: int = 51
    theme: Theme = Theme.CRYPT
    loops: float = 0.3
    title: str | None = None
    words: tuple[tuple[str, int], ...] = ()
    share: Share = field(default_factory=Share)


def valid(schema: Schema, document: object) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(document))


@pytest.mark.parametrize(
    "schema",
    [grid_map_schema(), realm_schema(), region_schema(), uvtt_schema(), parameters_schema(Wishes, "wishes")],
)
def test_each_is_a_schema_of_its_dialect(schema: Schema) -> None:
    assert schema["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]
    assert schema["$id"].endswith(".schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema


def test_parameters_tell_types_defaults_limits_and_words() -> None:
    schema = parameters_schema(Wishes, "wishes")
    assert schema["description"] == "What a map is made from, in a sentence."
    assert schema["required"] == []
    assert schema["properties"]["width"] == {
        "type": "integer",
        "description": "Columns, 21 to 301: odd numbers come out as asked.",
        "minimum": 21,
        "maximum": 301,
        "default": 51,
    }
    assert schema["properties"]["theme"]["enum"] == ["CRYPT", "MINE"]
    assert schema["properties"]["theme"]["default"] == "CRYPT"
    assert schema["properties"]["share"]["default"] == {"percent": 10}
    assert set(attributes(Wishes)) == {"width", "theme", "loops", "title", "words", "share"}


@pytest.mark.parametrize(
    ("document", "right"),
    [
        ({}, True),
        ({"width": 21, "theme": "MINE", "title": None, "words": [["a", 1]], "share": {}}, True),
        ({"width": 20}, False),
        ({"width": 22.5}, False),
        ({"theme": "SEA"}, False),
        ({"theme": "mine"}, False),
        ({"words": [["a"]]}, False),
        ({"words": [["a", 1, 2]]}, False),
        ({"share": {"percent": "10"}}, False),
        ({"seed": 4}, False),
    ],
)
def test_the_schema_takes_what_the_codec_takes(document: dict[str, Any], right: bool) -> None:
    assert valid(parameters_schema(Wishes, "wishes"), document) is right
    try:
        read = decode(Wishes, document, (), PUBLISHED)
    except CodecError:
        assert not right
    else:
        low, high = Wishes.RANGES["width"]
        assert (low <= read.width <= high) is right
        assert valid(parameters_schema(Wishes, "wishes"), spelled(Wishes, read, PUBLISHED)) is right


def test_every_published_schema_has_a_file_of_its_own() -> None:
    files = published(KINDS[slug] for slug in ("imported", "cave", "forgeborn_realm"))
    assert set(files) == {
        "hearthforge-map.schema.json",
        "hearthforge-realm.schema.json",
        "universal-vtt.schema.json",
        "map-cave-parameters.schema.json",
        "map-forgeborn-realm-parameters.schema.json",
    }
    assert all(schema["$id"].endswith(f"/{name}") for name, schema in files.items())


def test_the_realm_s_own_parameters_have_a_schema() -> None:
    schema = parameters_schema(RealmParameters, "forgeborn_realm")
    wanted = RealmParameters(seed=4, names=(("city", "Ash"),))
    assert valid(schema, spelled(RealmParameters, wanted, PUBLISHED))
    assert schema["properties"]["width"]["default"] == 120


def test_what_is_no_dataclass_or_has_no_json_form_has_no_schema() -> None:
    @dataclass(frozen=True)
    class Odd:
        """Odd."""

        value: complex = 1j

    with pytest.raises(TypeError):
        dataclass_schema(int)
    with pytest.raises(TypeError):
        dataclass_schema(Odd)


@settings(max_examples=40)
@given(st.one_of(cell_maps(), walled_maps()))
def test_every_grid_map_file_follows_its_schema(model: GridMap) -> None:
    GRID.validate(json.loads(canonical.to_bytes(model)))


def test_a_furnished_map_and_every_terrain_follow_the_schema() -> None:
    GRID.validate(json.loads(canonical.to_bytes(FURNISHED)))
    every = json.loads(canonical.to_bytes(grid_map("." * len(LETTERS))))
    GRID.validate(every | {"cells": [LETTERS]})
    assert not GRID.is_valid(every | {"cells": ["?" * len(LETTERS)]})


@pytest.mark.parametrize(
    "changed",
    [
        {"format": "hearthforge-realm"},
        {"width": 401},
        {"seed": 5},
        {"ambient": "gloomy"},
        {"heights": [[200]]},
        {"rooms": [{"id": "room-1"}]},
        {"lights": [{"id": "a", "at": [1, 1], "bright": 1, "dim": 2, "color": "red"}]},
        {"more": 1},
    ],
)
def test_the_schema_of_grid_maps_refuses_what_the_reader_refuses(changed: dict[str, Any]) -> None:
    document: dict[str, Any] = json.loads(canonical.to_bytes(FURNISHED))
    assert not GRID.is_valid(document | changed)


@pytest.mark.parametrize("seed", range(4))
def test_realm_files_follow_their_schema(seed: int) -> None:
    made = make(REALM, RealmParameters(), seed)
    assert not isinstance(made, Problems)
    document = json.loads(REALM.to_bytes(made.model))
    jsonschema.Draft202012Validator(realm_schema()).validate(document)
    assert not valid(realm_schema(), document | {"compass": "north"})
    assert not valid(realm_schema(), {key: value for key, value in document.items() if key != "dice"})


def test_region_files_follow_their_schema() -> None:
    document = json.loads(region_canonical.to_bytes(REGION))
    jsonschema.Draft202012Validator(region_schema()).validate(document)
    assert not valid(region_schema(), document | {"biomes": ["?"]})


def test_story_files_follow_their_schema() -> None:
    made = make(STORY, STORY.codec.type(), 5)
    assert not isinstance(made, Problems)
    for model in (made.model, STORY.for_players(made.model)):
        document = json.loads(STORY.to_bytes(model))
        jsonschema.Draft202012Validator(story_schema()).validate(document)
        assert not valid(story_schema(), document | {"scale": "galaxy"})
