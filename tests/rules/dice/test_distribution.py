"""Distributions: what they say is what going through every pair of values says, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.distribution import Distribution
from services.rules.dice.pool import Value

Chances = dict[Value, Fraction]

WHOLE = st.integers(-30, 30)
SPARSE = st.integers(-(10**12), 10**12)
PARTS = st.fractions(-5, 5, max_denominator=6)


def distributions(values: st.SearchStrategy[Value], most: int = 6) -> st.SearchStrategy[Distribution]:
    """Give distributions over some of these values."""
    weights = st.dictionaries(values, st.integers(1, 50), min_size=1, max_size=most)
    return weights.map(Distribution.from_weights)


ANY = st.one_of(distributions(WHOLE), distributions(SPARSE), distributions(PARTS))
DENSE = st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any).map(enumerate)


def gathered(pairs: Iterable[tuple[Value, Fraction]]) -> Chances:
    """Put the chances of equal values together."""
    found: Chances = {}
    for value, chance in pairs:
        found[value] = found.get(value, Fraction(0)) + chance
    return found


def of_both(first: Distribution, second: Distribution) -> list[tuple[Value, Value, Fraction]]:
    """Give every pair of values with its chance."""
    return [(a, b, p * q) for (a, p), (b, q) in product(first.pairs(), second.pairs())]


@given(ANY, ANY)
def test_a_sum_is_that_of_every_pair(first: Distribution, second: Distribution) -> None:
    assert dict(first.add(second).pairs()) == gathered((a + b, p) for a, b, p in of_both(first, second))
    assert dict(first.subtract(second).pairs()) == gathered((a - b, p) for a, b, p in of_both(first, second))


@given(DENSE.map(Distribution.from_weights), DENSE.map(Distribution.from_weights))
def test_a_sum_of_neighbouring_values_is_that_of_every_pair(
    first: Distribution, second: Distribution
) -> None:
    assert first.add(second) == first.combine(second, lambda a, b: a + b)


@given(st.one_of(ANY, st.integers(1, 8).map(Distribution.die)), st.integers(0, 6))
def test_repeating_is_adding_as_often(one: Distribution, count: int) -> None:
    summed = Distribution.constant(0)
    for _ in range(count):
        summed = summed.add(one)
    assert one.repeat(count) == summed


def test_weights_of_more_than_a_machine_word_stay_exact() -> None:
    one = Distribution.from_weights({0: 1, 1: 3, 4: 2})
    many = Distribution.constant(0)
    for _ in range(40):
        many = many.combine(one, lambda a, b: a + b)
    assert max(many.weights) > 2**64
    assert one.repeat(40) == many
    assert one.repeat(20).add(one.repeat(20)) == many


@given(st.lists(st.integers(1, 12), max_size=6))
def test_a_sum_of_dice_is_that_of_each(sides: list[int]) -> None:
    summed = Distribution.constant(0)
    for count in sides:
        summed = summed.combine(Distribution.die(count), lambda a, b: a + b)
    assert Distribution.sum_of(sides) == summed


def test_a_thousand_dice_are_summed_exactly() -> None:
    found = Distribution.sum_of([6] * 1_000)
    assert found.total == 6**1_000
    assert (found.minimum, found.maximum, found.median) == (1_000, 6_000, 3_500)
    assert found.mean == 3_500
    assert found.variance == Fraction(1_000 * 35, 12)


@given(ANY, st.fractions(-4, 4, max_denominator=4))
def test_values_are_moved_turned_and_stretched(one: Distribution, by: Fraction) -> None:
    assert dict(one.shift(by).pairs()) == gathered((value + by, p) for value, p in one.pairs())
    assert dict(one.scale(by).pairs()) == gathered((value * by, p) for value, p in one.pairs())
    assert dict(one.negate().pairs()) == gathered((-value, p) for value, p in one.pairs())


@given(distributions(WHOLE))
def test_a_function_gathers_what_it_makes_equal(one: Distribution) -> None:
    squares = one.map(lambda value: value * value)
    assert dict(squares.pairs()) == gathered((value * value, p) for value, p in one.pairs())


@given(distributions(WHOLE, most=4), st.integers(1, 4))
def test_the_highest_and_lowest_of_some_are_those_of_every_fall(one: Distribution, count: int) -> None:
    falls = list(product(one.pairs(), repeat=count))
    for found, choose in ((one.highest(count), max), (one.lowest(count), min)):
        expected: Chances = {}
        for fall in falls:
            chance = Fraction(1)
            for _, part in fall:
                chance *= part
            value = choose(value for value, _ in fall)
            expected[value] = expected.get(value, Fraction(0)) + chance
        assert dict(found.pairs()) == expected


@given(st.lists(st.tuples(st.fractions(0, 3, max_denominator=7), ANY), min_size=1, max_size=4))
def test_a_mixture_gives_each_its_share(parts: list[tuple[Fraction, Distribution]]) -> None:
    whole = sum(share for share, _ in parts)
    if not whole:
        with pytest.raises(ValueError, match="at least one"):
            Distribution.mix(parts)
        return
    expected = gathered((value, p * share / whole) for share, one in parts for value, p in one.pairs())
    assert dict(Distribution.mix(parts).pairs()) == {value: p for value, p in expected.items() if p}


@given(ANY, st.one_of(WHOLE, PARTS))
def test_what_is_at_least_at_most_and_in_between_adds_up(one: Distribution, value: Value) -> None:
    below = sum(p for found, p in one.pairs() if found < value)
    assert one.at_least(value) == 1 - below
    assert one.at_most(value) == below + one.probability(value)
    assert one.percentile(value) == below + one.probability(value) / 2


@given(ANY, st.fractions(0, 1, max_denominator=200))
def test_a_quantile_is_the_smallest_value_that_holds_so_much(one: Distribution, p: Fraction) -> None:
    found = one.quantile(p)
    assert one.at_most(found) >= p
    assert found == one.minimum or one.at_least(found) > 1 - p
    assert one.median == one.quantile(Fraction(1, 2))


@pytest.mark.parametrize(
    ("p", "value"),
    [(0, 1), (Fraction(1, 6), 1), (Fraction(1, 6) + Fraction(1, 10**9), 2), (Fraction(19, 20), 6), (1, 6)],
)
def test_a_quantile_between_two_values_is_the_greater(p: Fraction | int, value: int) -> None:
    assert Distribution.die(6).quantile(p) == value


@given(ANY, ANY)
def test_of_two_one_is_more_or_both_are_equal(first: Distribution, second: Distribution) -> None:
    assert first.beats(second) == sum(p for a, b, p in of_both(first, second) if a > b)
    assert first.beats(second) + second.beats(first) + first.ties(second) == 1


@given(ANY)
def test_moments_and_modes_are_those_of_the_definition(one: Distribution) -> None:
    mean = sum(value * p for value, p in one.pairs())
    variance = sum((value - mean) ** 2 * p for value, p in one.pairs())
    assert (one.mean, one.variance) == (mean, variance)
    assert isclose(one.deviation, sqrt(variance), rel_tol=1e-12)
    most = max(p for _, p in one.pairs())
    assert one.modes == tuple(value for value, p in one.pairs() if p == most)
    assert sum(p for _, p in one.pairs()) == 1
    assert one.cumulative()[-1] == one.total


def test_a_deviation_of_numbers_whose_squares_no_float_holds_is_found() -> None:
    assert Distribution.from_weights({-(10**200): 1, 10**200: 1}).deviation == 1e200
    assert isclose(Distribution.faces([0, Fraction(2, 10**200)]).deviation, 1e-200)


@given(ANY, st.integers(1, 9))
def test_equal_chances_are_equal_whatever_their_terms(one: Distribution, factor: int) -> None:
    same = Distribution(one.values, tuple(weight * factor for weight in one.weights))
    assert same == one
    assert hash(same) == hash(one)
    assert same.reduced().weights == one.reduced().weights
    assert one != one.shift(1)


def test_a_value_on_several_faces_is_likelier() -> None:
    assert Distribution.faces([1, 1, 2]) == Distribution.from_weights({1: 2, 2: 1})


def test_whole_values_are_ints_however_they_came_about() -> None:
    halves = Distribution.die(4).scale(Fraction(1, 2))
    assert [type(value) for value in halves.values] == [Fraction, int, Fraction, int]
    assert halves.add(halves).values == (1, Fraction(3, 2), 2, Fraction(5, 2), 3, Fraction(7, 2), 4)
    assert type(halves.add(halves).minimum) is int


@pytest.mark.parametrize(
    ("values", "weights"),
    [((), ()), ((1,), (1, 1)), ((2, 1), (1, 1)), ((1, 1), (1, 1)), ((1, 2), (1, 0)), ((1,), (-1,))],
)
def test_what_is_no_distribution_is_refused(values: tuple[int, ...], weights: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="distribution"):
        Distribution(values, weights)


def test_what_cannot_be_is_refused() -> None:
    die = Distribution.die(6)
    for refused in (
        lambda: Distribution.die(0),
        lambda: Distribution.sum_of([6, 0]),
        lambda: Distribution.from_weights({1: -1, 2: 2}),
        lambda: Distribution.from_weights({1: 0}),
        lambda: die.repeat(-1),
        lambda: die.highest(0),
        lambda: die.lowest(0),
        lambda: die.quantile(Fraction(11, 10)),
        lambda: die.quantile(-1),
    ):
        with pytest.raises(ValueError):
            refused()
