"""Who may use a power or cast a spell (Actions / Magic; Roles / Powers)."""

from __future__ import annotations

from enum import Enum

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.catalog import Casting, Role
from services.rules.systems.dungeonteller.luck import can_pay
from services.rules.systems.dungeonteller.powers import Power

RULE = "Actions / Magic"


class SpellSource(Enum):
    """Where the magic comes from."""

    OWN_SPELL = "own_spell"
    SCROLL = "scroll"


def casting_problem(role: Role, source: SpellSource) -> RuleProblem | None:
    """Why somebody cannot cast: Magic 0 never does, and a rogue's Magic is for scrolls only (ruling P5)."""
    if role.ratings.magic < 1 or role.casting is Casting.NOTHING:
        return RuleProblem(
            "cannot_cast", "Casting needs Magic 1 or more.", f"{RULE} [P5]", ("role",), role.ratings.magic, 1
        )
    if source is SpellSource.OWN_SPELL and role.casting is Casting.SCROLLS:
        return RuleProblem(
            "cannot_cast",
            f"A {role.name.lower()} has no spells, but can read scrolls.",
            RULE,
            ("source",),
            source.value,
            SpellSource.SCROLL.value,
        )
    return None


def power_problems(
    power: Power, role: Role, luck: int, *, known: tuple[str, ...], malicious: bool
) -> tuple[RuleProblem, ...]:
    """Every reason why a power cannot be used now.

    Args:
        power: The power.
        role: Who uses it.
        luck: Current Luck; the whole cost must be there (ruling P2).
        known: Powers the hero has, by content id, those of rewards included.
        malicious: Whether the hero is malicious.
    """
    found: list[RuleProblem] = []
    if power.spell:
        problem = casting_problem(role, SpellSource.OWN_SPELL)
        if problem is not None:
            found.append(problem)
    if not power.everyone and power.id not in known:
        found.append(
            RuleProblem(
                "power_unknown",
                f"The hero does not have {power.name}.",
                "Roles / Powers",
                ("power",),
                power.id,
                known,
            )
        )
    if power.malicious and not malicious:
        found.append(
            RuleProblem("not_malicious", "This only works for malicious wizards.", power.source, ("power",))
        )
    if not can_pay(luck, power.luck_cost):
        found.append(
            RuleProblem(
                "not_enough_luck",
                f"{power.name} costs {power.luck_cost} Luck, and there are {luck}.",
                "Basics / Luck [P2]",
                ("luck",),
                luck,
                power.luck_cost,
            )
        )
    return tuple(found)
