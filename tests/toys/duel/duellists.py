"""A character of Duel, and the one roll of the game."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from services.rules.dice.mechanic import Arguments, Mechanic, Parameter, Reading, ReadingOdds, Rolled, number
from services.rules.dice.pool import dice
from services.rules.engine.content import Shelf
from services.rules.engine.effects import EffectRule
from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import RollableCheck, Track


class DuelStyle(Enum):
    """How somebody fights: one more die to strike, or one more against a strike."""

    BOLD = "bold"
    CAREFUL = "careful"


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelChoices:
    """What a player chooses; `scars` come from duels, oaths from a table's own packs."""

    name: str
    style: DuelStyle = DuelStyle.BOLD
    scars: int = 0
    oaths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSheet:
    """A duellist at rest."""

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    style: DuelStyle
    scars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSettings:
    """What a table may settle otherwise."""

    nerve: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelOath:
    """Something sworn, for Nerve."""

    id: str
    name: str
    nerve: int
    tears: int


NO_OATHS: Shelf[DuelOath] = Shelf("duel", "oath", "oaths.toml", {})


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelContent:
    """The numbers of the game, and the oaths of a table's own; the game has none."""

    settings: DuelSettings = DuelSettings()
    oaths: Shelf[DuelOath] = NO_OATHS

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """The oaths."""
        return (self.oaths,)


CONTENT = DuelContent()

BRACED = "duel:effect/braced"
EFFECTS = {BRACED: EffectRule(id=BRACED, name="braced", rule="Bracing", adds={"guard": 1})}
"""What lasts in a duel, and what it does."""


def strike_dice(style: DuelStyle) -> Explained:
    """The dice of a strike."""
    pool = Explained.of(Part(2, "Strike", "Striking"))
    return pool.plus(1, "Bold", "Styles") if style is DuelStyle.BOLD else pool


def guard_dice(style: DuelStyle, *more: Part) -> Explained:
    """The dice against a strike, with what lasts on the struck one."""
    pool = Explained.of(Part(2, "Guard", "Striking"))
    pool = pool.plus(1, "Careful", "Styles") if style is DuelStyle.CAREFUL else pool
    return Explained.of(*pool.parts, *more)


def build(choices: DuelChoices, content: DuelContent) -> DuelSheet | Problems:
    """The sheet of these choices, or every rule they break."""
    wrong = []
    if not choices.name.strip():
        wrong.append(RuleProblem("name_missing", "A duellist has a name.", "Duellists", ("name",)))
    if choices.scars < 0:
        found = choices.scars
        wrong.append(RuleProblem("scars_negative", "No scar is undone.", "Scars", ("scars",), found, 0))
    for place, oath in enumerate(choices.oaths):
        if oath not in content.oaths:
            path, known = ("oaths", place), content.oaths.ids
            wrong.append(RuleProblem("oath_unknown", "Nobody swears that here.", "Oaths", path, oath, known))
    if wrong:
        return Problems(tuple(wrong))
    pool, nerve = strike_dice(choices.style), content.settings.nerve
    nerve += sum(content.oaths[oath].nerve for oath in choices.oaths)
    return DuelSheet(
        system="duel",
        name=choices.name,
        tracks=(Track("nerve", "Nerve", nerve, nerve),),
        checks=(
            RollableCheck("strike", "Strike", f"{pool.value}d6", "A higher sum than theirs hits.", pool),
        ),
        style=choices.style,
        scars=choices.scars,
    )


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
    """How likely a strike with so many dice hits somebody who stands with so many."""
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
