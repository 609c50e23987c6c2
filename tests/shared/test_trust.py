"""Ids, cursors, nobody: the small things that everything else trusts."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.shared.auth import ANONYMOUS, KeyScope, Viewer
from services.shared.ids import is_id, new_id
from services.shared.pagination import (
    cursor_of_number,
    decode_cursor,
    encode_cursor,
    number_of_cursor,
    page_size,
)
from services.shared.problems import PublicError


def test_nobody_may_do_anything() -> None:
    nobody = Viewer(ANONYMOUS, frozenset({"read", "write", "admin"}))
    assert not any(nobody.may(scope) for scope in KeyScope)


def test_ids_sort_by_the_moment_they_were_made() -> None:
    made = [new_id("rol", milliseconds=moment) for moment in (1, 999, 1_000, 1_700_000_000_000)]
    assert made == sorted(made)
    assert all(is_id(found, "rol") for found in made)


@given(st.text(max_size=40))
def test_text_that_is_no_id_is_told_from_one(text: str) -> None:
    assert not is_id(text, "rol")
    assert not is_id(f"rol_{text}\n", "rol")


def test_an_id_of_one_kind_is_none_of_another() -> None:
    assert not is_id(new_id("chr"), "rol")


def test_cursors_come_back() -> None:
    row = new_id("rol")
    assert decode_cursor(encode_cursor(row), "rol") == row
    assert number_of_cursor(cursor_of_number(42)) == 42


@given(st.text(max_size=60))
def test_foreign_cursors_are_refused_with_a_code(cursor: str) -> None:
    for read in (lambda: decode_cursor(cursor, "rol"), lambda: number_of_cursor(cursor)):
        with pytest.raises(PublicError) as caught:
            read()
        assert caught.value.extensions == {"code": "BAD_CURSOR"}


@pytest.mark.parametrize("first", [0, -1, 101, 2**31 - 1])
def test_pages_have_one_to_a_hundred_rows(first: int) -> None:
    with pytest.raises(PublicError):
        page_size(first)
    assert page_size(1) == 1
    assert page_size(100) == 100


def test_the_clock_of_ids_is_unix_time() -> None:
    before = new_id("rol", milliseconds=int(datetime.now(UTC).timestamp() * 1000) - 10)
    assert before < new_id("rol")
