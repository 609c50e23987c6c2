"""Realms in the graph. Their types are named after their game: other games have dice and places too."""

import orjson

from services.map.graphql.context import MapInfo
from services.map.graphql.kind import Content, Graph
from services.map.kinds.realm.growth import RuinDie
from services.map.kinds.realm.model import Corner
from services.map.kinds.realm.view import ForgebornRealm, realm_view
from services.map.kinds.realm.wish import Die, PlaceName, RealmWish
from services.map.looking import Look
from services.rules.systems.forgeborn import LinkKind, PlaceKind
from services.shared.mirror import mirror, mirror_input

mirror(PlaceKind, name="ForgebornPlaceKind")
mirror(LinkKind, name="ForgebornLinkKind")
mirror(Corner, name="SheetCorner")
mirror_input(Die, name="ForgebornDieInput")
mirror_input(PlaceName, name="ForgebornPlaceNameInput")
mirror_input(RuinDie, name="MapRuinDieInput")
mirror(ForgebornRealm)


async def _realm(_info: MapInfo, look: Look) -> ForgebornRealm:
    return realm_view(orjson.loads(look.row.model))


GRAPH = Graph(
    wish=mirror_input(RealmWish, name="ForgebornRealmInput"),
    content=Content(
        type=ForgebornRealm,
        show=_realm,
        field="realm",
        description="The realm itself, when it is a map of one.",
    ),
)
