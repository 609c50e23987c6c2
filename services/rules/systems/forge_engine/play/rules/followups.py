"""What specialized martial skills do once an attack is made: further dice, further attacks, steps.

Four shapes: dice added to a pool that lies on the table, an attack inside another's action, a further attack
once one is over (`Resolved`), and a step for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from services.rules.engine.buttons import button, number_field, square_field
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.frozen import replace
from services.rules.engine.play import LegalMove
from services.rules.engine.steps import Step, Steps
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.arms import reach_feet, weapon_figures
from services.rules.systems.forge_engine.play.facts import (
    Displaced,
    Reacted,
    SkillUsed,
)
from services.rules.systems.forge_engine.play.ground import apart
from services.rules.systems.forge_engine.play.moves import AddDice, Shift, StrikeBack
from services.rules.systems.forge_engine.play.rules.attack import melee_weapons, strike_through
from services.rules.systems.forge_engine.play.rules.bonuses import SKILLS, martial, trained
from services.rules.systems.forge_engine.play.rules.defense import most_added
from services.rules.systems.forge_engine.play.rules.dice import pool
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, affords, cost_of, pay
from services.rules.systems.forge_engine.play.rules.pushes import push, steps
from services.rules.systems.forge_engine.play.rules.reactions import ReactionRule, Role, once
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import (
    Declared,
    Leaving,
    Resolved,
    Rolled,
    Strike,
    defense_of,
    energy_of,
    is_martial,
    is_melee,
    weapon_of,
)
from services.rules.systems.forge_engine.pools.attack_given import DefenseKind
from services.rules.systems.forge_engine.profile import Weapon

TWIST, SIDESTEP, KILLING, OPPORTUNITY, REFLEX, DISENGAGING = map(
    martial,
    (
        "twist-the-blade",
        "sidestep",
        "killing-blow",
        "opportunity-attack",
        "reflex-strike",
        "disengaging-step",
    ),
)
CLEAVING, FOLLOWING, DUAL_WIELD, PASSING, PRESSING = map(
    martial,
    ("cleaving-attack", "following-attack", "dual-wield-attack", "passing-attack", "pressing-attack"),
)


def name_of(catalog: Catalog, skill: str) -> str:
    """What a martial skill is called."""
    return catalog.martial[skill].name


# Dice added to a pool


def twist_offers(fight: Fight, window: Rolled, one: Combatant) -> Iterator[LegalMove]:
    """Twist The Blade: spend 1 and add dice to a melee attack that lies on the table."""
    rating = trained(fight, one.id, TWIST)
    most = most_added(fight, one, rating, Dice(1, "Twist The Blade", SKILLS))
    if (
        most < 1
        or not is_melee(fight, window.strike)
        or once(one, TWIST) in window.done
        or not window.defenses
    ):
        return
    field = number_field("added", "How much energy?", 1, most)
    move = AddDice(actor=one.id, skill=TWIST, added=1)
    text = f"Spend 1 and add up to {most} energy; the dice fall at once."
    yield button(move, "twist", "Twist The Blade", text, SKILLS, field)


def twist(turn: FightTurn, window: Rolled, move: AddDice) -> Step[Rolled]:
    """The added dice fall, and count with the others."""
    one = turn.state.find(move.actor)
    spent = Dice(1, "Twist The Blade", SKILLS)
    added = Dice(move.added, "Twist The Blade", SKILLS)
    pay(
        turn, one.id, "Twist The Blade", cost_of(turn.state, one, spent, added), added=move.added, power=TWIST
    )
    turn.happen(Reacted(who=one.id, how="Twist The Blade", dice=move.added))
    (faces,) = yield from turn.roll(pool(turn, "twist", one.id, "Twist The Blade", Explained.of(added)))
    return replace(window, action=(*window.action, *faces), done=(*window.done, once(one, TWIST)))


def sidestep_offers(fight: Fight, window: Rolled, one: Combatant) -> Iterator[LegalMove]:
    """Sidestep: spend 1 and add dice to PD that lies on the table, once against each attack."""
    most = most_added(fight, one, trained(fight, one.id, SIDESTEP), Dice(1, "Sidestep", SKILLS))
    used = once(one, SIDESTEP) in window.done
    if most < 1 or used or defense_of(fight, window.strike) is not DefenseKind.PD or not window.defenses:
        return
    field = number_field("added", "How much energy?", 1, most)
    move = AddDice(actor=one.id, skill=SIDESTEP, added=1)
    text = f"Spend 1 and add up to {most} energy; the dice fall at once."
    yield button(move, "sidestep", "Sidestep", text, SKILLS, field)


def sidestep(turn: FightTurn, window: Rolled, move: AddDice) -> Step[Rolled]:
    """The added dice fall, and count with the others of the defense."""
    one = turn.state.find(move.actor)
    spent, added = Dice(1, "Sidestep", SKILLS), Dice(move.added, "Sidestep", SKILLS)
    cost = cost_of(turn.state, one, spent, added)
    pay(turn, one.id, "Sidestep", cost, added=move.added, power=SIDESTEP)
    turn.happen(Reacted(who=one.id, how="Sidestep", dice=move.added))
    (faces,) = yield from turn.roll(pool(turn, "sidestep", one.id, "Sidestep", Explained.of(added)))
    return replace(
        window,
        defenses=tuple(
            (who, (*fallen, *faces) if who == one.id else fallen) for who, fallen in window.defenses
        ),
        done=(*window.done, once(one, SIDESTEP)),
    )


def killing_offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
    """Killing Blow: expend 1 for dice, as many as Strength and the rating allow, of a melee attack."""
    dice = min(trained(fight, one.id, KILLING), one.profile.attributes.strength)
    done = any(part.source == "Killing Blow" for part in window.strike.attack_parts)
    if dice and not done and is_melee(fight, window.strike) and affords(one, cost_of(fight, one).value, 1):
        move = AddDice(actor=one.id, skill=KILLING, added=0)
        text = f"Expend 1 energy for {dice} dice."
        yield button(move, "killing-blow", "Killing Blow", text, SKILLS)


def killing(turn: FightTurn, window: Declared, move: AddDice) -> Declared:
    """The energy is expended, and the dice are added."""
    one = turn.state.find(move.actor)
    dice = min(trained(turn.state, one.id, KILLING), one.profile.attributes.strength)
    pay(turn, one.id, "Killing Blow", cost_of(turn.state, one), expended=1, power=KILLING)
    turn.happen(Reacted(who=one.id, how="Killing Blow", dice=dice))
    return window.with_strike(window.strike.attacking(Dice(dice, "Killing Blow", SKILLS)))


# Attacks inside another's action


def strike_back_offers(
    fight: Fight, window: Declared | Leaving, one: Combatant, target: Combatant, skill: str
) -> Iterator[LegalMove]:
    """Melee attacks as a reaction, each weapon a button; they cost less by the rating (R-79)."""
    rating = trained(fight, one.id, skill)
    if not rating or once(one, skill) in window.done or target.side == one.side or not target.up:
        return
    for weapon in melee_weapons(fight, one, target):
        plain = Strike(
            id="back", attacker=one.id, weapon=weapon.id, targets=(target.id,), cheaper=rating, reaction=True
        )
        cost = energy_of(fight, plain)[0].value
        most = min(one.profile.attributes.of(weapon.attribute), one.usable - cost)
        if most < 0:
            continue
        name = fight.catalog.martial[skill].name
        field = number_field("added", "How much energy?", 0, most)
        move = StrikeBack(actor=one.id, skill=skill, weapon=weapon.id)
        text = f"Attack {target.name} with {weapon.name}."
        offer = button(move, f"{skill}:{weapon.id}", f"{name}: {weapon.name}", text, SKILLS, field)
        yield replace(offer, cost=f"{cost} energy")


def struck_back(turn: FightTurn, who: str, target: str, move: StrikeBack) -> Steps:
    """An attack inside another's action; it is resolved first (E7)."""
    one = turn.state.find(who)
    turn.happen(Reacted(who=who, how=name_of(turn.state.catalog, move.skill), dice=0))
    strike = Strike(
        id=f"back-{who}",
        attacker=who,
        weapon=move.weapon,
        targets=(target,),
        added=move.added,
        cheaper=one.profile.rating(move.skill),
        reaction=True,
        by=move.skill,
    )
    slips = trained(turn.state, target, DISENGAGING) if move.skill == OPPORTUNITY else 0
    if slips:
        strike = strike.defending(target, Dice(slips, "Disengaging Step", SKILLS))
    yield from strike_through(turn, strike)


