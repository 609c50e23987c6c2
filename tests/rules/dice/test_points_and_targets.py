"""Compare points with brackets and variables, totals against a target, and how players type."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from services.rules.dice.notation import (
    Dialect,
    Lexicon,
    NotationError,
    bind,
    parse,
    render,
    variables,
)
from services.rules.dice.odds.exact import distribution_of
from services.rules.dice.pool import Value
from services.rules.dice.roll import roll
from services.rules.dice.stream import ListStream
from services.rules.dice.text import text as line


def mean(text: str, **values: Value) -> Fraction:
    found = distribution_of(bind(parse(text), values).node, {})
    return sum((Fraction(value) * ways for value, ways in found.pairs()), Fraction(0)) / found.whole


@pytest.mark.parametrize(
    ("text", "rendered", "names"),
    [
        ("d100<=@skill", "1d100<=@{skill}", ("skill",)),
        ("3d6>=(2+2)", "3d6>=4", ()),
        ("3d6 cs @{hero.luck}", "3d6cs=@{hero.luck}", ("hero.luck",)),
        ("4d6 r<@a kw>=(@b - 1) f(@a)", "4d6r<@{a}kw>=(@b - 1)df=@{a}", ("a", "b")),
        ("4d6!>@a", "4d6!>@{a}", ("a",)),
        ("4d6!!=@a", "4d6!!=@{a}", ("a",)),
        ("4d6ms>=(@a*2)", "4d6ms>=(@a * 2)", ("a",)),
        ("{2d6, d12}>(max(3, 4))", "{2d6, 1d12}>4", ()),
        ("3d6>=(2-4)", "3d6>=-2", ()),
    ],
)
def test_a_point_may_be_a_variable_or_stand_in_brackets(
    text: str, rendered: str, names: tuple[str, ...]
) -> None:
    expression = parse(text)
    assert render(expression) == rendered
    assert parse(rendered) == expression
    assert variables(expression) == names


@pytest.mark.parametrize(
    ("dialect", "text", "rendered"),
    [
        (Dialect.ROLL20, "4d6>@{skill}", "4d6>=@{skill}"),
        (Dialect.ROLL20, "4d6<(1+2)", "4d6<=3"),
        (Dialect.FOUNDRY, "4d6cs>=@skill", "4d6>=@{skill}"),
        (Dialect.FOUNDRY, "4d6r<(3)", "4d6ro<3"),
    ],
)
def test_dialects_compare_with_variables_in_their_own_way(dialect: Dialect, text: str, rendered: str) -> None:
    assert render(parse(text, Lexicon(dialect=dialect))) == rendered


def test_a_point_of_a_variable_is_met_as_the_number_is() -> None:
    assert mean("d100<=@skill", skill=35) == Fraction(35, 100)
    assert mean("3d6>=(@a + 2)", a=2) == mean("3d6>=4") == Fraction(3, 2)
    assert roll(bind(parse("d100<=@skill"), {"skill": 35}), ListStream((35,))).value == 1


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("3d6>=(d4)", 5, "numbers and variables: a compare point is known before the dice fall"),
        ("3d6>=(5/2)", 7, "a whole number"),
        ("3d6>=()", 6, "a number"),
        ("3d6>=(2", 7, "')'"),
        ("3d6>=@1", 6, "the name of a variable"),
        ("3d6kw@a", 3, None),
        ("3d6 total 12", 10, "a comparison such as '>=12'"),
        ("3d6 total>=12 total>=1", 14, "brackets around one of them"),
    ],
)
def test_what_no_point_can_be_is_refused_where_it_stands(
    text: str, position: int, expected: str | None
) -> None:
    if expected is None:
        assert parse(text) == parse("3d6kw=@a")
        return
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.position == position
    assert expected in caught.value.expected


@pytest.mark.parametrize(
    ("text", "faces", "total"),
    [
        ("3d6 total<=12", (6, 5, 1), 1),
        ("3d6 total<=12", (6, 6, 1), 0),
        ("1d20 + 5 total>=15", (10,), 1),
        ("1d20 + 5 total>=15", (9,), 0),
        ("2d6 total=7", (3, 4), 1),
        ("2d6 total!=7", (3, 4), 0),
        ("d20 total>d20", (3, 4), 0),
        ("(d20 total>=11) * 2d6", (11, 3, 4), 7),
    ],
)
def test_a_total_meets_its_target_or_does_not(text: str, faces: tuple[int, ...], total: int) -> None:
    expression = parse(text)
    assert parse(render(expression)) == expression
    assert roll(expression, ListStream(faces)).value == total


def test_the_chance_to_meet_a_target_is_exact() -> None:
    assert mean("3d6 total<=12") == Fraction(160, 216)
    assert mean("1d20 + @b total>=@dc", b=-1, dc=15) == Fraction(5, 20)


def test_a_target_is_shown_beside_the_dice() -> None:
    shown = line(roll(parse("2d6 + 1 total>=8"), ListStream((3, 4))))
    assert shown == "2d6 (3, 4) + 1 total>=8 = 1"


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("1d20+5 >= 15", "1d20 + 5 total>=15"),
        ("1d20 == 20", "1d20 total=20"),
        ("2d20kh1 > 10", "2d20kh1 total>10"),
        ("15 <= (1d20 + 5)", "15 total<=1d20 + 5"),
        ("(1d20 != 1) * 3", "(1d20 total!=1) * 3"),
        ("d%", "1d[0,10,20,30,40,50,60,70,80,90]"),
        ("2d%kh1", "2d[0,10,20,30,40,50,60,70,80,90]kh1"),
        ("(1)d%", "1d[0,10,20,30,40,50,60,70,80,90]"),
    ],
)
def test_d20_compares_totals_and_rolls_tens(text: str, rendered: str) -> None:
    assert render(parse(text, Lexicon(dialect=Dialect.D20))) == rendered


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("1d20 \u2212 2", "1d20 - 2"),
        ("1d20\u20132", "1d20 - 2"),
        ("1d20\u00a0\u2014\u202f2", "1d20 - 2"),
        ("2\u00d73d6", "2 * 3d6"),
        ("3d6 \u00f7 2", "3d6 / 2"),
        ("3d6\u22655", "3d6>=5"),
        ("3d6 total\u2264\u22125", "3d6 total<=-5"),
        ("\ufeffd20\u200b+1", "1d20 + 1"),
        ("2d6[fire\u00a0bolt]", "2d6[fire bolt]"),
        ("d20 # a\u00a0b\u200bc", "1d20 # a b c"),
    ],
)
def test_what_word_processors_write_is_read(text: str, rendered: str) -> None:
    expression = parse(text)
    assert render(expression) == rendered
    assert parse(rendered) == expression


@pytest.mark.parametrize("dialect", [Dialect.D20, Dialect.ROLL20])
@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("1d20+5 to hit", "1d20 + 5 # to hit"),
        ("1d20 perception check (dc 5)", "1d20 # perception check (dc 5)"),
        ("2d6+3 damage", "2d6 + 3 # damage"),
        ("1d20 evasion", "1d20 # evasion"),
        ("1d4 Feuer für alle", "1d4 # Feuer für alle"),
    ],
)
def test_words_behind_a_roll_are_its_comment(dialect: Dialect, text: str, rendered: str) -> None:
    expression = parse(text, Lexicon(dialect=dialect))
    assert render(expression) == rendered
    assert parse(rendered) == expression


def test_a_backslash_ends_a_roll_of_roll20() -> None:
    assert render(parse("1d20+5 \\ +5 bonus", Lexicon(dialect=Dialect.ROLL20))) == "1d20 + 5 # +5 bonus"


@pytest.mark.parametrize("dialect", [Dialect.HEARTHFORGE, Dialect.FOUNDRY])
def test_words_behind_a_roll_are_refused_elsewhere(dialect: Dialect) -> None:
    with pytest.raises(NotationError) as caught:
        parse("1d20+5 to hit", Lexicon(dialect=dialect))
    assert caught.value.position == 7


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("adv", 0, "'2d20kh1'"),
        ("d20 adv", 4, "'2d20kh1'"),
        ("d20+5 advantage", 6, "'2d20kh1'"),
        ("d20dis", 3, "'2d20kl1'"),
        ("dis + 2", 0, "'2d20kl1'"),
        ("d20 disadvantage", 4, "'2d20kl1'"),
        ("d66%", 3, "'d66'"),
        ("2d20 %", 5, "'d20'"),
    ],
)
def test_a_slip_is_answered_with_the_right_spelling(
    dialect: Dialect, text: str, position: int, expected: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text, Lexicon(dialect=dialect))
    assert caught.value.position == position
    assert expected in caught.value.expected


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    "text",
    [
        "4d6kh3 x6",
        "6#4d6kh3",
        "6 # 4d6",
        "4d6 x 6",
        "6x4d6",
        "6 x (4d6)",
        "3d6 + 2 x6",
        "x6 4d6",
        "4d6 x6 # six",
    ],
)
def test_six_times_is_refused_with_the_name_of_the_batch(dialect: Dialect, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text, Lexicon(dialect=dialect))
    assert any("rollMany" in choice for choice in caught.value.expected)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("4d6x6", "4d6!=6"),
        ("4d6 x6 kh3", "4d6!=6kh3"),
        ("4d6 x>=5", "4d6!>=5"),
        ("6 # strength", "6 # strength"),
        ("4d6 # 4d6", "4d6 # 4d6"),
    ],
)
def test_explosions_and_comments_stay_what_they_are(text: str, rendered: str) -> None:
    assert render(parse(text)) == rendered


@pytest.mark.parametrize(
    ("values", "rendered"), [({"n": 2}, "2d6kh2"), ({"n": 0}, "0d6kh0"), ({"n": 5}, "5d6kh3")]
)
def test_a_variable_number_of_dice_keeps_what_there_is(values: Mapping[str, Value], rendered: str) -> None:
    bound = bind(parse("@n d6kh3"), values)
    assert render(bound) == rendered
    assert parse(rendered) == bound
