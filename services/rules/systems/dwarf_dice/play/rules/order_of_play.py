"""Order of Play: whose turn it is, what a turn may be, and who comes next."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, Turn, refuse
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play.champions import kept_from, options
from services.rules.systems.dwarf_dice.play.facts import Fact, Passed, TurnBegan
from services.rules.systems.dwarf_dice.play.moves import (
    Challenge,
    Craft,
    Deal,
    FinishForging,
    Forge,
    Lay,
    Lift,
    Pass,
)
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.seats import next_seat

RULE = "Order of Play"
OwnMove = Deal | Craft | Challenge | Pass | Lay | Lift | FinishForging | Forge
"""What a player does in their own turn."""

DEALING: tuple[type[OwnMove], ...] = (Deal,)
TURN: tuple[type[OwnMove], ...] = (Craft, Challenge, Pass)
FORGING: tuple[type[OwnMove], ...] = (Lay, Lift, FinishForging, Forge)


def must_be_on(state: Table) -> None:
    """Refuses everything once the game is over."""
    if state.ending is not None:
        refuse("scene_over", "The game is over.", "Damage and Defeat", ("kind",), "over")


def must_be_at_the_table(state: Table, actor: str) -> None:
    """Refuses a player's move to whoever plays no more, or never did."""
    if actor == GM:
        refuse("not_yours", "That is for the players to do.", RULE, ("actor",), GM, state.seats())
    fighter = state.find(actor)
    if fighter is None:
        text = "Nobody at this table has this id."
        refuse("unknown_actor", text, RULE, ("actor",), actor, state.seats())
    if fighter.out:
        living = tuple(one.id for one in state.living())
        refuse(
            "defeated", "The defeated are out of the game.", "Damage and Defeat", ("actor",), actor, living
        )


def must_be_time(state: Table, move: OwnMove) -> None:
    """Refuses a move at another time than its own, or in another's turn."""
    now = FORGING if state.crafting is not None else TURN if state.dealt else DEALING
    if not isinstance(move, now):
        found, allowed = type(move).__name__, tuple(kind.__name__ for kind in now)
        refuse("not_now", "Play waits for something else.", RULE, ("kind",), found, allowed)
    if move.actor != state.turn:
        refuse("not_your_turn", "It is not their turn.", RULE, ("actor",), move.actor, (state.turn,))


VERBS: Mapping[type[OwnMove], str] = {Craft: "craft", Challenge: "challenge", Pass: "pass"}
"""What effects forbid, by the moves that do it."""


def must_be_free(state: Table, move: OwnMove, catalog: Catalog) -> None:
    """Refuses what something that lasts on a fighter forbids, unless they can do nothing else."""
    verb = VERBS.get(type(move))
    kept = None if verb is None else kept_from(state, move.actor, verb, catalog)
    if kept is not None and verb not in options(state, move.actor, catalog):
        raise Refused(Problems((kept,)))


def leave_unused(turn: Turn[Table, Fact], move: Pass, catalog: Catalog) -> None:
    """Passes, where the table allows it or nothing else can be done (P17)."""
    if "pass" not in options(turn.state, move.actor, catalog):
        text = "A turn is Crafting or Combat; nobody passes."
        refuse("no_passing", text, "P17", ("kind",), "Pass", ("Craft", "Challenge"))
    turn.happen(Passed(fighter=move.actor))
    next_turn(turn)


def next_turn(turn: Turn[Table, Fact]) -> None:
    """The turn passes clockwise to the next who still stands (P3)."""
    seats, before = turn.state.seats(), turn.state.turn
    after = next_seat(seats, before, turn.state.out())
    wrapped = seats.index(after) <= seats.index(before)
    turn.happen(TurnBegan(fighter=after, round=turn.state.round + wrapped))
