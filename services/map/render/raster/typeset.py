"""Lines of text, letter by letter, where a browser sets them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import skia

from services.map.render.font.faces import Face, truetype
from services.map.render.font.letters import UNITS_PER_EM, advances, spelled
from services.map.render.raster.style import Style


@dataclass(frozen=True, slots=True)
class SetLine:
    """A line of text ready to be drawn.

    Attributes:
        blob: Its letters from x = 0 on the baseline.
        left: Where it starts, right of its own place.
        stretch: How much wider than natural its letters are drawn.
    """

    blob: skia.TextBlob
    left: float
    stretch: float


@cache
def typeface(face: Face) -> skia.Typeface:
    """A face of the bundled font; no other font of the machine is ever looked for."""
    manager = skia.FontMgr.New_Custom_Empty()
    return manager.makeFromData(skia.Data.MakeWithCopy(truetype(face)))


def font_of(style: Style) -> skia.Font:
    """The font that a style asks for; hinting is off, so that all sizes have the same proportions."""
    font = skia.Font(typeface(style.face), style.font_size)
    font.setHinting(skia.FontHinting.kNone)
    font.setSubpixel(True)
    font.setLinearMetrics(True)
    font.setBaselineSnap(False)
    if not style.smooth:
        font.setEdging(skia.Font.Edging.kAlias)
    if style.bold and style.italic:
        # Browsers choose a face by its slant first, and thicken it.
        font.setEmbolden(True)
    return font


def set_line(text: str, style: Style, wanted: float | None, *, stretched: bool) -> SetLine | None:
    """Sets one line.

    Args:
        text: The line; white space is run together as in XML.
        style: Of its element.
        wanted: Its length (`textLength`), or None for the natural one.
        stretched: Whether letters are stretched to that length (`spacingAndGlyphs`), not only moved apart.

    Returns:
        The line; None when there is no letter in it.
    """
    letters = spelled(" ".join(text.split()), style.face)
    if not letters:
        return None
    scale = style.font_size / UNITS_PER_EM
    moves = [units * scale + style.letter_spacing for units in advances(letters, style.face)]
    natural = sum(moves)
    stretch = 1.0
    if wanted is not None and natural > 0:
        if stretched:
            stretch = wanted / natural
        elif len(moves) > 1:
            extra = (wanted - natural) / (len(moves) - 1)
            moves = [move + extra for move in moves]
    width = natural if wanted is None else wanted
    starts = list(accumulate(moves[:-1], initial=0.0))
    blob = skia.TextBlob.MakeFromPosTextH(letters, starts, 0.0, font_of(style))
    return SetLine(blob, -style.anchor * width, stretch)
