"""Forge Engine: ten-sided pools, energy, and characters bought with points, from castles to starships.

Read in this order: `README.md` (what is modelled, and the rulings). The content: `attributes`, `traits`,
`skills`, `equipment`, `world`, `settings`, `bestiary`, `catalog`, `content/`, `damage_traits`. Dice:
`rolls`, `mechanics`, `printed_odds`, `chances`. A character: `choices`, `characters` (the rules of creation
and growth), `derived` (figures of a body), `build`, `sheet` with its `sheet_lines`, `sections` with their
`section_items`, `card`, `guide` (creation step by step), `advancement`, `random`, `examples`. A table's own
content: `packs`, and `costing` by the book's formulas. For the game master: `wares`, `travel`, `influence`,
`encounters`, `awards`, `conditions`, `adversaries` from templates with `stat_block`. Fights: `profile` (a
combatant by its sheet or block), `play`. Between them: `tracks` (health and energy outside scenes, and
rests). Questions of the API: `pools` (attacks and tests), `tools` (all of them); in their problems,
`bounds` of numbers and `suggestions` of ids.
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import Printable, System
from services.rules.systems.forge_engine.advancement import ADVANCEMENT
from services.rules.systems.forge_engine.build import build
from services.rules.systems.forge_engine.card import CharacterCard, character_card
from services.rules.systems.forge_engine.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.examples import EXAMPLES
from services.rules.systems.forge_engine.guide import GUIDE
from services.rules.systems.forge_engine.mechanics import MECHANICS
from services.rules.systems.forge_engine.packs import PACKS
from services.rules.systems.forge_engine.play.scene import PLAY, ForgePlay
from services.rules.systems.forge_engine.random import drawn_character
from services.rules.systems.forge_engine.sections import LAYOUT
from services.rules.systems.forge_engine.sheet import CharacterSheet
from services.rules.systems.forge_engine.tools import TOOLS
from services.rules.systems.forge_engine.tracks import TRACKS

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
    play=PLAY,
    plays=ForgePlay,
    random=drawn_character,
    printable=Printable(type=CharacterCard, make=character_card),
    layout=LAYOUT,
    advance=ADVANCEMENT,
    guide=GUIDE,
    packs=PACKS,
    tools=TOOLS,
    tracks=TRACKS,
)
