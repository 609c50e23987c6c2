"""Dangers of the place (Environmental Hazards; J1 to J9): their figures are content, read here."""

from __future__ import annotations

from services.rules.engine.content import content_id
from services.rules.engine.explain import Part
from services.rules.engine.frozen import replace
from services.rules.engine.steps import Step, Steps, refuse
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.play.effects import bears, condition_ids, new_effect, traits_of
from services.rules.systems.forge_engine.play.facts import Climbed, EffectBegan
from services.rules.systems.forge_engine.play.moves import Endanger
from services.rules.systems.forge_engine.play.rules.attribute_test import fixed_test, free_dice, worded
from services.rules.systems.forge_engine.play.rules.damage import collapse, hurt
from services.rules.systems.forge_engine.play.rules.dice import pool, read_pool
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.pools.attack_given import AttackGiven, AttackKind, DefenseGiven
from services.rules.systems.forge_engine.pools.attack_pool import AttackPools, attack_pools
from services.rules.systems.forge_engine.skills import SkillPair
from services.rules.systems.forge_engine.traits import MovementKind
from services.rules.systems.forge_engine.world import Hazard, HazardLevel, HazardStage

HAZARDS = "Environmental Hazards"
MOST_FEET, MOST_DAYS = 100_000, 1_000
BLUDGEONING, FIRE = content_id(SLUG, "damage", "bludgeoning"), content_id(SLUG, "damage", "fire")
EDGE = 5
"""Feet short of the far side at which a jump reaches its edge."""


def endanger(turn: FightTurn, move: Endanger) -> Steps:
    """A hazard: what it is made of says which of these it does."""
    fight = turn.state
    one = fight.get(move.who)
    hazard = turn.state.catalog.hazards.get(move.hazard)
    if one is None:
        refuse("unknown_target", "There is no such combatant.", HAZARDS, ("who",), move.who)
    if hazard is None:
        refuse("id_unknown", "There is no such hazard.", HAZARDS, ("hazard",), move.hazard)
    if one.life is Life.DEAD:
        refuse("dead", f"{one.name} is dead.", HAZARDS, ("who",))
    level = _level(hazard, move)
    if not 0 <= move.feet <= MOST_FEET or not 0 <= move.days <= MOST_DAYS or not -10 <= move.harder <= 10:
        refuse("out_of_range", "That is out of all bounds.", HAZARDS, ("feet",), move.feet)
    if hazard.fringe_pd:
        yield from _explosion(turn, one, hazard, level, move)
    elif hazard.stages and hazard.interval_seconds:
        yield from _exposure(turn, one, hazard, move)
    elif hazard.feet_per_success:
        yield from _climb(turn, one, hazard, level, move)
    elif hazard.reduces:
        yield from _impact(turn, one, hazard, level, move)
    else:
        for condition in _brought(hazard.stages[0]):
            _begin(turn, one.id, condition)


def _level(hazard: Hazard, move: Endanger) -> HazardLevel | None:
    if not hazard.levels:
        return None
    level = next((each for each in hazard.levels if each.name == move.level), None)
    names = tuple(each.name for each in hazard.levels)
    return level or refuse(
        "level_unknown", "It comes in other strengths.", HAZARDS, ("level",), move.level, names
    )


def test_of(fight: Fight, one: Combatant, hazard: Hazard, skill: str) -> SkillPair:
    """The test that a combatant makes: the one that was named, or the one with the most dice."""
    named = (pair for pair in hazard.tests if pair.skill == skill)
    return next(named, None) or max(
        hazard.tests, key=lambda pair: free_dice(fight, one, pair.attribute, pair.skill).value
    )


def _tested(
    turn: FightTurn, one: Combatant, pair: SkillPair, difficulty: int, required: int = 1
) -> Step[int]:
    """A test against a hazard; it takes no energy."""
    dice = free_dice(turn.state, one, pair.attribute, pair.skill)
    what = worded(turn.state.catalog, pair.attribute, pair.skill)
    return (yield from fixed_test(turn, one, what, dice, difficulty, required))


def _difficulty(hazard: Hazard, level: HazardLevel | None, move: Endanger) -> int:
    own = hazard.difficulty if level is None or level.difficulty is None else level.difficulty
    return min(10, max(2, (own or 8) + move.harder))


def _impact(
    turn: FightTurn, one: Combatant, hazard: Hazard, level: HazardLevel | None, move: Endanger
) -> Steps:
    """A fall or fire: damage, less by 1 for each success (J7, J8, R-119)."""
    damage = move.feet // hazard.feet_per_damage if hazard.feet_per_damage else 0
    if level is not None and level.damage is not None:
        damage = level.damage
    if hazard.feet_per_damage:
        turn.happen(Climbed(who=one.id, what="falls", feet=move.feet))
    found = 0
    if one.life is Life.UP:
        pair = test_of(turn.state, one, hazard, move.skill)
        found = yield from _tested(turn, one, pair, _difficulty(hazard, level, move))
    left = max(0, damage - hazard.reduces * found)
    hurt(turn, one.id, left, BLUDGEONING if hazard.feet_per_damage else FIRE, hazard.name)


