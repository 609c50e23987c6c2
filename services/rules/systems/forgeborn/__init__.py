"""Forgeborn: Master Smiths, a realm of dropped dice, Artifacts of wondrous power, and a Dragon.

Read in this order: `README.md` (what is modelled, and the rulings). The realm: `geometry` (exact positions
and crossings), `drop` (the dice and legal landings), `features` (places of each die), `links` (Roads and
Trails), `realm` (all of it together), `realm_names`, `site` (a stored realm that is played on). The content:
`catalog`, `content/`. Dice: `pools` (those of a Smith), `prices` (those that a total buys). A Smith:
`choices`, `build`, `sheet`, `sections`, `card`, `random`, `examples`. Its rolls by name, with their odds:
`mechanics`. Its games: `play`.
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import Printable, System
from services.rules.systems.forgeborn.build import build
from services.rules.systems.forgeborn.card import SmithCard, smith_card
from services.rules.systems.forgeborn.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.forgeborn.choices import SmithChoices
from services.rules.systems.forgeborn.drop import (
    DROPPED_DICE,
    DroppedDie,
    Landing,
    RealmSettings,
    Sheet,
    check_drop,
    landing,
)
from services.rules.systems.forgeborn.examples import EXAMPLES
from services.rules.systems.forgeborn.features import ForestPatch
from services.rules.systems.forgeborn.geometry import STEPS, Point, Polyline, steps, units
from services.rules.systems.forgeborn.links import Link, LinkKind, Site
from services.rules.systems.forgeborn.mechanics import MECHANICS
from services.rules.systems.forgeborn.play.scene import ForgebornPlay
from services.rules.systems.forgeborn.random import drawn_smith
from services.rules.systems.forgeborn.realm import (
    Place,
    PlaceKind,
    Realm,
    add_ruin,
    derive,
    spend_ruin,
    with_names,
)
from services.rules.systems.forgeborn.sections import LAYOUT
from services.rules.systems.forgeborn.sheet import SmithSheet

__all__ = [
    "DROPPED_DICE",
    "MECHANICS",
    "STEPS",
    "SYSTEM",
    "DroppedDie",
    "ForestPatch",
    "Landing",
    "Link",
    "LinkKind",
    "Place",
    "PlaceKind",
    "Point",
    "Polyline",
    "Realm",
    "RealmSettings",
    "Sheet",
    "Site",
    "add_ruin",
    "check_drop",
    "derive",
    "landing",
    "spend_ruin",
    "steps",
    "units",
    "with_names",
]

SYSTEM: System[SmithChoices, SmithSheet, Catalog] = System(
    slug=SLUG,
    name="Forgeborn",
    edition="A Roleplaying Game about Crafting Magical Objects",
    licence="Forgeborn is its author's; names, numbers and mechanics alone are modelled, in our own words.",
    choices_codec=Codec(SmithChoices, f"{SLUG}/choices"),
    sheet_codec=Codec(SmithSheet, f"{SLUG}/sheet"),
    content=own_catalog(),
    examples=EXAMPLES,
    playthroughs=load_playthroughs(__name__),
    build=build,
    play=ForgebornPlay(own_catalog()),
    random=drawn_smith,
    printable=Printable(type=SmithCard, make=smith_card),
    layout=LAYOUT,
)
