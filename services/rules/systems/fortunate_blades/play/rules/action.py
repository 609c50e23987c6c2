"""What heroes do: the Engagement Roll, the action roll, and what it does to clocks (The Roll; A, C)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.effects import Until
from services.rules.engine.steps import Step, Steps, refuse
from services.rules.systems.fortunate_blades.impact import Impact
from services.rules.systems.fortunate_blades.play.attempt import Attempt, harm_price, impact
from services.rules.systems.fortunate_blades.play.causes import Cause, Why
from services.rules.systems.fortunate_blades.play.facts import (
    Acted,
    BackedOut,
    BargainAnswered,
    EffectHad,
    Engaged,
    FollowersLost,
    FortuneGained,
    Positioned,
    PreparedSpent,
    Resolved,
    RollOver,
    TalentUsed,
    ToolUsed,
    Tried,
)
from services.rules.systems.fortunate_blades.play.moves import Act, BackOut, Commit, Engage, TakeMark
from services.rules.systems.fortunate_blades.play.renown import followers
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.call import called_for, tell_numbers
from services.rules.systems.fortunate_blades.play.rules.consequences import (
    Due,
    consequences,
    consequences_of,
    move_clock,
)
from services.rules.systems.fortunate_blades.play.rules.dice import thrown
from services.rules.systems.fortunate_blades.play.rules.fortune import (
    add_points,
    natural_20,
    price_of,
    spend,
    sum_of,
)
from services.rules.systems.fortunate_blades.play.rules.marks import marked
from services.rules.systems.fortunate_blades.play.windows import (
    GameTurn,
    HelpWanted,
    PriceWanted,
    Succeeded,
    catalog_of,
)
from services.rules.systems.fortunate_blades.rolls import Outcome, Result
from services.rules.systems.fortunate_blades.terms import Quantity, TalentUse

CLEAR = Outcome(total=0, natural=0, result=Result.CLEAR, consequence=False, double_effect=False)
"""What is cleared without a die."""


def act(turn: GameTurn, move: Act) -> Steps:
    """A hero does something; where it can be done, their turn in this round is over."""
    state = turn.state
    if not state.engaged:
        refuse("not_engaged", "The Engagement Roll comes first.", "Playing The Game")
    if not state.may_act(move.actor):
        refuse("not_your_turn", "They have no action left in this round.", "Combat", ("actor",), move.actor)
    targets = tuple(each.id for each in state.targets())
    if move.clock and move.clock not in targets:
        refuse("unknown_target", "There is no such clock.", "Clocks", ("clock",), move.clock, targets)
    hero = state.hero(move.actor)
    if move.tool and hero.tool(move.tool) is None:
        refuse("tool_missing", "They have no such thing at hand.", "Gear", ("tool",), move.tool)
    turn.happen(
        Tried(
            hero=move.actor,
            attribute=move.attribute,
            clock=move.clock,
            tool=move.tool or "",
            words=move.words,
        )
    )
    attempt = Attempt(hero=move.actor, attribute=move.attribute, clock=move.clock, tool=move.tool or "")
    result = yield from attempted(turn, attempt)
    if result is not None:
        turn.happen(Acted(hero=move.actor))


def engage(turn: GameTurn, move: Engage) -> Steps:
    """One hero opens the encounter for all: Clear makes the first round one set easier, a Miss has a
    consequence at once (P10).
    """
    if turn.state.engaged:
        refuse("engaged", "The Engagement Roll has been made.", "Playing The Game [P10]")
    turn.happen(Tried(hero=move.actor, attribute=move.attribute, words=move.words))
    attempt = yield from called_for(turn, Attempt(hero=move.actor, attribute=move.attribute))
    attempt = None if attempt is None else (yield from committed(turn, attempt))
    if attempt is None:
        return
    outcome = yield from _outcome(turn, attempt)
    turn.happen(Engaged(hero=move.actor))
    if outcome.result is Result.CLEAR:
        for hero in turn.state.present():
            turn.happen(Positioned(hero=hero.id, steps=-1, lasts=Until.ROUNDS))
    if outcome.result is Result.MISS:
        yield from consequences(turn, Due(1))
    if not attempt.free:
        turn.happen(RollOver(hero=move.actor))
    if attempt.mark is not None:
        yield from marked(turn, move.actor, Cause.CLEAR_A_ROLL, attempt.mark)


def attempted(turn: GameTurn, attempt: Attempt) -> Step[Result | None]:
    """An attempt from the game master's call to what it does.

    Returns:
        How it went; None where it was not made after all.
    """
    called = yield from called_for(turn, attempt)
    found = None if called is None else (yield from committed(turn, called))
    if found is None:
        return None
    outcome = yield from _outcome(turn, found)
    yield from carried_out(turn, found, outcome)
    if not found.free:
        turn.happen(RollOver(hero=found.hero))
    if found.mark is not None:
        yield from marked(turn, found.hero, Cause.CLEAR_A_ROLL, found.mark)
    return outcome.result


def _outcome(turn: GameTurn, attempt: Attempt) -> Step[Outcome]:
    """How an attempt goes: by its dice, or clear without any (P29)."""
    if attempt.free:
        return CLEAR
    if attempt.mark is not None:
        turn.happen(Resolved(hero=attempt.hero, result=Result.CLEAR))
        return CLEAR
    return (yield from thrown(turn, attempt))


def committed(turn: GameTurn, attempt: Attempt) -> Step[Attempt | None]:
    """What comes before the dice: Aid, what heroic Harm asks for, and what the hero's player spends.

    Returns:
        The attempt with all of it; None where the hero does something else after all.
    """
    if attempt.free:
        return attempt
    helped = yield from turn.window(HelpWanted(attempt))
    attempt = helped.attempt
    cost = harm_price(turn.state, attempt, catalog_of(turn))
    if cost:
        wanted = yield from turn.window(PriceWanted(attempt, cost))
        if not wanted.paid:
            backed_out(turn, attempt)
            return None
    if turn.state.find(attempt.hero) is None:
        backed_out(turn, attempt)
        return None
    (answer,) = yield from turn.ask(asks.commit(turn.state, attempt, catalog_of(turn)))
    match answer:
        case BackOut():
            backed_out(turn, attempt)
            return None
        case TakeMark():
            return replace(attempt, mark=answer.words)
        case Commit():
            return spent(turn, attempt, answer)
    return attempt


def backed_out(turn: GameTurn, attempt: Attempt) -> None:
    """The hero does something else after all; the action is not lost."""
    turn.happen(BackedOut(hero=attempt.hero))


def spent(turn: GameTurn, attempt: Attempt, answer: Commit) -> Attempt:
    """What a player puts into a roll before it: Fortune, a bargain, talents."""
    who, catalog = attempt.hero, catalog_of(turn)
    if attempt.bargain:
        turn.happen(BargainAnswered(hero=who, taken=answer.bargain))
    for name in answer.talents:
        talent = catalog.talents[name]
        if talent.use in (TalentUse.ENCOUNTER, TalentUse.QUEST):
            turn.happen(TalentUsed(hero=who, talent=name))
        spend(turn, who, talent.cost, Why.TALENT)
    if answer.lucky:
        spend(turn, who, price_of(turn, who, Quantity.COST_LUCKY, catalog.rules.costs.lucky), Why.LUCKY)
    if answer.prepared:
        turn.happen(PreparedSpent(hero=who, event=attempt.event, points=answer.prepared))
    add_points(turn, who, answer.fortune, who)
    attempt = replace(
        attempt,
        bargained=answer.bargain,
        points=attempt.points + answer.fortune + answer.prepared,
        bought_luck=answer.lucky,
        talents=answer.talents,
        at_home=answer.at_home,
        followers=answer.followers,
    )
    if answer.bargain:
        tell_numbers(turn, attempt)
    return attempt


def carried_out(turn: GameTurn, attempt: Attempt, outcome: Outcome) -> Steps:
    """What a roll does: its Effect, which Fortune may raise and a consequence reduce, and consequences."""
    effect = impact(turn.state, attempt, catalog_of(turn))
    succeeded = outcome.result is not Result.MISS
    if outcome.double_effect:
        effect = yield from natural_20(turn, attempt, effect)
    clock = turn.state.clock(attempt.clock)
    if succeeded and clock is not None and not clock.hidden and not effect.stopped:
        room = clock.filled if clock.reversed else clock.size - clock.filled
        done = yield from turn.window(Succeeded(attempt.hero, effect.ticks, room))
        effect = raised_by(effect, done.levels)
    levels = max(effect.levels.value, 0) if succeeded and clock is not None and not effect.stopped else 0
    reduced = yield from consequences_of(turn, attempt, outcome, levels)
    if succeeded and clock is not None:
        effect = raised_by(effect, -reduced, "Reduced")
        turn.happen(EffectHad(hero=attempt.hero, clock=clock.id, level=effect.level, ticks=effect.ticks))
        move_clock(turn, clock.id, clock.by_heroes(effect.ticks))
    _worn(turn, attempt)
    people = followers(turn.state, catalog_of(turn))
    if attempt.followers and outcome.result is Result.MISS and people is not None:
        turn.happen(FollowersLost(hero=attempt.hero, advantage=people.id))
    if outcome.result is Result.MISS:
        _learned(turn, attempt)


def raised_by(effect: Impact, levels: int, source: str = "Fortune") -> Impact:
    """An Effect some levels higher, or lower."""
    return replace(effect, levels=effect.levels.plus(levels, source, "Fortune")) if levels else effect


def _worn(turn: GameTurn, attempt: Attempt) -> None:
    """Gear with limited uses has one less (P4)."""
    tool = turn.state.hero(attempt.hero).tool(attempt.tool)
    if tool is not None and tool.uses is not None:
        turn.happen(ToolUsed(hero=attempt.hero, tool=tool.id))


def _learned(turn: GameTurn, attempt: Attempt) -> None:
    """Fortune that a talent brings for a Miss."""
    hero = turn.state.find(attempt.hero)
    points = 0 if hero is None else sum_of(hero, Quantity.GAIN_MISS, turn)
    if points > 0:
        turn.happen(FortuneGained(hero=attempt.hero, points=points, why=Why.MISS))
