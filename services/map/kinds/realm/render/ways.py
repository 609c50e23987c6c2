"""How Roads and Trails run on the page: the straight line of the rules, bent a little by hand.

A Road is only bent where the whole triangle around its curve misses the range, tested in whole grid steps
with the rules' own crossing test; otherwise it stays straight, which by the rules misses the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from services.map.generation.stream import Stream
from services.map.render.shapes import Box, Curve, Disc, Spot
from services.rules.systems.forgeborn import Link, LinkKind, Polyline
from services.rules.systems.forgeborn.geometry import Point, crosses

_BENDS = (0.055, -0.055, 0.03, -0.03, 0.1, -0.1, 0.16, -0.16, 0.0, 0.24, -0.24, 0.34, -0.34, 0.46, -0.46)
_MOST_BEND = 44.0
_DETOUR = 0.2
_MOST_DETOUR = 170.0
_OVER_A_SIGN = 24.0
_CELL = 14
_UNDER = 0.72


@dataclass(frozen=True, slots=True)
class Way:
    """One link as it is drawn.

    Attributes:
        link: The link of the rules.
        whole: Its curve from place to place.
        drawn: The part between the two icons.
    """

    link: Link
    whole: Curve
    drawn: Curve


@dataclass(frozen=True, slots=True)
class Page:
    """Where the sheet lies on the page.

    Attributes:
        left: Pixel of the sheet's west edge.
        top: Pixel of its north edge.
        scale: Pixels in one grid step.
    """

    left: float
    top: float
    scale: float

    def spot(self, at: Point) -> Spot:
        """The pixel of a position."""
        return self.left + at.x * self.scale, self.top + at.y * self.scale

    def point(self, spot: Spot) -> Point:
        """The position nearest to a pixel."""
        return Point(round((spot[0] - self.left) / self.scale), round((spot[1] - self.top) / self.scale))


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)


def curve_misses(corners: tuple[Point, Point, Point], ranges: Sequence[Polyline]) -> bool:
    """Whether the triangle around a curve (start, bend, end) shares nothing with any range.

    A range meets the triangle when it meets an edge or lies wholly inside it.
    """
    a, b, c = corners
    if any(crosses(p, q, ranges) for p, q in ((a, b), (b, c), (a, c))):
        return False
    for line in ranges:
        first = line[0]
        turns = (_turn(a, b, first), _turn(b, c, first), _turn(c, a, first))
        if len(line) > 1 and (min(turns) > 0 or max(turns) < 0):
            return False
    return True


def draw_ways(
    links: Sequence[Link],
    icons: dict[str, Disc],
    ranges: Sequence[Polyline],
    page: Page,
    frame: Box,
    stream: Stream,
) -> tuple[Way, ...]:
    """Bends and trims every link.

    Args:
        links: The links in drawing order.
        icons: The area of each place's icon.
        ranges: What no Road may meet.
        page: Where the sheet lies.
        frame: What every way stays inside.
        stream: Chooses the side a way bends to.
    """
    # A line ends a little under the sign, whose outline is inside its disc, and is covered by it there.
    under = {name: Disc(disc.x, disc.y, disc.radius * _UNDER) for name, disc in icons.items()}
    ways: list[Way] = []
    for link in links:
        side = 1 if stream.below(2) else -1
        ends = {link.start.id, link.end.id}
        others = [disc for name, disc in icons.items() if name not in ends]
        curve = _bent(link, side, others, ways, ranges, page, frame)
        drawn = _trimmed(curve, under[link.start.id], under[link.end.id])
        ways.append(Way(link, curve, drawn))
    return tuple(ways)


def _bent(
    link: Link,
    side: int,
    others: Sequence[Disc],
    before: Sequence[Way],
    ranges: Sequence[Polyline],
    page: Page,
    frame: Box,
) -> Curve:
    start, end = page.spot(link.start.at), page.spot(link.end.at)
    dx, dy = end[0] - start[0], end[1] - start[1]
    span = hypot(dx, dy)
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    taken = {_cell(spot) for way in before for spot in way.whole.spots(_CELL)[2:-2]}
    best: tuple[float, Curve] | None = None
    for rank, bend in enumerate(_BENDS):
        if best is not None and best[0] <= rank:
            break
        # The far bends are detours around a sign that stands between the two places.
        most = _MOST_DETOUR if abs(bend) > _DETOUR else _MOST_BEND
        reach = side * max(-most, min(most, 2 * bend * span))
        # The bend is put on the grid of the rules first, so that what is tested is what is drawn.
        control = page.point((middle[0] - dy / span * reach, middle[1] + dx / span * reach))
        if (
            bend
            and link.kind is LinkKind.ROAD
            and not curve_misses((link.start.at, control, link.end.at), ranges)
        ):
            continue
        curve = Curve(start, page.spot(control) if bend else middle, end)
        spots = curve.spots(12)
        if not all(frame.has(spot) for spot in spots):
            continue
        cost = 1.0 * rank
        cost += sum(_OVER_A_SIGN for disc in others if any(_near(disc, spot, 7) for spot in spots))
        cost += 1.5 * sum(_cell(spot) in taken for spot in spots[2:-2])
        if best is None or cost < best[0]:
            best = cost, curve
    return best[1] if best else Curve(start, middle, end)


def _cell(spot: Spot) -> tuple[int, int]:
    return int(spot[0] // _CELL), int(spot[1] // _CELL)


def _near(disc: Disc, spot: Spot, room: float) -> bool:
    return hypot(disc.x - spot[0], disc.y - spot[1]) < disc.radius + room


def _trimmed(curve: Curve, start: Disc, end: Disc) -> Curve:
    """The curve without what the two icons cover; a link between touching icons keeps its middle."""
    steps = 64
    first = next((i for i in range(steps) if not _near(start, curve.at(i / steps), 0)), steps // 2 - 1)
    last = next((i for i in range(steps, 0, -1) if not _near(end, curve.at(i / steps), 0)), steps // 2 + 1)
    if last - first < 2:
        first, last = steps // 2 - 4, steps // 2 + 4
    return curve.between(first / steps, last / steps)
