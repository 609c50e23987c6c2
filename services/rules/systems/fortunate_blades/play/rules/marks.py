"""Marks, running out of Fortune, and defeat with its three ways (Marks, Defeated & Death; H, E12)."""

from __future__ import annotations

from services.rules.engine.steps import Steps
from services.rules.systems.fortunate_blades.catalog import FinalAct
from services.rules.systems.fortunate_blades.play.causes import Cause, Why
from services.rules.systems.fortunate_blades.play.effects import gravest_to_heal
from services.rules.systems.fortunate_blades.play.facts import (
    ClockMoved,
    Defeated,
    FortuneGained,
    HarmHealed,
    Marked,
    Retired,
    Revived,
    WentOut,
)
from services.rules.systems.fortunate_blades.play.moves import BlazeOfGlory, Retire
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.state import Standing
from services.rules.systems.fortunate_blades.play.windows import GameTurn, catalog_of


def marked(turn: GameTurn, who: str, cause: Cause, words: str) -> Steps:
    """A hero takes a Mark and is out; with the last one they are Defeated (H1 to H3).

    Who is retiring already has been Defeated, and is gone at once.
    """
    if turn.state.hero(who).standing is Standing.RETIRING:
        turn.happen(Retired(hero=who, at_once=True))
        return
    turn.happen(Marked(hero=who, cause=cause, words=words))
    if len(turn.state.hero(who).marks) >= catalog_of(turn).rules.harm.marks:
        yield from defeated(turn, who)


def defeated(turn: GameTurn, who: str) -> Steps:
    """A Defeated hero's player chooses: Revive, Retire, or go out in a Blaze of Glory (H4 to H6)."""
    if turn.state.hero(who).standing is Standing.RETIRING:
        turn.happen(Retired(hero=who, at_once=True))
        return
    turn.happen(Defeated(hero=who))
    (answer,) = yield from turn.ask(asks.defeat(turn.state, who, catalog_of(turn)))
    match answer:
        case BlazeOfGlory():
            _final_act(turn, answer)
        case Retire():
            turn.happen(Retired(hero=who))
        case _:
            turn.happen(Revived(hero=who))


def _final_act(turn: GameTurn, answer: BlazeOfGlory) -> None:
    """A Final Act does what its entry says; then the hero is dead."""
    act = catalog_of(turn).final_acts[answer.act]
    turn.happen(WentOut(hero=answer.actor, act=act.id, words=answer.words))
    clock = turn.state.clock(answer.clock or "")
    if clock is not None:
        ticks = clock.by_heroes(clock.size if act.fills else act.ticks)
        moved = clock.ticked(ticks) - clock.filled
        if moved:
            turn.happen(ClockMoved(clock=clock.id, ticks=moved))
    _for_the_others(turn, act)


def _for_the_others(turn: GameTurn, act: FinalAct) -> None:
    """What a Final Act brings those who are left: Fortune, and Harm that heals level by level."""
    for hero in turn.state.present():
        if act.fortune:
            turn.happen(FortuneGained(hero=hero.id, points=act.fortune, why=Why.FINAL_ACT))
        for _ in range(act.heals):
            harm = gravest_to_heal(turn.state.effects, hero.id, hero.slots)
            if harm is not None:
                turn.happen(HarmHealed(hero=hero.id, harm=harm.id))
