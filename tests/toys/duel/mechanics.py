"""The one roll of the game, its dice and its odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

from services.rules.dice.mechanic import Arguments, Mechanic, Parameter, Reading, ReadingOdds, Rolled, number
from services.rules.dice.pool import dice
from services.rules.engine.explain import Explained, Part

from .choices import DuelStyle


def strike_dice(style: DuelStyle) -> Explained:
    """The dice of a strike."""
    pool = Explained.of(Part(2, "Strike", "Striking"))
    return pool.plus(1, "Bold", "Styles") if style is DuelStyle.BOLD else pool


def guard_dice(style: DuelStyle, *more: Part) -> Explained:
    """The dice against a strike, with what lasts on the struck one."""
    pool = Explained.of(Part(2, "Guard", "Striking"))
    pool = pool.plus(1, "Careful", "Styles") if style is DuelStyle.CAREFUL else pool
    return Explained.of(*pool.parts, *more)


def read_strike(attack: tuple[int, ...], guard: tuple[int, ...]) -> Reading:
    """By how much a strike is ahead; only what is ahead hits."""
    ahead = sum(attack) - sum(guard)
    return Reading(ahead, "hit" if ahead > 0 else "miss")


def _strike_odds(arguments: Arguments) -> ReadingOdds:
    sums = [
        Counter(sum(fall) for fall in product(range(1, 7), repeat=number(arguments, side)))
        for side in ("attack", "guard")
    ]
    found: dict[tuple[int, str], Fraction] = {}
    for (mine, ways), (theirs, others) in product(sums[0].items(), sums[1].items()):
        reading = read_strike((mine,), (theirs,))
        chance = Fraction(ways * others, sums[0].total() * sums[1].total())
        key = (reading.total, reading.outcome)
        found[key] = found.get(key, Fraction(0)) + chance
    return found


@cache
def hit_chance(attack: int, guard: int) -> Fraction:
    """How likely a strike with so many dice hits a duellist who stands with so many."""
    odds = _strike_odds({"attack": attack, "guard": guard})
    return sum((chance for (_, outcome), chance in odds.items() if outcome == "hit"), Fraction(0))


def _read(_: Arguments, rolled: Rolled) -> Reading:
    return read_strike(rolled[0], rolled[1])


MECHANICS = (
    Mechanic(
        name="duel:strike",
        title="Strike",
        meaning="Both sides add up their dice; the strike hits when its sum is higher.",
        source="Striking",
        parameters=(
            Parameter("attack", "dice of the strike", 2, 3),
            Parameter("guard", "dice against it", 2, 4),
        ),
        outcomes=("hit", "miss"),
        pools=lambda arguments: (dice(number(arguments, "attack"), 6), dice(number(arguments, "guard"), 6)),
        read=_read,
        odds=_strike_odds,
    ),
)
