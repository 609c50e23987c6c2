"""Setup: the champions are dealt by chance, where the table plays so."""

from __future__ import annotations

from services.rules.engine.steps import Steps, Turn
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.facts import Dealt, Fact
from services.rules.systems.dwarf_dice.play.moves import Deal
from services.rules.systems.dwarf_dice.play.state import Table


def deal(turn: Turn[Table, Fact], move: Deal, catalog: Catalog) -> Steps:
    """One lot for all seats: each order of the champions is as likely as the next."""
    ((lot,),) = yield from turn.roll(dice.lots_roll(move.actor, catalog))
    order = dice.permutation(lot, catalog.champions.ids)
    turn.happen(Dealt(champions=order[: len(turn.state.fighters)]))
