"""Folds one fact into the state: no dice, no choice, no failure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.rules.engine import effects as lasting
from services.rules.engine.plain import with_one
from services.rules.systems.fortunate_blades.harm import lessened
from services.rules.systems.fortunate_blades.play import effects
from services.rules.systems.fortunate_blades.play.causes import Cause
from services.rules.systems.fortunate_blades.play.facts import (
    Acted,
    ActionGiven,
    BackedOut,
    ClockMoved,
    ClockStarted,
    ClockUncovered,
    ConsequenceCame,
    EncounterEnded,
    EnemiesActed,
    Engaged,
    Fact,
    FollowersLost,
    FortuneGained,
    FortunePrepared,
    FortuneSpent,
    GroupCalled,
    Harmed,
    HarmHealed,
    Lifted,
    LuckPassedOn,
    Marked,
    NumbersSet,
    Positioned,
    PreparedSpent,
    Resolved,
    Rested,
    Retired,
    Revived,
    RollCalled,
    RollOver,
    RoundEnded,
    TalentUsed,
    ToolLost,
    ToolUsed,
    Trained,
    WentOut,
)
from services.rules.systems.fortunate_blades.play.state import CalledRoll, Encounter, Prepared, Standing


def evolve(state: Encounter, fact: Fact) -> Encounter:
    """The state after a fact."""
    match fact:
        case RollCalled():
            return replace(state, rolls=(*state.rolls, _called(fact)))
        case GroupCalled():
            return _group_called(state, fact)
        case Resolved(hero=who):
            return changed(state, who, result=fact.result)
        case Lifted(helper=who):
            return changed(state, who, lifted=(*state.hero(who).lifted, fact.hero))
        case NumbersSet():
            return _numbered(state, fact)
        case BackedOut(hero=who):
            return replace(state, rolls=_other_rolls(state, who))
        case RollOver(hero=who):
            return _roll_over(state, who)
        case FortuneSpent(hero=who, points=points):
            return changed(state, who, fortune=max(state.hero(who).fortune - points, 0))
        case FortuneGained(hero=who, points=points):
            return changed(state, who, fortune=state.hero(who).fortune + points)
        case PreparedSpent():
            return changed(state, fact.hero, prepared=_without(state.hero(fact.hero).prepared, fact))
        case TalentUsed(hero=who):
            return changed(state, who, used=(*state.hero(who).used, fact.talent))
        case ToolUsed() | ToolLost() | FollowersLost():
            return _lost(state, fact)
        case Rested(hero=who):
            return changed(state, who, rests=state.hero(who).rests + 1)
        case Trained(hero=who):
            return changed(state, who, trained=(*state.hero(who).trained, fact.track))
        case FortunePrepared(hero=who):
            laid_by = Prepared(event=fact.event, points=fact.points)
            return changed(state, who, prepared=_laid_by(state.hero(who).prepared, laid_by))
        case Acted():
            return changed(state, fact.hero, acted=True)
        case ActionGiven() | Positioned() | Harmed() | LuckPassedOn():
            return _begun(state, fact)
        case HarmHealed():
            return _healed(state, fact)
        case ConsequenceCame():
            return replace(state, last=fact.consequence.value)
        case ClockStarted() | ClockUncovered() | ClockMoved() | EnemiesActed():
            return _clocks(state, fact)
        case Marked(hero=who):
            ran_out = fact.cause is Cause.FORTUNE_RAN_OUT
            standing = Standing.OUT_OF_ENCOUNTER if ran_out else Standing.OUT_OF_QUEST
            return changed(state, who, marks=(*state.hero(who).marks, fact.words), standing=standing)
        case Revived() | Retired() | WentOut():
            return _gone(state, fact)
        case Engaged():
            return replace(state, engaged=True)
        case RoundEnded():
            return _next_round(state)
        case EncounterEnded():
            return replace(state, ended=fact.words, won=fact.won, rolls=())
        case _:
            return state


def changed(state: Encounter, who: str, **changes: Any) -> Encounter:
    """The state with a hero who is otherwise."""
    return replace(state, heroes=with_one(state.heroes, who, **changes))


def _called(fact: RollCalled) -> CalledRoll:
    return CalledRoll(hero=fact.hero, attribute=fact.attribute, risk=fact.risk, shown=fact.shown)


def _group_called(state: Encounter, fact: GroupCalled) -> Encounter:
    roll = CalledRoll(hero="", attribute=None, risk=fact.risk, shown=fact.shown)
    return replace(state, rolls=(roll,), heroes=tuple(replace(each, lifted=()) for each in state.heroes))


def _numbered(state: Encounter, fact: NumbersSet) -> Encounter:
    rolls = tuple(
        replace(each, close=fact.close, clear=fact.clear) if each.hero == fact.hero else each
        for each in state.rolls
    )
    return replace(state, rolls=rolls)


def _roll_over(state: Encounter, who: str) -> Encounter:
    """The state when a hero's roll is over, and with it what lasted for one roll."""
    moments = (lasting.Used(who, effects.POSITIONED), lasting.Used(who, effects.LUCKY_NEXT))
    return replace(
        state,
        rolls=_other_rolls(state, who),
        effects=lasting.going_on(state.effects, effects.EFFECTS, *moments),
    )


