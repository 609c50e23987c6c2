"""Attacks with weapons and spells as offers: one for each weapon, way of firing and target, with odds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from services.rules.dice.odds import opposed_pool
from services.rules.engine.buttons import button, choice_field, choices_field, number_field
from services.rules.engine.frozen import replace
from services.rules.engine.play import Chance, LegalMove
from services.rules.engine.steps import Refused
from services.rules.systems.forge_engine.conditions import barring
from services.rules.systems.forge_engine.play.arms import fire_of
from services.rules.systems.forge_engine.play.effects import conditions_of, hands_do
from services.rules.systems.forge_engine.play.moves import Attack
from services.rules.systems.forge_engine.play.rules.attack import ATTACKS, check_strike, planned
from services.rules.systems.forge_engine.play.rules.bonuses import with_bonuses
from services.rules.systems.forge_engine.play.rules.defense import standing_shields
from services.rules.systems.forge_engine.play.rules.manners import beside, manners, splitting
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import Strike, action_dice, defense_dice
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.rolls import SIDES
from services.rules.systems.forge_engine.wares import fire_options


@lru_cache(maxsize=4096)
def odds_of(action: int, defense: int) -> tuple[Chance, ...]:
    """The chances to hit, and to hit with 3 and more, if the target does nothing."""
    found = opposed_pool(action, defense, SIDES)
    return (
        Chance("hit", "hit, if the target does nothing", found.at_least(1)),
        Chance("hit-3", "3 successes or more, if the target does nothing", found.at_least(3)),
    )


def attack_offers(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Every weapon that is ready, against each enemy that it reaches."""
    if barring(conditions_of(fight, one.id)) is not None:
        return
    foes = [foe for foe in fight.foes(one) if foe.life is not Life.DEAD]
    for weapon in one.profile.weapons:
        if not (one.ready(weapon) and hands_do(fight, one, weapon) and _is_set(fight, one, weapon)):
            continue
        for fire in fires_of(fight, one, weapon):
            for foe in foes:
                yield from _attack(fight, one, weapon, fire, foe)


def _is_set(fight: Fight, one: Combatant, weapon: Weapon) -> bool:
    """Whether an explosive is lit, where it must be."""
    item = fight.catalog.equipment.get(weapon.item)
    return item is None or item.arming is None or item.arming.value == "IT" or weapon.id in one.armed


def fires_of(fight: Fight, one: Combatant, weapon: Weapon) -> Iterator[str]:
    """Ways of firing a weapon for which it has enough shots; a plain shot is the empty one."""
    item = fight.catalog.equipment.get(weapon.item)
    names = [""]
    if item is not None:
        own = [option.name for option in fire_options(fight.catalog, item)]
        names = [
            name
            for name in own
            if fire_of(fight.catalog, weapon, "") is not None
            and fire_of(fight.catalog, weapon, name) == fire_of(fight.catalog, weapon, "")
        ]
        names = names or ["", *own]
    shots = one.shots(weapon.id)
    for name in names:
        option = fire_of(fight.catalog, weapon, name)
        if shots is None or shots >= (1 if option is None else option.uses):
            yield name


def _attack(fight: Fight, one: Combatant, weapon: Weapon, fire: str, foe: Combatant) -> Iterator[LegalMove]:
    move = Attack(actor=one.id, weapon=weapon.id, target=foe.id, fire=fire)
    plain = planned(fight, one, weapon, move)
    attribute = one.profile.attributes.of(weapon.attribute)
    found = most_energy(fight, plain, attribute)
    if found is None:
        return
    cost, most = found
    words = f"{weapon.name}, {fire.lower()}" if fire else weapon.name
    name = (
        f"attack:{weapon.id}:{fire.lower().replace(' ', '-')}:{foe.id}"
        if fire
        else f"attack:{weapon.id}:{foe.id}"
    )
    text = f"{cost} energy, and up to {most} more, a die each."
    fields = [number_field("added", "How much energy do you add?", 0, most)]
    ways = [(skill, fight.catalog.martial[skill].name) for skill in manners(fight, plain)]
    if ways:
        fields.append(choice_field("manner", "In place of harm?", ways, required=False))
    offer = button(move, name, f"{words}: {foe.name}", text, ATTACKS, *fields)
    yield with_odds(fight, replace(plain, added=most), offer, cost)
    skill, further = splitting(fight, one, weapon)
    near = beside(fight, plain) if further > 0 and not plain.area and not fire else ()
    if near:
        others = choices_field(
            "others",
            "Whom else?",
            [(each, fight.find(each).name) for each in near],
            1,
            min(further, len(near)),
        )
        split_move = replace(move, others=near[:1])
        label = f"{fight.catalog.martial[skill].name}: {words}, {foe.name} and others"
        split_offer = button(split_move, f"{name}:split", label, text, ATTACKS, fields[0], others)
        yield replace(split_offer, cost=f"{cost} energy and what is added")


def most_energy(fight: Fight, plain: Strike, attribute: int) -> tuple[int, int] | None:
    """What an attack costs without any energy added, and how much may be; None where it cannot be made."""
    try:
        energy = check_strike(fight, plain)
    except Refused:
        return None
    one = fight.find(plain.attacker)
    return energy.value, min(attribute, one.usable - energy.value)


def with_odds(fight: Fight, strike: Strike, offer: LegalMove, cost: int) -> LegalMove:
    """An offer with its cost, and the dice and odds of the most energy that may be added."""
    known = with_bonuses(fight, standing_shields(fight, strike))
    dice = action_dice(fight, known, known.targets[0])
    action, defense = dice.value, defense_dice(fight, known, known.targets[0]).value
    return replace(
        offer,
        cost=f"{cost} energy and what is added",
        dice=dice,
        odds=f"forge_engine:opposed({action}, {defense})",
        chances=odds_of(action, defense),
    )
