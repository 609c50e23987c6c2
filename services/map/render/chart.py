"""What makes a sheet a chart: parchment, rhumb lines, the title on its ribbon, the compass rose."""

from __future__ import annotations

from math import cos, pi, sin

from services.map.render import palette
from services.map.render.metrics import FONT_FAMILY, text_width
from services.map.render.shapes import Box, Disc
from services.map.render.svg import element, escaped, group, path, points


def definitions() -> str:
    """Gradients and the grain of the paper; every id begins with `hf-`."""
    return element(
        "defs",
        element(
            "radialGradient",
            element("stop", offset=0.0, stop_color=palette.PAPER_LIGHT),
            element("stop", offset=0.62, stop_color=palette.PAPER),
            element("stop", offset=1.0, stop_color=palette.PAPER_EDGE),
            id="hf-paper",
            cx="50%",
            cy="46%",
            r="75%",
        ),
        element(
            "filter",
            element(
                "feTurbulence", type="fractalNoise", baseFrequency="0.011 0.017", numOctaves="4", seed="7"
            ),
            element(
                "feColorMatrix",
                type="matrix",
                values="0 0 0 0 0.42 0 0 0 0 0.29 0 0 0 0 0.12 0 0 0 0.9 -0.36",
            ),
            id="hf-grain",
            x="0%",
            y="0%",
            width="100%",
            height="100%",
        ),
    )


def paper(width: float, height: float) -> str:
    """The sheet of parchment."""
    return group(
        element("rect", width=width, height=height, fill="url(#hf-paper)"),
        element("rect", width=width, height=height, filter="url(#hf-grain)", opacity=0.34),
        aria_hidden="true",
    )


def rhumb_lines(compass: Disc, frame: Box) -> str:
    """Faint lines from the rose over the whole map, as on a portolan chart."""
    x, y, start = compass.x, compass.y, compass.radius * 0.8
    if not frame.has((x, y)):
        return ""
    lines = " ".join(
        path("M", x + cos(a) * start, y + sin(a) * start, "L", *_frame_hit(x, y, cos(a), sin(a), frame))
        for a in (i * pi / 8 for i in range(16))
    )
    return element("path", d=lines, fill="none", stroke=palette.INK_SOFT, stroke_width=0.8, opacity=0.2)


def _frame_hit(x: float, y: float, dx: float, dy: float, frame: Box) -> tuple[float, float]:
    """Where a ray from inside the frame leaves it."""
    reach = [((frame.right if dx > 0 else frame.left) - x) / dx] if abs(dx) > 1e-9 else []
    reach += [((frame.bottom if dy > 0 else frame.top) - y) / dy] if abs(dy) > 1e-9 else []
    return x + dx * min(reach), y + dy * min(reach)


def cartouche(title: str, frame: Box) -> str:
    """The title on a ribbon over the frame's upper edge."""
    middle = frame.center[0]
    size, tracking = 40.0, 2.0
    room = frame.width - 190
    natural = text_width(title, size, bold=True, tracking=tracking)
    if natural > room:
        size, tracking, natural = size * room / natural, tracking * room / natural, room
    half, top, bottom = natural / 2 + 46, 24.0, 80.0
    left, right = middle - half, middle + half
    tails = "".join(
        element(
            "path",
            d=path(
                "M",
                x,
                top + 14,
                "L",
                x + side * 62,
                top + 14,
                "L",
                x + side * 46,
                (top + bottom) / 2 + 14,
                "L",
                x + side * 62,
                bottom + 14,
                "L",
                x,
                bottom + 14,
                "Z",
            ),
            fill=palette.PAPER_EDGE,
        )
        + element(
            "path",
            d=path("M", x, bottom, "L", x - side * 18, bottom, "L", x, bottom + 14, "Z"),
            fill=palette.INK_SOFT,
        )
        for x, side in ((left + 18, -1), (right - 18, 1))
    )
    banner = element(
        "rect", x=left, y=top, width=2 * half, height=bottom - top, rx=2, fill=palette.PAPER_LIGHT
    )
    hairline = element(
        "rect",
        x=left + 5,
        y=top + 5,
        width=2 * half - 10,
        height=bottom - top - 10,
        fill="none",
        stroke_width=0.8,
    )
    text = element(
        "text",
        escaped(title),
        x=middle,
        y=bottom - 14 - (40 - size) * 0.35,
        font_family=FONT_FAMILY,
        font_size=size,
        font_weight="bold",
        text_anchor="middle",
        textLength=natural,
        lengthAdjust="spacing",
        fill=palette.INK,
        stroke="none",
    )
    return group(tails, banner, hairline, text, stroke=palette.INK, stroke_width=2.0, stroke_linejoin="round")


def rose(compass: Disc) -> str:
    """The compass rose: eight points, north marked."""
    x, y, r = compass.x, compass.y, compass.radius
    star = r * 0.78

    def spike(turn: int, reach: float, waist: float) -> str:
        angle = turn * pi / 4 - pi / 2
        tip = x + cos(angle) * reach, y + sin(angle) * reach
        sides = [(x + cos(angle + s * pi / 4) * waist, y + sin(angle + s * pi / 4) * waist) for s in (-1, 1)]
        return element("polygon", points=points((tip, sides[0], (x, y))), fill=palette.PAPER_LIGHT) + element(
            "polygon", points=points((tip, sides[1], (x, y))), fill=palette.INK
        )

    spikes = [spike(turn, star * 0.62, star * 0.16) for turn in (1, 3, 5, 7)]
    spikes += [spike(turn, star, star * 0.22) for turn in (0, 2, 4, 6)]
    ticks = " ".join(
        path(
            "M",
            x + cos(a) * star * 0.74,
            y + sin(a) * star * 0.74,
            "L",
            x + cos(a) * star * 0.7,
            y + sin(a) * star * 0.7,
        )
        for a in (i * pi / 16 for i in range(32))
    )
    letters = [
        element(
            "text",
            letter,
            x=x + cos(i * pi / 2 - pi / 2) * r * 0.89,
            y=y + sin(i * pi / 2 - pi / 2) * r * 0.89 + r * 0.075,
            font_size=r * (0.25 if letter == "N" else 0.19),
            font_weight="bold",
            text_anchor="middle",
            fill=palette.RED if letter == "N" else palette.INK,
            stroke="none",
        )
        for i, letter in enumerate("NESW")
    ]
    return group(
        element("title", "Compass rose, north is up"),
        element("circle", cx=x, cy=y, r=star * 0.74, fill="none"),
        element("circle", cx=x, cy=y, r=star * 0.66, fill=palette.PAPER_LIGHT, fill_opacity=0.55),
        element("path", d=ticks, fill="none"),
        *spikes,
        element("circle", cx=x, cy=y, r=star * 0.06, fill=palette.GOLD),
        *letters,
        stroke=palette.INK,
        stroke_width=1.1,
        stroke_linejoin="round",
        font_family=FONT_FAMILY,
    )
