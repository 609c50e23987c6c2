"""Exact odds against every way dice can fall, against icepool, and against values known from elsewhere."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from services.rules.dice.notation import parse
from services.rules.dice.odds.budget import STATES, OddsTooLarge
from services.rules.dice.odds.cost import cost
from services.rules.dice.odds.exact import distribution_of
from services.rules.dice.odds.subdistribution import Subdistribution
from services.rules.dice.pool import (
    Binary,
    Call,
    Compare,
    Comparison,
    Count,
    CountKind,
    Dice,
    DieKind,
    Explode,
    ExplodeKind,
    Expression,
    Face,
    Faces,
    Fate,
    Function,
    Group,
    Labelled,
    Negative,
    Net,
    Node,
    Number,
    Operator,
    Reroll,
    RerollKind,
    Select,
    SelectKind,
    Sides,
    TargetCheck,
    Value,
    Versus,
)
from services.rules.dice.roll import plan
from tests.at_length import part_or_whole
from tests.rules.dice.odds.brute_force import Refused, every_way, play

TINY = Fraction(1, 10**12)


def odds_of(text: str, *, rough: bool = False) -> Subdistribution:
    return distribution_of(parse(text).node, {}, rough=rough)


def chances(known: Subdistribution) -> dict[Value, Fraction]:
    """Chances of the rolls that come to something, as if what was not followed were not there."""
    assert known.chances is not None
    return dict(known.chances.pairs())


# Against every way the dice can fall


def points(low: int = 0, high: int = 6) -> st.SearchStrategy[Compare]:
    return st.builds(Compare, st.sampled_from(Comparison), st.integers(low, high))


def selections() -> st.SearchStrategy[Select]:
    by_rank = [kind for kind in SelectKind if kind not in (SelectKind.KEEP_WHERE, SelectKind.DROP_WHERE)]
    where = st.sampled_from((SelectKind.KEEP_WHERE, SelectKind.DROP_WHERE))
    return st.builds(Select, st.sampled_from(by_rank), st.integers(0, 3)) | st.builds(
        Select, where, st.just(0), points()
    )


def countings() -> st.SearchStrategy[Count]:
    pointless = (CountKind.EVEN, CountKind.ODD)
    pointed = st.sampled_from([kind for kind in CountKind if kind not in pointless])
    return st.builds(Count, st.sampled_from(pointless)) | st.builds(Count, pointed, points())


KINDS: st.SearchStrategy[DieKind] = st.one_of(
    st.builds(Sides, st.integers(1, 6)),
    st.just(Fate()),
    st.lists(st.integers(-2, 4), min_size=1, max_size=4).map(
        lambda values: Faces(tuple(Face(str(value), value) for value in values))
    ),
)
EXPLOSIONS = st.builds(
    Explode,
    st.sampled_from(ExplodeKind),
    st.builds(
        Compare,
        st.sampled_from((Comparison.EQUAL, Comparison.AT_LEAST, Comparison.NOT_EQUAL)),
        st.integers(1, 6),
    ),
)
DICE = st.builds(
    Dice,
    st.integers(0, 3),
    KINDS,
    st.none()
    | st.builds(Reroll, st.sampled_from(RerollKind), st.lists(points(), min_size=1, max_size=2).map(tuple)),
    st.sampled_from((False, False, False, True)),
    st.none() | st.integers(-1, 3),
    st.none() | st.integers(3, 5),
    st.none() | EXPLOSIONS,
    st.lists(selections(), max_size=3).map(tuple),
    st.lists(countings(), max_size=2).map(tuple),
)
UNCOUNTED = DICE.map(lambda dice: Dice(*[getattr(dice, name) for name in Dice.__slots__[:8]]))
SIDES_OF_A_CONTEST = UNCOUNTED | st.builds(Binary, st.just(Operator.ADD), UNCOUNTED, UNCOUNTED)


SIGNED_NUMBERS: st.SearchStrategy[Node] = st.recursive(
    st.builds(Number, st.integers(0, 4)),
    lambda inner: st.builds(Negative, inner) | st.builds(Binary, st.sampled_from(Operator), inner, inner),
    max_leaves=3,
)
MODIFIED = st.builds(
    Binary, st.sampled_from((Operator.ADD, Operator.SUBTRACT)), SIDES_OF_A_CONTEST, SIGNED_NUMBERS
) | st.builds(Binary, st.just(Operator.ADD), SIGNED_NUMBERS, SIDES_OF_A_CONTEST)


def compound(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    rolled: st.SearchStrategy[Node] = st.builds(
        lambda count, sides, select: Dice(count, Sides(sides), select=select),
        inner,
        st.integers(1, 4) | inner,
        st.lists(selections(), max_size=1).map(tuple),
    )
    return st.one_of(
        st.builds(Binary, st.sampled_from(Operator), inner, inner | st.builds(Number, st.integers(0, 3))),
        st.builds(Negative, inner),
        st.builds(Labelled, inner, st.just("fire")),
        st.builds(
            Call,
            st.sampled_from((Function.MINIMUM, Function.MAXIMUM)),
            st.lists(inner, min_size=1, max_size=3).map(tuple),
        ),
        st.builds(
            Call,
            st.sampled_from((Function.FLOOR, Function.CEIL, Function.ROUND, Function.ABSOLUTE)),
            inner.map(lambda node: (node,)),
        ),
        st.builds(
            Group,
            st.lists(inner, min_size=1, max_size=3).map(tuple)
            | (SIDES_OF_A_CONTEST | MODIFIED).map(lambda node: (node,)),
            st.lists(selections(), max_size=2).map(tuple),
            st.lists(countings(), max_size=1).map(tuple),
        ),
        st.builds(TargetCheck, inner, st.sampled_from(Comparison), inner),
        st.builds(TargetCheck, inner, st.sampled_from(Comparison), st.builds(Number, st.integers(0, 9))),
        st.builds(Versus, SIDES_OF_A_CONTEST, SIDES_OF_A_CONTEST),
        st.builds(Net, SIDES_OF_A_CONTEST, SIDES_OF_A_CONTEST),
        rolled,
    )


NODES: st.SearchStrategy[Node] = st.recursive(DICE, compound, max_leaves=3)


@settings(
    max_examples=part_or_whole(50, 150),
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(NODES)
def test_odds_are_those_of_every_way_the_dice_can_fall(node: Node) -> None:
    try:
        cost(node, {}, limit=STATES // 10)
    except OddsTooLarge:
        assume(False)
    ways = every_way(node, least=Fraction(1, 20_000), most=4_000)
    assume(ways is not None)
    assert ways is not None
    found = distribution_of(node, {})
    # What `every_way` cut off may be anywhere, and what was not followed too.
    slack = ways.cut + Fraction(found.missing, found.whole)
    ours = {value: Fraction(weight, found.whole) for value, weight in found.pairs()}
    for value in {*ours, *ways.chances}:
        assert abs(ours.get(value, 0) - ways.chances.get(value, 0)) <= slack
    assert abs(found.failure - ways.refused) <= slack
    assert 0 <= found.missing * TINY.denominator <= found.whole
    assert found.followed + found.failing + found.missing == found.whole


class Drawn:
    """Faces for the evaluator of live rolls and for the one of the tests, the same for both."""

    def __init__(self, faces: list[int]) -> None:
        self.faces = faces
        self.drawn = 0

    def draw(self, sides: int) -> int:
        face = self.faces[self.drawn % len(self.faces)] % sides + 1
        self.drawn += 1
        if self.drawn > 400:
            raise Refused
        return face

    def draw_many(self, sides: int, count: int) -> list[int]:
        return [self.draw(sides) for _ in range(count)]


@settings(max_examples=part_or_whole(100, 300))
@given(NODES, st.lists(st.integers(0, 59), min_size=1, max_size=30))
def test_a_live_roll_comes_to_what_every_way_says(node: Node, faces: list[int]) -> None:
    ours, theirs = Drawn(faces), Drawn(faces)
    try:
        expected = play(node, lambda sides: ours.draw(sides) - 1)
    except Refused:
        assume(False)
    result = plan(Expression(node), {}).roll(theirs)
    assert (result.value, theirs.drawn) == (expected, ours.drawn)


# Against icepool


def as_chances(die: Any) -> dict[Value, Fraction]:
    return {value: Fraction(die.quantity(value), die.denominator()) for value in die.outcomes()}


@pytest.mark.parametrize(
    ("text", "die"),
    [
        ("10d12", lambda: 10 @ icepool.d12),
        ("4d6kh3", lambda: icepool.d6.highest(4, 3)),
        ("20d20kl7", lambda: icepool.d20.lowest(20, 7)),
        ("30d6kh10", lambda: icepool.d6.pool(30).highest(10).sum()),
        ("8d8dh2dl3", icepool.d8.pool(8)[3:-2].sum),
        (
            "{3d6 + 2d8 + 2d12}kh3",
            lambda: icepool.Pool({icepool.d6: 3, icepool.d8: 2, icepool.d12: 2}).highest(3).sum(),
        ),
        (
            "{2d6, 3d4, 1d12}kh2",
            lambda: icepool.Pool([2 @ icepool.d6, 3 @ icepool.d4, icepool.d12]).highest(2).sum(),
        ),
        ("7d20u", lambda: icepool.Deck(range(1, 21)).deal(7).sum()),
        ("7d20ukh2", lambda: icepool.Deck(range(1, 21)).deal(7).highest(2).sum()),
        ("12d10>=8", lambda: 12 @ (icepool.d10 >= 8)),
        ("6d6r1kh3", lambda: icepool.d6.reroll({1}, depth="inf").highest(6, 3)),
        ("6d6ro<3", lambda: 6 @ icepool.d6.reroll({1, 2}, depth=1)),
        ("3d6!o", lambda: 3 @ icepool.d6.explode({6}, depth=1)),
        ("(2d4)d6", lambda: (2 @ icepool.d4) @ icepool.d6),
        ("1d(1d8)", lambda: icepool.d8.map(icepool.d, star=False)),
        ("1d8 * 1d6 - 3", lambda: icepool.d8 * icepool.d6 - 3),
        ("max(2d6, 1d12)", lambda: icepool.highest(2 @ icepool.d6, icepool.d12)),
        ("4dF", lambda: 4 @ icepool.Die([-1, 0, 1])),
        ("5d6 net 3d6", lambda: 5 @ (icepool.d6 >= 5) - 3 @ (icepool.d6 >= 5)),
    ],
)
def test_icepool_finds_the_same(text: str, die: Any) -> None:
    found = odds_of(text)
    assert found.whole == found.followed
    assert chances(found) == as_chances(die())


class Reaching(icepool.MultisetEvaluator):  # type: ignore[misc]
    """Dice of the first pool that are at least as high as the highest of the second."""

    def initial_state(self, order: Any, _outcomes: Any, *_sizes: Any) -> tuple[int, bool]:
        if order is not icepool.Order.Descending:
            raise icepool.UnsupportedOrder
        return 0, False

    def next_state(self, state: Any, _order: Any, _outcome: Any, action: int, defence: int) -> Any:
        reached, met = state
        return (reached if met else reached + action), met or defence > 0

    def final_outcome(self, state: Any, _order: Any, _outcomes: Any, *_sizes: Any) -> int:
        return int(state[0])


@pytest.mark.parametrize(("action", "defence"), [(1, 1), (4, 2), (10, 5), (3, 12)])
def test_icepool_finds_the_same_for_opposed_dice(action: int, defence: int) -> None:
    expected = Reaching()(icepool.d10.pool(action), icepool.d10.pool(defence))
    assert chances(odds_of(f"{action}d10 vs {defence}d10")) == as_chances(expected)


def test_icepool_finds_the_same_for_opposed_dice_of_different_kinds() -> None:
    mixed = icepool.Pool([icepool.d6, icepool.d6, icepool.d12])
    expected = Reaching()(mixed, icepool.Pool([icepool.d8, icepool.d4]))
    assert chances(odds_of("(2d6 + 1d12) vs (1d8 + 1d4)")) == as_chances(expected)


# Against values known from elsewhere


@pytest.mark.parametrize(
    ("difficulty", "chance"), [(7, "0.922240"), (8, "0.831930"), (9, "0.672320"), (10, "0.409510")]
)
def test_at_least_one_success_of_five_d10(difficulty: int, chance: str) -> None:
    found = odds_of(f"5d10>={difficulty}").chances
    assert found is not None
    assert found.at_least(1) == Fraction(chance)


@pytest.mark.parametrize(
    ("action", "defence", "chance"),
    [
        (1, 1, "0.55"),
        (2, 1, "0.715"),
        (3, 1, "0.7975"),
        (5, 3, "0.727027"),
        (4, 4, "0.613092"),
        (10, 5, "0.823891"),
    ],
)
def test_at_least_one_die_reaches_the_defence(action: int, defence: int, chance: str) -> None:
    found = odds_of(f"{action}d10 vs {defence}d10").chances
    assert found is not None
    assert round(found.at_least(1), len(chance) - 2) == Fraction(chance)


def test_nothing_defends_against_no_dice() -> None:
    assert chances(odds_of("3d6 vs 0d6")) == {3: Fraction(1)}


def test_a_d8_and_a_d6_reach_seven_in_eleven_of_sixteen() -> None:
    found = odds_of("1d8 + 1d6").chances
    assert found is not None
    assert found.at_least(7) == Fraction(11, 16)


# What is not exact


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        # One die comes to m = 3.5 + m/6.
        ("1d6!", Fraction(21, 5)),
        ("10d6!", Fraction(42)),
        ("100d6!!", Fraction(420)),
        # Further dice count one less: m = 3.5 + (m - 1)/6.
        ("1d6!p", Fraction(4)),
        ("12d10!>=9>=8", Fraction(12 * 3, 8)),
        ("4d20!>=11", Fraction(84)),
    ],
)
def test_explosions_are_followed_until_next_to_nothing_is_left(text: str, mean: Fraction) -> None:
    found = odds_of(text)
    assert found.chances is not None
    assert 0 < found.error < TINY
    assert abs(found.chances.mean - mean) < Fraction(1, 10**10)


@pytest.mark.parametrize("text", ["1d6!", "3d4!>=3", "2d8!p"])
def test_the_error_bounds_what_longer_chains_change(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.rules.dice.odds.single_die.TAIL", 6)
    rough = odds_of(text)
    monkeypatch.setattr("services.rules.dice.odds.single_die.TAIL", 90)
    fine = odds_of(text)
    assert rough.error > 100 * fine.error
    roughly, finely = chances(rough), chances(fine)
    # Any set of values, as the one of all that are likelier in one of the two, differs by the error at most.
    more = sum(
        (max(Fraction(0), finely[value] - roughly.get(value, Fraction(0))) for value in finely), Fraction(0)
    )
    assert 0 < more <= rough.error + fine.error


def test_the_best_of_exploding_dice_are_kept_among_all_of_them() -> None:
    best, sum_of_best = odds_of("2d6!kh1"), odds_of("2d6!kh2")
    assert chances(best).keys() == set(range(1, 7))
    # Two dice, of which one explodes at least, show a six: 11/36; with a second six among the further ones.
    assert abs(chances(best)[6] - Fraction(11, 36)) < TINY
    assert max(chances(sum_of_best)) == 12


@pytest.mark.parametrize("text", ["300d6 + 300d20", "100d6", "40d[1,1,2,5]", "20d6>=5 + 3"])
def test_rounded_odds_are_those_that_are_exact_within_their_error(text: str) -> None:
    exact, rough = odds_of(text), odds_of(text, rough=True)
    assert exact.error == 0 < rough.error < TINY
    roughly = chances(rough)
    for value, chance in chances(exact).items():
        assert abs(chance - roughly.get(value, Fraction(0))) <= rough.error


def test_a_roll_that_may_be_refused_tells_how_often() -> None:
    found = odds_of("6 / (1d6 - 1)")
    assert found.failure == Fraction(1, 6)
    assert chances(found) == {
        6: Fraction(1, 5),
        3: Fraction(1, 5),
        2: Fraction(1, 5),
        Fraction(3, 2): Fraction(1, 5),
        Fraction(6, 5): Fraction(1, 5),
    }


def test_what_is_refused_however_the_dice_fall_has_no_chances() -> None:
    node = Dice(2, Sides(3), reroll=Reroll(RerollKind.UNTIL, (Compare(Comparison.AT_LEAST, 1),)))
    assert distribution_of(node, {}).chances is None
    assert distribution_of(node, {}).failure == 1


# How much it takes


@pytest.mark.parametrize(
    "text",
    [
        "1000d20kh500!",
        "1000d1000",
        "100d100!kh50 + 100d100!kl50",
        "{" + ", ".join(f"{n}d{n + 5}" for n in range(1, 25)) + "}kh12",
        "(1d900)d(1d900)",
        "(99d100 / (1d100 + 1)) / (99d100 / (1d99 + 1)) / (1d98 + 2)",
        "100d10 kw!=3 kl50 kw!=4 kh20 kw!=5 kl9",
        "500d1000u",
        "1d1000000",
    ],
)
def test_what_is_too_much_is_told_of_before_anything_is_reckoned(text: str) -> None:
    node = parse(text).node
    for rough in (False, True):
        with pytest.raises(OddsTooLarge) as caught:
            cost(node, {}, rough=rough)
        assert caught.value.cost > caught.value.limit == STATES


@pytest.mark.parametrize(
    "text",
    [
        "4d6kh3",
        "1d20+7",
        "10d10 vs 5d10",
        "10d6!kh3",
        "100d6kh50",
        "1000d6",
        "{1d6, 1d8, 1d10, 1d12}kh2",
        "50d20!p",
    ],
)
def test_what_tables_roll_is_not_too_much(text: str) -> None:
    assert 0 < cost(parse(text).node, {}) < STATES


def test_what_is_too_long_to_be_exact_can_be_rounded() -> None:
    node = parse("300d6 + 300d20 + 300d12").node
    with pytest.raises(OddsTooLarge):
        cost(node, {})
    assert cost(node, {}, rough=True) < STATES


def test_more_dice_never_cost_less() -> None:
    texts = [f"{count}d12kh{count // 2}" for count in (4, 8, 16, 32, 64)]
    found = [cost(parse(text).node, {}) for text in texts]
    assert found == sorted(found)
