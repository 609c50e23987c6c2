"""Variables, and the arguments of the games' own rolls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.dice.mechanic import (
    Arguments,
    Mechanic,
    Parameter,
    ParameterKind,
    Reading,
    ReadingOdds,
    Rolled,
)
from services.rules.dice.notation import (
    ArgumentError,
    Lexicon,
    NotationError,
    NotationLimitError,
    UnknownVariableError,
    bind,
    bound_arguments,
    check,
    measure,
    parse,
    render,
    variables,
)
from services.rules.dice.pool import Dice, Expression, MechanicCall, Sides, Value
from tests.rules.dice.strategies import WORDS, expressions


def _pools(arguments: Arguments) -> tuple[Dice, ...]:
    return (
        Dice(_number(arguments, "action"), Sides(10)),
        Dice(max(0, _number(arguments, "defence")), Sides(10)),
    )


def _own_pools(arguments: Arguments) -> tuple[Dice, ...]:
    sides = arguments["dice"]
    assert isinstance(sides, tuple)
    return tuple(Dice(1, Sides(count)) for count in sides)


def _number(arguments: Arguments, name: str) -> int:
    value = arguments[name]
    assert isinstance(value, int)
    return value


def _read(arguments: Arguments, rolled: Rolled) -> Reading:
    return Reading(sum(map(sum, rolled)), "success")


def _odds(arguments: Arguments) -> ReadingOdds:
    return {(0, "success"): Fraction(1)}


def _mechanic(name: str, parameters: tuple[Parameter, ...], own_dice: bool) -> Mechanic:
    pools = _own_pools if own_dice else _pools
    return Mechanic(name, name, "", "", parameters, ("success",), pools, _read, _odds)


OPPOSED = _mechanic(
    "game_one:opposed",
    (Parameter("action", "", 0, 40), Parameter("defence", "", -2, 40, default=3)),
    own_dice=False,
)
CONFLICT = _mechanic(
    "dwarfish:conflict",
    (Parameter("dice", "", 1, 5, kind=ParameterKind.DICE), Parameter("power", "", 0, 99, default=9)),
    own_dice=True,
)
GAMES = Lexicon(dice=WORDS.dice, mechanics={roll.name: roll for roll in (OPPOSED, CONFLICT)})


def bound(text: str, **values: Value) -> str:
    return render(bind(parse(text), values))


def test_variables_are_named_in_their_order_and_once() -> None:
    assert variables(parse("@b + @a d6 + d(@c) + max(@b, @d.e)[@]")) == ("b", "a", "c", "d.e")
    assert variables(parse("2d6 + 1")) == ()


@pytest.mark.parametrize(
    ("text", "values", "rendered"),
    [
        ("@muscle d6 + @bonus", {"muscle": 4, "bonus": 2}, "4d6 + 2"),
        ("@a", {"a": -3, "other": 1}, "-3"),
        ("1 - @a", {"a": -3}, "1 - -3"),
        ("@a ** 2", {"a": -3}, "(-3) ** 2"),
        ("@a * 2", {"a": Fraction(5, 2)}, "2.5 * 2"),
        ("@a * 2", {"a": Fraction(4, 2)}, "2 * 2"),
        ("6 / @a", {"a": Fraction(1, 3)}, "6 / (1 / 3)"),
        ("@a", {"a": Fraction(-1, 3)}, "-(1 / 3)"),
        ("@a", {"a": Fraction(1, 2**7)}, "1 / 128"),
        ("d(@a) + (@a + 1)d6", {"a": 8}, "1d8 + (8 + 1)d6"),
        ("2d(@a)kh1", {"a": 8}, "2d8kh1"),
        ("{@a d6, -@a}kh1 # @a", {"a": 2}, "{2d6, -2}kh1 # @a"),
        ("@a d6 vs 2d6", {"a": 0}, "0d6 vs 2d6"),
        ("floor(@a[x] / 2)", {"a": 3}, "floor(3[x] / 2)"),
        ("@a d6kh3", {"a": 2}, "2d6kh2"),
        ("@a d6dl3kh1", {"a": 4}, "4d6dl3kh1"),
        ("@a d6dl3kh1", {"a": 2}, "2d6dl2kh0"),
        ("(@a + 1)d6kh3", {"a": 1}, "(1 + 1)d6kh2"),
        ("{@a d6 + d8 - 1}kh4", {"a": 2}, "{2d6 + 1d8 - 1}kh3"),
        ("d100<=@a", {"a": 35}, "1d100<=35"),
        ("5d10r<@a kh2>=(@a + 5)f(@a - 2)", {"a": 3}, "5d10r<3kh2>=8df=1"),
        ("4d6!=@a kw>@a", {"a": -2}, "4d6!=-2kw>-2"),
        ("{2d6, d12}cs=@a", {"a": 7}, "{2d6, 1d12}cs=7"),
        ("d20 + @a total>=@b", {"a": -1, "b": 12}, "1d20 + -1 total>=12"),
    ],
)
def test_variables_become_numbers(text: str, values: Mapping[str, Value], rendered: str) -> None:
    expression = bind(parse(text), values)
    assert render(expression) == rendered
    assert variables(expression) == ()
    assert parse(rendered) == expression


@given(expressions(variables=True), st.fixed_dictionaries({}), st.data())
def test_a_bound_expression_reads_back_as_itself(
    expression: Expression, values: dict[str, Value], data: st.DataObject
) -> None:
    numbers = st.integers(-5, 8) | st.fractions(-3, 3, max_denominator=8)
    for name in variables(expression):
        drawn = data.draw(numbers)
        values[name] = int(drawn) if drawn.denominator == 1 else drawn
    done = bind(expression, values)
    try:
        check(done)
    except NotationError as error:
        assert 0 <= error.position <= len(error.text)
        return
    assert parse(render(done), WORDS) == done


def test_all_variables_without_a_value_are_named() -> None:
    with pytest.raises(UnknownVariableError) as caught:
        bind(parse("@a d6 + @b + @c"), {"b": 1})
    assert caught.value.names == ("a", "c")
    assert "@a, @c" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "values", "shown", "position", "found"),
    [
        ("@a d6", {"a": 1001}, "1001d6", 0, "1001 dice"),
        ("1 + @a d6", {"a": 1001}, "1 + 1001d6", 4, "1001 dice"),
        ("1 + @a d6", {"a": -1}, "1 + (-1)d6", 4, "at most -1"),
        ("1 + @a d6", {"a": Fraction(1, 2)}, "1 + (0.5)d6", 4, "0.5"),
        ("2d(@a)", {"a": 0}, "2d(0)", 0, "0"),
        ("2d(@a)", {"a": 1_000_001}, "2d1000001", 0, "1000001"),
        ("1 + d6r<=@a", {"a": 6}, "1 + 1d6r<=6", 4, "a reroll of all 6 faces"),
        ("3d6>=@a", {"a": Fraction(5, 2)}, "3d6>=(2.5)", 6, "2.5"),
        ("3d6>=@a", {"a": 1_000_001}, "3d6>=1000001", 0, "1000001"),
        ("1 / @a", {"a": 0}, "1 / 0", 4, "0"),
        ("2 ** @a", {"a": -1}, "2 ** -1", 5, "at most -1"),
        ("@a * @a", {"a": 1_000_000}, "1000000 * 1000000", 0, "up to 1000000000000"),
        ("@a", {"a": 1_000_001}, "1000001", 0, "1000001"),
    ],
)
def test_what_variables_make_too_much_or_impossible_is_found_when_it_is_checked_again(
    text: str, values: Mapping[str, Value], shown: str, position: int, found: str
) -> None:
    with pytest.raises(NotationError) as caught:
        check(bind(parse(text), values), text=text)
    assert (caught.value.text, caught.value.position, caught.value.found) == (shown, position, found)


def test_an_error_points_into_the_text_that_was_typed_where_the_part_stands_in_it() -> None:
    text = "@a d6 + 2d6kh1"
    with pytest.raises(NotationLimitError) as caught:
        check(bind(parse(text), {"a": 999}), text=text)
    assert (caught.value.text, caught.value.position) == (text, 8)


def test_an_expression_without_variables_is_left_as_it_is() -> None:
    expression = parse("2d6 + 3")
    assert bind(expression, {"a": 1}) is expression


def test_a_bound_text_that_grows_too_long_is_refused() -> None:
    text = "+".join(["@a"] * 90)
    with pytest.raises(NotationLimitError) as caught:
        check(bind(parse(text), {"a": 999_999}))
    assert caught.value.limit == "text"


# Arguments


def call(text: str) -> MechanicCall:
    node = parse(text, GAMES).node
    assert isinstance(node, MechanicCall)
    return node


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("game_one:opposed(6, 4)", {"action": 6, "defence": 4}),
        ("GAME_ONE : Opposed ( 6 )", {"action": 6, "defence": 3}),
        ("game_one:opposed(6, -2)", {"action": 6, "defence": -2}),
        ("game_one:opposed((6)[might], 0)", {"action": 6, "defence": 0}),
    ],
)
def test_numbers_are_given_by_name_and_left_out_ones_filled_in(text: str, arguments: dict[str, int]) -> None:
    assert bound_arguments(call(text), OPPOSED) == arguments
    assert parse(render(parse(text, GAMES)), GAMES) == parse(text, GAMES)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("dwarfish:conflict(d8 + 2d6)", (8, 6, 6)),
        ("dwarfish:conflict(d8[bow] + (d6 + d4), 9)", (8, 6, 4)),
    ],
)
def test_dice_are_given_as_their_sides_in_the_order_written(text: str, sides: tuple[int, ...]) -> None:
    assert bound_arguments(call(text), CONFLICT) == {"dice": sides, "power": 9}


@pytest.mark.parametrize(
    ("text", "position", "found", "parameter", "allowed"),
    [
        ("1 + game_one:opposed()", 21, "no argument", "action", "a whole number from 0 to 40"),
        ("game_one:opposed(41)", 17, "41", "action", "a whole number from 0 to 40"),
        ("game_one:opposed(1, -3)", 20, "-3", "defence", "a whole number from -2 to 40"),
        ("game_one:opposed(1, 2, 3)", 23, "3", "game_one:opposed", "at most 2 arguments"),
        ("game_one:opposed(d6)", 17, "1d6", "action", "a whole number from 0 to 40"),
        ("game_one:opposed(1.5)", 17, "1.5", "action", "a whole number from 0 to 40"),
        ("game_one:opposed(1 + 1)", 19, "1 + 1", "action", "a whole number from 0 to 40"),
        ("dwarfish:conflict(6)", 18, "6", "dice", "plain dice, in number from 1 to 5"),
        ("dwarfish:conflict(6d6)", 18, "6d6", "dice", "plain dice, in number from 1 to 5"),
        ("dwarfish:conflict(3d6 + 3d6)", 22, "3d6 + 3d6", "dice", "plain dice, in number from 1 to 5"),
        ("dwarfish:conflict(999999d6)", 18, "999999d6", "dice", "plain dice, in number from 1 to 5"),
        ("dwarfish:conflict(d6kh1)", 18, "1d6kh1", "dice", "plain dice, in number from 1 to 5"),
        ("dwarfish:conflict(dF)", 18, "1dF", "dice", "plain dice, in number from 1 to 5"),
        ("dwarfish:conflict(0d6)", 18, "0d6", "dice", "plain dice, in number from 1 to 5"),
    ],
)
def test_an_argument_that_does_not_fit_is_named_with_what_is_allowed(
    text: str, position: int, found: str, parameter: str, allowed: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse(text, GAMES)
    error = caught.value
    assert (error.position, error.found, error.parameter, error.allowed) == (
        position,
        found,
        parameter,
        allowed,
    )


def test_an_argument_may_be_a_variable_and_is_checked_when_it_is_bound() -> None:
    expression = parse("game_one:opposed(@a, -@b)", GAMES)
    assert variables(expression) == ("a", "b")
    node = bind(expression, {"a": 5, "b": 2}).node
    assert isinstance(node, MechanicCall)
    assert bound_arguments(node, OPPOSED) == {"action": 5, "defence": -2}
    too_much = bind(expression, {"a": 5, "b": 20}).node
    assert isinstance(too_much, MechanicCall)
    with pytest.raises(ArgumentError) as caught:
        bound_arguments(too_much, OPPOSED)
    assert (caught.value.text, caught.value.position) == ("game_one:opposed(5, -20)", 20)
    assert isinstance(expression.node, MechanicCall)
    with pytest.raises(ArgumentError):
        bound_arguments(expression.node, OPPOSED)


def test_dice_given_as_an_argument_may_have_variables() -> None:
    expression = parse("dwarfish:conflict(@n d6 + d(@s))", GAMES)
    node = bind(expression, {"n": 2, "s": 8}).node
    assert isinstance(node, MechanicCall)
    assert bound_arguments(node, CONFLICT)["dice"] == (6, 6, 8)


@pytest.mark.parametrize(
    ("text", "position", "found"),
    [
        ("1 + game_one:oposed(1, 2)", 4, "'game_one:oposed'"),
        ("other:thing(1)", 0, "'other:thing'"),
        ("game_one:opposed 3", 17, "'3'"),
        ("game_one:opposed(1", 18, "end of text"),
        ("game_one:", 0, "'game_one'"),
    ],
)
def test_a_roll_that_is_not_there_or_not_called_is_refused(text: str, position: int, found: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text, GAMES)
    assert (caught.value.position, caught.value.found) == (position, found)
    if "oposed" in text:
        assert caught.value.expected == ("'game_one:opposed'",)


def test_the_dice_of_a_games_roll_count_against_the_limits() -> None:
    mechanics = GAMES.mechanics
    assert measure(call("game_one:opposed(6, 4)"), mechanics).dice == 10
    assert measure(call("dwarfish:conflict(d8 + 2d6)"), mechanics).dice == 3
    with pytest.raises(NotationLimitError) as caught:
        parse("+".join(["game_one:opposed(40,40)"] * 13), GAMES)
    assert caught.value.limit == "dice"
