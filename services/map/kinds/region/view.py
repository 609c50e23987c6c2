"""How a region is shown in the graph, and journeys across it."""

from dataclasses import dataclass
from fractions import Fraction

from services.map.grid_view import MapCell
from services.map.kinds.region.canonical import letter_rows
from services.map.kinds.region.model import BIOME_LETTERS, GROUND_LETTERS, RegionMap
from services.map.kinds.region.travel import (
    Current,
    Factors,
    Means,
    Travel,
    TravelTerrain,
    hours,
)
from services.map.kinds.region.vocabulary import (
    CrossingKind,
    FeatureKind,
    Mouth,
    RegionClimate,
    RegionRainfall,
    RegionRelief,
    RegionSeason,
    RegionShape,
    SettlementKind,
    SiteKind,
    Siting,
    WayKind,
    Weather,
    WeatherClimate,
    Wind,
)
from services.rules.systems.forge_engine.travel import TERRAIN_EFFECTS, TravelMode


@dataclass(frozen=True, slots=True)
class RegionSettlement:
    """A settlement.

    Attributes:
        id: `settlement-1`, ...
        kind: What it is.
        name: Its name.
        at: Its cell.
        population: How many people live there.
        siting: Why it is there.
    """

    id: str
    kind: SettlementKind
    name: str
    at: MapCell
    population: int
    siting: Siting


@dataclass(frozen=True, slots=True)
class RegionCrossing:
    """Where a way crosses a river.

    Attributes:
        at: The cell.
        kind: Bridge or ford.
        river: Id of the river.
    """

    at: MapCell
    kind: CrossingKind
    river: str


@dataclass(frozen=True, slots=True)
class RegionWay:
    """A road, track, path or ferry.

    Attributes:
        id: `way-1`, ...
        kind: What it is.
        start: Id of the settlement it starts from.
        end: Id of the settlement or site it leads to.
        miles: Its length.
        line: Its cells.
        crossings: The rivers it crosses.
    """

    id: str
    kind: WayKind
    start: str
    end: str
    miles: float
    line: tuple[MapCell, ...]
    crossings: tuple[RegionCrossing, ...]


@dataclass(frozen=True, slots=True)
class RegionRiver:
    """A river from its source to its mouth.

    Attributes:
        id: `river-1`, ... the longest first.
        name: Empty for a brook.
        mouth: Where it ends.
        into: Id of the lake or river at its mouth, else empty.
        line: Its cells downstream.
    """

    id: str
    name: str
    mouth: Mouth
    into: str
    line: tuple[MapCell, ...]


@dataclass(frozen=True, slots=True)
class RegionLake:
    """A lake.

    Attributes:
        id: `lake-1`, ... the largest first.
        name: Its name.
        at: A cell near its middle.
        level: Height of its surface in feet above the sea.
        cells: How many cells it covers.
    """

    id: str
    name: str
    at: MapCell
    level: int
    cells: int


@dataclass(frozen=True, slots=True)
class RegionFeature:
    """A named stretch of the land or the sea.

    Attributes:
        id: `feature-1`, ...
        kind: What it is.
        name: Its name.
        at: One of its cells, near the middle.
        cells: About how many cells it covers.
    """

    id: str
    kind: FeatureKind
    name: str
    at: MapCell
    cells: int


@dataclass(frozen=True, slots=True)
class RegionSite:
    """A place of interest.

    Attributes:
        id: `site-1`, ...
        kind: What it is.
        name: Its name.
        at: Its cell.
        hidden: Whether only the game master knows of it.
    """

    id: str
    kind: SiteKind
    name: str
    at: MapCell
    hidden: bool


@dataclass(frozen=True, slots=True)
class WeatherChance:
    """One weather of travel on land.

    Attributes:
        weather: The weather.
        twentieths: How many faces of a d20 bring it.
    """

    weather: Weather
    twentieths: int


@dataclass(frozen=True, slots=True)
class WindChance:
    """One weather of travel on water.

    Attributes:
        wind: The weather.
        twentieths: How many faces of a d20 bring it.
    """

    wind: Wind
    twentieths: int


@dataclass(frozen=True, slots=True)
class RegionSeasonOdds:
    """The weather of one season: one d20 a day tells it.

    Attributes:
        season: The season.
        land: Weathers on land; twenty twentieths in all.
        water: Weathers on water; twenty twentieths in all.
    """

    season: RegionSeason
    land: tuple[WeatherChance, ...]
    water: tuple[WindChance, ...]


@dataclass(frozen=True, slots=True)
class RegionWeatherZone:
    """A zone of like weather.

    Attributes:
        climate: What its weather is like.
        seasons: Its weather in each season.
    """

    climate: WeatherClimate
    seasons: tuple[RegionSeasonOdds, ...]


