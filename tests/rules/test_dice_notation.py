"""Notation: what is read, what is written, and what an error says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.notation import LIMITS, Limits, NotationError, NotationLimitError, parse, render
from services.rules.dice.pool import Constant, DiceTerm, Keep, KeepEnd, Pool, Sign, SignedTerm


@st.composite
def dice_terms(draw: st.DrawFn) -> DiceTerm:
    count = draw(st.integers(1, LIMITS.dice // 10))
    keep = draw(
        st.none() | st.builds(Keep, st.sampled_from(KeepEnd), st.integers(1, count)),
    )
    return DiceTerm(count, draw(st.integers(1, LIMITS.sides)), keep)


signed_terms = st.builds(
    SignedTerm,
    dice_terms() | st.builds(Constant, st.integers(0, LIMITS.number)),
    st.sampled_from(Sign),
)
pools = st.lists(signed_terms, min_size=1, max_size=10).map(lambda terms: Pool(tuple(terms)))


@given(pools)
def test_a_rendered_pool_reads_back_as_itself(pool: Pool) -> None:
    assert parse(render(pool)) == pool


@given(pools, st.data())
def test_case_and_blanks_do_not_matter(pool: Pool, data: st.DataObject) -> None:
    text = render(pool)
    blanks = data.draw(st.sampled_from(["", " ", "\t", "  "]))
    spaced = text.upper().replace(" ", blanks).replace("D", f"{blanks}D{blanks}")
    assert parse(f"{blanks}{spaced}{blanks}") == pool


@given(st.text(max_size=40))
def test_any_text_is_a_pool_or_an_error_with_a_place_in_it(text: str) -> None:
    try:
        parse(text)
    except NotationError as error:
        assert 0 <= error.position <= len(text)
        assert error.expected
        assert error.caret.splitlines()[-1] == " " * error.position + "^"


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("d20", "1d20"),
        ("d%", "1d100"),
        ("7D6", "7d6"),
        ("2d20KH", "2d20kh1"),
        (" 4 d 6 kl 3 + 2 ", "4d6kl3 + 2"),
        ("-1d4+10-2", "-1d4 + 10 - 2"),
        ("+5", "5"),
        ("007", "7"),
    ],
)
def test_what_people_type_is_read(text: str, rendered: str) -> None:
    assert render(parse(text)) == rendered


@pytest.mark.parametrize(
    ("text", "position", "found", "expected"),
    [
        ("", 0, "end of text", ("a number", "'d'")),
        ("2d", 2, "end of text", ("a number", "'%'")),
        ("2d6 3", 4, "'3'", ("'kh'", "'kl'", "'+'", "'-'", "end of text")),
        ("3 x", 2, "'x'", ("'d'", "'+'", "'-'", "end of text")),
        ("1d6kh1kh1", 6, "'k'", ("'+'", "'-'", "end of text")),
        ("1d6 + ", 6, "end of text", ("a number", "'d'")),
        ("--3", 1, "'-'", ("a number", "'d'")),
        ("0d6", 0, "0", ("1 die or more",)),
        ("d0", 1, "0", ("1 side or more",)),
        ("2d6kh3", 5, "3", ("a number from 1 to 2",)),
        ("2d6kl0", 5, "0", ("a number from 1 to 2",)),
        ("2d٣", 2, "'٣'", ("a number", "'%'")),
    ],
)
def test_an_error_says_where_what_and_what_instead(
    text: str, position: int, found: str, expected: tuple[str, ...]
) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert (caught.value.position, caught.value.found, caught.value.expected) == (position, found, expected)


def test_the_caret_stands_under_the_mistake() -> None:
    with pytest.raises(NotationError) as caught:
        parse("2d6\n+ ?")
    assert caught.value.caret == "2d6 + ?\n      ^"


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("1" * (LIMITS.text + 1), "text"),
        ("+".join(["1"] * (LIMITS.terms + 1)), "terms"),
        (f"{LIMITS.dice + 1}d6", "dice"),
        (f"{LIMITS.dice}d6 + d6", "dice"),
        (f"d{LIMITS.sides + 1}", "sides"),
        (f"{LIMITS.number + 1}", "number"),
        ("9" * LIMITS.text, "number"),
    ],
)
def test_too_much_is_refused_by_name(text: str, limit: str) -> None:
    with pytest.raises(NotationLimitError) as caught:
        parse(text)
    assert caught.value.limit == limit
    assert caught.value.allowed == getattr(LIMITS, limit)


def test_as_much_as_the_limits_allow_is_read() -> None:
    assert parse(f"{LIMITS.dice}d{LIMITS.sides}").dice_count == LIMITS.dice
    assert len(parse("+".join(["1"] * LIMITS.terms)).terms) == LIMITS.terms
    assert parse("1d6 + 1", Limits(terms=2)) == parse("1d6+1")


def test_a_pool_that_cannot_be_is_refused() -> None:
    for broken in (
        lambda: Pool(()),
        lambda: DiceTerm(0, 6),
        lambda: DiceTerm(1, 0),
        lambda: DiceTerm(1, 6, Keep(KeepEnd.HIGHEST, 2)),
        lambda: Keep(KeepEnd.LOWEST, 0),
        lambda: Constant(-1),
    ):
        with pytest.raises(ValueError):
            broken()
