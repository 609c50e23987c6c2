"""Consequences: what a Close, a Miss, or enemies bring (Consequences; checklist D)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import EVERYONE, GM, GM_ONLY, Roll
from services.rules.engine.steps import Step, Steps
from services.rules.systems.fortunate_blades.play.attempt import Attempt, protection
from services.rules.systems.fortunate_blades.play.facts import (
    ClockMoved,
    ConsequenceCame,
    ConsequenceDrawn,
    ToolLost,
)
from services.rules.systems.fortunate_blades.play.moves import (
    Benefit,
    CauseHarm,
    Consequences,
    Enough,
    HandOver,
    MoveClock,
    ReduceEffect,
    RollConsequence,
    TakeAway,
    Twist,
)
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.harm import Threat, befallen
from services.rules.systems.fortunate_blades.play.windows import GameTurn, catalog_of
from services.rules.systems.fortunate_blades.rolls import Outcome, Result
from services.rules.systems.fortunate_blades.terms import Consequence

D8 = tuple(Consequence)
"""What each face of the d8 brings."""


@dataclass(frozen=True, slots=True)
class Due:
    """What consequences are due for.

    Attributes:
        count: How many there are at least.
        more: Whether the game master may add to them: after a Miss.
        levels: Levels of Effect that could be reduced.
        sheltered: Whose Harm is lower by Aid or a talent, and by how many levels; nobody's where empty.
    """

    count: int
    more: bool = False
    levels: int = 0
    sheltered: tuple[str, int] = ("", 0)


def consequences_of(turn: GameTurn, attempt: Attempt, outcome: Outcome, levels: int = 0) -> Step[int]:
    """The consequences of a roll: one where any is due, one more for a Devil's Bargain, more after a Miss.

    Returns:
        How many levels they take off its Effect.
    """
    if not outcome.consequence:
        return 0
    missed = outcome.result is Result.MISS
    bargained = attempt.bargained and outcome.result is not Result.CLEAR
    aided = missed and Benefit.PROTECT in attempt.benefits
    shelter = protection(turn.state, attempt, catalog_of(turn)) + aided
    due = Due(1 + bargained, more=missed, levels=levels, sheltered=(attempt.hero, shelter))
    return (yield from consequences(turn, due))


def consequences(turn: GameTurn, due: Due) -> Step[int]:
    """Asks the game master for consequences, one after the other, and lets them come.

    Returns:
        How many levels they take off the Effect of what just happened.
    """
    reduced, came = 0, 0
    while came < due.count or due.more:
        levels = due.levels - reduced
        answer = yield from _chosen(turn, levels=levels, enough=came >= due.count)
        if isinstance(answer, Enough):
            break
        reduced += yield from came_about(turn, _sheltered(due, answer), due)
        came += 1
    return reduced


def _chosen(turn: GameTurn, *, levels: int, enough: bool) -> Step[Consequences | Enough]:
    """A consequence of the game master's choice, of a d8, or of a kind that a player picks."""
    (answer,) = yield from turn.ask(asks.consequence(turn.state, levels, catalog_of(turn), enough=enough))
    if not isinstance(answer, RollConsequence | HandOver):
        return cast("Consequences | Enough", answer)
    if isinstance(answer, HandOver):
        (picked,) = yield from turn.ask(asks.pick_one(turn.state, answer.target))
        kind, who = picked.consequence, answer.target
    else:
        dice = Explained.of(Part(1, "Consequence", "Consequences"))
        ((face,),) = yield from turn.roll(
            Roll(id="consequence", actor=GM, label="Consequence", dice=dice, sides=len(D8))
        )
        kind, who = D8[face - 1], ""
    turn.happen(ConsequenceDrawn(consequence=kind, hero=who))
    return (yield from detailed(turn, kind, levels))


def detailed(turn: GameTurn, kind: Consequence, levels: int = 0) -> Step[Consequences]:
    """A consequence of a given kind, as the game master details it."""
    (answer,) = yield from turn.ask(asks.consequence(turn.state, levels, catalog_of(turn), kind=kind))
    return cast("Consequences", answer)


def _sheltered(due: Due, answer: Consequences) -> Consequences:
    """A consequence as Aid lets it come: a clock moves a tick less."""
    if isinstance(answer, MoveClock) and due.sheltered[1] and answer.ticks:
        return replace(answer, ticks=answer.ticks - (1 if answer.ticks > 0 else -1))
    return answer


def came_about(turn: GameTurn, answer: Consequences, due: Due) -> Step[int]:
    """What a consequence does.

    Returns:
        How many levels it takes off the Effect of what just happened.
    """
    match answer:
        case ReduceEffect(levels=levels):
            turn.happen(ConsequenceCame(consequence=Consequence.REDUCE_EFFECT))
            return levels
        case Twist():
            turn.happen(
                ConsequenceCame(consequence=answer.consequence, hero=answer.target or "", words=answer.words)
            )
        case TakeAway():
            turn.happen(
                ConsequenceCame(consequence=Consequence.TAKE_AWAY, hero=answer.target, words=answer.words)
            )
            if answer.tool:
                turn.happen(ToolLost(hero=answer.target, tool=answer.tool))
        case MoveClock():
            turn.happen(ConsequenceCame(consequence=Consequence.MOVE_CLOCK))
            move_clock(turn, answer.clock, answer.ticks)
        case CauseHarm():
            yield from _harm(turn, answer, due)
    return 0


def move_clock(turn: GameTurn, name: str, ticks: int) -> None:
    """Moves a clock, as far as it goes."""
    clock = turn.state.clock(name)
    if clock is not None and clock.ticked(ticks) != clock.filled:
        audience = GM_ONLY if clock.hidden else EVERYONE
        turn.happen(ClockMoved(clock=name, ticks=clock.ticked(ticks) - clock.filled, audience=audience))


def _harm(turn: GameTurn, answer: CauseHarm, due: Due) -> Steps:
    """Harm, less where Aid or a talent shelters the hero."""
    turn.happen(ConsequenceCame(consequence=Consequence.HARM, hero=answer.target, words=answer.words))
    sheltered, levels = due.sheltered
    close, clear = answer.numbers
    threat = Threat(
        hero=answer.target,
        group=answer.group,
        level=answer.level,
        words=answer.words,
        close=close,
        clear=clear,
        called=answer.called,
        less=levels if sheltered == answer.target else 0,
    )
    yield from befallen(turn, threat)
