"""Forge Engine: so far how its dice are read, and how likely each reading is; no characters yet.

Read in this order: `rolls` (pools against difficulties and pools), `mechanics` (the same as rolls by name),
`printed_odds` (the probability tables of the book).
"""

from services.rules.systems.forge_engine.mechanics import MECHANICS

__all__ = ["MECHANICS"]
