"""Edits from versions that were replaced: what one side alone has changed merges, all else conflicts."""

from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.shared.merging import Missing, merge_documents, merge_field, merge_fields, note_fields
from services.shared.problems import DifferingField, VersionConflict

FIELDS = ("name", "text", "mood")
VALUES = st.integers(0, 3) | st.booleans() | st.none() | st.lists(st.integers(0, 1), max_size=2)
DOCUMENTS = st.recursive(
    st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("abc"), VALUES | inner, max_size=3),
    max_leaves=6,
)


@dataclass
class Row:
    """A row that is edited field by field."""

    values: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FIELDS, 0))
    version: int = 1
    field_versions: dict[str, int] = field(default_factory=dict)

    def edit(self, expected: int, **yours: int) -> None:
        note_fields(self, FIELDS, merge_fields(self, expected, yours, self.values))
        self.values |= yours
        self.version += 1


def test_fields_that_nobody_else_has_changed_merge() -> None:
    row = Row()
    row.edit(1, name=1)
    row.edit(1, text=2)
    assert (row.values, row.version) == ({"name": 1, "text": 2, "mood": 0}, 3)


def test_one_field_in_conflict_keeps_the_whole_edit_back() -> None:
    row = Row()
    row.edit(1, name=1)
    with pytest.raises(VersionConflict) as refused:
        row.edit(1, name=2, text=2)
    assert refused.value.differing == [DifferingField(["name"], 2, 1)]
    assert (refused.value.expected_version, refused.value.current_version) == (1, 2)
    assert row.values["text"] == 0


def test_the_same_value_from_both_sides_is_no_conflict() -> None:
    row = Row()
    row.edit(1, name=1)
    assert merge_fields(row, 1, {"name": 1}, row.values) == frozenset()


def test_where_it_is_not_known_which_field_was_changed_each_may_have_been() -> None:
    row = Row(version=5)
    with pytest.raises(VersionConflict):
        row.edit(4, name=1)
    row.edit(5, name=1)
    row.edit(5, text=1)
    with pytest.raises(VersionConflict):
        row.edit(4, mood=1)


def test_a_version_that_is_not_there_yet_is_refused() -> None:
    for asked in ({"name": 1}, {"name": 0}):
        with pytest.raises(VersionConflict):
            Row().edit(2, **asked)
    with pytest.raises(VersionConflict):
        merge_field(2, 1, "name", 0, 0)


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(FIELDS), st.integers(0, 2)), max_size=8))
def test_no_edit_overwrites_what_it_has_not_seen(edits: list[tuple[int, str, int]]) -> None:
    row, history = Row(), [dict.fromkeys(FIELDS, 0)]
    for behind, name, value in edits:
        expected = max(1, row.version - behind)
        seen, before = history[expected - 1], dict(row.values)
        try:
            row.edit(expected, **{name: value})
        except VersionConflict as conflict:
            assert row.values == before
            assert conflict.differing == [DifferingField([name], value, before[name])]
            continue
        assert seen[name] == before[name] or value == before[name]
        assert row.values == before | {name: value}
        history.append(dict(row.values))


def written(document: Any) -> bytes:
    """Return a document as JSON, for which 1 and true are two."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_documents_merge_alike_from_both_sides(base: Any, yours: Any, theirs: Any) -> None:
    one, other = merge_documents(base, yours, theirs), merge_documents(base, theirs, yours)
    assert sorted(field.path for field in one.differing) == sorted(field.path for field in other.differing)
    if not one.differing:
        assert written(one.document) == written(other.document)
    assert written(merge_documents(base, yours, base).document) == written(yours)
    assert written(merge_documents(base, base, theirs).document) == written(theirs)


@given(DOCUMENTS, DOCUMENTS)
def test_without_a_base_all_that_differs_is_in_conflict(yours: Any, theirs: Any) -> None:
    merged = merge_documents(Missing.NOT_KEPT, yours, theirs)
    assert written(merged.document) == written(theirs)
    assert bool(merged.differing) == (written(yours) != written(theirs))
    assert all(field.base is None for field in merged.differing)


def test_objects_merge_by_member_and_lists_as_a_whole() -> None:
    base = {"name": "Asha", "traits": {"brawn": 1, "wits": 1}, "gear": ["rope"]}
    yours = {"name": "Asha", "traits": {"brawn": 2, "wits": 1}, "gear": ["rope", "lamp"]}
    theirs = {"name": "Bela", "traits": {"brawn": 1, "wits": 3}, "gear": ["rope"]}
    merged = merge_documents(base, yours, theirs)
    assert merged.document == {"name": "Bela", "traits": {"brawn": 2, "wits": 3}, "gear": ["rope", "lamp"]}
    late = merge_documents(base, yours, {**theirs, "gear": []}, ("build",))
    assert late.differing == (DifferingField(["build", "gear"], ["rope", "lamp"], [], ["rope"]),)


def test_true_is_another_value_than_one() -> None:
    assert merge_documents({"a": 0}, {"a": 1}, {"a": True}).differing
