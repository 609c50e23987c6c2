"""Realms in the graph. Their types are named after their game: other games have dice and places too."""

from typing import Any

import orjson
import strawberry

from services.map.graphql.kind import Graph
from services.map.kinds.realm.generator import GENERATOR
from services.map.kinds.realm.growth import RuinDie
from services.map.kinds.realm.model import Corner
from services.map.kinds.realm.view import ForgebornRealm, realm_view
from services.map.kinds.realm.wish import Die, PlaceName, RealmWish
from services.rules.systems.forgeborn import LinkKind, PlaceKind
from services.shared.mirror import mirror, mirror_input

mirror(PlaceKind, name="ForgebornPlaceKind")
mirror(LinkKind, name="ForgebornLinkKind")
mirror(Corner, name="SheetCorner")
mirror_input(Die, name="ForgebornDieInput")
mirror_input(PlaceName, name="ForgebornPlaceNameInput")
mirror_input(RuinDie, name="MapRuinDieInput")


def _realm(root: Any) -> ForgebornRealm | None:
    row = root.look.row
    return realm_view(orjson.loads(row.model)) if row.kind == GENERATOR.slug else None


GRAPH = Graph(
    wish=mirror_input(RealmWish, name="ForgebornRealmInput"),
    fields={
        "realm": strawberry.field(
            _realm,
            description="The realm itself, when it is a map of one.",
            graphql_type=mirror(ForgebornRealm) | None,
        )
    },
)
