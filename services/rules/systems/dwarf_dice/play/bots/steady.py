"""A simple player: forges what is worth most, attacks with four dice, and uses powers when they pay."""

from __future__ import annotations

from services.rules.engine.steps import Ask
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.crafting import OUTER_SQUARES
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.champions import exchanges, extra_of, kept_from, targets
from services.rules.systems.dwarf_dice.play.hands import equipment, most_dice, strength
from services.rules.systems.dwarf_dice.play.layout import null_squares
from services.rules.systems.dwarf_dice.play.moves import (
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
    Pass,
    PlaceNulls,
    Upgrade,
    UsePower,
)
from services.rules.systems.dwarf_dice.play.rules import asks
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.resources import Resource

ENOUGH_DICE = 4
"""Dice of an attack that is worth a turn."""
MANY_NULLS = 3
"""Nulls that are worth a pact."""
MUCH_ALCHEMY = 2
"""Alchemy of an opponent that is worth a fury."""


def steady_move(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Move | None:
    """The move of a simple player; None when it is not theirs to move."""
    if actor != state.turn or state.ending is not None:
        return None
    if not state.dealt:
        return Deal(actor=actor)
    if state.crafting is not None:
        return _forge(state, actor, catalog, forges)
    return _turn(state, actor, catalog)


def steady_answer(state: Table, ask: Ask, catalog: Catalog) -> Move:
    """The answer of a simple player."""
    actor = ask.actor
    match ask.id:
        case asks.PACT:
            return _pact(state, actor)
        case asks.MARK:
            return MarkOfQuality(actor=actor)
        case asks.NULLS:
            return PlaceNulls(actor=actor, squares=OUTER_SQUARES[: state.at_work().hoard.nulls])
        case asks.UPGRADE:
            return _upgrade(state, actor, catalog)
        case asks.ATTACK:
            return _choose(state, actor, Side.OFFENCE, catalog)
        case asks.DEFENCE:
            return _choose(state, actor, Side.DEFENCE, catalog)
        case asks.ASSAULT:
            return _assault(state, actor, catalog)
        case asks.FURY:
            worth = dice.theirs(state.engaged(), actor).count(Resource.ALCHEMY) >= MUCH_ALCHEMY
            return ForgesFury(actor=actor) if worth else Decline(actor=actor)
        case asks.BLOCK:
            return asks.best_block(state)
        case asks.REBUKE:
            return FieryRebuke(actor=actor)
        case asks.USE:
            return UsePower(actor=actor, power=str(ask.offers[0].move["power"]))
        case _:
            raise ValueError(f"no question of this game is called {ask.id!r}")


def _turn(state: Table, actor: str, catalog: Catalog) -> Move:
    me = state.fighter(actor)
    crafts, strikes = (kept_from(state, actor, verb, catalog) is None for verb in ("craft", "challenge"))
    most = strength(me, Side.OFFENCE, state, catalog) if strikes else 0
    left = crafts and any(state.stock[item.id] for item in catalog.armory if item.side is Side.OFFENCE)
    if most and (most >= ENOUGH_DICE or not left):
        foes = [state.fighter(target) for target in targets(state, actor)]
        weakest = min(foes, key=lambda it: it.endurance + strength(it, Side.DEFENCE, state, catalog))
        return Challenge(actor=actor, target=weakest.id)
    return Craft(actor=actor) if crafts else Pass(actor=actor)


def _pact(state: Table, actor: str) -> Move:
    hoard = state.at_work().hoard
    if hoard.nulls < MANY_NULLS:
        return Decline(actor=actor)
    scarce = Resource.METAL if hoard.metal <= hoard.wood else Resource.WOOD
    return DarkPact(actor=actor, resource=scarce)


def _forge(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Move:
    feasible = forges.of(state.rules).feasible(
        state.at_work().hoard.resources(),
        null_squares(state.at_work()),
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


def _choose(state: Table, actor: str, side: Side, catalog: Catalog) -> ChooseCards:
    """As many dice as can be, in as few cards as that takes."""
    return ChooseCards(actor=actor, cards=most_dice(equipment(state, actor, side, catalog), catalog))


def _assault(state: Table, actor: str, catalog: Catalog) -> Move:
    combat = state.engaged()
    worth = len(combat.attack) > 1 and catalog.value(combat.defence) > 1
    return FuriousAssault(actor=actor) if worth else Decline(actor=actor)
