"""The same dice in the words of d20, Foundry and Roll20."""

from __future__ import annotations

import d20  # type: ignore[import-untyped]
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from services.rules.dice.dialect import Use, words_of
from services.rules.dice.lexicon import is_die_name
from services.rules.dice.notation import Dialect, Lexicon, NotationError, parse, render
from services.rules.dice.roll import roll
from services.rules.dice.stream import ListStream

IN_D20 = Lexicon(Dialect.D20)


def _same(dialect: Dialect, text: str, ours: str) -> None:
    expression = parse(text, Lexicon(dialect))
    assert render(expression) == ours
    assert parse(ours) == expression


def _refused(dialect: Dialect, text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        parse(text, Lexicon(dialect))
    return caught.value


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("2d6 + 3 # sword", "2d6 + 3 # sword"),
        ("(d4)d6 // 2", "(1d4)d6 // 2"),
        ("d100 % 4", "1d100 % 4"),
        ("3d6 total>=12", "3d6 total>=12"),
        ("max(d6, @muscle)", "max(1d6, @muscle)"),
        ("lucky d12[leap]", "2d12kh1[leap]"),
        ("6d10 vs 3d10", "6d10 vs 3d10"),
        ("5d6 net 3d6", "5d6 net 3d6"),
        ("2d20kh1", "2d20kh1"),
    ],
)
def test_the_frame_is_the_same_everywhere(dialect: Dialect, text: str, ours: str) -> None:
    _same(dialect, text, ours)


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("4d6k3", "4d6kw=3"),
        ("4d6k>3", "4d6kw>3"),
        ("4d6k<3", "4d6kw<3"),
        ("4d6kh3", "4d6kh3"),
        ("4d6 k l 2", "4d6kl2"),
        ("4d6p3", "4d6dw=3"),
        ("4d6ph1", "4d6dh1"),
        ("4d6pl1ph1", "4d6dl1dh1"),
        ("4d6p1p2", "4d6dw=1dw=2"),
        ("4d6rr1", "4d6r=1"),
        ("4d6rr<3", "4d6r<3"),
        ("4d6ro1ro2", "4d6ro=1ro=2"),
        ("1d20ra20", "1d20!o=20"),
        ("d20ra>18", "1d20!o>18"),
        ("4d6e6", "4d6!=6"),
        ("4d6e>4", "4d6!>4"),
        ("8d6mi2ma5", "8d6min2max5"),
        ("2d20kh1mi10", "2d20min10kh1"),
        ("4d6ro1e6mi2kh3", "4d6ro=1min2!=6kh3"),
        ("4d6kh3[fire][cold]", "4d6kh3[fire][cold]"),
        ("(1d4 + 1, 3, 2d6kl1)kh1", "{1d4 + 1, 3, 2d6kl1}kh1"),
        ("(1, 2 ,  )", "{1, 2}"),
        ("(3d6,)", "{3d6}"),
        ("(3d6)", "3d6"),
        ("(4d6)kh3", "{4d6}kh3"),
        ("(1, (2, 3)kh1)p>2", "{1, {2, 3}kh1}dw>2"),
        ("-(1, 2) * (3)", "-{1, 2} * 3"),
    ],
)
def test_d20(text: str, ours: str) -> None:
    _same(Dialect.D20, text, ours)


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("4d6k", 4, "'h', 'l', '<' or '>'"),
        ("4d6kh", 5, "a number"),
        ("4d6eh1", 3, "'<', '>' or a number: the highest and lowest can only be kept and dropped"),
        ("4d6mih2", 3, "a number"),
        ("2d20ra20", 4, "'e', or 'ra' behind one die: of several dice d20 lets one at most add to itself"),
        ("4d6kh1kl1", 6, "another operator than 'k': d20 would apply both at once"),
        ("4d6pl1pl1", 6, "another operator than 'p': d20 would apply both at once"),
        ("4d6p1pl1", 5, "another operator than 'p': d20 would apply both at once"),
        ("2d20kh1ro1", 7, "'ro' before 'kh': d20 applies rules in the order written"),
        ("4d6mi2e6", 6, "'e' before 'mi': d20 applies rules in the order written"),
        ("4d6e6rr1", 5, "'rr' before 'e': d20 applies rules in the order written"),
        ("4d6k>3mi2", 6, "'mi' before 'k': d20 applies rules in the order written"),
        ("(3d6,)kh1", 6, "several members: d20 looks at the member's total, ours at the dice in it"),
        ("(d4+d6)kh1", 7, "several members: d20 looks at the member's total, ours at the dice in it"),
        ("(1, 2)e1", 6, "a rule for a group: keep, drop, count or sort"),
        ("(1, 2)d6", 6, "an operation of d20 such as 'kh1'"),
        ("()", 1, "a number"),
        ("{1, 2}", 0, "round brackets around a set of d20"),
        ("d20 ! 10", 4, "an operation of d20 such as 'kh1'"),
        ("4d6!", 3, "an operation of d20 such as 'kh1'"),
    ],
)
def test_d20_without_a_meaning_here_is_refused(text: str, position: int, expected: str) -> None:
    error = _refused(Dialect.D20, text)
    assert error.position == position
    assert expected in error.expected


