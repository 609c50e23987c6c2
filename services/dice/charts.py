"""Pictures of chances and counts, as SVG that needs nothing beside it.

Every picture has its own ground, so that it can be read on light and dark pages, says in words what it shows
(`title`, `desc`), and carries its figures as text. Widths are in pixels; heights follow from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, isfinite, log10, sqrt
from xml.sax.saxutils import escape

WIDTHS = (240, 1600)
"""The least and the greatest width."""

GROUND, INK, FAINT, RULE = "#fbf7ef", "#2b2622", "#75695d", "#e2d8c8"
BAR, MARK, BAND = "#8c3b2a", "#1f5f7a", "#1f5f7a22"
LINES = ("#8c3b2a", "#1f5f7a", "#5d7a1f", "#7a1f6b", "#b0761a", "#2f6f5e", "#4b4a9c", "#9c4a6a")
FONT = "ui-serif, Georgia, 'Times New Roman', serif"
MOST_BARS = 120
"""Bars that are drawn one by one; of more, neighbours share one."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What is drawn of a distribution.

    Attributes:
        name: What was rolled.
        chances: Values, ascending, and how likely each is.
    """

    name: str
    chances: Sequence[tuple[float, float]]

    @property
    def mean(self) -> float:
        """The mean."""
        return sum(value * chance for value, chance in self.chances)

    def at_least(self) -> Iterator[tuple[float, float]]:
        """Values and the chance of at least each."""
        left = sum(chance for _, chance in self.chances)
        for value, chance in self.chances:
            yield value, min(1.0, max(0.0, left))
            left -= chance


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where things are drawn: a plane from `low` to `high`, and from 0 to `top`."""

    width: int
    height: int
    low: float
    high: float
    top: float

    left, right, head, foot = 52, 18, 46, 44

    def x(self, value: float) -> float:
        """Where a value is."""
        room = self.width - self.left - self.right
        return self.left + room * (value - self.low) / (self.high - self.low)

    def y(self, height: float) -> float:
        """Where a height is."""
        room = self.height - self.head - self.foot
        return self.height - self.foot - room * height / self.top


def distribution_chart(
    title: str, spread: Spread, *, marks: Sequence[tuple[str, float]] = (), width: int = 720
) -> str:
    """Bars of how likely each value is, the mean, and whatever else is to be marked.

    Args:
        title: Stands above.
        spread: What is drawn.
        marks: Words and values of further marks, for instance quantiles.
        width: In pixels.
    """
    bars = _gathered(spread.chances)
    values = [value for value, _ in spread.chances]
    step = _step([value for value, _ in bars])
    # Room above the bars for the words of the marks.
    top = (max((chance for _, chance in bars), default=1.0) or 1.0) * (1.14 + 0.07 * len(marks))
    frame = _frame(width, values[0] - step / 2, values[-1] + step / 2, top)
    thick = max(1.0, (frame.x(frame.low + step) - frame.x(frame.low)) * 0.82)
    drawn = [*_percent_axis(frame), *_value_axis(frame, values)]
    for value, chance in bars:
        middle, end = frame.x(value), frame.y(chance)
        drawn.append(
            f'<rect x="{middle - thick / 2:.2f}" y="{end:.2f}" width="{thick:.2f}" '
            f'height="{frame.y(0) - end:.2f}" fill="{BAR}" rx="1">'
            f"<title>{_number(value)}: {_percent(chance)}</title></rect>"
        )
        if len(bars) <= _room(frame):
            drawn.append(_text(middle, end - 5, _percent(chance), size=10, fill=FAINT, anchor="middle"))
    for place, (word, value) in enumerate((("mean", spread.mean), *marks)):
        drawn += _mark(frame, f"{word} {_number(value)}", value, place)
    said = f"{spread.name}: mean {_number(spread.mean)}, from {_number(values[0])} to {_number(values[-1])}."
    return _picture(frame, title, said, drawn)


