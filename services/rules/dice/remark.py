"""Words behind a roll, in the dialects whose home takes them for a comment: `1d20+5 to hit`."""

from __future__ import annotations

import re

from services.rules.dice.dialect import words_of
from services.rules.dice.lexer import small
from services.rules.dice.lexicon import Dialect
from services.rules.dice.slips import spelling

_WORD = re.compile(r"[^\W\d_]{2,}+(?![\d_])")
_LAST_BLANK = re.compile(r"\s(?=\S*+\Z)")
_OF_D20 = frozenset(("rr", "ro", "ra", "mi", "ma"))
_OF_ALL = frozenset(("vs", "net", "total"))


def remark_at(typed: str, position: int, dialect: Dialect) -> int | None:
    """Where a comment without a `#` begins.

    Args:
        typed: The whole text.
        position: Where it stopped being dice notation.
        dialect: Whose words it is written in.

    Returns:
        The first sign of the word at that place; None where nothing stands before it, where it is a word of
        the notation or a slip of the pen, and where the dialect has no such comments.
    """
    if dialect not in (Dialect.D20, Dialect.ROLL20):
        return None
    text = small(typed)
    if dialect is Dialect.ROLL20 and text.startswith("\\", position):
        return position
    blank = _LAST_BLANK.search(text[:position])
    if blank is None or not text[: blank.start()].strip():
        return None
    start = blank.end()
    word = _WORD.match(text, start)
    if word is None or spelling(text, start) or word[0] in _OF_ALL:
        return None
    known = _OF_D20 if dialect is Dialect.D20 else words_of(dialect).words
    return None if word[0] in known else start
