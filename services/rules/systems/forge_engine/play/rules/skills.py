"""Specialized martial skills that are actions of their own, and stances.

Each action is an entry in `ACTIONS`: whom it may be used on, how much energy it takes, what it does. Dice
that skills add by themselves are in `bonuses`, defenses in `defense`, other ways of attacking in `manners`
and `outcomes`, what follows an attack in `followups`. Skills rest while a stance goes on (`rests`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from services.rules.engine.effects import Effect, on
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.frozen import replace
from services.rules.engine.steps import Steps, refuse
from services.rules.engine.windows import Windows
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.play.effects import PRONE, bears, effect_id, new_effect
from services.rules.systems.forge_engine.play.facts import (
    EffectBegan,
    EffectEnded,
    Reordered,
    SkillUsed,
)
from services.rules.systems.forge_engine.play.ground import apart
from services.rules.systems.forge_engine.play.moves import UseSkill
from services.rules.systems.forge_engine.play.rules.attack import check_strike, strike_through
from services.rules.systems.forge_engine.play.rules.attribute_test import (
    SKILL_OF,
    energy_dice,
    opposed_test,
)
from services.rules.systems.forge_engine.play.rules.bonuses import AIM, PRECISION, SKILLS, martial, trained
from services.rules.systems.forge_engine.play.rules.checks import (
    actor_of,
    check_fight,
    check_free,
    check_turn,
)
from services.rules.systems.forge_engine.play.rules.defense import BODYGUARD, bodyguards_stance, most_added
from services.rules.systems.forge_engine.play.rules.dice import pool
from services.rules.systems.forge_engine.play.rules.energy import (
    FightTurn,
    check_energy,
    cost_of,
    gain_bonus,
    pay,
)
from services.rules.systems.forge_engine.play.rules.initiative import rank
from services.rules.systems.forge_engine.play.rules.outcomes import SHIELD_BASH
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import (
    Declared,
    Strike,
    attribute_of,
    defense_of,
    is_martial,
    skill_energy,
)
from services.rules.systems.forge_engine.pools.attack_given import DefenseKind

LAST_GASP, PLEDGE, TAKE_INITIATIVE, TRIP, TAUNT = map(
    martial, ("last-gasp", "leaders-pledge", "take-the-initiative", "trip", "distracting-taunt")
)
OFFENSIVE, DEFENSIVE = effect_id("offensive-stance"), effect_id("defensive-stance")
PLEDGED = 25
"""Feet within which an ally takes heart from a pledge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillAction:
    """A skill that is an action of its own.

    Attributes:
        targets: Whom it may be used on; only oneself where it yields the user alone.
        most: The most energy that it takes at will; 0 where it takes none.
        run: What it does, once whom and how much are known to be allowed.
        expend: Energy that it expends.
    """

    targets: Callable[[Fight, Combatant], Iterator[Combatant]]
    most: Callable[[Fight, Combatant], int]
    run: Callable[[FightTurn, Combatant, Combatant, int], Steps]
    expend: int = 0


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
    action = ACTIONS[move.skill]
    targets = {each.id: each for each in action.targets(fight, one)}
    if (move.target or one.id) not in targets:
        text = "There is no such target."
        refuse("unknown_target", text, SKILLS, ("target",), move.target, tuple(targets))
    most = action.most(fight, one)
    if not min(1, most) <= move.added <= most:
        text = "No more energy is added than attribute and rating allow."
        refuse("added_above_attribute", text, SKILLS, ("added",), move.added, (min(1, most), most))
    yield from action.run(turn, one, targets[move.target or one.id], move.added)


def usable_skills(fight: Fight, one: Combatant) -> tuple[str, ...]:
    """The skills that a combatant can use as an action now."""
    return tuple(skill for skill in ACTIONS if trained(fight, one.id, skill) and _of_use(fight, one, skill))


def _of_use(fight: Fight, one: Combatant, skill: str) -> bool:
    action = ACTIONS[skill]
    if skill in one.once or (skill == TAKE_INITIATIVE and skill in one.uses):
        return False
    if skill == PLEDGE and one.uses.count(PLEDGE) >= one.profile.rating(PLEDGE):
        return False
    if skill == SHIELD_BASH and one.shield() is None:
        return False
    cost = cost_of(fight, one).value
    if action.expend > one.energy or cost + action.expend > one.usable:
        return False
    takes = _always_some(skill)
    return (not takes or action.most(fight, one) > 0) and any(True for _ in action.targets(fight, one))


