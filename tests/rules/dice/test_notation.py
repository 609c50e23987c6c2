"""Our own notation: what is read, what is written, and what an error says."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.grammar import parse_text
from services.rules.dice.lexicon import PLAIN, is_die_name
from services.rules.dice.notation import Dialect, Lexicon, NotationError, parse, render, render_node
from services.rules.dice.pool import (
    Binary,
    Call,
    Compare,
    Comparison,
    Count,
    CountKind,
    Dice,
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
    Variable,
    Versus,
)
from tests.rules.dice.strategies import WORDS, dice_nodes, expressions


def d(count: int, sides: int) -> Dice:
    return Dice(count, Sides(sides))


def node(text: str) -> Node:
    return parse(text, WORDS).node


# Round trips


@given(expressions(variables=True))
def test_a_rendered_expression_reads_back_as_itself(expression: Expression) -> None:
    assert parse(render(expression), WORDS) == expression


@given(
    dice_nodes().filter(lambda dice: not isinstance(dice.kind, Faces)),
    st.sampled_from((" ", "\t", "\r\n", "")),
)
def test_case_and_blanks_do_not_matter(dice: Dice, blank: str) -> None:
    text = f"{render_node(dice)} + 2 * ( 3 - max( 1 , {render_node(dice)} ) )"
    spaced = f"{blank}{text.upper().replace(' ', blank)}{blank}"
    assert parse(spaced, WORDS) == parse(text, WORDS)


@given(st.text(max_size=40), st.sampled_from(Dialect))
def test_any_text_is_an_expression_or_an_error_with_a_place_in_it(text: str, dialect: Dialect) -> None:
    _read_or_refuse(text, dialect)


_SIGNS = "0 1 2 6 % ( ) [ ] { } , + - * / // ** @ # : 0. .5 > < >= <= = != ! !! !p \x00 é ٣ ſ \N{KELVIN SIGN}"
_WORDS = (
    "d D f boon vs net x kh k dh dl kw r ro u min max even odd cs cf df sf ms sa e ra mi p h l floor( max( o:"
)
_PIECES = st.sampled_from([*_SIGNS.split(), *_WORDS.split(), " "])


@given(st.lists(_PIECES, max_size=60).map("".join), st.sampled_from(Dialect))
def test_any_pieces_of_notation_are_an_expression_or_an_error(text: str, dialect: Dialect) -> None:
    _read_or_refuse(text, dialect)


@given(expressions(), st.data())
def test_a_damaged_expression_is_still_one_or_an_error(expression: Expression, data: st.DataObject) -> None:
    text = render(expression)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 3, len(text))))
    _read_or_refuse(text[:start] + data.draw(_PIECES) + text[end:], data.draw(st.sampled_from(Dialect)))


def _read_or_refuse(text: str, dialect: Dialect) -> None:
    try:
        expression = parse(text, Lexicon(dialect, WORDS.dice))
    except NotationError as error:
        assert 0 <= error.position <= len(text)
        assert error.expected and error.found
        assert error.caret.splitlines()[-1] == " " * error.position + "^"
    else:
        assert parse(render(expression), WORDS) == expression


# What is read


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        # dice
        ("d20", "1d20"),
        ("d%", "1d100"),
        ("2 d %%3", "2d100 % 3"),
        ("7D6", "7d6"),
        ("0d6", "0d6"),
        ("4df", "4dF"),
        ("007d006", "7d6"),
        ("(2)d(6)", "2d6"),
        ("(d4)d6", "(1d4)d6"),
        ("2d(d4+1)kh1", "2d(1d4 + 1)kh1"),
        ("(d4)d(d4)", "(1d4)d(1d4)"),
        ("d[1,1,2,3]", "1d[1,1,2,3]"),
        ("2d[ Hit:2 , miss, -1 , +3,1:5 ]", "2d[Hit:2,miss,-1,+3,1:5]"),
        ("3dboon", "3dboon"),
        ("DBOONKH1", "1dboon kh1"),
        ("2dboonvs1dfear", "2dboon vs 1dfear"),
        ("2dfeven", "2dFeven"),
        ("d6d", None),
        # selecting
        ("2d20KH", "2d20kh1"),
        ("2d20k", "2d20kh1"),
        (" 4 d 6 kl 3 + 2 ", "4d6kl3 + 2"),
        ("4d6dl1dh1", "4d6dl1dh1"),
        ("4d6kh0", "4d6kh0"),
        ("4d6kw>=4dw=1", "4d6kw>=4dw=1"),
        ("4d6dw1", "4d6dw=1"),
        # rerolls, unique, clamps: one order, however written
        ("3d6r", "3d6r=1"),
        ("3d6rr1", "3d6r=1"),
        ("3d6r1r2r1", "3d6r=1r=2"),
        ("3d6ro<3", "3d6ro<3"),
        ("4dfr", "4dFr=-1"),
        ("4dboonr", "4dboon r=-1"),
        ("3d6kh2max5min2ur1", "3d6r=1umin2max5kh2"),
        ("4dfmin-1", "4dFmin-1"),
        # explosions
        ("5d10!", "5d10!=10"),
        ("5d10!!", "5d10!!=10"),
        ("5d10!p", "5d10!p=10"),
        ("5d10!!p", "5d10!!p=10"),
        ("5d10!o", "5d10!o=10"),
        ("5d10x5", "5d10!=5"),
        ("5d10xx>8", "5d10!!>8"),
        ("5d10xp", "5d10!p=10"),
        ("5d10xxp", "5d10!!p=10"),
        ("5d10xo", "5d10!o=10"),
        ("4df!", "4dF!=1"),
        ("5d10!=6", "5d10!=6"),
        ("5d10x!=6", "5d10x!=6"),
        ("5d10!odd", "5d10!=10odd"),
        ("5d10xodd", "5d10!=10odd"),
        ("5d10r!=6", "5d10r!=6"),
        ("4d6r1!=6", "4d6r=1!=6"),
        # counting
        ("6d10>=8", "6d10>=8"),
        ("6d10cs>=8", "6d10>=8"),
        ("6d10=8", "6d10cs=8"),
        ("6d10cs", "6d10cs=10"),
        ("6d10cs!=1", "6d10cs!=1"),
        ("6d10!8>=8", "6d10!=8>=8"),
        ("6d10>7f1", "6d10>7df=1"),
        ("6d10>7f", "6d10>7df=1"),
        ("6d10<3df", "6d10<3df=1"),
        ("6d10cf<=1sf", "6d10cf<=1sf=1"),
        ("2d6ms>=12", "2d6ms>=12"),
        ("6d6even", "6d6even"),
        ("6d6sdodd", "6d6oddsd"),
        ("4df>=-1", "4dF>=-1"),
        # arithmetic
        ("+5", "5"),
        ("--3", "--3"),
        ("-1d4+10-2", "-1d4 + 10 - 2"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("(1-2)-3", "1 - 2 - 3"),
        ("2*(3+4)%5//6/7", "2 * (3 + 4) % 5 // 6 / 7"),
        ("-2**2", "-2 ** 2"),
        ("(-2)**2", "(-2) ** 2"),
        ("2**3**2", "2 ** 3 ** 2"),
        ("(2**3)**2", "(2 ** 3) ** 2"),
        ("2*-3", "2 * -3"),
        ("-(2*3)", "-(2 * 3)"),
        ("1.50", "1.5"),
        ("0.000001", "0.000001"),
        ("2.0d6", "2d6"),
        ("MAX(1,2, d6)", "max(1, 2, 1d6)"),
        ("floor(d6/2)", "floor(1d6 / 2)"),
        # groups
        ("{2d6,d12}kh", "{2d6, 1d12}kh1"),
        ("{3d6+2d8}kh2>=5sd", "{3d6 + 2d8}kh2>=5sd"),
        ("{1}", "{1}"),
        # words
        ("lucky", "2d20kh1"),
        ("unlucky d12 + 1", "2d12kl1 + 1"),
        ("LUCKYd%", "2d100kh1"),
        ("6d10vs3d10", "6d10 vs 3d10"),
        ("(2d10+(d8))[sword] vs 3d10kh2", "(2d10 + 1d8)[sword] vs 3d10kh2"),
        ("(5d6 net 3d6)*2", "(5d6 net 3d6) * 2"),
        ("5d8>=7 net 3d6", "5d8>=7 net 3d6"),
        # labels, variables, comments
        ("2d6[ fire  Storm ]+1[x]", "2d6[fire  Storm] + 1[x]"),
        ("(1+2)[a][b]", "(1 + 2)[a][b]"),
        ("-2[a]", "-2[a]"),
        ("(-2)[a]", "(-2)[a]"),
        ("@Muscle d6", "@muscle d6"),
        ("(@muscle)d6", "@muscle d6"),
        ("@{ muscle }d6", "@muscle d6"),
        ("@a.b+@_c1", "@a.b + @_c1"),
        ("d(@a)", "1d(@a)"),
        ("2d6 # A  narrow\nledge # slippery", "2d6 # A narrow ledge # slippery"),
        ("2d6#", "2d6"),
    ],
)
def test_what_people_type_is_read(text: str, rendered: str | None) -> None:
    if rendered is None:
        with pytest.raises(NotationError):
            parse(text, WORDS)
        return
    expression = parse(text, WORDS)
    assert render(expression) == rendered
    assert parse(rendered, WORDS) == expression


def test_everything_done_to_dice_has_its_own_place() -> None:
    assert node("4d6sdkh3kl1>=5f1!>4max5min2uro1ro2[fire]") == Labelled(
        Dice(
            4,
            Sides(6),
            Reroll(RerollKind.ONCE, (Compare(Comparison.EQUAL, 1), Compare(Comparison.EQUAL, 2))),
            True,
            2,
            5,
            Explode(ExplodeKind.NORMAL, Compare(Comparison.MORE, 4)),
            (Select(SelectKind.KEEP_HIGHEST, 3), Select(SelectKind.KEEP_LOWEST, 1)),
            (
                Count(CountKind.SUCCESS, Compare(Comparison.AT_LEAST, 5)),
                Count(CountKind.DEDUCT, Compare(Comparison.EQUAL, 1)),
            ),
            Sort.DESCENDING,
        ),
        "fire",
    )


def test_operators_bind_as_in_arithmetic() -> None:
    one, two, three = Number(1), Number(2), Number(3)
    assert node("1 - 2 - 3") == Binary(Operator.SUBTRACT, Binary(Operator.SUBTRACT, one, two), three)
    assert node("1 - 2 * 3") == Binary(Operator.SUBTRACT, one, Binary(Operator.MULTIPLY, two, three))
    assert node("-2 ** 3") == Negative(Binary(Operator.POWER, two, three))
    assert node("1 ** 2 ** 3") == Binary(Operator.POWER, one, Binary(Operator.POWER, two, three))
    assert node("-1 // 2") == Binary(Operator.FLOOR_DIVIDE, Negative(one), two)
    assert node("2d6 + d6 vs 3d6") == Versus(Binary(Operator.ADD, d(2, 6), d(1, 6)), d(3, 6))
    assert node("5d6 net d6 + d6") == Net(d(5, 6), Binary(Operator.ADD, d(1, 6), d(1, 6)))


def test_kinds_of_dice() -> None:
    assert node("4dF") == Dice(4, Fate())
    assert node("d[1,x,hit:2]") == Dice(1, Faces((Face("1", 1), Face("x", 0), Face("hit", 2))))
    assert node("3dfear") == Dice(3, Faces(WORDS.dice["fear"], "fear"))
    assert node("(d4)d(d6)") == Dice(d(1, 4), Sides(d(1, 6)))
    assert node("@x d6") == Dice(Variable("x"), Sides(6))


def test_numbers_are_exact() -> None:
    assert node("1.5") == Number(Fraction(3, 2))
    assert node("2.50") == Number(Fraction(5, 2))
    assert node("3.0") == Number(3)


def test_functions_and_groups_hold_their_members() -> None:
    assert node("min(1, 2, 3)") == Call(Function.MINIMUM, (Number(1), Number(2), Number(3)))
    assert node("{d4, 2}dl1") == Group((d(1, 4), Number(2)), (Select(SelectKind.DROP_LOWEST, 1),))


def test_the_longest_name_of_a_die_is_meant() -> None:
    lexicon = Lexicon(dice={"omen": (Face("a", 1),), "omens": (Face("b", 2),)})
    assert render(parse("domens + domenkh1", lexicon)) == "1domens + 1domen kh1"
    assert parse("2domen vs domens", lexicon).node == Versus(
        Dice(2, Faces((Face("a", 1),), "omen")), Dice(1, Faces((Face("b", 2),), "omens"))
    )


@pytest.mark.parametrize("name", ["boon", "dread_die", "fire", "fear", "fury"])
def test_a_die_may_have_a_name(name: str) -> None:
    assert is_die_name(name)
    assert render(parse(f"2d{name}", Lexicon(dice={name: (Face("x", 1),)}))) == f"2d{name}"


@pytest.mark.parametrize(
    "name", ["d", "ab", "Boon", "boon2", "_abc", "a" * 41, "lucky", "floor", "odd", "fkh", "fru"]
)
def test_a_word_of_the_notation_is_no_name_of_a_die(name: str) -> None:
    assert not is_die_name(name)


def test_a_lexicon_refuses_what_cannot_be_a_die() -> None:
    for dice in ({"x1": (Face("a", 1),)}, {"boon": ()}):
        with pytest.raises(ValueError):
            Lexicon(dice=dice)


# Errors

_OPERAND = ("a number", "dice such as '2d6'", "an opening bracket")
_BEHIND_DICE = ("a rule such as 'kh1'", "an operator", "end of text")
_KIND = ("a number", "'%'", "'F'", "'('", "'['", "the name of a die")


@pytest.mark.parametrize(
    ("text", "position", "found", "expected"),
    [
        ("", 0, "end of text", _OPERAND),
        ("  ", 2, "end of text", _OPERAND),
        ("2d", 2, "end of text", _KIND),
        ("2dx", 2, "'x'", _KIND),
        ("2d6 3", 4, "'3'", _BEHIND_DICE),
        ("2d6 k3h", 6, "'h'", _BEHIND_DICE),
        ("3 x", 2, "'x'", ("'d'", "an operator", "end of text")),
        ("(3 x)", 3, "'x'", ("'d'", "an operator", "a closing bracket")),
        ("1d6 + ", 6, "end of text", _OPERAND),
        ("1d6 + /", 6, "'/'", _OPERAND),
        ("boom(3)", 0, "'boom'", _OPERAND),
        ("(2d6", 4, "end of text", ("an operator", "')'")),
        ("(2d6}", 4, "'}'", ("an operator", "')'")),
        ("2d6)", 3, "')'", ("an operator", "end of text")),
        ("{2d6, 3", 7, "end of text", ("an operator", "'}'")),
        ("{}", 1, "'}'", _OPERAND),
        ("1, 2", 1, "','", ("an operator", "end of text")),
        ("floor 3", 6, "'3'", ("'('",)),
        ("floor(1, 2)", 9, "'2'", ("one argument of 'floor'",)),
        ("2d٣", 2, "'٣'", _KIND),
        ("d0", 1, "'0'", ("1 side or more",)),
        ("d(0)", 2, "'0'", ("1 side or more",)),
        ("2d6[fire", 8, "end of text", ("']'",)),
        ("2d6[a[b]]", 5, "'['", ("']'",)),
        ("2d6[ ]", 5, "']'", ("a label",)),
        ("2d6[a\x07]", 5, "'\\x07'", ("a label of printable signs",)),
        ("2d6 # a\x00", 7, "'\\x00'", ("a comment of printable signs",)),
        ("d[1,,2]", 4, "','", ("a label",)),
        ("d[a:b]", 4, "'b'", ("a whole number",)),
        ("d[a:]", 4, "']'", ("a whole number",)),
        ("@ d6", 1, "' '", ("the name of a variable",)),
        ("@{a d6", 1, "'{'", ("the name of a variable",)),
        ("@a.1", 2, "'.'", ("'d'", "an operator", "end of text")),
        ("lucky 3", 6, "'3'", ("an operator", "end of text")),
        ("lucky d12kh1", 9, "'kh1'", ("an operator", "end of text")),
        ("1.2345678", 0, "1.2345678", ("a number with at most 6 decimal places",)),
        # rules that do not go together
        ("2d6min", 3, "'min'", ("a number",)),
        ("2d6min1min2", 7, "'min2'", ("one lowest value",)),
        ("2d6!x", 4, "'x'", ("one explosion",)),
        ("2d6sasd", 5, "'sd'", ("one order",)),
        ("2d6r1ro2", 5, "'ro2'", ("rerolls that all happen once, or all until none is left",)),
        ("2d6kw", 3, "'kw'", ("a compare point such as '>=4'",)),
        ("2d6ms", 3, "'ms'", ("a compare point such as '>=12'",)),
        ("2d(d6)!", 6, "'!'", ("a compare point such as '>=5'",)),
        ("{2d6, 1}r1", 8, "'r1'", ("a rule for a group: keep, drop, count or sort",)),
        ("{2d6, 1}cs", 8, "'cs'", ("a compare point such as '>=5'",)),
        # opposed dice
        (
            "d6 vs d6 vs d6",
            9,
            "'vs'",
            ("an operator other than 'vs', 'net' and 'total'", "brackets around one of them"),
        ),
        ("6d10 vs 3", 8, "3", ("dice only",)),
        ("6d10 + 1 vs 3d10", 7, "1", ("dice only",)),
        ("6d10 * 2 vs 3d10", 5, "6d10 * 2", ("dice only",)),
        ("6d10 - d10 vs 3d10", 5, "6d10 - 1d10", ("dice only",)),
        ("6d10>=8 vs 3d10", 0, "6d10>=8", ("dice without a rule of counting",)),
        ("5d6 net 3d8", 8, "3d8", ("d6, or dice with a rule of counting such as '>=5'",)),
    ],
)
def test_an_error_says_where_what_and_what_instead(
    text: str, position: int, found: str, expected: tuple[str, ...]
) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert (caught.value.position, caught.value.found, caught.value.expected) == (position, found, expected)


def test_the_caret_stands_under_the_mistake() -> None:
    with pytest.raises(NotationError) as caught:
        parse("2d6\n+ ?")
    assert caught.value.caret == "2d6 + ?\n      ^"


def test_the_names_of_a_tables_own_dice_are_offered() -> None:
    with pytest.raises(NotationError) as caught:
        parse("2dbom", WORDS)
    assert caught.value.expected[-2:] == ("'boon'", "'fear'")


@given(
    st.from_regex(r"[0-9]{0,7}[dD][0-9]{1,8}([kKdD][hHlL][0-9]{0,3})?( ?[-+] ?[0-9]{1,8})?", fullmatch=True)
)
def test_what_is_read_at_one_stroke_is_what_the_grammar_reads(text: str) -> None:
    try:
        expected = parse_text(text, PLAIN)
    except NotationError:
        with pytest.raises(NotationError):
            parse(text)
        return
    assert parse(text) == expected
