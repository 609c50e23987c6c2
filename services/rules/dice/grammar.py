"""Reads a text: operands, and operators by how tightly they bind.

    expression = opposed [ "#" comment ]
    opposed    = sum [ ( "vs" | "net" | "total" sign ) sum ]
    sum        = product { ( "+" | "-" ) product }
    product    = signed { ( "*" | "/" | "//" | "%" ) signed }
    signed     = { "-" | "+" } power
    power      = operand [ "**" signed ]
    operand    = ( number | dice | group | bracket | variable | function | luck | mechanic ) { label }

One look at the text tells what an operand is; a second tells the rule, or the operator, behind it.
"""

from __future__ import annotations

from services.rules.dice.arguments import Misfit, known_arguments
from services.rules.dice.bind import folded
from services.rules.dice.dialect import TOTALS_D20
from services.rules.dice.fault import NotationError, NotationLimitError
from services.rules.dice.following import read_dice, read_group, read_set
from services.rules.dice.impossible import Impossible
from services.rules.dice.kinds import hundred, read_kind, sided
from services.rules.dice.lexer import NAME, OPERAND, found, spaced
from services.rules.dice.lexicon import Lexicon
from services.rules.dice.limits import check_rendered, refused
from services.rules.dice.measure import Excess, Survey
from services.rules.dice.pool import (
    Binary,
    Call,
    Comparison,
    Dice,
    DieKind,
    Expression,
    Function,
    MechanicCall,
    Negative,
    Net,
    Node,
    Number,
    Operator,
    Select,
    SelectKind,
    TargetCheck,
    Versus,
)
from services.rules.dice.reader import Reader
from services.rules.dice.remark import remark_at
from services.rules.dice.selectors import D20
from services.rules.dice.slips import BATCH, counted, spelling
from services.rules.dice.slips import hundred as hundred_slip

_WHOLE, _SUM, _PRODUCT = range(3)
_LEFT_TO_RIGHT = {
    "+": (_SUM, Operator.ADD),
    "-": (_SUM, Operator.SUBTRACT),
    "*": (_PRODUCT, Operator.MULTIPLY),
    "/": (_PRODUCT, Operator.DIVIDE),
    "//": (_PRODUCT, Operator.FLOOR_DIVIDE),
    "%": (_PRODUCT, Operator.MODULO),
}
_FUNCTIONS = {function.value: function for function in Function}
_WITH_MANY = (Function.MINIMUM, Function.MAXIMUM)
_LUCK = {"lucky": SelectKind.KEEP_HIGHEST, "unlucky": SelectKind.KEEP_LOWEST}
_OPPOSING = ("vs", "net", "total")
_NAMED = "'vs', 'net' and 'total'"
_OPERAND_EXPECTED = ("a number", "dice such as '2d6'", "an opening bracket")

# A sign of the text becomes at most so many of the rendered one: `f` may become `df=-1000000`.
_GROWTH = 12


def parse_text(text: str, lexicon: Lexicon) -> Expression:
    """Reads an expression and checks all limits; see `services.rules.dice.notation.parse`."""
    limits = lexicon.limits
    if len(text) > limits.text:
        # The long text itself stays out of the error: it may be handed on to logs and clients.
        raise NotationLimitError(text[: limits.text], limits.text, f"{len(text)} signs", "text", limits.text)
    try:
        return _parsed(text, lexicon)
    except NotationLimitError:
        raise
    except NotationError as error:
        start = remark_at(text, error.position, lexicon.dialect)
        if start is None:
            raise
        expression = _parsed(text[:start], lexicon)
        comment = _comment(text, start).removeprefix("\\").strip()
        remarked = Expression(expression.node, comment)
        check_rendered(remarked, limits)
        return remarked


