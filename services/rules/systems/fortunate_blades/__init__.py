"""Fortunate Blades: heroes with talents and Fortune, and the map of the story that they are in.

Read in this order: `README.md` (what is modelled, and the rulings). The content: `terms` (its closed sets of
words), `settings`, `catalog`, `content/`. A hero: `choices`, `sheet`, `talents` (what talents add). Dice:
`rolls` (a d20 against Close and Clear, Saves), `mechanics` (the same as rolls by name). The map:
`story_map` (what the game knows of the map of a story).
"""

from services.rules.systems.fortunate_blades.mechanics import MECHANICS

__all__ = ["MECHANICS"]
