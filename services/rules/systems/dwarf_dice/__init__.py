"""Dwarf Dice: four champions forge their arms on a 3x3 Forge and fight until one stands.

Read in this order: `README.md` (what is modelled, and the rulings); `resources` (what the dice show),
`items`, `forge` (how patterns lie, and what can be forged), `craft_odds`, `table_rules` and `catalog` (what
the content holds); `crafting`, `combat`, `powers` and `seating` (the rules that are plain arithmetic);
`champion` and `champion_card` (a player's character); `mechanics` (the game's rolls by name); `play`
(games).
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import Printable, System
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.dwarf_dice.champion import (
    ChampionChoices,
    ChampionSheet,
    build,
    drawn_champion,
    examples,
)
from services.rules.systems.dwarf_dice.champion_card import ChampionCard, champion_card
from services.rules.systems.dwarf_dice.mechanics import DICE, MECHANICS
from services.rules.systems.dwarf_dice.play.scene import DwarfDicePlay

__all__ = ["DICE", "MECHANICS", "SYSTEM"]

SYSTEM: System[ChampionChoices, ChampionSheet, Catalog] = System(
    slug=SLUG,
    name="Dwarf Dice",
    edition="rules of play by Joe Medwid, for two to four players",
    licence=(
        "Dwarf Dice is by Joe Medwid, all rights reserved; only names, numbers and mechanics are modelled "
        "here, in our own words, with an Armory of our own."
    ),
    choices_codec=Codec(ChampionChoices, f"{SLUG}/choices"),
    sheet_codec=Codec(ChampionSheet, f"{SLUG}/sheet"),
    content=own_catalog(),
    examples=examples(own_catalog()),
    playthroughs=load_playthroughs(__name__),
    build=build,
    play=DwarfDicePlay(own_catalog()),
    random=drawn_champion,
    printable=Printable(type=ChampionCard, make=champion_card),
)
