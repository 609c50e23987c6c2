"""Regions in the graph, and journeys across them."""

from typing import Annotated, Any

import strawberry

from services.map.graphql.content import shown
from services.map.graphql.context import MapInfo
from services.map.graphql.kind import Content, Graph
from services.map.kinds.region.generator import GENERATOR
from services.map.kinds.region.travel import Current, TravelTerrain
from services.map.kinds.region.view import (
    JourneyLeg,
    RegionJourney,
    RegionView,
    WeatherChance,
    WindChance,
    journey,
    region_view,
)
from services.map.kinds.region.vocabulary import (
    CrossingKind,
    FeatureKind,
    Mouth,
    SettlementKind,
    SiteKind,
    Siting,
    WayKind,
    Weather,
    WeatherClimate,
    Wind,
)
from services.map.looking import Look
from services.rules.systems.forge_engine.travel import TravelMode
from services.shared.mirror import mirror
from services.shared.problems import PublicError

for _cls in (SettlementKind, Siting, CrossingKind, WayKind, Mouth, FeatureKind, SiteKind, Weather, Wind):
    mirror(_cls, name=f"Region{_cls.__name__}")
mirror(WeatherClimate, name="RegionWeatherClimate")
mirror(TravelTerrain, name="RegionTerrain")
mirror(Current, name="RegionCurrent")
mirror(WeatherChance, name="RegionWeatherChance")
mirror(WindChance, name="RegionWindChance")
mirror(JourneyLeg, name="RegionJourneyLeg")
mirror(RegionView, name="Region")
TravelModeType: Any = mirror(TravelMode, name="RegionTravelMode")


async def _region(info: MapInfo, look: Look) -> RegionView:
    view: RegionView = await shown(info, look, region_view)
    return view


async def _journey(
    root: Any,
    info: MapInfo,
    start: Annotated[str, strawberry.argument(description="Id of a settlement or site.")],
    end: Annotated[str, strawberry.argument(description="The same.")],
    mode: Annotated[
        TravelModeType | None, strawberry.argument(description="How one travels; by boat when null.")
    ] = TravelMode.FOOT,
    miles_an_hour: Annotated[
        float, strawberry.argument(description="Full speed, on a good road or on calm water.")
    ] = 3.0,
) -> RegionJourney | None:
    def planned(model: Any) -> RegionJourney | None:
        return journey(model, start, end, mode, miles_an_hour)

    if root.look.row.kind != GENERATOR.slug:
        return None
    try:
        found: RegionJourney | None = await shown(info, root.look, planned)
    except ValueError as error:
        raise PublicError("BAD_USER_INPUT", f"{error}.") from error
    return found


GRAPH = Graph(
    content=Content(
        type=RegionView,
        show=_region,
        field="region",
        description="The region itself, when it is a map of one.",
    ),
    fields={
        "journey": strawberry.field(
            _journey,
            description="The quickest journey between two settlements or sites of a region, by the terrains "
            "of Forge Engine's travel tables; null when one cannot go there so, and on other maps.",
            graphql_type=mirror(RegionJourney) | None,
        ),
    },
)
