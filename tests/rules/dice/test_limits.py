"""How much may be asked for, and what can never be rolled: found before anything is."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from services.rules.dice.bounds import CEILING
from services.rules.dice.faces import meeting
from services.rules.dice.failure import RollError
from services.rules.dice.notation import (
    LIMITS,
    Lexicon,
    Limits,
    NotationError,
    NotationLimitError,
    check,
    measure,
    parse,
    render,
)
from services.rules.dice.pool import (
    Binary,
    Compare,
    Dice,
    DieKind,
    Expression,
    Face,
    Faces,
    Negative,
    Node,
    Number,
    Operator,
    Sides,
)
from services.rules.dice.roll import roll
from tests.rules.dice.strategies import WORDS, dice_nodes, expressions, kinds, points


class Chance:
    """Faces by chance, the same for the same seed, that are counted."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.drawn = 0

    def draw(self, n: int) -> int:
        self.drawn += 1
        return self._random.randint(1, n)

    def draw_many(self, n: int, count: int) -> list[int]:
        return [self.draw(n) for _ in range(count)]


# Limits

TOO_MUCH = [
    ("1" * (LIMITS.text + 1), "text", LIMITS.text),
    ("+".join(["1"] * 101), "nodes", 199),
    ("max(" + ",".join(["1"] * 201) + ")", "nodes", 402),
    (f"{LIMITS.dice + 1}d6", "dice", 0),
    (f"d4 + {LIMITS.dice}d6", "dice", 5),
    ("(1000 + d4)d6", "dice", 0),
    ("d8 + (d500)d(d4) + 100d6 + (d400)d6", "dice", 27),
    (f"d{LIMITS.sides + 1}", "sides", 1),
    (f"2d({LIMITS.sides} * d2)", "sides", 0),
    (f"2d({LIMITS.sides + 1})", "number", 3),
    (f"1 + {LIMITS.number + 1}", "number", 4),
    (f"1 + {LIMITS.number}.5", "number", 4),
    (f"{LIMITS.number + 1}d6", "number", 0),
    ("9" * LIMITS.text, "number", 0),
    ("9" * 450 + ".5", "number", 0),
    ("d6>=" + "9" * 400, "number", 4),
    ("d6kh" + "9" * 400, "number", 4),
    ("d6>=-" + "9" * 400, "number", 4),
    ("d[1,-1000001]", "number", 4),
    ("d[1,a: 1000001]", "number", 7),
    ("(" * 33 + "1" + ")" * 33, "depth", 32),
    ("(" * 500, "depth", 32),
    ("{" * 500, "depth", 32),
    ("abs(" * 125, "depth", 131),
    ("-" * 499 + "1", "depth", 32),
    ("+" * 499 + "1", "depth", 32),
    ("-" * 32 + "1", "depth", 32),
    ("2**" * 160 + "1", "depth", 97),
    ("d(" * 250, "depth", 65),
    ("1" + "[a]" * 160, "depth", 97),
    ("1+2*(" * 20 + "1" + ")" * 20, "depth", 77),
    ("1000d100!>1", "draws", 0),
    ("d4 + 900d100r<97", "draws", 5),
    ("999d999u + d100000r<99999", "draws", 11),
    ("10 ** 10", "magnitude", 3),
    ("1000000 * 1000000", "magnitude", 8),
    ("50d1000000!", "magnitude", 0),
    ("100d1000000!!p", "magnitude", 0),
    ("{50d1000000!, 1}kh1", "magnitude", 1),
    ("1 / (d3 / 1000000 / 1000000 - 1)", "magnitude", 2),
    ("d10 ** d64", "magnitude", 4),
]


@pytest.mark.parametrize(("text", "limit", "position"), TOO_MUCH, ids=[text[:30] for text, _, _ in TOO_MUCH])
def test_too_much_is_refused_by_name_and_place(text: str, limit: str, position: int) -> None:
    with pytest.raises(NotationLimitError) as caught:
        parse(text)
    error = caught.value
    assert (error.limit, error.allowed) == (limit, getattr(LIMITS, limit))
    assert error.position == position
    assert len(error.text) <= LIMITS.text
    assert len(str(error)) < 200


