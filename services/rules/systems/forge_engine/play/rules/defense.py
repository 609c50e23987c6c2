"""Defaults of a defender: Dodge, and the shield (Reactions / Dodge; Shield Training)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from services.rules.engine.buttons import button, number_field
from services.rules.engine.effects import Duration, Effect, Until, on
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.frozen import replace
from services.rules.engine.play import LegalMove
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.arms import weapon_figures
from services.rules.systems.forge_engine.play.effects import effect_id, new_effect
from services.rules.systems.forge_engine.play.facts import (
    EffectBegan,
    EffectEnded,
    Reacted,
    ShieldRaised,
    SkillUsed,
)
from services.rules.systems.forge_engine.play.ground import BESIDE, apart
from services.rules.systems.forge_engine.play.moves import Dodge, Parry, RaiseShield
from services.rules.systems.forge_engine.play.rules.bonuses import martial, trained
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, affords, cost_of, pay
from services.rules.systems.forge_engine.play.rules.reactions import ReactionRule, Role
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import Declared, Strike, defense_of
from services.rules.systems.forge_engine.pools.attack_given import DefenseKind
from services.rules.systems.forge_engine.profile import Weapon

DODGE, SHIELD = "Dodge", "Shield Training [R-73]"
DODGE_RULE = "Reactions / Dodge [R-112]"
AWARE = "Specialized Martial Skills [R-113]"

BRACE, SUCK_IT_UP, DEFT, COHERENT, EMPTY, IRON = map(
    martial,
    ("brace", "suck-it-up", "deft-movement", "coherent-mind", "empty-vessel", "iron-will"),
)
DODGES = ("", BRACE, SUCK_IT_UP, DEFT)
"""Ways of adding energy to PD: Dodge, and the skills that are a Dodge of another kind."""
MINDS = (COHERENT, EMPTY, IRON)
"""Skills that add energy to MD."""
NIMBLE, UNARMORED, PARRY, PHALANX, WARD = map(
    martial, ("nimble-defense", "unarmored-defense", "parry", "phalanx", "bodyguards-ward")
)
EVASIVE, BODYGUARD = effect_id("unarmored-defense"), effect_id("bodyguards-stance")
LIGHT, BARE = 2, 1
"""PD dice of those in light armor at most, and of those without any."""


def _did(strike: Strike, who: str, what: str) -> bool:
    return any(target == who and part.source == what for target, part in strike.defense_parts)


def dodge_name(catalog: Catalog, skill: str) -> str:
    """What a way of adding energy to a defense is called."""
    return catalog.martial[skill].name if skill else DODGE


def dodge_most(fight: Fight, one: Combatant, skill: str) -> int:
    """The most energy that a defender adds: up to the attribute, and the skill's rating (R-113)."""
    if not skill:
        return most_added(fight, one, one.profile.attributes.agility)
    rating, attribute = trained(fight, one.id, skill), fight.catalog.martial[skill].energy_by
    cap = rating if attribute is None else min(rating, one.profile.attributes.of(attribute))
    return most_added(fight, one, cap)


def _dodge_offers(skill: str) -> Callable[[Fight, Declared, Combatant], Iterator[LegalMove]]:
    """Energy for the attacked defense, once against each attack by an attacker who is perceived (R-112)."""
    kind = DefenseKind.MD if skill in MINDS else DefenseKind.PD

    def offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
        strike, name = window.strike, dodge_name(fight.catalog, skill)
        if skill == DEFT and not one.running:
            return
        if defense_of(fight, strike) is not kind or _did(strike, one.id, name):
            return
        most = dodge_most(fight, one, skill)
        if most < 1:
            return
        field = number_field("added", "How much energy?", 1, most)
        move = Dodge(actor=one.id, added=1, skill=skill)
        text = f"Add up to {most} energy to {kind.value.upper()}, a die each."
        slug = skill or "dodge"
        yield replace(button(move, slug, name, text, DODGE_RULE, field), cost=_extra(fight, one))

    return offers


def _extra(fight: Fight, one: Combatant) -> str:
    more = cost_of(fight, one).value
    return f"the energy added, and {more}" if more else "the energy added"


def most_added(fight: Fight, one: Combatant, attribute: int, *parts: Dice) -> int:
    """The most energy that can be added to a pool, once an action with a cost is paid for."""
    return min(attribute, one.usable - cost_of(fight, one, *parts).value)


