"""Damage, and what falling to 0 health or below brings (Damage; Death and Dying)."""

from __future__ import annotations

from services.rules.engine.effects import on
from services.rules.systems.forge_engine.play.effects import (
    HELD,
    HOLDING,
    PRONE,
    bears,
    effect_id,
    in_stance,
    new_effect,
)
from services.rules.systems.forge_engine.play.facts import (
    Collapsed,
    EffectBegan,
    EffectChanged,
    EffectEnded,
    EnergyLost,
    Fainted,
    Hurt,
    Left,
    Stabilized,
)
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Gone, Life
from services.rules.systems.forge_engine.traits import Response

DAMAGE = "Damage / Taking Damage"


def taken(one: Combatant, damage: int, type_: str) -> int:
    """Damage as a combatant takes it: none, half rounded up, as it is, or double (H3, R-55).

    Resistance and vulnerability to one type cancel each other out.
    """
    responses = one.profile.response(type_)
    if Response.IMMUNE in responses:
        return 0
    resists, yields = Response.RESISTANT in responses, Response.VULNERABLE in responses
    if resists == yields:
        return damage
    return -(-damage // 2) if resists else 2 * damage


def suffered(fight: Fight, one: Combatant, damage: int, type_: str, halvings: int = 0) -> int:
    """Damage that a combatant would take: hastened, halved, resisted, shared with its summoner (R-54)."""
    found = _taken_in_all(fight, one, damage, type_, halvings)
    bound = next(iter(on(fight.effects, one.id, BOUND)), None)
    return found if bound is None or fight.get(bound.source) is None else found - found // 2


def _taken_in_all(fight: Fight, one: Combatant, damage: int, type_: str, halvings: int) -> int:
    """Damage hastened, then halved so often, rounded up each time, then resisted (R-54, R-55)."""
    found = damage + sum(min(damage, effect.amount) for effect in on(fight.effects, one.id, HASTENED))
    for _ in range(halvings):
        found = -(-found // 2)
    return taken(one, found, type_)


def hurt(
    turn: FightTurn,
    who: str,
    damage: int,
    type_: str,
    source: str = "",
    cause: str = "",
    *,
    halvings: int = 0,
    softer: int = 0,
) -> int:
    """Deals damage of a type to a combatant.

    Args:
        turn: The turn.
        who: The combatant.
        damage: Damage before anything lessens it.
        type_: Content id of the damage type.
        source: Who deals it.
        cause: Content id of the skill or spell that deals it; empty for none.
        halvings: How often it is halved once it is hastened (R-54).
        softer: What Hard To Kill takes off in the end (R-54).

    Returns:
        The damage that it took.
    """
    one = turn.state.find(who)
    if one.life is Life.DEAD:
        return 0
    found = _taken_in_all(turn.state, one, damage, type_, halvings)
    found -= _borne_by_summoner(turn, who, found, type_)
    found = max(0, found - softer)
    turn.happen(Hurt(who=who, damage=found, type=type_, source=source, cause=cause))
    after = turn.state.find(who)
    if after.health == 0 and one.health > 0 and not one.vehicle:
        turn.happen(Stabilized(who=who))
    if one.life is Life.UP and after.life is not Life.UP:
        fall(turn, who)
    return found


def _borne_by_summoner(turn: FightTurn, who: str, damage: int, type_: str) -> int:
    """Half of a bound creature's damage, rounded down, goes to its summoner, once for each die (R-81).

    Returns:
        What the summoner takes.
    """
    for effect in on(turn.state.effects, who, BOUND):
        half = damage // 2
        if turn.state.get(effect.source) is None or not damage:
            continue
        if effect.amount > 1:
            turn.happen(EffectChanged(effect=effect.id, bearer=who, amount=effect.amount - 1))
        else:
            turn.happen(EffectEnded(effect=effect.id, bearer=who, what=BOUND))
        if half:
            hurt(turn, effect.source, half, type_)
        return half
    return 0


def collapse(turn: FightTurn, who: str) -> None:
    """Lets a body give out: -1 health and dying, unless it is worse off already (R-101)."""
    before = turn.state.find(who).life
    turn.happen(Collapsed(who=who))
    if before is Life.UP:
        fall(turn, who)


def faint_spent(turn: FightTurn) -> None:
    """All who have expended all their energy fall unconscious, once an action is resolved (D6)."""
    for one in turn.state.combatants:
        if one.expended >= one.profile.energy and one.up:
            turn.happen(Fainted(who=one.id))
            fall(turn, one.id)


def fall(turn: FightTurn, who: str) -> None:
    """An unconscious combatant lies Prone, and lets go of its stance and of whom it holds (H4)."""
    if turn.state.find(who).vehicle:
        return
    let_go(turn, who)
    end_stance(turn, who)
    for effect in on(turn.state.effects, who, SUMMONED):
        turn.happen(EffectEnded(effect=effect.id, bearer=who, what=SUMMONED))
        turn.happen(Left(who=who, how=Gone.DISPELLED))
    if bears(turn.state, who, PRONE) is None:
        turn.happen(EffectBegan(effect=new_effect(turn.state, PRONE, who)))


ENRAGED, HASTENED, BOUND, SUMMONED = map(
    effect_id, ("enraged-attacker", "hasten-death", "life-bind", "summon-creature")
)
CALMED_DOWN = 2
"""Energy that rage expends when it ends."""


def end_stance(turn: FightTurn, who: str) -> str:
    """Ends a combatant's stance; rage expends energy, spent energy first (Enraged Attacker).

    Returns:
        What stance it was; empty without one.
    """
    stance = in_stance(turn.state, who)
    if stance is None:
        return ""
    turn.happen(EffectEnded(effect=stance.id, bearer=who, what=stance.kind))
    if stance.kind == ENRAGED:
        turn.happen(EnergyLost(who=who, expended=CALMED_DOWN, what="rage"))
    return stance.kind


def let_go(turn: FightTurn, holder: str) -> None:
    """A combatant lets go of whom it holds."""
    for effect in turn.state.effects:
        if effect.kind in HELD and effect.source == holder:
            turn.happen(EffectEnded(effect=effect.id, bearer=effect.bearer, what=effect.kind))
    for effect in on(turn.state.effects, holder, HOLDING):
        turn.happen(EffectEnded(effect=effect.id, bearer=holder, what=HOLDING))
