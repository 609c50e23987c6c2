"""Hoarding: the dice of a Crafting, the powers that answer them, and the Nulls on the Forge."""

from __future__ import annotations

from services.rules.engine.steps import Steps, Turn
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.facts import Fact, Hoarded, NullsPlaced
from services.rules.systems.dwarf_dice.play.moves import Craft
from services.rules.systems.dwarf_dice.play.rules import asks
from services.rules.systems.dwarf_dice.play.rules.windows import HoardRolled
from services.rules.systems.dwarf_dice.play.state import Table


def craft(turn: Turn[Table, Fact], move: Craft, catalog: Catalog) -> Steps:
    """The Hoard is rolled, Nulls are changed, set aside and placed; then the crafter forges."""
    (faces,) = yield from turn.roll(dice.hoard_roll(turn.state, move.actor, catalog))
    turn.happen(Hoarded(fighter=move.actor, rolled=dice.shown(turn.state, faces)))
    yield from turn.window(HoardRolled(crafter=move.actor))
    yield from null_runes(turn, catalog)


def null_runes(turn: Turn[Table, Fact], catalog: Catalog) -> Steps:
    """The left neighbour places every Null that waits (Null Rune; P3)."""
    if turn.state.at_work().hoard.nulls:
        (placed,) = yield from turn.ask(asks.null_runes(turn.state, catalog))
        turn.happen(NullsPlaced(fighter=placed.actor, squares=placed.squares))