_SELECTOR = st.tuples(st.sampled_from(("", "h", "l", "<", ">")), st.integers(0, 6)).map(
    lambda parts: f"{parts[0]}{parts[1]}"
)
_OPERATION = st.one_of(
    st.tuples(st.sampled_from(("k", "p")), _SELECTOR).map("".join),
    st.tuples(st.sampled_from(("mi", "ma")), st.integers(1, 6)).map(lambda parts: f"{parts[0]}{parts[1]}"),
)


@given(
    st.integers(1, 5),
    st.lists(_OPERATION, max_size=3).map("".join),
    st.lists(st.integers(1, 6), min_size=5, max_size=5),
)
def test_what_is_kept_and_dropped_is_what_d20_keeps_and_drops(
    count: int, operations: str, faces: list[int]
) -> None:
    _agrees_with_d20(f"{count}d6{operations}", faces[:count])


@given(
    st.tuples(st.sampled_from(("rr", "ro", "ra", "e")), st.sampled_from(("", "<", ">")), st.integers(1, 6)),
    st.sampled_from(("", "mi3", "ma4", "kh1", "pl1")),
    st.lists(st.integers(1, 6), min_size=12, max_size=12),
)
def test_a_die_that_is_rolled_again_comes_to_what_it_does_in_d20(
    again: tuple[str, str, int], behind: str, faces: list[int]
) -> None:
    operation = "".join(map(str, again))
    # In d20 an explosion needs a die that ends it; ours refuses what never ends, so this one does.
    _agrees_with_d20(f"1d6{operation}{behind}", [*faces, 1, 6, 3, 4, 2, 5])


