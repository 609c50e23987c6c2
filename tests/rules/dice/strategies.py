"""Expressions by chance, for properties that hold for all of them.

Everything made here is within the limits, can be rolled, and is what `parse` gives for its own rendering when
it reads with `WORDS`.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from services.rules.dice.faces import extent
from services.rules.dice.notation import Lexicon, NotationError, check
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
    Sort,
    TargetCheck,
    Variable,
    Versus,
)

OWN = {
    "boon": (Face("boon", 1), Face("blank", 0), Face("bane", -1)),
    "fear": (Face("1", 1), Face("1", 1), Face("2", 2), Face("dread", 7)),
}
WORDS = Lexicon(dice=OWN)
"""What the named dice mean that appear in expressions made here."""

_WHERE = (SelectKind.KEEP_WHERE, SelectKind.DROP_WHERE)
_OF_MANY = (Function.MINIMUM, Function.MAXIMUM)
_OF_ONE = tuple(function for function in Function if function not in _OF_MANY)
_PARITY = (CountKind.EVEN, CountKind.ODD)

labels = st.text(
    st.characters(categories=("L", "N", "S"), include_characters=" '-", exclude_characters="[]"), min_size=1
).filter(lambda label: label.strip() == label and label.isprintable())
words = labels.filter(lambda label: " " not in label)
comments = st.just("") | st.lists(words, max_size=4).map(" ".join)
face_labels = labels.filter(lambda label: not set(label) & set(",:") and len(label) < 20)
comparisons = st.sampled_from(Comparison)


@st.composite
def numbers(draw: st.DrawFn) -> Number:
    """Plain numbers: mostly small, some with decimal places."""
    value = draw(st.integers(0, 20) | st.integers(0, 1_000))
    places = draw(st.sampled_from((0, 0, 0, 1, 2, 6)))
    shifted = Fraction(value, 10**places)
    return Number(shifted.numerator if shifted.denominator == 1 else shifted)


@st.composite
def kinds(draw: st.DrawFn, sides: int = 20) -> DieKind:
    """Kinds of dice whose number of sides is known."""
    which = draw(st.sampled_from(("sides", "sides", "sides", "fate", "own", "faces")))
    if which == "sides":
        return Sides(draw(st.integers(1, sides)))
    if which == "fate":
        return Fate()
    if which == "own":
        name = draw(st.sampled_from(sorted(OWN)))
        return Faces(OWN[name], name)
    return Faces(tuple(draw(st.lists(_faces(), min_size=1, max_size=6))))


@st.composite
def _faces(draw: st.DrawFn) -> Face:
    value = draw(st.integers(-9, 20))
    written = draw(st.just(str(value)) | face_labels)
    return Face(written, value)


@st.composite
def points(draw: st.DrawFn, low: int = 0, high: int = 20) -> Compare:
    """Compare points around the values of a die."""
    return Compare(draw(comparisons), draw(st.integers(low - 1, high + 1)))


def open_points() -> st.SearchStrategy[Compare]:
    """Compare points against a variable, or against a sum with one in it."""
    variable = st.builds(Variable, st.sampled_from(("muscle", "luck.max", "_x1")))
    numbers_too = st.builds(Binary, st.sampled_from((Operator.ADD, Operator.SUBTRACT)), variable, numbers())
    return st.builds(Compare, comparisons, st.just(1), variable | numbers_too)


def _open_rules() -> st.SearchStrategy[Dice]:
    return st.builds(
        Dice,
        st.integers(1, 6),
        st.integers(2, 20).map(Sides),
        st.none() | st.builds(Reroll, st.sampled_from(RerollKind), st.tuples(open_points())),
        explode=st.none() | st.builds(Explode, st.sampled_from(ExplodeKind), open_points()),
        select=st.just(()) | st.tuples(st.builds(Select, st.sampled_from(_WHERE), st.just(0), open_points())),
        counts=st.just(())
        | st.tuples(
            st.builds(
                Count, st.sampled_from([kind for kind in CountKind if kind not in _PARITY]), open_points()
            )
        ),
    )


@st.composite
def selects(draw: st.DrawFn, most: int = 4, low: int = 0, high: int = 20) -> Select:
    """Selections of up to `most`."""
    kind = draw(st.sampled_from(SelectKind))
    if kind in _WHERE:
        return Select(kind, 0, draw(points(low, high)))
    return Select(kind, draw(st.integers(0, most)))


@st.composite
def counts(draw: st.DrawFn, low: int = 0, high: int = 20) -> Count:
    """Rules of counting."""
    kind = draw(st.sampled_from(CountKind))
    return Count(kind) if kind in _PARITY else Count(kind, draw(points(low, high)))


@st.composite
def _dice(draw: st.DrawFn, most: int, sides: int, inner: st.SearchStrategy[Node] | None) -> Dice:
    kind: DieKind = draw(kinds(sides))
    count: int | Node = draw(st.integers(0, most))
    if inner is not None:
        count = draw(st.just(count) | inner)
        if isinstance(kind, Sides):
            kind = draw(st.just(kind) | st.builds(Sides, inner))
    low, high = extent(kind) or (1, 6)
    plain = draw(st.booleans())
    if plain:
        return Dice(count, kind)
    near = points(low, high)
    rerolls = st.builds(
        Reroll,
        st.sampled_from(RerollKind),
        st.lists(near, min_size=1, max_size=2, unique=True).map(tuple),
    )
    bounds = st.none() | st.integers(low - 1, high + 1)
    return Dice(
        count,
        kind,
        draw(st.none() | rerolls),
        draw(st.sampled_from((False, False, True))),
        draw(bounds),
        draw(bounds),
        draw(st.none() | st.builds(Explode, st.sampled_from(ExplodeKind), near)),
        tuple(draw(st.lists(selects(most, low, high), max_size=2))),
        tuple(draw(st.lists(counts(low, high), max_size=2))),
        draw(st.none() | st.sampled_from(Sort)),
    )


def fits(node: Node) -> bool:
    """Whether something is within the limits and can be rolled."""
    try:
        check(Expression(node))
    except NotationError:
        return False
    return True


def dice_nodes(most: int = 6, sides: int = 20) -> st.SearchStrategy[Dice]:
    """Dice with everything that can be done to them.

    Args:
        most: The most dice of a term, without those that explosions bring.
        sides: The most sides.
    """
    return _dice(most, sides, None).filter(fits)


def _sums_of_dice(dice: st.SearchStrategy[Dice]) -> st.SearchStrategy[Node]:
    def added(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        return st.builds(Labelled, inner, labels) | st.builds(Binary, st.just(Operator.ADD), inner, dice)

    return st.recursive(dice, added, max_leaves=3)


def _opposed() -> st.SearchStrategy[Node]:
    uncounted = _sums_of_dice(dice_nodes().filter(lambda dice: not dice.counts))
    sixes = st.builds(Dice, st.integers(0, 6), st.just(Sides(6)))
    counted = _sums_of_dice(dice_nodes().filter(lambda dice: bool(dice.counts)) | sixes)
    return st.builds(Versus, uncounted, uncounted) | st.builds(Net, counted, counted)


def _larger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    members = st.lists(inner, min_size=1, max_size=3).map(tuple)
    one = st.tuples(st.sampled_from(_OF_ONE), inner)
    many = st.tuples(st.sampled_from(_OF_MANY), members)
    rolled = inner.filter(lambda node: not isinstance(node, Number))
    return st.one_of(
        st.builds(Binary, st.sampled_from(Operator), inner, inner),
        st.builds(Binary, st.sampled_from((Operator.ADD, Operator.SUBTRACT)), inner, inner),
        st.builds(TargetCheck, inner, comparisons, inner),
        st.builds(Negative, inner),
        st.builds(Labelled, inner, labels),
        one.map(lambda parts: Call(parts[0], (parts[1],))),
        many.map(lambda parts: Call(*parts)),
        st.builds(
            Group,
            members,
            st.lists(selects(2), max_size=2).map(tuple),
            st.lists(counts(), max_size=2).map(tuple),
            st.none() | st.sampled_from(Sort),
        ),
        _dice(4, 12, rolled),
    ).filter(fits)


def nodes(*, variables: bool = False) -> st.SearchStrategy[Node]:
    """Nodes of every type but the games' own rolls.

    Args:
        variables: Whether some of the numbers are still open.
    """
    leaves: st.SearchStrategy[Node] = st.one_of(numbers(), dice_nodes(), dice_nodes(), _opposed())
    if variables:
        leaves |= st.builds(Variable, st.sampled_from(("muscle", "luck.max", "_x1"))) | _open_rules()
    return st.recursive(leaves, _larger, max_leaves=6).filter(fits)


def expressions(*, variables: bool = False) -> st.SearchStrategy[Expression]:
    """Expressions; see `nodes`."""
    return st.builds(Expression, nodes(variables=variables), comments)
