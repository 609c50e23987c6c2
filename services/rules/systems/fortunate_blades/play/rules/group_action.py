"""A roll of everybody, which the players may make a Group Action (Group Actions; A12, P25)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from services.rules.engine.play import EVERYONE, GM_ONLY
from services.rules.engine.steps import Ask, Step, Steps, refuse
from services.rules.engine.windows import Reaction, Windows
from services.rules.systems.fortunate_blades.fortune import short_of
from services.rules.systems.fortunate_blades.play.attempt import Attempt, harm_price
from services.rules.systems.fortunate_blades.play.causes import Why
from services.rules.systems.fortunate_blades.play.facts import (
    GroupAgreed,
    GroupCalled,
    Lifted,
    NumbersSet,
    RollOver,
)
from services.rules.systems.fortunate_blades.play.means import price
from services.rules.systems.fortunate_blades.play.moves import CallGroup, Commit, Decline, Lift
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.action import carried_out, spent
from services.rules.systems.fortunate_blades.play.rules.dice import dice_of, outcome_of, resolve, settled
from services.rules.systems.fortunate_blades.play.rules.fortune import price_of, spend
from services.rules.systems.fortunate_blades.play.windows import GameTurn, GroupRolled, catalog_of
from services.rules.systems.fortunate_blades.rolls import Outcome, Result, numbers_problem
from services.rules.systems.fortunate_blades.terms import Quantity


def call_group(turn: GameTurn, move: CallGroup) -> Steps:
    """Everybody rolls; in a Group Action those with Clear may lift the results of others."""
    wrong = numbers_problem(*move.numbers)
    if wrong is not None:
        refuse(wrong.code, wrong.message, wrong.rule, wrong.path, wrong.found, wrong.allowed)
    targets = tuple(each.id for each in turn.state.clocks if not each.full)
    if move.clock and move.clock not in targets:
        refuse("unknown_target", "There is no such clock.", "Clocks", ("clock",), move.clock, targets)
    close, clear = move.numbers
    audience = EVERYONE if move.shown else GM_ONLY
    turn.happen(
        GroupCalled(risk=move.risk, shown=move.shown),
        NumbersSet(hero="", close=close, clear=clear, audience=audience),
    )
    attempts, together = yield from _joined(turn, move)
    turn.happen(GroupAgreed(together=together))
    outcomes = yield from _rolled(turn, attempts)
    if together:
        results = tuple((who, outcome.result) for who, outcome in outcomes.items())
        lifted = yield from turn.window(GroupRolled(results))
        outcomes = {who: _lifted(outcomes[who], result) for who, result in lifted.results}
    for attempt in attempts:
        outcome = outcomes[attempt.hero]
        resolve(turn, attempt, outcome)
        yield from carried_out(turn, attempt, outcome)
        turn.happen(RollOver(hero=attempt.hero))
    turn.happen(RollOver(hero=""))


def _joined(turn: GameTurn, move: CallGroup) -> Step[tuple[tuple[Attempt, ...], bool]]:
    """What each hero rolls with, asked side by side, and whether more than half make it a Group Action."""
    state, catalog = turn.state, catalog_of(turn)
    questions = [asks.join(state, one.id, move, catalog) for one in state.present()]
    answers = yield from turn.ask(*(each for each in questions if each is not None))
    found = []
    for answer in answers:
        attempt = Attempt(
            hero=answer.actor,
            attribute=answer.attribute,
            clock=move.clock or "",
            numbers=move.numbers,
            shown=move.shown,
        )
        spend(turn, answer.actor, harm_price(turn.state, attempt, catalog), Why.HARM_ROLL)
        found.append(spent(turn, attempt, answer))
    agreed = sum(isinstance(answer, Commit) and answer.together for answer in answers)
    return tuple(found), 2 * agreed > len(answers)


def _rolled(turn: GameTurn, attempts: tuple[Attempt, ...]) -> Step[dict[str, Outcome]]:
    """All dice fall together; then Fortune may be spent on each roll."""
    faces = yield from turn.roll(*(dice_of(turn, attempt) for attempt in attempts))
    found = {}
    for attempt, fallen in zip(attempts, faces, strict=True):
        fell = yield from settled(turn, attempt, fallen)
        found[attempt.hero] = outcome_of(fell)
    return found


def _lifted(outcome: Outcome, result: Result) -> Outcome:
    """An outcome with a better result: what a lift makes Clear has no consequence, but for a natural 1."""
    due = result is not Result.CLEAR or outcome.natural == 1
    missed_by = outcome.missed_by if result is Result.MISS else 0
    return replace(outcome, result=result, consequence=due, missed_by=missed_by)


def lifters(turn: GameTurn, rolled: GroupRolled) -> Iterable[tuple[str, ...]]:
    """Those who rolled Clear, one after the other; a lifted result lifts none."""
    return tuple((who,) for who, result in rolled.results if result is Result.CLEAR)


def lift_or_not(turn: GameTurn, rolled: GroupRolled, who: str) -> Ask | None:
    """The question to a hero who could lift; nobody lifts the same one twice (P25)."""
    hero = turn.state.find(who)
    if hero is None:
        return None
    cost = price(hero, Quantity.COST_LIFT, catalog_of(turn).rules.costs.lift, catalog_of(turn))
    below = [
        each
        for each, result in rolled.results
        if result is not Result.CLEAR and (who, each) not in rolled.lifts
    ]
    if hero.fortune < cost or not below:
        return None
    return asks.lift(turn.state, who, below, rolled, cost)


def lift(turn: GameTurn, rolled: GroupRolled, answer: Lift | Decline) -> GroupRolled | None:
    """What a lift does: a result one step better."""
    if isinstance(answer, Decline):
        return None
    better = dict(rolled.results)[answer.target].lifted
    cost = price_of(turn, answer.actor, Quantity.COST_LIFT, catalog_of(turn).rules.costs.lift)
    spend(turn, answer.actor, cost, Why.LIFT, on=answer.target)
    turn.happen(Lifted(helper=answer.actor, hero=answer.target, result=better, words=answer.words))
    results = tuple((who, better if who == answer.target else result) for who, result in rolled.results)
    return GroupRolled(results, (*rolled.lifts, (answer.actor, answer.target)))


def refuse_lift(turn: GameTurn, move: Lift) -> None:
    """Refuses a lift that no question waits for, with what keeps it from coming.

    Raises:
        Refused: Where the hero is one of the encounter's.
    """
    hero = next((each for each in turn.state.heroes if each.id == move.actor), None)
    if hero is None:
        return
    rule, cost = "Group Actions", catalog_of(turn).rules.costs.lift
    if hero.result is not Result.CLEAR:
        refuse("helper_not_clear", "Only a clear result lifts others.", rule, ("actor",), move.actor)
    target = next((each for each in turn.state.heroes if each.id == move.target), None)
    if target is not None and target.result is Result.CLEAR and move.target not in hero.lifted:
        text = "That result is clear already."
        refuse("already_clear", text, rule, ("target",), move.target)
    if move.target in hero.lifted:
        text = "Nobody lifts the same one twice."
        refuse("same_helper_twice", text, f"{rule} [P25]", ("target",), move.target)
    wrong = short_of(hero.fortune, price(hero, Quantity.COST_LIFT, cost, catalog_of(turn)))
    if wrong is not None:
        refuse(wrong.code, wrong.message, wrong.rule, wrong.path, wrong.found, wrong.allowed)
    refuse("too_late", "That Group Action is over.", rule, ("kind",))


def open_windows(windows: Windows) -> None:
    """Registers who may lift results."""
    windows.reacts(GroupRolled, Reaction(who=lifters, ask=lift_or_not, react=lift, again=True))
