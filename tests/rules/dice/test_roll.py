"""Rolling: an expression and faces come to a result that explains itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.die import Mark
from services.rules.dice.failure import RollError
from services.rules.dice.notation import Lexicon, parse
from services.rules.dice.pool import Face
from services.rules.dice.result import RollResult
from services.rules.dice.roll import roll
from services.rules.dice.stream import ByteStream, ListStream, StreamError
from services.rules.dice.text import text
from services.rules.engine.registry import mechanics
from tests.rules.dice.strategies import expressions

OMEN = Lexicon(dice={"omen": (Face("sun", 2), Face("moon", 1), Face("void", -1))})


def rolled(notation: str, *faces: int, lexicon: Lexicon | None = None) -> RollResult:
    """Roll so that the dice fall as given, and not one more."""
    stream = ListStream(faces)
    result = roll(parse(notation, lexicon or Lexicon()), stream)
    assert stream.left == 0
    return result


@pytest.mark.parametrize(
    ("notation", "faces", "shown"),
    [
        # sums, keeping and dropping
        ("2d20kh1 + 3", (4, 17), "2d20kh1 (~~4~~, 17) + 3 = 20"),
        ("-d4 - 1", (2,), "-1d4 (2) - 1 = -3"),
        ("4d6kl2", (3, 1, 3, 6), "4d6kl2 (3, 1, ~~3~~, ~~6~~) = 4"),
        ("4d6dh1", (3, 6, 6, 1), "4d6dh1 (3, ~~6~~, 6, 1) = 10"),
        ("4d6dl1dh1", (3, 6, 5, 1), "4d6dl1dh1 (3, ~~6~~, 5, ~~1~~) = 8"),
        ("4d6kw>=5", (3, 6, 5, 1), "4d6kw>=5 (~~3~~, 6, 5, ~~1~~) = 11"),
        ("3d6kh0", (3, 6, 5), "3d6kh0 (~~3~~, ~~6~~, ~~5~~) = 0"),
        ("4dF", (1, 2, 3, 3), "4dF (-1, 0, 1, 1) = 1"),
        # rerolls and unique faces: what is rolled again stands before what it became
        ("3d6r1", (1, 4, 1, 1, 2, 5), "3d6r=1 (~~1~~, ~~1~~, 2, 4, ~~1~~, 5) = 11"),
        ("2d6ro<3", (2, 1, 1, 6), "2d6ro<3 (~~2~~, 1, ~~1~~, 6) = 7"),
        ("3d4u", (2, 2, 2, 2, 1, 1, 4), "3d4u (2, ~~2~~, ~~2~~, 1, ~~2~~, ~~1~~, 4) = 7"),
        # raised, lowered, exploded
        ("3d6min2max5", (1, 6, 3), "3d6min2max5 (2, 5, 3) = 10"),
        ("2d6!", (6, 3, 6, 2), "2d6!=6 (6!, 6!, 2, 3) = 17"),
        ("2d6!>4", (5, 3, 5, 1), "2d6!>4 (5!, 5!, 1, 3) = 14"),
        ("2d6!!", (6, 3, 6, 2), "2d6!!=6 (14!, ~~6!~~, ~~2~~, 3) = 17"),
        ("1d6!p", (6, 6, 2), "1d6!p=6 (6!, 5!, 1) = 12"),
        ("1d6!!p", (6, 6, 2), "1d6!!p=6 (12!, ~~5!~~, ~~1~~) = 12"),
        ("1d6!o", (6, 6), "1d6!o=6 (6!, 6) = 12"),
        ("2d6!kh2", (6, 3, 5), "2d6!=6kh2 (6!, 5, ~~3~~) = 11"),
        # counting
        ("4d10>=8", (8, 3, 10, 1), "4d10>=8 (**8**, 3, **10**, 1) = 2"),
        ("4d10>8", (8, 3, 10, 1), "4d10>8 (8, 3, **10**, 1) = 1"),
        ("4d10>=8f1", (8, 3, 10, 1), "4d10>=8df=1 (**8**, 3, **10**, 1) = 1"),
        ("3d6cf1", (1, 1, 5), "3d6cf=1 (1, 1, 5) = 2"),
        ("3d6sf<3", (1, 2, 5), "3d6sf<3 (1, 2, 5) = 2"),
        ("2d6ms>=9", (6, 5), "2d6ms>=9 (6, 5) = 2"),
        ("2d6ms<=9", (2, 5), "2d6ms<=9 (2, 5) = 2"),
        ("3d6even", (2, 4, 5), "3d6even (**2**, **4**, 5) = 2"),
        ("3d6odd", (2, 4, 5), "3d6odd (2, 4, **5**) = 1"),
        ("4d6kh3>=5", (6, 5, 2, 1), "4d6kh3>=5 (**6**, **5**, 2, ~~1~~) = 2"),
        ("4d6sd", (2, 6, 1, 5), "4d6sd (6, 5, 2, 1) = 14"),
        # arithmetic
        ("(2d6 + 1) * 2", (3, 4), "(2d6 (3, 4) + 1) * 2 = 16"),
        ("d6 / 2", (5,), "1d6 (5) / 2 = 5/2"),
        ("floor(d6 / 2)", (5,), "floor(1d6 (5) / 2) = 2"),
        (
            "round(d6 / 2) + ceil(d6 / 4) + abs(-2)",
            (5, 1),
            "round(1d6 (5) / 2) + ceil(1d6 (1) / 4) + abs(-2) = 6",
        ),
        ("max(d6, d8, 3)", (2, 7), "max(1d6 (2), 1d8 (7), 3) = 7"),
        ("d6 // 2 + d6 % 4", (5, 6), "1d6 (5) // 2 + 1d6 (6) % 4 = 4"),
        ("d4 ** 2", (3,), "1d4 (3) ** 2 = 9"),
        ("10 - (d4 - 1)", (3,), "10 - (1d4 (3) - 1) = 8"),
        # groups
        ("{2d6, d12}kh1", (3, 4, 9), "{~~2d6 (~~3~~, ~~4~~)~~, 1d12 (9)}kh1 = 9"),
        ("{2d6 + d12}kh2", (3, 4, 9), "{2d6 (~~3~~, 4) + 1d12 (9)}kh2 = 13"),
        ("{d6, d6, d6}>=4", (3, 4, 5), "{1d6 (3), 1d6 (4), 1d6 (5)}>=4 = 2"),
        # opposed
        ("3d10 vs 2d10", (7, 6, 8, 7, 2), "3d10 (**7**, 6, **8**) vs 2d10 (7, 2) = 2"),
        (
            "5d6 net 3d6",
            (5, 6, 1, 2, 3, 5, 5, 5),
            "5d6 (**5**, **6**, 1, 2, 3) net 3d6 (**5**, **5**, **5**) = -1",
        ),
        ("3d8>=7 net 2d8>=8", (7, 8, 1, 7, 8), "3d8>=7 (**7**, **8**, 1) net 2d8>=8 (7, **8**) = 1"),
        # words
        ("2d6[fire] + 1[cold]", (2, 3), "2d6 (2, 3)[fire] + 1[cold] = 6"),
        ("lucky + 2", (4, 11), "2d20kh1 (~~4~~, 11) + 2 = 13"),
        ("d[1,1,5]", (3,), "1d[1,1,5] (5) = 5"),
        # numbers of dice and sides that are rolled
        ("(d4)d6", (3, 1, 2, 6), "(1d4)d6 (1, 2, 6) = 9"),
        ("(d4)d10 vs d10", (4, 1, 1, 1, 1, 3), "(1d4)d10 (1, 1, 1, 1) vs 1d10 (3) = 0"),
        ("{(d4)d6}kh1", (4, 1, 1, 2, 1), "{(1d4)d6 (~~1~~, ~~1~~, 2, ~~1~~)}kh1 = 2"),
        ("2d(d6)", (4, 1, 2), "2d(1d6) (1, 2) = 3"),
    ],
)
def test_a_roll_says_what_came_of_every_die(notation: str, faces: tuple[int, ...], shown: str) -> None:
    assert text(rolled(notation, *faces)) == shown


def test_a_total_that_is_no_whole_number_is_kept_exactly_and_rounded_down() -> None:
    result = rolled("-d6 / 4", 5)
    assert (result.value, result.total) == (Fraction(-5, 4), -2)


def test_dice_of_ones_own_show_their_labels_and_count_their_values() -> None:
    result = rolled("3domen", 1, 3, 1, lexicon=OMEN)
    assert [die.label for die in result.dice()] == ["sun", "void", "sun"]
    assert (result.total, [die.kind for die in result.dice()]) == (3, ["domen"] * 3)
    assert text(result) == "3domen (sun, void, sun) = 3"


def test_marks_say_what_was_done_to_a_die() -> None:
    dice = list(rolled("4d6ro1min2!kh3>=5", 1, 6, 3, 2, 1, 4).dice())
    assert [(die.face, die.value, die.kept, die.marks) for die in dice] == [
        (1, 1, False, (Mark.REROLLED,)),
        (1, 2, False, (Mark.RAISED, Mark.DROPPED)),
        (6, 6, True, (Mark.EXPLODED, Mark.SUCCESS)),
        (4, 4, True, ()),
        (3, 3, True, ()),
        (2, 2, False, (Mark.DROPPED,)),
    ]


def test_terms_are_those_of_the_sum_at_the_top_with_their_signs() -> None:
    result = rolled("2d6 - (d4 - 3) - -1", 2, 3, 4)
    assert [(term.value, term.negative, len(term.dice)) for term in result.terms] == [
        (5, False, 2),
        (-4, True, 1),
        (3, False, 0),
        (1, False, 0),
    ]
    assert sum(term.value for term in result.terms) == result.total == 5


def test_dice_against_nothing_all_reach() -> None:
    assert rolled("3d10 vs 0d10", 1, 2, 3).total == 3
    assert rolled("0d10 vs 2d10", 1, 2).total == 0


@pytest.mark.parametrize(
    ("notation", "faces", "code"),
    [
        ("6 / (d6 - 1)", (1,), "DIVISION_BY_ZERO"),
        ("6 % (d6 - 1)", (1,), "DIVISION_BY_ZERO"),
        ("6 // (d6 - 1)", (1,), "DIVISION_BY_ZERO"),
        ("(d4 - 2)d6", (1,), "NO_WHOLE_NUMBER"),
        ("(d3 / 2)d6", (1,), "NO_WHOLE_NUMBER"),
        ("d(d6 - 1)", (1,), "NO_WHOLE_NUMBER"),
        ("2 ** (d6 - 2)", (1,), "NO_WHOLE_NUMBER"),
    ],
)
def test_dice_that_fall_so_that_nothing_can_come_of_it_say_why(
    notation: str, faces: tuple[int, ...], code: str
) -> None:
    with pytest.raises(RollError) as raised:
        rolled(notation, *faces)
    assert raised.value.code == code


def test_dice_that_do_not_end_are_stopped() -> None:
    class Sixes:
        def draw(self, n: int) -> int:
            return n

        def draw_many(self, n: int, count: int) -> list[int]:
            return [n] * count

    with pytest.raises(RollError) as raised:
        roll(parse("d6!"), Sixes())
    assert raised.value.code == "TOO_MANY_DICE"


def test_a_games_own_roll_is_read_by_its_game() -> None:
    found = mechanics()
    result = roll(
        parse("forge_engine:opposed(2, 2)", Lexicon(mechanics=found)), ListStream([1, 1, 5, 2]), found
    )
    assert (result.total, result.outcome) == (0, "critical_failure")
    assert text(result) == "forge_engine:opposed(2, 2) (1, 1; 5, 2) = 0 (critical failure)"
    assert len(list(result.dice())) == 4


@given(expressions(), st.randoms(use_true_random=False))
def test_every_roll_replays_from_its_faces(expression: object, chance: object) -> None:
    read = chance.randbytes  # type: ignore[attr-defined]
    try:
        made = roll(expression, ByteStream(read), mechanics())  # type: ignore[arg-type]
    except RollError:
        return
    stream = ListStream(made.faces)
    again = roll(expression, stream, mechanics())  # type: ignore[arg-type]
    assert (again.root, stream.left) == (made.root, 0)
    assert text(again) == text(made)
    assert sum(term.value for term in again.terms) == again.value
    if made.faces:
        with pytest.raises(StreamError):
            roll(expression, ListStream(made.faces[:-1]), mechanics())  # type: ignore[arg-type]


def test_a_stream_of_one_face_serves_all_dice_alike() -> None:
    faces = cycle((6, 5, 4))

    class Turning:
        def draw(self, n: int) -> int:
            return min(next(faces), n)

        def draw_many(self, n: int, count: int) -> list[int]:
            return [self.draw(n) for _ in range(count)]

    assert roll(parse("4d6kh3 + d4"), Turning()).total == 6 + 5 + 6 + 4
