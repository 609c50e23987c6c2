"""Folds one fact into the fight: no dice, no choice, no failure."""

from __future__ import annotations

from typing import Any

from services.rules.engine import effects as lasting
from services.rules.engine.effects import TurnBegan as TurnStart
from services.rules.engine.effects import TurnEnded as TurnEnd
from services.rules.engine.frozen import replace
from services.rules.engine.ground.fog import cells_of
from services.rules.engine.plain import with_one
from services.rules.engine.turns import Rounds
from services.rules.systems.forge_engine.play.doors import with_secret_door
from services.rules.systems.forge_engine.play.effects import CARRIED, DRIVING, rules
from services.rules.systems.forge_engine.play.facts import (
    Acted,
    Armed,
    Attacked,
    Bled,
    BonusGained,
    Collapsed,
    Displaced,
    DoorFound,
    DoorSet,
    EffectBegan,
    EffectChanged,
    EffectEnded,
    EnergyLost,
    EnergyRegained,
    EnergyUsed,
    Fainted,
    FightBegan,
    FightFact,
    FogChanged,
    Healed,
    Hurt,
    InitiativeRolled,
    KnockedAway,
    Left,
    MinorDone,
    Moved,
    Neared,
    Noticed,
    OrderSet,
    Passed,
    Reacted,
    Reloaded,
    Reordered,
    Rested,
    Revealed,
    Revived,
    Rose,
    Sank,
    SceneEnded,
    ShieldRaised,
    SkillUsed,
    SpellCast,
    Stabilized,
    Stood,
    Struck,
    Summoned,
    Tested,
    TimePassed,
    TurnBegan,
)
from services.rules.systems.forge_engine.play.mounts import carried_by
from services.rules.systems.forge_engine.play.moves import MinorUse
from services.rules.systems.forge_engine.play.newcomer import newcomer
from services.rules.systems.forge_engine.play.secrecy import looked_around
from services.rules.systems.forge_engine.play.state import (
    Apart,
    BonusEnergy,
    Combatant,
    Fight,
    Life,
    Phase,
)
from services.rules.systems.forge_engine.profile import profile_of_adversary

ROUNDS_A_MINUTE = 10
"""Rounds of about 6 seconds in a minute."""


CARRIES_ALONG = (Moved, Displaced, Rose, Sank)
"""Facts after which whom a mount or vehicle carries is elsewhere too."""
SEEN_ANEW = (Moved, Displaced, KnockedAway, Left, Summoned, Revealed, DoorFound, DoorSet, FogChanged)
"""Facts after which the party sees what it did not see before."""


def evolve(fight: Fight, fact: FightFact) -> Fight:
    """The fight after a fact, with what the party sees then of a place under fog."""
    then = _after(fight, fact)
    if isinstance(fact, CARRIES_ALONG):
        then = _carried_along(then, fact.who)
    return looked_around(then) if then.explored is not None and isinstance(fact, SEEN_ANEW) else then


def _after(fight: Fight, fact: FightFact) -> Fight:
    """The fight after a fact; what happens most often stands first."""
    match fact:
        case Acted():
            return _acted(fight, fact.who)
        case TurnBegan():
            return _turned(fight, fact)
        case EnergyUsed():
            return _calmed(fight, fact) if fight.phase is Phase.CALM else _about_one(fight, fact)
        case Attacked() | Hurt() | EnergyRegained():
            return _about_one(fight, fact)
        case Struck() | Reacted() | Tested():
            return fight
        case FightBegan():
            begun = (replace(one, treated=False, once=(), bled=False) for one in fight.combatants)
            return replace(fight, phase=Phase.FIGHT, combatants=tuple(begun))
        case OrderSet():
            return replace(fight, rounds=Rounds(fact.order))
        case Reordered():
            return _reordered(fight, fact)
        case SceneEnded():
            return replace(fight, phase=Phase.OVER, ending=fact.text)
        case Summoned():
            return _summoned(fight, fact)
        case Neared():
            return _neared(fight, fact)
        case DoorFound():
            return with_secret_door(fight, fact.door)
        case DoorSet():
            ground = fight.ground
            return replace(fight, ground=None if ground is None else ground.with_door(fact.door, fact.state))
        case FogChanged() if fight.explored is not None and fight.ground is not None:
            cells = cells_of(fight.ground, fact.squares)
            return replace(fight, explored=fight.explored.changed(cells, known=fact.known))
        case EffectBegan():
            fight = replace(fight, effects=(*fight.effects, fact.effect))
            carried = fact.effect.kind in CARRIED and fact.effect.source
            return _carried_along(fight, fact.effect.source) if carried else fight
        case EffectEnded():
            return _ended(fight, fact)
        case EffectChanged():
            return replace(fight, effects=with_one(fight.effects, fact.effect, amount=fact.amount))
        case TimePassed():
            return replace(fight, combatants=tuple(_aged(one, fact.minutes) for one in fight.combatants))
        case Stood():
            fight = replace(fight, effects=tuple(one for one in fight.effects if one.id != fact.effect))
            return changed(fight, fact.who, moved=fight.find(fact.who).moved + 10)
    return _about_one(fight, fact)


