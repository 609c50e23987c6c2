"""Labels in their places as markup: the words with a pale edge around them, and the lines that tie them."""

from __future__ import annotations

from services.map.render.labels import Label
from services.map.render.metrics import ASCENT
from services.map.render.svg import element, escaped, group


def draw_label(
    label: Label, *, ink: str | None, soft: str | None, edge: str, width: float, opacity: float
) -> str:
    """The words of a label.

    Args:
        label: The label.
        ink: What upright lines are written in; that of the group around them when None.
        soft: What slanted lines are written in.
        edge: What is around the letters, so that they can be read on anything.
        width: Pixels of the edge.
        opacity: How much of the ground the edge covers.
    """
    drawn: list[str] = []
    x = (label.box.right, label.box.center[0], label.box.left)[label.align + 1]
    anchor = ("end", "middle", "start")[label.align + 1]
    top = label.box.top
    for line in label.lines:
        drawn.append(
            element(
                "text",
                escaped(line.text),
                x=x,
                y=top + line.size * ASCENT,
                font_size=line.size,
                font_weight="bold" if line.bold else None,
                font_style="italic" if line.italic else None,
                text_anchor=anchor,
                textLength=line.width,
                lengthAdjust="spacing" if line.tracking else "spacingAndGlyphs",
                fill=soft if line.italic else ink,
                stroke=edge,
                stroke_width=width,
                stroke_linejoin="round",
                stroke_opacity=opacity,
                paint_order="stroke",
            )
        )
        top += line.height
    return group(*drawn)


def draw_leader(label: Label) -> str:
    """The line from a sign to a label that stands far off; nothing for one that is near."""
    if label.leader is None:
        return ""
    (x1, y1), (x2, y2) = label.leader
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2)
