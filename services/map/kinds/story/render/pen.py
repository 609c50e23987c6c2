"""Lines as an unsteady hand draws them, and the inks and colors of the journal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from services.map.generation.stream import Stream
from services.map.render.shapes import Spot
from services.map.render.svg import number

INK = "#3d2b1c"
FAINT = "#7a6247"
PAPER = "#f4e8cd"
PAPER_LIGHT = "#fcf5e3"
PAPER_EDGE = "#dcc497"
SEA = "#b9d0cf"
SEA_DEEP = "#8fb2b6"
RIVER = "#6f9aa6"
RED = "#a3341f"
ROOF = "#c8694a"
STRAW = "#dcb65c"
STONE = "#cdc4b1"
LEAF = "#93a567"
LEAF_DARK = "#6d8450"
WOOD = "#b58a5a"
ROCK = "#b7aa94"
SAND = "#e6cf98"
VIOLET = "#8d7bb0"
GLOW = "#cfe3dc"


def unsteady(stream: Stream, amount: float) -> float:
    """A small number on either side of nothing."""
    return (stream.below(2001) - 1000) / 1000 * amount


def smooth(spots: Sequence[Spot], *, closed: bool = False) -> str:
    """Path data of a soft line: through the middles between spots, bent toward the spots."""
    points = list(spots)
    if closed:
        first = _middle(points[-1], points[0])
        parts = [f"M{number(first[0])} {number(first[1])}"]
        ring = [*points, points[0]]
        for here, after in pairwise(ring):
            mid = _middle(here, after)
            parts.append(f"Q{number(here[0])} {number(here[1])} {number(mid[0])} {number(mid[1])}")
        return "".join(parts) + "Z"
    parts = [f"M{number(points[0][0])} {number(points[0][1])}"]
    for here, after in pairwise(points[1:]):
        mid = _middle(here, after) if after is not points[-1] else after
        parts.append(f"Q{number(here[0])} {number(here[1])} {number(mid[0])} {number(mid[1])}")
    if len(points) == 2:
        parts.append(f"L{number(points[1][0])} {number(points[1][1])}")
    return "".join(parts)


def _middle(a: Spot, b: Spot) -> Spot:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def wobbled(spots: Sequence[Spot], stream: Stream, step: float, amount: float) -> list[Spot]:
    """Spots along straight pieces, each a little off the line.

    Args:
        spots: The corners.
        stream: Of the hand.
        step: Pixels between spots, about.
        amount: Pixels that a spot may be off.
    """
    line: list[Spot] = []
    for (x1, y1), (x2, y2) in pairwise(spots):
        count = max(1, int(hypot(x2 - x1, y2 - y1) / step))
        for i in range(count):
            t = i / count
            line.append(
                (
                    x1 + (x2 - x1) * t + unsteady(stream, amount),
                    y1 + (y2 - y1) * t + unsteady(stream, amount),
                )
            )
    line.append(spots[-1])
    return line


def hand_box(left: float, top: float, right: float, bottom: float, stream: Stream, amount: float) -> str:
    """Path data of a box drawn by hand."""
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    return smooth(wobbled(corners, stream, 46, amount)[:-1], closed=True)