def _parsed(text: str, lexicon: Lexicon) -> Expression:
    """Reads an expression to the last sign of a text."""
    limits = lexicon.limits
    reader = Reader(text, lexicon)
    node = _opposed(reader)
    if reader.sign == "#":
        at = counted(reader.text)
        if at is not None:
            reader.fail(at, BATCH)
        expression = Expression(node, _comment(reader.typed, reader.place))
    elif reader.sign:
        reader.place = reader.at
        reader.misplaced()
    else:
        expression = Expression(node)
    try:
        Survey(limits, lexicon.mechanics).bounds(node)
    except (Excess, Impossible) as trouble:
        raise refused(trouble, limits, text, reader.place_of_trouble(trouble)) from None
    if len(text) * _GROWTH > limits.text:
        check_rendered(expression, limits)
    return expression


def _comment(typed: str, place: int) -> str:
    """What stands from a place on, with one blank between words."""
    written = spaced(typed[place:])
    for index, sign in enumerate(written):
        if not (sign.isprintable() or sign.isspace()):
            shown = found(typed, place + index)
            raise NotationError(typed, place + index, shown, ("a comment of printable signs",))
    return " ".join(written.split())


def _opposed(reader: Reader) -> Node:
    left = _operation(reader, _SUM)
    sign, place = reader.sign, reader.at
    node: Node
    match sign:
        case "vs":
            node = Versus(left, _operation(reader, _SUM))
        case "net":
            node = Net(left, _operation(reader, _SUM))
        case "total":
            node = TargetCheck(left, _comparison(reader), _operation(reader, _SUM))
        case _ if sign in TOTALS_D20:
            node = TargetCheck(left, TOTALS_D20[sign], _operation(reader, _SUM))
        case _:
            return left
    if reader.sign in _OPPOSING or reader.sign in TOTALS_D20:
        reader.fail(reader.at, f"an operator other than {_NAMED}", "brackets around one of them")
    reader.note(node, place)
    return node


def _comparison(reader: Reader) -> Comparison:
    """How a total is compared: the sign behind `total`."""
    place = reader.skipped(reader.place)
    for length in (2, 1):
        sign = reader.text[place : place + length]
        if sign in reader.words.comparisons:
            reader.place = place + length
            return reader.words.comparisons[sign]
    reader.fail(place, "a comparison such as '>=12'")


def _operation(reader: Reader, rank: int) -> Node:
    """Operands and operators that bind at least as tightly as a rank."""
    left = _powered(reader)
    while (told := _LEFT_TO_RIGHT.get(reader.sign)) is not None and told[0] >= rank:
        place = reader.at
        reader.operators += 1
        if reader.operators * 2 >= reader.limits.nodes:
            # Here, because a chain of any length is one level: nothing else would stop it.
            raise reader.beyond(place, "nodes", f"{reader.operators * 2 + 1} parts")
        left = Binary(told[1], left, _operation(reader, told[0] + 1))
        reader.note(left, place)
    return left


def _powered(reader: Reader) -> Node:
    """An operand and its exponent: `2 ** 3 ** 2` is read from the right, `-2 ** 2` is -4."""
    node = _operand(reader)
    if reader.sign != "**":
        return node
    place = reader.at
    power = Binary(Operator.POWER, node, reader.deeper(place, _powered))
    reader.note(power, place)
    return power


def _operand(reader: Reader) -> Node:
    match = OPERAND.match(reader.text, reader.place)
    if match is None:
        slip = hundred_slip(reader.text) if reader.skipped(reader.place) == len(reader.text) else None
        if slip is not None:
            reader.fail(slip[0], *slip[1])
        reader.fail(reader.skipped(reader.place), *_OPERAND_EXPECTED)
    group = match.lastindex
    reader.place = match.end()
    if group == 4:
        place = match.start(4)
        return _followed(reader, Number(reader.value(match[4], place)), place)
    if group == 5:
        return _other_operand(reader, match[5], match.start(5))
    digits = match[1]
    count = 1 if digits is None else reader.whole(digits, match.start(1))
    kind = hundred(reader) if group == 3 else sided(reader.sides(match[2], match.start(2)))
    return read_dice(reader, count, kind, match.start(), _opposed)