def opportunity_offers(fight: Fight, window: Leaving, one: Combatant) -> Iterator[LegalMove]:
    """Opportunity Attack: an enemy steps out of reach."""
    yield from strike_back_offers(fight, window, one, fight.find(window.mover), OPPORTUNITY)


def opportunity(turn: FightTurn, window: Leaving, move: StrikeBack) -> Step[Leaving]:
    """Strikes at who leaves."""
    yield from struck_back(turn, move.actor, window.mover, move)
    return replace(window, done=(*window.done, once(turn.state.find(move.actor), OPPORTUNITY)))


def reflex_offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
    """Reflex Strike: an enemy within reach attacks an ally and not oneself (R-78)."""
    attacker = fight.find(window.strike.attacker)
    allies = {ally.id for ally in fight.allies(one)}
    if allies & set(window.strike.targets) and not window.strike.reaction:
        yield from strike_back_offers(fight, window, one, attacker, REFLEX)


def reflex(turn: FightTurn, window: Declared, move: StrikeBack) -> Step[Declared]:
    """Strikes at who attacks an ally."""
    yield from struck_back(turn, move.actor, window.strike.attacker, move)
    return replace(window, done=(*window.done, once(turn.state.find(move.actor), REFLEX)))


# Attacks that follow one


def _followable(window: Resolved, skill: str) -> bool:
    """Whether an attack may be followed up by a skill that was not used on it yet."""
    strike = window.strike
    return skill not in window.done and not strike.reaction and is_martial(strike) and not strike.skill


