"""Frame and legend of a realm's picture, and how its Roads and Trails are drawn."""

from __future__ import annotations

from services.map.kinds.realm.render.icons import sign
from services.map.kinds.realm.render.layout import KIND_WORDS, LEGEND_ENTRY, LEGEND_ROW
from services.map.kinds.realm.render.nature import MOUNTAIN_STYLE, mountain
from services.map.kinds.realm.render.scenery import Peak
from services.map.render import palette
from services.map.render.metrics import FONT_FAMILY
from services.map.render.shapes import Box
from services.map.render.svg import element, escaped, group, number, path
from services.rules.systems.forgeborn import PlaceKind

_TICK = 40.0


def frame_lines(frame: Box) -> str:
    """A double frame with the black and white ladder of old maps."""
    outer = frame.grown(13)
    ladder: list[str] = []
    for low, high, fixed, upright in (
        (frame.left, frame.right, frame.top - 9, False),
        (frame.left, frame.right, frame.bottom + 3, False),
        (frame.top, frame.bottom, frame.left - 9, True),
        (frame.top, frame.bottom, frame.right + 3, True),
    ):
        count = max(1, round((high - low) / _TICK))
        step = (high - low) / count
        for i in range(0, count, 2):
            start = low + i * step
            if upright:
                ladder.append(f"M{number(fixed)} {number(start)}h6v{number(step)}h-6z")
            else:
                ladder.append(f"M{number(start)} {number(fixed)}h{number(step)}v6h{number(-step)}z")
    return group(
        _rectangle(outer, 3.0),
        _rectangle(frame.grown(9), 1.0),
        _rectangle(frame.grown(3), 1.0),
        _rectangle(frame, 2.0),
        element("path", d=" ".join(ladder), fill=palette.INK, stroke="none"),
        fill="none",
        stroke=palette.INK,
        aria_hidden="true",
    )


def _rectangle(box: Box, stroke_width: float) -> str:
    return element(
        "rect", x=box.left, y=box.top, width=box.width, height=box.height, stroke_width=stroke_width
    )


def legend(box: Box) -> str:
    """What the signs and lines mean."""
    columns = max(1, int(box.width // LEGEND_ENTRY))
    entries = [
        (KIND_WORDS[PlaceKind.CITY], PlaceKind.CITY),
        (KIND_WORDS[PlaceKind.CITADEL], PlaceKind.CITADEL),
        (KIND_WORDS[PlaceKind.VILLAGE], PlaceKind.VILLAGE),
        (KIND_WORDS[PlaceKind.RUIN], PlaceKind.RUIN),
        (KIND_WORDS[PlaceKind.LAIR], PlaceKind.LAIR),
        (KIND_WORDS[PlaceKind.FOREST], PlaceKind.FOREST),
        ("Road", "road"),
        ("Trail", "trail"),
        ("Mountains", "mountains"),
    ]
    rows = -(-len(entries) // columns)
    columns = -(-len(entries) // rows)
    step = box.width / columns
    drawn: list[str] = []
    for index, (words, what) in enumerate(entries):
        x = box.left + (index % columns + 0.5) * step
        y = box.top + (index // columns) * LEGEND_ROW + 20
        drawn.append(_legend_sign(what, x, y))
        drawn.append(
            element(
                "text",
                escaped(words),
                x=x,
                y=y + 34,
                font_size=13.0,
                font_style="italic",
                text_anchor="middle",
            )
        )
    return group(*drawn, font_family=FONT_FAMILY, fill=palette.INK)


def _legend_sign(what: str, x: float, y: float) -> str:
    match what:
        case "road":
            return road(path("M", x - 34, y + 6, "Q", x, y - 12, x + 34, y + 2))
        case "trail":
            return trail(path("M", x - 34, y + 6, "Q", x, y - 12, x + 34, y + 2))
        case "mountains":
            heights = ((-17, 22, 1), (15, 26, 5), (-1, 34, 3))
            return group(
                *(mountain(Peak(x + dx, y + 18, high * 0.6, high, v)) for dx, high, v in heights),
                **MOUNTAIN_STYLE,
            )
        case _:
            kind = PlaceKind(what)
            return sign(kind, None, x, y, 19.0 if kind in (PlaceKind.VILLAGE, PlaceKind.RUIN) else 22.0)


def road(d: str) -> str:
    """A Road: one solid line with a dark edge."""
    line = {"d": d, "fill": "none", "stroke_linecap": "round"}
    return element("path", **line, stroke=palette.INK, stroke_width=5.6) + element(
        "path", **line, stroke=palette.GOLD, stroke_width=2.8
    )


def trail(d: str) -> str:
    """A Trail: a dotted line on a pale bed, so that it shows on mountains too."""
    line = {"d": d, "fill": "none", "stroke_linecap": "round"}
    return element("path", **line, stroke=palette.PAPER_LIGHT, stroke_width=7.0, opacity=0.75) + element(
        "path", **line, stroke=palette.TRAIL, stroke_width=3.6, stroke_dasharray="0.1 8.4"
    )
