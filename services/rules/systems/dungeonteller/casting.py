"""Who may use a power or cast a spell (Actions / Magic; Roles / Powers)."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.catalog import Casting
from services.rules.systems.dungeonteller.luck import can_pay
from services.rules.systems.dungeonteller.powers import Power

RULE = "Actions / Magic"


class SpellSource(Enum):
    """Where the magic comes from."""

    OWN_SPELL = "own_spell"
    SCROLL = "scroll"


class Caster(Protocol):
    """Whoever may cast: a role, or a being in a scene."""

    @property
    def name(self) -> str:
        """The name people use."""

    @property
    def ratings(self) -> Ratings:
        """Dice of the ten actions."""

    @property
    def casting(self) -> Casting:
        """What the Magic dice are good for."""


def casting_problem(caster: Caster, source: SpellSource) -> RuleProblem | None:
    """Why a being cannot cast: Magic 0 never does, and a rogue's Magic is for scrolls only (ruling P5)."""
    if caster.ratings.magic < 1 or caster.casting is Casting.NOTHING:
        return RuleProblem(
            "cannot_cast",
            "Casting needs Magic 1 or more.",
            f"{RULE} [P5]",
            ("role",),
            caster.ratings.magic,
            1,
        )
    if source is SpellSource.OWN_SPELL and caster.casting is Casting.SCROLLS:
        return RuleProblem(
            "cannot_cast",
            f"{caster.name} has no spells of its own, but can read scrolls.",
            RULE,
            ("source",),
            source.value,
            SpellSource.SCROLL.value,
        )
    return None


def power_problems(
    power: Power,
    caster: Caster,
    luck: int | None,
    *,
    known: tuple[str, ...],
    malicious: bool,
    source: SpellSource = SpellSource.OWN_SPELL,
) -> tuple[RuleProblem, ...]:
    """Every reason why a power cannot be used now.

    Args:
        power: The power.
        caster: Who uses it.
        luck: Current Luck; the whole cost must be there (ruling P2). None for things without Luck, which pay
            none.
        known: Powers the hero has, by content id, those of rewards included.
        malicious: Whether the hero is malicious.
        source: Where the magic comes from; a scroll need not be known.
    """
    found: list[RuleProblem] = []
    if power.spell:
        problem = casting_problem(caster, source)
        if problem is not None:
            found.append(problem)
    if source is SpellSource.OWN_SPELL and not power.everyone and power.id not in known:
        found.append(_unknown(power, caster, known))
    if power.malicious and not malicious:
        text = "This only works for malicious wizards."
        found.append(RuleProblem("not_malicious", text, power.source, ("power",)))
    if luck is not None and not can_pay(luck, power.luck_cost):
        text = f"{power.name} costs {power.luck_cost} Luck, and there are {luck}."
        rule = "Basics / Luck [P2]"
        found.append(RuleProblem("not_enough_luck", text, rule, ("luck",), luck, power.luck_cost))
    return tuple(found)


def _unknown(power: Power, caster: Caster, known: tuple[str, ...]) -> RuleProblem:
    text = f"{caster.name} does not have {power.name}."
    return RuleProblem("power_unknown", text, "Roles / Powers", ("power",), power.id, known)
