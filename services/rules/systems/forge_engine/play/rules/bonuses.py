"""Dice that specialized martial skills add to an attack by themselves, and what they build up.

Four shapes: a die for each energy added while something holds (`PER_ENERGY`), a stance, dice that wait for
the next attack (`POISED`), and dice against one target that grow with each blow (`AIMED`). Skills rest while
a stance goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from services.rules.engine.content import content_id
from services.rules.engine.effects import Duration, Until, on
from services.rules.engine.explain import Part as Dice
from services.rules.engine.play import EVERYONE
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.play.effects import (
    bears,
    effect_id,
    in_stance,
    new_effect,
    rules,
)
from services.rules.systems.forge_engine.play.facts import EffectBegan, EffectChanged, EffectEnded
from services.rules.systems.forge_engine.play.ground import in_reach
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.secrecy import known_to
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import (
    Declared,
    Harmed,
    Hits,
    Strike,
    attribute_of,
    defense_of,
    is_martial,
    is_melee,
    weapon_of,
)
from services.rules.systems.forge_engine.pools.attack_given import DefenseKind

SKILLS = "Specialized Martial Skills"


def martial(slug: str) -> str:
    """The content id of a martial skill."""
    return content_id(SLUG, "martial", slug)


def _same(slug: str) -> tuple[str, str]:
    """A skill and the effect of its name."""
    return martial(slug), effect_id(slug)


ENGAGED, LURKER = martial("engaged-attack"), martial("shadow-lurker")
AGGRAVATED, MISSED = _same("aggravated-strike")
WEAKPOINT, FOUND = _same("weakpoint-strike")
SHROUDING, WARY = _same("shrouding-strike")
STRIKEBACK, PROVOKED = _same("strikeback-attack")
PRECISION, AIM = _same("precision-attack")
CHARGING, CHARGE = _same("charging-attack")
SURPRISE, UNARMED = _same("surprise-attack")
OPEN_GROUND, ENRAGED = effect_id("open-ground"), effect_id("enraged-attacker")

POISED: Mapping[str, str] = {PROVOKED: STRIKEBACK, AIM: PRECISION, CHARGE: CHARGING}
"""Effects whose dice wait for the next martial attack, and their skills."""
AIMED: Mapping[str, str] = {MISSED: AGGRAVATED, FOUND: WEAKPOINT}
"""Effects whose dice help against one target alone, and their skills."""


def rests(fight: Fight, who: str) -> bool:
    """Whether a combatant's specialized skills rest, because it is in a stance."""
    return in_stance(fight, who) is not None


def trained(fight: Fight, who: str, skill: str) -> int:
    """The rating of a specialized skill that works now; 0 where it was not learned, or rests."""
    rating = fight.find(who).profile.rating(skill)
    return rating if rating and not rests(fight, who) else 0


# Dice of an attack


def with_bonuses(fight: Fight, strike: Strike) -> Strike:
    """The attack with the dice that its attacker's skills add by themselves."""
    if not is_martial(strike) or strike.dice is not None:
        return strike
    return strike.attacking(*_bonuses(fight, strike))


def _bonuses(fight: Fight, strike: Strike) -> Iterator[Dice]:
    one, counted = fight.find(strike.attacker), min(strike.added, attribute_of(fight, strike))
    for skill, holds in PER_ENERGY.items():
        dice = min(counted, trained(fight, one.id, skill))
        if dice and holds(fight, strike, one):
            yield Dice(dice, fight.catalog.martial[skill].name, SKILLS)
    weapon = weapon_of(fight, strike)
    rage = bears(fight, one.id, ENRAGED)
    if rage is not None and weapon is not None and weapon.attribute is Attribute.STRENGTH and counted:
        yield Dice(min(counted, rage.amount), "Enraged Attacker", SKILLS)
    for effect in on(fight.effects, one.id, *POISED, *AIMED):
        skill = POISED.get(effect.kind) or AIMED[effect.kind]
        near = effect.kind != CHARGE or is_melee(fight, strike)
        meant = effect.kind not in AIMED or strike.targets == (effect.about,)
        if near and meant and trained(fight, one.id, skill):
            yield Dice(effect.amount, fight.catalog.martial[skill].name, SKILLS)


def _engaged(fight: Fight, strike: Strike, one: Combatant) -> bool:
    """Engaged Attack: the target is within reach of an ally who can act (R-67)."""
    if len(strike.targets) != 1:
        return False
    target = fight.find(strike.targets[0])
    return any(ally.up and not ally.hidden and in_reach(fight, ally, target) for ally in fight.allies(one))


def _unaware(fight: Fight, strike: Strike, one: Combatant) -> bool:
    """Shadow Lurker: the targets do not know of the attacker."""
    return one.hidden


def _first(fight: Fight, strike: Strike, one: Combatant) -> bool:
    """Surprise Attack: the first attack of who began the fight with empty hands."""
    return bears(fight, one.id, UNARMED) is not None


