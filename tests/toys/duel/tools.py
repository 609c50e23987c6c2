"""The question that Duel's arithmetic answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.tools import Tool

from .catalog import DuelContent
from .choices import DuelStyle
from .mechanics import guard_dice, hit_chance, strike_dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A rival to strike at.

    Attributes:
        bonus_dice: Further dice against the strike: 0 or 1.
    """

    style: DuelStyle = DuelStyle.BOLD
    bonus_dice: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchup:
    """Who strikes, and at whom."""

    striker: DuelStyle
    rivals: tuple[Rival, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeChance:
    """How likely a strike hits.

    Attributes:
        dice: Dice of the strike.
    """

    rival: Rival
    dice: int
    chance: Fraction

    @property
    def likely(self) -> bool:
        """Whether it hits more often than not."""
        return self.chance > Fraction(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeChances:
    """How likely a strike hits each of them."""

    strikes: tuple[StrikeChance, ...]


def strike_chances(given: Matchup, content: DuelContent) -> StrikeChances | Problems:
    """The chance of each strike; rivals have 0 or 1 bonus dice."""
    wrong = tuple(
        RuleProblem(
            "guard_unknown",
            "One more die is the most there is.",
            "Bracing",
            ("rivals", place, "bonus_dice"),
            rival.bonus_dice,
            (0, 1),
        )
        for place, rival in enumerate(given.rivals)
        if rival.bonus_dice not in (0, 1)
    )
    if wrong:
        return Problems(wrong)
    attack = strike_dice(given.striker).value
    return StrikeChances(
        strikes=tuple(
            StrikeChance(
                rival=rival,
                dice=attack,
                chance=hit_chance(attack, guard_dice(rival.style).value + rival.bonus_dice),
            )
            for rival in given.rivals
        )
    )


TOOLS = (
    Tool(
        name="strike_chances",
        title="Chances of a strike",
        text="How likely a strike hits each of some rivals.",
        rule="Striking",
        given=Matchup,
        answer=StrikeChances,
        run=strike_chances,
    ),
)
