"""Treating the dying, the hurt and the dead, and rests (Death and Dying; Healing; Resting)."""

from __future__ import annotations

from services.rules.engine.steps import Step, Steps, refuse
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.play.effects import without_air
from services.rules.systems.forge_engine.play.evolve import ROUNDS_A_MINUTE
from services.rules.systems.forge_engine.play.facts import Healed, Rested, Revived, Stabilized, TimePassed
from services.rules.systems.forge_engine.play.moves import Care, Rest, RestKind, Treat, Wait
from services.rules.systems.forge_engine.play.rules.attribute_test import (
    FIRST_AID,
    MEDICINE,
    fixed_test,
    paid_dice,
    worded,
)
from services.rules.systems.forge_engine.play.rules.checks import (
    actor_of,
    check_calm,
    check_free,
    check_turn,
)
from services.rules.systems.forge_engine.play.rules.damage import SUMMONED
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.rules.rounds import bleed, recover
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life

HEALING = "Healing [R-108]"
DYING = "Death and Dying / Dying"
DEAD = "Death and Dying / Dead [R-58]"
RESTING = "Resting [R-70]"
BY = {FIRST_AID: Attribute.ACUITY, MEDICINE: Attribute.INTELLIGENCE}
"""The skills that treat, and the attributes that they go by."""
STABILIZE, HEAL, HEAL_ONESELF, REVIVE = 8, 8, 9, 10
"""Difficulties."""
LONG_MINUTES = 480
MOST_MINUTES = 100_000


def treat(turn: FightTurn, move: Treat) -> Steps:
    """First Aid or Medicine."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    patient = fight.get(move.patient)
    if (
        patient is None
        or patient not in tuple(fight.known(one))
        or patient.gone is not None
        or patient.vehicle
    ):
        refuse("unknown_target", "There is no such patient.", HEALING, ("patient",), move.patient)
    if move.skill not in BY:
        refuse("skill_unfit", "By First Aid or Medicine.", HEALING, ("skill",), move.skill, tuple(BY))
    check_care(fight, one, patient, move.goal)
    difficulty, required = care(one, patient, move.goal)
    dice = paid_dice(turn, one, BY[move.skill], move.skill, move.added)
    what = worded(turn.state.catalog, BY[move.skill], move.skill)
    found = yield from fixed_test(turn, one, what, dice, difficulty, required)
    if not found:
        return
    match move.goal:
        case Care.STABILIZE:
            turn.happen(Stabilized(who=patient.id))
        case Care.HEAL:
            turn.happen(Healed(who=patient.id, amount=found, physical=True, source=one.id))
        case Care.REVIVE:
            turn.happen(Revived(who=patient.id))


def check_care(fight: Fight, one: Combatant, patient: Combatant, goal: Care) -> None:
    """Refuses care that the patient does not need, or that takes longer than there is time for."""
    match goal:
        case Care.STABILIZE:
            if patient.life is not Life.DYING:
                refuse("not_dying", f"{patient.name} is not dying.", DYING, ("patient",), patient.life.value)
            if without_air(fight, patient.id):
                text = f"{patient.name} cannot be stabilized without air."
                refuse("without_air", text, "Suffocating and Drowning", ("patient",))
        case Care.HEAL:
            check_calm(fight)
            if patient.life is Life.DEAD:
                refuse("dead", f"{patient.name} is dead.", HEALING, ("patient",))
            if patient.treated:
                text = f"{patient.name} was healed so since the last encounter."
                refuse("treated_already", text, HEALING, ("patient",))
        case Care.REVIVE:
            check_calm(fight)
            if patient.life is not Life.DEAD:
                refuse("not_dead", f"{patient.name} is not dead.", DEAD, ("patient",), patient.life.value)


def care(one: Combatant, patient: Combatant, goal: Care) -> tuple[int, int]:
    """What a die must reach, and how many must: for the dead one for each minute (H5, H7, H8)."""
    match goal:
        case Care.STABILIZE:
            return STABILIZE, 1
        case Care.HEAL:
            return (HEAL_ONESELF if one.id == patient.id else HEAL), 1
        case Care.REVIVE:
            return REVIVE, max(1, patient.dead_minutes)


def rest(turn: FightTurn, move: Rest) -> Steps:
    """A rest: a short one works at its end alone, a long one by what was rested of it (H9, H10, R-59)."""
    fight = turn.state
    check_calm(fight)
    for index, who in enumerate(move.who):
        if fight.get(who) is None:
            refuse("unknown_target", "There is no such combatant.", RESTING, ("who", index), who)
    if not move.who or len(set(move.who)) < len(move.who):
        refuse("named_twice", "Name those who rest, each once.", RESTING, ("who",))
    if move.minutes is not None and not 0 <= move.minutes < LONG_MINUTES:
        refuse("time_out_of_range", "It was no rest, or a whole one.", RESTING, ("minutes",), move.minutes)
    for who in move.who:
        if fight.find(who).life is not Life.DEAD and not fight.find(who).vehicle:
            turn.happen(rest_of(fight, who, move.length, move.minutes))
    yield from ()


def rest_of(fight: Fight, who: str, length: RestKind, minutes: int | None = None) -> Rested:
    """What a rest restores to a combatant, without the energy that creatures of theirs still hold."""
    one = fight.find(who)
    health, energy = rested(one, length, minutes)
    energy = min(energy, max(0, one.expended - locked(fight, who)))
    return Rested(who=who, length=length, health=health, energy=energy)


def locked(fight: Fight, who: str) -> int:
    """Energy that a combatant expended on creatures which are still there, and that does not come back."""
    return sum(each.amount for each in fight.effects if each.kind == SUMMONED and each.source == who)


def rested(one: Combatant, kind: RestKind, minutes: int | None = None) -> tuple[int, int]:
    """Health and expended energy that a rest restores.

    The dying rest no more than the dead: they must be stabilized first.
    """
    if one.life in (Life.DYING, Life.DEAD):
        return 0, 0
    missing = one.profile.health - one.health
    if kind is RestKind.LONG:
        if minutes is None:
            return missing, one.expended
        return missing * minutes // LONG_MINUTES, one.expended * minutes // LONG_MINUTES
    if minutes is not None:
        return 0, 0
    stamina = one.profile.attributes.stamina
    if one.life is Life.UP:
        return min(missing, one.profile.rest_health), min(one.expended, stamina)
    return max(0, 1 - one.health), min(one.expended, max(1, stamina))


def wait(turn: FightTurn, move: Wait) -> Steps:
    """Time passes: the dead are dead for longer, the dying lose health, the stable may recover (H6)."""
    check_calm(turn.state)
    if not 1 <= move.minutes <= MOST_MINUTES:
        refuse("time_out_of_range", "At least a minute passes.", RESTING, ("minutes",), move.minutes)
    turn.happen(TimePassed(minutes=move.minutes))
    for one in turn.state.combatants:
        yield from _waited(turn, one.id, move.minutes)


def _waited(turn: FightTurn, who: str, minutes: int) -> Step[None]:
    for _ in range(min(minutes, LONG_MINUTES)):
        for _ in range(ROUNDS_A_MINUTE):
            if turn.state.find(who).life is Life.DYING:
                yield from bleed(turn, who)
        one = turn.state.find(who)
        if one.life not in (Life.STABILIZED, Life.UNCONSCIOUS) or one.health > 0:
            return
        yield from recover(turn, who)