def at_least_chart(title: str, spreads: Sequence[Spread], *, width: int = 720) -> str:
    """Curves of the chance of at least each value: of one expression, or of several beside one another."""
    values = [value for spread in spreads for value, _ in spread.chances]
    low, high = min(values), max(values)
    frame = _frame(width, low, high if high > low else low + 1, 1.0, legend=len(spreads))
    drawn = [*_percent_axis(frame), *_value_axis(frame)]
    for place, spread in enumerate(spreads):
        colour = LINES[place % len(LINES)]
        points = list(spread.at_least())
        if points[0][0] > low:
            points.insert(0, (low, 1.0))
        if points[-1][0] < high:
            points.append((points[-1][0] + _step([value for value, _ in spread.chances]), 0.0))
        path = " ".join(f"{frame.x(value):.2f},{frame.y(chance):.2f}" for value, chance in points)
        drawn.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.2" '
            f'stroke-linejoin="round"><title>{escape(spread.name)}</title></polyline>'
        )
        if len(points) <= 40:
            drawn += [
                f'<circle cx="{frame.x(value):.2f}" cy="{frame.y(chance):.2f}" r="2.6" fill="{colour}">'
                f"<title>{_number(value)} or more: {_percent(chance)}</title></circle>"
                for value, chance in points
            ]
        row = frame.height - 12 - 17 * (len(spreads) - 1 - place)
        drawn.append(f'<rect x="{frame.left}" y="{row - 9}" width="11" height="11" rx="2" fill="{colour}"/>')
        shown = f"{_clipped(spread.name, (width - 170) // 7)}   (mean {_number(spread.mean)})"
        drawn.append(_text(frame.left + 17, row, shown, size=12))
    said = "; ".join(f"{spread.name}: mean {_number(spread.mean)}" for spread in spreads)
    return _picture(frame, title, f"The chance of at least each value. {said}.", drawn)


def fairness_chart(
    title: str, expected: float, counts: Sequence[tuple[str, int]], *, width: int = 720
) -> str:
    """Bars of how often each face came, beside how often it should have.

    Args:
        title: Stands above.
        expected: How often each face was to be expected.
        counts: Label and count of each face.
        width: In pixels.
    """
    total = sum(count for _, count in counts)
    share = 1 / max(1, len(counts))
    # Nineteen of twenty counts of a fair die lie in this band.
    spread = 1.96 * sqrt(max(0.0, total * share * (1 - share)))
    top = max([expected + spread, *(count for _, count in counts), 1.0]) * 1.08
    frame = _frame(width, -0.5, len(counts) - 0.5, top)
    high, low = frame.y(min(top, expected + spread)), frame.y(max(0.0, expected - spread))
    drawn = list(_count_axis(frame))
    drawn.append(
        f'<rect x="{frame.left}" y="{high:.2f}" width="{frame.width - frame.left - frame.right}" '
        f'height="{low - high:.2f}" fill="{BAND}"><title>19 of 20 fair counts lie here</title></rect>'
    )
    thick = max(1.0, (frame.x(1) - frame.x(0)) * 0.66)
    every = ceil(len(counts) / max(1, _room(frame) * 1.6))
    for place, (label, count) in enumerate(counts):
        middle, end = frame.x(place), frame.y(count)
        outside = abs(count - expected) > spread
        drawn.append(
            f'<rect x="{middle - thick / 2:.2f}" y="{end:.2f}" width="{thick:.2f}" '
            f'height="{frame.y(0) - end:.2f}" fill="{BAR}" fill-opacity="{1 if outside else 0.72}" rx="1">'
            f"<title>{escape(label)}: {count}</title></rect>"
        )
        if place % every == 0:
            drawn.append(_text(middle, frame.y(0) + 16, _clipped(label, 8), size=12, anchor="middle"))
        if len(counts) <= _room(frame):
            drawn.append(_text(middle, end - 5, str(count), size=10, fill=FAINT, anchor="middle"))
    level = frame.y(expected)
    drawn.append(
        f'<line x1="{frame.left}" x2="{frame.width - frame.right}" y1="{level:.2f}" y2="{level:.2f}" '
        f'stroke="{MARK}" stroke-width="1.6" stroke-dasharray="5 4"/>'
    )
    note = f"{total} dice, {_number(expected)} of each face expected; 19 of 20 counts lie in the band"
    drawn.append(_note(frame, note))
    said = ", ".join(f"{label}: {count}" for label, count in counts)
    return _picture(frame, title, f"{note}. {said}.", drawn)


