"""Codec: exact round trips, strict reading, upgrades."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.engine.codec import Codec, CodecError, decode, encode
from services.rules.engine.explain import Explained, Part


class Mood(Enum):
    CALM = "calm"
    WILD = "wild"


@dataclass(frozen=True, slots=True)
class Sword:
    dice: int


@dataclass(frozen=True, slots=True)
class Song:
    title: str
    mood: Mood = Mood.CALM


@dataclass(frozen=True, slots=True)
class Bard:
    name: str
    level: int
    pitch: float
    retired: bool
    carries: tuple[Sword | Song, ...]
    best: Song | None
    range: tuple[int, int]
    fans: Mapping[str, int]
    nickname: str | None = None


BARD = Codec(Bard, "test/bard")


@dataclass(frozen=True, slots=True)
class Chest:
    whole_first: int | float
    whole_last: float | int
    rows: tuple[int | float, ...]
    columns: tuple[float | int, ...]
    holds: tuple[Chest, ...] = ()


songs = st.builds(Song, st.text(), st.sampled_from(Mood))
bards = st.builds(
    Bard,
    st.text(),
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.lists(songs | st.builds(Sword, st.integers())).map(tuple),
    st.none() | songs,
    st.tuples(st.integers(), st.integers()),
    st.dictionaries(st.text(), st.integers()),
    st.none() | st.text(),
)


def document(**changes: object) -> dict[str, Any]:
    bard = Bard("Pim", 3, 1.5, False, (Sword(2), Song("Ho")), None, (1, 2), {"Odo": 1})
    data = dict(BARD.dump(bard)["data"])  # type: ignore[arg-type]
    return {"type": "test/bard", "version": 1, "data": {**data, **changes}}


@given(bards)
def test_a_value_survives_json_exactly(bard: Bard) -> None:
    assert BARD.load(json.loads(json.dumps(BARD.dump(bard)))) == bard


def test_members_of_a_union_say_their_kind() -> None:
    assert document()["data"]["carries"] == [
        {"kind": "Sword", "dice": 2},
        {"kind": "Song", "title": "Ho", "mood": "calm"},
    ]


@pytest.mark.parametrize(
    ("changes", "path", "found"),
    [
        ({"level": "3"}, ("data", "level"), "3"),
        ({"level": True}, ("data", "level"), True),
        ({"level": 3.0}, ("data", "level"), "float"),
        ({"retired": 1}, ("data", "retired"), 1),
        ({"colour": "red"}, ("data", "colour"), "colour"),
        ({"best": {"title": "Ho", "mood": "sad"}}, ("data", "best", "mood"), "sad"),
        ({"best": 7}, ("data", "best"), 7),
        ({"carries": [{"kind": "Harp"}]}, ("data", "carries", 0, "kind"), "Harp"),
        ({"carries": [{"kind": "Sword"}]}, ("data", "carries", 0, "dice"), None),
        ({"carries": "harp"}, ("data", "carries"), "harp"),
        ({"range": [1]}, ("data", "range"), "1 items"),
        ({"fans": {"Odo": "many"}}, ("data", "fans", "Odo"), "many"),
        ({"nickname": 5}, ("data", "nickname"), 5),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(
    changes: dict[str, object], path: tuple[str | int, ...], found: object
) -> None:
    with pytest.raises(CodecError) as caught:
        BARD.load(document(**changes))
    assert (caught.value.path, caught.value.found) == (path, found)
    problem = caught.value.problem()
    assert (problem.code, problem.path) == ("value_malformed", path)


@pytest.mark.parametrize(
    ("form", "meant"),
    [
        ({"kind": "Song", "titel": "Sea"}, "title"),
        ({"kind": "Song", "title": "Sea", "mood": "clam"}, "calm"),
        ({"kind": "Sogn", "title": "Sea"}, "Song"),
        ({"kind": "Song", "zzz": "Sea"}, None),
    ],
    ids=["key", "word", "kind", "none is near"],
)
def test_a_slip_of_the_pen_is_told_with_what_was_meant(form: dict[str, str], meant: str | None) -> None:
    with pytest.raises(CodecError) as caught:
        decode(Sword | Song, form)
    problem = caught.value.problem()
    assert problem.allowed == (meant or caught.value.expected)
    assert problem.message.endswith(f" Is `{meant}` meant?") == (meant is not None)


@pytest.mark.parametrize(
    ("envelope", "path"),
    [
        ([], ()),
        ({"type": "test/harp", "version": 1, "data": {}}, ("type",)),
        ({"type": "test/bard", "version": 2, "data": {}}, ("version",)),
        ({"type": "test/bard", "version": True, "data": {}}, ("version",)),
        ({"type": "test/bard", "version": 1, "data": {}, "extra": 1}, ("extra",)),
        ({"type": "test/bard", "version": 1}, ("data",)),
    ],
)
def test_a_foreign_envelope_is_refused(envelope: object, path: tuple[str, ...]) -> None:
    with pytest.raises(CodecError) as caught:
        BARD.load(envelope)
    assert caught.value.path == path


def test_a_field_with_a_default_may_be_left_out() -> None:
    assert decode(Song, {"title": "Ho"}) == Song("Ho", Mood.CALM)


def test_an_older_document_is_upgraded_step_by_step() -> None:
    codec = Codec(
        Song,
        "test/song",
        version=3,
        upgrades={
            1: lambda data: {"title": data["name"]},
            2: lambda data: {**data, "mood": "wild"},
        },
    )
    assert codec.load({"type": "test/song", "version": 1, "data": {"name": "Ho"}}) == Song("Ho", Mood.WILD)
    with pytest.raises(CodecError):
        Codec(Song, "test/song", version=2).load({"type": "test/song", "version": 1, "data": {}})


def test_a_broken_invariant_is_a_reading_error() -> None:
    with pytest.raises(CodecError) as caught:
        decode(Explained, {"value": 3, "parts": [{"value": 1, "source": "a", "rule": "b"}]})
    assert "add up" in caught.value.expected


def test_a_union_is_read_as_its_first_member_that_fits_though_unions_of_another_order_are_equal() -> None:
    inner = {"whole_first": 1, "whole_last": 1, "rows": [2], "columns": [2]}
    read = decode(Chest, {**inner, "holds": [inner]})
    for chest in (read, *read.holds):
        values = (chest.whole_first, chest.whole_last, chest.rows[0], chest.columns[0])
        assert list(map(type, values)) == [int, float, int, float]
    with pytest.raises(CodecError) as caught:
        decode(Chest, {**inner, "holds": [{**inner, "holds": [inner, {**inner, "rows": ["x"]}]}]})
    assert caught.value.path == ("holds", 0, "holds", 1, "rows", 0)
    with pytest.raises(CodecError, match="found '3 items', expected exactly 2 items"):
        decode(tuple[int, int], [1, 2, 3])


def test_a_type_without_a_json_form_is_refused() -> None:
    with pytest.raises(TypeError):
        decode(bytes, b"")
    with pytest.raises(TypeError):
        encode(Song, Sword(1))


def test_an_explained_number_must_add_up() -> None:
    with pytest.raises(ValueError):
        Explained(4, (Part(3, "Battle", "Actions"),))
    nine = Explained.of(Part(4, "Battle", "Actions"), Part(5, "Greatsword", "Stuff"))
    seven = nine.at_most(7, "Luck", "Luck")
    assert seven.value == 7
    assert seven.text() == "7 = 4 (Battle) + 5 (Greatsword) - 2 (Luck)"


@given(st.fractions())
def test_a_fraction_survives_as_text(value: Fraction) -> None:
    written = encode(Fraction, value)
    assert written == f"{value.numerator}/{value.denominator}"
    assert decode(Fraction, json.loads(json.dumps(written))) == value


@pytest.mark.parametrize("data", ["1/0", "1.5/2", "half", 3, None, "1/2/3", "1/-2", "²/3"])
def test_what_is_no_fraction_is_refused(data: object) -> None:
    with pytest.raises(CodecError, match="fraction"):
        decode(Fraction, data)
