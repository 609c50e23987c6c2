"""Pawns: where those who stand on a realm are drawn, and what they look like.

A pawn stands where its token lies, unless it would cover a sign or another pawn there: then it steps aside.
Names give way to pawns, and pawns that are set beside a place (`stands_beside`) to the names as they stand
without them, so that the names of a realm stay where they are while pieces move over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from services.map.render import palette
from services.map.render.figures import Figure
from services.map.render.metrics import FONT_FAMILY, text_width
from services.map.render.shapes import Box, Disc, Spot
from services.map.render.svg import Value, element, escaped, group, number

PAWN = 19.0
"""Pixels from the middle of a pawn to where nothing of it is drawn any more."""

MOST_CLEAR = 64
"""Pawns that step aside and that names give way to; those of a larger crowd stand where they stand."""

_GAP = 2.0
_ROUNDING = 0.1
_TURNS = 24
_RINGS = 12
_ASIDE = PAWN / 2
_FIRST_TURN = 0.62 * pi
_OVER_NAME = 40.0
_OVER_WAY = 6.0
_FARTHER = 14.0
_NEARER_ANOTHER = 25.0
_PLAINLY = PAWN / 2
_LUMINANCE = (0.299, 0.587, 0.114)
_BRIGHT = 150.0


@dataclass(frozen=True, slots=True)
class Pawn:
    """A figure on the page, and the room it has."""

    figure: Figure
    disc: Disc


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands on a page before there are pawns.

    Attributes:
        signs: What pawns never cover: the signs of the places, and the compass.
        names: What they had better not cover.
        ways: Spots along Roads and Trails, which they had better leave open.
        room: Where the middle of a pawn may be.
    """

    signs: Sequence[Disc]
    names: Sequence[Box]
    ways: Sequence[Spot]
    room: Box


def stands_beside(signs: Iterable[Disc], around: Surroundings) -> list[Spot]:
    """Finds spots for pawns beside signs, one for each, that lie on no other pawn.

    Args:
        signs: The sign each pawn belongs to; several at one sign fan out around it.
        around: What else is on the page.
    """
    taken: list[Disc] = []
    for sign in signs:
        near = [way for way in around.ways if _apart(way, (sign.x, sign.y)) < sign.radius + 6 * PAWN]
        best: tuple[float, Spot] | None = None
        for ring in range(_RINGS):
            if best is not None and best[0] <= _FARTHER * ring:
                break
            for turn in range(_TURNS):
                spot = _around(sign, sign.radius + PAWN + _GAP + ring * PAWN, turn)
                # What is free here must be free too where it is read from the map, whose grid is coarser.
                if not around.room.has(spot) or _covers(spot, (*around.signs, *taken), _ROUNDING):
                    continue
                cost = _FARTHER * ring + min(turn, _TURNS - turn) * 0.5 + _covered(spot, near, around)
                cost += _NEARER_ANOTHER * _nearer_another(spot, sign, around.signs)
                if best is None or cost < best[0]:
                    best = cost, spot
        # On a page so full that no ring has room they stand on one another, but beside their sign.
        spot = best[1] if best is not None else _around(sign, sign.radius + PAWN + _GAP, 0)
        taken.append(Disc(*spot, PAWN))
    return [(disc.x, disc.y) for disc in taken]


def place_pawns(figures: Sequence[tuple[Figure, Spot]], signs: Sequence[Disc], room: Box) -> tuple[Pawn, ...]:
    """Puts figures on the page where they stand, or as near as they cover nothing.

    Args:
        figures: Each with the pixel where it stands, those first that are to step aside last.
        signs: What pawns never cover.
        room: Where the middle of a pawn may be.
    """
    taken: list[Disc] = []
    for _, spot in figures:
        steps_aside = len(taken) < MOST_CLEAR and _covers(spot, (*signs, *taken))
        taken.append(Disc(*(_aside(spot, (*signs, *taken), room) if steps_aside else spot), PAWN))
    return tuple(Pawn(figure, disc) for (figure, _), disc in zip(figures, taken, strict=True))


def _aside(spot: Spot, taken: Sequence[Disc], room: Box) -> Spot:
    """The nearest spot around, to the step, where a pawn covers nothing; the same spot when there is none."""
    middle = Disc(*spot, 0)
    for step in range(1, int(hypot(room.width, room.height) / _ASIDE)):
        for turn in range(_TURNS):
            other = _around(middle, step * _ASIDE, turn)
            if room.has(other) and not _covers(other, taken):
                return other
    return spot


def _around(middle: Disc, far: float, turn: int) -> Spot:
    angle = _FIRST_TURN + 2 * pi * turn / _TURNS
    return middle.x + far * cos(angle), middle.y + far * sin(angle)


def _covers(spot: Spot, discs: Iterable[Disc], room: float = 0.0) -> bool:
    return any(_apart(spot, (disc.x, disc.y)) < PAWN + disc.radius + room for disc in discs)


def _nearer_another(spot: Spot, sign: Disc, signs: Iterable[Disc]) -> bool:
    """Whether somebody there might seem to stand by another sign."""
    own = _apart(spot, (sign.x, sign.y)) - sign.radius
    return any(
        _apart(spot, (other.x, other.y)) - other.radius < own + _PLAINLY
        for other in signs
        if other is not sign
    )


def _covered(spot: Spot, ways: Sequence[Spot], around: Surroundings) -> float:
    disc = Disc(*spot, PAWN)
    over_names = any(disc.meets(name) for name in around.names)
    over_ways = any(_apart(way, spot) < PAWN for way in ways)
    return _OVER_NAME * over_names + _OVER_WAY * over_ways


def _apart(one: Spot, other: Spot) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


_BODY = "M-27 -34Q-40 8 -74 58Q-92 84 -84 94H84Q92 84 74 58Q40 8 27 -34Z"
_HEAD = 34.0
_LETTERS_WIDE = 116.0
_LETTERS_HIGH = 66.0


def draw_pawn(pawn: Pawn) -> str:
    """One pawn, drawn in a circle of radius 100 around the origin and scaled to its room."""
    figure, disc = pawn.figure, pawn.disc
    bright = sum(
        share * int(figure.color[place : place + 2], 16)
        for share, place in zip(_LUMINANCE, (1, 3, 5), strict=True)
    )
    ink = palette.INK if bright > _BRIGHT else palette.PAPER_LIGHT
    halo: dict[str, Value] = {
        "fill": "none",
        "stroke": palette.PAPER_LIGHT,
        "stroke_width": 22.0,
        "stroke_opacity": 0.85,
    }
    size = _LETTERS_HIGH
    width = text_width(figure.letters, size, bold=True)
    if width > _LETTERS_WIDE:
        size, width = size * _LETTERS_WIDE / width, _LETTERS_WIDE
    return group(
        element("title", escaped(figure.name)),
        element("path", d=_BODY, **halo),
        element("circle", cx=0, cy=-60, r=_HEAD, **halo),
        element("path", d=_BODY, fill=figure.color),
        element("circle", cx=0, cy=-60, r=_HEAD, fill=figure.color),
        element(
            "text",
            escaped(figure.letters),
            x=0,
            y=82.0,
            font_family=FONT_FAMILY,
            font_size=size,
            font_weight="bold",
            text_anchor="middle",
            textLength=width,
            lengthAdjust="spacingAndGlyphs",
            fill=ink,
            stroke="none",
        ),
        transform=f"translate({number(disc.x)} {number(disc.y)}) scale({disc.radius / 100:.4f})",
        stroke=palette.INK,
        stroke_width=7.0,
        stroke_linejoin="round",
    )
