"""How Duel leads through the making of a duellist, and the question that its arithmetic answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from services.rules.engine.guide import Budget, CreationStep, Guide, Offer
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.tools import Tool

from .duellists import DuelChoices, DuelContent, DuelStyle, build, guard_dice, hit_chance, strike_dice


def steps(choices: DuelChoices, content: DuelContent) -> tuple[CreationStep, ...]:
    """A name first, then a style, which is the one die that everybody may choose."""
    built = build(choices, content)
    wrong = built.items if isinstance(built, Problems) else ()
    other = next(style for style in DuelStyle if style is not choices.style)
    offer = Offer(kind="style", id=other.value, name=other.name.capitalize(), cost=0, budget="dice")
    dice = Budget(id="dice", name="Extra dice", allowed=1, spent=1, rule="Styles")
    return (
        CreationStep(
            id="name",
            name="Name",
            text="What the others shout.",
            problems=tuple(problem for problem in wrong if problem.path == ("name",)),
        ),
        CreationStep(
            id="style",
            name="Style",
            text="One die more to strike, or against a strike.",
            budgets=(dice,),
            problems=tuple(problem for problem in wrong if problem.path != ("name",)),
            offers=(offer,),
        ),
    )


GUIDE: Guide[DuelChoices, DuelContent] = Guide(steps=steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Somebody to strike at.

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
    """The chance of each strike; whoever has no dice to guard with, or too many, is no rival."""
    wrong = tuple(
        RuleProblem(
            "guard_unknown",
            "One more die is all that anybody gets.",
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
