"""A text and a place in it: what every part of the parser shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from services.rules.dice.arguments import Misfit
from services.rules.dice.dialect import Words, words_of
from services.rules.dice.fault import ArgumentError, NotationError, NotationLimitError
from services.rules.dice.impossible import Impossible
from services.rules.dice.lexer import (
    AFTER_ALL,
    AFTER_ALL_D20,
    AFTER_OPERAND,
    AFTER_OPERAND_D20,
    BLANKS,
    END,
    LABEL,
    PLACES,
    VARIABLE,
    decimal,
    found,
    small,
    spaced,
    whole,
)
from services.rules.dice.lexicon import Dialect, Lexicon
from services.rules.dice.measure import Excess
from services.rules.dice.pool import Labelled, Node, Value, Variable
from services.rules.dice.rules import Rules
from services.rules.dice.selectors import D20
from services.rules.dice.slips import spelling

_OURS = words_of(Dialect.HEARTHFORGE)
_FEW = 10
"""Numbers with fewer digits are made at once; longer ones are looked at before."""


class Reader:
    """A text, a place in it, and where each node was read.

    After each operand the sign that follows it has been read already.

    Attributes:
        typed: The text as it was typed.
        text: The same in small letters.
        lexicon: What words mean.
        limits: How much may be asked for.
        words: The words behind dice.
        after_all: What may stand behind what takes neither rules nor a `d`.
        after_operand: What may stand behind what is no dice.
        place: The next sign to look at.
        sign: What follows the last operand: an operator, a closing sign, `,`, `#`, or "" at the end.
        at: Where that stands.
    """

    __slots__ = (
        "_nesting",
        "_places",
        "_rules",
        "after_all",
        "after_operand",
        "at",
        "lexicon",
        "limits",
        "operators",
        "place",
        "sign",
        "text",
        "typed",
        "words",
    )

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.typed = text
        self.text = small(text)
        self.lexicon = lexicon
        self.limits = lexicon.limits
        dialect = lexicon.dialect
        if dialect is Dialect.HEARTHFORGE:
            self.words: Words = _OURS
        else:
            self.words = D20 if dialect is Dialect.D20 else words_of(dialect)
        as_d20 = self.words is D20
        self.after_all = AFTER_ALL_D20 if as_d20 else AFTER_ALL
        self.after_operand = AFTER_OPERAND_D20 if as_d20 else AFTER_OPERAND
        self.place = 0
        self.sign = ""
        self.at = 0
        self.operators = 0
        self._nesting = 0
        self._places: dict[int, int] = {}
        self._rules: dict[int, Rules] = {}

    # Where nodes were read

    def note(self, node: Node, place: int, rules: Rules | None = None) -> None:
        """Remembers where a node was read. Nodes live as long as the reader, so that they are known by id."""
        self._places[id(node)] = place
        if rules is not None:
            self._rules[id(node)] = rules

    def place_of(self, node: Node, part: str | int | None = None) -> int:
        """Where a node, or a part of it, stands."""
        rules = self._rules.get(id(node))
        if rules is not None and part in rules.places:
            return rules.places[part]
        return self.skipped(self._places.get(id(node), 0))

    # What stands next

    def skipped(self, place: int) -> int:
        """The first place from here on that is no blank."""
        match = BLANKS.match(self.text, place)
        return place if match is None else match.end()

    def takes(self, sign: str) -> bool:
        """Whether a sign stands next, which is then taken."""
        place = self.skipped(self.place)
        if not self.text.startswith(sign, place):
            return False
        self.place = place + len(sign)
        return True

    def take(self, sign: str) -> int:
        """Takes a sign that must stand next, and tells where."""
        if not self.takes(sign):
            self.fail(self.skipped(self.place), repr(sign))
        return self.place - len(sign)

    def close(self, closing: str) -> None:
        """Expects that the last operand was followed by a closing sign."""
        if self.sign != closing:
            self.fail(self.at, "an operator", repr(closing))

    def deeper(self, place: int, read: Callable[[Reader], Node]) -> Node:
        """Reads something one level deeper."""
        if self._nesting >= self.limits.depth:
            raise self.beyond(place, "depth", f"level {self._nesting + 1}")
        self._nesting += 1
        node = read(self)
        self._nesting -= 1
        return node

    # What stands behind an operand

    def followed(self, node: Node, place: int, sign: str | None, at: int, end: int) -> Node:
        """Takes the sign behind an operand; None for a label, which is read first.

        Returns:
            The node, with its label.
        """
        self._places[id(node)] = place
        self.place = end
        if sign is None:
            return self.deeper(at, lambda reader: reader._labelled(node, place))
        self.sign = sign
        self.at = at
        return node

    def ended(self, node: Node, place: int) -> Node:
        """A node that takes neither rules nor a `d`: a label may follow, then an operator."""
        match = self.after_all.match(self.text, self.place)
        if match is None:
            self.misplaced()
        return self.followed(node, place, match[1], match.start(match.lastindex or 1), match.end())

    def _labelled(self, node: Node, place: int) -> Node:
        written, start = self.bracketed()
        return self.ended(Labelled(node, self.label(written, start)), place)

    def bracketed(self) -> tuple[str, int]:
        """What stands from here to the next `]`, as it was typed, and where it begins."""
        start = self.place
        match = LABEL.match(self.typed, start)
        if match is None:
            inner = self.typed.find("[", start)
            self.fail(len(self.typed) if inner < 0 else inner, "']'")
        self.place = match.end()
        return match[1], start

    def label(self, written: str, start: int) -> str:
        """A label without the blanks around it."""
        label = spaced(written).strip(" \t\r\n")
        if not label:
            self.fail(self.skipped(start), "a label")
        if not label.isprintable():
            wrong = next(index for index, sign in enumerate(label) if not sign.isprintable())
            self.fail(start + spaced(written).index(label) + wrong, "a label of printable signs")
        return label

    def variable(self) -> Variable:
        """A variable behind its `@`."""
        match = VARIABLE.match(self.text, self.place)
        if match is None:
            self.fail(self.place, "the name of a variable")
        self.place = match.end()
        return Variable(match[2])

    # Numbers

    def whole(self, digits: str, place: int) -> int:
        """A whole number, perhaps below 0."""
        allowed = self.limits.number
        if len(digits) < _FEW and -allowed <= (number := int(digits)) <= allowed:
            return number
        below = digits[0] == "-"
        size = whole(digits[below:], allowed)
        if size is None:
            raise self.beyond(place, "number", digits[:20])
        return -size if below else size

    def sides(self, digits: str, place: int) -> int:
        """A number of sides."""
        allowed = self.limits.sides
        if len(digits) < _FEW and 1 <= (number := int(digits)) <= allowed:
            return number
        sides = whole(digits, allowed)
        if sides is None:
            raise self.beyond(place, "sides", digits[:20])
        if sides < 1:
            self.fail(place, "1 side or more")
        return sides

    def value(self, digits: str, place: int) -> Value:
        """A number that may have decimal places."""
        if "." not in digits:
            return self.whole(digits, place)
        number = decimal(digits, self.limits.number)
        if number is None:
            before, _, behind = digits.partition(".")
            if whole(before, self.limits.number) is not None and len(behind.rstrip("0")) > PLACES:
                self.fail(place, f"a number with at most {PLACES} decimal places", shown=digits[:20])
            raise self.beyond(place, "number", digits[:20])
        return number

    # Errors

    def fail(self, place: int, *expected: str, shown: str | None = None) -> NoReturn:
        """Refuses what stands at a place."""
        raise NotationError(self.typed, place, found(self.typed, place) if shown is None else shown, expected)

    def misplaced(self, *expected: str) -> NoReturn:
        """Refuses what stands where an operator or the end should."""
        place = self.skipped(self.place)
        slip = spelling(self.text, place)
        if slip:
            self.fail(place, *slip)
        closing = "a closing bracket" if self._nesting else END
        self.fail(place, *expected, "an operator", closing)

    def beyond(self, place: int, limit: str, shown: str) -> NotationLimitError:
        """The error that something goes beyond a limit."""
        return NotationLimitError(self.typed, place, shown, limit, getattr(self.limits, limit))

    def misfit(self, misfit: Misfit, arguments: tuple[Node, ...], closing: int) -> ArgumentError:
        """The error that an argument does not fit; one that is missing is missed at the closing bracket."""
        given = misfit.index < len(arguments)
        place = self.place_of(arguments[misfit.index]) if given else closing
        return ArgumentError(self.typed, place, misfit.found, misfit.parameter, misfit.allowed)

    def place_of_trouble(self, trouble: Excess | Impossible) -> int:
        """Where that stands which is too much or cannot be."""
        return self.place_of(trouble.node, trouble.part if isinstance(trouble, Impossible) else None)
