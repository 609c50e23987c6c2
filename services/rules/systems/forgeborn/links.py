"""Roads and Trails: rules C1 to C11, one function a rule.

Book: Creating the Map of the Realm. Every distance is straight-line (rulings page), compared exactly as a
squared integer.

A place may lie on the line of the range itself. Every straight line from it then touches the range, so all
its links are Trails: a settlement there has no Road, a Lair or Ruin there gets its Trail by force. Nothing
becomes unreachable, and no Road ever meets the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.rules.systems.forgeborn.drop import RealmSettings, Sheet
from services.rules.systems.forgeborn.geometry import Point, Polyline, crosses, squared_distance


class LinkKind(StrEnum):
    """The two kinds of links (C1): a Road is drawn solid, a Trail dotted.

    Attributes:
        ROAD: A way that is drawn solid, and never crosses the mountains.
        TRAIL: A way that is drawn dotted.
    """

    ROAD = "road"
    TRAIL = "trail"


@dataclass(frozen=True, slots=True)
class Site:
    """The end of a link: a place's id and a position."""

    id: str
    at: Point


@dataclass(frozen=True, slots=True)
class Link:
    """One way between two places, for both directions.

    Attributes:
        start: The place it was drawn from; for the Forest the point of the patch it leaves.
        end: The place it was drawn to.
        kind: Road or Trail.
        forced: Whether no line kept the rules and the shortest was taken all the same (C7).
        crosses_range: Whether its straight line meets the range.
    """

    start: Site
    end: Site
    kind: LinkKind
    forced: bool
    crosses_range: bool

    def joins(self, place_id: str) -> bool:
        """Whether the link has this place at one end."""
        return place_id in (self.start.id, self.end.id)

    def other(self, place_id: str) -> str:
        """The place at the other end.

        Raises:
            ValueError: The place is at neither end.
        """
        if place_id == self.start.id:
            return self.end.id
        if place_id == self.end.id:
            return self.start.id
        raise ValueError(f"{place_id} is at neither end of this link")


def settlement_links(settlements: Sequence[Site], ranges: Sequence[Polyline]) -> tuple[Link, ...]:
    """Links between the settlements: each to its nearest, then apart networks tied together.

    Rule C3: each settlement is linked to its nearest; a Road that would cross the range is a Trail instead
    (rulings page). Of equally near ones, one that a Road can reach, then the first given. Rule C4 and ruling
    P6: networks that stay apart are tied by the shortest Road between any two of them; only when no Road
    joins any two, by the shortest Trail. A Trail drawn under C3 joins its two ends into one network.

    Args:
        settlements: In the order that settles ties and says which end of a link comes first (ruling P5: City,
            Citadel and Villages all are settlements).
        ranges: The lines no Road may meet.
    """
    count = len(settlements)
    distance = [[squared_distance(a.at, b.at) for b in settlements] for a in settlements]
    blocked = [
        [i != j and crosses(a.at, b.at, ranges) for j, b in enumerate(settlements)]
        for i, a in enumerate(settlements)
    ]
    network = list(range(count))
    links: dict[tuple[int, int], Link] = {}

    def link(i: int, j: int) -> None:
        low, high = min(i, j), max(i, j)
        if (low, high) in links:
            return
        kind = LinkKind.TRAIL if blocked[low][high] else LinkKind.ROAD
        links[low, high] = Link(settlements[low], settlements[high], kind, False, blocked[low][high])
        joined = network[high]
        network[:] = [network[low] if n == joined else n for n in network]

    def nearest(i: int) -> int:
        return min((j for j in range(count) if j != i), key=lambda j: (distance[i][j], blocked[i][j], j))

    if count > 1:
        for i in range(count):
            link(i, nearest(i))
    while len(set(network)) > 1:
        gaps = [(i, j) for i in range(count) for j in range(i + 1, count) if network[i] != network[j]]
        link(*min(gaps, key=lambda gap: (blocked[gap[0]][gap[1]], distance[gap[0]][gap[1]], gap)))
    return tuple(links.values())


def too_far(a: Point, b: Point, sheet: Sheet, settings: RealmSettings) -> bool:
    """Whether a Trail would be too far (C6): longer than the table's share of the sheet's diagonal."""
    return squared_distance(a, b) * 100**2 > settings.too_far_percent**2 * sheet.squared_diagonal


def trail_to_nearest(
    site: Site, targets: Sequence[Site], ranges: Sequence[Polyline], sheet: Sheet, settings: RealmSettings
) -> Link:
    """The one Trail of a Lair or Ruin (C6, C7), and of a Ruin found in play (C11, ruling P9).

    Ruling P7: the nearest among the targets whose line misses the range and is not too far. When none passes,
    the nearest of all by the shortest Trail, marked forced: every place must be reachable.

    Args:
        site: The place to link.
        targets: Settlements; for a Ruin found in play the older Ruins too, spent ones included. Of equally
            near ones the first given.
        ranges: The lines the Trail should not meet.
        sheet: Its diagonal is the measure of "too far".
        settings: The share of it.

    Raises:
        ValueError: There is no target.
    """
    proper = [
        target
        for target in targets
        if not crosses(site.at, target.at, ranges) and not too_far(site.at, target.at, sheet, settings)
    ]
    end = min(proper or targets, key=lambda target: squared_distance(site.at, target.at))
    return Link(site, end, LinkKind.TRAIL, not proper, crosses(site.at, end.at, ranges))


def forest_trail(
    forest_id: str, patch: Sequence[Point], targets: Sequence[Site], ranges: Sequence[Polyline]
) -> Link:
    """The one Trail of the largest forest patch (C8), to a Village or Ruin and nothing else.

    Ruling P8: from the point and to the target that are nearest, lines that miss the range first, no distance
    limit. When every line meets the range the nearest is linked all the same, marked forced.

    Args:
        forest_id: Id of the Forest as a place.
        patch: The points of the patch in drop order; of equally near ones the first.
        targets: Villages and Ruins; of equally near ones the first given.
        ranges: The lines the Trail should not meet.

    Raises:
        ValueError: There is no point or no target.
    """
    blocked, _, point, target = min(
        (crosses(at, site.at, ranges), squared_distance(at, site.at), i, j)
        for i, at in enumerate(patch)
        for j, site in enumerate(targets)
    )
    return Link(Site(forest_id, patch[point]), targets[target], LinkKind.TRAIL, blocked, blocked)
