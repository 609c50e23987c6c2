"""The shapes of spells, blasts and breath on the square grid: circle, arc, cone, line and rectangle.

The games' own areas: Forge Engine's arcs of 90 and 180 degrees and its radius (Glossary: Arc, Radius,
Origin), such as the fifteen-foot arc of Flame Spray; DungeonTeller's circles two paces across, which are a
circle of radius 1 about a corner. Cones and lines are for homebrew; Forgeborn, Fortunate Blades and Dwarf
Dice have no areas. What is "within so many paces", as Forge Engine's bursts and DungeonTeller's powers have
it, is counted in steps instead: `steps.around`.

Every shape is exact: a square belongs to it if its middle is inside, or right on its rim. From the middle of
a square they reach half a pace beyond their radius, because the origin's own square is not counted (Radius:
one of 5 feet is 15 feet across). Shapes turn and mirror with their direction. They are not bounded by any
grid; given a ground, they stay on it and stop at what cannot be seen through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import line_of_effect
from services.rules.engine.ground.squares import Corner, Direction, Square

ARCS = (90, 180)
"""Degrees an arc may have."""


def circle(centre: Square | Corner, radius: int, ground: Ground | None = None) -> frozenset[Square]:
    """A disc about a square or a corner, the centre's own square included.

    Args:
        centre: A square, then the disc is `2 * radius + 1` paces across; or a corner, then `2 * radius`.
        radius: In paces, from 0 (about a corner from 1).
        ground: Where it stops.

    Raises:
        ValueError: The radius is too small.
    """
    if isinstance(centre, Square):
        _check("radius", radius, 0)
        middle, reach = (2 * centre.x, 2 * centre.y), 2 * radius + 1
    else:
        _check("radius", radius, 1)
        middle, reach = (2 * centre.x - 1, 2 * centre.y - 1), 2 * radius
    found = frozenset(
        square
        for square in _box(centre, radius)
        if (2 * square.x - middle[0]) ** 2 + (2 * square.y - middle[1]) ** 2 <= reach * reach
    )
    return found if ground is None else line_of_effect(ground, centre, found)


def arc(
    origin: Square, facing: Direction, degrees: int, radius: int, ground: Ground | None = None
) -> frozenset[Square]:
    """A quarter or a half of a disc about a square, without that square.

    Args:
        origin: Who or what it spreads from.
        facing: Where its middle points.
        degrees: 90 or 180.
        radius: In paces, from 1.
        ground: Where it stops.

    Raises:
        ValueError: No such degrees, or the radius is too small.
    """
    if degrees not in ARCS:
        raise ValueError(f"an arc has 90 or 180 degrees, not {degrees}")
    _check("radius", radius, 1)
    slope = 1 if degrees == 90 else 0
    return _pointed(
        origin,
        facing.value,
        radius,
        lambda ahead, aside, off: slope * aside <= ahead and off <= (2 * radius + 1) ** 2,
        ground,
    )


def cone(origin: Square, towards: Square, length: int, ground: Ground | None = None) -> frozenset[Square]:
    """A cone from a square, as wide everywhere as it is far from there (about 53 degrees); its end is round.

    Args:
        origin: Where it begins; not part of it.
        towards: A square its middle line goes through.
        length: In paces, from 1.
        ground: Where it stops.

    Raises:
        ValueError: It is to go towards its own origin, or the length is too small.
    """
    _check("length", length, 1)
    return _pointed(
        origin,
        _axis(origin, towards),
        length,
        lambda ahead, aside, off: 2 * aside <= ahead and off <= (2 * length + 1) ** 2,
        ground,
    )


def line(
    origin: Square, towards: Square, length: int, width: int = 1, ground: Ground | None = None
) -> frozenset[Square]:
    """A straight band from a square; its length is counted in steps, so that a slanting one is as long.

    Args:
        origin: Where it begins; not part of it.
        towards: A square its middle line goes through.
        length: In paces, from 1.
        width: In paces, odd: an even band has no square in its middle to begin at.
        ground: Where it stops.

    Raises:
        ValueError: It is to go towards its own origin, the length is too small, or the width is not odd.
    """
    _check("length", length, 1)
    _check("width", width, 1)
    if width % 2 == 0:
        raise ValueError(f"the width of a line is odd, not {width}")
    across, down = _axis(origin, towards)
    far = max(abs(across), abs(down))
    axis = across * across + down * down
    return _pointed(
        origin,
        (across, down),
        length + width,
        lambda ahead, aside, _: (
            0 < 2 * far * ahead <= (2 * length + 1) * axis and 4 * aside * aside <= width * width * axis
        ),
        ground,
    )


def rectangle(one: Square, other: Square, ground: Ground | None = None) -> frozenset[Square]:
    """The squares between two opposite ones, both included.

    Args:
        one: The square it comes from.
        other: The square opposite.
        ground: Where it stops.
    """
    found = frozenset(
        Square(x, y)
        for y in range(min(one.y, other.y), max(one.y, other.y) + 1)
        for x in range(min(one.x, other.x), max(one.x, other.x) + 1)
    )
    return found if ground is None else line_of_effect(ground, one, found)


def _pointed(
    origin: Square,
    axis: tuple[int, int],
    reach: int,
    inside: Callable[[int, int, int], bool],
    ground: Ground | None,
) -> frozenset[Square]:
    """The squares around an origin that a shape with a direction holds.

    `inside` is told how far a middle lies ahead along the axis and aside of it, both times the axis' length,
    and the square of twice its distance.
    """
    across, down = axis
    found = []
    for square in _box(origin, reach):
        x, y = square.x - origin.x, square.y - origin.y
        ahead, aside = x * across + y * down, abs(x * down - y * across)
        if (x or y) and inside(ahead, aside, 4 * (x * x + y * y)):
            found.append(square)
    return frozenset(found) if ground is None else line_of_effect(ground, origin, found)


def _box(centre: Square | Corner, reach: int) -> Iterable[Square]:
    # About a corner this is a column and a row too wide, which the disc then leaves out.
    return (
        Square(x, y)
        for y in range(centre.y - reach, centre.y + reach + 1)
        for x in range(centre.x - reach, centre.x + reach + 1)
    )


def _axis(origin: Square, towards: Square) -> tuple[int, int]:
    if origin == towards:
        raise ValueError("a direction needs two squares")
    return towards.x - origin.x, towards.y - origin.y


def _check(name: str, value: int, least: int) -> None:
    if value < least:
        raise ValueError(f"the {name} is at least {least}, not {value}")