def dodge(turn: FightTurn, window: Declared, move: Dodge) -> Declared:
    """Energy added to a defense, as dice; light armor or none makes a dodge better."""
    one, name = turn.state.find(move.actor), dodge_name(turn.state.catalog, move.skill)
    added = min(move.added, dodge_most(turn.state, one, move.skill))
    cost = cost_of(turn.state, one, Dice(added, name, DODGE_RULE))
    pay(turn, one.id, name, cost, added=added, power=move.skill)
    dice = [Dice(added, name, DODGE_RULE)]
    nimble = 0 if move.skill in MINDS else trained(turn.state, one.id, NIMBLE)
    if nimble and one.profile.pd <= LIGHT:
        dice.append(Dice(min(added, nimble), "Nimble Defense", AWARE))
    if move.ward:
        return _warding(turn, window, move.ward, one, sum(part.value for part in dice), name)
    turn.happen(Reacted(who=one.id, how=name, dice=sum(part.value for part in dice)))
    if move.skill not in MINDS:
        _evade(turn, one, added)
    return window.with_strike(window.strike.defending(one.id, *dice))


def _evade(turn: FightTurn, one: Combatant, added: int) -> None:
    """Unarmored Defense: later attacks meet the energy of a dodge too, until the next turn."""
    most = min(added, trained(turn.state, one.id, UNARMORED))
    if most and one.profile.pd <= BARE:
        for effect in on(turn.state.effects, one.id, EVASIVE):
            most = max(most, effect.amount)
            turn.happen(EffectEnded(effect=effect.id, bearer=one.id, what=EVASIVE))
        lasts = Duration(Until.NEXT_TURN, one.id)
        turn.happen(EffectBegan(effect=new_effect(turn.state, EVASIVE, one.id, amount=most, lasts=lasts)))


def evading(fight: Fight, strike: Strike) -> Strike:
    """The attack with the dice of an earlier dodge without armor."""
    if defense_of(fight, strike) is not DefenseKind.PD:
        return strike
    for target in strike.targets:
        for effect in on(fight.effects, target, EVASIVE):
            strike = strike.defending(target, Dice(effect.amount, "Unarmored Defense", AWARE))
    return strike


def shield_cost(fight: Fight, one: Combatant) -> Explained | None:
    """Energy of raising the shield that is held; None without one."""
    shield = one.shield()
    return None if shield is None else cost_of(fight, one, Dice(shield.cost, shield.name, SHIELD))


def shield_offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
    """Pay for the shield that is held, once until the next own turn (R-73)."""
    shield, cost = one.shield(), shield_cost(fight, one)
    if shield is None or cost is None or one.shielded:
        return
    if defense_of(fight, window.strike) is DefenseKind.PD and affords(one, cost.value):
        text = f"{shield.rating} dice of PD, against every attack until your next turn."
        move = RaiseShield(actor=one.id)
        yield replace(
            button(move, "shield", f"Raise {shield.name}", text, SHIELD), cost=f"{cost.value} energy"
        )


def raise_shield(turn: FightTurn, window: Declared, move: RaiseShield) -> Declared:
    """The shield is paid for, and adds its rating; locked with those of allies it adds more."""
    one = turn.state.find(move.actor)
    shield, cost = one.shield(), shield_cost(turn.state, one)
    assert shield is not None and cost is not None
    pay(turn, one.id, shield.name, cost)
    if move.ward:
        return _warding(turn, window, move.ward, one, shield.rating, shield.name)
    turn.happen(ShieldRaised(who=one.id, name=shield.name))
    dice = [Dice(shield.rating, shield.name, SHIELD)]
    locked = min(_locked(turn.state, one), trained(turn.state, one.id, PHALANX))
    if locked:
        dice.append(Dice(locked, "Phalanx", AWARE))
    return window.with_strike(window.strike.defending(one.id, *dice))


def _locked(fight: Fight, one: Combatant) -> int:
    """Allies beside a combatant who hold shields as well."""
    return sum(
        ally.up and ally.shield() is not None and apart(fight, one, ally) <= BESIDE
        for ally in fight.allies(one)
    )


def _parrying(fight: Fight, one: Combatant) -> Iterator[tuple[Weapon, Explained]]:
    """Melee weapons in hand that can be paid for, with what they cost."""
    for weapon in one.profile.weapons:
        if weapon.kind is EquipmentKind.MELEE and not weapon.natural and one.ready(weapon):
            price, _ = weapon_figures(fight.catalog, weapon)
            cost = cost_of(fight, one, Dice(price, f"Parry, {weapon.name}", "Parry"))
            if affords(one, cost.value):
                yield weapon, cost


def parry_offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
    """Parry: the weapon's rating up to the skill's, against an attack on PD (R-112)."""
    rating = trained(fight, one.id, PARRY)
    if (
        not rating
        or defense_of(fight, window.strike) is not DefenseKind.PD
        or _did(window.strike, one.id, "Parry")
    ):
        return
    for weapon, cost in _parrying(fight, one):
        dice = min(rating, weapon_figures(fight.catalog, weapon)[1])
        offer = button(
            Parry(actor=one.id, weapon=weapon.id),
            f"parry:{weapon.id}",
            f"Parry with {weapon.name}",
            f"{dice} dice of PD.",
            AWARE,
        )
        yield replace(offer, cost=f"{cost.value} energy")


