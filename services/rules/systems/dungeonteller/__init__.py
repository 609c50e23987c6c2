"""DungeonTeller 1.0: ten actions, six-sided dice, and a pile of Luck; for ages 6 and up.

Read in this order: `README.md` (what is modelled, and the rulings), `actions`, `powers` and `catalog` (what
the content holds), `checks` (how many dice), `luck`, `movement`, `hazards`, `tasks`, `casting` and `wearing`
(the rules that are plain arithmetic), `rewards`, `build` (choices, and what is wrong with them), `hero`
(choices to sheet), `sheet`; and `mechanics` (its rolls by name).
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import System
from services.rules.systems.dungeonteller.build import HeroChoices, build
from services.rules.systems.dungeonteller.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.dungeonteller.examples import EXAMPLES
from services.rules.systems.dungeonteller.mechanics import MECHANICS
from services.rules.systems.dungeonteller.play.scene import DungeonTellerPlay
from services.rules.systems.dungeonteller.sheet import HeroSheet

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
)