def _about_one(fight: Fight, fact: FightFact) -> Fight:
    """The fight after a fact that changes one combatant, or nothing."""
    who = getattr(fact, "who", None)
    one = None if who is None else fight.get(who)
    return fight if one is None else changed(fight, one.id, **_changes(one, fact))


def changed(fight: Fight, who: str, **values: Any) -> Fight:
    """The fight with other values of a combatant."""
    return replace(fight, combatants=with_one(fight.combatants, who, **values)) if values else fight


def _ended(fight: Fight, fact: EffectEnded) -> Fight:
    """The fight without an effect; whom a mount or vehicle carried by it is on foot."""
    ended = next((one for one in fight.effects if one.id == fact.effect), None)
    fight = replace(fight, effects=tuple(one for one in fight.effects if one.id != fact.effect))
    on_foot = ended is not None and ended.kind in CARRIED and ended.source
    return changed(fight, fact.bearer, seat=0) if on_foot else fight


def _carried_along(fight: Fight, carrier: str) -> Fight:
    """The fight with all whom a mount or vehicle carries where that is, in a space as large."""
    for one in carried_by(fight, carrier):
        place = fight.find(carrier)
        fight = changed(fight, one.id, at=place.at, altitude=place.altitude, seat=place.size)
    return fight


def _summoned(fight: Fight, fact: Summoned) -> Fight:
    """The fight with a creature on its summoner's side, hidden where the summoner hides."""
    one, block = fight.find(fact.who), fight.catalog.adversaries[fact.adversary]
    creature = newcomer(fact.creature, fact.name, one.side, profile_of_adversary(block, fight.catalog))
    creature = replace(creature, at=fact.at, hidden=one.hidden)
    return replace(fight, combatants=(*fight.combatants, creature))


def _reordered(fight: Fight, fact: Reordered) -> Fight:
    """The order with a combatant at another place; whose turn began last stays so."""
    rounds = fight.rounds
    place = fact.order.index(rounds.whose) if rounds.whose in fact.order else rounds.place
    fight = replace(fight, rounds=replace(rounds, order=fact.order, place=place))
    return changed(fight, fact.who, initiative=fact.faces)


def _calmed(fight: Fight, fact: EnergyUsed) -> Fight:
    """Out of a fight energy comes back at once; what is expended does not."""
    one = fight.find(fact.who)
    expended = one.expended + fact.expended
    return changed(fight, one.id, expended=expended, energy=max(0, one.profile.energy - expended))


