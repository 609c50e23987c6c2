"""The land: forests, the mountain range, Roads and Trails, and the compass rose in its corner (I2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, hypot
from xml.etree.ElementTree import Element

from services.rules.systems.forgeborn.geometry import Polyline
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.picture.svg import (
    FADED,
    INK,
    PAPER,
    SCALE,
    element,
    path,
    place,
    text_of,
)
from services.rules.systems.forgeborn.play.state import Game
from services.rules.systems.forgeborn.realm import Realm

TREE, TRUNK, ROCK, SNOW = "#7d9a63", "#5f7a48", "#a79c8a", "#f3efe6"
ROAD = "#7a5c3a"
TREE_STEP, PEAK_STEP = 17.0, 26.0
"""Pixels from one tree or peak to the next."""


def forests(parent: Element, realm: Realm) -> None:
    """Every patch: trees along its lines and a grove around each of its points."""
    group = element(parent, "g", stroke=TRUNK, stroke_width=0.8, fill=TREE)
    for patch in realm.patches:
        spots = [place(at) for at in patch.points]
        trees = [(x + dx, y + dy) for x, y in spots for dx, dy in _GROVE]
        for line in patch.lines:
            trees += _along(line, TREE_STEP)
        for place_of, (x, y) in enumerate(sorted(trees, key=lambda spot: spot[1])):
            lean = (place_of % 3 - 1) * 2.5
            _tree(group, x + lean, y + (place_of % 2) * 3)


_GROVE = ((-16, 2), (0, -10), (15, 1), (-8, 12), (9, 12), (-24, -10), (24, -9))


def _tree(parent: Element, x: float, y: float) -> None:
    points = ((x, y - 15), (x + 8, y + 4), (x - 8, y + 4))
    element(parent, "path", d=f"{path(points)} Z")


def mountains(parent: Element, realm: Realm) -> None:
    """The range: peaks along its line, a single one where there is one point."""
    group = element(parent, "g", stroke="#6f6656", stroke_width=1, stroke_linejoin="round")
    spots = list(_along(realm.range, PEAK_STEP)) if len(realm.range) > 1 else []
    spots += [place(at) for at in realm.range]
    for order, (x, y) in enumerate(sorted(spots, key=lambda spot: spot[1])):
        tall = 24 + (order * 7) % 9
        half = tall * 0.62
        slope = ((x - half, y + 9), (x, y + 9 - tall), (x + half, y + 9))
        element(group, "path", d=f"{path(slope)} Z", fill=ROCK)
        cap = (
            (x - half * 0.3, y + 9 - tall * 0.7),
            (x, y + 9 - tall),
            (x + half * 0.3, y + 9 - tall * 0.7),
            (x + half * 0.06, y + 9 - tall * 0.62),
        )
        element(group, "path", d=f"{path(cap)} Z", fill=SNOW)


def _along(line: Polyline, step: float) -> Iterator[tuple[float, float]]:
    """Spots along a line, at most so far apart, its points left out."""
    for start, end in pairwise(line):
        (x, y), (other_x, other_y) = place(start), place(end)
        parts = max(1, ceil(hypot(other_x - x, other_y - y) / step))
        for part in range(1, parts):
            yield x + (other_x - x) * part / parts, y + (other_y - y) * part / parts


def ways(parent: Element, game: Game) -> None:
    """Roads are solid, Trails dotted (C1)."""
    ground = game.ground
    for way in ground.ways:
        ends = path((place(ground.spot(way.start).at), place(ground.spot(way.end).at)))
        if way.kind is LinkKind.ROAD:
            element(parent, "path", d=ends, stroke=PAPER, stroke_width=7, fill="none")
            element(parent, "path", d=ends, stroke=ROAD, stroke_width=4, fill="none")
        else:
            element(parent, "path", d=ends, stroke=PAPER, stroke_width=5, fill="none")
            element(
                parent,
                "path",
                d=ends,
                stroke=ROAD,
                stroke_width=3,
                fill="none",
                stroke_dasharray="1 8",
                stroke_linecap="round",
            )


def compass(parent: Element, game: Game) -> None:
    """A rose in the corner that lies farthest from any place."""
    width, height = corner_of(game)
    spots = [place(spot.at) for spot in game.ground.spots]
    corners = ((width, 0.0), (width, height), (0.0, height), (0.0, 0.0))
    x, y = max(corners, key=lambda corner: min(hypot(corner[0] - a, corner[1] - b) for a, b in spots))
    x, y = min(max(x, 46), width - 46), min(max(y, 54), height - 46)
    rose = element(parent, "g", transform=f"translate({x:.0f} {y:.0f})", opacity=0.8)
    for turn in range(4):
        arm = element(rose, "g", transform=f"rotate({90 * turn})")
        element(arm, "path", d="M0 -30 L5 -5 L0 0 Z", fill=INK)
        element(arm, "path", d="M0 -30 L-5 -5 L0 0 Z", fill=PAPER, stroke=INK, stroke_width=0.8)
    element(rose, "circle", r=13, fill="none", stroke=FADED, stroke_width=1)
    text_of(rose, "N", 0, -34, size=13, fill=INK, text_anchor="middle")


def corner_of(game: Game) -> tuple[float, float]:
    """The south-east corner of the sheet in pixels."""
    return game.ground.width / SCALE, game.ground.height / SCALE
