"""Frame, scale bar and legend of a region's picture."""

from __future__ import annotations

from services.map.kinds.region.model import RegionMap
from services.map.kinds.region.render import signs
from services.map.kinds.region.render.page import ENTRY, ROW, Page
from services.map.kinds.region.vocabulary import SettlementKind, SiteKind, WayKind
from services.map.render import palette
from services.map.render.metrics import FONT_FAMILY, text_width
from services.map.render.shapes import Box
from services.map.render.svg import Value, element, escaped, group, number

_ROUND_MILES = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)

WAY_STYLES: dict[WayKind, tuple[dict[str, Value], ...]] = {
    WayKind.ROAD: (
        {"stroke": palette.INK, "stroke_width": 3.6, "stroke_linecap": "round"},
        {"stroke": "#e8c069", "stroke_width": 1.9, "stroke_linecap": "round"},
    ),
    WayKind.TRACK: (
        {"stroke": palette.PAPER_LIGHT, "stroke_width": 3.6, "opacity": 0.6},
        {"stroke": palette.ROAD, "stroke_width": 1.9, "stroke_dasharray": "7 3.6"},
    ),
    WayKind.PATH: (
        {"stroke": palette.PAPER_LIGHT, "stroke_width": 3.4, "opacity": 0.6},
        {
            "stroke": palette.TRAIL,
            "stroke_width": 1.6,
            "stroke_dasharray": "1.2 4",
            "stroke_linecap": "round",
        },
    ),
    WayKind.FERRY: (
        {"stroke": "#3f6577", "stroke_width": 1.6, "stroke_dasharray": "6 5", "stroke_linecap": "round"},
    ),
}
"""How each kind of way is stroked, from below."""


def way(kind: WayKind, d: str) -> str:
    """A way along some path data."""
    return "".join(element("path", d=d, fill="none", stroke_linejoin="round", **s) for s in WAY_STYLES[kind])


def _round_miles(most: float) -> int:
    """The largest round number of miles that is no more than this; 1 at least."""
    return max((miles for miles in _ROUND_MILES if miles <= most), default=1)


def frame_lines(model: RegionMap, page: Page) -> str:
    """A frame whose black and white ladder counts miles from the north-west corner."""
    frame = page.frame
    pixels = page.scale / model.cell_miles
    miles = _round_miles(100 / pixels)
    step = miles * pixels
    ladder: list[str] = []
    numbers: list[str] = []
    for upright in (False, True):
        low, high = (frame.top, frame.bottom) if upright else (frame.left, frame.right)
        count = int((high - low) / step) + 1
        for i in range(count):
            start, end = low + i * step, min(high, low + (i + 1) * step)
            for side in (-9.0, 3.0):
                if i % 2 == 0:
                    fixed = (
                        (frame.left if side < 0 else frame.right)
                        if upright
                        else (frame.top if side < 0 else frame.bottom)
                    )
                    ladder.append(_rung(fixed + side, start, end, upright=upright))
            if i > 0 and start < high - 8:
                numbers += _figures(str(i * miles), start, frame, upright=upright)
    return group(
        _rectangle(frame.grown(24), 3.0),
        _rectangle(frame.grown(9), 1.0),
        _rectangle(frame.grown(3), 1.0),
        _rectangle(frame, 2.0),
        element("path", d=" ".join(ladder), fill=palette.INK, stroke="none"),
        group(
            *numbers,
            font_family=FONT_FAMILY,
            font_size=10.0,
            fill=palette.INK_SOFT,
            stroke="none",
            text_anchor="middle",
        ),
        fill="none",
        stroke=palette.INK,
        aria_hidden="true",
    )


def _rung(fixed: float, start: float, end: float, *, upright: bool) -> str:
    long = number(end - start)
    if upright:
        return f"M{number(fixed)} {number(start)}h6v{long}h-6z"
    return f"M{number(start)} {number(fixed)}h{long}v6h-{long}z"


def _figures(text: str, at: float, frame: Box, *, upright: bool) -> list[str]:
    if not upright:
        return [element("text", text, x=at, y=y) for y in (frame.top - 12.6, frame.bottom + 20)]
    return [
        element("text", text, transform=f"translate({number(x)} {number(at)}) rotate(-90)")
        for x in (frame.left - 12.6, frame.right + 20)
    ]


