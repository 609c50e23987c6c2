"""Attacks: declare, roll, determine hits and damage, each with its reactions (Resolving Attacks; E7)."""

from __future__ import annotations

from services.rules.engine.explain import Explained
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import Roll
from services.rules.engine.steps import Step, Steps, refuse
from services.rules.systems.forge_engine.conditions import attack_successes, halvings
from services.rules.systems.forge_engine.equipment import Equipment, EquipmentKind, FireOption
from services.rules.systems.forge_engine.play.arms import blast_feet, fire_of, reach_feet
from services.rules.systems.forge_engine.play.effects import (
    conditions_of,
    hands_do,
)
from services.rules.systems.forge_engine.play.facts import (
    Attacked,
    Burst,
    Faltered,
    Revealed,
    SpellCast,
    Struck,
)
from services.rules.systems.forge_engine.play.ground import apart, apart_from, covered, in_arc, within
from services.rules.systems.forge_engine.play.moves import Attack
from services.rules.systems.forge_engine.play.rules.bonuses import with_bonuses
from services.rules.systems.forge_engine.play.rules.checks import (
    actor_of,
    check_fight,
    check_free,
    check_turn,
    known_target,
)
from services.rules.systems.forge_engine.play.rules.damage import hurt
from services.rules.systems.forge_engine.play.rules.defense import standing_shields
from services.rules.systems.forge_engine.play.rules.dice import pool, read_pool
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, check_energy, pay
from services.rules.systems.forge_engine.play.rules.manners import (
    check_manner,
    manner_dice,
    parts_of,
    split,
)
from services.rules.systems.forge_engine.play.rules.outcomes import impose, instead, power_of
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import (
    Declared,
    Harmed,
    Harming,
    Hits,
    Resolved,
    Rolled,
    Strike,
    action_dice,
    attack_given,
    attribute_of,
    defense_dice,
    energy_of,
    spell_of,
    weapon_of,
)
from services.rules.systems.forge_engine.pools.attack_given import Cover
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.skills import SpellDamage
from services.rules.systems.forge_engine.wares import fire_options, laid, lays, supports

ATTACKS = "Attack Actions"
RANGES = "Equipment / Ranges"


