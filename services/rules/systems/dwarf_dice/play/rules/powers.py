"""Champions and Powers: each power in its window, and why a power cannot be used now.

A window opens only for a champion who can use the power and for whom it could change something.
"""

from __future__ import annotations

from typing import NoReturn

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Steps, Turn
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.champions import (
    exchanges,
    may_assault,
    may_rage,
    may_rebuke,
    may_use,
)
from services.rules.systems.dwarf_dice.play.facts import (
    Assaulted,
    Declined,
    Fact,
    FuryUsed,
    NullSetAside,
    PactMade,
    Rebuked,
    Upgraded,
    Wound,
)
from services.rules.systems.dwarf_dice.play.hands import hand_is_seen
from services.rules.systems.dwarf_dice.play.moves import Answer, DarkPact, Decline
from services.rules.systems.dwarf_dice.play.rules import asks
from services.rules.systems.dwarf_dice.play.rules.asks import closed_window
from services.rules.systems.dwarf_dice.play.rules.defeat import hurt
from services.rules.systems.dwarf_dice.play.state import Fighter, Table
from services.rules.systems.dwarf_dice.powers import Step
from services.rules.systems.dwarf_dice.resources import Resource


def unasked(state: Table, move: Answer, catalog: Catalog) -> NoReturn:
    """Refuses an answer while no question is open.

    Raises:
        Refused: Always.
    """
    step = Step.BEGUN if state.crafting is None else Step.PLACED
    text = "Nobody has asked them that."
    found = type(move).__name__
    nothing = RuleProblem("nothing_asked", text, "Order of Play", ("kind",), found, ())
    raise Refused(Problems((closed_window(state, move, step, catalog) or nothing,)))


def dark_pact(turn: Turn[Table, Fact], catalog: Catalog) -> Steps:
    """Grim Undermine: all Nulls of one's own Hoard become Metal, or all become Wood (Dark Pact; P4)."""
    crafting = turn.state.at_work()
    hoard, who = crafting.hoard, crafting.crafter
    if not hoard.nulls or not may_use(turn.state.fighter(who), PowerEffect.DARK_PACT, catalog):
        return
    (answer,) = yield from turn.ask(asks.pact(turn.state, catalog))
    if isinstance(answer, DarkPact):
        turn.happen(PactMade(fighter=who, resource=answer.resource, nulls=hoard.nulls + hoard.aside))
    else:
        turn.happen(Declined(fighter=who, power=PowerEffect.DARK_PACT))


def mark_of_quality(turn: Turn[Table, Fact], catalog: Catalog) -> Steps:
    """Bron Steelshaper: one Null of each Hoard may be set aside (Mark of Quality)."""
    crafting, power = turn.state.at_work(), PowerEffect.MARK_OF_QUALITY
    who = crafting.crafter
    if not crafting.hoard.nulls or not catalog.has(turn.state.fighter(who).champion, power):
        return
    (answer,) = yield from turn.ask(asks.mark(turn.state, catalog))
    declined = isinstance(answer, Decline)
    turn.happen(Declined(fighter=who, power=power) if declined else NullSetAside(fighter=who))


def upgrade(turn: Turn[Table, Fact], catalog: Catalog) -> Steps:
    """Belinda Blunderbuss: a card of one's hand for one just forged (Upgrade!; P12).

    Opponents are asked clockwise from the crafter. Where hands are closed, whoever has the power and a card
    is asked, so that being asked betrays nothing.
    """
    crafter = turn.state.at_work().crafter
    place = turn.state.seats().index(crafter)
    for seat in (*turn.state.fighters[place + 1 :], *turn.state.fighters[:place]):
        if not _may_upgrade(turn.state, seat, catalog):
            continue
        (answer,) = yield from turn.ask(asks.upgrade(turn.state, seat.id, catalog))
        if isinstance(answer, Decline):
            turn.happen(Declined(fighter=seat.id, power=PowerEffect.UPGRADE))
        else:
            give, take = answer.give, answer.take
            turn.happen(Upgraded(fighter=seat.id, forger=crafter, give=give, take=take))


def _may_upgrade(state: Table, fighter: Fighter, catalog: Catalog) -> bool:
    if fighter.out or not may_use(fighter, PowerEffect.UPGRADE, catalog):
        return False
    return not hand_is_seen(fighter, state) or bool(exchanges(state, fighter, catalog))


def furious_assault(turn: Turn[Table, Fact], catalog: Catalog) -> Steps:
    """Gor Skymaul: the defender rolls one die less for each card of the attack (Furious Assault; P7)."""
    if not may_assault(turn.state, catalog):
        return
    combat = turn.state.engaged()
    (answer,) = yield from turn.ask(asks.assault(turn.state, catalog))
    if isinstance(answer, Decline):
        turn.happen(Declined(fighter=combat.attacker, power=PowerEffect.FURIOUS_ASSAULT))
    else:
        turn.happen(Assaulted(fighter=combat.attacker, cards=len(combat.attack)))


def forges_fury(turn: Turn[Table, Fact], who: str, catalog: Catalog) -> Steps:
    """Bron Steelshaper: the opponent's Alchemy is set aside for this combat (Forge's Fury)."""
    if not may_rage(turn.state, who, catalog):
        return
    (answer,) = yield from turn.ask(asks.fury(turn.state, who, catalog))
    if isinstance(answer, Decline):
        turn.happen(Declined(fighter=who, power=PowerEffect.FORGES_FURY))
    else:
        aside = dice.theirs(turn.state.engaged(), who).count(Resource.ALCHEMY)
        turn.happen(FuryUsed(fighter=who, dice=aside))


def fiery_rebuke(turn: Turn[Table, Fact], taken: int, catalog: Catalog) -> Steps:
    """Grim Undermine: who was attacked and hurt rolls one die against the attacker (Fiery Rebuke; P10)."""
    if not may_rebuke(turn.state, taken, catalog):
        return
    combat = turn.state.engaged()
    who = combat.defender
    (answer,) = yield from turn.ask(asks.rebuke(turn.state, catalog))
    if isinstance(answer, Decline):
        turn.happen(Declined(fighter=who, power=PowerEffect.FIERY_REBUKE))
        return
    (faces,) = yield from turn.roll(dice.rebuke_roll(turn.state, who))
    (shown,) = dice.shown(turn.state, faces)
    hit = shown in (Resource.METAL, Resource.ALCHEMY)
    turn.happen(Rebuked(fighter=who, shown=shown, hit=hit))
    hurt(turn, combat.attacker, int(hit), Wound.REBUKE)
