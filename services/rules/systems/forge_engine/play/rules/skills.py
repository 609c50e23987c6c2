"""Specialized martial skills at work: each an effect of the content, and a function for its window.

A further skill that acts by itself is a function in `acting`, one that people answer with a `ReactionRule`,
one that is an action of its own an entry in `ACTIONS`. Skills rest while a stance goes on (`rests`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from services.rules.engine.buttons import button, number_field
from services.rules.engine.content import content_id
from services.rules.engine.effects import Effect
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.play import LegalMove
from services.rules.engine.steps import Step, Steps, refuse
from services.rules.engine.windows import Windows
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.play.effects import CATALOG, effect_id, in_stance
from services.rules.systems.forge_engine.play.facts import Reacted, SkillUsed
from services.rules.systems.forge_engine.play.ground import in_reach
from services.rules.systems.forge_engine.play.moves import AddDice, StrikeBack, UseSkill
from services.rules.systems.forge_engine.play.rules.attack import melee_weapons, strike_through
from services.rules.systems.forge_engine.play.rules.checks import (
    actor_of,
    check_fight,
    check_free,
    check_turn,
)
from services.rules.systems.forge_engine.play.rules.defense import most_added
from services.rules.systems.forge_engine.play.rules.dice import pool
from services.rules.systems.forge_engine.play.rules.energy import (
    FightTurn,
    check_energy,
    cost_of,
    gain_bonus,
    pay,
)
from services.rules.systems.forge_engine.play.rules.reactions import ReactionRule, Role
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import (
    Declared,
    Harmed,
    Leaving,
    Rolled,
    Strike,
    attribute_of,
    defense_of,
    is_martial,
    is_melee,
    pools_of,
)
from services.rules.systems.forge_engine.pools.attack_given import DefenseKind

SKILLS = "Specialized Martial Skills"


def martial(slug: str) -> str:
    """The content id of a martial skill."""
    return content_id(SLUG, "martial", slug)


LAST_GASP, TWIST, ENGAGED, RETALIATION, OPPORTUNITY, REFLEX = map(
    martial,
    (
        "last-gasp",
        "twist-the-blade",
        "engaged-attack",
        "retaliation",
        "opportunity-attack",
        "reflex-strike",
    ),
)
OFFENSIVE, DEFENSIVE = effect_id("offensive-stance"), effect_id("defensive-stance")


def rests(fight: Fight, who: str) -> bool:
    """Whether a combatant's specialized skills rest, because it is in a stance."""
    return in_stance(fight, who) is not None


def trained(fight: Fight, who: str, skill: str) -> int:
    """The rating of a specialized skill that works now; 0 where it was not learned, or rests."""
    return 0 if rests(fight, who) else fight.find(who).profile.rating(skill)


# Actions


def use_skill(turn: FightTurn, move: UseSkill) -> Steps:
    """A skill that is an action of its own."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_fight(fight)
    check_turn(fight, one)
    check_free(fight, one)
    known = usable_skills(fight, one)
    if move.skill not in known:
        refuse("skill_unknown", "That skill is of no use now.", SKILLS, ("skill",), move.skill, known)
    yield from ACTIONS[move.skill](turn, one)


def usable_skills(fight: Fight, one: Combatant) -> tuple[str, ...]:
    """The skills that a combatant can use as an action now, what they cost apart."""
    return tuple(skill for skill in ACTIONS if trained(fight, one.id, skill) and skill not in one.once)


def last_gasp(turn: FightTurn, one: Combatant) -> Steps:
    """Expends 1 for bonus energy, as much as Stamina and the rating allow, once in a fight."""
    cost = cost_of(turn.state, one)
    check_energy(one, cost.value, 1)
    pay(turn, one.id, "Last Gasp", cost, expended=1)
    turn.happen(SkillUsed(who=one.id, skill=LAST_GASP, once=True))
    gained = min(one.profile.attributes.stamina, one.profile.rating(LAST_GASP))
    gain_bonus(turn, one.id, gained, "Last Gasp", next_turn=False)
    yield from ()


ACTIONS: Mapping[str, Callable[[FightTurn, Combatant], Steps]] = {LAST_GASP: last_gasp}
"""Skills that are actions, with what they do."""


# What acts by itself


def offensive_stance(turn: FightTurn, effect: Effect, window: Declared) -> Declared | None:
    """The bearer's martial attacks: a die for each energy added, up to the rating."""
    strike = window.strike
    if strike.attacker != effect.bearer or not is_martial(strike):
        return None
    counted = min(strike.added, attribute_of(turn.state, strike), effect.amount)
    return Declared(strike.attacking(Dice(counted, "Offensive Stance", SKILLS))) if counted else None


def defensive_stance(turn: FightTurn, effect: Effect, window: Declared) -> Declared | None:
    """Attacks on the bearer's PD: a die more, rating times between two regains."""
    strike, who = window.strike, effect.bearer
    if who not in strike.targets or defense_of(strike) is not DefenseKind.PD:
        return None
    if turn.state.find(who).uses.count(DEFENSIVE) >= effect.amount:
        return None
    turn.happen(SkillUsed(who=who, skill=DEFENSIVE))
    return Declared(strike.defending(who, Dice(1, "Defensive Stance", SKILLS)))