@dataclass(frozen=True, slots=True)
class RegionView:
    """A region of land for journeys, as you may know it; cells are counted from 0 at the north-west.

    Attributes:
        title: Its name.
        width: Cells from west to east.
        height: Cells from north to south.
        cell_miles: Side of a cell in miles.
        shape: How land and sea share the map.
        climate: How warm its lowlands are.
        rainfall: How wet it is.
        relief: How high it rises.
        season: The season the map is meant for.
        biomes: What covers the land: a text a row from the north, a letter a cell.
        biome_letters: The letters of sea, shallows, lake, glacier, tundra, taiga, heath, grassland, farmland,
            woodland, savanna, desert, jungle, swamp and rock, in this order.
        ground: How rugged it is: a text a row, a letter a cell.
        ground_letters: The letters of level ground, hills, mountains and peaks, in this order.
        settlements: Settlements, the best sited first.
        ways: Roads, tracks, paths and ferries.
        rivers: Rivers, the longest first.
        lakes: Lakes, the largest first.
        features: What else bears a name.
        sites: Places of interest.
        weather: Zones of like weather.
    """

    title: str
    width: int
    height: int
    cell_miles: float
    shape: RegionShape
    climate: RegionClimate
    rainfall: RegionRainfall
    relief: RegionRelief
    season: RegionSeason
    biomes: tuple[str, ...]
    biome_letters: str
    ground: tuple[str, ...]
    ground_letters: str
    settlements: tuple[RegionSettlement, ...]
    ways: tuple[RegionWay, ...]
    rivers: tuple[RegionRiver, ...]
    lakes: tuple[RegionLake, ...]
    features: tuple[RegionFeature, ...]
    sites: tuple[RegionSite, ...]
    weather: tuple[RegionWeatherZone, ...]


@dataclass(frozen=True, slots=True)
class JourneyLeg:
    """A stretch of a journey over one terrain.

    Attributes:
        terrain: The row of Forge Engine's table of terrains; water and peaks have none.
        miles: Its length.
        way: The way it follows; null off the roads.
        current: Which way a boat goes on a river.
        line: Its cells.
    """

    terrain: TravelTerrain
    miles: float
    way: WayKind | None
    current: Current
    line: tuple[MapCell, ...]


@dataclass(frozen=True, slots=True)
class RegionJourney:
    """The quickest journey between two places.

    Attributes:
        miles: Its length.
        hours: Hours it takes at the speed that was named, in fine weather.
        legs: Its stretches in order.
    """

    miles: float
    hours: float
    legs: tuple[JourneyLeg, ...]


def region_view(model: RegionMap) -> RegionView:
    """Show a region, already as its reader may know it."""
    return RegionView(
        title=model.title,
        width=model.width,
        height=model.height,
        cell_miles=model.cell_miles,
        shape=model.shape,
        climate=model.climate,
        rainfall=model.rainfall,
        relief=model.relief,
        season=model.season,
        biomes=letter_rows(model.biomes, BIOME_LETTERS, model.width),
        biome_letters=BIOME_LETTERS,
        ground=letter_rows(model.ground, GROUND_LETTERS, model.width),
        ground_letters=GROUND_LETTERS,
        settlements=tuple(
            RegionSettlement(one.id, one.kind, one.name, MapCell(*one.at), one.population, one.siting)
            for one in model.settlements
        ),
        ways=tuple(
            RegionWay(
                way.id,
                way.kind,
                way.start,
                way.end,
                way.miles,
                _cells(way.line),
                tuple(RegionCrossing(MapCell(*one.at), one.kind, one.river) for one in way.crossings),
            )
            for way in model.ways
        ),
        rivers=tuple(
            RegionRiver(one.id, one.name, one.mouth, one.into, _cells(one.line)) for one in model.rivers
        ),
        lakes=tuple(
            RegionLake(one.id, one.name, MapCell(*one.at), one.level, one.cells) for one in model.lakes
        ),
        features=tuple(
            RegionFeature(one.id, one.kind, one.name, MapCell(*one.at), one.cells) for one in model.features
        ),
        sites=tuple(
            RegionSite(one.id, one.kind, one.name, MapCell(*one.at), one.hidden) for one in model.sites
        ),
        weather=tuple(
            RegionWeatherZone(
                zone.climate,
                tuple(
                    RegionSeasonOdds(
                        odds.season,
                        tuple(WeatherChance(*pair) for pair in zip(Weather, odds.land, strict=True)),
                        tuple(WindChance(*pair) for pair in zip(Wind, odds.water, strict=True)),
                    )
                    for odds in zone.odds
                ),
            )
            for zone in model.zones
        ),
    )


def journey(
    model: RegionMap, start: str, end: str, mode: TravelMode | None, miles_an_hour: float
) -> RegionJourney | None:
    """The quickest journey between two settlements or sites.

    Args:
        model: The region, as its reader may know it.
        start: Id of a settlement or site.
        end: The same.
        mode: How one travels on land; None for a boat.
        miles_an_hour: Full speed, on a good road or on calm water.

    Returns:
        The journey; None when one cannot go there so.

    Raises:
        ValueError: There is no such place, or no such speed.
    """
    if not 0.1 <= miles_an_hour <= 1_000:
        raise ValueError("a speed goes from 0.1 to 1000 miles an hour")
    factors = _factors(mode)
    try:
        found = Travel(model).route(start, end, factors, Means.BOAT if mode is None else Means.LAND)
    except KeyError as error:
        raise ValueError(
            f"there is no settlement or site {str(error.args[0])[:40]!r} that you know of"
        ) from error
    if found is None:
        return None
    legs = tuple(
        JourneyLeg(leg.terrain, leg.miles, leg.way, leg.current, _cells(leg.line)) for leg in found.legs
    )
    speed = Fraction(miles_an_hour).limit_denominator(1_000)
    return RegionJourney(sum(leg.miles for leg in legs), float(hours(found, speed, factors)), legs)


def _factors(mode: TravelMode | None) -> Factors:
    water = {TravelTerrain.WATER: Fraction(1)}
    if mode is None:
        return water
    return water | {
        terrain: TERRAIN_EFFECTS[terrain.value][mode]
        for terrain in TravelTerrain
        if terrain.value in TERRAIN_EFFECTS
    }


def _cells(line: tuple[tuple[int, int], ...]) -> tuple[MapCell, ...]:
    return tuple(MapCell(*cell) for cell in line)
