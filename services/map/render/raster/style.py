"""What the presentation attributes of our SVG say, and how children take it over from their parents.

Everything is read strictly: an attribute or a value that this painter does not know is an error, so that
nothing is left out of a picture in silence.

    ValueError
    └── PaintError                the SVG holds something that the painter does not paint
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

import skia

from services.map.render.font.faces import Face, face_of


class PaintError(ValueError):
    """The SVG holds something that the painter does not paint."""


@dataclass(frozen=True, slots=True)
class Style:
    """The inherited attributes.

    Attributes:
        fill: "none", a color, or a reference to a paint server.
        stroke: Likewise.
        fill_opacity: 0 to 1.
        stroke_opacity: 0 to 1.
        stroke_width: In user units.
        cap: Ends of lines.
        join: Corners of lines.
        miter: Limit of pointed corners.
        dashes: Lengths of dashes and gaps; empty for a full line.
        dash_offset: Where in the dashes a line starts.
        fill_type: Which parts of a crossed outline are inside.
        clip_type: Likewise, of an outline that clips.
        font_size: In user units.
        bold: Weight of text.
        italic: Slant of text.
        anchor: Share of a line's length left of its place: 0 start, 0.5 middle, 1 end.
        letter_spacing: After each letter, in user units.
        stroke_first: Whether the stroke lies under the fill.
        smooth: Whether edges are antialiased.
    """

    fill: str = "#000"
    stroke: str = "none"
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    stroke_width: float = 1.0
    cap: skia.Paint.Cap = skia.Paint.kButt_Cap
    join: skia.Paint.Join = skia.Paint.kMiter_Join
    miter: float = 4.0
    dashes: tuple[float, ...] = ()
    dash_offset: float = 0.0
    fill_type: skia.PathFillType = skia.PathFillType.kWinding
    clip_type: skia.PathFillType = skia.PathFillType.kWinding
    font_size: float = 16.0
    bold: bool = False
    italic: bool = False
    anchor: float = 0.0
    letter_spacing: float = 0.0
    stroke_first: bool = False
    smooth: bool = True

    @property
    def face(self) -> Face:
        """The face that text is set in."""
        return face_of(bold=self.bold, italic=self.italic)


@lru_cache(maxsize=4096)
def length(text: str) -> float:
    """A length in user units.

    Raises:
        PaintError: It is no plain number.
    """
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        raise PaintError(f"no length: {text!r}") from None


def _share(text: str) -> float:
    return min(1.0, max(0.0, length(text)))


_NAMED = {"white": "#ffffff", "black": "#000000"}


@lru_cache(maxsize=4096)
def color(text: str) -> tuple[int, float]:
    """A color as 0xRRGGBB and its own opacity.

    Raises:
        PaintError: It is written in a way that our renderers do not use.
    """
    digits = _NAMED.get(text, text)
    if digits == "transparent":
        return 0, 0.0
    if not digits.startswith("#") or len(digits) not in (4, 7, 9):
        raise PaintError(f"no color: {text!r}")
    digits = digits[1:]
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    try:
        value = int(digits, 16)
    except ValueError:
        raise PaintError(f"no color: {text!r}") from None
    return (value >> 8, (value & 255) / 255) if len(digits) == 8 else (value, 1.0)


def argb(rgb: int, opacity: float) -> int:
    """A color with an opacity, as Skia counts colors."""
    return (round(255 * min(1.0, max(0.0, opacity))) << 24) | rgb


def reference(text: str) -> str | None:
    """The id in `url(#id)`; None when the text is no reference."""
    if not text.startswith("url("):
        return None
    inner = text[4:].removesuffix(")").strip("'\" ")
    if not inner.startswith("#"):
        raise PaintError(f"a reference outside the picture: {text!r}")
    return inner[1:]


def _paint_source(text: str) -> str:
    if text != "none" and reference(text) is None:
        color(text)
    return text


def _dashes(text: str) -> tuple[float, ...]:
    if text == "none":
        return ()
    lengths = tuple(map(length, text.replace(",", " ").split()))
    if len(lengths) % 2:
        lengths *= 2
    if min(lengths) < 0:
        raise PaintError(f"no dashes: {text!r}")
    return lengths if sum(lengths) > 0 else ()


def _one_of(choices: Mapping[str, object]) -> Callable[[str], object]:
    def read(text: str) -> object:
        if text not in choices:
            raise PaintError(f"{text!r} is none of {', '.join(choices)}")
        return choices[text]

    return read


_FILL_TYPES = {"nonzero": skia.PathFillType.kWinding, "evenodd": skia.PathFillType.kEvenOdd}

_READERS: Mapping[str, tuple[str, Callable[[str], object]]] = MappingProxyType(
    {
        "fill": ("fill", _paint_source),
        "stroke": ("stroke", _paint_source),
        "fill-opacity": ("fill_opacity", _share),
        "stroke-opacity": ("stroke_opacity", _share),
        "stroke-width": ("stroke_width", length),
        "stroke-linecap": (
            "cap",
            _one_of(
                {
                    "butt": skia.Paint.kButt_Cap,
                    "round": skia.Paint.kRound_Cap,
                    "square": skia.Paint.kSquare_Cap,
                }
            ),
        ),
        "stroke-linejoin": (
            "join",
            _one_of(
                {
                    "miter": skia.Paint.kMiter_Join,
                    "round": skia.Paint.kRound_Join,
                    "bevel": skia.Paint.kBevel_Join,
                }
            ),
        ),
        "stroke-miterlimit": ("miter", length),
        "stroke-dasharray": ("dashes", _dashes),
        "stroke-dashoffset": ("dash_offset", length),
        "fill-rule": ("fill_type", _one_of(_FILL_TYPES)),
        "clip-rule": ("clip_type", _one_of(_FILL_TYPES)),
        "font-size": ("font_size", length),
        "font-weight": (
            "bold",
            _one_of({"normal": False, "400": False, "bold": True, "600": True, "700": True}),
        ),
        "font-style": ("italic", _one_of({"normal": False, "italic": True})),
        "text-anchor": ("anchor", _one_of({"start": 0.0, "middle": 0.5, "end": 1.0})),
        "letter-spacing": ("letter_spacing", length),
        "paint-order": (
            "stroke_first",
            _one_of({"normal": False, "fill": False, "stroke": True, "stroke fill": True}),
        ),
        "shape-rendering": (
            "smooth",
            _one_of({"auto": True, "geometricPrecision": True, "crispEdges": False}),
        ),
    }
)


class Cascade:
    """Gives elements their styles, and remembers what it gave: most elements of a picture are alike."""

    __slots__ = ("_given",)

    def __init__(self) -> None:
        # Each style is kept with what was made from it, so that its id stays its own.
        self._given: dict[tuple[int, tuple[tuple[str, str], ...]], tuple[Style, Style]] = {}

    def inherited(self, style: Style, attributes: Mapping[str, str], others: frozenset[str]) -> Style:
        """The style of an element inside another.

        Args:
            style: Of the element around it.
            attributes: Its attributes.
            others: The attributes it may have that are no matter of style.

        Raises:
            PaintError: It has an attribute that is neither, or a value nobody can read.
        """
        own: list[tuple[str, str]] = []
        for name, text in attributes.items():
            if name in _READERS:
                own.append((name, text))
            elif name not in others and not name.startswith(("aria-", "data-")):
                raise PaintError(f"unknown attribute: {name}={text!r}")
        if not own:
            return style
        key = (id(style), tuple(own))
        found = self._given.get(key)
        if found is None:
            changes = {_READERS[name][0]: _READERS[name][1](text) for name, text in own}
            found = self._given[key] = (style, replace(style, **changes))  # type: ignore[arg-type]
        return found[1]
