"""Dwarf Dice: four champions forge their arms on a 3x3 Forge and fight until one stands.

Read in this order: `README.md` (what is modelled, and the rulings). The rules that are plain arithmetic:
`resources` (the faces of the dice), `items`, `forge` (patterns on the nine squares), `craft_odds`,
`crafting`, `combat`, `powers`, `seats`. The content: `settings`, `catalog`, `content/`. A champion:
`choices`, `build`, `sheet`, `sections`, `card`, `random`, `examples`. Its rolls by name: `mechanics`. Its
games: `play`.
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import Printable, System
from services.rules.systems.dwarf_dice.build import build
from services.rules.systems.dwarf_dice.card import ChampionCard, champion_card
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.dwarf_dice.choices import ChampionChoices
from services.rules.systems.dwarf_dice.examples import EXAMPLES
from services.rules.systems.dwarf_dice.mechanics import DICE, MECHANICS
from services.rules.systems.dwarf_dice.play.scene import DwarfDicePlay
from services.rules.systems.dwarf_dice.random import drawn_champion
from services.rules.systems.dwarf_dice.sections import LAYOUT
from services.rules.systems.dwarf_dice.sheet import ChampionSheet

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
    examples=EXAMPLES,
    playthroughs=load_playthroughs(__name__),
    build=build,
    play=DwarfDicePlay(own_catalog()),
    random=drawn_champion,
    printable=Printable(type=ChampionCard, make=champion_card),
    layout=LAYOUT,
)
