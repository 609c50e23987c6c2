"""Where the words stand: no label over another, over an icon or outside the frame.

Every label tries places around its icon, nearest and most usual first, and takes the cheapest that is free;
then each looks again, now that it knows where the others stand. A label pushed far away gets a leader line.
When nothing around the icon is free the whole page is searched, and a name that fits nowhere is left out: the
icon's own title still tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from services.map.render.metrics import ASCENT, DESCENT, text_width
from services.map.render.shapes import Box, Disc, Spot

_RINGS = (3.0, 10.0, 20.0, 34.0, 52.0, 74.0, 100.0, 130.0)
_LEADER_FROM = 20.0
_TURNS = 24
_ENOUGH = 40
_PASSES = 3
_CELL = 10


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a label."""

    text: str
    size: float
    bold: bool = False
    italic: bool = False
    tracking: float = 0.0

    @property
    def width(self) -> float:
        """Room it takes up."""
        return text_width(self.text, self.size, bold=self.bold, italic=self.italic, tracking=self.tracking)

    @property
    def height(self) -> float:
        """Height from the tallest to the deepest letter."""
        return self.size * (ASCENT + DESCENT)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A label that wants a place.

    Attributes:
        id: What it names.
        lines: Its text.
        anchors: What it stands beside: the icon of a place, or several spots along a range.
        leader: Whether a line may tie it to its anchor when it stands far off.
    """

    id: str
    lines: tuple[TextLine, ...]
    anchors: tuple[Disc, ...]
    leader: bool = True

    @property
    def width(self) -> float:
        """Width of the widest line."""
        return max(line.width for line in self.lines)

    @property
    def height(self) -> float:
        """Height of all lines."""
        return sum(line.height for line in self.lines)


@dataclass(frozen=True, slots=True)
class Label:
    """A label in its place.

    Attributes:
        id: What it names.
        lines: Its text.
        box: Its room.
        align: -1 when its lines end at the right edge (it stands west of its icon), 1 when they start at the
            left edge, 0 when they are centered.
        leader: The line from the icon to a label that stands far off.
    """

    id: str
    lines: tuple[TextLine, ...]
    box: Box
    align: int
    leader: tuple[Spot, Spot] | None


class Ink:
    """How much is drawn where, so that labels look for empty paper: sums over any box in constant time."""

    def __init__(self, width: float, height: float, marks: Iterable[tuple[Spot, float]]) -> None:
        """Adds up the weights of all marks.

        Args:
            width: Width of the page.
            height: Height of the page.
            marks: Spots with the cost of covering them.
        """
        self._columns = int(width // _CELL) + 2
        self._rows = int(height // _CELL) + 2
        cells = [[0.0] * self._columns for _ in range(self._rows)]
        for (x, y), weight in marks:
            column, row = int(x // _CELL), int(y // _CELL)
            if 0 <= column < self._columns and 0 <= row < self._rows:
                cells[row][column] += weight
        above = [0.0] * (self._columns + 1)
        self._sums = [above]
        for cell_row in cells:
            running, sums = 0.0, [0.0]
            for column, weight in enumerate(cell_row, 1):
                running += weight
                sums.append(running + above[column])
            self._sums.append(sums)
            above = sums

    def under(self, box: Box) -> float:
        """Total weight in the cells that a box touches."""
        left, right = max(0, int(box.left // _CELL)), min(self._columns, int(box.right // _CELL) + 1)
        top, bottom = max(0, int(box.top // _CELL)), min(self._rows, int(box.bottom // _CELL) + 1)
        sums = self._sums
        return sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left]


@dataclass(frozen=True, slots=True)
class _Choice:
    cost: float
    box: Box
    gap: float
    anchor: Disc


def place_labels(
    wanted: Sequence[Wanted], obstacles: Sequence[Disc], frame: Box, ink: Ink
) -> tuple[Label, ...]:
    """Finds a place for every label.

    Args:
        wanted: The labels, the most important first.
        obstacles: What no label may cover: every icon and the compass.
        frame: What every label stays inside.
        ink: What labels had better not cover.

    Returns:
        The placed labels in the order of `wanted`; ones that fit nowhere are left out.
    """
    choices = [_choices(label, obstacles, frame, ink) for label in wanted]
    chosen: list[_Choice | None] = [None] * len(wanted)
    # The label with the fewest places of its own goes first; it has the least to give way to.
    order = sorted(range(len(wanted)), key=lambda i: (len(choices[i]), i))
    for _ in range(_PASSES):
        for i in order:
            taken = [other.box for j, other in enumerate(chosen) if other is not None and j != i]
            chosen[i] = next((c for c in choices[i] if not _covers(c.box, taken)), None)
            if chosen[i] is None:
                chosen[i] = _anywhere(wanted[i], taken, obstacles, frame)
    return tuple(
        _label(label, choice) for label, choice in zip(wanted, chosen, strict=True) if choice is not None
    )


def _covers(box: Box, taken: Iterable[Box]) -> bool:
    roomy = box.grown(2)
    return any(roomy.overlaps(other) for other in taken)


def _choices(label: Wanted, obstacles: Sequence[Disc], frame: Box, ink: Ink) -> list[_Choice]:
    """Free places around a label's anchors, the cheapest first; rings farther out only while few are free."""
    found: list[_Choice] = []
    width, height = label.width, label.height
    for ring, gap in enumerate(_RINGS):
        if len(found) >= _ENOUGH * len(label.anchors):
            break
        for anchor in label.anchors:
            reach = anchor.radius + gap + hypot(width, height) + 2
            near = [o for o in obstacles if hypot(o.x - anchor.x, o.y - anchor.y) < reach + o.radius]
            for turn in range(_TURNS):
                box = _box_around(anchor, width, height, gap, 2 * pi * turn / _TURNS)
                if not frame.holds(box):
                    continue
                roomy = box.grown(1)
                if any(disc.meets(roomy) for disc in near):
                    continue
                far = 6.0 if gap > _LEADER_FROM else 0.0
                cost = 5.0 * ring + far + _side_cost(turn) + ink.under(box)
                found.append(_Choice(cost, box, gap, anchor))
    return sorted(found, key=lambda choice: choice.cost)


