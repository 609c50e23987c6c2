"""What champions may do now: whom they may call out, which powers are left to them, what powers allow."""

from __future__ import annotations

from services.rules.engine.effects import forbidden
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.dice import laid_out, theirs
from services.rules.systems.dwarf_dice.play.effects import counts_as, has
from services.rules.systems.dwarf_dice.play.hands import equipment
from services.rules.systems.dwarf_dice.play.state import Fighter, Table
from services.rules.systems.dwarf_dice.powers import upgrade_problem
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.seats import legal_targets


def targets(state: Table, attacker: str) -> tuple[str, ...]:
    """Whom a fighter may call out (Choosing Equipment; P14)."""
    endurance = {one.id: one.endurance for one in state.living()}
    return legal_targets(endurance, attacker, attacker_counts=state.rules.attacker_counts_for_lowest)


def may_attack(state: Table, who: str, catalog: Catalog) -> bool:
    """Whether a fighter holds an offensive card, and can choose something to attack with (Combat; P5)."""
    armory = catalog.armory.entries
    armed = any(armory[card].side is Side.OFFENCE for card in state.fighter(who).hand)
    return armed and bool(equipment(state, who, Side.OFFENCE, catalog))


def options(state: Table, who: str, catalog: Catalog) -> tuple[str, ...]:
    """What a fighter may do with their turn, as verbs that effects forbid (Order of Play; P17).

    Returns:
        `craft`, `challenge` and `pass`, or some of them; whoever can do nothing else may always pass.
    """
    able = {
        "craft": True,
        "challenge": may_attack(state, who, catalog),
        "pass": state.rules.may_pass,
    }
    found = tuple(verb for verb, can in able.items() if can and kept_from(state, who, verb, catalog) is None)
    return found or ("pass",)


def kept_from(state: Table, who: str, verb: str, catalog: Catalog) -> RuleProblem | None:
    """Why something that lasts on a fighter keeps them from doing something; None where nothing does."""
    one = state.fighter(who)
    return forbidden(one.effects, catalog.powers.entries, who, verb, one.name)


def extra_of(state: Table, who: str, catalog: Catalog) -> frozenset[str]:
    """What a fighter may forge beyond one item a side (Adaptability)."""
    adaptable = counts_as(state.fighter(who), "forges_more", catalog)
    return catalog.extra_items() if adaptable else frozenset()


def exchanges(state: Table, fighter: Fighter, catalog: Catalog) -> tuple[tuple[str, str], ...]:
    """What Upgrade! may exchange now: pairs of the card given and the card taken, each pair once."""
    rules, armory = state.rules, catalog.armory
    return tuple(
        (give, take)
        for take in dict.fromkeys(state.at_work().forged)
        for give in dict.fromkeys(fighter.hand)
        if upgrade_problem(
            armory[give].value,
            armory[take].value,
            gap=rules.upgrade_gap,
            same_side=armory[give].side is armory[take].side,
            across_sides=rules.upgrade_across_sides,
        )
        is None
    )


def may_assault(state: Table) -> bool:
    """Whether the attacker may use Furious Assault; it is of no use against no dice or without a card."""
    combat = state.engaged()
    useful = bool(combat.attack and combat.defence)
    return useful and has(state.fighter(combat.attacker), PowerEffect.FURIOUS_ASSAULT)


def may_rage(state: Table, who: str) -> bool:
    """Whether a fighter may use Forge's Fury, and the opponent's Alchemy does anything.

    An attacking Alchemy always strikes; a defending one does nothing where no die strikes.
    """
    combat = state.engaged()
    useful = Resource.ALCHEMY in theirs(combat, who) and (who == combat.defender or bool(laid_out(combat)))
    return useful and has(state.fighter(who), PowerEffect.FORGES_FURY)


def may_rebuke(state: Table, taken: int) -> bool:
    """Whether the defender may use Fiery Rebuke after so much damage (P10)."""
    defender = state.fighter(state.engaged().defender)
    if taken < 1 or not has(defender, PowerEffect.FIERY_REBUKE):
        return False
    return state.rules.rebuke_before_defeat or defender.endurance > 0