def _cleave(fight: Fight, window: Resolved, one: Combatant) -> Iterator[Strike]:
    """The same weapon at another in reach, for nothing: a die for each energy of the first (R-90)."""
    strike, weapon = window.strike, weapon_of(fight, window.strike)
    dice = min(strike.added, trained(fight, one.id, CLEAVING))
    if weapon is None or not dice or not is_melee(fight, strike):
        return
    for foe in _near(fight, one, weapon):
        if foe.id not in strike.targets:
            yield replace(_after(one, weapon, foe), dice=dice, free=True)


def _follow(fight: Fight, window: Resolved, one: Combatant) -> Iterator[Strike]:
    """The same target again, with any weapon, against the dice of PD on the table (R-91)."""
    rating = trained(fight, one.id, FOLLOWING)
    if not rating or len(window.defenses) != 1 or defense_of(fight, window.strike) is not DefenseKind.PD:
        return
    (target, faces), weapon = window.defenses[0], weapon_of(fight, window.strike)
    foe = fight.find(target)
    shots = None if weapon is None else one.shots(weapon.id)
    if weapon is None or not one.ready(weapon) or not faces or foe.life is Life.DEAD or shots == 0:
        return
    plain = replace(_after(one, weapon, foe), standing=faces)
    if energy_of(fight, plain)[0].value <= rating:
        yield plain


def _dual(fight: Fight, window: Resolved, one: Combatant) -> Iterator[Strike]:
    """The weapon of the off hand, cheaper by the first one's cost, at any foe in reach (R-92)."""
    rating, main = trained(fight, one.id, DUAL_WIELD), weapon_of(fight, window.strike)
    if not rating or main is None or main.hands != 1 or main.place is Place.OFF_HAND:
        return
    price = weapon_figures(fight.catalog, main)[0]
    for weapon in one.profile.weapons:
        off = weapon.id != main.id and weapon.place is Place.OFF_HAND and weapon.hands == 1
        if (
            off
            and one.ready(weapon)
            and one.shots(weapon.id) != 0
            and weapon_figures(fight.catalog, weapon)[0] <= price
        ):
            for foe in _near(fight, one, weapon):
                yield replace(_after(one, weapon, foe), cheaper=min(price, rating), least=1, paired=True)


def _after(one: Combatant, weapon: Weapon, foe: Combatant) -> Strike:
    return Strike(id=f"after-{one.id}", attacker=one.id, weapon=weapon.id, targets=(foe.id,), reaction=True)


def _near(fight: Fight, one: Combatant, weapon: Weapon) -> Iterator[Combatant]:
    """Foes whom a weapon reaches."""
    if weapon.kind is EquipmentKind.EXPLOSIVE:
        return
    for foe in fight.foes(one):
        if foe.life is not Life.DEAD and apart(fight, one, foe) <= reach_feet(fight, one, weapon):
            yield foe


Further = Callable[[Fight, Resolved, Combatant], Iterator[Strike]]


def _further_offers(
    skill: str, found: Further
) -> Callable[[Fight, Resolved, Combatant], Iterator[LegalMove]]:
    def offers(fight: Fight, window: Resolved, one: Combatant) -> Iterator[LegalMove]:
        if not _followable(window, skill) or not trained(fight, one.id, skill):
            return
        for strike in found(fight, window, one):
            weapon, foe = weapon_of(fight, strike), fight.find(strike.targets[0])
            assert weapon is not None
            cost = energy_of(fight, strike)[0].value
            most = 0 if strike.free else min(one.profile.attributes.of(weapon.attribute), one.usable - cost)
            if skill == FOLLOWING:
                most = min(most, trained(fight, one.id, skill) - cost)
            if most < 0 or cost > one.usable:
                continue
            field = number_field("added", "How much energy?", 0, most)
            move = StrikeBack(actor=one.id, skill=skill, weapon=weapon.id, target=foe.id)
            text = f"Attack {foe.name} with {weapon.name}."
            label = f"{name_of(fight.catalog, skill)}: {weapon.name} at {foe.name}"
            slug = f"{skill}:{weapon.id}:{foe.id}"
            yield replace(button(move, slug, label, text, SKILLS, field), cost=f"{cost} energy")

    return offers


