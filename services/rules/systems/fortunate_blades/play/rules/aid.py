"""Aid: help with another's roll before it is made (Aid; A13, P6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from services.rules.engine.steps import Ask, Step
from services.rules.engine.windows import Reaction, Windows
from services.rules.systems.fortunate_blades.play.attempt import Attempt
from services.rules.systems.fortunate_blades.play.causes import Why
from services.rules.systems.fortunate_blades.play.facts import (
    ActionGiven,
    Aided,
    RollOver,
)
from services.rules.systems.fortunate_blades.play.moves import Aid, Boost, Decline
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.call import called_for
from services.rules.systems.fortunate_blades.play.rules.consequences import consequences_of
from services.rules.systems.fortunate_blades.play.rules.dice import thrown
from services.rules.systems.fortunate_blades.play.rules.fortune import add_points, price_of, spend
from services.rules.systems.fortunate_blades.play.windows import GameTurn, HelpWanted, catalog_of
from services.rules.systems.fortunate_blades.talents import counted, talent_parts
from services.rules.systems.fortunate_blades.terms import Quantity


def helpers(turn: GameTurn, wanted: HelpWanted) -> Iterable[tuple[str, ...]]:
    """The others, one after the other, so that no benefit is given twice."""
    return tuple((one.id,) for one in turn.state.others(wanted.attempt.hero))


def help_or_not(turn: GameTurn, wanted: HelpWanted, who: str) -> Ask | None:
    """The question to a hero who could help; who can give neither an action nor Fortune is not asked."""
    hero = turn.state.find(who)
    if hero is None or (turn.state.kept_from(hero, "help") and not hero.fortune):
        return None
    return asks.aid(turn.state, wanted.attempt, who, catalog_of(turn))


def helped(turn: GameTurn, wanted: HelpWanted, answer: Aid | Boost | Decline) -> Step[HelpWanted | None]:
    """What Aid, or Fortune before the roll, does to an attempt."""
    attempt = wanted.attempt
    match answer:
        case Boost():
            add_points(turn, answer.actor, answer.points, attempt.hero, answer.words)
            return HelpWanted(replace(attempt, points=attempt.points + answer.points))
        case Aid():
            yield from _given(turn, attempt, answer)
            return HelpWanted(_aided(turn, attempt, answer))
    return None


def _given(turn: GameTurn, attempt: Attempt, answer: Aid) -> Step[None]:
    """What Aid costs: Fortune, or the helper's next action and a risk that the game master may call."""
    helper = answer.actor
    turn.happen(Aided(helper=helper, hero=attempt.hero, benefit=answer.benefit, words=answer.words))
    if answer.pay:
        cost = price_of(turn, helper, Quantity.COST_AID, catalog_of(turn).rules.costs.aid)
        spend(turn, helper, cost, Why.AID, on=attempt.hero)
        return
    # This round's action, or where that is used, the next one's.
    turn.happen(ActionGiven(helper=helper, rounds=2 if turn.state.hero(helper).acted else 1))
    risk = yield from called_for(turn, Attempt(hero=helper, attribute=answer.attribute), aiding=True)
    if risk is not None and not risk.free:
        outcome = yield from thrown(turn, risk)
        yield from consequences_of(turn, risk, outcome)
        turn.happen(RollOver(hero=helper))


def _aided(turn: GameTurn, attempt: Attempt, answer: Aid) -> Attempt:
    helper, content = turn.state.hero(answer.actor), catalog_of(turn).talents
    talents = tuple(counted(helper.talents, content))
    more = tuple(
        (quantity, part)
        for quantity in (Quantity.AID_ROLL, Quantity.AID_EFFECT)
        for part in talent_parts(talents, quantity)
    )
    return replace(attempt, benefits=(*attempt.benefits, answer.benefit), aid=(*attempt.aid, *more))


def open_windows(windows: Windows) -> None:
    """Registers who may help with a roll."""
    windows.reacts(HelpWanted, Reaction(who=helpers, ask=help_or_not, react=helped))
