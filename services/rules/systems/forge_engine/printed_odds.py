"""The probability tables of the book, each figure beside the exact one (Dice Pool Probabilities).

The figures stand in `content/odds.toml`. Rows are action pools of 1d10 and up. The two tables that the book
heads as means hold medians (R-124). All figures but three are the exact ones rounded half up: the chance of
two successes at 9 with 8d10 is 49.67% and was cut to 49%; the medians of 2d10 against 3d10 and of 13d10
against 2d10 are 0 and 4, where the book has 1 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from math import floor

from services.rules.dice import odds
from services.rules.systems.forge_engine.rolls import SIDES


class OddsMeasure(Enum):
    """What the figures of a table say.

    Attributes:
        CHANCE: The chance of the successes that are needed.
        MEDIAN: The median of the successes, which the book heads as a mean (R-124).
        CRITICAL: The chance of a critical failure.
    """

    CHANCE = "chance"
    MEDIAN = "median"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsColumn:
    """What a column's pools are rolled against: a difficulty, or a defence pool.

    Attributes:
        label: As the book heads it: "9 9".
        difficulty: What a die must reach; None against a pool.
        required: Successes needed; the medians of such columns count whole groups of so many.
        defence: Dice of the defence pool; None against a difficulty.

    Raises:
        ValueError: It is neither the one nor the other, or both.
    """

    label: str
    difficulty: int | None = None
    required: int = 1
    defence: int | None = None

    def __post_init__(self) -> None:
        if (self.difficulty is None) == (self.defence is None):
            raise ValueError("a column is against a difficulty or against a pool")

    def odds_of(self, dice: int) -> odds.PoolOdds:
        """The odds of a pool against it."""
        if self.difficulty is not None:
            return odds.fixed_pool(dice, self.difficulty, SIDES)
        return odds.opposed_pool(dice, self.defence or 0, SIDES)


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsCell:
    """A figure of the book beside the exact one.

    Attributes:
        measure: What both say: a chance, or a median.
        printed: As the book has it; empty for a dash.
        exact: A chance from 0 to 1, or the median.
        figure: The exact one, rounded half up to as many digits as the printed one.
        agrees: Whether the two figures are the same.
    """

    measure: OddsMeasure
    printed: str
    exact: Fraction
    figure: str
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsTable:
    """A probability table of the book.

    Attributes:
        id: Content id.
        name: What it shows, in plain words.
        measure: What its figures say.
        columns: Its columns, from left to right.
        rows: Figures as printed, by pools of 1d10 and up; an empty text where the book has a dash.
    """

    id: str
    name: str
    measure: OddsMeasure
    columns: tuple[OddsColumn, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def cells(self) -> tuple[tuple[OddsCell, ...], ...]:
        """Every figure beside the exact one, row by row."""
        return _cells(self)

    def cell(self, dice: int, column: OddsColumn) -> OddsCell | None:
        """The cell of a pool against a difficulty or pool, whatever the label; None where there is none."""
        wanted = (column.difficulty, column.required, column.defence)
        if 1 <= dice <= len(self.rows):
            for place, own in enumerate(self.columns):
                if (own.difficulty, own.required, own.defence) == wanted:
                    return self.cells[dice - 1][place]
        return None


@cache
def _cells(table: OddsTable) -> tuple[tuple[OddsCell, ...], ...]:
    return tuple(
        tuple(
            _cell(table.measure, printed, dice, column)
            for printed, column in zip(row, table.columns, strict=True)
        )
        for dice, row in enumerate(table.rows, start=1)
    )


def _cell(measure: OddsMeasure, printed: str, dice: int, column: OddsColumn) -> OddsCell:
    exact = exact_value(measure, dice, column)
    # The book puts two medians in brackets: one success then means two dice.
    plain = printed.strip("()")
    figure = str(exact) if measure is OddsMeasure.MEDIAN else _percent(exact, plain)
    # A dash stands for what cannot happen.
    agrees = figure == plain if plain else exact == 0
    return OddsCell(measure=measure, printed=printed, exact=exact, figure=figure, agrees=agrees)


def exact_value(measure: OddsMeasure, dice: int, column: OddsColumn) -> Fraction:
    """What a table of this measure would hold, exactly: a chance from 0 to 1, or a median."""
    pool = column.odds_of(dice)
    match measure:
        case OddsMeasure.CHANCE:
            return pool.at_least(column.required)
        case OddsMeasure.CRITICAL:
            return pool.critical_chance
        case OddsMeasure.MEDIAN:
            # The median of what never falls with the dice is what the median of the dice comes to.
            return Fraction(int(pool.successes.median) // column.required)


def _percent(chance: Fraction, printed: str) -> str:
    """A chance rounded half up to as many digits as a printed figure has: 0.35%, 14.6%, 2%."""
    digits = len(printed.rstrip("%").partition(".")[2])
    rounded = floor(chance * 100 * 10**digits + Fraction(1, 2))
    return f"{rounded / 10**digits:.{digits}f}%"
