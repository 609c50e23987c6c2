"""Places by kind with their Power and name, and the pieces that stand beside them.

Names and pieces are put where they lie on nothing: of several spots around a place the freest is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from xml.etree.ElementTree import Element

from services.rules.systems.forgeborn.play.picture.svg import (
    INK,
    PAPER,
    SCALE,
    Box,
    cut,
    element,
    halo,
    path,
    place,
    text_of,
    wide,
)
from services.rules.systems.forgeborn.play.state import Game, Spot
from services.rules.systems.forgeborn.realm import PlaceKind

HALF = 19.0
"""Half of the width of a place's mark."""

NAME_SIZE = 13.5
LONGEST_NAME = 26
WAY_STEP = 9.0
"""Pixels between the spots of a way that names keep off."""

PIECE = 8.0
"""Radius of a piece."""

FILLS = {
    PlaceKind.CITADEL: "#c9b28a",
    PlaceKind.CITY: "#e2bf4f",
    PlaceKind.VILLAGE: "#d98e5f",
    PlaceKind.RUIN: "#b7a9c6",
    PlaceKind.LAIR: "#a9483b",
    PlaceKind.FOREST: "#5f7a48",
}


def places(parent: Element, game: Game) -> list[Box]:
    """Draws every place with its name; returns the boxes that are taken."""
    width, height = game.ground.width / SCALE, game.ground.height / SCALE
    taken = [_around(*place(spot.at)) for spot in game.ground.spots]
    lines = _on_ways(game)
    for spot in game.ground.spots:
        _mark(parent, spot)
    for spot in game.ground.spots:
        x, y = place(spot.at)
        words = cut(spot.name[:1].upper() + spot.name[1:], LONGEST_NAME)
        half = wide(words, NAME_SIZE) / 2
        spots = (
            (x, y + HALF + 14, "middle"),
            (x, y - HALF - 6, "middle"),
            (x + HALF + 5, y + 5, "start"),
            (x - HALF - 5, y + 5, "end"),
            (x + HALF, y + HALF + 12, "start"),
            (x - HALF, y + HALF + 12, "end"),
        )
        boxes = [_name_box(at_x, at_y, half, anchor) for at_x, at_y, anchor in spots]
        best = _freest(boxes, (*taken, *lines), width, height)
        at_x, at_y, anchor = spots[best]
        taken.append(boxes[best])
        style = "italic" if spot.spent else "normal"
        halo(parent, words, at_x, at_y, size=NAME_SIZE, fill=INK, text_anchor=anchor, font_style=style)
    return taken


def _on_ways(game: Game) -> list[Box]:
    """Small boxes along Roads and Trails, so that names keep off them where they can."""
    found: list[Box] = []
    for way in game.ground.ways:
        (x, y), (other_x, other_y) = (place(game.ground.spot(end).at) for end in (way.start, way.end))
        parts = max(1, round(hypot(other_x - x, other_y - y) / WAY_STEP))
        found += [
            _around(x + (other_x - x) * part / parts, y + (other_y - y) * part / parts, WAY_STEP / 3)
            for part in range(1, parts)
        ]
    return found


def _around(x: float, y: float, half: float = HALF) -> Box:
    return Box(x - half, y - half, x + half, y + half)


def _name_box(x: float, y: float, half: float, anchor: str) -> Box:
    left = {"middle": x - half, "start": x, "end": x - 2 * half}[anchor]
    return Box(left, y - NAME_SIZE, left + 2 * half, y + 4)


def _freest(boxes: Sequence[Box], taken: Sequence[Box], width: float, height: float) -> int:
    """Which box lies on least; the first of those."""
    costs = [sum(box.meets(other) for other in taken) + 1_000 * box.outside(width, height) for box in boxes]
    return costs.index(min(costs))


