"""Slips of the pen: what players write in other places, and the spelling that says it here."""

from __future__ import annotations

import re

from services.rules.dice.dialect import BLANK

BATCH = "'rollMany' with this expression once for each time: an expression is one roll"

_LUCK = re.compile(r"(adv|dis)(?:antage|adv(?:antage)?)?(?![a-z0-9_:])")
_TIMES = re.compile(rf"x{BLANK}(?:[0-9]++|(?=[({{@d]))")
_HUNDRED = re.compile(rf"d{BLANK}([0-9]++){BLANK}%{BLANK}\Z")
_COUNTED_DICE = re.compile(rf"{BLANK}[0-9]++{BLANK}#{BLANK}(?:[({{@]|[0-9]*+d(?:[0-9%(\[]|f\b))")
_BEST = {"adv": ("'2d20kh1'", "'lucky'"), "dis": ("'2d20kl1'", "'unlucky'")}


def luck(text: str, place: int) -> tuple[str, ...]:
    """The spelling of `adv` or `dis`, where one of them stands at a place of a text in small letters."""
    if not text.startswith(("adv", "dis"), place):
        return ()
    match = _LUCK.match(text, place)
    return () if match is None else _BEST[match[1]]


def spelling(text: str, place: int) -> tuple[str, ...]:
    """The right spelling of a slip that stands at a place of a text in small letters; empty for none."""
    if _TIMES.match(text, place) is not None:
        return (BATCH,)
    return luck(text, place)


def repeated(text: str, start: int, end: int) -> bool:
    """Whether an explosion such as ` x6` at the end of a text can be meant as "six times".

    Args:
        text: In small letters.
        start: Behind the dice.
        end: Behind the number.
    """
    return text[start : start + 1].isspace() and text[end:].strip()[:1] in ("", "#")


def hundred(text: str) -> tuple[int, tuple[str, ...]] | None:
    """Where a `%` stands behind a die's sides at the end of a text, and what may be meant by it."""
    match = _HUNDRED.search(text)
    if match is None:
        return None
    return text.index("%", match.end(1)), (f"'d{match[1]}'", "'d%' for a die of 100")


def counted(text: str) -> int | None:
    """Where the `#` stands of a text such as `6#4d6`, in small letters, that means "six times"."""
    return text.index("#") if _COUNTED_DICE.match(text) is not None else None
