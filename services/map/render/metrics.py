"""How wide text is in the bundled font, without a font engine.

The renderer writes the width it counted on into the picture (`textLength`), so text takes up exactly this
room in whatever serif font the reader has.
"""

from __future__ import annotations

from services.map.render.font.faces import FONT_FAMILY, face_of
from services.map.render.font.letters import UNITS_PER_EM, line_units

__all__ = ["ASCENT", "DESCENT", "FONT_FAMILY", "text_width"]

ASCENT = 0.76
"""Height of the tallest letters without accents above the baseline, in em."""

DESCENT = 0.25
"""Depth of the deepest letters below the baseline, in em."""


def text_width(
    text: str, size: float, *, bold: bool = False, italic: bool = False, tracking: float = 0.0
) -> float:
    """Room a line of text takes up, in the unit of `size`.

    Kerning counts. A letter with an accent that the font lacks is as wide as its plain one; other letters
    that it lacks count as wide ones.

    Args:
        text: One line.
        size: Size of the font (its em).
        bold: Whether it is set bold.
        italic: Whether it is set italic; bold and italic together are as wide as italic.
        tracking: Extra room after each letter, in the unit of `size`.
    """
    units, letters = line_units(text, face_of(bold=bold, italic=italic))
    return units * size / UNITS_PER_EM + tracking * letters
