"""How often one roll comes to more than another, each rolled on its own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from services.rules.dice.distribution import Distribution
from services.rules.dice.odds.summary import FEASIBLE, Chance, short


@dataclass(frozen=True, slots=True)
class Contestant:
    """One side of a comparison.

    Attributes:
        chances: Its totals.
        exact: Whether their chances are.
        samples: How many rolls they were counted in; None for none.
    """

    chances: Distribution
    exact: bool
    samples: int | None = None

    def beats(self, other: Contestant) -> Chance:
        """Computes the chance to come to more than the other."""
        return self._chance(other, self.chances.beats(other.chances))

    def ties(self, other: Contestant) -> Chance:
        """Computes the chance that both come to the same."""
        return self._chance(other, self.chances.ties(other.chances))

    def _chance(self, other: Contestant, chance: Fraction) -> Chance:
        value = float(chance)
        sampled = [side.samples for side in (self, other) if side.samples is not None]
        if sampled:
            # Not below the true one: pairs of samples tell at least as much as the fewer samples would alone.
            return Chance(value, None, sqrt(value * (1 - value) / min(sampled)))
        exact = self.exact and other.exact and chance.denominator.bit_length() <= FEASIBLE
        return Chance(value, short(chance) if exact else None)
