"""Dwarf Dice: so far its dice, by themselves; the game is not played here yet.

Read in this order: `resources` (what the dice show, how combat reads them, exact odds), `mechanics` (the same
as rolls by name).
"""

from services.rules.systems.dwarf_dice.mechanics import DICE, MECHANICS

__all__ = ["DICE", "MECHANICS"]
