"""Minor actions, reloading and arming; the first minor action of a turn is free (R-11, R-26)."""

from __future__ import annotations

from services.rules.engine.content import content_id
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import EVERYONE
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.play.effects import (
    HELD,
    PRONE,
    bears,
    effect_id,
    hands_used,
    in_stance,
    new_effect,
)
from services.rules.systems.forge_engine.play.facts import (
    Armed,
    EffectBegan,
    MinorDone,
    Reloaded,
    SkillUsed,
)
from services.rules.systems.forge_engine.play.moves import Arm, Minor, MinorUse, Reload
from services.rules.systems.forge_engine.play.rules.checks import actor_of, check_free, check_turn
from services.rules.systems.forge_engine.play.rules.damage import end_stance, let_go
from services.rules.systems.forge_engine.play.rules.doors import check_door, use_door, who_knows_door
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, check_energy, cost_of, pay
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.wares import arming_energy, reload_energy, reload_ways

MINOR = "General Actions / Minor Action [R-11]"
RELOADS = "Equipment / Reload [R-26]"
STANCE_SLUGS = ("offensive-stance", "defensive-stance", "bodyguards-stance", "enraged-attacker")
STANCES = {content_id(SLUG, "martial", slug): effect_id(slug) for slug in STANCE_SLUGS}
"""Martial skills that are stances, and the effects that they are."""


def minor_cost(fight: Fight, one: Combatant) -> Explained:
    """Energy of the next minor action of a turn."""
    return cost_of(fight, one, Part(1 if one.minors else 0, "a further minor action", MINOR))


def minor(turn: FightTurn, move: Minor) -> Steps:
    """A minor action."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    name = _check_use(fight, one, move)
    cost = minor_cost(fight, one)
    check_energy(one, cost.value)
    pay(turn, one.id, "a minor action", cost)
    known = who_knows_door(fight, move.item) if move.use is MinorUse.DOOR else EVERYONE
    turn.happen(MinorDone(who=one.id, use=move.use, item=move.item, name=name, audience=known))
    match move.use:
        case MinorUse.PRONE:
            turn.happen(EffectBegan(effect=new_effect(turn.state, PRONE, one.id)))
        case MinorUse.RELEASE:
            let_go(turn, one.id)
        case MinorUse.STANCE:
            _take_stance(turn, one.id, move.item)
        case MinorUse.DROP | MinorUse.SLING | MinorUse.SHEATHE | MinorUse.DRAW | MinorUse.PICK_UP:
            pass
        case MinorUse.DOOR if fight.ground is not None:
            use_door(turn, one, move.item)
        case MinorUse.ITEM | MinorUse.DOOR:
            pass
    yield from ()


def _check_use(fight: Fight, one: Combatant, move: Minor) -> str:
    """Refuses what cannot be done so; returns what the item is called."""
    match move.use:
        case MinorUse.DROP | MinorUse.SLING | MinorUse.SHEATHE:
            if move.item not in one.held:
                refuse("not_held", "That is not in hand.", MINOR, ("item",), move.item, one.held)
            return item_name(one, move.item)
        case MinorUse.DRAW | MinorUse.PICK_UP:
            return _check_draw(fight, one, move.item)
        case MinorUse.PRONE:
            if bears(fight, one.id, PRONE) is not None:
                refuse("lies_already", f"{one.name} lies down already.", MINOR, ("use",))
        case MinorUse.RELEASE:
            if not any(each.kind in HELD and each.source == one.id for each in fight.effects):
                refuse("holds_nobody", f"{one.name} holds no one.", MINOR, ("use",))
        case MinorUse.STANCE:
            known = tuple(skill for skill in STANCES if one.profile.rating(skill))
            if move.item not in known:
                refuse("skill_unknown", "That is not a stance of theirs.", MINOR, ("item",), move.item, known)
            return fight.catalog.martial[move.item].name
        case MinorUse.DOOR if fight.ground is not None:
            return check_door(fight, one, move.item)
        case MinorUse.ITEM | MinorUse.DOOR:
            return move.item[:80]
    return ""


def _check_draw(fight: Fight, one: Combatant, item: str) -> str:
    weapon = one.weapon(item)
    shield = next((each for each in one.profile.shields if each.item == item), None)
    if (weapon is None and shield is None) or item in one.held:
        refuse("nothing_to_draw", "There is nothing of it to draw.", MINOR, ("item",), item)
    if weapon is not None and (weapon.natural or one.left(weapon) < 1):
        refuse("nothing_to_draw", "There is nothing of it to draw.", MINOR, ("item",), item)
    hands = 1 if weapon is None else weapon.hands
    free = one.profile.hands - hands_used(fight, one)
    if hands > free:
        refuse("hands_full", "Too few hands are free.", "Carrying Equipment", ("item",), hands, free)
    return item_name(one, item)


def item_name(one: Combatant, item: str) -> str:
    """What a weapon or shield is called."""
    weapon = one.weapon(item)
    if weapon is not None:
        return weapon.name
    return next((each.name for each in one.profile.shields if each.item == item), item)


def _take_stance(turn: FightTurn, who: str, skill: str) -> None:
    """Begins a stance, or ends it where it is the one that is taken."""
    one = turn.state.find(who)
    if end_stance(turn, who) != STANCES[skill]:
        effect = new_effect(turn.state, STANCES[skill], who, amount=one.profile.rating(skill))
        turn.happen(EffectBegan(effect=effect))


# Reloading and arming


def reload(turn: FightTurn, move: Reload) -> Steps:
    """Makes a weapon ready again; a reload that costs 1 is a minor action."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    weapon = one.weapon(move.weapon)
    if weapon is None or one.shots(move.weapon) is None or not one.ready(weapon):
        refuse(
            "weapon_not_ready",
            "There is no such weapon in hand to reload.",
            RELOADS,
            ("weapon",),
            move.weapon,
        )
    cost = reload_cost(fight, one, weapon, move.way)
    if cost is None:
        refuse(
            "reload_unknown",
            "It is not reloaded so.",
            RELOADS,
            ("way",),
            move.way,
            ways_of(turn.state.catalog, weapon),
        )
    most, shots = weapon.holds or 1, one.shots(weapon.id) or 0
    if shots >= most:
        refuse("loaded_already", f"{weapon.name} is loaded.", RELOADS, ("weapon",), shots, most)
    spare = one.spare(weapon.id)
    if spare == 0:
        text = f"There is no ammunition left for {weapon.name}."
        refuse("no_ammunition", text, RELOADS, ("weapon",), move.weapon)
    check_energy(one, cost.value)
    pay(turn, one.id, f"reloading {weapon.name}", cost)
    single = next(
        way.single
        for way in reload_ways(turn.state.catalog, turn.state.catalog.equipment[weapon.item])
        if way.name == move.way
    )
    if quickened(fight, one, weapon, move.way):
        turn.happen(SkillUsed(who=one.id, skill=QUICK_LOAD))
    after = min(shots + 1 if single else most, most if spare is None else shots + spare)
    turn.happen(Reloaded(who=one.id, weapon=weapon.id, name=weapon.name, shots=after))
    yield from ()


