"""Where the places of a new map lie: the start in the middle, the others apart and on land."""

from __future__ import annotations

from math import hypot

import numpy as np

from services.map.generation.stream import Stream
from services.map.kinds.story.land import Pair, Water, spot
from services.rules.systems.fortunate_blades.story_map.model import StorySpot

MIN_SPACING = 7.0
"""Units that lie between any two places."""

MARGIN = 5.0
"""Units between a place and the edge of the sheet."""

_RIM = MARGIN + 2.0
"""Units to the edge that a new map leaves, so that play finds room outside."""
_SHORE = 2.6
"""Units of land around a place."""
_TRIED = 9
_POOL = 320
_FILLED = 0.775


def lay_sites(count: int, width: float, height: float, water: Water, stream: Stream) -> list[StorySpot]:
    """Finds spots for some places.

    Args:
        count: How many, the start among them.
        width: Width of the sheet in units.
        height: Height of the sheet in units.
        water: Where no place lies.
        stream: Of the spots.

    Returns:
        The spots, the middle of the sheet first; fewer than asked for when there is no room.
    """
    across, down = int((width - 2 * _RIM) * 10), int((height - 2 * _RIM) * 10)
    pool = np.array(
        [(_RIM + stream.below(across + 1) / 10, _RIM + stream.below(down + 1) / 10) for _ in range(_POOL)]
    )
    free = pool
    for dx, dy in ((_SHORE, 0.0), (-_SHORE, 0.0), (0.0, _SHORE), (0.0, -_SHORE)):
        free = free[~water.over(free + np.array((dx, dy)))]
    share = max(0.25, len(free) / _POOL)
    spacing = min(22.0, _FILLED * (share * across * down / 100 / max(1, count)) ** 0.5)
    chosen: list[Pair] = [(width / 2, height / 2)]
    gaps = np.hypot(*(free - chosen[0]).T)
    while len(chosen) < count and spacing >= MIN_SPACING:
        (open_spots,) = np.nonzero(gaps >= spacing)
        if not len(open_spots):
            spacing *= 0.93
            continue
        # The roomiest of a few: even enough to read, uneven enough to look drawn by hand.
        tried = [int(open_spots[stream.below(len(open_spots))]) for _ in range(_TRIED)]
        best = max(tried, key=lambda i: min(float(gaps[i]), spacing * 1.5))
        chosen.append((float(free[best, 0]), float(free[best, 1])))
        gaps = np.minimum(gaps, np.hypot(*(free - free[best]).T))
    return [spot(*at) for at in chosen]


def _gap(at: Pair, others: list[Pair]) -> float:
    return min(hypot(at[0] - x, at[1] - y) for x, y in others)


def found_near(
    near: StorySpot, taken: list[StorySpot], width: float, height: float, water: Water, stream: Stream
) -> StorySpot | None:
    """A free spot on land near another, as near as there is one; None when the sheet is full.

    Args:
        near: What it is to be near to.
        taken: Where places lie already.
        width: Width of the sheet in units.
        height: Height of the sheet in units.
        water: Where no place lies.
        stream: Of the spot.
    """
    places = [(at.x, at.y) for at in taken]
    turn = stream.below(360)
    for step in range(1, 60):
        reach = MIN_SPACING + 2 + 2.5 * (step - 1)
        ring = []
        for i in range(24):
            angle = np.deg2rad(turn + 15 * i)
            at = spot(near.x + reach * float(np.cos(angle)), near.y + reach * float(np.sin(angle)))
            if not (MARGIN <= at.x <= width - MARGIN and MARGIN <= at.y <= height - MARGIN):
                continue
            if _gap((at.x, at.y), places) >= MIN_SPACING + 0.5 and not water.at(at.x, at.y):
                ring.append(at)
        if ring:
            return stream.choice(ring)
    return None
