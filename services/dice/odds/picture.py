"""Odds as pictures."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.dice.odds.summary import Odds, OddsKind
from services.shared.plots.spreads import Spread, comparison_chart, distribution_chart


def odds_chart(odds: Odds, width: int) -> str:
    """One answer as an SVG picture of so many pixels' width."""
    return distribution_chart(_spread(odds), width=width)


def compared_chart(odds: Sequence[Odds], width: int) -> str:
    """Several answers on one axis."""
    return comparison_chart([_spread(each) for each in odds], width=width)


def _spread(odds: Odds) -> Spread:
    low, middle, high = odds.quartiles
    return Spread(
        name=odds.expression,
        chances=[
            (outcome.value, outcome.probability.value, outcome.at_least.value) for outcome in odds.outcomes
        ],
        mean=odds.mean,
        deviation=odds.deviation,
        quartiles=(low, middle, high),
        words=[(word.word, word.probability.value) for word in odds.words],
        note=_note(odds),
    )


def _note(odds: Odds) -> str:
    """What must be known about the figures."""
    if odds.kind is OddsKind.SAMPLED:
        return f"estimated from {odds.samples:,} sampled rolls"
    if odds.left_out:
        return f"only the likeliest {len(odds.outcomes):,} of {odds.count:,} values are drawn"
    return f"{odds.failure.value:.1%} of these rolls come to nothing" if odds.failure.value else ""