def _side_cost(turn: int) -> float:
    """Readers look for a name beside or below its sign before they look above or aslant."""
    quarter, rest = divmod(turn, _TURNS // 4)
    if rest:
        return 2.0 + 0.2 * min(rest, _TURNS // 4 - rest)
    return (0.0, 0.4, 1.0, 1.2)[quarter]


def _box_around(anchor: Disc, width: float, height: float, gap: float, angle: float) -> Box:
    """A box of this size so that its edge, seen at this angle, is `gap` from the icon."""
    dx, dy = cos(angle), sin(angle)
    reach = anchor.radius + gap
    # From the middle of a box to its edge along the angle: a box stands as far off as it is wide there.
    x = anchor.x + dx * reach + _stretched(dx) * width / 2
    y = anchor.y + dy * reach + _stretched(dy) * height / 2
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _stretched(share: float) -> float:
    return max(-1.0, min(1.0, 1.35 * share))


def _anywhere(label: Wanted, taken: Sequence[Box], obstacles: Sequence[Disc], frame: Box) -> _Choice | None:
    """The free place nearest to the icon, anywhere on the page."""
    best: _Choice | None = None
    width, height, anchor = label.width, label.height, label.anchors[0]
    for row in range(int((frame.height - height) // 8) + 1):
        for column in range(int((frame.width - width) // 12) + 1):
            left, top = frame.left + 12 * column, frame.top + 8 * row
            box = Box(left, top, left + width, top + height)
            gap = box.distance((anchor.x, anchor.y)) - anchor.radius
            if best is not None and gap >= best.cost:
                continue
            roomy = box.grown(1)
            if not _covers(box, taken) and not any(disc.meets(roomy) for disc in obstacles):
                best = _Choice(gap, box, gap, anchor)
    return best


def _label(label: Wanted, choice: _Choice) -> Label:
    box, anchor = choice.box, choice.anchor
    inner = anchor.radius * 0.6
    align = 1 if box.left > anchor.x + inner else -1 if box.right < anchor.x - inner else 0
    if not label.leader or choice.gap <= _LEADER_FROM:
        return Label(label.id, label.lines, box, align, None)
    to = (max(box.left, min(anchor.x, box.right)), max(box.top, min(anchor.y, box.bottom)))
    span = hypot(to[0] - anchor.x, to[1] - anchor.y) or 1.0
    share = min(1.0, (anchor.radius + 1) / span)
    start = (anchor.x + (to[0] - anchor.x) * share, anchor.y + (to[1] - anchor.y) * share)
    return Label(label.id, label.lines, box, align, (start, to))