def _other_rolls(state: Encounter, who: str) -> tuple[CalledRoll, ...]:
    return tuple(each for each in state.rolls if each.hero != who)


def _laid_by(prepared: tuple[Prepared, ...], new: Prepared) -> tuple[Prepared, ...]:
    """Prepared Fortune with some more: one entry for each event."""
    if all(each.event != new.event for each in prepared):
        return (*prepared, new)
    return tuple(
        replace(each, points=each.points + new.points) if each.event == new.event else each
        for each in prepared
    )


def _without(prepared: tuple[Prepared, ...], fact: PreparedSpent) -> tuple[Prepared, ...]:
    left, found = fact.points, []
    for each in prepared:
        taken = min(left, each.points) if each.event == fact.event else 0
        left -= taken
        found.append(replace(each, points=each.points - taken))
    return tuple(each for each in found if each.points)


def _lost(state: Encounter, fact: ToolUsed | ToolLost | FollowersLost) -> Encounter:
    """The state without a thing, without one use of it, or without the party's people."""
    if isinstance(fact, FollowersLost):
        left_over = tuple(each for each in state.advantages if each != fact.advantage)
        return replace(state, advantages=left_over)
    tools = state.hero(fact.hero).tools
    if isinstance(fact, ToolLost):
        return changed(state, fact.hero, tools=tuple(each for each in tools if each.id != fact.tool))
    left = {each.id: each.uses for each in tools}[fact.tool]
    return changed(state, fact.hero, tools=with_one(tools, fact.tool, uses=max((left or 0) - 1, 0)))


def _begun(state: Encounter, fact: ActionGiven | Positioned | Harmed | LuckPassedOn) -> Encounter:
    """The state with something more that lasts."""
    number = state.begun + 1
    match fact:
        case ActionGiven():
            new = effects.busy(fact.helper, fact.rounds)
        case Positioned():
            new = effects.positioned(number, fact.hero, fact.steps, fact.lasts, fact.words)
        case Harmed():
            new = effects.harm(number, fact.hero, fact.level, fact.group, fact.words, fact.levels)
        case LuckPassedOn():
            new = effects.lucky_next(number, fact.hero)
    return replace(state, begun=number, effects=(*state.effects, new))


def _healed(state: Encounter, fact: HarmHealed) -> Encounter:
    """A Harm one level less, in its place; or gone."""
    found = []
    for effect in state.effects:
        if effect.id != fact.harm:
            found.append(effect)
            continue
        ((_, level, group),) = effects.harms_of((effect,), fact.hero)
        less = lessened(level, 1)
        if less is not None:
            found.append(replace(effect, kind=effects.harm_kind(less, group)))
    return replace(state, effects=tuple(found))


def _clocks(state: Encounter, fact: ClockStarted | ClockUncovered | ClockMoved | EnemiesActed) -> Encounter:
    clocks = state.clocks
    match fact:
        case ClockStarted():
            clocks = (*clocks, fact.clock)
        case ClockUncovered():
            clocks = tuple(each for each in clocks if each.id != fact.clock)
        case ClockMoved():
            clocks = tuple(
                replace(each, filled=each.ticked(fact.ticks)) if each.id == fact.clock else each
                for each in clocks
            )
        case EnemiesActed():
            clocks = with_one(clocks, fact.clock, acted=True)
    return replace(state, clocks=clocks)


def _gone(state: Encounter, fact: Revived | Retired | WentOut) -> Encounter:
    match fact:
        case Revived():
            # Marks start again at none (P20).
            return changed(state, fact.hero, standing=Standing.REVIVED, marks=())
        case Retired():
            standing = Standing.RETIRED if fact.at_once else Standing.RETIRING
            return changed(state, fact.hero, standing=standing)
        case WentOut():
            return changed(state, fact.hero, standing=Standing.DEAD)


def _next_round(state: Encounter) -> Encounter:
    return replace(
        state,
        round=state.round + 1,
        heroes=tuple(replace(each, acted=False) for each in state.heroes),
        clocks=tuple(replace(each, acted=False) for each in state.clocks),
        effects=lasting.going_on(state.effects, effects.EFFECTS, lasting.RoundEnded()),
    )