def parry(turn: FightTurn, window: Declared, move: Parry) -> Declared:
    """The weapon is paid for, and adds its rating up to the skill's."""
    one = turn.state.find(move.actor)
    weapon, cost = next(each for each in _parrying(turn.state, one) if each[0].id == move.weapon)
    pay(turn, one.id, "Parry", cost, power=PARRY)
    dice = min(trained(turn.state, one.id, PARRY), weapon_figures(turn.state.catalog, weapon)[1])
    if move.ward:
        return _warding(turn, window, move.ward, one, dice, "Parry")
    turn.happen(Reacted(who=one.id, how="Parry", dice=dice))
    return window.with_strike(window.strike.defending(one.id, Dice(dice, "Parry", AWARE)))


# For an ally


def _warding(turn: FightTurn, window: Declared, ally: str, one: Combatant, dice: int, name: str) -> Declared:
    """Bodyguard's Ward: the dice of a defense help an ally, up to the rating."""
    given = min(dice, trained(turn.state, one.id, WARD))
    turn.happen(Reacted(who=one.id, how=f"Bodyguard's Ward, {name}", dice=given))
    return window.with_strike(window.strike.defending(ally, Dice(given, "Bodyguard's Ward", AWARE)))


def _wards(offers: Callable[[Fight, Declared, Combatant], Iterator[LegalMove]]) -> Any:
    """The offers of a defense, for each ally beside who is attacked."""

    def warding(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
        if not trained(fight, one.id, WARD):
            return
        for target in window.strike.targets:
            ally = fight.find(target)
            near = ally.side == one.side and ally.up and apart(fight, one, ally) <= BESIDE
            if not near or _did(window.strike, target, "Bodyguard's Ward"):
                continue
            for offer in offers(fight, window, one):
                name = f"ward:{target}:{offer.id}"
                label = f"{offer.label} for {ally.name}"
                yield replace(offer, id=name, label=label, move={**offer.move, "ward": target})

    return warding


def bodyguards_stance(turn: FightTurn, effect: Effect, window: Declared) -> Declared | None:
    """Attacks by enemies on the PD of an ally beside: a die more, rating times between two regains."""
    strike, who = window.strike, effect.bearer
    one, fight = turn.state.find(who), turn.state
    if defense_of(turn.state, strike) is not DefenseKind.PD or fight.find(strike.attacker).side == one.side:
        return None
    for target in strike.targets:
        ally = turn.state.find(target)
        near = target != who and ally.side == one.side and apart(turn.state, one, ally) <= BESIDE
        if near and turn.state.find(who).uses.count(BODYGUARD) < effect.amount:
            turn.happen(SkillUsed(who=who, skill=BODYGUARD))
            strike = strike.defending(target, Dice(1, "Bodyguard's Stance", AWARE))
    return None if strike is window.strike else window.with_strike(strike)


def standing_shields(fight: Fight, strike: Strike) -> Strike:
    """The attack with the shields that were paid for against an earlier one (R-73)."""
    for target in strike.targets:
        one = fight.find(target)
        shield = one.shield()
        if shield is not None and one.shielded and defense_of(fight, strike) is DefenseKind.PD:
            strike = strike.defending(target, Dice(shield.rating, shield.name, SHIELD))
    return evading(fight, strike)


def _defenses() -> Iterator[ReactionRule]:
    """Defaults of every defender and the skills of their shape; each but those of MD can ward an ally."""
    for skill in (*DODGES, *MINDS):
        offers = _dodge_offers(skill)
        yield ReactionRule(
            window=Declared,
            role=Role.DEFENDER,
            answer=Dodge,
            offers=offers,
            react=dodge,
            skill=skill,
            running=skill == DEFT,
        )
        if skill not in MINDS:
            yield ReactionRule(
                window=Declared,
                role=Role.BYSTANDER,
                answer=Dodge,
                offers=_wards(offers),
                react=dodge,
                skill=skill,
                needs=WARD,
                running=skill == DEFT,
            )
    for role in (Role.DEFENDER, Role.BYSTANDER):
        for answer, held, react in (
            (RaiseShield, shield_offers, raise_shield),
            (Parry, parry_offers, parry),
        ):
            found, needs = (held, "") if role is Role.DEFENDER else (_wards(held), WARD)
            yield ReactionRule(
                window=Declared, role=role, answer=answer, offers=found, react=react, needs=needs
            )


DEFENSES = tuple(_defenses())
"""What a defender may do, and a bystander for an ally."""
