"""Defaults of a defender: Dodge, and the shield (Reactions / Dodge; Shield Training)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.buttons import button, number_field
from services.rules.engine.explain import Part as Dice
from services.rules.engine.play import LegalMove
from services.rules.systems.forge_engine.play.facts import Reacted, ShieldRaised
from services.rules.systems.forge_engine.play.moves import Dodge, RaiseShield
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, affords, cost_of, pay
from services.rules.systems.forge_engine.play.rules.reactions import ReactionRule, Role
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import Declared, Strike, defense_of
from services.rules.systems.forge_engine.pools.attack_given import DefenseKind

DODGE, SHIELD = "Dodge", "Shield Training [R-73]"
DODGE_RULE = "Reactions / Dodge [R-112]"


def _did(strike: Strike, who: str, what: str) -> bool:
    return any(target == who and part.source == what for target, part in strike.defense_parts)


def dodge_offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
    """Energy up to Agility, once against each attack on PD by an attacker who is perceived (R-112)."""
    strike = window.strike
    most = most_added(fight, one, one.profile.attributes.agility)
    if defense_of(strike) is not DefenseKind.PD or _did(strike, one.id, DODGE) or most < 1:
        return
    field = number_field("added", "How much energy?", 1, most)
    move = Dodge(actor=one.id, added=1)
    text = f"Add up to {most} energy to PD, a die each."
    yield replace(button(move, "dodge", "Dodge", text, DODGE_RULE, field), cost=_extra(fight, one))


def _extra(fight: Fight, one: Combatant) -> str:
    more = cost_of(fight, one).value
    return f"the energy added, and {more}" if more else "the energy added"


def most_added(fight: Fight, one: Combatant, attribute: int, *parts: Dice) -> int:
    """The most energy that can be added to a pool, once an action with a cost is paid for."""
    return min(attribute, one.usable - cost_of(fight, one, *parts).value)


def dodge(turn: FightTurn, window: Declared, move: Dodge) -> Declared:
    """Dodge: the energy added, up to Agility, as dice of PD."""
    one = turn.state.find(move.actor)
    added = min(move.added, most_added(turn.state, one, one.profile.attributes.agility))
    pay(turn, one.id, DODGE, cost_of(turn.state, one, Dice(added, DODGE, DODGE_RULE)), added=added)
    turn.happen(Reacted(who=one.id, how=DODGE, dice=added))
    return Declared(window.strike.defending(one.id, Dice(added, DODGE, DODGE_RULE)))


def shield_offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
    """Pay for the shield that is held, once until the next own turn (R-73)."""
    shield = one.shield()
    if shield is None or one.shielded or defense_of(window.strike) is not DefenseKind.PD:
        return
    cost = cost_of(fight, one, Dice(shield.cost, shield.name, SHIELD))
    if affords(one, cost.value):
        text = f"{shield.rating} dice of PD, against every attack until your next turn."
        move = RaiseShield(actor=one.id)
        yield replace(
            button(move, "shield", f"Raise {shield.name}", text, SHIELD), cost=f"{cost.value} energy"
        )


def raise_shield(turn: FightTurn, window: Declared, move: RaiseShield) -> Declared:
    """The shield is paid for, and adds its rating."""
    one = turn.state.find(move.actor)
    shield = one.shield()
    assert shield is not None
    pay(turn, one.id, shield.name, cost_of(turn.state, one, Dice(shield.cost, shield.name, SHIELD)))
    turn.happen(ShieldRaised(who=one.id, name=shield.name))
    return Declared(window.strike.defending(one.id, Dice(shield.rating, shield.name, SHIELD)))


def standing_shields(fight: Fight, strike: Strike) -> Strike:
    """The attack with the shields that were paid for against an earlier one (R-73)."""
    for target in strike.targets:
        one = fight.find(target)
        shield = one.shield()
        if shield is not None and one.shielded and defense_of(strike) is DefenseKind.PD:
            strike = strike.defending(target, Dice(shield.rating, shield.name, SHIELD))
    return strike


DEFENSES = (
    ReactionRule(window=Declared, role=Role.DEFENDER, answer=Dodge, offers=dodge_offers, react=dodge),
    ReactionRule(
        window=Declared, role=Role.DEFENDER, answer=RaiseShield, offers=shield_offers, react=raise_shield
    ),
)
"""What every defender may do."""
