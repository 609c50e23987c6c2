"""Shapes of the picture: text, dice, cards and patterns, as SVG elements."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from services.rules.engine.board import clean
from services.rules.systems.dwarf_dice.items import BLANK, METAL, WIDTH, WOOD
from services.rules.systems.dwarf_dice.resources import Resource

FONT = "Georgia, 'Times New Roman', serif"
INK, PALE, PAPER, STONE = "#2b2118", "#8a7a63", "#f4ead6", "#d9c9a8"
COLOURS = {
    Resource.METAL: ("#4a6f96", "#ffffff"),
    Resource.WOOD: ("#8a5a33", "#ffffff"),
    Resource.ALCHEMY: ("#e0b23c", "#2b2118"),
    Resource.NULL: ("#a3342c", "#ffffff"),
}
"""What each resource looks like: the die and its sign (Resource Dice)."""

OFFENCE, DEFENCE = COLOURS[Resource.METAL][0], COLOURS[Resource.WOOD][0]
SIGNS = {METAL: Resource.METAL, WOOD: Resource.WOOD}


def shortened(words: str, most: int) -> str:
    """Words that fit: at most so many signs."""
    words = clean(words)
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def text(
    parent: Element,
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    anchor: str = "start",
    fill: str = INK,
    bold: bool = False,
) -> None:
    """A line of text on its baseline."""
    found = SubElement(parent, "text", {"x": f"{x:g}", "y": f"{y:g}", "font-size": f"{size:g}", "fill": fill})
    if anchor != "start":
        found.set("text-anchor", anchor)
    if bold:
        found.set("font-weight", "bold")
    found.text = clean(words)


def box(
    parent: Element,
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str = "none",
    edge: tuple[str, float] = ("none", 1),
    round_: float = 0,
) -> Element:
    """A rectangle; its edge is a colour and a width."""
    return SubElement(
        parent,
        "rect",
        {
            "x": f"{x:g}",
            "y": f"{y:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "rx": f"{round_:g}",
            "fill": fill,
            "stroke": edge[0],
            "stroke-width": f"{edge[1]:g}",
        },
    )


def die(parent: Element, x: float, y: float, size: float, shows: Resource, *, faint: bool = False) -> None:
    """A die from above: its colour, and its letter for those who do not see colours."""
    colour, sign = COLOURS[shows]
    group = SubElement(parent, "g", {"opacity": "0.35"} if faint else {})
    box(group, x, y, size, size, fill=colour, edge=(INK, 1), round_=size / 6)
    text(
        group, x + size / 2, y + size * 0.68, shows.value, size * 0.55, anchor="middle", fill=sign, bold=True
    )


def dice_row(
    parent: Element,
    x: float,
    y: float,
    size: float,
    dice: Sequence[Resource],
    *,
    a_row: int,
    faint: frozenset[int] = frozenset(),
) -> float:
    """Dice in rows; returns where the last row ends."""
    step = size * 1.15
    for place, shows in enumerate(dice):
        column, row = place % a_row, place // a_row
        die(parent, x + column * step, y + row * step, size, shows, faint=place in faint)
    return y + -(-len(dice) // a_row) * step


def pattern(parent: Element, x: float, y: float, cell: float, rows: Sequence[str]) -> None:
    """An item's pattern, small."""
    for row in range(WIDTH):
        for column in range(WIDTH):
            sign = rows[row][column]
            fill = "none" if sign == BLANK else COLOURS[SIGNS[sign]][0]
            box(parent, x + column * cell, y + row * cell, cell, cell, fill=fill, edge=(STONE, 0.5))


def card(
    parent: Element, x: float, y: float, width: float, height: float, name: str, value: int, fill: str
) -> None:
    """A card with its name and value."""
    box(parent, x, y, width, height, fill=PAPER, edge=(fill, 1.5), round_=4)
    box(parent, x, y, 18, height, fill=fill, round_=4)
    text(parent, x + 9, y + height / 2 + 5, str(value), 13, anchor="middle", fill="#ffffff", bold=True)
    text(parent, x + 23, y + height / 2 + 4, shortened(name, int((width - 26) / 5.6)), 11)


def card_back(parent: Element, x: float, y: float, width: float, height: float) -> None:
    """A card that lies face down."""
    box(parent, x, y, width, height, fill=PALE, edge=(INK, 1), round_=4)
    text(parent, x + width / 2, y + height / 2 + 4, "?", 12, anchor="middle", fill=PAPER, bold=True)


def gem(parent: Element, x: float, y: float, size: float, *, left: bool) -> None:
    """A Power Gem, or the place where it lay."""
    points = f"{x:g},{y - size:g} {x + size:g},{y:g} {x:g},{y + size:g} {x - size:g},{y:g}"
    fill = "#7b3f8c" if left else "none"
    SubElement(parent, "polygon", {"points": points, "fill": fill, "stroke": INK, "stroke-width": "1"})