def _always_some(skill: str) -> bool:
    """Whether a skill takes energy at will."""
    return skill != LAST_GASP


def _oneself(fight: Fight, one: Combatant) -> Iterator[Combatant]:
    yield one


def _foes_within(feet: int) -> Callable[[Fight, Combatant], Iterator[Combatant]]:
    def found(fight: Fight, one: Combatant) -> Iterator[Combatant]:
        far = feet or one.profile.reach
        return (
            each for each in fight.foes(one) if each.life is not Life.DEAD and apart(fight, one, each) <= far
        )

    return found


def _allies(fight: Fight, one: Combatant) -> Iterator[Combatant]:
    """Allies who notice a pledge, each once between two regains."""
    return (
        each
        for each in fight.allies(one)
        if each.up and apart(fight, one, each) <= PLEDGED and f"{PLEDGE}:{each.id}" not in one.uses
    )


def _up_to(skill: str, spent: int = 0) -> Callable[[Fight, Combatant], int]:
    """Energy up to attribute and rating, where both count."""

    def most(fight: Fight, one: Combatant) -> int:
        rating, attribute = one.profile.rating(skill), fight.catalog.martial[skill].energy_by
        cap = rating if attribute is None else min(rating, one.profile.attributes.of(attribute))
        return most_added(fight, one, cap, *([Dice(spent, "spent", SKILLS)] if spent else []))

    return most


def _by_attribute(attribute: Attribute) -> Callable[[Fight, Combatant], int]:
    """Energy up to an attribute; the skill is a die for each, up to its rating."""

    def most(fight: Fight, one: Combatant) -> int:
        return most_added(fight, one, one.profile.attributes.of(attribute))

    return most


def _none(fight: Fight, one: Combatant) -> int:
    return 0


def last_gasp(turn: FightTurn, one: Combatant, target: Combatant, added: int) -> Steps:
    """Expends 1 for bonus energy, as much as Stamina and the rating allow, once in a fight."""
    cost = cost_of(turn.state, one)
    check_energy(one, cost.value, 1)
    pay(turn, one.id, "Last Gasp", cost, expended=1, power=LAST_GASP)
    turn.happen(SkillUsed(who=one.id, skill=LAST_GASP, once=True))
    gained = min(one.profile.attributes.stamina, one.profile.rating(LAST_GASP))
    gain_bonus(turn, one.id, gained, "Last Gasp", next_turn=False)
    yield from ()


def pledge(turn: FightTurn, one: Combatant, target: Combatant, added: int) -> Steps:
    """An ally has the energy that is spent, as bonus energy until the end of its next turn."""
    _spend(turn, one, PLEDGE, added)
    turn.happen(SkillUsed(who=one.id, skill=PLEDGE), SkillUsed(who=one.id, skill=f"{PLEDGE}:{target.id}"))
    gain_bonus(turn, target.id, added, "Leader's Pledge", next_turn=True)
    yield from ()


def take_aim(turn: FightTurn, one: Combatant, target: Combatant, added: int) -> Steps:
    """Each energy spent is a die of the next martial attack."""
    _spend(turn, one, PRECISION, added)
    for effect in on(turn.state.effects, one.id, AIM):
        turn.happen(EffectEnded(effect=effect.id, bearer=one.id, what=AIM))
    turn.happen(EffectBegan(effect=new_effect(turn.state, AIM, one.id, amount=added)))
    yield from ()


def take_initiative(turn: FightTurn, one: Combatant, target: Combatant, added: int) -> Steps:
    """A new roll for initiative, which counts where it is better than the old one."""
    name, skill = turn.state.catalog.martial[TAKE_INITIATIVE].name, one.profile.rating(TAKE_INITIATIVE)
    cost = cost_of(turn.state, one, Dice(added, name, SKILLS))
    pay(turn, one.id, name, cost, added=added, power=TAKE_INITIATIVE)
    turn.happen(SkillUsed(who=one.id, skill=TAKE_INITIATIVE))
    dice = Explained.of(Dice(added, "energy added", SKILLS), Dice(min(added, skill), name, SKILLS))
    (faces,) = yield from turn.roll(pool(turn, "initiative", one.id, name, dice))
    fight = turn.state
    if rank(fight, one.id, faces) > rank(fight, one.id, one.initiative):
        others = [who for who in fight.rounds.order if who != one.id]
        behind = (
            place
            for place, who in enumerate(others)
            if rank(fight, who, fight.find(who).initiative) < rank(fight, one.id, faces)
        )
        place = next(behind, len(others))
        order = (*others[:place], one.id, *others[place:])
        turn.happen(Reordered(who=one.id, faces=faces, order=order))