def _changes(one: Combatant, fact: FightFact) -> dict[str, Any]:
    """What a fact changes about the combatant that it is about; what happens most often stands first."""
    match fact:
        case EnergyUsed():
            return _used(one, fact.spent + fact.added, fact.expended)
        case Attacked():
            return _attacked(one, fact)
        case Hurt():
            return _hurt(one, fact)
        case Noticed():
            return {"surprised": fact.surprised}
        case InitiativeRolled():
            bonus = [BonusEnergy(fact.bonus)] if fact.bonus else []
            return {"initiative": fact.faces, "energy": fact.energy, "bonus": tuple(bonus)}
        case EnergyRegained():
            more = (BonusEnergy(fact.bonus),) if fact.bonus else ()
            return {"energy": fact.pool, "bonus": (*one.bonus, *more)}
        case Passed():
            return {"passed": True, "resting": fact.rest}
        case Revealed():
            return {"hidden": False}
        case EnergyLost():
            return _lost(one, fact.expended)
        case BonusGained():
            return {"bonus": (*one.bonus, BonusEnergy(fact.amount, fact.lasts))}
        case SkillUsed():
            return {"once": (*one.once, fact.skill)} if fact.once else {"uses": (*one.uses, fact.skill)}
        case Moved():
            at = {} if fact.to is None else {"at": fact.to}
            return {**at, "moved": one.moved + fact.feet, "ran": one.ran + fact.ran, "running": fact.run}
        case Rose():
            return {"altitude": one.altitude + fact.feet, "aloft": True, "falls": 0, "running": False}
        case Sank():
            altitude = max(0, one.altitude - fact.feet)
            return {"altitude": altitude, "falls": one.falls + 1 if altitude else 0}
        case Displaced():
            return {"at": fact.to}
        case MinorDone():
            return _minor(one, fact)
        case Reloaded():
            spare, before = one.spare(fact.weapon), one.shots(fact.weapon) or 0
            spare = None if spare is None else max(0, spare + before - fact.shots)
            return {"loads": one.loaded_with(fact.weapon, fact.shots, spare)}
        case Armed():
            return {"armed": (*one.armed, fact.weapon)}
        case Left():
            return {"gone": fact.how}
        case KnockedAway():
            return {"held": tuple(item for item in one.held if item != fact.item)}
        case SpellCast():
            return {"running": False}
        case ShieldRaised():
            return {"shielded": True}
        case _:
            return _health(one, fact)


def _health(one: Combatant, fact: FightFact) -> dict[str, Any]:
    """What a fact changes about a combatant's health."""
    match fact:
        case Bled():
            return _below(one, one.health - 1, stable=False)
        case Collapsed():
            return _below(one, min(one.health, -1), stable=False)
        case Fainted():
            return {"fainted": True}
        case Stabilized():
            return {"stable": True, "stable_rounds": 0}
        case Healed():
            health = min(one.profile.health, one.health + fact.amount)
            return {"health": health, "treated": one.treated or fact.physical}
        case Revived():
            return {"dead": False, "health": one.health + 1, "stable": False, "dead_minutes": 0}
        case Rested():
            health = min(one.profile.health, one.health + fact.health)
            expended = max(0, one.expended - fact.energy)
            rested = {"expended": expended, "fainted": one.fainted and expended >= one.profile.energy}
            return {"health": health, "energy": one.profile.energy - expended, **rested}
    return {}


def _hurt(one: Combatant, fact: Hurt) -> dict[str, Any]:
    if not fact.damage:
        return {}
    wounded = fact.source not in ("", one.id)
    return {**_below(one, one.health - fact.damage, stable=False), "bled": one.bled or wounded}


def _below(one: Combatant, health: int, *, stable: bool) -> dict[str, Any]:
    """Health that fell: dead at the maximum below 0, and never further (R-57); vehicles are wrecked at 0."""
    least = 0 if one.vehicle else -one.profile.health
    return {"health": max(health, least), "dead": health <= least, "stable": stable}


def _used(one: Combatant, used: int, expended: int) -> dict[str, Any]:
    """Energy that leaves the pool, bonus energy first; what is expended is ordinary energy (D4)."""
    bonus: list[BonusEnergy] = []
    for each in one.bonus:
        taken = min(each.amount, used)
        used -= taken
        if each.amount > taken:
            bonus.append(replace(each, amount=each.amount - taken))
    return {
        "energy": max(0, one.energy - used - expended),
        "expended": one.expended + expended,
        "bonus": tuple(bonus),
        "running": False,
    }