def luck_chart(title: str, percentiles: Sequence[float], *, width: int = 720) -> str:
    """Bars of how many rolls came in each part of what could have come, lowest first.

    Args:
        title: Stands above.
        percentiles: Rolls in each part; the parts are equally likely.
        width: In pixels.
    """
    total = sum(percentiles)
    parts = max(1, len(percentiles))
    expected = total / parts
    frame = _frame(width, -0.5, parts - 0.5, max([*percentiles, expected, 1.0]) * 1.12)
    drawn = list(_count_axis(frame))
    thick = max(1.0, (frame.x(1) - frame.x(0)) * 0.74)
    for place, count in enumerate(percentiles):
        middle, end = frame.x(place), frame.y(count)
        words = f"{100 * place // parts} to {100 * (place + 1) // parts} %"
        drawn.append(
            f'<rect x="{middle - thick / 2:.2f}" y="{end:.2f}" width="{thick:.2f}" '
            f'height="{frame.y(0) - end:.2f}" fill="{BAR}" rx="1">'
            f"<title>{words}: {_number(count)}</title></rect>"
        )
        drawn.append(
            _text(middle, frame.y(0) + 16, str(100 * (place + 1) // parts), size=11, anchor="middle")
        )
        drawn.append(_text(middle, end - 5, _number(count), size=10, fill=FAINT, anchor="middle"))
    level = frame.y(expected)
    drawn.append(
        f'<line x1="{frame.left}" x2="{frame.width - frame.right}" y1="{level:.2f}" y2="{level:.2f}" '
        f'stroke="{MARK}" stroke-width="1.6" stroke-dasharray="5 4"/>'
    )
    note = "rolls by percentile of what could have come: low ones left, high ones right"
    drawn.append(_note(frame, note))
    said = ", ".join(_number(count) for count in percentiles)
    return _picture(frame, title, f"{note}: {said}; {_number(expected)} of each expected.", drawn)


def checked_width(width: int) -> int:
    """A width within what is drawn."""
    return max(WIDTHS[0], min(WIDTHS[1], width))


def _frame(width: int, low: float, high: float, top: float, *, legend: int = 0) -> _Frame:
    width = checked_width(width)
    height = max(220, round(width * 0.52)) + 17 * legend
    frame = _Frame(width, height, low, high, top)
    if legend:
        return _Legend(width, height, low, high, top, 44 + 17 * legend)
    return frame


@dataclass(frozen=True, slots=True)
class _Legend(_Frame):
    """A frame with lines of a legend below."""

    below: int = 44

    def y(self, height: float) -> float:
        """Where a height is."""
        room = self.height - self.head - self.below
        return self.height - self.below - room * height / self.top


def _picture(frame: _Frame, title: str, said: str, drawn: Sequence[str]) -> str:
    head = _text(frame.left, 26, _clipped(title, (frame.width - 70) // 8), size=17, weight="600")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {frame.width} {frame.height}" '
        f'width="{frame.width}" height="{frame.height}" role="img" font-family="{FONT}">'
        f"<title>{_escaped(title)}</title><desc>{_escaped(said)}</desc>"
        f'<rect width="{frame.width}" height="{frame.height}" rx="8" fill="{GROUND}"/>'
        f"{head}{''.join(drawn)}</svg>"
    )


def _percent_axis(frame: _Frame) -> Iterator[str]:
    for level in _ticks(0.0, frame.top, 5):
        yield from _rule(frame, level, f"{_number(level * 100)}%")


def _count_axis(frame: _Frame) -> Iterator[str]:
    for level in _ticks(0.0, frame.top, 5):
        if level == floor(level):
            yield from _rule(frame, level, _number(level))


def _rule(frame: _Frame, level: float, word: str) -> Iterator[str]:
    y = frame.y(level)
    yield (
        f'<line x1="{frame.left}" x2="{frame.width - frame.right}" y1="{y:.2f}" y2="{y:.2f}" '
        f'stroke="{RULE}" stroke-width="1"/>'
    )
    yield _text(frame.left - 7, y + 4, word, size=11, fill=FAINT, anchor="end")


def _value_axis(frame: _Frame, values: Sequence[float] = ()) -> Iterator[str]:
    """Words below: each value where there is room for all of them, else round numbers."""
    few = 0 < len(values) <= _room(frame)
    for value in values if few else _ticks(frame.low, frame.high, max(3, frame.width // 70)):
        yield _text(frame.x(value), frame.y(0) + 17, _number(value), size=12, anchor="middle")


def _note(frame: _Frame, words: str) -> str:
    return _text(12, frame.height - 10, _clipped(words, (frame.width - 24) // 5), size=11, fill=FAINT)


def _mark(frame: _Frame, word: str, value: float, place: int) -> list[str]:
    x = frame.x(min(max(value, frame.low), frame.high))
    late = x > frame.width * 0.75
    return [
        f'<line x1="{x:.2f}" x2="{x:.2f}" y1="{frame.head - 6}" y2="{frame.y(0):.2f}" stroke="{MARK}" '
        'stroke-width="1.6" stroke-dasharray="5 4"/>',
        _text(
            x + (-6 if late else 6),
            frame.head + 4 + 15 * place,
            word,
            size=12,
            fill=MARK,
            anchor="end" if late else "start",
        ),
    ]


def _gathered(chances: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Chances as bars; where there are too many, neighbours share one."""
    if len(chances) <= MOST_BARS:
        return list(chances)
    low, high = chances[0][0], chances[-1][0]
    width = (high - low) / MOST_BARS
    heights = [0.0] * MOST_BARS
    for value, chance in chances:
        heights[min(MOST_BARS - 1, int((value - low) / width))] += chance
    return [(low + width * (place + 0.5), height) for place, height in enumerate(heights)]


def _step(values: Sequence[float]) -> float:
    gaps = [after - before for before, after in pairwise(values)]
    return min(gaps, default=1.0) or 1.0


def _room(frame: _Frame) -> int:
    """How many figures fit side by side."""
    return (frame.width - frame.left - frame.right) // 38


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers within a range, at most so many and one."""
    span = high - low
    if span <= 0 or not isfinite(span):
        return [low]
    rough = span / max(1, most)
    size = 10.0 ** floor(log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * 0.999)
    first = ceil(low / step - 1e-9)
    return [round(number * step, 10) for number in range(first, floor(high / step + 1e-9) + 1)]


def _percent(chance: float) -> str:
    shown = chance * 100
    if shown >= 9.95 or shown == 0:
        return f"{shown:.0f}%"
    return f"{shown:.1f}%" if shown >= 0.095 else "<0.1%"


def _number(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:,.0f}"


def _clipped(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: max(1, most - 1)]}…"


def _escaped(words: str) -> str:
    return escape("".join(sign if sign.isprintable() else " " for sign in words))


def _text(
    x: float,
    y: float,
    words: str,
    *,
    size: int,
    fill: str = INK,
    anchor: str = "start",
    weight: str = "400",
) -> str:
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{_escaped(words)}</text>'
    )
