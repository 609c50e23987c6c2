"""Whether the faces of a die came as evenly as those of an honest one do: Pearson's chi-square test.

Every draw counts, those of dice that were rolled again or dropped too: which draws are made may depend on the
faces before, but what each of them shows does not.

Only unevenness is tested. Counts that are all too even would be as odd, but with few faces and few dice they
come often, and the chi-square distribution does not tell how often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from mpmath import gammainc, mpf  # type: ignore[import-untyped]

LEAST_EXPECTED = 5
"""Below so many of each face the statistic does not follow the chi-square distribution (Cochran's rule)."""

UNUSUAL_BELOW = 0.001
"""A smaller p-value is called unusual."""

RAREST_TOLD = 1e-6
"""What is rarer is told as "less than once in a million"; further digits would promise too much."""


class Verdict(Enum):
    """What counted dice say.

    Attributes:
        TOO_FEW: Nothing yet.
        ORDINARY: Honest dice do so.
        UNUSUAL: Fewer than one in 1,000 honest ones do so.
    """

    TOO_FEW = "too few"
    ORDINARY = "ordinary"
    UNUSUAL = "unusual"


@dataclass(frozen=True, slots=True)
class Fairness:
    """How counted faces compare with an honest die's.

    Attributes:
        dice: How many dice were counted.
        expected: How many of each face an honest die shows, on average.
        statistic: Pearson's chi-square: the squared differences from `expected`, each divided by it.
        degrees_of_freedom: Faces less one.
        p_value: Chance that honest dice are at least as uneven; None while there are too few.
        verdict: What follows.
        words: The verdict in a sentence.
    """

    dice: int
    expected: float
    statistic: float
    degrees_of_freedom: int
    p_value: float | None
    verdict: Verdict
    words: str


def fairness(counts: Sequence[int]) -> Fairness:
    """Tests the counts of a die's faces.

    Args:
        counts: How often each face came, one number a face, also for those that never came.

    Raises:
        ValueError: There is no face, or a count is negative.
    """
    if not counts or min(counts) < 0:
        raise ValueError("a die has at least one face, and each came no less than 0 times")
    dice, freedom = sum(counts), len(counts) - 1
    expected = dice / len(counts)
    statistic = sum((count - expected) ** 2 for count in counts) / expected if dice else 0.0
    if expected < LEAST_EXPECTED or freedom == 0:
        words = _too_few_words(dice, len(counts))
        return Fairness(dice, expected, statistic, freedom, None, Verdict.TOO_FEW, words)
    p = chi_square_tail(statistic, freedom)
    verdict = Verdict.UNUSUAL if p < UNUSUAL_BELOW else Verdict.ORDINARY
    return Fairness(dice, expected, statistic, freedom, p, verdict, _words(p))


def chi_square_tail(statistic: float, degrees_of_freedom: int) -> float:
    """The chance that a chi-square variable is at least `statistic` (Abramowitz and Stegun 26.4.19).

    Raises:
        ValueError: The statistic is negative, or there is no degree of freedom.
    """
    if statistic < 0 or degrees_of_freedom < 1:
        raise ValueError("a chi-square statistic is not negative and has a degree of freedom")
    tail = gammainc(mpf(degrees_of_freedom) / 2, mpf(statistic) / 2, regularized=True)
    return min(max(float(tail), 0.0), 1.0)


def caution(results: Sequence[Fairness]) -> str:
    """What to keep in mind when several kinds of dice are tested side by side."""
    tested = [result for result in results if result.p_value is not None]
    if not tested:
        return "No kind of die was rolled often enough to say anything."
    odd = sum(result.verdict is Verdict.UNUSUAL for result in tested)
    said = f"{odd} of {len(tested)} tested kinds of dice {'is' if odd == 1 else 'are'} unusual. "
    if len(tested) > 1:
        chance = 1 - (1 - UNUSUAL_BELOW) ** len(tested)
        said += (
            f"The more kinds are tested, the likelier one of them looks odd by chance: with {len(tested)} "
            f"honest kinds {chance:.1%}. "
        )
    return said + "Looking again after every roll makes an odd moment likelier, too."


def _words(p: float) -> str:
    if p >= UNUSUAL_BELOW:
        return f"Nothing unusual: honest dice are at least this uneven {p:.1%} of the time."
    often = "less than once in a million" if p < RAREST_TOLD else f"about once in {_rounded(1 / p):,}"
    return f"Unusual: honest dice are this uneven {often} times. That alone does not make these dishonest."


def _rounded(times: float) -> int:
    """A large number with two digits that count."""
    return round(int(times), 2 - len(str(int(times))))


def _too_few_words(dice: int, faces: int) -> str:
    if faces == 1:
        return "A die with one face shows it."
    least = LEAST_EXPECTED * faces
    return f"Too few to say: {dice:,} so far, and {LEAST_EXPECTED} for each face would be {least:,}."
