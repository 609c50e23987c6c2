"""Forgeborn: so far the making of its realm, from dropped dice to places, range, forests and ways.

Read in this order: `geometry` (exact positions and crossings), `drop` (the dice and legal landings),
`features` (what each die becomes), `links` (Roads and Trails), `realm` (all of it together); beside them
`mechanics` (its rolls by name, with their odds). The package exports no game system: see its README.
"""

from services.rules.systems.forgeborn.drop import (
    DROPPED_DICE,
    DroppedDie,
    Landing,
    RealmSettings,
    Sheet,
    check_drop,
    landing,
)
from services.rules.systems.forgeborn.features import ForestPatch
from services.rules.systems.forgeborn.geometry import STEPS, Point, Polyline, steps, units
from services.rules.systems.forgeborn.links import Link, LinkKind, Site
from services.rules.systems.forgeborn.mechanics import MECHANICS
from services.rules.systems.forgeborn.realm import (
    Place,
    PlaceKind,
    Realm,
    add_ruin,
    derive,
    reachable,
    spend_ruin,
    with_names,
)

__all__ = [
    "DROPPED_DICE",
    "MECHANICS",
    "STEPS",
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
    "reachable",
    "spend_ruin",
    "steps",
    "units",
    "with_names",
]
