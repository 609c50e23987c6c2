"""The rules of a game, a file for each section of the book under the book's own word.

Read in this order: `rule` here (which rule a move follows), `order_of_play` (whose turn it is), `setup`,
`hoarding`, `forging`, `combat` (from Choosing Equipment to Crits and Counters), `defeat` (Damage and
Defeat), `windows` (the points at which powers answer), `powers` (Champions and Powers, each in its window),
`asks` (the questions, what answers them, and what silence means), and `game_master`.
"""

from __future__ import annotations

from typing import assert_never

from services.rules.engine.steps import Steps, Turn
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.play.facts import Fact
from services.rules.systems.dwarf_dice.play.moves import (
    Answer,
    Challenge,
    Craft,
    Deal,
    FinishForging,
    Forge,
    Lay,
    Lift,
    MasterMove,
    Move,
    Pass,
)
from services.rules.systems.dwarf_dice.play.rules import forging
from services.rules.systems.dwarf_dice.play.rules.combat import challenge
from services.rules.systems.dwarf_dice.play.rules.game_master import master
from services.rules.systems.dwarf_dice.play.rules.hoarding import craft
from services.rules.systems.dwarf_dice.play.rules.order_of_play import (
    leave_unused,
    must_be_at_the_table,
    must_be_free,
    must_be_on,
    must_be_time,
)
from services.rules.systems.dwarf_dice.play.rules.powers import unasked
from services.rules.systems.dwarf_dice.play.rules.setup import deal
from services.rules.systems.dwarf_dice.play.state import Table


def rule(turn: Turn[Table, Fact], move: Move, catalog: Catalog, forges: Forges) -> Steps:
    """What happens when a move is made, step by step.

    Raises:
        Refused: The move breaks rules.
    """
    must_be_on(turn.state)
    if isinstance(move, MasterMove):
        master(turn, move)
        return
    must_be_at_the_table(turn.state, move.actor)
    if isinstance(move, Answer):
        unasked(turn.state, move, catalog)
    must_be_time(turn.state, move)
    must_be_free(turn.state, move, catalog)
    match move:
        case Deal():
            yield from deal(turn, move, catalog)
        case Craft():
            yield from craft(turn, move, catalog)
        case Lay():
            forging.lay(turn, move, catalog, forges)
        case Lift():
            forging.lift(turn, move)
        case FinishForging():
            yield from forging.finish(turn, catalog)
        case Forge():
            yield from forging.forge(turn, move, catalog, forges)
        case Challenge():
            yield from challenge(turn, move, catalog)
        case Pass():
            leave_unused(turn, move, catalog)
        case _:
            assert_never(move)