def ways_of(catalog: Catalog, weapon: Weapon) -> tuple[str, ...]:
    """The names of the ways of reloading a weapon."""
    item = catalog.equipment.get(weapon.item)
    return () if item is None else tuple(way.name for way in reload_ways(catalog, item))


def reload_cost(fight: Fight, one: Combatant, weapon: Weapon, way: str) -> Explained | None:
    """Energy of a way of reloading; None where the weapon is not reloaded so, or not with these hands."""
    return _reload_cost(fight, one, weapon, way, _quick_load(fight, one))


def _reload_cost(fight: Fight, one: Combatant, weapon: Weapon, way: str, quick_load: int) -> Explained | None:
    """Energy of a way of reloading, with so many reloads that Quick Load still makes cheaper."""
    item = fight.catalog.equipment.get(weapon.item)
    found = (
        None
        if item is None
        else next((each for each in reload_ways(fight.catalog, item) if each.name == way), None)
    )
    if item is None or found is None:
        return None
    spare = one.profile.hands - hands_used(fight, one) + weapon.hands
    energy = reload_energy(item, found, hands=min(2, max(1, spare)), quick_load=quick_load)
    if isinstance(energy, Problems):
        return None
    if energy.value == 1 and not one.minors:
        energy = energy.plus(-1, "the first minor action", MINOR)
    return cost_of(fight, one, *energy.parts)


def quickened(fight: Fight, one: Combatant, weapon: Weapon, way: str) -> bool:
    """Whether Quick Load makes a reload cheaper."""
    quick_load = _quick_load(fight, one)
    if not quick_load:
        return False
    dear = _reload_cost(fight, one, weapon, way, 0)
    cheap = _reload_cost(fight, one, weapon, way, quick_load)
    return dear is not None and cheap is not None and cheap.value < dear.value


QUICK_LOAD = content_id(SLUG, "martial", "quick-load")


def _quick_load(fight: Fight, one: Combatant) -> int:
    """Reloads that Quick Load still makes cheaper this turn; none in a stance, in which skills rest."""
    if in_stance(fight, one.id) is not None:
        return 0
    return max(0, one.profile.rating(QUICK_LOAD) - one.uses.count(QUICK_LOAD))


def arm(turn: FightTurn, move: Arm) -> Steps:
    """Lights a fuze or pulls a pin (R-86)."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    weapon = one.weapon(move.weapon)
    item = None if weapon is None else turn.state.catalog.equipment.get(weapon.item)
    energy = None if item is None else arming_energy(turn.state.catalog, item)
    if weapon is None or energy is None or not one.ready(weapon) or weapon.id in one.armed:
        refuse("nothing_to_arm", "There is nothing in hand to set off.", "R-86", ("weapon",), move.weapon)
    cost = cost_of(fight, one, Part(energy, f"arming {weapon.name}", "R-86"))
    check_energy(one, cost.value)
    pay(turn, one.id, f"arming {weapon.name}", cost)
    turn.happen(Armed(who=one.id, weapon=weapon.id, name=weapon.name))
    yield from ()
