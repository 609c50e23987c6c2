"""How wide text is, without a font engine.

The widths lie halfway between Liberation Serif (the metric twin of Times) and DejaVu Serif Condensed, for
each letter, rounded up to a fiftieth of an em. The renderer writes the width it counted on into the picture
(`textLength`), so text takes up exactly this room in whatever serif font the reader has.
"""

from __future__ import annotations

import unicodedata
from types import MappingProxyType

FONT_FAMILY = "Georgia, 'Palatino Linotype', 'Book Antiqua', 'Liberation Serif', 'DejaVu Serif', serif"

ASCENT = 0.78
"""Height of the tallest letters above the baseline, in em."""

DESCENT = 0.24
"""Depth of the deepest letters below the baseline, in em."""

_UNKNOWN = 860
_WIDE = 1040

_REGULAR_BY_WIDTH = {
    220: "'",
    260: "|",
    280: " ,.j·",
    300: "/:;\\ilłı",
    320: "-t‘’",
    340: "f",
    360: "!()I[]",
    380: "J",
    400: "`r",
    420: '"',
    440: "s",
    460: "z“”",
    480: "*?_c–",
    500: "ae",
    520: "vxy",
    540: "$0123456789bdghknopqu{}øðþđ",
    560: "ß",
    600: "FPSÞ",
    620: "LTZ^Ł",
    640: "#E",
    660: "+<=>Y~",
    680: "BCR",
    700: "AKVX",
    720: "G",
    740: "DOQUØÐ",
    760: "HNwæ",
    800: "&",
    820: "mœ",
    860: "%",
    900: "Æ",
    920: "@M",
    940: "W",
    960: "Œ—…",
}

_BOLD_BY_WIDTH = {
    280: "'|",
    300: " ,.·",
    320: "/\\ilłı",
    340: ":;j‘’",
    360: "-f",
    380: "!()[]t",
    400: "`",
    420: "I",
    460: "rs",
    480: "J_z–",
    500: "*c{}",
    520: '"?evxy“”',
    560: "aoøð",
    580: "$0123456789g",
    600: "bdkpqþđ",
    620: "Shnuß",
    640: "#F~",
    660: "LPÞŁ",
    680: "+<=>ETZ^",
    700: "Y",
    720: "ABCVX",
    740: "R",
    760: "DUwÐ",
    780: "GKN",
    800: "OQæØ",
    820: "H",
    840: "&œ",
    900: "m",
    920: "@",
    940: "%",
    960: "—…",
    980: "MÆ",
    1020: "W",
    1040: "Œ",
}


def _by_letter(by_width: dict[int, str]) -> MappingProxyType[str, int]:
    return MappingProxyType({letter: width for width, letters in by_width.items() for letter in letters})


_REGULAR = _by_letter(_REGULAR_BY_WIDTH)
_BOLD = _by_letter(_BOLD_BY_WIDTH)


def text_width(text: str, size: float, *, bold: bool = False, tracking: float = 0.0) -> float:
    """Room a line of text takes up, in the unit of `size`.

    An accented letter is as wide as its plain one; letters outside the table count as wide ones.

    Args:
        text: One line.
        size: Size of the font (its em).
        bold: Whether it is set bold; italics count as regular, which is never narrower.
        tracking: Extra room after each letter, in the unit of `size`.
    """
    table = _BOLD if bold else _REGULAR
    total = 0
    for letter in unicodedata.normalize("NFD", text):
        if unicodedata.combining(letter):
            continue
        wide = unicodedata.east_asian_width(letter) in "WF"
        total += table.get(letter, _WIDE if wide else _UNKNOWN)
    return total * size / 1000 + tracking * len(text)