def _agrees_with_d20(text: str, faces: list[int]) -> None:
    try:
        ours = parse(text, IN_D20)
    except NotationError:
        assume(False)
    left = iter(faces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("d20.expression.random.randrange", lambda sides: next(left) - 1)
        theirs = d20.roll(text).total
    used = len(faces) - len(list(left))
    assert roll(ours, ListStream(faces[:used])).value == theirs


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("4d6r", "4d6ro=1"),
        ("4d6r<3", "4d6ro<3"),
        ("4d6rr1", "4d6r=1"),
        ("4d6x", "4d6!=6"),
        ("4d6x5", "4d6!=5"),
        ("4d6x>=5", "4d6!>=5"),
        ("4d6xo", "4d6!o=6"),
        ("4d6k", "4d6kh1"),
        ("4d6kl2", "4d6kl2"),
        ("4d6d", "4d6dl1"),
        ("4d6d2", "4d6dl2"),
        ("4d6dh", "4d6dh1"),
        ("4d6cs", "4d6cs=6"),
        ("4d6cs>4", "4d6>4"),
        ("4d6cs>=5df1", "4d6>=5df=1"),
        ("4d6df", "4d6df=1"),
        ("4d6cf<3", "4d6cf<3"),
        ("4d6sf1", "4d6sf=1"),
        ("2d6ms>=9", "2d6ms>=9"),
        ("2d6even", "2d6even"),
        ("2d6xodd", "2d6!=6odd"),
        ("4d6min2max5", "4d6min2max5"),
        ("4d6kh3min2", "4d6min2kh3"),
        ("4d6r1x6kh3cs>2", "4d6ro=1!=6kh3>2"),
        ("{4d6, 3d8}kh", "{4d6, 3d8}kh1"),
        ("{4d6, 3d8}cs>10", "{4d6, 3d8}>10"),
        ("{4d6}", "{4d6}"),
        ("d4[label]", "1d4[label]"),
    ],
)
def test_foundry(text: str, ours: str) -> None:
    _same(Dialect.FOUNDRY, text, ours)


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("4d6>3", 3, "a rule of Foundry such as 'kh1'"),
        ("4d6!", 3, "a rule of Foundry such as 'kh1'"),
        ("4d6ro1", 4, "a rule of Foundry such as 'kh1'"),
        ("4d6u", 3, "a rule of Foundry such as 'kh1'"),
        ("4d6sd", 3, "a rule of Foundry such as 'kh1'"),
        ("4d6r1=1", 5, "a rule of Foundry such as 'kh1'"),
        ("4d6x3>2", 5, "a rule of Foundry such as 'kh1'"),
        ("4d6kh3r1", 6, "'r' before 'kh': Foundry applies rules in the order written"),
        ("4d6cs>3kh1", 7, "'kh' before 'cs': Foundry applies rules in the order written"),
        ("{4d6}kh", 5, "several members: Foundry looks at the member's total, ours at the dice in it"),
        ("4dc", 2, "'F'"),
    ],
)
def test_foundry_without_a_meaning_here_is_refused(text: str, position: int, expected: str) -> None:
    error = _refused(Dialect.FOUNDRY, text)
    assert error.position == position
    assert expected in error.expected


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("4d6r<2", "4d6r<=2"),
        ("4d6r", "4d6r=1"),
        ("4d6ro>5", "4d6ro>=5"),
        ("4d6!", "4d6!=6"),
        ("4d6!>5", "4d6!>=5"),
        ("4d6!5", "4d6!=5"),
        ("4d6!!5", "4d6!!=5"),
        ("4d6!p>5", "4d6!p>=5"),
        ("4d6>3", "4d6>=3"),
        ("4d6<3", "4d6<=3"),
        ("4d6=3", "4d6cs=3"),
        ("4d6>=3", "4d6>=3"),
        ("4d6>3f1", "4d6>=3df=1"),
        ("4d6f<2", "4d6df<=2"),
        ("4d6k3", "4d6kh3"),
        ("4d6kl", "4d6kl1"),
        ("4d6d1", "4d6dl1"),
        ("4d6dh2", "4d6dh2"),
        ("1d20cs>19cf<2 + 4", "1d20 + 4"),
        ("1d20cs", "1d20"),
        ("4d6s", "4d6sa"),
        ("4d6sd", "4d6sd"),
        ("8d6kh3!", "8d6!=6kh3"),
        ("{4d6 + 3d8}k4", "{4d6 + 3d8}kh4"),
        ("{4d6, 3d8}d1", "{4d6, 3d8}dl1"),
        ("{d20, d20}>11f<3", "{1d20, 1d20}>=11df<=3"),
    ],
)
def test_roll20(text: str, ours: str) -> None:
    _same(Dialect.ROLL20, text, ours)


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("2d6m", 3, "another rule: Roll20's matches have no meaning here"),
        ("2d6mt3", 3, "another rule: Roll20's matches have no meaning here"),
        ("4d6x", 3, "a rule of Roll20 such as 'kh1'"),
        ("4d6u", 3, "a rule of Roll20 such as 'kh1'"),
        ("4d6even", 3, "a rule of Roll20 such as 'kh1'"),
        ("4d6!!p", 5, "a rule of Roll20 such as 'kh1'"),
    ],
)
def test_roll20_without_a_meaning_here_is_refused(text: str, position: int, expected: str) -> None:
    error = _refused(Dialect.ROLL20, text)
    assert error.position == position
    assert expected in error.expected


@pytest.mark.parametrize("dialect", [dialect for dialect in Dialect if dialect is not Dialect.D20])
def test_no_die_is_called_like_rules_behind_a_fate_die(dialect: Dialect) -> None:
    alone = [word for word in words_of(dialect).words.values() if word.text.isalpha()]
    alone = [
        word for word in alone if word.use not in (Use.WHERE, Use.LOWEST, Use.HIGHEST) and word.text != "ms"
    ]
    assert alone
    for word in alone:
        for name in (f"f{word.text}", f"fkh{word.text}"):
            assert not is_die_name(name), name