def _rectangle(box: Box, stroke_width: float) -> str:
    return element(
        "rect", x=box.left, y=box.top, width=box.width, height=box.height, stroke_width=stroke_width
    )


def scale_bar(model: RegionMap, page: Page, left: float, top: float) -> str:
    """A bar of miles."""
    pixels = page.scale / model.cell_miles
    miles = _round_miles(230 / pixels)
    parts = 5 if miles % 5 == 0 else 4 if miles % 4 == 0 else 2 if miles % 2 == 0 else 1
    step = miles * pixels / parts
    drawn = [
        element(
            "rect",
            x=left + i * step,
            y=top,
            width=step,
            height=7,
            fill=palette.INK if i % 2 == 0 else palette.PAPER_LIGHT,
        )
        for i in range(parts)
    ]
    drawn.append(_text("0", left, top - 6, anchor="middle"))
    drawn.append(_text(str(miles), left + parts * step, top - 6, anchor="middle"))
    drawn.append(_text("miles", left + parts * step + 14, top + 8))
    return group(*drawn, stroke=palette.INK, stroke_width=1.0)


def _text(words: str, x: float, y: float, *, size: float = 13.0, anchor: str | None = None) -> str:
    return element(
        "text",
        escaped(words),
        x=x,
        y=y,
        font_family=FONT_FAMILY,
        font_size=size,
        font_style="italic",
        text_anchor=anchor,
        textLength=text_width(words, size),
        lengthAdjust="spacingAndGlyphs",
        fill=palette.INK,
        stroke="none",
    )


_GLYPHS = (
    ("Wood", ("oak-0", "oak-1", "oak-2")),
    ("Firs", ("fir-0", "fir-1", "fir-2")),
    ("Jungle", ("palm-0", "palm-1", "palm-2")),
    ("Hills", ("hill",)),
    ("Marsh", ("reed",)),
    ("Desert", ("dune",)),
    ("Savanna", ("acacia",)),
    ("Fields", ("furrow",)),
)


def legend(model: RegionMap, page: Page, glyphs: frozenset[str]) -> str:
    """What signs, ways and glyphs mean; only those on this map.

    Args:
        model: The region.
        page: Its page.
        glyphs: The names of the glyphs that were drawn.
    """
    entries: list[tuple[str, str]] = []
    homes = {home.kind for home in model.settlements}
    entries += [
        (kind.value.capitalize(), signs.settlement(kind, 0, 0))
        for kind in reversed(SettlementKind)
        if kind in homes
    ]
    ways = {road.kind for road in model.ways}
    for kind, words in (
        (WayKind.ROAD, "Road"),
        (WayKind.TRACK, "Track"),
        (WayKind.PATH, "Path"),
        (WayKind.FERRY, "Ferry"),
    ):
        if kind in ways:
            entries.append((words, way(kind, "M-18 4Q-4 -8 18 2")))
    for words, names in _GLYPHS:
        if glyphs & {name.split("-")[0] for name in names}:
            spread = (0.0,) if len(names) == 1 else (-9.0, 9.0, 0.0)
            uses = "".join(
                f'<use xlink:href="#hf-{name}" x="{number(dx)}" y="{number(5 + abs(dx) / 4)}"/>'
                for name, dx in zip(names, spread, strict=True)
            )
            entries.append((words, uses))
    shown = {place.kind for place in model.sites}
    entries += [(kind.value.capitalize(), signs.site(kind, 0, 0)) for kind in SiteKind if kind in shown]
    if not entries:
        return ""
    left, right, top = page.frame.left, page.frame.right, page.frame.bottom + 92
    columns = max(1, int((right - left) / ENTRY))
    rows = -(-len(entries) // columns)
    columns = -(-len(entries) // rows)
    step = (right - left) / columns
    drawn: list[str] = []
    for index, (words, sign) in enumerate(entries):
        x = left + (index % columns + 0.5) * step
        y = top + index // columns * ROW
        drawn.append(group(sign, transform=f"translate({number(x)} {number(y)})"))
        drawn.append(_text(words, x, y + 28, size=12.0, anchor="middle"))
    return group(*drawn)
