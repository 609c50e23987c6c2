"""The probability tables of the book, as printed (GM chapter / Dice Pool Probabilities, Critical Failures).

Figures only, for comparison: what is answered elsewhere is exact. Rows are action pools of 1d10 and up. The
two tables that the book heads as means hold medians, but for the cells in `NO_MEDIANS` (ruling R-124).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class OddsMeasure(Enum):
    """What the figures of a table say."""

    CHANCE = "chance"
    """The chance of the successes that are needed."""
    MEDIAN = "median"
    """The median of the successes, which the book heads as a mean (R-124)."""
    CRITICAL = "critical"
    """The chance of a critical failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsColumn:
    """What a column's pools are rolled against: a difficulty, or a defence pool.

    Attributes:
        label: As the book heads it: "9 9".
        difficulty: What a die must reach; None against a pool.
        required: Successes needed; the medians of such columns count whole groups of so many.
        defence: Dice of the defence pool; None against a difficulty.
    """

    label: str
    difficulty: int | None = None
    required: int = 1
    defence: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsTable:
    """A probability table of the book.

    Attributes:
        name: What it shows, in plain words.
        rows: Figures as printed, by pools of 1d10 and up; an empty text where the book has a dash.
    """

    id: str
    name: str
    measure: OddsMeasure
    columns: tuple[OddsColumn, ...]
    rows: tuple[tuple[str, ...], ...]


Column = tuple[int, int]
"""A difficulty target and the successes that are needed; or a defence pool and 1."""

FIXED_COLUMNS: tuple[Column, ...] = ((7, 1), (8, 1), (9, 1), (10, 1), (9, 2), (10, 2))

FIXED: tuple[tuple[str | None, ...], ...] = (
    ("40%", "30%", "20%", "10%", None, None),
    ("64%", "51%", "36%", "19%", "4%", "1%"),
    ("78%", "66%", "49%", "27%", "10%", "3%"),
    ("87%", "76%", "59%", "34%", "18%", "5%"),
    ("92%", "83%", "67%", "41%", "26%", "8%"),
    ("95%", "88%", "74%", "47%", "34%", "11%"),
    ("97%", "92%", "79%", "52%", "42%", "15%"),
    ("98%", "94%", "83%", "57%", "49%", "19%"),
    ("99%", "96%", "87%", "61%", "56%", "23%"),
    ("99%", "97%", "89%", "65%", "62%", "26%"),
)

OPPOSED: tuple[tuple[str, ...], ...] = (
    ("55%", "39%", "30%", "25%", "22%"),
    ("72%", "57%", "48%", "42%", "37%"),
    ("80%", "67%", "59%", "53%", "49%"),
    ("85%", "74%", "67%", "61%", "57%"),
    ("88%", "79%", "73%", "68%", "64%"),
    ("90%", "83%", "77%", "73%", "69%"),
    ("92%", "86%", "81%", "77%", "73%"),
    ("93%", "88%", "83%", "80%", "77%"),
    ("94%", "90%", "86%", "83%", "80%"),
    ("95%", "91%", "88%", "85%", "82%"),
)

CRITICAL: tuple[tuple[str, ...], ...] = (
    ("9%", "10%", "10%", "10%", "10%"),
    ("8%", "11%", "13%", "14%", "14.6%"),
    ("1.2%", "1.6%", "1.9%", "2%", "2.1%"),
    ("1.4%", "2.1%", "2.6%", "2.9%", "3.2%"),
    ("0.2%", "0.35%", "0.42%", "0.48%", "0.52%"),
    ("0.3%", "0.48%", "0.61%", "0.7%", "0.77%"),
    ("0.05%", "0.08%", "0.1%", "0.12%", "0.13%"),
    ("0.07%", "0.12%", "0.15%", "0.18%", "0.2%"),
    ("0.01%", "0.02%", "0.03%", "0.03%", "0.04%"),
    ("0.02%", "0.03%", "0.04%", "0.05%", "0.05%"),
)

FIXED_MEDIANS: tuple[tuple[int, ...], ...] = (
    (0, 0, 0, 0, 0, 0),
    (1, 1, 0, 0, 0, 0),
    (1, 1, 0, 0, 0, 0),
    (2, 1, 1, 0, 0, 0),
    (2, 1, 1, 0, 0, 0),
    (2, 2, 1, 0, 0, 0),
    (3, 2, 1, 1, 0, 0),
    (3, 2, 1, 1, 0, 0),
    (4, 3, 2, 1, 1, 0),
    (4, 3, 2, 1, 1, 0),
)
"""The double columns count whole successes: two dice at 9, or at 10, for each."""

OPPOSED_MEDIANS: tuple[tuple[int, ...], ...] = (
    (1, 0, 0, 0, 0),
    (1, 1, 1, 0, 0),
    (2, 1, 1, 1, 0),
    (2, 1, 1, 1, 1),
    (3, 2, 1, 1, 1),
    (3, 2, 2, 1, 1),
    (4, 2, 2, 1, 1),
    (4, 3, 2, 2, 1),
    (5, 3, 2, 2, 2),
    (6, 3, 3, 2, 2),
    (6, 4, 3, 2, 2),
    (7, 4, 3, 3, 2),
    (7, 5, 3, 3, 2),
    (8, 5, 4, 3, 3),
    (8, 5, 4, 3, 3),
)

NO_MEDIANS: Mapping[tuple[int, int], int] = {(2, 3): 0, (13, 2): 4}
"""Opposed pools whose printed figure is not the median, and what the median is."""


def fixed(dice: int, target: int, required: int) -> str | None:
    """The printed chance of a pool against a difficulty; None where the book has none."""
    if not 1 <= dice <= len(FIXED) or (target, required) not in FIXED_COLUMNS:
        return None
    return FIXED[dice - 1][FIXED_COLUMNS.index((target, required))]


def opposed(table: tuple[tuple[str, ...], ...], action: int, defence: int) -> str | None:
    """A cell of a table of opposed pools; None where the book has none."""
    if not 1 <= action <= len(table) or not 1 <= defence <= len(table[0]):
        return None
    return table[action - 1][defence - 1]
