"""Who is asked what: whose answer a stage waits for, and for whom a window opens at all."""

from __future__ import annotations

from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.combat import Engaged, guards, hits
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.state import Fighter, Stage, Table
from services.rules.systems.dwarf_dice.powers import Step, upgrade_problem
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.seating import next_seat

STEPS = {
    Stage.PACT: Step.HOARDED,
    Stage.MARK: Step.HOARDED,
    Stage.NULLS: Step.HOARDED,
    Stage.FORGE: Step.PLACED,
    Stage.UPGRADE: Step.PLACED,
    Stage.READY: Step.REVEALED,
    Stage.FURY: Step.ROLLED,
    Stage.BLOCK: Step.RESOLVED,
    Stage.REBUKE: Step.RESOLVED,
}


def step_of(state: Table) -> Step:
    """How far the Crafting or combat has come."""
    return STEPS.get(state.stage, Step.BEGUN)


def asked(state: Table, catalog: Catalog) -> tuple[str, ...]:
    """Everybody who may move now, in order; the game master aside."""
    match state.stage:
        case Stage.OVER:
            return ()
        case Stage.DEAL | Stage.TURN | Stage.PACT | Stage.MARK | Stage.FORGE:
            return (state.turn,)
        case Stage.NULLS:
            return (next_seat(state.seats(), state.turn, state.out()),)
        case Stage.UPGRADE:
            who = upgrader(state, catalog)
            return () if who is None else (who,)
        case Stage.CHOICE:
            combat = state.engaged()
            sides = ((combat.attacker, combat.attack_in), (combat.defender, combat.defence_in))
            return tuple(who for who, chosen in sides if not chosen)
        case Stage.READY:
            return (state.engaged().attacker,)
        case Stage.FURY:
            who = furious(state, catalog)
            return () if who is None else (who,)
        case Stage.BLOCK | Stage.REBUKE:
            return (state.engaged().defender,)


def may_use(fighter: Fighter, effect: PowerEffect, catalog: Catalog) -> bool:
    """Whether somebody has an active power and its gem."""
    return fighter.power_left and catalog.has(fighter.champion, effect)


def exchanges(state: Table, fighter: Fighter, catalog: Catalog) -> tuple[tuple[str, str], ...]:
    """What Upgrade! may exchange now: pairs of the card given and the card taken, each pair once."""
    crafting, rules = state.at_work(), state.rules
    armory = catalog.armory
    return tuple(
        (give, take)
        for take in dict.fromkeys(crafting.forged)
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


def upgrader(state: Table, catalog: Catalog) -> str | None:
    """Who is asked for Upgrade! next: clockwise from the crafter.

    Where hands are closed, everybody with the power and a card is asked, so that being asked betrays nothing.
    """
    crafting = state.at_work()
    if not crafting.forged:
        return None
    place = state.seats().index(crafting.crafter)
    for fighter in (*state.fighters[place + 1 :], *state.fighters[:place]):
        if fighter.out or fighter.id in crafting.asked:
            continue
        if may_use(fighter, PowerEffect.UPGRADE, catalog):
            closed = not state.rules.open_hands and len(fighter.hand) + fighter.face_down > 0
            if closed or exchanges(state, fighter, catalog):
                return fighter.id
    return None


def furious(state: Table, catalog: Catalog) -> str | None:
    """Who is asked for Forge's Fury next: who has it, while the other side's Alchemy can do anything.

    An attacker's Alchemy always strikes; a defender's blocks and strikes back only where a die hits.
    """
    combat = state.engaged()
    blocking = Resource.ALCHEMY in combat.defence_roll and bool(laid_out(state))
    striking = Resource.ALCHEMY in combat.attack_roll
    for who, matters in ((combat.attacker, blocking), (combat.defender, striking)):
        open_to_them = matters and who not in combat.asked
        if open_to_them and may_use(state.fighter(who), PowerEffect.FORGES_FURY, catalog):
            return who
    return None


def may_assault(state: Table, catalog: Catalog) -> bool:
    """Whether the attacker may use Furious Assault now; it is of no use against no dice."""
    combat = state.engaged()
    return (
        state.stage is Stage.READY
        and not combat.assault
        and bool(combat.defence)
        and may_use(state.fighter(combat.attacker), PowerEffect.FURIOUS_ASSAULT, catalog)
    )


def cards_of(fighter: Fighter, side: Side, catalog: Catalog) -> tuple[str, ...]:
    """The cards of a hand that are for this."""
    return tuple(card for card in fighter.hand if catalog.armory[card].side is side)


def engaged(state: Table, catalog: Catalog, *, assault: bool | None = None) -> Engaged:
    """What decides the dice of the combat under way, once the cards are revealed.

    Args:
        state: Where the game stands.
        catalog: The content.
        assault: Whether Furious Assault counts; what has happened when None.
    """
    combat = state.engaged()
    return Engaged(
        attack=_named(combat.attack, catalog),
        defence=_named(combat.defence, catalog),
        assault=combat.assault if assault is None else assault,
        attacker_shrinks=_shrinks(state, combat.attacker, catalog),
        defender_shrinks=_shrinks(state, combat.defender, catalog),
        shrink=state.rules.shrink_ray,
    )


def _named(cards: tuple[str, ...], catalog: Catalog) -> tuple[tuple[str, int], ...]:
    return tuple((catalog.armory[card].name, catalog.armory[card].value) for card in cards)


def _shrinks(state: Table, who: str, catalog: Catalog) -> bool:
    return catalog.has(state.fighter(who).champion, PowerEffect.SHRINK_RAY)


def laid_out(state: Table) -> tuple[int, ...]:
    """Places of the attacking dice that hit."""
    combat = state.engaged()
    return hits(combat.attack_roll, alchemy=combat.crits)


def blockers(state: Table) -> tuple[int, ...]:
    """Places of the defending dice that can block, Alchemy first."""
    combat = state.engaged()
    return guards(combat.defence_roll, alchemy=combat.counters)
