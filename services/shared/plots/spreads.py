"""Distributions.

distribution_chart   how likely each value is, and at least each value
comparison_chart     several distributions on one axis
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.shared.plots.frame import (
    WIDTH,
    Plot,
    figure,
    heading,
    legend,
    level_axis,
    percent,
    sheet_width,
    value_axis,
)
from services.shared.plots.sheet import Colour, Sheet, ticks

BARS = 3.0
"""Pixels that a bar must have; of more values a hill is drawn."""

LABELLED = 34.0
"""Pixels that a bar must have to carry its chance."""

NEGLIGIBLE = 1 / 2_000
"""Values at the ends whose chance is less than this part of the greatest are not drawn, if there are many."""

MANY = 40

WORDS: tuple[Colour, ...] = ("first", "second", "third", "fourth")
"""Colours of the words in which a roll ends, best first."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution as it is drawn.

    Attributes:
        name: What is rolled.
        chances: Values, ascending; the chance of each, and of at least each.
        mean: The mean.
        deviation: The standard deviation.
        quartiles: A quarter, half and three quarters of the rolls are not above these.
        words: Words in which the roll ends, best first, and their chances.
        note: What must be known about the figures, if anything.
        title: What the plot is called for those who hear it; "Odds of" its name when empty.
        rolls: What was done to come to the values.
    """

    name: str
    chances: Sequence[tuple[float, float, float]]
    mean: float
    deviation: float
    quartiles: tuple[float, float, float]
    words: Sequence[tuple[str, float]] = ()
    note: str = ""
    title: str = ""
    rolls: str = "rolls"


def distribution_chart(spread: Spread, *, width: int = WIDTH) -> str:
    """Bars of how likely each value is, the middle half stronger, and a line of at least each value."""
    sheet = Sheet(sheet_width(width))
    pad = 16 if sheet.width < 480 else 24
    top = heading(sheet, pad, spread.name, _figures(spread))
    drawn = _drawn(spread.chances)
    step = _step(drawn)
    plot = Plot(
        left=pad + 34,
        right=sheet.width - pad - 34,
        top=top + 40,
        bottom=top + 40 + max(130, round(sheet.width * 0.36)),
        low=drawn[0][0] - step / 2,
        high=drawn[-1][0] + step / 2,
        most=max(chance for _, chance, _ in drawn) * 1.08,
    )
    level_axis(sheet, plot, lambda level: f"{figure(level * 100)}%")
    _bars(sheet, plot, spread, drawn, step)
    _at_least(sheet, plot, drawn, step)
    value_axis(sheet, plot, [value for value, _, _ in drawn])
    _mean_line(sheet, plot, spread.mean)
    _chances(sheet, plot, drawn, step)
    bottom = _words_bar(sheet, pad, plot.bottom + 34, spread.words)
    bottom = legend(
        sheet,
        pad,
        bottom,
        [("bar", "middle half"), ("tail", "the rest"), ("mark", "at least so much (right scale)")],
    )
    if spread.note:
        sheet.text(pad, bottom + 6, spread.note, size=11, colour="faint", room=sheet.width - 2 * pad)
        bottom += 18
    said = [f"{', '.join(_figures(spread))}.", _listed(spread)]
    return sheet.done(bottom + 4, spread.title or f"Odds of {spread.name}", " ".join(said))


def comparison_chart(spreads: Sequence[Spread], *, width: int = WIDTH) -> str:
    """Distributions below one another on one axis, each with its mean."""
    sheet = Sheet(sheet_width(width))
    pad = 16 if sheet.width < 480 else 24
    top = heading(sheet, pad, "Odds compared", ()) + 4
    drawn = [_drawn(spread.chances) for spread in spreads]
    low = min(each[0][0] - _step(each) / 2 for each in drawn)
    high = max(each[-1][0] + _step(each) / 2 for each in drawn)
    # Chances are compared where values lie equally close: a height is a chance for each whole step.
    tall = max(chance / max(_step(each), 1e-9) for each in drawn for _, chance, _ in each)
    row = 84 if sheet.width >= 480 else 78
    plot = Plot(pad, sheet.width - pad, top, top, low, high, 1)
    bottom = top + row * len(spreads) + 4
    for value in ticks(low, high, max(3, sheet.width // 90)):
        sheet.line(plot.x(value), top + 12, plot.x(value), bottom, "rule")
        sheet.text(plot.x(value), bottom + 17, figure(value), size=11, colour="faint", anchor="middle")
    for place, (spread, each) in enumerate(zip(spreads, drawn, strict=True)):
        base = top + row * (place + 1)
        own = Plot(pad, sheet.width - pad, base - row + 30, base, low, high, tall * _step(each))
        _bars(sheet, own, spread, each, _step(each))
        sheet.line(pad, base, sheet.width - pad, base, "faint")
        x = own.x(min(max(spread.mean, low), high))
        sheet.line(x, base - row + 24, x, base, "mark", thick=1.5, dash="4 3")
        words = f"mean {figure(spread.mean)} ± {figure(spread.deviation)}"
        used = len(words) * 12 * 0.56 + 12
        sheet.text(pad, base - row + 18, spread.name, size=13, bold=True, room=sheet.width - 2 * pad - used)
        sheet.text(sheet.width - pad, base - row + 18, words, size=12, colour="mark", anchor="end")
    said = "; ".join(f"{each.name}: {', '.join(_figures(each))}" for each in spreads)
    return sheet.done(bottom + 30, "Odds compared", f"{said}.")


def _figures(spread: Spread) -> list[str]:
    first, last = spread.chances[0][0], spread.chances[-1][0]
    return [
        f"mean {figure(spread.mean)}",
        f"median {figure(spread.quartiles[1])}",
        f"standard deviation {figure(spread.deviation)}",
        f"from {figure(first)} to {figure(last)}",
    ]


def _listed(spread: Spread) -> str:
    """Returns the chances in words, short enough to be listened to."""
    said = [f"{word}: {percent(chance)}" for word, chance in spread.words]
    if len(spread.chances) <= MANY:
        said += [f"{figure(value)}: {percent(chance)}" for value, chance, _ in spread.chances]
    else:
        low, _, high = spread.quartiles
        said.append(f"half of all {spread.rolls} come to {figure(low)} to {figure(high)}")
    return f"{'; '.join(said)}."


def _drawn(chances: Sequence[tuple[float, float, float]]) -> Sequence[tuple[float, float, float]]:
    """What is drawn: of many values, not those at the ends that nobody could see."""
    if len(chances) <= MANY:
        return chances
    least = max(chance for _, chance, _ in chances) * NEGLIGIBLE
    seen = [place for place, (_, chance, _) in enumerate(chances) if chance >= least]
    return chances[seen[0] : seen[-1] + 1]


def _step(drawn: Sequence[tuple[float, float, float]]) -> float:
    """The least distance of two values."""
    values = [value for value, _, _ in drawn]
    return min((after - before for before, after in pairwise(values)), default=1.0)


def _bars(
    sheet: Sheet, plot: Plot, spread: Spread, drawn: Sequence[tuple[float, float, float]], step: float
) -> None:
    low, _, high = spread.quartiles
    wide = plot.x(plot.low + step) - plot.x(plot.low)
    if wide < BARS:
        _hill(sheet, plot, drawn, step, low, high)
        return
    thick = wide * 0.84 if wide > 6 else max(wide - 1, 1)
    for value, chance, at_least in drawn:
        said = f"{figure(value)}: {percent(chance)}; at least {figure(value)}: {percent(at_least)}"
        colour: Colour = "bar" if low <= value <= high else "tail"
        top = plot.y(chance)
        sheet.bar(
            plot.x(value) - thick / 2,
            top,
            thick,
            plot.bottom - top,
            colour,
            round_by=min(2, thick / 4),
            said=said,
        )


def _chances(sheet: Sheet, plot: Plot, drawn: Sequence[tuple[float, float, float]], step: float) -> None:
    """The chance above each bar, where there is room."""
    if plot.x(plot.low + step) - plot.x(plot.low) < LABELLED:
        return
    for value, chance, _ in drawn:
        x, y = plot.x(value), plot.y(chance) - 5
        sheet.text(x, y, percent(chance), size=11, colour="faint", anchor="middle", halo=True)


def _hill(
    sheet: Sheet,
    plot: Plot,
    drawn: Sequence[tuple[float, float, float]],
    step: float,
    low: float,
    high: float,
) -> None:
    """Many values as one outline, its middle half stronger."""
    for colour, first, last in (("tail", plot.low, plot.high), ("bar", low, high)):
        inner = [(value, chance) for value, chance, _ in drawn if first <= value <= last]
        if not inner:
            continue
        ends = (max(inner[0][0] - step / 2, plot.low), min(inner[-1][0] + step / 2, plot.high))
        outline = [(plot.x(value), plot.y(chance)) for value, chance in inner]
        sheet.area(
            [
                (plot.x(ends[0]), plot.bottom),
                (plot.x(ends[0]), outline[0][1]),
                *outline,
                (plot.x(ends[1]), outline[-1][1]),
                (plot.x(ends[1]), plot.bottom),
            ],
            colour,  # type: ignore[arg-type]
        )


def _at_least(sheet: Sheet, plot: Plot, drawn: Sequence[tuple[float, float, float]], step: float) -> None:
    """The line of at least each value, on a scale of its own from 0 to 100 %."""
    own = Plot(plot.left, plot.right, plot.top, plot.bottom, plot.low, plot.high, 1.0)
    points: list[tuple[float, float]] = []
    for value, _, chance in drawn:
        points += [(own.x(value - step / 2), own.y(chance)), (own.x(value + step / 2), own.y(chance))]
    sheet.stroke(points, "ground", thick=4.5)
    sheet.stroke(points, "mark", thick=1.8)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        sheet.text(plot.right + 7, own.y(share) + 4, f"{share:.0%}", size=11, colour="mark")


def _mean_line(sheet: Sheet, plot: Plot, mean: float) -> None:
    x = plot.x(min(max(mean, plot.low), plot.high))
    sheet.line(x, plot.top - 10, x, plot.bottom, "ink", thick=1.5, dash="4 3")
    words = f"mean {figure(mean)}"
    half = len(words) * 12 * 0.28
    x = min(max(x, plot.left + half), plot.right - half)
    sheet.text(x, plot.top - 15, words, size=12, anchor="middle", bold=True, halo=True)


def _words_bar(sheet: Sheet, pad: float, y: float, words: Sequence[tuple[str, float]]) -> float:
    """How a game's own roll ends, as parts of one bar; returns where what follows may begin."""
    if not words:
        return y
    x, room = pad, sheet.width - 2 * pad
    pieces: list[tuple[Colour, str]] = []
    for place, (word, chance) in enumerate(words):
        # The last and worst word has the last colour, however many there are.
        colour = WORDS[-1] if 0 < place == len(words) - 1 else WORDS[place % len(WORDS)]
        wide = room * chance
        sheet.bar(x, y, max(wide - 1, 0.5), 12, colour, said=f"{word}: {percent(chance)}")
        x += wide
        pieces.append((colour, f"{word.replace('_', ' ')} {percent(chance)}"))
    return legend(sheet, pad, y + 18, pieces) + 6