def _lost(one: Combatant, expended: int) -> dict[str, Any]:
    """Energy that is expended against one's will: spent energy counts first (R-110)."""
    total = min(one.profile.energy, one.expended + expended)
    return {"expended": total, "energy": min(one.energy, one.profile.energy - total)}


def _minor(one: Combatant, fact: MinorDone) -> dict[str, Any]:
    values: dict[str, Any] = {"minors": one.minors + 1, "running": False}
    match fact.use:
        case MinorUse.DRAW | MinorUse.PICK_UP if fact.item:
            values["held"] = (*one.held, fact.item)
        case MinorUse.DROP | MinorUse.SLING | MinorUse.SHEATHE:
            values["held"] = tuple(item for item in one.held if item != fact.item)
            values["shielded"] = one.shielded and one.shield() is not None
    return values


def _attacked(one: Combatant, fact: Attacked) -> dict[str, Any]:
    values: dict[str, Any] = {"running": False}
    shots = one.shots(fact.weapon)
    if shots is not None and fact.shots:
        left, spare = max(0, shots - fact.shots), one.spare(fact.weapon)
        values["loads"] = one.loaded_with(fact.weapon, left, spare)
    if fact.thrown:
        values["thrown"] = (*one.thrown, fact.weapon)
        values["armed"] = tuple(item for item in one.armed if item != fact.weapon)
        values["held"] = tuple(item for item in one.held if item != fact.weapon)
    return values


def _turned(fight: Fight, fact: TurnBegan) -> Fight:
    """The fight in a combatant's next turn: its last one ends, and what is counted by turns begins anew."""
    one = fight.find(fact.who)
    place = fight.rounds.order.index(fact.who)
    moments = (TurnEnd(one.id), TurnStart(one.id)) if one.started else (TurnStart(one.id),)
    effects = lasting.going_on(fight.effects, rules(fight.catalog), *moments)
    combatants = fight.combatants
    for driving in lasting.on(fight.effects, one.id, DRIVING):
        # A vehicle has no turns: it may go on as its driver's begin.
        combatants = with_one(combatants, driving.source, moved=0)
    minute, rest = divmod(one.stable_rounds + 1, ROUNDS_A_MINUTE)
    dead = one.life is Life.DEAD
    combatants = with_one(
        combatants,
        one.id,
        bonus=_bonus_left(one),
        started=True,
        passed=False,
        resting=False,
        moved=0,
        ran=0,
        aloft=False,
        minors=0,
        uses=(),
        shielded=False,
        stable_rounds=rest if one.life is not Life.UP else 0,
        dead_minutes=one.dead_minutes + (minute if dead else 0),
    )
    rounds = replace(fight.rounds, place=place, round=fact.round)
    return replace(fight, rounds=rounds, effects=effects, combatants=combatants)


def _bonus_left(one: Combatant) -> tuple[BonusEnergy, ...]:
    """Bonus energy that outlasts the end of a turn."""
    if not one.started or not one.bonus:
        return one.bonus
    end = TurnEnd(one.id)
    left = (each for each in one.bonus if not lasting.over(each.lasts, end))
    return tuple(replace(each, lasts=lasting.counted_down(each.lasts, end)) for each in left)


def _acted(fight: Fight, who: str) -> Fight:
    """Who stands higher in the order may act first again, unless it passed for the rest of its turn (E4)."""
    if not any(one.passed or one.resting for one in fight.combatants):
        return fight
    order = fight.rounds.order
    place = order.index(who) if who in order else 0
    higher = set(order[:place])
    combatants = tuple(
        replace(one, passed=False, resting=False)
        if one.id == who
        else replace(one, passed=one.resting)
        if one.passed != one.resting and one.id in higher
        else one
        for one in fight.combatants
    )
    return replace(fight, combatants=combatants)


def _neared(fight: Fight, fact: Neared) -> Fight:
    pair = {fact.one, fact.other}
    others = tuple(each for each in fight.apart if {each.one, each.other} != pair)
    return replace(fight, apart=(*others, Apart(fact.one, fact.other, fact.feet)))


def _aged(one: Combatant, minutes: int) -> Combatant:
    return replace(one, dead_minutes=one.dead_minutes + minutes) if one.life is Life.DEAD else one