PER_ENERGY: Mapping[str, Callable[[Fight, Strike, Combatant], bool]] = {
    ENGAGED: _engaged,
    LURKER: _unaware,
    SURPRISE: _first,
}
"""Skills that add a die for each energy added, up to the rating, and what must hold."""


# What builds up


def spend(turn: FightTurn, who: str, *kinds: str) -> None:
    """Ends effects of some kinds on a combatant."""
    for effect in on(turn.state.effects, who, *kinds):
        turn.happen(EffectEnded(effect=effect.id, bearer=who, what=effect.kind))


def lose_poise(turn: FightTurn, who: str, before: frozenset[str]) -> None:
    """Ends what waited for the next attack, where something else was done first."""
    for effect in on(turn.state.effects, who):
        if effect.id in before and "poised" in rules(turn.state.catalog)[effect.kind].tags:
            turn.happen(EffectEnded(effect=effect.id, bearer=who, what=effect.kind))


def poise(fight: Fight, who: str) -> frozenset[str]:
    """Ids of the effects that wait for a combatant's next attack."""
    return frozenset(
        each.id for each in on(fight.effects, who) if "poised" in rules(fight.catalog)[each.kind].tags
    )


def build_up(turn: FightTurn, who: str, kind: str, most: int, about: str = "") -> None:
    """Adds 1 to what an effect counts, up to some rating; it begins where there is none."""
    there = next((each for each in on(turn.state.effects, who, kind) if each.about == about), None)
    # What is built up against one who hides would betray it to whoever else attacked it unawares.
    seen = known_to(turn.state, about) or EVERYONE
    if there is None:
        effect = new_effect(turn.state, kind, who, source=who, about=about)
        turn.happen(EffectBegan(effect=effect, audience=seen))
    elif there.amount < most:
        turn.happen(EffectChanged(effect=there.id, bearer=who, amount=there.amount + 1, audience=seen))


def declared(turn: FightTurn, window: Declared) -> None:
    """Uses up what waited for this attack, spoils the aim of its targets, and provokes them."""
    strike = window.strike
    if is_martial(strike) and strike.dice is None:
        spend(turn, strike.attacker, *POISED, UNARMED)
    for target in strike.targets:
        spend(turn, target, AIM)
        rating = trained(turn.state, target, STRIKEBACK)
        if rating and defense_of(turn.state, strike) is DefenseKind.PD and target != strike.attacker:
            build_up(turn, target, PROVOKED, rating)


def hit_or_missed(turn: FightTurn, window: Hits) -> None:
    """Aggravated Strike grows with misses, Weakpoint Strike with hits, on one target in a row."""
    strike, who = window.strike, window.strike.attacker
    if not is_martial(strike) or len(strike.targets) != 1 or strike.dice is not None:
        return
    grows, ends = (FOUND, MISSED) if window.successes else (MISSED, FOUND)
    for effect in on(turn.state.effects, who, ends):
        if effect.about == window.target:
            seen = known_to(turn.state, effect.about) or EVERYONE
            turn.happen(EffectEnded(effect=effect.id, bearer=who, what=ends, audience=seen))
    rating = trained(turn.state, who, AIMED[grows])
    if rating and turn.state.find(window.target).side != turn.state.find(who).side:
        build_up(turn, who, grows, rating, window.target)


def drew_blood(turn: FightTurn, window: Harmed) -> None:
    """Shrouding Strike: each wound dealt is a die of PD against whoever bears it."""
    who = window.strike.attacker
    rating = trained(turn.state, who, SHROUDING)
    if rating and window.damage and is_martial(window.strike):
        build_up(turn, who, WARY, rating, window.target)


def turn_began(turn: FightTurn, who: str) -> None:
    """Notes that no enemy is beside who may charge."""
    fight = turn.state
    one = fight.find(who)
    spend(turn, who, CHARGE)
    if not one.up or not trained(fight, who, CHARGING):
        return
    if not any(foe.up and in_reach(fight, one, foe) for foe in fight.foes(one)):
        lasts = Duration(Until.NEXT_TURN, who)
        turn.happen(EffectBegan(effect=new_effect(fight, OPEN_GROUND, who, lasts=lasts)))


def run_up(turn: FightTurn, who: str, feet: int, *, straight: bool) -> None:
    """A run over open ground is the start of a charge: a die for each 5 feet, up to the rating."""
    rating = trained(turn.state, who, CHARGING)
    if bears(turn.state, who, OPEN_GROUND) is None or not rating:
        return
    spend(turn, who, OPEN_GROUND, CHARGE)
    dice = min(rating, feet // 5)
    if straight and dice:
        lasts = Duration(Until.NEXT_TURN, who)
        turn.happen(EffectBegan(effect=new_effect(turn.state, CHARGE, who, amount=dice, lasts=lasts)))


def fight_began(turn: FightTurn) -> None:
    """Notes who begins a fight with empty hands, and can surprise from there."""
    for one in turn.state.combatants:
        armed = any(one.weapon(item) is not None for item in one.held)
        if not armed and trained(turn.state, one.id, SURPRISE):
            turn.happen(EffectBegan(effect=new_effect(turn.state, UNARMED, one.id)))
