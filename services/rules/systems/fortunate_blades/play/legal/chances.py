"""Exact chances of rolls, with and without what could be spent on them; told only where numbers are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from services.rules.engine.play import Chance
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.mechanics import roll_chances, save_chances
from services.rules.systems.fortunate_blades.play.attempt import Attempt, bonus, difficulty, mode
from services.rules.systems.fortunate_blades.play.state import Encounter
from services.rules.systems.fortunate_blades.rolls import Result

CERTAIN = Fraction(1)

LABELS = {
    Result.CLEAR: "go through clear",
    Result.CLOSE: "come close, with a consequence",
    Result.MISS: "miss",
}


def of_attempt(state: Encounter, attempt: Attempt, most: int, catalog: Catalog) -> tuple[Chance, ...]:
    """How likely each result is, as it stands and with each number of further points up to `most`."""
    if not attempt.shown:
        return ()
    close, clear = difficulty(state, attempt)
    luck = mode(state, attempt, catalog)
    own = bonus(state, replace(attempt, points=0), catalog).value + attempt.points
    return tuple(
        chance
        for points in range(most + 1)
        for chance in _named(roll_chances(own + points, close, clear, luck), points)
    )


def of_save(bonus_: int, close: int, clear: int, most: int) -> tuple[Chance, ...]:
    """How likely each result of a Save is, with each number of points up to `most`."""
    return tuple(
        chance
        for points in range(most + 1)
        for chance in _named(save_chances(bonus_ + points, close, clear), points)
    )


def _named(found: Mapping[Result, Fraction], points: int) -> Iterator[Chance]:
    """The chances of a roll with so many points of Fortune: `clear`, `clear:+2`."""
    more = f":+{points}" if points else ""
    words = f", for {points} Fortune" if points else ""
    for result, label in LABELS.items():
        yield Chance(f"{result.value}{more}", f"{label}{words}", found[result])
