"""What each dropped die becomes: rules B3 to B14, one function a rule.

Book: Creating the Map of the Realm. Indices count the dice of one size in the order they were dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.rules.systems.forgeborn.drop import RealmSettings, Sheet
from services.rules.systems.forgeborn.geometry import (
    Point,
    Polyline,
    crosses,
    length,
    shortest_open_path,
    shortest_tree,
)

CITY_POWER = 8
"""Power of the City of the Prince, whatever its die shows (B5)."""


def dragon_power(face: int, settings: RealmSettings) -> int:
    """Power of the Dragon (B3): the d12's face, but never below the table's minimum (book: 8)."""
    return max(settings.dragon_minimum, face)


def city_index(faces: Sequence[int], positions: Sequence[Point], sheet: Sheet) -> int:
    """Which d8 is the City (B5, B6): the highest; of several highest the one nearest the center.

    Ruling P1: still tied, the first dropped.
    """
    return min(range(len(faces)), key=lambda i: (-faces[i], sheet.from_center(positions[i]), i))


def mountains_and_forests(
    faces: Sequence[int], positions: Sequence[Point], sheet: Sheet
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Splits the d6 into mountain points (even) and forest points (odd), each in drop order (B9, B10).

    With no odd die the even one farthest from the center becomes Forest; ruling P1: of several equally far
    the first dropped.
    """
    forests = [i for i, face in enumerate(faces) if face % 2 == 1]
    if not forests and faces:
        forests = [max(range(len(faces)), key=lambda i: (sheet.from_center(positions[i]), -i))]
    return tuple(i for i in range(len(faces)) if i not in forests), tuple(forests)


def mountain_range(peaks: Sequence[Point]) -> Polyline:
    """The range: the shortest open path of straight segments through all peaks (B11, B12, ruling P2).

    No peak makes no range; one peak makes a range of one point, which blocks nothing. Of equally short paths
    the one that names earlier dropped dice first.
    """
    order = shortest_open_path(peaks)
    return tuple(peaks[i] for i in order or ())


@dataclass(frozen=True, slots=True)
class ForestPatch:
    """Forest points that belong together.

    Attributes:
        points: The points, in the order their dice were dropped.
        dice: Index of each point among the forest points.
        lines: The polylines it is drawn along; none for a single point.
    """

    points: tuple[Point, ...]
    dice: tuple[int, ...]
    lines: tuple[Polyline, ...]


def forest_patches(points: Sequence[Point], ranges: Sequence[Polyline]) -> tuple[ForestPatch, ...]:
    """Groups forest points into patches, in the order of their first dropped points (B13).

    Ruling P3: two points share a patch when a chain of straight lines that miss the range joins them. A patch
    is drawn like the range, as the shortest open path over such lines; where no such path visits every point
    (possible from four points on) it is the shortest tree of such lines.
    """
    group = list(range(len(points)))
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            if group[i] != group[j] and not crosses(points[i], points[j], ranges):
                low, high = sorted((group[i], group[j]))
                group = [low if g == high else g for g in group]
    return tuple(
        _patch(points, tuple(i for i, g in enumerate(group) if g == first), ranges)
        for first in sorted(set(group))
    )


def _patch(points: Sequence[Point], members: tuple[int, ...], ranges: Sequence[Polyline]) -> ForestPatch:
    chosen = tuple(points[i] for i in members)

    def joinable(i: int, j: int) -> bool:
        return not crosses(chosen[i], chosen[j], ranges)

    order = shortest_open_path(chosen, joinable)
    lines: tuple[Polyline, ...]
    if order is None:
        lines = tuple((chosen[i], chosen[j]) for i, j in shortest_tree(chosen, joinable))
    else:
        lines = (tuple(chosen[i] for i in order),) if len(order) > 1 else ()
    return ForestPatch(chosen, members, lines)


def largest_patch(patches: Sequence[ForestPatch]) -> int:
    """Index of the largest patch (B14, ruling P3): most points, then longest drawn, then first dropped.

    Ruling P4: the other patches are scenery without a link. Two patches can only tie with at most three
    points each, and three joined points always have a path, so "longest drawn" is always a path's length.
    """
    return min(
        range(len(patches)),
        key=lambda i: (
            -len(patches[i].points),
            -sum(length(line) for line in patches[i].lines),
            patches[i].dice,
        ),
    )


def segments(lines: Sequence[Polyline]) -> tuple[tuple[Point, Point], ...]:
    """Every straight piece of some polylines."""
    return tuple(pair for line in lines for pair in pairwise(line))