def engaged(fight: Fight, strike: Strike) -> Strike:
    """Engaged Attack: the target is within reach of an ally who can act (R-67)."""
    one = fight.find(strike.attacker)
    rating = trained(fight, one.id, ENGAGED)
    if not rating or not is_martial(strike) or len(strike.targets) != 1:
        return strike
    target = fight.find(strike.targets[0])
    if not any(ally.up and not ally.hidden and in_reach(fight, ally, target) for ally in fight.allies(one)):
        return strike
    counted = min(strike.added, attribute_of(fight, strike), rating)
    return strike.attacking(Dice(counted, "Engaged Attack", SKILLS)) if counted else strike


def retaliation(turn: FightTurn, window: Harmed) -> None:
    """Retaliation: bonus energy for damage by an enemy, until the end of the next turn."""
    fight = turn.state
    one = fight.find(window.target)
    rating = trained(fight, one.id, RETALIATION)
    if rating and window.damage and fight.find(window.strike.attacker).side != one.side and one.up:
        gain_bonus(turn, one.id, min(window.damage, rating), "Retaliation", next_turn=True)


# Reactions


def twist_offers(fight: Fight, window: Rolled, one: Combatant) -> Iterator[LegalMove]:
    """Twist The Blade: spend 1 and add dice to a melee attack that lies on the table."""
    rating = trained(fight, one.id, TWIST)
    most = most_added(fight, one, rating, Dice(1, "Twist The Blade", SKILLS))
    if most < 1 or not is_melee(fight, window.strike) or TWIST in one.uses or not window.defenses:
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
    pay(turn, one.id, "Twist The Blade", cost_of(turn.state, one, spent, added), added=move.added)
    turn.happen(
        SkillUsed(who=one.id, skill=TWIST), Reacted(who=one.id, how="Twist The Blade", dice=move.added)
    )
    (faces,) = yield from turn.roll(pool(turn, "twist", one.id, "Twist The Blade", Explained.of(added)))
    return replace(window, action=(*window.action, *faces))


def strike_back_offers(fight: Fight, one: Combatant, target: Combatant, skill: str) -> Iterator[LegalMove]:
    """Melee attacks as a reaction, each weapon a button; they cost less by the rating (R-79)."""
    rating = trained(fight, one.id, skill)
    if not rating or skill in one.uses or target.side == one.side or not target.up:
        return
    for weapon in melee_weapons(fight, one, target):
        plain = Strike(
            id="back", attacker=one.id, weapon=weapon.id, targets=(target.id,), cheaper=rating, reaction=True
        )
        cost = pools_of(fight, plain, target.id).energy.value
        most = min(one.profile.attributes.of(weapon.attribute), one.usable - cost)
        if most < 0:
            continue
        name = CATALOG.martial[skill].name
        field = number_field("added", "How much energy?", 0, most)
        move = StrikeBack(actor=one.id, skill=skill, weapon=weapon.id)
        text = f"Attack {target.name} with {weapon.name}."
        offer = button(move, f"{skill}:{weapon.id}", f"{name}: {weapon.name}", text, SKILLS, field)
        yield replace(offer, cost=f"{cost} energy")


def struck_back(turn: FightTurn, who: str, target: str, move: StrikeBack) -> Steps:
    """An attack inside another's action; it is resolved first (E7)."""
    one = turn.state.find(who)
    turn.happen(SkillUsed(who=who, skill=move.skill))
    strike = Strike(
        id=f"back-{who}",
        attacker=who,
        weapon=move.weapon,
        targets=(target,),
        added=move.added,
        cheaper=one.profile.rating(move.skill),
        reaction=True,
    )
    yield from strike_through(turn, strike)


def opportunity_offers(fight: Fight, window: Leaving, one: Combatant) -> Iterator[LegalMove]:
    """Opportunity Attack: an enemy steps out of reach."""
    yield from strike_back_offers(fight, one, fight.find(window.mover), OPPORTUNITY)


def opportunity(turn: FightTurn, window: Leaving, move: StrikeBack) -> Step[Leaving]:
    """Strikes at who leaves."""
    yield from struck_back(turn, move.actor, window.mover, move)
    return window


def reflex_offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
    """Reflex Strike: an enemy within reach attacks an ally and not oneself (R-78)."""
    attacker = fight.find(window.strike.attacker)
    allies = {ally.id for ally in fight.allies(one)}
    if allies & set(window.strike.targets) and not window.strike.reaction:
        yield from strike_back_offers(fight, one, attacker, REFLEX)


def reflex(turn: FightTurn, window: Declared, move: StrikeBack) -> Step[Declared]:
    """Strikes at who attacks an ally."""
    yield from struck_back(turn, move.actor, window.strike.attacker, move)
    return window


REACTIONS = (
    ReactionRule(
        window=Declared,
        role=Role.BYSTANDER,
        answer=StrikeBack,
        offers=reflex_offers,
        react=reflex,
        skill=REFLEX,
    ),
    ReactionRule(
        window=Rolled, role=Role.ATTACKER, answer=AddDice, offers=twist_offers, react=twist, skill=TWIST
    ),
    ReactionRule(
        window=Leaving,
        role=Role.DEFENDER,
        answer=StrikeBack,
        offers=opportunity_offers,
        react=opportunity,
        skill=OPPORTUNITY,
    ),
)
"""Skills that people react with."""


def acting(windows: Windows) -> None:
    """Registers what effects of skills do by themselves."""
    windows.acts(OFFENSIVE, Declared, offensive_stance)
    windows.acts(DEFENSIVE, Declared, defensive_stance)