def _climb(
    turn: FightTurn, one: Combatant, hazard: Hazard, level: HazardLevel | None, move: Endanger
) -> Steps:
    """A climb, or a jump over a gap: 5 feet for each success (J1, J9, R-102)."""
    pair = test_of(turn.state, one, hazard, move.skill)
    required = 1 if level is None else level.required
    jump = hazard.difficulty is not None
    if not jump and climbs(turn.state, one):
        turn.happen(Climbed(who=one.id, what="climbs", feet=one.profile.speed))
        return
    found = yield from _tested(turn, one, pair, _difficulty(hazard, level, move), required)
    if not jump:
        turn.happen(Climbed(who=one.id, what="climbs", feet=hazard.feet_per_success * found))
        return
    feet = hazard.feet_per_success * min(found, one.profile.attributes.of(pair.attribute))
    turn.happen(Climbed(who=one.id, what="jumps", feet=feet))
    if move.feet and feet == move.feet - EDGE:
        edge = next(each for each in hazard.levels if each.name.startswith("Holding"))
        yield from _tested(turn, one, pair, edge.difficulty or 8)


def climbs(fight: Fight, one: Combatant) -> bool:
    """Whether walls are floor to a body, so that it moves there at its speed (Climber)."""
    bodies = (trait.movement for trait in traits_of(fight, one))
    return any(body is not None and body.kind is MovementKind.CLIMB for body in bodies)


def explosion_pools(fight: Fight, one: Combatant, hazard: Hazard, dice: int, *, fringe: bool) -> AttackPools:
    """The pools of an explosion and of one who is caught in it (J6, R-12)."""
    parts = (Part(hazard.fringe_pd, "at the fringe", f"{HAZARDS} / Explosions [R-12]"),) if fringe else ()
    attack = AttackGiven(attribute=1, rating=dice, kind=AttackKind.RANGED, area=True)
    defense = DefenseGiven(
        dice=one.profile.pd, traits=one.profile.traits, conditions=condition_ids(fight, one.id)
    )
    return attack_pools(attack, defense, fight.catalog, defense_parts=parts)


def _explosion(
    turn: FightTurn, one: Combatant, hazard: Hazard, level: HazardLevel | None, move: Endanger
) -> Steps:
    """An explosion attacks PD; every success is 1 damage."""
    dice = 0 if level is None else level.attack_dice or 0
    pools = explosion_pools(turn.state, one, hazard, dice, fringe=move.fringe)
    action, defense = yield from turn.roll(
        pool(turn, "explosion", one.id, hazard.name, pools.action),
        pool(turn, "defense", one.id, "Defense", pools.defense),
    )
    hurt(turn, one.id, read_pool(turn, action, defense).successes, BLUDGEONING, hazard.name)


# Heat, cold, suffocation, thirst and hunger


def stage_of(fight: Fight, who: str, hazard: Hazard) -> int:
    """How many tests of a hazard a combatant has failed."""
    worst = 0
    for number, stage in enumerate(hazard.stages, start=1):
        if stage.conditions and all(
            (effect := bears(fight, who, condition)) is not None and effect.cause == hazard.id
            for condition in stage.conditions
        ):
            worst = number
    return worst


def automatic_failures(hazard: Hazard, days: int, *, water: bool) -> int:
    """How many tests fail by themselves after days without water (R-101)."""
    return sum(days >= day for day in hazard.automatic) if water else 0


def _exposure(turn: FightTurn, one: Combatant, hazard: Hazard, move: Endanger) -> Steps:
    """One more test of a hazard that wears down: each failure is worse than the last (J2 to J4, R-101)."""
    failed = stage_of(turn.state, one.id, hazard)
    certain = automatic_failures(hazard, move.days, water=move.water)
    if certain <= failed:
        pair = test_of(turn.state, one, hazard, move.skill)
        found = yield from _tested(turn, one, pair, _difficulty(hazard, None, move))
        if found:
            return
    for number in range(failed, max(certain, failed + 1)):
        _worsen(turn, one.id, hazard, min(number, len(hazard.stages) - 1))


def _worsen(turn: FightTurn, who: str, hazard: Hazard, stage: int) -> None:
    found = hazard.stages[stage]
    for condition in _brought(found):
        _begin(turn, who, condition, hazard.id)
    if found.dying:
        collapse(turn, who)


def _brought(stage: HazardStage) -> tuple[str, ...]:
    return stage.conditions


def _begin(turn: FightTurn, who: str, condition: str, cause: str = "") -> None:
    """A condition of a hazard; it is not shaken off as long as the hazard goes on."""
    known = bears(turn.state, who, condition)
    if known is not None and known.cause == cause:
        return
    effect = replace(new_effect(turn.state, condition, who), cause=cause)
    turn.happen(EffectBegan(effect=effect))
