"""Closed forms: the odds of the usual rolls are those of going through every fall of the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import isclose

import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice import odds
from services.rules.dice.distribution import Distribution

FEW = st.integers(0, 4)
SIDES = st.integers(1, 5)


def falls(count: int, sides: int) -> Iterator[tuple[int, ...]]:
    """Give every fall of equal dice."""
    return product(range(1, sides + 1), repeat=count)


@given(FEW, SIDES, st.integers(0, 5))
def test_kept_dice_are_those_of_every_fall(count: int, sides: int, kept: int) -> None:
    for found, highest in ((odds.keep_highest, True), (odds.keep_lowest, False)):
        expected = Counter(sum(sorted(fall, reverse=highest)[:kept]) for fall in falls(count, sides))
        assert found(count, sides, kept) == Distribution.from_weights(expected)


@pytest.mark.parametrize(("count", "sides", "kept"), [(12, 6, 5), (20, 10, 1), (6, 20, 4)])
def test_many_kept_dice_are_as_icepool_has_them(count: int, sides: int, kept: int) -> None:
    theirs = icepool.d(sides).pool(count).highest(kept).sum()
    assert odds.keep_highest(count, sides, kept) == Distribution.from_weights(dict(theirs.items()))


@given(FEW, SIDES, st.data())
def test_successes_are_those_of_every_fall(count: int, sides: int, data: st.DataObject) -> None:
    faces = data.draw(st.integers(0, sides))
    expected = Counter(sum(face <= faces for face in fall) for fall in falls(count, sides))
    found = odds.successes(count, sides, faces)
    assert found == Distribution.from_weights(expected)
    for needed in range(-1, count + 2):
        reached = sum(ways for number, ways in expected.items() if number >= needed)
        assert odds.at_least_successes(count, sides, faces, needed) == Fraction(reached, sides**count)


def test_net_successes_fall_below_zero_where_theirs_are_more() -> None:
    found = odds.net_successes(1, 2)
    assert (found.minimum, found.maximum) == (-2, 1)
    assert found.probability(1) == Fraction(1, 3) * Fraction(4, 9)
    assert found.mean == Fraction(-1, 3)


@given(FEW, SIDES, st.data())
def test_a_fixed_pool_is_that_of_every_fall(count: int, sides: int, data: st.DataObject) -> None:
    difficulty = data.draw(st.integers(1, sides))
    expected: Counter[tuple[int, bool]] = Counter()
    for fall in falls(count, sides):
        hits = sum(face >= difficulty for face in fall)
        expected[hits, count > 0 and hits == 0 and 2 * fall.count(1) >= count] += 1
    pool = odds.fixed_pool(count, difficulty, sides)
    assert pool.pairs() == {key: Fraction(ways, sides**count) for key, ways in expected.items()}


@given(st.integers(0, 4), st.integers(0, 3), st.integers(1, 4), st.booleans())
def test_an_opposed_pool_is_that_of_every_fall(action: int, defence: int, sides: int, strict: bool) -> None:
    expected: Counter[tuple[int, bool]] = Counter()
    for ours, theirs in product(falls(action, sides), falls(defence, sides)):
        highest = max(theirs, default=0)
        hits = sum(face > highest or (face == highest and not strict) for face in ours)
        expected[hits, action > 0 and hits == 0 and 2 * ours.count(1) >= action] += 1
    pool = odds.opposed_pool(action, defence, sides, strict=strict)
    whole = sides ** (action + defence)
    assert pool.pairs() == {key: Fraction(ways, whole) for key, ways in expected.items()}
    assert pool.total == whole
    assert pool.critical_chance == Fraction(sum(ways for (_, bad), ways in expected.items() if bad), whole)
    assert pool.at_least(1) == 1 - pool.successes.probability(0)


def test_ones_that_succeed_are_no_critical_failure() -> None:
    assert odds.fixed_pool(3, 1).critical_chance == 0
    assert odds.opposed_pool(3, 0).critical_chance == 0


def test_critical_failures_of_many_dice_are_as_icepool_has_them() -> None:
    class Critical(icepool.MultisetEvaluator):  # type: ignore[misc]
        """Whether no die reaches the highest of the defence, and at least half of them show 1."""

        def next_state(self, state, order, face, action, defence):  # type: ignore[no-untyped-def]
            """Keep the ones, the dice seen, and whether a die of the action is at the top."""
            ones, dice, _, top, ours = state or (0, 0, 0, 0, 0)
            ones += action if face == 1 else 0
            top = face if defence else top
            ours = face if action else ours
            return ones, dice + action, 0, top, ours

        def initial_state(self, order, outcomes, *sizes):  # type: ignore[no-untyped-def]
            """Go through the faces from the lowest."""
            if order != icepool.Order.Ascending:
                raise icepool.UnsupportedOrder
            return 0, 0, 0, 0, 0

        def final_outcome(self, state, order, outcomes, *sizes):  # type: ignore[no-untyped-def]
            """Tell whether it is one."""
            ones, dice, _, top, ours = state
            return ours < top and 2 * ones >= dice

    for action, defence in ((5, 5), (10, 5)):
        theirs = Critical().evaluate(icepool.d10.pool(action), icepool.d10.pool(defence))
        assert odds.opposed_pool(action, defence).critical_chance == theirs.probability(True)


@given(st.integers(1, 2), st.integers(2, 6), st.booleans(), st.data())
def test_a_die_that_explodes_once_is_exact(
    count: int, sides: int, penetrating: bool, data: st.DataObject
) -> None:
    exploding = data.draw(st.sets(st.integers(1, sides)))
    found = odds.exploding_sum(count, sides, exploding, penetrating=penetrating, once=True)
    expected: Counter[int] = Counter()
    for first, further in product(falls(count, sides), falls(count, sides)):
        more = (die - penetrating for face, die in zip(first, further, strict=True) if face in exploding)
        expected[sum(first) + sum(more)] += 1
    assert found.error == 0
    assert found.distribution == Distribution.from_weights(expected)


def test_exploding_dice_are_as_icepool_has_them_to_the_same_depth() -> None:
    error = Fraction(1, 6**4)
    found = odds.exploding_sum(1, 6, error=error)
    theirs = icepool.d6.explode(depth=3)
    assert found.error == error
    assert found.distribution == Distribution.from_weights(dict(theirs.items()))
    both = odds.exploding_sum(2, 6, {5, 6}, error=Fraction(1, 10))
    assert both.distribution.probability(2) == Fraction(1, 36)


@given(st.integers(1, 3), st.integers(2, 6), st.booleans(), st.data())
def test_no_chance_is_further_off_than_the_error_says(
    count: int, sides: int, penetrating: bool, data: st.DataObject
) -> None:
    exploding = data.draw(st.sets(st.integers(1, sides), max_size=sides - 1))
    rough = odds.exploding_sum(count, sides, exploding, penetrating=penetrating, error=Fraction(1, 20))
    fine = odds.exploding_sum(count, sides, exploding, penetrating=penetrating, error=Fraction(1, 10**4))
    assert rough.error <= Fraction(1, 20)
    assert fine.error <= Fraction(1, 10**4)
    for value in fine.distribution.values:
        off = abs(rough.distribution.at_most(value) - fine.distribution.at_most(value))
        assert off <= rough.error + fine.error


def test_an_exploding_die_has_the_mean_that_is_known() -> None:
    found = odds.exploding_sum(1, 6)
    assert found.error <= odds.PRECISION
    assert isclose(float(found.distribution.mean), 4.2, rel_tol=1e-9)
    # Each further die counts 1 less: 3.5 + (1/6) m where m = 2.5 + m/6.
    penetrating = odds.exploding_sum(1, 6, penetrating=True)
    assert isclose(float(penetrating.distribution.mean), 4.0, rel_tol=1e-9)


@pytest.mark.parametrize(
    ("ours", "power", "chance"),
    [
        ([4], 1, Fraction(5, 24)),
        ([12], 1, Fraction(13, 24)),
        ([10, 10, 10], 2, Fraction(683, 960)),
        ([8, 8, 8], 3, Fraction(8377, 36864)),
        ([], 1, Fraction(0)),
        ([], 0, Fraction(1)),
    ],
)
def test_a_sum_that_ties_reaches_the_other(ours: list[int], power: int, chance: Fraction) -> None:
    assert odds.sum_against(ours, [12] * power) == chance


def test_what_cannot_be_is_refused() -> None:
    for refused in (
        lambda: odds.keep_highest(-1, 6, 1),
        lambda: odds.keep_highest(1, 0, 1),
        lambda: odds.keep_lowest(1, 6, -1),
        lambda: odds.successes(1, 6, 7),
        lambda: odds.fixed_pool(1, 11),
        lambda: odds.fixed_pool(1, 0),
        lambda: odds.opposed_pool(1, -1),
        lambda: odds.exploding_sum(1, 6, range(1, 7)),
        lambda: odds.exploding_sum(1, 6, {7}),
        lambda: odds.exploding_sum(1, 6, error=Fraction(0)),
    ):
        with pytest.raises(ValueError):
            refused()
