"""The realm's map file."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.map.kinds.realm.canonical import (
    MapFileError,
    canonical_bytes,
    from_canonical,
    parse,
    to_canonical,
)
from services.map.kinds.realm.generator import (
    MAX_SEED,
    GeneratedRealm,
    RealmParameters,
    generate,
    with_new_ruin,
    with_spent_ruin,
)
from services.map.kinds.realm.model import RealmMap


def realm_map(seed: int, **parameters: object) -> RealmMap:
    result = generate(RealmParameters(seed=seed, **parameters))  # type: ignore[arg-type]
    assert isinstance(result, GeneratedRealm)
    return result.model


@settings(max_examples=40)
@given(
    st.integers(0, MAX_SEED),
    st.integers(80, 200),
    st.integers(60, 160),
    st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20),
)
def test_a_map_comes_back_as_it_was(seed: int, width: int, height: int, title: str) -> None:
    model = realm_map(seed, width=width, height=height, title=title)
    text = canonical_bytes(model)
    assert parse(text) == model
    assert canonical_bytes(parse(text)) == text


def test_a_grown_and_explored_map_comes_back_too() -> None:
    model = with_new_ruin(with_spent_ruin(realm_map(3), "ruin-2"))
    assert isinstance(model, RealmMap)
    assert from_canonical(to_canonical(model)) == model


def test_the_file_is_canonical_json() -> None:
    text = canonical_bytes(realm_map(MAX_SEED))
    data = json.loads(text)
    assert json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() == text
    assert data["seed"] == str(MAX_SEED)
    assert (data["format"], data["format_version"], data["kind"]) == ("hearthforge-realm", 1, "realm")


def test_positions_have_at_most_three_decimals() -> None:
    for die in to_canonical(realm_map(12))["dice"]:
        assert all(value == round(value, 3) for value in die["at"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "not JSON"),
        ("[]", "a JSON object"),
        ('{"format":"hearthforge-dungeon","format_version":1}', "expected hearthforge-realm 1"),
        ('{"format":"hearthforge-realm","format_version":2}', "expected hearthforge-realm 1"),
        ('{"format":"hearthforge-realm","format_version":1}', "the key settings is missing"),
    ],
)
def test_a_file_that_is_no_realm_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(MapFileError, match=complaint):
        parse(text)


def test_a_value_of_the_wrong_type_is_refused() -> None:
    data = to_canonical(realm_map(1))
    data["places"][0]["at"] = "north"
    with pytest.raises(MapFileError, match="not of its type"):
        from_canonical(data)
