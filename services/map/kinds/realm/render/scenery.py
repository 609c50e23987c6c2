"""Where mountains and trees stand: scenery that gives way to icons, Roads and Trails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, sin

from services.map.generation.stream import Stream
from services.map.kinds.realm.render.ways import Page
from services.map.render.shapes import Box, Disc, Spot
from services.rules.systems.forgeborn import ForestPatch, Polyline
from services.rules.systems.forgeborn.features import segments
from services.rules.systems.forgeborn.geometry import Point, crosses

_CELL = 20


@dataclass(frozen=True, slots=True)
class Peak:
    """One mountain: the middle of its foot, half its width, its height, and what varies its outline."""

    x: float
    y: float
    half: float
    height: float
    variation: int

    @property
    def box(self) -> Box:
        """The box around it."""
        return Box(self.x - self.half, self.y - self.height, self.x + self.half, self.y)

    def covers(self, spot: Spot, room: float) -> bool:
        """Whether a spot lies on the mountain or within `room` of it."""
        above = self.y - spot[1]
        if above < -room or above > self.height + room:
            return False
        share = 1 - max(0.0, above) / self.height
        return abs(spot[0] - self.x) < self.half * max(0.0, share) + room


@dataclass(frozen=True, slots=True)
class Tree:
    """One tree: the foot of its stem, its height, and which of the drawn kinds it is."""

    x: float
    y: float
    size: float
    kind: int


class Kept:
    """What scenery keeps clear of: icons, ways, the frame, and labels where they stand already."""

    def __init__(
        self, discs: Sequence[Disc], ways: Sequence[Spot], frame: Box, labels: Sequence[Box] = ()
    ) -> None:
        """Sorts the spots of the ways into cells, for quick asking."""
        self.discs = discs
        self.labels = labels
        self.frame = frame
        self._cells: dict[tuple[int, int], list[Spot]] = {}
        for spot in ways:
            self._cells.setdefault((int(spot[0] // _CELL), int(spot[1] // _CELL)), []).append(spot)

    def way_spots(self, box: Box) -> list[Spot]:
        """Spots of ways in the cells that a box touches."""
        return [
            spot
            for column in range(int(box.left // _CELL), int(box.right // _CELL) + 1)
            for row in range(int(box.top // _CELL), int(box.bottom // _CELL) + 1)
            for spot in self._cells.get((column, row), ())
        ]

    def allows_peak(self, peak: Peak) -> bool:
        """Whether a mountain is clear of everything."""
        box = peak.box
        if not self.frame.holds(box) or any(disc.meets(box.grown(2)) for disc in self.discs):
            return False
        return not any(peak.covers(spot, 4) for spot in self.way_spots(box.grown(5)))

    def allows_tree(self, tree: Tree) -> bool:
        """Whether a tree is clear of everything."""
        box = Box(tree.x - tree.size * 0.4, tree.y - tree.size, tree.x + tree.size * 0.4, tree.y + 1)
        if not self.frame.holds(box) or any(disc.meets(box) for disc in self.discs):
            return False
        if any(label.overlaps(box) for label in self.labels):
            return False
        return not any(box.grown(3).has(spot) for spot in self.way_spots(box.grown(3)))


def raise_peaks(line: Polyline, page: Page, kept: Kept, stream: Stream) -> tuple[Peak, ...]:
    """Mountains along the range, from the back to the front.

    Big ones stand on the line, foothills beside it, smaller toward its ends. One that would stand on an icon
    or a way is made smaller, then left out: a Trail over the range runs through a gap, a pass.
    """
    wanted: list[Peak] = []
    spots = [page.spot(at) for at in line]
    if len(spots) == 1:
        x, y = spots[0]
        wanted = [
            _peak(x, y + 24, 1.6, stream),
            _peak(x - 34, y + 27, 0.7, stream),
            _peak(x + 31, y + 28, 0.75, stream),
        ]
    runs = list(pairwise(spots))
    total = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in runs)
    gone = 0.0
    for a, b in runs:
        span = hypot(b[0] - a[0], b[1] - a[1])
        along = 0.0
        while along < span:
            x, y = a[0] + (b[0] - a[0]) * along / span, a[1] + (b[1] - a[1]) * along / span
            taper = min(1.0, 0.62 + min(gone + along, total - gone - along) / 160)
            off = stream.between(-6, 6)
            nx, ny = -(b[1] - a[1]) / span, (b[0] - a[0]) / span
            wanted.append(_peak(x + nx * off, y + ny * off + 14, taper, stream))
            if stream.below(100) < 78:
                far = stream.between(15, 26) * (1 if stream.below(2) else -1)
                wanted.append(
                    _peak(x + nx * far, y + ny * far + 12, stream.between(44, 66) / 100 * taper, stream)
                )
            along += stream.between(17, 23)
        gone += span
    last = spots[-1:] if len(spots) > 1 else []
    wanted += [_peak(x, y + 14, 0.66, stream) for x, y in last]
    placed = [peak for peak in (_fitted(peak, kept) for peak in wanted) if peak is not None]
    return tuple(sorted(placed, key=lambda peak: (peak.y, peak.x)))


def _peak(x: float, y: float, scale: float, stream: Stream) -> Peak:
    height = stream.between(36, 58) * scale
    return Peak(x, y, height * stream.between(50, 66) / 100, height, stream.below(1000))


def _fitted(peak: Peak, kept: Kept) -> Peak | None:
    for share in (1.0, 0.74, 0.55, 0.4):
        # A smaller mountain keeps its summit's place on the line, so its foot comes up.
        smaller = Peak(
            peak.x, peak.y - 8 * (1 - share), peak.half * share, peak.height * share, peak.variation
        )
        if smaller.height >= 11 and kept.allows_peak(smaller):
            return smaller
    return None


def plant_trees(
    patches: Sequence[ForestPatch],
    line: Polyline,
    peaks: Sequence[Peak],
    page: Page,
    kept: Kept,
    stream: Stream,
) -> tuple[Tree, ...]:
    """Trees around the forest points and along the lines between them, from the back to the front.

    No tree stands on a mountain, and none on the other side of the range from its forest point.
    """
    ranges = (line,)
    placed: dict[tuple[int, int], list[Tree]] = {}

    def plant(origin: Point, x: float, y: float) -> None:
        size = stream.between(17, 24)
        tree = Tree(x, y, size, stream.below(4))
        cell = int(x // _CELL), int(y // _CELL)
        close = (
            other
            for column in (cell[0] - 1, cell[0], cell[0] + 1)
            for row in (cell[1] - 1, cell[1], cell[1] + 1)
            for other in placed.get((column, row), ())
        )
        if any(abs(other.x - x) < 11 and abs(other.y - y) < 9 for other in close):
            return
        if not kept.allows_tree(tree) or any(peak.covers((x, y - 4), 7) for peak in peaks):
            return
        if crosses(origin, page.point((x, y)), ranges):
            return
        placed.setdefault(cell, []).append(tree)

    for patch in patches:
        for origin in patch.points:
            x, y = page.spot(origin)
            for turn in range(42):
                angle = turn * 2.399963 + stream.below(100) / 300
                far = 7.6 * turn**0.5 + stream.between(-2, 2)
                plant(origin, x + far * cos(angle) * 1.15, y + far * sin(angle) * 0.9 + 7)
        for start, end in segments(patch.lines):
            count = int(hypot(end.x - start.x, end.y - start.y) * page.scale / 4.5)
            for step in range(count):
                middle = Point(
                    start.x + (end.x - start.x) * step // count, start.y + (end.y - start.y) * step // count
                )
                x, y = page.spot(middle)
                plant(middle, x + stream.between(-23, 23), y + stream.between(-20, 20) + 7)
    return tuple(
        sorted((tree for trees in placed.values() for tree in trees), key=lambda tree: (tree.y, tree.x))
    )
