"""A simple player: forges what is worth most, attacks with four dice, and uses powers when they pay."""

from __future__ import annotations

from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.combat import best_blocks
from services.rules.systems.dwarf_dice.crafting import OUTER_SQUARES
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.asking import asked, cards_of, exchanges, may_assault
from services.rules.systems.dwarf_dice.play.legality import die_name, extra_of, null_squares, targets
from services.rules.systems.dwarf_dice.play.moves import (
    Block,
    Challenge,
    ChooseCards,
    Craft,
    DarkPact,
    Deal,
    Decline,
    FieryRebuke,
    Forge,
    ForgesFury,
    FuriousAssault,
    MarkOfQuality,
    Move,
    PlaceNulls,
    RollDice,
    Upgrade,
)
from services.rules.systems.dwarf_dice.play.reckoning import selections, strength
from services.rules.systems.dwarf_dice.play.state import Stage, Table
from services.rules.systems.dwarf_dice.resources import Resource

ENOUGH_DICE = 4
"""Dice of an attack that is worth a turn."""
MANY_NULLS = 3
"""Nulls that are worth a pact."""
MUCH_ALCHEMY = 2
"""Alchemy of an opponent that is worth a fury."""


def steady_move(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Move | None:
    """The move of a simple player; None when it is not theirs to move."""
    if actor not in asked(state, catalog):
        return None
    match state.stage:
        case Stage.DEAL:
            return Deal(actor=actor)
        case Stage.TURN:
            return _turn(state, actor, catalog)
        case Stage.PACT:
            return _pact(state, actor)
        case Stage.MARK:
            return MarkOfQuality(actor=actor)
        case Stage.NULLS:
            return PlaceNulls(actor=actor, squares=OUTER_SQUARES[: state.at_work().hoard.nulls])
        case Stage.FORGE:
            return _forge(state, actor, catalog, forges)
        case Stage.UPGRADE:
            return _upgrade(state, actor, catalog)
        case Stage.CHOICE:
            return most_cards(state, actor, catalog)
        case Stage.READY:
            return _ready(state, actor, catalog)
        case Stage.FURY:
            combat = state.engaged()
            theirs = combat.defence_roll if actor == combat.attacker else combat.attack_roll
            worth = theirs.count(Resource.ALCHEMY) >= MUCH_ALCHEMY
            return ForgesFury(actor=actor) if worth else Decline(actor=actor)
        case Stage.BLOCK:
            return best_block(state, actor)
        case Stage.REBUKE:
            return FieryRebuke(actor=actor)
        case Stage.OVER:
            return None


def _turn(state: Table, actor: str, catalog: Catalog) -> Move:
    me = state.fighter(actor)
    dice = strength(me, Side.OFFENCE, state, catalog)
    left = any(state.stock[item.id] for item in catalog.armory if item.side is Side.OFFENCE)
    if dice and (dice >= ENOUGH_DICE or not left):
        foes = [state.fighter(target) for target in targets(state, actor)]
        weakest = min(foes, key=lambda it: it.endurance + strength(it, Side.DEFENCE, state, catalog))
        return Challenge(actor=actor, target=weakest.id)
    return Craft(actor=actor)


def _pact(state: Table, actor: str) -> Move:
    hoard = state.at_work().hoard
    if hoard.nulls < MANY_NULLS:
        return Decline(actor=actor)
    scarce = Resource.METAL if hoard.metal <= hoard.wood else Resource.WOOD
    return DarkPact(actor=actor, resource=scarce)


def _forge(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Move:
    feasible = forges.of(state.rules).feasible(
        state.at_work().hoard.resources(),
        null_squares(state),
        state.stock.items(),
        extra=bool(extra_of(state, actor, catalog)),
    )
    return Forge(actor=actor, items=max(feasible, key=catalog.value, default=()))


def _upgrade(state: Table, actor: str, catalog: Catalog) -> Move:
    pairs = exchanges(state, state.fighter(actor), catalog)
    gains = {(give, take): catalog.value((take,)) - catalog.value((give,)) for give, take in pairs}
    best = max(pairs, key=gains.__getitem__, default=None)
    if best is None or gains[best] < state.rules.upgrade_gap:
        return Decline(actor=actor)
    return Upgrade(actor=actor, give=best[0], take=best[1])


def most_cards(state: Table, actor: str, catalog: Catalog) -> ChooseCards:
    """As many dice as can be, in as few cards as that takes."""
    side = Side.OFFENCE if state.engaged().attacker == actor else Side.DEFENCE
    found = selections(cards_of(state.fighter(actor), side, catalog), state.rules.most_value, catalog)
    return ChooseCards(actor=actor, cards=max(found, key=lambda it: (catalog.value(it), -len(it))))


def _ready(state: Table, actor: str, catalog: Catalog) -> Move:
    combat = state.engaged()
    worth = len(combat.attack) > 1 and catalog.value(combat.defence) > 1
    if worth and may_assault(state, catalog):
        return FuriousAssault(actor=actor)
    return RollDice(actor=actor)


def best_block(state: Table, actor: str) -> Block:
    """As many blocks as can be, with Alchemy first."""
    combat = state.engaged()
    places = best_blocks(
        combat.attack_roll, combat.defence_roll, crits=combat.crits, counters=combat.counters
    )
    return Block(actor=actor, dice=tuple(die_name(place) for place in places))
