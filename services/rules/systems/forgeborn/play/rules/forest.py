"""Commune with the Spirits of the Forest: dice for a wish that is small enough (F19, P25)."""

from __future__ import annotations

from services.rules.engine.buttons import button
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Ask, Steps, refuse
from services.rules.systems.forgeborn.geometry import squared_distance
from services.rules.systems.forgeborn.play.facts import CastOut, Communed, Reason
from services.rules.systems.forgeborn.play.moves import Commune, LoseDie
from services.rules.systems.forgeborn.play.rolls import forest_odds, own_rolls
from services.rules.systems.forgeborn.play.rules.dice import gain, lose, throw
from services.rules.systems.forgeborn.play.rules.turns import (
    GameTurn,
    act,
    acting_smith,
    end_turn,
    place_of,
)
from services.rules.systems.forgeborn.play.state import Game, Smith
from services.rules.systems.forgeborn.pools import MOST_ROLLED
from services.rules.systems.forgeborn.realm import PlaceKind

BOOK = "Commune with the Spirits of the Forest"


def commune(turn: GameTurn, move: Commune) -> Steps:
    """A low total brings the dice of the wish; a high one costs a die, and leads out of the Forest."""
    communing(turn.state, move.actor)
    if not 1 <= len(move.dice) <= MOST_ROLLED:
        text = f"From 1 to {MOST_ROLLED} dice are wished for."
        refuse("wish_out_of_range", text, "P25", ("dice",), len(move.dice), (1, MOST_ROLLED))
    act(turn, move.actor)
    limit = turn.state.settings.forest_limit
    rolls = own_rolls(move.actor, "Commune with the Forest", move.dice, (), forest_odds(move.dice, limit))
    total = sum((yield from throw(turn, rolls)))
    gained = total <= limit
    turn.happen(Communed(smith=move.actor, dice=move.dice, total=total, gained=gained))
    if gained:
        gain(turn, move.actor, move.dice, Reason.FOREST)
    else:
        yield from give_up_a_die(turn, move.actor)
        turn.happen(CastOut(smith=move.actor, to=way_out(turn.state, turn.state.smith(move.actor))))
    end_turn(turn)


def communing(game: Game, who: str) -> Smith:
    """Returns the Smith who can make a wish.

    Raises:
        Refused: It is not hers to act, or she is not in the Forest.
    """
    smith = acting_smith(game, who)
    place_of(game, smith, BOOK, PlaceKind.FOREST)
    return smith


def give_up_a_die(turn: GameTurn, who: str) -> Steps:
    """The Forest takes a die of the Smith's choice; none where she has none."""
    if turn.state.smith(who).dice.total():
        (answer,) = yield from turn.ask(_which_die(turn.state, who))
        lose(turn, who, (answer.die,), Reason.FOREST)


def _which_die(game: Game, who: str) -> Ask:
    dice = game.smith(who).dice

    def accepts(answer: LoseDie) -> Problems | None:
        if dice.holds((answer.die,)):
            return None
        allowed = tuple(size.value for size in dice.owned())
        text = f"She has {dice.text()}."
        return Problems((RuleProblem("die_not_owned", text, BOOK, ("die",), answer.die.value, allowed),))

    text = "The Forest takes it."
    offers = tuple(
        button(LoseDie(actor=who, die=size), f"lose:{size.value}", f"Lose a {size.value}", text, BOOK)
        for size in dice.owned()
    )
    question = "Which die does the Forest take?"
    return Ask(id="lose", actor=who, question=question, offers=offers, accepts=accepts)


def way_out(game: Game, smith: Smith) -> str:
    """Where the Forest leads a Smith: back along her Trail, or to the nearest place linked to it."""
    near = tuple(way.other(smith.place) for way in game.ground.ways_from(smith.place))
    if smith.came_from in near:
        return smith.came_from
    at = game.ground.spot(smith.place).at
    return min(near, key=lambda place: squared_distance(at, game.ground.spot(place).at))