def _mark(parent: Element, spot: Spot) -> None:
    x, y = place(spot.at)
    group = element(
        parent,
        "g",
        transform=f"translate({x:.1f} {y:.1f})",
        fill=FILLS[spot.kind],
        stroke=INK,
        stroke_width=1.6,
        stroke_linejoin="round",
    )
    match spot.kind:
        case PlaceKind.CITADEL:
            tower = ((-13, 17), (-13, -10), (-17, -10), (-17, -18), (-9, -18), (-9, -13), (-4, -13))
            mirrored = tuple((-across, down) for across, down in reversed(tower))
            top = ((-4, -18), (4, -18))
            element(group, "path", d=f"{path((*tower, *top, *mirrored))} Z")
        case PlaceKind.CITY:
            crown = ((-17, 14), (-19, -10), (-9, 0), (0, -17), (9, 0), (19, -10), (17, 14))
            element(group, "path", d=f"{path(crown)} Z")
        case PlaceKind.VILLAGE:
            element(group, "path", d=f"{path(((0, -18), (19, 15), (-19, 15)))} Z")
        case PlaceKind.RUIN:
            diamond = f"{path(((0, -19), (19, 0), (0, 19), (-19, 0)))} Z"
            fill = PAPER if spot.spent else FILLS[spot.kind]
            element(group, "path", d=diamond, fill=fill, stroke_dasharray="4 3" if spot.spent else "none")
        case PlaceKind.LAIR:
            peak = ((-23, 17), (-9, -9), (-5, -4), (0, -19), (6, -6), (9, -10), (23, 17))
            element(group, "path", d=f"{path(peak)} Z")
        case PlaceKind.FOREST:
            element(group, "circle", r=15)
            for across in (-6, 0, 6):
                down = -2 if across else -6
                tree = ((across, down - 5), (across + 5, down + 7), (across - 5, down + 7))
                element(group, "path", d=f"{path(tree)} Z", fill=PAPER, stroke="none")
    if spot.power is not None:
        down = {PlaceKind.VILLAGE: 11, PlaceKind.LAIR: 12, PlaceKind.CITY: 10}.get(spot.kind, 6)
        ink = PAPER if spot.kind is PlaceKind.LAIR else INK
        text_of(
            group,
            str(spot.power),
            0,
            down,
            size=15,
            fill=ink,
            stroke="none",
            text_anchor="middle",
            font_weight="bold",
        )


def pieces(parent: Element, game: Game, taken: list[Box]) -> None:
    """Pawns beside their places: Smiths are round with their initial, Heroines are small shields."""
    width, height = game.ground.width / SCALE, game.ground.height / SCALE
    colors = {smith.id: smith.color for smith in game.smiths}
    pawns = [(smith.place, smith.name, smith.color, True) for smith in game.smiths]
    pawns += [(one.place, one.name, colors[one.smith], False) for one in game.heroines]
    for at, name, color, is_smith in pawns:
        x, y = place(game.ground.spot(at).at)
        spots = [
            (x + far * across, y + far * down)
            for far in (HALF + PIECE + 2, HALF + 3 * PIECE + 3, HALF + 5 * PIECE + 4)
            for across, down in _RING
        ]
        boxes = [_around(*spot, PIECE + 1) for spot in spots]
        best = _freest(boxes, taken, width, height)
        taken.append(boxes[best])
        _pawn(parent, *spots[best], name=name, color=color, is_smith=is_smith)


_RING = (
    (1, 0),
    (-1, 0),
    (0.8, -0.8),
    (-0.8, -0.8),
    (0.8, 0.8),
    (-0.8, 0.8),
    (0, -1),
    (0, 1),
)


def _pawn(parent: Element, x: float, y: float, *, name: str, color: str, is_smith: bool) -> None:
    group = element(parent, "g", transform=f"translate({x:.1f} {y:.1f})")
    element(group, "title").text = name
    if is_smith:
        element(group, "circle", r=PIECE, fill=color, stroke=PAPER, stroke_width=1.5)
    else:
        shield = "M-7 -8 H7 V1 C7 6 3 8 0 9 C-3 8 -7 6 -7 1 Z"
        element(group, "path", d=shield, fill=color, stroke=PAPER, stroke_width=1.5)
    letter = name.strip()[:1].upper()
    text_of(group, letter, 0, 4, size=10.5, fill="#ffffff", text_anchor="middle", font_weight="bold")
