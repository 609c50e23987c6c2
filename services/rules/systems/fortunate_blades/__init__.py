"""Fortunate Blades: so far how its die is read, and how likely each reading is; no characters yet.

Read in this order: `rolls` (a d20 against Close and Clear, Saves), `mechanics` (the same as rolls by name),
`story_map` (what the game knows of the map of a story).
"""

from services.rules.systems.fortunate_blades.mechanics import MECHANICS

__all__ = ["MECHANICS"]
