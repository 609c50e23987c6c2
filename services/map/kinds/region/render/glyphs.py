"""How mountains, hills, trees and tufts look.

What there is much of is drawn once in the definitions and used by name; mountains differ each from each.
"""

from __future__ import annotations

from services.map.kinds.region.render.scenery import Glyph
from services.map.render import palette
from services.map.render.svg import element, group, number

FIR, FIR_DARK = "#7d9572", "#52694b"
OAK, OAK_DARK = "#9fae72", "#6f8350"
PALM, PALM_DARK = "#6f9a5e", "#436b3d"
GRASS = "#7d8a4a"
REED = "#5c7a5a"
SAND = "#b98f4e"
ROCK, ROCK_SHADE = "#e6dcc4", "#a4957b"
HILL = "#d8cda0"
VARIANTS = 3


def _line(d: str, stroke: str, width: float = 0.9) -> str:
    return element(
        "path",
        d=d,
        fill="none",
        stroke=stroke,
        stroke_width=width,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _fir(k: int) -> str:
    h = (11.0, 12.5, 9.5)[k]
    half = number(h * 0.34)
    outline = (
        f"M0 {number(-h)}L{number(h * 0.2)} {number(-h * 0.58)}L{number(h * 0.12)} {number(-h * 0.58)}"
        f"L{half} -1.4"
        f"L-{half} -1.4L{number(-h * 0.12)} {number(-h * 0.58)}L{number(-h * 0.2)} {number(-h * 0.58)}z"
    )
    shade = (
        f"M0 {number(-h)}L{number(h * 0.2)} {number(-h * 0.58)}"
        f"L{number(h * 0.12)} {number(-h * 0.58)}L{half} -1.4L0 -1.4z"
    )
    return (
        _line("M0 0V-2", palette.INK_SOFT, 1.3)
        + element("path", d=outline, fill=FIR, stroke=palette.INK, stroke_width=0.7, stroke_linejoin="round")
        + element("path", d=shade, fill=FIR_DARK, stroke="none", opacity=0.65)
    )


def _oak(k: int) -> str:
    crown = (
        "M-3.4 -2.4C-6 -3 -5.6 -6.2 -3.7 -6.4C-3.6 -9.4 2.6 -9.8 3.1 -6.9C5.7 -6.8 6 -3 3.5 -2.4"
        "Q0 -1.4 -3.4 -2.4z",
        "M-3 -2.2C-5.2 -2.6 -5.4 -5.2 -3.8 -5.9C-4.4 -8.4 -1.2 -9.6 0.2 -8.4C2.2 -9.4 4.6 -7.6 3.8 -5.7"
        "C5.4 -5 5 -2.4"
        " 3 -2.2Q0 -1.3 -3 -2.2z",
        "M-2.8 -2.2C-4.7 -2.8 -4.5 -5.1 -2.9 -5.5C-2.6 -8 2.2 -8.2 2.7 -5.6C4.6 -5.2 4.6 -2.7 2.8 -2.2"
        "Q0 -1.3 -2.8"
        " -2.2z",
    )[k]
    shade = "M0.6 -8.2C2.2 -8 3 -7.4 3.1 -6.6C5 -6.2 5.2 -3.1 3.2 -2.6Q1.4 -2 0.4 -2.1Q3 -4.6 0.6 -8.2z"
    return (
        _line("M0 0V-2.4", palette.INK_SOFT, 1.4)
        + element("path", d=crown, fill=OAK, stroke=palette.INK, stroke_width=0.7)
        + element("path", d=shade, fill=OAK_DARK, stroke="none", opacity=0.6)
    )


def _palm(k: int) -> str:
    crown = (
        "M-4.6 -3.6C-6.4 -5.6 -4.2 -7.4 -2.6 -6.6C-2.8 -9.6 1.6 -10.6 2.4 -7.8C5.2 -8.4 6.4 -5.4 4.4 -3.8"
        "Q0 -2 -4.6 -3.6z",
        "M-4 -3.8C-5.8 -5 -4.6 -7.2 -3 -6.8C-3 -10.4 2.4 -11 2.6 -7.6C4.8 -7.6 5.6 -4.8 4 -3.8"
        "Q0 -2.4 -4 -3.8z",
        "M-3.6 -3.2C-5.4 -4.4 -4.2 -6.6 -2.6 -6.2C-1.8 -8.8 2 -8.8 2.6 -6.2C4.6 -6.2 5 -4 3.6 -3.2"
        "Q0 -2 -3.6 -3.2z",
    )[k]
    return (
        _line("M0 0Q0.6 -2 0 -3.6M-1.8 0Q-1 -2 -1.2 -3.4", palette.INK_SOFT, 1.0)
        + element("path", d=crown, fill=PALM, stroke=palette.INK, stroke_width=0.7)
        + _line("M1.2 -8C3 -7.4 3.6 -5.6 2.8 -4", PALM_DARK, 1.4)
    )


def _tufts() -> dict[str, str]:
    return {
        "grass": _line("M-3 -3L-1 0M0 -4.6V0M3 -3L1 0", GRASS),
        "heather": _line("M-4 -1.4Q-2 -4 0 -1.4M0 -1.4Q2 -3.6 4 -1.4", "#8d7a66", 0.9),
        "moss": _line("M-4 -1H-1M1 -2.6H4M1.6 0H3", "#8b8f78", 0.9),
        "reed": _line("M-7 0H7M-3 0V-6M0 0V-8M3 0V-5M-5 2.6H-1M2 2.6H6", REED, 1.0),
        "dune": _line("M-8 0Q-4 -5 0 -1.6Q3 -4.6 8 0", SAND, 1.0)
        + _line("M-4 2.4h.1M1 2h.1M5 2.6h.1", SAND, 1.3),
        "acacia": _line("M0 0V-4.4M0 -2.6L2 -4.4", palette.INK_SOFT, 1.0)
        + element(
            "path",
            d="M-5.6 -4.4Q-4.6 -7.4 0 -7.6Q4.8 -7.4 5.6 -4.4Q0 -5.6 -5.6 -4.4z",
            fill="#a9a557",
            stroke=palette.INK,
            stroke_width=0.7,
        ),
        "ice": _line("M-6 0L-2 -2L0 1L5 -1M-2 -2L-1 -5", "#7f9aa8", 0.8),
        "furrow": element(
            "path", d="M-7 -4L4 -7L7 0L-4 3z", fill="#e2cf8f", stroke="#a58c4a", stroke_width=0.6
        )
        + _line("M-4.4 -4.7L-1.2 2.2M-1.6 -5.5L1.6 1.5M1.2 -6.2L4.4 0.7", "#b09a55", 0.7),
        "hill": element(
            "path",
            d="M-10 0C-7 -5 -4 -8.6 0 -8.6C4 -8.6 7 -5 10 0",
            fill=HILL,
            fill_opacity=0.85,
            stroke=palette.INK_SOFT,
            stroke_width=1.0,
            stroke_linecap="round",
        )
        + _line("M3.4 -6.4Q6 -3.6 6.4 -0.6M1.4 -5.6Q3.4 -3.4 3.6 -0.8", palette.INK_SOFT, 0.7),
    }


def definitions() -> str:
    """The glyphs that are used by name, each with its foot at the origin."""
    drawn = [element("g", markup, id=f"hf-{name}") for name, markup in _tufts().items()]
    for name, tree in (("fir", _fir), ("oak", _oak), ("palm", _palm)):
        drawn += [element("g", tree(k), id=f"hf-{name}-{k}") for k in range(VARIANTS)]
    return "".join(drawn)


def drawn(glyph: Glyph) -> str:
    """One glyph in its place."""
    if glyph.what == "mountain":
        return _mountain(glyph)
    name = (
        f"{glyph.what}-{glyph.variation % VARIANTS}" if glyph.what in ("fir", "oak", "palm") else glyph.what
    )
    return f'<use xlink:href="#hf-{name}" x="{number(glyph.x)}" y="{number(glyph.y)}"/>'


def _mountain(glyph: Glyph) -> str:
    """One mountain, lit from the north-west: a crest that bends to its foot, its shaded side hatched."""
    x, y, h = glyph.x, glyph.y, glyph.size
    half = h * (0.5 + glyph.variation % 7 * 0.018)
    lean = (glyph.variation // 7 % 9 - 4) * half / 34
    top_x, top_y = x + lean, y - h
    shoulder = 0.42 + glyph.variation // 63 % 5 * 0.03

    def at(dx: float, dy: float) -> str:
        return f"{number(x + dx)} {number(y - dy)}"

    crest = f"{number(top_x)} {number(top_y)}"
    left = f"L{at(-half * 0.62, h * shoulder)}L{at(-half * 0.5, h * (shoulder + 0.02))}"
    right = f"L{at(half * 0.42, h * 0.56)}L{at(half * 0.56, h * 0.4)}L{at(half, 0)}"
    fold = (
        f"L{at(lean + half * 0.12, h * 0.7)}L{at(lean - half * 0.06, h * 0.48)}"
        f"L{at(half * 0.2, h * 0.24)}L{at(half * 0.08, 0)}"
    )
    body = f"M{at(-half, 0)}{left}L{crest}{right}Q{at(0, -h * 0.07)} {at(-half, 0)}z"
    shade = f"M{crest}{right}L{at(half * 0.08, 0)}" + "".join(
        f"L{at(dx, dy)}"
        for dx, dy in ((half * 0.2, h * 0.24), (lean - half * 0.06, h * 0.48), (lean + half * 0.12, h * 0.7))
    )
    parts = [
        f'<path d="{body}" fill="{ROCK}"/>',
        f'<path d="{shade}z" fill="{ROCK_SHADE}" stroke="none"/>',
        f'<path d="M{crest}{fold}" fill="none" stroke-width="0.7"/>',
    ]
    if h > 24:
        snow = (
            f"M{crest}L{at(lean - half * 0.24, h * 0.76)}L{at(lean - half * 0.1, h * 0.72)}"
            f"L{at(lean + half * 0.02, h * 0.8)}L{at(lean + half * 0.12, h * 0.7)}"
            f"L{at(lean + half * 0.22, h * 0.76)}z"
        )
        parts.append(f'<path d="{snow}" fill="{palette.SNOW}" stroke-width="0.5"/>')
    return group(*parts)