def _other_operand(reader: Reader, sign: str, place: int) -> Node:
    match sign:
        case "-":
            node = Negative(reader.deeper(place, _powered))
            reader.note(node, place)
            return node
        case "+":
            return reader.deeper(place, _powered)
        case "(":
            return _bracket(reader, place)
        case "{":
            if reader.words is D20:
                reader.fail(place, *_OPERAND_EXPECTED, "round brackets around a set of d20")
            return read_group(reader, _list(reader, place, "}"), place, _opposed)
        case "@":
            return _followed(reader, reader.variable(), place)
        case _:
            return _word(reader, place)


def _followed(reader: Reader, node: Node, place: int) -> Node:
    """What stands behind a number, a variable or a bracket: `d` and a kind of die, a label, an operator."""
    match = reader.after_operand.match(reader.text, reader.place)
    if match is None:
        reader.misplaced("'d'")
    if match.lastindex == 3:
        reader.place = match.end()
        return _dice(reader, folded(node, least=0), place)
    return reader.followed(node, place, match[1], match.start(match.lastindex or 1), match.end())


def _dice(reader: Reader, count: int | Node, place: int) -> Node:
    kind: DieKind = read_kind(reader, _opposed)
    return read_dice(reader, count, kind, place, _opposed)


def _bracket(reader: Reader, place: int) -> Node:
    members = [reader.deeper(place, _opposed)]
    comma = False
    while reader.words is D20 and reader.sign == ",":
        comma = True
        if reader.takes(")"):
            reader.sign = ")"
            break
        members.append(reader.deeper(place, _opposed))
    reader.close(")")
    if reader.words is D20:
        group = read_set(reader, tuple(members), place, comma=comma)
        if group is not None:
            return group
    return _followed(reader, members[0], place)


def _list(reader: Reader, place: int, closing: str) -> tuple[Node, ...]:
    """Expressions with commas between them, and the closing sign."""
    members = [reader.deeper(place, _opposed)]
    while reader.sign == ",":
        members.append(reader.deeper(place, _opposed))
    reader.close(closing)
    return tuple(members)


def _word(reader: Reader, place: int) -> Node:
    """A game's own roll, a function, a die without a number of dice, or luck."""
    slip = spelling(reader.text, place)
    if slip:
        reader.fail(place, *slip)
    match = NAME.match(reader.text, place)
    assert match is not None
    word = match[1]
    reader.place = match.end()
    if match[2] is not None:
        return _mechanic(reader, f"{word}:{match[3]}", place)
    function = _FUNCTIONS.get(word)
    if function is not None:
        arguments = _list(reader, reader.take("("), ")")
        if len(arguments) > 1 and function not in _WITH_MANY:
            reader.fail(reader.place_of(arguments[1]), f"one argument of '{word}'")
        return reader.ended(Call(function, arguments), place)
    if word[0] == "d":
        reader.place = place + 1
        return _dice(reader, 1, place)
    for luck, kept in _LUCK.items():
        if word.startswith(luck):
            reader.place = place + len(luck)
            kind: DieKind = read_kind(reader, _opposed) if reader.takes("d") else sided(20)
            return reader.ended(Dice(2, kind, select=(Select(kept, 1),)), place)
    reader.fail(place, *_OPERAND_EXPECTED)


def _mechanic(reader: Reader, name: str, place: int) -> Node:
    mechanics = reader.lexicon.mechanics
    mechanic = mechanics.get(name)
    if mechanic is None:
        system = name.partition(":")[0]
        near = [repr(known) for known in mechanics if known.startswith(f"{system}:")]
        reader.fail(place, *(near or ["the name of a game's roll"]), shown=repr(name))
    opening = reader.take("(")
    arguments = () if reader.takes(")") else _list(reader, opening, ")")
    node = MechanicCall(name, arguments)
    try:
        known_arguments(node, mechanic)
    except Misfit as misfit:
        raise reader.misfit(misfit, arguments, reader.place - 1) from None
    return reader.ended(node, place)
