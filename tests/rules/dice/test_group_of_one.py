"""A group of one member that adds up dice: its rules look at the dice, its plain numbers stay as they are."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.notation import Dialect, Lexicon, bind, check, parse, render
from services.rules.dice.odds.exact import distribution_of
from services.rules.dice.pool import Expression, Value
from services.rules.dice.roll import roll
from services.rules.dice.stream import ListStream


def chances(expression: Expression) -> dict[Value, Fraction]:
    found = distribution_of(expression.node, {})
    return {value: Fraction(ways, found.whole) for value, ways in found.pairs()}


@pytest.mark.parametrize(
    ("text", "faces", "total"),
    [
        ("{3d6 - 1}kh1", (2, 6, 4), 5),
        ("{3d6 + 1}kh1", (2, 6, 4), 7),
        ("{-1 + 3d6}kh1", (2, 6, 4), 5),
        ("{3d6 - (2 - 1)[tired]}kh1", (2, 6, 4), 5),
        ("{3d6 - 2 * 2}kl2", (2, 6, 4), 2),
        ("{2d6 - 1 + d8}kh2", (2, 6, 8), 13),
        ("{3d6 - 1}>=4", (2, 6, 4), 1),
        ("{3d6 - 1}dl1dl1", (2, 6, 4), 5),
        # A die that is taken away is no part of a pool: the member is one value.
        ("{2d6 - d4}kh1", (2, 6, 4), 4),
        ("{-5}kh1", (), -5),
        ("{5}kh1", (), 5),
    ],
)
def test_the_sign_of_a_plain_number_changes_nothing_but_the_sum(
    text: str, faces: tuple[int, ...], total: int
) -> None:
    result = roll(parse(text), ListStream(faces))
    assert result.value == total
    assert total in chances(parse(text))


def test_the_best_of_three_less_one_is_zero_to_five() -> None:
    plain, less = chances(parse("{3d6}kh1")), chances(parse("{3d6 - 1}kh1"))
    assert less == {value - 1: chance for value, chance in plain.items()}
    assert set(less) == set(range(6))


@given(st.integers(-30, 30), st.sampled_from(("kh1", "kl2", "dh1", ">=15", "<6", "kh2>=9f1", "even")))
def test_a_variable_adds_itself_whatever_its_sign(number: int, rules: str) -> None:
    plain = chances(parse(f"{{3d20}}{rules}"))
    for text, added in ((f"{{3d20 + @b}}{rules}", number), (f"{{3d20 - @b}}{rules}", -number)):
        bound = bind(parse(text), {"b": number})
        check(bound)
        assert parse(render(bound)) == bound
        assert chances(bound) == {value + added: chance for value, chance in plain.items()}


ROLL20 = Lexicon(dialect=Dialect.ROLL20)


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("{3d20+5}>21", "{3d20}>=16"),
        ("{3d20-5}>11", "{3d20}>=16"),
        ("{3d20+2+3}k2>21f<7", "{3d20}kh2>=16df<=2"),
        ("{d20+d12-1}>9", "{1d20 + 1d12}>=10"),
        ("{3d20+@b}>21", "{3d20}>=(21 - @b)"),
        # Without dice to count the numbers are added once; two in brackets are two totals.
        ("{3d20+5}kh1", "{3d20 + 5}kh1"),
        ("{3d20+5, 0}>21", "{3d20 + 5, 0}>=21"),
        ("{{3d20+5}}>21", "{{3d20 + 5}}>=21"),
    ],
)
def test_roll20_adds_to_each_die_before_it_counts(text: str, ours: str) -> None:
    assert render(parse(text, ROLL20)) == ours


@given(st.integers(-15, 15), st.integers(1, 25))
def test_roll20_counts_each_die_with_what_is_added(added: int, target: int) -> None:
    bound = bind(parse(f"{{2d20+@b}}>{target}", ROLL20), {"b": added})
    hit = Fraction(sum(face + added >= target for face in range(1, 21)), 20)
    expected = {0: (1 - hit) ** 2, 1: 2 * hit * (1 - hit), 2: hit**2}
    assert chances(bound) == {value: chance for value, chance in expected.items() if chance}
