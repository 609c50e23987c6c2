"""A rest between encounters: two actions each, where the game master says it is safe enough (O)."""

from __future__ import annotations

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import Roll
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.fortunate_blades.harm import lessened
from services.rules.systems.fortunate_blades.play.attempt import Attempt
from services.rules.systems.fortunate_blades.play.causes import Why
from services.rules.systems.fortunate_blades.play.effects import harms_of
from services.rules.systems.fortunate_blades.play.facts import (
    FortuneGained,
    FortunePrepared,
    HarmHealed,
    Rested,
    RollOver,
    Trained,
)
from services.rules.systems.fortunate_blades.play.moves import (
    Loot,
    Prepare,
    Recover,
    RestMove,
    TellStory,
    Train,
    WorkOn,
)
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.call import called_for
from services.rules.systems.fortunate_blades.play.rules.consequences import consequences_of, move_clock
from services.rules.systems.fortunate_blades.play.rules.dice import thrown
from services.rules.systems.fortunate_blades.play.rules.fortune import sum_of
from services.rules.systems.fortunate_blades.play.state import REST_ACTIONS, Activity, Hero, Safety
from services.rules.systems.fortunate_blades.play.windows import GameTurn
from services.rules.systems.fortunate_blades.terms import Attribute, Quantity

RULE = "Taking a Rest"
STORY_DIE = 4
"""Sides of the die of a story, and one more Fortune (O4)."""
PROJECT_TICKS = 2
"""Ticks of work on a project: a standard Effect, without a roll (P30)."""


def rest(turn: GameTurn, move: RestMove) -> Steps:
    """One action of a rest; where it is risky, the game master may call for a roll first."""
    state = turn.state
    hero = state.hero(move.actor)
    if state.rest is None or state.rest is Safety.UNSAFE:
        refuse("cannot_rest_here", "It is not safe to rest here.", RULE, ("kind",))
    if hero.rests >= REST_ACTIONS:
        text = f"A rest has {REST_ACTIONS} actions each."
        refuse("too_many_rest_actions", text, RULE, ("actor",), hero.rests + 1, REST_ACTIONS)
    _check(turn, hero, move)
    activity = activity_of(move)
    if state.rest is Safety.RISKY:
        yield from _risked(turn, hero)
        if turn.state.find(hero.id) is None:
            return
    yield from _done(turn, turn.state.hero(hero.id), move)
    turn.happen(Rested(hero=hero.id, activity=activity, words=getattr(move, "words", "")))


def activity_of(move: RestMove) -> Activity:
    """What a move of a rest is."""
    match move:
        case Loot():
            return Activity.LOOT
        case TellStory():
            return Activity.STORY
        case Recover():
            return Activity.RECOVER
        case Train():
            return Activity.TRAIN
        case Prepare():
            return Activity.PREPARE
        case WorkOn():
            return Activity.PROJECT
    return Activity.NOTHING


def _check(turn: GameTurn, hero: Hero, move: RestMove) -> None:
    """Refuses what cannot be done: Harm that is not there or has nowhere to go, a clock that is none."""
    state = turn.state
    match move:
        case Recover():
            found = [each for each in harms_of(state.effects, move.target) if each[0].id == move.harm]
            if not found or state.find(move.target) is None:
                refuse("unknown_target", "There is no such Harm.", RULE, ("harm",), move.harm)
            less = lessened(found[0][1], 1)
            if less is not None and state.slots(move.target)[less] >= state.hero(move.target).slots[less]:
                text = "There is no room in the row below."
                refuse("lower_row_full", text, f"{RULE} [P15]", ("harm",), move.harm)
        case Prepare():
            if not move.event.strip():
                refuse("event_without_name", "It is prepared for something.", RULE, ("event",))
        case WorkOn():
            able = tuple(each.id for each in state.projects())
            if move.clock not in able:
                text = "There is no such project."
                refuse("unknown_target", text, RULE, ("clock",), move.clock, able)


def _risked(turn: GameTurn, hero: Hero) -> Steps:
    """A risk that is run by resting: a roll, if the game master calls for one, and what it brings."""
    best = max(Attribute, key=lambda each: hero.attributes[each])
    risk = yield from called_for(turn, Attempt(hero=hero.id, attribute=best), aiding=True)
    if risk is not None and not risk.free:
        outcome = yield from thrown(turn, risk)
        yield from consequences_of(turn, risk, outcome)
        turn.happen(RollOver(hero=hero.id))


def _done(turn: GameTurn, hero: Hero, move: RestMove) -> Steps:
    """What an action of a rest does, with what talents add (O3 to O8)."""
    match move:
        case TellStory():
            yield from _told(turn, hero)
        case Recover():
            _healed(turn, move, 1 + sum_of(hero, Quantity.RECOVER, turn))
        case Train():
            turn.happen(Trained(hero=hero.id, track=move.track))
        case Prepare():
            points = 1 + sum_of(hero, Quantity.PREPARE, turn)
            turn.happen(FortunePrepared(hero=hero.id, event=move.event.strip(), points=points))
        case WorkOn():
            move_clock(turn, move.clock, PROJECT_TICKS + sum_of(hero, Quantity.PROJECT, turn))


def _told(turn: GameTurn, hero: Hero) -> Steps:
    """A story brings a die and one more, and what the game master adds to an awesome one."""
    dice = Explained.of(Part(1, "A story", "Telling Stories"))
    ((face,),) = yield from turn.roll(
        Roll(id=f"story:{hero.id}", actor=hero.id, label="A story", dice=dice, sides=STORY_DIE)
    )
    (reward,) = yield from turn.ask(asks.reward(turn.state, hero.id))
    points = face + 1 + sum_of(hero, Quantity.GAIN_STORY, turn) + reward.points
    turn.happen(FortuneGained(hero=hero.id, points=points, why=Why.STORY))


def _healed(turn: GameTurn, move: Recover, levels: int) -> None:
    """A Harm some levels less, as far as there is room for it."""
    for _ in range(levels):
        found = [each for each in harms_of(turn.state.effects, move.target) if each[0].id == move.harm]
        if not found:
            return
        less = lessened(found[0][1], 1)
        slots, filled = turn.state.hero(move.target).slots, turn.state.slots(move.target)
        if less is not None and filled[less] >= slots[less]:
            return
        turn.happen(HarmHealed(hero=move.target, harm=move.harm))
