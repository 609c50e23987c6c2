"""Rounds and turns: a turn begins, priority goes round, the next turn begins (Combat Rounds and Turns)."""

from __future__ import annotations

from services.rules.engine.steps import Steps
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.play.effects import POISONED, bears, without_air
from services.rules.systems.forge_engine.play.facts import (
    Bled,
    EffectEnded,
    Healed,
    Passed,
    Stabilized,
    TurnBegan,
)
from services.rules.systems.forge_engine.play.moves import Pass
from services.rules.systems.forge_engine.play.rules import enchantments, mounts, zones
from services.rules.systems.forge_engine.play.rules.attribute_test import (
    ENDURANCE,
    RESIST,
    fixed_test,
    free_dice,
)
from services.rules.systems.forge_engine.play.rules.bonuses import turn_began
from services.rules.systems.forge_engine.play.rules.checks import actor_of, check_fight, check_turn
from services.rules.systems.forge_engine.play.rules.damage import faint_spent
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, regain
from services.rules.systems.forge_engine.play.rules.movement import sink
from services.rules.systems.forge_engine.play.state import Life, Phase

RECOVERY = 10
"""The difficulty of stabilizing and recovering by oneself, and of throwing off venom."""
VENOM = "forge_engine:trait/venomous"
DYING = "Death and Dying / Dying [R-109]"


def pass_priority(turn: FightTurn, move: Pass) -> Steps:
    """Passes priority; where all have passed, the next turn begins (E6)."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_fight(fight)
    check_turn(fight, one)
    turn.happen(Passed(who=one.id, rest=move.rest))
    yield from next_turns(turn)


def settle(turn: FightTurn) -> Steps:
    """What follows a resolved action: the spent fall unconscious, and where all have passed turns begin."""
    faint_spent(turn)
    yield from mounts.unseat(turn)
    yield from next_turns(turn)


def next_turns(turn: FightTurn) -> Steps:
    """Lets turns begin, one after the other, until a combatant has priority or the fight is decided."""
    while turn.state.phase is Phase.FIGHT and not turn.state.over and turn.state.first_waiting() is None:
        fight = turn.state
        if not any(one.up and not one.secret for one in fight.combatants):
            return
        rounds = fight.rounds
        begun = any(one.started for one in fight.combatants)
        staying = frozenset(one.id for one in fight.combatants if one.gone is None)
        following = rounds.following(staying.__contains__) if begun else rounds
        yield from begin_turn(turn, following.whose, following.round)


def begin_turn(turn: FightTurn, who: str, number: int) -> Steps:
    """The start of a turn: effects end, the dying lose health, energy comes back (E5)."""
    first = not turn.state.find(who).started
    sink(turn, who)
    if not first:
        yield from zones.turn_ends(turn, who)
    turn.happen(TurnBegan(who=who, round=number))
    life = turn.state.find(who).life
    if life is Life.DYING:
        yield from bleed(turn, who)
    elif (
        life in (Life.STABILIZED, Life.UNCONSCIOUS) and turn.state.find(who).stable_rounds == 0 and not first
    ):
        yield from recover(turn, who)
    turn_began(turn, who)
    if not first:
        regain(turn, who)
        if bears(turn.state, who, POISONED) is not None:
            yield from _venom(turn, who)
        yield from enchantments.turn_began(turn, who)
        faint_spent(turn)
    yield from mounts.unseat(turn)


def bleed(turn: FightTurn, who: str) -> Steps:
    """The dying lose 1 health, and may stabilize themselves; without energy (H5, R-109)."""
    turn.happen(Bled(who=who))
    one = turn.state.find(who)
    if one.life is Life.DYING and not without_air(turn.state, who):
        dice = free_dice(turn.state, one, Attribute.STAMINA, ENDURANCE)
        done = yield from fixed_test(turn, one, "Stamina (Endurance)", dice, RECOVERY)
        if done:
            turn.happen(Stabilized(who=who))


def recover(turn: FightTurn, who: str) -> Steps:
    """Each minute the unconscious and stable test Endurance: 1 health for each success (H6)."""
    one = turn.state.find(who)
    if one.health > 0:
        return
    dice = free_dice(turn.state, one, Attribute.STAMINA, ENDURANCE)
    done = yield from fixed_test(turn, one, "Stamina (Endurance)", dice, RECOVERY)
    if done:
        turn.happen(Healed(who=who, amount=done))


def _venom(turn: FightTurn, who: str) -> Steps:
    """Once a turn the Poisoned may throw the venom of a creature off; without energy (N10)."""
    one, effect = turn.state.find(who), bears(turn.state, who, POISONED)
    if effect is None or effect.cause != VENOM or not one.up:
        return
    dice = free_dice(turn.state, one, Attribute.STAMINA, RESIST)
    done = yield from fixed_test(turn, one, "Stamina (Resist)", dice, RECOVERY)
    if done:
        turn.happen(EffectEnded(effect=effect.id, bearer=who, what=effect.kind))
