"""Lines of text on the page: how wide they are, where they break, and how they are written."""

from __future__ import annotations

from functools import lru_cache

from services.map.render.metrics import text_width
from services.map.render.svg import escaped, number

_CUT = "…"


@lru_cache(maxsize=16384)
def word_width(word: str, size: float, bold: bool = False, italic: bool = False) -> float:
    """Room a word takes up, in the unit of `size`; remembered, for words come again."""
    return text_width(word, size, bold=bold, italic=italic)


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Breaks text into lines that fit the room; a word longer than a line is broken itself."""
    space = word_width(" ", size, bold)
    lines: list[str] = []
    words: list[str] = []
    used = 0.0
    for whole in text.split():
        word, wide = whole, word_width(whole, size, bold)
        if words and used + space + wide > room:
            lines.append(" ".join(words))
            words, used = [], 0.0
        while wide > room and len(word) > 1:
            fitting = 1
            while word_width(word[: fitting + 1], size, bold) <= room:
                fitting += 1
            lines.append(word[:fitting])
            word, wide = word[fitting:], word_width(word[fitting:], size, bold)
        used += wide + (space if words else 0.0)
        words.append(word)
    if words:
        lines.append(" ".join(words))
    return lines


def line_width(text: str, size: float, *, bold: bool = False, italic: bool = False) -> float:
    """Room a line takes up."""
    words = text.split(" ")
    space = word_width(" ", size, bold, italic)
    return sum(word_width(word, size, bold, italic) for word in words) + (len(words) - 1) * space


def shortened(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Text that fits the room: its end is left out where it does not."""
    if line_width(text, size, bold=bold) <= room:
        return text
    while text and line_width(text.rstrip() + _CUT, size, bold=bold) > room:
        text = text[:-1]
    return text.rstrip() + _CUT


def written(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    bold: bool = False,
    italic: bool = False,
    anchor: str | None = None,
    fill: str | None = None,
) -> str:
    """One line of text on its baseline, exactly as wide as it was measured."""
    form = (
        ' font-weight="bold"' * bold
        + ' font-style="italic"' * italic
        + (f' text-anchor="{anchor}"' if anchor else "")
        + (f' fill="{fill}"' if fill else "")
    )
    width = line_width(text, size, bold=bold, italic=italic)
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{form}'
        f' textLength="{number(width)}" lengthAdjust="spacingAndGlyphs">{escaped(text)}</text>'
    )
