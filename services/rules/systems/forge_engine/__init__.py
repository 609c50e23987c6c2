"""Forge Engine: ten-sided pools, energy, and characters bought with points, from castles to starships.

Read in this order: `README.md` (what is modelled, and the rulings); `attributes`, `traits`, `skills`,
`equipment`, `bestiary`, `world`, `settings` and `catalog` (what the content holds); `rolls`, `mechanics` and
`printed_odds` (dice).

Characters: `choices` (what a player decides), `person` (what that makes of somebody), `budgets`,
`permission`, `trait_rules`, `skill_rules`, `belongings` and `development` (what it costs, and what is wrong
with it), `creation` (all of that together), `derived` (plain figures), `standing`, `trying`, `attacks`,
`casting` and `hero` (from choices to a sheet), `sheet_lines` and `sheet`, `build`, `card`, `guide`,
`offering`, `advancing`, `random_character` and `examples`. What a table adds is in `packs`,
what it should cost in `costing`, adversaries from templates in `adversaries` and `stat_block`, pools and
odds of attacks and tests in `attack_pool` and `attack_odds`, and the questions of the API in `tools`.
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import Advancement, Printable, System
from services.rules.systems.forge_engine.advancing import development_options
from services.rules.systems.forge_engine.build import build
from services.rules.systems.forge_engine.card import CharacterCard, character_card
from services.rules.systems.forge_engine.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.forge_engine.choices import CharacterChoices, Development
from services.rules.systems.forge_engine.development import development_line
from services.rules.systems.forge_engine.examples import EXAMPLES
from services.rules.systems.forge_engine.guide import GUIDE
from services.rules.systems.forge_engine.mechanics import MECHANICS
from services.rules.systems.forge_engine.packs import PACKS
from services.rules.systems.forge_engine.random_character import drawn_character
from services.rules.systems.forge_engine.sheet import CharacterSheet
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