@pytest.mark.parametrize(
    "text",
    [
        f"{LIMITS.dice}d{LIMITS.sides}",
        "+".join(["1"] * 100),
        "+".join(["d6"] * 80),
        "(" * 32 + "1" + ")" * 32,
        "-" * 31 + "1",
        "1000d1000!",
        "1000d1000u",
        "2 ** 30",
        "(-2) ** 30",
        f"{LIMITS.number}",
        "0.999999 ** 64",
        "(d999)d6",
        "d(d1000 * d1000)",
        "10d6!>1",
        "100d20!>1",
        " " * 480 + "d6 # far away",
    ],
)
def test_as_much_as_the_limits_allow_is_read(text: str) -> None:
    parse(text)


def test_the_limits_of_a_lexicon_hold() -> None:
    few = Lexicon(
        limits=Limits(dice=3, sides=20, number=50, nodes=3, depth=2, draws=4, magnitude=60, text=20)
    )
    assert parse("3d20", few)
    assert parse("3d6 + 1", few)
    for text, limit in [
        ("4d6", "dice"),
        ("d21", "sides"),
        ("51", "number"),
        ("1 + 1 + 1", "nodes"),
        ("((1 + 1))", ""),
        ("(((1)))", "depth"),
        ("3d6!>3", "draws"),
        ("50 + 11", "magnitude"),
        ("1 + 1 # a long comment", "text"),
    ]:
        if not limit:
            assert parse(text, few)
            continue
        with pytest.raises(NotationLimitError) as caught:
            parse(text, few)
        assert caught.value.limit == limit


def test_a_text_that_grows_too_long_when_it_is_written_in_full_is_refused() -> None:
    long = "+".join(["lucky"] * 60)
    assert len(long) < LIMITS.text
    with pytest.raises(NotationLimitError) as caught:
        parse(long)
    assert caught.value.limit == "text"


@pytest.mark.parametrize("rule", ["f", "r", "cf", "cs", "k", "kl", "sa", "sf"])
def test_what_a_text_becomes_in_full_can_be_read_again(rule: str) -> None:
    for times in range(1, 200, 3):
        try:
            expression = parse("3d[x:-1000000,1000000]" + rule * times)
        except NotationLimitError as error:
            assert error.limit == "text"
            break
        assert parse(render(expression)) == expression


def test_variables_are_harmless_until_they_are_bound() -> None:
    check(parse("@a d6kh3 + d(@b)! 5 + 1 / @c + 2 ** @d"))


# What can never be rolled

IMPOSSIBLE = [
    ("d0", 1, "1 side or more"),
    ("d(d4 - 4)", 0, "a whole number of sides, 1 or more"),
    ("d(1.5)", 0, "a whole number of sides, 1 or more"),
    ("2 + (d4 - 5)d6", 4, "a whole number of dice, 0 or more"),
    ("2 + 1.5d6", 4, "a whole number of dice, 0 or more"),
    ("2d6kh3", 5, "a number from 0 to 2"),
    ("2d6k 3", 5, "a number from 0 to 2"),
    ("0d6kh1", 5, "a number from 0 to 0"),
    ("4d6dl5", 5, "a number from 0 to 4"),
    ("4d6dl2kh3", 8, "a number from 0 to 2"),
    ("4d6kh2r1kl3", 10, "a number from 0 to 2"),
    ("(d4)d6kh5", 8, "a number from 0 to 4"),
    ("2d6!okh5", 7, "a number from 0 to 4"),
    ("2d6!!kh3", 7, "a number from 0 to 2"),
    ("{d6, d8}kh3", 10, "a number from 0 to 2"),
    ("{2d6 + d8}kh4", 12, "a number from 0 to 3"),
    ("{2d6 * d8}kh2", 12, "a number from 0 to 1"),
    ("2d6r<7", 5, "a face that is not rolled again"),
    ("2d6r<4r>=4", 5, "a face that is not rolled again"),
    ("4dFr!=3", 6, "a face that is not rolled again"),
    ("d[1,1]r1", 7, "a face that is not rolled again"),
    ("d(d4)r<3", 7, "a face that is not rolled again"),
    ("d1!", 2, "a face that does not explode"),
    ("d6!>0", 4, "a face that does not explode"),
    ("d6!!<=6", 6, "a face that does not explode"),
    ("d6xp!=7", 6, "a face that does not explode"),
    ("dF!<2", 4, "a face that does not explode"),
    ("d(d4)!1", 6, "a face that does not explode"),
    ("d(d4 + 1)!<3", 11, "a face that does not explode"),
    ("7d6u", 3, "at most 6, one for each face"),
    ("5d6r<3u", 6, "at most 4, one for each face"),
    ("(d8)d6u", 6, "at most 6, one for each face"),
    ("2d(d6)u", 6, "at most 1, one for each face"),
    ("2d6min5max2", 10, "at least 5, as in min5"),
    ("1 + 1 / 0", 8, "a number other than 0"),
    ("1 // (1 - 1)", 5, "a number other than 0"),
    ("1 % -0", 4, "a number other than 0"),
    ("2 ** -1", 5, "a whole number from 0 to 64"),
    ("2 ** 65", 5, "a whole number from 0 to 64"),
    ("2 ** 0.5", 5, "a whole number from 0 to 64"),
    ("1 ** (d4 + 64)", 5, "a whole number from 0 to 64"),
    ("1 + 9 ** 9 ** 9", 11, "a whole number from 0 to 64"),
]


