"""Fortunate Blades: heroes with talents and Fortune, and the map of the story that they are in.

Read in this order: `README.md` (what is modelled, and the rulings). The content: `terms` (its closed sets of
words), `settings`, `world`, `catalog`, `content/`, `tables` (what a group rolls on), `packs` (a table's
own). A hero: `choices`, `creation` (the rules, step by step), `gear`, `condition` (what play brings),
`build`, `sheet`, `sections`, `talents` (what they add), `advancement`, `card`, `random`, `guide`,
`examples`. Questions: `tools`. Dice: `rolls` (a d20 against Close and Clear, Saves), `mechanics` (the same
as rolls by name). At play: `impact` (Effect), `clocks`, `harm`, `fortune`, then `play` (encounters),
`tracks` (a hero outside them, and rests) and `campaign` (what a table keeps between them). The map:
`story_map` (what the game knows of the map of a story), `site` (that map as a campaign is begun on it and
leads it).
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import Printable, System
from services.rules.systems.fortunate_blades.advancement import ADVANCEMENT
from services.rules.systems.fortunate_blades.build import build
from services.rules.systems.fortunate_blades.campaign.scene import FortunateBladesCampaign
from services.rules.systems.fortunate_blades.card import HeroCard, hero_card
from services.rules.systems.fortunate_blades.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.fortunate_blades.choices import HeroChoices
from services.rules.systems.fortunate_blades.examples import EXAMPLES
from services.rules.systems.fortunate_blades.guide import GUIDE
from services.rules.systems.fortunate_blades.mechanics import MECHANICS
from services.rules.systems.fortunate_blades.packs import PACKS
from services.rules.systems.fortunate_blades.play.scene import FortunateBladesPlay
from services.rules.systems.fortunate_blades.random import drawn_hero
from services.rules.systems.fortunate_blades.sections import LAYOUT
from services.rules.systems.fortunate_blades.sheet import HeroSheet
from services.rules.systems.fortunate_blades.tools import TOOLS
from services.rules.systems.fortunate_blades.tracks import TRACKS

__all__ = ["MECHANICS", "SYSTEM"]

SYSTEM: System[HeroChoices, HeroSheet, Catalog] = System(
    slug=SLUG,
    name="Fortunate Blades",
    edition="Book of Basics",
    licence=(
        "Fortunate Blades is its author's; names, numbers and mechanics alone are modelled, in our own "
        "words, with lists of our own."
    ),
    choices_codec=Codec(HeroChoices, f"{SLUG}/choices"),
    sheet_codec=Codec(HeroSheet, f"{SLUG}/sheet"),
    content=own_catalog(),
    examples=EXAMPLES,
    playthroughs=load_playthroughs(__name__),
    build=build,
    random=drawn_hero,
    printable=Printable(type=HeroCard, make=hero_card),
    layout=LAYOUT,
    guide=GUIDE,
    packs=PACKS,
    play=FortunateBladesPlay(own_catalog()),
    campaign=FortunateBladesCampaign(own_catalog()),
    advance=ADVANCEMENT,
    tools=TOOLS,
    tracks=TRACKS,
)
