"""The models of maps as GraphQL types, reflected from their views, and named after their kind."""

from typing import Any

from services.map.generation.realm.model import Corner
from services.map.generation.region.generator import KIND as REGION_KIND
from services.map.generation.region.model import (
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
from services.map.generation.region.travel import Current, TravelTerrain
from services.map.generation.story.generator import KIND as STORY_KIND
from services.map.grid_view import GridView
from services.map.realm_view import ForgebornRealm
from services.map.region_view import (
    JourneyLeg,
    RegionJourney,
    RegionView,
    WeatherChance,
    WindChance,
)
from services.map.story_view import StoryView
from services.rules.systems.forge_engine.travel import TravelMode
from services.rules.systems.forgeborn import LinkKind, PlaceKind
from services.shared.mirror import mirror

REGION, STORY = REGION_KIND.slug, STORY_KIND.slug

# Named after their game where they are mirrored first: other games have places and dice of their own.
mirror(PlaceKind, name="ForgebornPlaceKind")
mirror(LinkKind, name="ForgebornLinkKind")
mirror(Corner, name="SheetCorner")
ForgebornRealmType = mirror(ForgebornRealm)
GridType = mirror(GridView, name="GridMap")
for _cls in (SettlementKind, Siting, CrossingKind, WayKind, Mouth, FeatureKind, SiteKind, Weather, Wind):
    mirror(_cls, name=f"Region{_cls.__name__}")
mirror(WeatherClimate, name="RegionWeatherClimate")
mirror(TravelTerrain, name="RegionTerrain")
mirror(Current, name="RegionCurrent")
mirror(WeatherChance, name="RegionWeatherChance")
mirror(WindChance, name="RegionWindChance")
mirror(JourneyLeg, name="RegionJourneyLeg")
TravelModeType: Any = mirror(TravelMode, name="RegionTravelMode")
RegionType = mirror(RegionView, name="Region")
JourneyType = mirror(RegionJourney)
StoryType = mirror(StoryView, name="Story")