@pytest.mark.parametrize(
    ("text", "position", "expected"), IMPOSSIBLE, ids=[text for text, _, _ in IMPOSSIBLE]
)
def test_what_can_never_be_rolled_is_refused_with_good_words(text: str, position: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert not isinstance(caught.value, NotationLimitError)
    assert (caught.value.position, caught.value.expected) == (position, (expected,))


@pytest.mark.parametrize(
    "text",
    [
        "2d6!kh3",
        "2d6!okh4",
        "2d6ro<7",
        "d6!o>0",
        "d1!o",
        "6d6u",
        "d[1,1,2]u",
        "3d[1,1,1]u",
        "d(d4)!5",
        "d(d4)ro<9",
        "(d4 - 2)d6",
        "d(d6 - 1)",
        "1 / (d6 - 3)",
        "2 ** (d6 - 2)",
        "4d6kw>6kh0",
    ],
)
def test_what_may_come_to_something_is_left_to_the_dice(text: str) -> None:
    parse(text)


# Measures


@pytest.mark.parametrize(
    ("text", "dice", "draws", "low", "high"),
    [
        ("3", 0, 0, 3, 3),
        ("4d6", 4, 4, 4, 24),
        ("4d6kh3", 4, 4, 3, 18),
        ("4d6dl1dh1", 4, 4, 2, 12),
        ("4d6kw>3", 4, 4, 0, 24),
        ("4dF", 4, 4, -4, 4),
        ("2dboon - 1.5", 2, 2, -4, 1),
        ("4d6min2max5", 4, 4, 8, 20),
        ("6d10>=8", 6, 6, 0, 6),
        ("6d10>=8f1", 6, 6, -6, 6),
        ("2d6sf6", 2, 2, -12, 12),
        ("2d6ms>=9", 2, 2, -7, 3),
        ("2d6ms<=9", 2, 2, -3, 7),
        ("(d4)d6", 5, 5, 1, 24),
        ("2d(d6)", 3, 3, 2, 12),
        ("d6!", 1, 1.2, 1, 600),
        ("d6!o", 1, 1 + 1 / 6, 1, 12),
        ("d6!!", 1, 1.2, 1, 600),
        ("d6!p", 1, 1.2, 0, 600),
        ("2d10r<6", 2, 4, 2, 20),
        ("2d10ro<6", 2, 3, 2, 20),
        ("d10r<6!10", 1, 2 + 0.2 / 0.9, 1, 1000),
        ("d10ro<6!>8", 1, 1.5 + (0.2 + 0.5 * 0.2) / 0.8, 1, 1000),
        ("3d3u", 3, 5.5, 3, 9),
        ("2d4r1u", 2, 4 / 3 + 4 / 2, 2, 8),
        ("d6 * -d4", 2, 2, -24, -1),
        ("d6 / d4", 2, 2, 0, 6),
        ("d6 / (d4 - 2)", 2, 2, -6, 6),
        ("1 / (d4 / 100 - 0.02)", 1, 1, -5000, 5000),
        ("d6 // -4", 1, 1, -2, 0),
        ("d20 % 6", 1, 1, 0, 6),
        ("d20 % -6", 1, 1, -6, 0),
        ("(d6 - 3) ** 3", 1, 1, -27, 27),
        ("2 ** d4", 1, 1, 2, 16),
        ("abs(d6 - 4) + floor(d6 / 4)", 2, 2, 0, 5),
        ("min(d6, 3) + max(d6, 3)", 2, 2, 4, 9),
        ("{d6, d8, 20}kh1", 2, 2, 1, 20),
        ("{d6, d8}", 2, 2, 2, 14),
        ("{d6, d8}>4", 2, 2, 0, 2),
        ("{3d6 + 2d8 + 1}kh2", 5, 5, 3, 17),
        ("6d10 vs 3d10", 9, 9, 0, 6),
        ("6d10! vs 3d10", 9, 3 + 6 / 0.9, 0, 600),
        ("5d6 net 3d6", 8, 8, -3, 5),
        ("5d6cf1 net 3d6[bad]", 8, 8, -3, 5),
    ],
)
def test_a_measure_tells_dice_draws_and_bounds(
    text: str, dice: int, draws: float, low: int, high: int
) -> None:
    found = measure(parse(text, WORDS).node)
    assert (found.dice, found.low, found.high) == (dice, low, high)
    assert found.expected_draws == pytest.approx(draws)


def test_what_is_too_large_to_reckon_is_as_large_as_the_ceiling() -> None:
    node: Node = Number(2**30)
    for _ in range(5):
        node = Binary(Operator.MULTIPLY, node, node)
    assert measure(node).high == CEILING
    assert measure(Binary(Operator.POWER, Number(10**9), Number(64))).high == CEILING
    assert measure(Negative(Binary(Operator.POWER, Number(10**9), Number(64)))).low == -CEILING


@given(expressions(), st.integers(0, 2**32))
def test_what_is_rolled_lies_between_the_bounds(expression: Expression, seed: int) -> None:
    found = measure(expression.node)
    for offset in range(3):
        try:
            result = roll(expression, Chance(seed + offset))
        except RollError:
            continue
        assert found.low <= result.value <= found.high


@given(dice_nodes())
def test_as_many_dice_are_drawn_as_expected(dice: Dice) -> None:
    assume(not (dice.unique and dice.reroll is not None))
    expected = measure(dice).expected_draws
    assume(expected < 12)
    chance = Chance(1)
    rolls = 400
    for _ in range(rolls):
        roll(Expression(dice), chance)
    # A chain of explosions varies as much as it is long: four times that, and a tenth, is never reached.
    slack = 4 * (expected * (expected + 4) / rolls) ** 0.5 + 0.1
    assert abs(chance.drawn / rolls - expected) < slack


@given(kinds(), st.lists(points(-2, 21), max_size=4))
def test_faces_that_meet_a_point_are_counted_without_going_through_them(
    kind: DieKind, some: list[Compare]
) -> None:
    match kind:
        case Sides(int(count)):
            values: list[int] = list(range(1, count + 1))
        case Faces(faces):
            values = [face.value for face in faces]
        case _:
            values = [-1, 0, 1]
    met = sum(any(point.holds(value) for point in some) for value in values)
    assert meeting(kind, some) == (met, len(values))


def test_many_compare_points_of_a_die_with_many_faces_are_looked_at_quickly() -> None:
    big = Lexicon(dice={"big": tuple(Face(str(value), value) for value in range(1_000))})
    text = "3dbig" + "".join(f"r{value}" for value in range(0, 210, 2))
    assert measure(parse(text, big).node).expected_draws == pytest.approx(3 * 1_000 / 895)
