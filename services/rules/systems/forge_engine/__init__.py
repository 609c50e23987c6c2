"""Forge Engine: ten-sided pools, energy, and characters bought with points, from castles to starships.

Read in this order: `README.md` (what is modelled, and the rulings); `attributes`, `traits`, `skills`,
`equipment`, `world`, `settings`, `choices` (what a player decides), `bestiary` and `catalog` (what the
content holds), `damage_traits`; `rolls`, `mechanics`, `printed_odds` and `chances` (dice). `derived` is plain
figures of a body; `characters` are built and grow, `packs` are what a table adds, `costing` what that should
cost. For the game master: `wares`, `travel`, `influence`, `encounters`, `awards`, and `adversaries` from
templates with `stat_block`. `pools` are attacks and tests as questions; `tools` are all the questions of the
API.
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import Advancement, Printable, System
from services.rules.systems.forge_engine.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.forge_engine.characters.advancing import development_options
from services.rules.systems.forge_engine.characters.build import build
from services.rules.systems.forge_engine.characters.card import CharacterCard, character_card
from services.rules.systems.forge_engine.characters.development import development_line
from services.rules.systems.forge_engine.characters.examples import EXAMPLES
from services.rules.systems.forge_engine.characters.guide import GUIDE
from services.rules.systems.forge_engine.characters.random_character import drawn_character
from services.rules.systems.forge_engine.characters.sheet import CharacterSheet
from services.rules.systems.forge_engine.choices import CharacterChoices, Development
from services.rules.systems.forge_engine.mechanics import MECHANICS
from services.rules.systems.forge_engine.packs import PACKS
from services.rules.systems.forge_engine.tools import TOOLS

__all__ = ["MECHANICS", "SYSTEM"]

SYSTEM: System[CharacterChoices, CharacterSheet, Catalog] = System(
    slug=SLUG,
    name="Forge Engine",
    edition="SRD version 1.1, build 489",
    licence=(
        "Forge Engine Universal Role-Playing System, copyright 2019 Justin Halliday, licensed under "
        "CC-BY 4.0 (https://creativecommons.org/licenses/by/4.0/); adapted, described in our own words."
    ),
    choices_codec=Codec(CharacterChoices, f"{SLUG}/choices"),
    sheet_codec=Codec(CharacterSheet, f"{SLUG}/sheet"),
    content=own_catalog(),
    examples=EXAMPLES,
    playthroughs=load_playthroughs(__name__),
    build=build,
    random=drawn_character,
    printable=Printable(type=CharacterCard, make=character_card),
    advance=Advancement(
        reward=Development, field="development", text=development_line, options=development_options
    ),
    guide=GUIDE,
    packs=PACKS,
    tools=TOOLS,
)
