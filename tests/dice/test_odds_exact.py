"""Exact odds against every way dice can fall, against icepool, and against values known from elsewhere."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from services.dice.odds.cost import cost
from services.dice.odds.exact import reckon
from services.dice.odds.reckoned import Reckoned
from services.dice.odds.sizes import STATES, OddsTooLarge
from services.rules.dice.notation import parse
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
    Value,
    Versus,
)
from tests.dice.brute_force import Refused, every_way

TINY = Fraction(1, 10**12)


def odds_of(text: str, *, rough: bool = False) -> Reckoned:
    return reckon(parse(text).node, {}, rough=rough)


def chances(reckoned: Reckoned) -> dict[Value, Fraction]:
    """Chances of the rolls that come to something, as if what was not followed were not there."""
    assert reckoned.chances is not None
    return dict(reckoned.chances.pairs())


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
            st.lists(inner, min_size=1, max_size=3).map(tuple) | SIDES_OF_A_CONTEST.map(lambda node: (node,)),
            st.lists(selections(), max_size=2).map(tuple),
            st.lists(countings(), max_size=1).map(tuple),
        ),
        st.builds(Versus, SIDES_OF_A_CONTEST, SIDES_OF_A_CONTEST),
        st.builds(Net, SIDES_OF_A_CONTEST, SIDES_OF_A_CONTEST),
        rolled,
    )


NODES: st.SearchStrategy[Node] = st.recursive(DICE, compound, max_leaves=3)


@settings(
    max_examples=250,
    deadline=None,
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
    found = reckon(node, {})
    # What `every_way` cut off may be anywhere, and what was not followed too.
    slack = ways.cut + Fraction(found.missing, found.whole)
    ours = {value: Fraction(weight, found.whole) for value, weight in found.pairs()}
    for value in {*ours, *ways.chances}:
        assert abs(ours.get(value, 0) - ways.chances.get(value, 0)) <= slack
    assert abs(found.failure - ways.refused) <= slack
    assert 0 <= found.missing * TINY.denominator <= found.whole
    assert found.followed + found.failing + found.missing == found.whole


class _Drawn:
    """The faces that the evaluator of live rolls draws, given to the one of the tests."""

    def __init__(self, faces: list[int]) -> None:
        self.faces = faces
        self.given: list[int] = []

    def draw(self, sides: int) -> int:
        face = self.faces[len(self.given) % len(self.faces)] % sides + 1
        self.given.append(face)
        if len(self.given) > 2_000:
            raise Refused
        return face

    def draw_many(self, sides: int, count: int) -> list[int]:
        return [self.draw(sides) for _ in range(count)]