def attack(turn: FightTurn, move: Attack) -> Steps:
    """An attack as an action."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_fight(fight)
    check_turn(fight, one)
    check_free(fight, one)
    weapon = usable_weapon(fight, one, move.weapon)
    _check_way(turn.state, one, weapon, move)
    strike = planned(fight, one, weapon, move)
    check_strike(fight, strike, move.at)
    check_manner(fight, strike)
    if move.others:
        strike = split(fight, strike, move.others)
    strike = strike.attacking(*manner_dice(fight, strike))
    yield from strike_through(turn, strike, move)


# What is refused


def usable_weapon(fight: Fight, one: Combatant, name: str) -> Weapon:
    """A weapon that is ready, with the hands that it takes; refused where it is not (K2)."""
    weapon = one.weapon(name)
    if weapon is not None and not hands_do(fight, one, weapon):
        refuse("hands_full", "One hand holds on to a foe.", ATTACKS, ("weapon",), name)
    ready = tuple(each.id for each in one.profile.weapons if one.ready(each))
    if weapon is None or not one.ready(weapon):
        refuse("weapon_not_ready", "That weapon is not in hand.", ATTACKS, ("weapon",), name, ready)
    return weapon


def _check_way(fight: Fight, one: Combatant, weapon: Weapon, move: Attack) -> None:
    """Refuses ways of firing, supports and squares that a weapon has not."""
    item = fight.catalog.equipment.get(weapon.item)
    option = fire_of(fight.catalog, weapon, move.fire)
    if move.fire and (option is None or option.name != move.fire):
        fires = () if item is None else tuple(each.name for each in fire_options(fight.catalog, item))
        refuse("fire_unknown", "The weapon has no such way of firing.", RANGES, ("fire",), move.fire, fires)
    if move.supports:
        _check_supports(fight, item, option, move.supports)
    if move.at is not None and blast_feet(fight.catalog, weapon) is None:
        refuse("no_blast", "Only what bursts is thrown at a square.", ATTACKS, ("at",))
    shots = one.shots(weapon.id)
    if shots is not None and shots < (1 if option is None else option.uses):
        refuse("not_loaded", f"{weapon.name} must be reloaded first.", RANGES, ("weapon",), shots)
    if (
        item is not None
        and item.arming is not None
        and item.arming.value != "IT"
        and weapon.id not in one.armed
    ):
        refuse("not_armed", f"{weapon.name} must be lit or its pin pulled first.", "R-86", ("weapon",))


def _check_supports(
    fight: Fight, item: Equipment | None, option: FireOption | None, named: tuple[str, ...]
) -> None:
    """Refuses supports that a weapon has not, fired so, or that are named twice."""
    mode = None if option is None else option.mode
    known = () if item is None else tuple(each.name for each in supports(fight.catalog, item, mode))
    if not set(named) <= set(known) or len(set(named)) < len(named):
        text = "This steadies or sights no such shot."
        refuse("support_unknown", text, RANGES, ("supports",), named, known)


def planned(fight: Fight, one: Combatant, weapon: Weapon, move: Attack) -> Strike:
    """The attack that a move means: its targets, and whether it falls on an area."""
    option, blast = fire_of(fight.catalog, weapon, move.fire), blast_feet(fight.catalog, weapon)
    area = blast is not None or bool(option is not None and option.arc)
    thrown = None
    if move.at is not None and blast is not None:
        found = tuple(each.id for each in within(fight, move.at, blast))
        thrown = apart_from(fight, one, move.at)
    else:
        target = known_target(fight, one, move.target)
        found = _caught(fight, one, target, weapon, blast, arc=bool(option is not None and option.arc))
        thrown = apart(fight, one, target) if blast is not None else None
    return Strike(
        id=f"attack-{one.id}",
        attacker=one.id,
        weapon=weapon.id,
        targets=found,
        added=move.added,
        fire=move.fire if option is None else option.name,
        supports=move.supports,
        area=area,
        thrown=thrown,
        manner=move.manner,
    )


def _caught(
    fight: Fight, one: Combatant, target: Combatant, weapon: Weapon, blast: int | None, *, arc: bool
) -> tuple[str, ...]:
    """The targets of an attack: one, all in an arc, or all around the one that a bomb is thrown at."""
    if blast is not None and target.at is not None:
        others = (each.id for each in within(fight, target.at, blast) if each.id != target.id)
        return (target.id, *others)
    if blast is not None:
        beside = (each.id for each in fight.combatants if each.id != target.id and each.gone is None)
        return (target.id, *(each for each in beside if apart(fight, fight.find(each), target) <= blast))
    if arc:
        return tuple(each.id for each in in_arc(fight, one, target, reach_feet(fight, one, weapon)))
    return (target.id,)


def check_strike(fight: Fight, strike: Strike, at: Square | None = None) -> Explained:
    """Refuses an attack that does not reach its target, or its square, or cannot be paid for.

    Returns:
        Energy that it takes in all.
    """
    one = fight.find(strike.attacker)
    weapon = weapon_of(fight, strike)
    most = attribute_of(fight, strike)
    if not 0 <= strike.added <= most:
        text = "No more energy is added than the attribute's rating."
        refuse("added_above_attribute", text, ATTACKS, ("added",), strike.added, (0, most))
    if weapon is not None:
        _check_range(fight, one, weapon, strike, at)
    energy, expended = energy_of(fight, strike)
    check_energy(one, energy.value - expended, expended)
    return energy


def _check_range(fight: Fight, one: Combatant, weapon: Weapon, strike: Strike, at: Square | None) -> None:
    """Refuses what is too far, or behind total cover where that counts."""
    far = reach_feet(fight, one, weapon, strike.supports)
    if at is not None:
        feet = apart_from(fight, one, at)
    elif strike.targets:
        feet = apart(fight, one, fight.find(strike.targets[0]))
    else:
        return
    if feet > far:
        path = "target" if at is None else "at"
        refuse("out_of_range", f"{weapon.name} does not reach so far.", RANGES, (path,), feet, far)
    if at is None and blast_feet(fight.catalog, weapon) is None:
        first = fight.find(strike.targets[0])
        if covered(fight, one, first) is Cover.TOTAL:
            text = "Behind total cover only an area attack finds its target."
            refuse("covered", text, "Externalities / Cover", ("target",), first.id)


# What happens


def strike_through(turn: FightTurn, strike: Strike, move: Attack | None = None) -> Step[bool]:
    """An attack from its declaration to the last reaction, as an action or inside another.

    Returns:
        Whether its dice were rolled: it comes to nothing where a reaction ends it.
    """
    strike = with_bonuses(turn.state, standing_shields(turn.state, strike))
    declare(turn, strike, move)
    declared = yield from turn.window(Declared(strike))
    strike = declared.strike
    one = turn.state.find(strike.attacker)
    if not one.up or declared.failed:
        turn.happen(Faltered(who=strike.attacker))
        return False
    defenses: list[tuple[str, tuple[int, ...]]] = []
    for part in parts_of(turn.state, strike):
        rolled = yield from _rolled(turn, part)
        for target, faces in rolled.defenses:
            yield from _resolved(turn, rolled, target, faces)
        defenses += rolled.defenses
    yield from turn.window(Resolved(strike, tuple(defenses)))
    return True


def declare(turn: FightTurn, strike: Strike, move: Attack | None = None) -> None:
    """Steps out of hiding, announces the attack, and pays for it."""
    fight = turn.state
    one = fight.find(strike.attacker)
    if one.hidden:
        turn.happen(Revealed(who=one.id, name=one.name))
    # An area may catch who hides; who sees the attack does not learn of them.
    open_ones = tuple(each for each in strike.targets if not turn.state.find(each).secret)
    weapon, spell = weapon_of(fight, strike), spell_of(turn.state, strike)
    energy, expended = energy_of(fight, strike)
    if weapon is not None:
        option = fire_of(turn.state.catalog, weapon, strike.fire)
        counted = one.shots(weapon.id) is not None
        turn.happen(
            Attacked(
                who=one.id,
                targets=open_ones,
                weapon=weapon.id,
                name=weapon.name if option is None else f"{weapon.name}, {option.name.lower()}",
                shots=_shots(strike, option) if counted else 0,
                thrown=weapon.kind in (EquipmentKind.THROWN, EquipmentKind.EXPLOSIVE) and bool(weapon.item),
            )
        )
    elif spell is not None:
        turn.happen(SpellCast(who=one.id, targets=open_ones, spell=spell.id, name=spell.name))
    else:
        named = turn.state.catalog.martial[strike.skill].name
        turn.happen(Attacked(who=one.id, targets=open_ones, weapon="", name=named))
    what = attack_name(fight, strike)
    added = min(strike.added, attribute_of(fight, strike))
    spent = energy.plus(-expended, "expended", ATTACKS) if expended else energy
    power = power_of(fight, strike)
    pay(turn, one.id, what, spent, added=added, expended=expended, power=power)
    if weapon is not None and (feet := blast_feet(turn.state.catalog, weapon)) is not None:
        at = move.at if move is not None else None
        turn.happen(Burst(name=weapon.name, at=at, feet=feet))


def _shots(strike: Strike, option: FireOption | None) -> int:
    """Shots that an attack takes: those of the way of firing, or one for each pool."""
    if option is not None:
        return option.uses
    return 1 if strike.area else max(1, len(strike.targets))


def attack_name(fight: Fight, strike: Strike) -> str:
    """What an attack is called."""
    weapon, spell = weapon_of(fight, strike), spell_of(fight, strike)
    if weapon is not None:
        return weapon.name
    return spell.name if spell is not None else fight.catalog.martial[strike.skill].name


def _rolled(turn: FightTurn, strike: Strike) -> Step[Rolled]:
    """The dice of both sides fall together, and may be added to."""
    fight = turn.state
    one = fight.find(strike.attacker)
    rolls: list[Roll] = []
    given = attack_given(fight, strike)
    for target in strike.targets:
        defense = defense_dice(fight, strike, target, given)
        if not rolls:
            action = action_dice(fight, strike, target, given)
            odds = f"forge_engine:opposed({action.value}, {defense.value})"
            rolls.append(pool(turn, "attack", one.id, "Attack", action, odds))
        if not strike.standing:
            rolls.append(pool(turn, "defense", target, "Defense", defense))
    faces = yield from turn.roll(*rolls)
    fallen = (strike.standing,) if strike.standing else faces[1:]
    defenses = tuple(zip(strike.targets, fallen, strict=True)) if faces else ()
    return (yield from turn.window(Rolled(strike, faces[0] if faces else (), defenses)))


def _resolved(turn: FightTurn, rolled: Rolled, target: str, faces: tuple[int, ...]) -> Steps:
    """Successes on one target, and the harm they do."""
    strike = rolled.strike
    reading = read_pool(turn, rolled.action, faces)
    hits = yield from turn.window(Hits(strike, target, reading.successes))
    turn.happen(
        Struck(
            who=strike.attacker,
            target=target,
            successes=hits.successes,
            critical=reading.critical_failure,
        )
    )
    damage = yield from harm(turn, hits)
    yield from turn.window(Harmed(strike, target, damage))


def harm(turn: FightTurn, hits: Hits) -> Step[int]:
    """What successes do to a target: damage, or what a skill, spell or weapon does in its place.

    Returns:
        The damage that it took.
    """
    strike, target = hits.strike, hits.target
    weapon, spell = weapon_of(turn.state, strike), spell_of(turn.state, strike)
    if not hits.successes:
        return 0
    item = None if weapon is None else turn.state.catalog.equipment.get(weapon.item)
    if item is not None and lays(item) and not strike.manner:
        impose(turn, target, laid(item, hits.successes), strike.attacker, power_of(turn.state, strike))
        return 0
    if instead(turn, hits):
        return 0
    half = spell is not None and spell.damage is SpellDamage.HALF
    borne = conditions_of(turn.state, strike.attacker)
    found, often = attack_successes(hits.successes, borne), halvings(borne, half=half)
    type_ = weapon.damage if weapon is not None else "" if spell is None else spell.damage_type or ""
    harming = yield from turn.window(Harming(strike, target, found, type_, often))
    return hurt(
        turn,
        target,
        harming.damage,
        type_,
        strike.attacker,
        power_of(turn.state, strike),
        halvings=harming.halvings,
        softer=harming.softer,
    )


def melee_weapons(fight: Fight, one: Combatant, target: Combatant) -> tuple[Weapon, ...]:
    """The weapons with which a combatant can strike another in melee from where it stands."""
    feet = apart(fight, one, target)
    return tuple(
        each
        for each in one.profile.weapons
        if one.ready(each)
        and hands_do(fight, one, each)
        and not each.from_afar
        and feet <= reach_feet(fight, one, each)
    )
