"""Lucky Breaks: a lucky event, at the game master's price (Lucky Break; E10)."""

from __future__ import annotations

from services.rules.engine.effects import Until
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.fortunate_blades.play.causes import Why
from services.rules.systems.fortunate_blades.play.facts import (
    Acted,
    BreakAnswered,
    BreakWanted,
    Positioned,
)
from services.rules.systems.fortunate_blades.play.means import price
from services.rules.systems.fortunate_blades.play.moves import Gain, LuckyBreak, Refuse
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.fortune import spend
from services.rules.systems.fortunate_blades.play.windows import GameTurn, catalog_of
from services.rules.systems.fortunate_blades.terms import Quantity


def lucky_break(turn: GameTurn, move: LuckyBreak) -> Steps:
    """The game master names a price or refuses; one that is refused or not paid costs nothing, not even the
    action.
    """
    state, catalog = turn.state, catalog_of(turn)
    if not state.engaged or not state.may_act(move.actor):
        refuse(
            "not_your_turn", "They have no action left in this round.", "Lucky Break", ("actor",), move.actor
        )
    least = price(state.hero(move.actor), Quantity.COST_BREAK, catalog.rules.costs.break_least, catalog)
    if state.hero(move.actor).fortune < least:
        text = "There is not Fortune enough for any Lucky Break."
        refuse("not_enough_fortune", text, "Lucky Break", ("actor",), state.hero(move.actor).fortune, least)
    turn.happen(BreakWanted(hero=move.actor, gain=move.gain, words=move.words))
    (answer,) = yield from turn.ask(asks.price_of_break(turn.state, move, catalog))
    cost = 0
    if not isinstance(answer, Refuse):
        cost = price(turn.state.hero(move.actor), Quantity.COST_BREAK, answer.cost, catalog)
        (consent,) = yield from turn.ask(asks.pay_for_break(turn.state, move.actor, cost))
        if not consent.yes:
            answer = Refuse(actor=answer.actor)
    if isinstance(answer, Refuse):
        turn.happen(BreakAnswered(hero=move.actor, gain=move.gain, cost=0))
        return
    spend(turn, move.actor, cost, Why.BREAK, words=move.words)
    turn.happen(BreakAnswered(hero=move.actor, gain=move.gain, cost=cost))
    if move.gain is Gain.POSITIONING:
        turn.happen(Positioned(hero=move.actor, steps=-1, lasts=Until.USED, words=move.words))
    turn.happen(Acted(hero=move.actor))
