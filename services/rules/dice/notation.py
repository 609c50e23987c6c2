"""Text to pool and back: `4d6kh3 + 2`, `d20`, `d% - 1`.

    pool  = [sign] term { sign term }
    term  = number | [number] "d" ( number | "%" ) [ ("kh" | "kl") [number] ]
    sign  = "+" | "-"

Case and blanks do not matter. A missing number of dice, or of dice kept, is 1. Whatever `parse` accepts is
within `LIMITS`, and `parse(render(pool)) == pool` for every pool within them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.rules.dice.pool import Constant, DiceTerm, Keep, KeepEnd, Pool, Sign, SignedTerm, Term


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one text may ask for; checked before anything is rolled.

    Attributes:
        text: Signs in the text.
        terms: Terms in the sum.
        dice: Dice in all terms together.
        sides: Sides of a die.
        number: Size of a constant. With the others it keeps every total within 32 bits.
    """

    text: int = 500
    terms: int = 100
    dice: int = 1_000
    sides: int = 1_000_000
    number: int = 1_000_000


LIMITS = Limits()


class NotationError(ValueError):
    """Text that is no dice notation.

    Attributes:
        text: The whole text.
        position: Where it goes wrong, counted from 0; the text's length at its end.
        found: What stands there, or "end of text".
        expected: What could stand there instead.
    """

    def __init__(self, text: str, position: int, found: str, expected: tuple[str, ...]) -> None:
        self.text = text
        self.position = position
        self.found = found
        self.expected = expected
        super().__init__(f"at {position}: found {found}, expected {' or '.join(expected)}")

    @property
    def caret(self) -> str:
        """The text, and below it a caret at the position; fit for a fixed-width font."""
        shown = "".join(sign if sign.isprintable() else " " for sign in self.text)
        return f"{shown}\n{' ' * self.position}^"


class NotationLimitError(NotationError):
    """Notation that asks for too much.

    Attributes:
        limit: Name of the limit, as in `Limits`.
        allowed: The most it may be.
    """

    def __init__(self, text: str, position: int, found: str, limit: str, allowed: int) -> None:
        self.limit = limit
        self.allowed = allowed
        super().__init__(text, position, found, (f"at most {allowed} ({limit})",))


def parse(text: str, limits: Limits = LIMITS) -> Pool:
    """Reads a pool.

    Raises:
        NotationLimitError: It asks for more than the limits.
        NotationError: It is no dice notation.
    """
    if len(text) > limits.text:
        # The long text itself stays out of the error: it may be handed on to logs and clients.
        raise NotationLimitError(text[: limits.text], limits.text, f"{len(text)} signs", "text", limits.text)
    return _Reader(text, limits).pool()


def render(pool: Pool) -> str:
    """The pool as text: `2d20kh1 - 1d4 + 3`."""
    text = ""
    for index, item in enumerate(pool.terms):
        if index:
            text += " + " if item.sign is Sign.PLUS else " - "
        elif item.sign is Sign.MINUS:
            text += "-"
        text += render_term(item.term)
    return text


def render_term(term: Term) -> str:
    """One term as text, without its sign."""
    if isinstance(term, Constant):
        return str(term.value)
    kept = "" if term.keep is None else f"{term.keep.end.value}{term.keep.count}"
    return f"{term.count}d{term.sides}{kept}"


_TOKEN = re.compile(r"[ \t\r\n]*(?:(?P<number>[0-9]+)|(?P<keep>kh|kl)|(?P<sign>[-+d%]))", re.IGNORECASE)
_BLANK = re.compile(r"[ \t\r\n]*")
_END = "end of text"
_NUMBER = "a number"


@dataclass(slots=True)
class _Reader:
    """A reader with one place in the text; each method takes what it names or leaves the place as it was."""

    text: str
    limits: Limits
    place: int = 0
    dice: int = 0

    def pool(self) -> Pool:
        sign = self._sign() or Sign.PLUS
        terms = [SignedTerm(self._term(("a number", "'d'")), sign)]
        while (next_sign := self._sign()) is not None:
            if len(terms) == self.limits.terms:
                raise NotationLimitError(
                    self.text, self.place, f"term {len(terms) + 1}", "terms", self.limits.terms
                )
            terms.append(SignedTerm(self._term(("a number", "'d'")), next_sign))
        if self._start() < len(self.text):
            raise self._error(self._after(terms[-1].term))
        return Pool(tuple(terms))

    def _after(self, term: Term) -> tuple[str, ...]:
        signs = ("'+'", "'-'", _END)
        if isinstance(term, Constant):
            return ("'d'", *signs)
        return ("'kh'", "'kl'", *signs) if term.keep is None else signs

    def _term(self, expected: tuple[str, ...]) -> Term:
        start = self._start()
        number = self._number("number", self.limits.number)
        if self._take("sign", "d") is None:
            if number is None:
                raise self._error(expected)
            return Constant(number)
        count = 1 if number is None else number
        if count < 1:
            raise NotationError(self.text, start, "0", ("1 die or more",))
        self.dice += count
        if self.dice > self.limits.dice:
            raise NotationLimitError(self.text, start, f"{self.dice} dice", "dice", self.limits.dice)
        return DiceTerm(count, self._sides(), self._keep(count))

    def _sides(self) -> int:
        if self._take("sign", "%") is not None:
            return 100
        start = self._start()
        sides = self._number("sides", self.limits.sides)
        if sides is None:
            raise self._error((_NUMBER, "'%'"))
        if sides < 1:
            raise NotationError(self.text, start, "0", ("1 side or more",))
        return sides

    def _keep(self, count: int) -> Keep | None:
        word = self._take("keep")
        if word is None:
            return None
        start = self._start()
        kept = self._number("number", self.limits.number)
        if kept is None:
            kept = 1
        if not 1 <= kept <= count:
            raise NotationError(self.text, start, str(kept), (f"a number from 1 to {count}",))
        return Keep(KeepEnd(word.lower()), kept)

    def _sign(self) -> Sign | None:
        if self._take("sign", "+") is not None:
            return Sign.PLUS
        return Sign.MINUS if self._take("sign", "-") is not None else None

    def _number(self, limit: str, allowed: int) -> int | None:
        start = self._start()
        digits = self._take("number")
        if digits is None:
            return None
        # Compared by length first: turning thousands of digits into a number is slow, and Python refuses it.
        significant = digits.lstrip("0") or "0"
        if len(significant) > len(str(allowed)) or int(significant) > allowed:
            raise NotationLimitError(self.text, start, significant[:20], limit, allowed)
        return int(significant)

    def _take(self, kind: str, sign: str = "") -> str | None:
        match = _TOKEN.match(self.text, self.place)
        if match is None or match[kind] is None or (sign and match[kind].lower() != sign):
            return None
        self.place = match.end()
        return match[kind]

    def _start(self) -> int:
        """Where the next token begins, blanks left out."""
        blank = _BLANK.match(self.text, self.place)
        return blank.end() if blank is not None else self.place

    def _error(self, expected: tuple[str, ...]) -> NotationError:
        start = self._start()
        found = repr(self.text[start]) if start < len(self.text) else _END
        return NotationError(self.text, start, found, expected)
