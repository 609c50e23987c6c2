"""When a power may be used: the windows of each, and why it is closed (Champions and Powers)."""

from __future__ import annotations

from enum import IntEnum

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dwarf_dice.resources import Resource


class Step(IntEnum):
    """How far a Crafting or a combat has come.

    Attributes:
        BEGUN: Nothing is rolled, no card is revealed.
        HOARDED: The Hoard is rolled.
        PLACED: The Nulls lie on the Forge.
        REVEALED: Both sides' cards are revealed.
        ROLLED: Both sides' dice are rolled.
        RESOLVED: The damage is done.
    """

    BEGUN = 0
    HOARDED = 1
    PLACED = 2
    REVEALED = 3
    ROLLED = 4
    RESOLVED = 5


def _closed(code: str, text: str, rule: str, step: Step, window: Step) -> RuleProblem:
    """A window that is not open: how far things have come, and when it would be."""
    return RuleProblem(code, text, rule, ("kind",), step.name.lower(), window.name.lower())


def spent_problem(power_left: bool) -> RuleProblem | None:
    """Why an active power cannot be used again (Champions and Powers)."""
    if power_left:
        return None
    return RuleProblem(
        "power_spent", "An active power is used once in a game.", "Active Power", ("kind",), 0, 1
    )


def pact_problem(
    step: Step, resource: Resource, *, own: bool = True, power_left: bool = True
) -> RuleProblem | None:
    """Why Dark Pact cannot be used (Grim Undermine; P4)."""
    rule = "Dark Pact"
    if not own:
        return _closed("not_own_hoarding", "Dark Pact is for one's own Hoarding.", "P4", step, Step.HOARDED)
    if step < Step.HOARDED:
        return _closed("pact_too_early", "The Hoard has not been rolled.", rule, step, Step.HOARDED)
    if step > Step.HOARDED:
        return _closed("pact_too_late", "The Nulls have been placed already.", rule, step, Step.HOARDED)
    if spent := spent_problem(power_left):
        return spent
    if resource not in (Resource.METAL, Resource.WOOD):
        allowed = (Resource.METAL.value, Resource.WOOD.value)
        text = "Nulls become Metal or Wood, nothing else."
        return RuleProblem("pact_resource", text, rule, ("resource",), resource.value, allowed)
    return None


def assault_problem(step: Step, *, attacking: bool = True, power_left: bool = True) -> RuleProblem | None:
    """Why Furious Assault cannot be used (Gor Skymaul; P7)."""
    rule = "Furious Assault"
    if step < Step.REVEALED:
        return _closed(
            "assault_too_early", "The defender has not revealed any cards.", rule, step, Step.REVEALED
        )
    if not attacking:
        return _closed("not_attacking", "Furious Assault is for attackers.", rule, step, Step.REVEALED)
    if step > Step.REVEALED:
        return _closed("assault_too_late", "The dice are rolled already.", "P7", step, Step.REVEALED)
    return spent_problem(power_left)


def fury_problem(step: Step, *, fighting: bool = True, power_left: bool = True) -> RuleProblem | None:
    """Why Forge's Fury cannot be used (Bron Steelshaper)."""
    rule = "Forge's Fury"
    if not fighting:
        return _closed("not_own_combat", "Forge's Fury is for one's own combat.", rule, step, Step.ROLLED)
    if step < Step.ROLLED:
        return _closed("fury_too_early", "The dice are not rolled yet.", rule, step, Step.ROLLED)
    if step > Step.ROLLED:
        return _closed("fury_too_late", "The damage is done already.", rule, step, Step.ROLLED)
    return spent_problem(power_left)


def rebuke_problem(*, attacked: bool) -> RuleProblem | None:
    """Why Fiery Rebuke cannot be used (Grim Undermine; P10)."""
    if attacked:
        return None
    text, rule = "Only who was attacked may rebuke.", "Fiery Rebuke"
    return RuleProblem("not_attacked", text, rule, ("actor",), False, True)


def rebukes(shown: Resource) -> bool:
    """Whether the die of Fiery Rebuke hurts the attacker (Grim Undermine)."""
    return shown in (Resource.METAL, Resource.ALCHEMY)


def mark_problem(nulls: int) -> RuleProblem | None:
    """Why no Null can be set aside (Bron Steelshaper)."""
    if nulls > 0:
        return None
    return RuleProblem("no_null", "No Null was rolled.", "Mark of Quality", ("kind",), nulls, 1)


def upgrade_problem(
    own_dice: int,
    forged_dice: int,
    *,
    gap: int,
    same_side: bool = True,
    across_sides: bool = True,
    just_forged: bool = True,
    own_forging: bool = False,
) -> RuleProblem | None:
    """Why a card cannot be exchanged for one that was forged (Belinda Blunderbuss; P12).

    Args:
        own_dice: What the card given away costs.
        forged_dice: What the forged card costs.
        gap: How many dice less the own card may cost.
        same_side: Whether both are of one side.
        across_sides: Whether they need not be (P12).
        just_forged: Whether the wanted card was forged right now.
        own_forging: Whether it was one's own Forging.
    """
    rule = "Upgrade!"
    if own_forging:
        return RuleProblem(
            "own_forging", "Upgrade! answers an opponent's Forging.", rule, ("actor",), True, False
        )
    if not just_forged:
        return RuleProblem(
            "not_just_forged", "No opponent has just forged that.", rule, ("take",), False, True
        )
    if forged_dice - own_dice > gap:
        text = f"The card given away may cost at most {gap} dice less."
        return RuleProblem("card_too_cheap", text, rule, ("give",), own_dice, forged_dice - gap)
    if not same_side and not across_sides:
        text = "At this table offence is exchanged for offence, and defence for defence."
        return RuleProblem("other_side", text, "P12", ("give",), False, True)
    return None
