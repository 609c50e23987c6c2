"""Our own map files, brought back by anybody."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.exports import own
from services.map.exports.own import OwnMap, from_own
from services.map.exports.refusals import MOST_PROBLEMS
from services.map.exports.soundness import faults
from services.map.generation.grid import canonical
from services.map.generation.grid.model import GridMap
from services.map.generation.kind import make
from services.map.kinds.realm.generator import GENERATOR as REALM
from services.map.kinds.realm.generator import RealmParameters, before_play
from services.map.kinds.realm.kind import KIND
from services.rules.engine.problem import KeyPath, Problems
from tests.at_length import part_or_whole
from tests.map.test_exports_geometry import cell_maps, grid_map, walled_maps
from tests.map.test_exports_tiled import FURNISHED

KINDS = {"hearthforge-realm": KIND}


def realm_file(seed: int = 11) -> bytes:
    made = make(REALM, RealmParameters(), seed)
    assert not isinstance(made, Problems)
    return REALM.to_bytes(made.model)


def file(**changed: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(canonical.to_bytes(FURNISHED))
    return document | changed


def with_first(name: str, **changed: Any) -> dict[str, Any]:
    document = file()
    document[name][0] |= changed
    return document


def problems(document: object) -> set[tuple[str, KeyPath]]:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    found = from_own(data, KINDS)
    assert isinstance(found, Problems), found
    return {(problem.code, problem.path) for problem in found}


@settings(max_examples=40)
@given(st.one_of(cell_maps(), walled_maps()))
def test_grid_maps_come_back_byte_for_byte(model: GridMap) -> None:
    data = canonical.to_bytes(model)
    found = from_own(data, KINDS)
    assert isinstance(found, OwnMap), str(found)
    assert found == OwnMap(model.kind.value, model)
    assert canonical.to_bytes(found.model) == data


def test_everything_on_a_map_comes_back() -> None:
    found = from_own(canonical.to_bytes(FURNISHED), KINDS)
    assert found == OwnMap("dungeon", FURNISHED)


@pytest.mark.parametrize("seed", range(5))
def test_realms_come_back_byte_for_byte(seed: int) -> None:
    data = realm_file(seed)
    found = from_own(data, KINDS)
    assert isinstance(found, OwnMap), str(found)
    assert (found.kind, REALM.to_bytes(found.model)) == ("forgeborn_realm", data)


def test_a_realm_comes_back_with_the_problems_of_its_villages_as_they_are() -> None:
    document = json.loads(realm_file())
    village = next(place for place in document["places"] if place["kind"] == "village")
    village["power"] = village["power"] % 4 + 1
    data = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    found = from_own(data, KINDS)
    assert isinstance(found, OwnMap) and REALM.to_bytes(found.model) == data
    village["power"] = 5
    assert problems(document) == {("import_malformed", ())}


def test_a_realm_that_was_tampered_with_fails_its_gates() -> None:
    document = json.loads(realm_file())
    document["places"][0]["power"] += 1
    assert problems(document) == {("import_malformed", ())}
    del document["places"]
    assert problems(document) == {("import_key_missing", ("places",))}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (b"{", ("import_not_json", ())),
        (b"[]", ("import_wrong_type", ())),
        (b"[" * 3_000, ("import_not_json", ())),
        ({}, ("import_unknown_format", ("format",))),
        ({"format": "dd2vtt"}, ("import_unknown_format", ("format",))),
        ({"format": ["hearthforge-map"]}, ("import_unknown_format", ("format",))),
        (file(format_version=2), ("import_malformed", ())),
        (file(width=401), ("import_malformed", ())),
        (file(width="7"), ("import_wrong_type", ("width",))),
        (file(width=6), ("import_malformed", ("cells",))),
        (file(cells=["#######"] * 3 + ["?######"]), ("import_malformed", ("cells",))),
        (file(kind="castle"), ("import_wrong_type", ("kind",))),
        (file(seed="-4"), ("import_out_of_range", ("seed",))),
        (file(seed="9" * 5_000), ("import_malformed", ())),
        (file(seed=str(2**63)), ("import_out_of_range", ("seed",))),
        (file(heights=[[999] * 7] * 4), ("import_malformed", ())),
        (file(ambient="gloomy"), ("import_malformed", ("ambient",))),
        (file(title="x" * 201), ("import_out_of_range", ("title",))),
        (file(title="a\u202eb"), ("import_malformed", ("title",))),
        (file(feet=0), ("import_out_of_range", ("feet",))),
        (file(entrance=[7, 0]), ("import_malformed", ("entrance",))),
        (file(rooms=[{"id": 3}]), ("import_wrong_type", ("rooms", 0, "id"))),
        (file(rooms=[{"id": "a"}]), ("import_wrong_type", ("rooms", 0, "number"))),
        (file(extra=1) | {"rooms": None}, ("import_wrong_type", ("rooms",))),
        (with_first("rooms", width=0), ("import_malformed", ("rooms", 0))),
        (with_first("rooms", x=-1), ("import_malformed", ("rooms", 0))),
        (with_first("rooms", width=10**9), ("import_malformed", ("rooms", 0))),
        (with_first("rooms", id="room-2"), ("import_malformed", ("rooms", 1, "id"))),
        (with_first("rooms", spans=[[1, 3, 2]]), ("import_malformed", ("rooms", 0, "spans", 0))),
        (with_first("doors", at=[9999, -5]), ("import_malformed", ("doors", 0, "at"))),
        (with_first("doors", span=10**9), ("import_out_of_range", ("doors", 0, "span"))),
        (with_first("doors", span=4), ("import_malformed", ("doors", 0, "at"))),
        (with_first("doors", edge="n"), ("import_malformed", ("doors", 0, "edge"))),
        (with_first("lights", color="red"), ("import_malformed", ("lights", 0, "color"))),
        (with_first("lights", color="#ffffff\n"), ("import_malformed", ("lights", 0, "color"))),
        (with_first("lights", bright=9.0), ("import_malformed", ("lights", 0, "bright"))),
        (with_first("lights", at=[7.0, 1.0]), ("import_malformed", ("lights", 0, "at"))),
        (with_first("traps", width=99), ("import_malformed", ("traps", 0))),
        (with_first("stairs", facing="up"), ("import_malformed", ("stairs", 0, "facing"))),
        (with_first("props", width=1e12), ("import_out_of_range", ("props", 0, "width"))),
        (with_first("props", x=1e12), ("import_malformed", ("props", 0))),
        (with_first("zones", spans=[[99, 0, 1]]), ("import_malformed", ("zones", 0, "spans", 0))),
        (with_first("notes", text="x" * 5_001), ("import_out_of_range", ("notes", 0, "text"))),
        (file(walls=[{"points": [[0, 0]]}]), ("import_malformed", ("walls", 0, "points"))),
        (file(walls=[{"points": [[0, 0], [8, 0]]}]), ("import_malformed", ("walls", 0, "points", 1))),
        (file(walls=[{"points": [[0, 0], [1, 1]] * 25_001}]), ("import_out_of_range", ("walls",))),
        (file(passages=[{"start": "room-1", "end": "room-9"}]), ("import_malformed", ("passages", 0, "end"))),
        (
            file(passages=[{"start": "room-1", "end": "room-2", "doors": ["door-9"]}]),
            ("import_malformed", ("passages", 0, "doors", 0)),
        ),
    ],
)
def test_each_fault_is_told_with_its_path(document: object, expected: tuple[str, KeyPath]) -> None:
    assert expected in problems(document)


def test_no_more_problems_are_told_than_anybody_reads() -> None:
    found = from_own(json.dumps(file(notes=[{"id": "", "at": [99, 99], "text": ""}] * 500)).encode(), KINDS)
    assert isinstance(found, Problems)
    assert len(found) == MOST_PROBLEMS


def test_a_file_too_large_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "MAX_FILE", 10)
    assert problems(file()) == {("import_too_large", ())}


def test_generated_maps_are_sound() -> None:
    assert list(faults(FURNISHED)) == []
    assert list(faults(grid_map(".", "."))) == []


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=4),
    st.lists(st.integers(-3, 9), max_size=3),
    st.dictionaries(st.sampled_from(["id", "x", "at"]), st.integers(), max_size=2),
)


def places(value: Any, path: KeyPath = ()) -> list[KeyPath]:
    keys: Iterable[str | int] = ()
    if isinstance(value, dict):
        keys = value
    elif isinstance(value, list):
        keys = range(len(value))
    return [path, *(deep for key in keys for deep in places(value[key], (*path, key)))]


def junked(document: dict[str, Any], changes: list[tuple[KeyPath, Any]]) -> dict[str, Any]:
    made = copy.deepcopy(document)
    for path, junk in changes:
        holder: Any = made
        try:
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = junk
        except (TypeError, LookupError):
            continue
    return made


GRID_PLACES = [path for path in places(file()) if path]
REALM_FILE: dict[str, Any] = json.loads(realm_file())
REALM_PLACES = [path for path in places(REALM_FILE) if path]


@settings(max_examples=part_or_whole(40, 120))
@given(st.lists(st.tuples(st.sampled_from(GRID_PLACES), JUNK), min_size=1, max_size=3))
def test_whatever_stands_in_a_grid_map_the_answer_is_a_sound_map_or_problems(
    changes: list[tuple[KeyPath, Any]],
) -> None:
    found = from_own(json.dumps(junked(file(), changes)).encode(), KINDS)
    if isinstance(found, OwnMap):
        assert list(faults(found.model)) == []
        assert canonical.from_data(json.loads(canonical.to_bytes(found.model))) == found.model
    else:
        assert all(problem.code.startswith("import_") for problem in found)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(REALM_PLACES), JUNK), min_size=1, max_size=2))
def test_whatever_stands_in_a_realm_the_answer_is_a_sound_map_or_problems(
    changes: list[tuple[KeyPath, Any]],
) -> None:
    found = from_own(json.dumps(junked(REALM_FILE, changes)).encode(), KINDS)
    if isinstance(found, OwnMap):
        assert REALM.inspect(before_play(found.model)).passed
    else:
        assert all(problem.code.startswith("import_") for problem in found)
