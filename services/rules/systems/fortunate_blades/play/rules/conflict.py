"""Player versus player: goals, outcomes that both agree to, a roll of both (Player vs. Player; A17, P14)."""

from __future__ import annotations

from services.rules.engine.steps import Step, Steps, refuse
from services.rules.systems.fortunate_blades.play.attempt import Attempt, bonus, harm_price, mode
from services.rules.systems.fortunate_blades.play.causes import Why
from services.rules.systems.fortunate_blades.play.facts import (
    Challenged,
    ConflictDecided,
    ConflictWon,
    GoalStated,
    OutcomesStated,
    Rolled,
    RollOver,
)
from services.rules.systems.fortunate_blades.play.moves import Boost, Challenge, Commit
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.action import spent
from services.rules.systems.fortunate_blades.play.rules.dice import dice_of
from services.rules.systems.fortunate_blades.play.rules.fortune import add_points, spend
from services.rules.systems.fortunate_blades.play.windows import GameTurn, catalog_of


def challenge(turn: GameTurn, move: Challenge) -> Steps:
    """Both state their goals, the game master the outcomes; if both agree they roll, else the defender
    decides.
    """
    others = tuple(each.id for each in turn.state.others(move.actor))
    if move.target not in others:
        text = "There is no such hero to go head to head with."
        refuse("unknown_target", text, "Player vs. Player", ("target",), move.target, others)
    turn.happen(Challenged(attacker=move.actor, defender=move.target, goal=move.goal))
    (goal,) = yield from turn.ask(asks.goal(turn.state, move.actor, move.target))
    turn.happen(GoalStated(hero=move.target, goal=goal.goal))
    (outcomes,) = yield from turn.ask(asks.outcomes(turn.state, move.actor, move.target))
    turn.happen(OutcomesStated(attacker=outcomes.attacker, defender=outcomes.defender))
    sides = (move.actor, move.target)
    consent = yield from turn.ask(*(asks.consent(turn.state, who) for who in sides))
    if not all(answer.yes for answer in consent):
        (decision,) = yield from turn.ask(asks.decide(turn.state, move.target))
        turn.happen(ConflictDecided(hero=move.target, words=decision.words))
        return
    winner = yield from _fought(turn, move.actor, move.target)
    loser = move.target if winner == move.actor else move.actor
    consequence = outcomes.attacker if winner == move.actor else outcomes.defender
    turn.happen(ConflictWon(winner=winner, loser=loser, consequence=consequence))
    turn.happen(*(RollOver(hero=who) for who in sides))


def _fought(turn: GameTurn, attacker: str, defender: str) -> Step[str]:
    """Both choose what they roll with side by side, and roll together; the higher total succeeds.

    Returns:
        Who succeeds; on a tie the defender (P14).
    """
    catalog = catalog_of(turn)
    sides = (attacker, defender)
    answers = yield from turn.ask(*(asks.stand(turn.state, who, catalog) for who in sides))
    attempts = [_entered(turn, answer) for answer in answers]
    faces = yield from turn.roll(*(dice_of(turn, attempt) for attempt in attempts))
    totals = {}
    for attempt, fallen in zip(attempts, faces, strict=True):
        natural = mode(turn.state, attempt, catalog).keep(fallen)
        totals[attempt.hero] = natural + bonus(turn.state, attempt, catalog).value
        turn.happen(Rolled(hero=attempt.hero, natural=natural, total=totals[attempt.hero]))
    return (yield from _outbid(turn, totals, attacker, defender))


def _entered(turn: GameTurn, answer: Commit) -> Attempt:
    if answer.attribute is None:
        raise ValueError("a conflict is rolled with an attribute")
    attempt = Attempt(hero=answer.actor, attribute=answer.attribute, shown=False)
    spend(turn, answer.actor, harm_price(turn.state, attempt, catalog_of(turn)), Why.HARM_ROLL)
    return spent(turn, attempt, answer)


def _outbid(turn: GameTurn, totals: dict[str, int], attacker: str, defender: str) -> Step[str]:
    """Who is behind may add Fortune until they are ahead, in turn, as long as they like and can."""
    while True:
        behind = attacker if totals[attacker] <= totals[defender] else defender
        ahead = defender if behind == attacker else attacker
        needed = totals[ahead] - totals[behind] + (behind == attacker)
        most = turn.state.hero(behind).fortune // catalog_of(turn).rules.costs.point
        if most < needed:
            return ahead
        (answer,) = yield from turn.ask(asks.outbid(turn.state, behind, needed, most))
        if not isinstance(answer, Boost):
            return ahead
        add_points(turn, behind, answer.points, behind, answer.words)
        totals[behind] += answer.points
