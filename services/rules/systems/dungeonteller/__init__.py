"""DungeonTeller 1.0: ten actions, six-sided dice, and a pile of Luck; for ages 6 and up.

Read in this order: `README.md` (what is modelled, and the rulings); `actions`, `powers`, `bonuses`,
`things`, `bestiary` and `catalog` (what the content holds); `checks` (how many dice); `luck`, `movement`,
`hazards`, `tasks`, `casting`, `companions` and `outfit` (the rules that are plain arithmetic); `choices`,
`own_role`, `belongings`, `rewards` and `build` (what a player decides, and what is wrong with it); `hero`
(choices to sheet), `sheet`, `sections`, `treasury`, `card` (a hero on paper), `advancement`, `random` and
`examples`; `mechanics` (its rolls by name); `play` (scenes); `tracks` (Luck outside scenes, and rests).
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import Printable, System
from services.rules.systems.dungeonteller.advancement import ADVANCEMENT
from services.rules.systems.dungeonteller.build import HeroChoices, build
from services.rules.systems.dungeonteller.card import HeroCard, hero_card
from services.rules.systems.dungeonteller.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.dungeonteller.examples import EXAMPLES
from services.rules.systems.dungeonteller.mechanics import MECHANICS
from services.rules.systems.dungeonteller.play.scene import DungeonTellerPlay
from services.rules.systems.dungeonteller.random import drawn_hero
from services.rules.systems.dungeonteller.sections import LAYOUT
from services.rules.systems.dungeonteller.sheet import HeroSheet
from services.rules.systems.dungeonteller.tracks import TRACKS

__all__ = ["MECHANICS", "SYSTEM"]

SYSTEM: System[HeroChoices, HeroSheet, Catalog] = System(
    slug=SLUG,
    name="DungeonTeller",
    edition="version 1.0, August 2011",
    licence=(
        "DungeonTeller is by Doug Anderson, all rights reserved; only names, numbers and mechanics are "
        "modelled here, in our own words."
    ),
    choices_codec=Codec(HeroChoices, f"{SLUG}/choices"),
    sheet_codec=Codec(HeroSheet, f"{SLUG}/sheet"),
    content=own_catalog(),
    examples=EXAMPLES,
    playthroughs=load_playthroughs(__name__),
    build=build,
    play=DungeonTellerPlay(own_catalog()),
    random=drawn_hero,
    printable=Printable(type=HeroCard, make=hero_card),
    layout=LAYOUT,
    advance=ADVANCEMENT,
    tracks=TRACKS,
)
