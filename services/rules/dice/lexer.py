"""The smallest parts of a text: signs, words, numbers, labels.

Case does not matter: the parser looks at a copy in small letters, of the same length as the text. Blanks are
space, tab and line ends. Every pattern is possessive where it repeats, so that none ever goes back.
"""

from __future__ import annotations

import re
from fractions import Fraction

from services.rules.dice.dialect import AFTER, AFTER_D20, BLANK
from services.rules.dice.pool import Value

OPERAND = re.compile(
    rf"{BLANK}(?:(?:([0-9]++){BLANK})?+d{BLANK}(?:([0-9]++)|(%))|([0-9]++(?:\.[0-9]++)?+)|([-+(@{{a-z]))"
)
"""Begins an operand: group 1 a number of dice and 2 their sides or 3 the sign for 100; 4 a number; 5 the
first sign of anything else."""

AFTER_OPERAND = re.compile(rf"{AFTER}|(d))")
"""Stands behind what is no dice: groups 1 and 2 as in `AFTER`; 3 the `d` of a die."""

AFTER_ALL = re.compile(rf"{AFTER})")
"""Stands behind what takes neither rules nor a `d`."""

AFTER_OPERAND_D20 = re.compile(rf"{AFTER_D20}|(d))")
"""The same as `AFTER_OPERAND` in d20's words."""

AFTER_ALL_D20 = re.compile(rf"{AFTER_D20})")
"""The same as `AFTER_ALL` in d20's words."""

DIE = re.compile(rf"{BLANK}(?:([0-9]++)|(%)|([(\[])|([a-z][a-z_]*+))")
"""Follows a `d`: group 1 sides, 2 the sign for 100, 3 a bracket, 4 a die's name and what runs into it."""

NAME = re.compile(rf"([a-z][a-z0-9_]*+){BLANK}(:{BLANK}([a-z][a-z0-9_]*+))?+")
"""A word: group 1; of a game's own roll 2 and 3 as well."""

VARIABLE = re.compile(r"(\{[ \t\r\n]*+)?+([a-z_][a-z0-9_]*+(?:\.[a-z_][a-z0-9_]*+)*+)(?(1)[ \t\r\n]*+\})")
"""A variable behind its `@`: group 2 its name."""

LABEL = re.compile(r"([^\[\]]*+)\]")
"""A label behind its `[`: group 1."""

BLANKS = re.compile(BLANK)

_RUN = re.compile(r"[0-9]{1,20}|[A-Za-z_][A-Za-z0-9_]{0,19}")
_NUMBER_LABEL = re.compile(r"[-+]?[0-9]+")
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_TIMES = "\u00d7\u2217\u2715\u2716\uff0a"
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u200b\u2060\ufeff"
SPACES = "".join(
    chr(code)
    for first, last in re.findall(r"(.)(?:-(.))?", _SPACES)
    for code in range(ord(first), ord(last or first) + 1)
)
"""Blanks of typesetters, those without width among them; read as a space."""

_TYPESET = {
    **{ord(sign): "-" for sign in _DASHES},
    **{ord(sign): "*" for sign in _TIMES},
    **{ord(sign): " " for sign in SPACES},
    ord("\u00f7"): "/",
    ord("\uff0b"): "+",
}
_SPACED = {ord(sign): " " for sign in SPACES}
_SMALL = {letter: chr(letter + 32) for letter in range(ord("A"), ord("Z") + 1)} | _TYPESET

PLACES = 6
"""Digits behind the point of a number."""

END = "end of text"


def small(text: str) -> str:
    """A text in small letters and plain signs, so that places in it are places in the text.

    What word processors and phones put in the place of `-`, `*`, `/`, `+` and a space is read as that.
    """
    return text.lower() if text.isascii() else text.translate(_SMALL)


def spaced(text: str) -> str:
    """A text with a plain space for each blank of typesetters; of the same length."""
    return text if text.isascii() else text.translate(_SPACED)


def found(text: str, position: int) -> str:
    """What stands at a place, fit for an error: a word, a number, or a single sign."""
    if position >= len(text):
        return END
    run = _RUN.match(text, position)
    return repr(text[position] if run is None else run[0])


def whole(digits: str, allowed: int) -> int | None:
    """A whole number out of digits; None where it is beyond what is allowed.

    Compared by length first: turning thousands of digits into a number is slow, and Python refuses it.
    """
    if len(digits) > 9:
        digits = digits.lstrip("0")
        if len(digits) > len(str(allowed)):
            return None
    number = int(digits or "0")
    return number if number <= allowed else None


def decimal(digits: str, allowed: int) -> Value | None:
    """A number out of digits with a point; None where it is beyond what is allowed, or too fine."""
    before, _, behind = digits.partition(".")
    behind = behind.rstrip("0")
    number = whole(before, allowed)
    if number is None or len(behind) > PLACES or (behind and number == allowed):
        return None
    if not behind:
        return number
    return Fraction(int(before.lstrip("0") + behind), 10 ** len(behind))


def label_value(label: str) -> int | None:
    """The number that a face's label is; None where it is none."""
    digits = small(label)
    if _NUMBER_LABEL.fullmatch(digits) is None or len(digits) > 20:
        return None
    return int(digits)