def _further(skill: str, found: Further) -> Callable[[FightTurn, Resolved, StrikeBack], Step[Resolved]]:
    def react(turn: FightTurn, window: Resolved, move: StrikeBack) -> Step[Resolved]:
        one = turn.state.find(move.actor)
        strike = next(
            each
            for each in found(turn.state, window, one)
            if each.weapon == move.weapon and each.targets == (move.target,)
        )
        turn.happen(Reacted(who=one.id, how=name_of(turn.state.catalog, skill), dice=0))
        yield from strike_through(turn, replace(strike, by=skill, added=0 if strike.free else move.added))
        return replace(window, done=(*window.done, skill))

    return react


# Steps for nothing


def _shift_offers(skill: str) -> Callable[[Fight, Resolved, Combatant], Iterator[LegalMove]]:
    def offers(fight: Fight, window: Resolved, one: Combatant) -> Iterator[LegalMove]:
        rating = trained(fight, one.id, skill)
        if one.uses.count(skill) >= rating or skill in window.done or window.strike.dice is not None:
            return
        mover = _shifted(fight, window, one, skill)
        if mover is None or not is_melee(fight, window.strike):
            return
        move, name = Shift(actor=one.id, skill=skill), name_of(fight.catalog, skill)
        if fight.ground is None:
            if skill == PRESSING:
                yield button(move, skill, name, "The target is moved 5 feet.", SKILLS)
            return
        squares = list(steps(fight, mover))
        if squares:
            field = square_field("to", "Where to?", squares)
            yield button(replace(move, to=squares[0]), skill, name, "5 feet.", SKILLS, field)

    return offers


def _shifted(fight: Fight, window: Resolved, one: Combatant, skill: str) -> Combatant | None:
    """Who is moved: oneself, or the target where it is one size larger at most."""
    if skill == PASSING:
        return one
    if len(window.strike.targets) != 1:
        return None
    other = fight.find(window.strike.targets[0])
    return other if other.size <= one.size + 1 and other.gone is None else None


def shift(turn: FightTurn, window: Resolved, move: Shift) -> Resolved:
    """A step, or a shove, of 5 feet."""
    one = turn.state.find(move.actor)
    mover = _shifted(turn.state, window, one, move.skill)
    assert mover is not None
    turn.happen(
        SkillUsed(who=one.id, skill=move.skill),
        Reacted(who=one.id, how=name_of(turn.state.catalog, move.skill), dice=0),
    )
    if move.to is not None:
        turn.happen(Displaced(who=mover.id, to=move.to))
    else:
        push(turn, one.id, mover.id, CELL)
    return replace(window, done=(*window.done, move.skill))


def _rule(
    window: type,
    role: Role,
    answer: type,
    skill: str,
    offers: Callable[[Fight, Any, Combatant], Iterator[LegalMove]],
    react: Callable[[FightTurn, Any, Any], Any],
) -> ReactionRule:
    return ReactionRule(window=window, role=role, answer=answer, offers=offers, react=react, skill=skill)


REACTIONS = (
    _rule(Declared, Role.ATTACKER, AddDice, KILLING, killing_offers, killing),
    _rule(Declared, Role.BYSTANDER, StrikeBack, REFLEX, reflex_offers, reflex),
    _rule(Rolled, Role.ATTACKER, AddDice, TWIST, twist_offers, twist),
    _rule(Rolled, Role.DEFENDER, AddDice, SIDESTEP, sidestep_offers, sidestep),
    *(
        _rule(Resolved, Role.ATTACKER, StrikeBack, skill, _further_offers(skill, way), _further(skill, way))
        for skill, way in ((CLEAVING, _cleave), (FOLLOWING, _follow), (DUAL_WIELD, _dual))
    ),
    *(
        _rule(Resolved, Role.ATTACKER, Shift, skill, _shift_offers(skill), shift)
        for skill in (PASSING, PRESSING)
    ),
    _rule(Leaving, Role.DEFENDER, StrikeBack, OPPORTUNITY, opportunity_offers, opportunity),
)
"""Skills that people react with."""