def trip(turn: FightTurn, one: Combatant, target: Combatant, added: int) -> Steps:
    """Strength or Agility, whichever is higher, against the target's: any success throws it down (R-93)."""
    attribute = max(SKILL_OF, key=one.profile.attributes.of)
    cost = cost_of(turn.state, one, Dice(added, "Trip", SKILLS))
    dice = energy_dice(turn.state, one, attribute, SKILL_OF[attribute], added)
    dice = dice.plus(min(added, one.profile.rating(TRIP)), "Trip", SKILLS)
    pay(turn, one.id, "Trip", cost, added=added, power=TRIP)
    found = yield from opposed_test(turn, one, target, "Trip", dice)
    if found and bears(turn.state, target.id, PRONE) is None:
        fallen = replace(new_effect(turn.state, PRONE, target.id, source=one.id), cause=TRIP)
        turn.happen(EffectBegan(effect=fallen))


def _attack_by(skill: str) -> Callable[[FightTurn, Combatant, Combatant, int], Steps]:
    """A skill that is an attack by itself."""

    def run(turn: FightTurn, one: Combatant, target: Combatant, added: int) -> Steps:
        strike = Strike(id=f"skill-{one.id}", attacker=one.id, skill=skill, targets=(target.id,), added=added)
        check_strike(turn.state, strike)
        yield from strike_through(turn, strike)

    return run


def _spend(turn: FightTurn, one: Combatant, skill: str, energy: int) -> None:
    name = turn.state.catalog.martial[skill].name
    cost = cost_of(turn.state, one, Dice(energy, name, SKILLS))
    check_energy(one, cost.value)
    pay(turn, one.id, name, cost, power=skill)


def _trip_most(fight: Fight, one: Combatant) -> int:
    return _by_attribute(max(SKILL_OF, key=one.profile.attributes.of))(fight, one)


def _taunt_most(fight: Fight, one: Combatant) -> int:
    return most_added(fight, one, skill_energy(fight, one, TAUNT))


ACTIONS: Mapping[str, SkillAction] = {
    LAST_GASP: SkillAction(targets=_oneself, most=_none, run=last_gasp, expend=1),
    PLEDGE: SkillAction(targets=_allies, most=_up_to(PLEDGE), run=pledge),
    PRECISION: SkillAction(targets=_oneself, most=_up_to(PRECISION), run=take_aim),
    TAKE_INITIATIVE: SkillAction(
        targets=_oneself, most=_by_attribute(Attribute.AGILITY), run=take_initiative
    ),
    TRIP: SkillAction(targets=_foes_within(0), most=_trip_most, run=trip),
    TAUNT: SkillAction(
        targets=_foes_within(own_catalog().martial[TAUNT].range), most=_taunt_most, run=_attack_by(TAUNT)
    ),
    SHIELD_BASH: SkillAction(
        targets=_foes_within(own_catalog().martial[SHIELD_BASH].range),
        most=_up_to(SHIELD_BASH, 1),
        run=_attack_by(SHIELD_BASH),
    ),
}
"""Skills that are actions."""


# Stances


def offensive_stance(turn: FightTurn, effect: Effect, window: Declared) -> Declared | None:
    """The bearer's martial attacks: a die for each energy added, up to the rating."""
    strike = window.strike
    if strike.attacker != effect.bearer or not is_martial(strike):
        return None
    counted = min(strike.added, attribute_of(turn.state, strike), effect.amount)
    return (
        window.with_strike(strike.attacking(Dice(counted, "Offensive Stance", SKILLS))) if counted else None
    )


def defensive_stance(turn: FightTurn, effect: Effect, window: Declared) -> Declared | None:
    """Attacks on the bearer's PD: a die more, rating times between two regains."""
    strike, who = window.strike, effect.bearer
    if who not in strike.targets or defense_of(turn.state, strike) is not DefenseKind.PD:
        return None
    if turn.state.find(who).uses.count(DEFENSIVE) >= effect.amount:
        return None
    turn.happen(SkillUsed(who=who, skill=DEFENSIVE))
    return window.with_strike(strike.defending(who, Dice(1, "Defensive Stance", SKILLS)))


def acting(windows: Windows) -> None:
    """Registers what stances do by themselves."""
    windows.acts(OFFENSIVE, Declared, offensive_stance)
    windows.acts(DEFENSIVE, Declared, defensive_stance)
    windows.acts(BODYGUARD, Declared, bodyguards_stance)
