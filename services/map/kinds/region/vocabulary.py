"""The closed sets of words that a region is asked for and told in."""

from enum import StrEnum


class RegionShape(StrEnum):
    """How land and sea share the map.

    Attributes:
        ISLAND: One land in the sea.
        COAST: Land on one side, sea on the other.
        INLAND: No sea at all.
        ARCHIPELAGO: Many islands.
        PENINSULA: Land that reaches into the sea.
    """

    ISLAND = "island"
    COAST = "coast"
    INLAND = "inland"
    ARCHIPELAGO = "archipelago"
    PENINSULA = "peninsula"


class RegionClimate(StrEnum):
    """How warm the lowlands are.

    Attributes:
        ARCTIC: Frozen for most of the year.
        BOREAL: Long winters and short summers.
        TEMPERATE: Four mild seasons.
        WARM: Hot summers and mild winters.
        TROPICAL: Hot all year.
    """

    ARCTIC = "arctic"
    BOREAL = "boreal"
    TEMPERATE = "temperate"
    WARM = "warm"
    TROPICAL = "tropical"


class RegionRainfall(StrEnum):
    """How much rain the wind brings.

    Attributes:
        ARID: Hardly any: deserts spread.
        DRY: Little: grass more than woods.
        MODERATE: Enough for fields and woods.
        WET: Much: woods and swamps spread.
    """

    ARID = "arid"
    DRY = "dry"
    MODERATE = "moderate"
    WET = "wet"


class RegionRelief(StrEnum):
    """How high the land rises.

    Attributes:
        FLAT: Plains, and hardly a hill.
        ROLLING: Low hills.
        HILLY: High hills, and low mountains.
        MOUNTAINOUS: Ranges with high peaks.
    """

    FLAT = "flat"
    ROLLING = "rolling"
    HILLY = "hilly"
    MOUNTAINOUS = "mountainous"


class RegionSeason(StrEnum):
    """A quarter of the year.

    Attributes:
        SPRING: It grows warmer.
        SUMMER: The warmest.
        AUTUMN: It grows colder.
        WINTER: The coldest.
    """

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


class Mouth(StrEnum):
    """Where a river ends; `edge` means that it leaves the map.

    Attributes:
        SEA: It flows into the sea.
        LAKE: It flows into a lake.
        RIVER: It joins a larger river.
        EDGE: It leaves the map.
    """

    SEA = "sea"
    LAKE = "lake"
    RIVER = "river"
    EDGE = "edge"


class SettlementKind(StrEnum):
    """How large a settlement is, or what it is for.

    Attributes:
        HAMLET: A few houses, of some 100 people.
        VILLAGE: Some hundred people.
        TOWN: Some thousand people, and a market.
        PORT: A town of the coast that lives by its harbor.
        CITY: Ten thousand people or more, the most important of a region.
        KEEP: A castle on a height, with those who hold it.
    """

    HAMLET = "hamlet"
    VILLAGE = "village"
    TOWN = "town"
    PORT = "port"
    CITY = "city"
    KEEP = "keep"


class Siting(StrEnum):
    """Why people settled there.

    Attributes:
        RIVER_MOUTH: A river meets the sea.
        HARBOR: Ships lie sheltered.
        CONFLUENCE: Two rivers meet.
        RIVERSIDE: A river passes.
        LAKESIDE: A lake lies beside it.
        FERTILE_LAND: The fields bear well.
        PASTURE: Herds find grass.
        TIMBER: There is wood to fell.
        MINES: There is ore to dig.
        HEIGHTS: One sees far, and is safe.
        OASIS: There is water in the desert.
    """

    RIVER_MOUTH = "river mouth"
    HARBOR = "harbor"
    CONFLUENCE = "confluence"
    RIVERSIDE = "riverside"
    LAKESIDE = "lakeside"
    FERTILE_LAND = "fertile land"
    PASTURE = "pasture"
    TIMBER = "timber"
    MINES = "mines"
    HEIGHTS = "heights"
    OASIS = "oasis"


class WayKind(StrEnum):
    """What one travels on: a made road, a cart track, a footpath, or a boat over the sea.

    Attributes:
        ROAD: A made road.
        TRACK: A cart track.
        PATH: A footpath.
        FERRY: A boat over the sea.
    """

    ROAD = "road"
    TRACK = "track"
    PATH = "path"
    FERRY = "ferry"


class CrossingKind(StrEnum):
    """How a way crosses a river.

    Attributes:
        BRIDGE: A bridge: the way goes on dry.
        FORD: A ford: one wades.
    """

    BRIDGE = "bridge"
    FORD = "ford"


class FeatureKind(StrEnum):
    """What bears a name besides rivers, lakes and settlements.

    Attributes:
        MOUNTAINS: A range of high peaks.
        HILLS: Rising ground.
        FOREST: Woods or jungle.
        SWAMP: Wet ground.
        DESERT: Dry, bare land.
        PLAIN: Open, level land.
        ICE: Land under ice.
        SEA: Salt water around or beside the land.
        BAY: Sea that reaches into the land.
        ISLAND: Land with sea all around.
    """

    MOUNTAINS = "mountains"
    HILLS = "hills"
    FOREST = "forest"
    SWAMP = "swamp"
    DESERT = "desert"
    PLAIN = "plain"
    ICE = "ice"
    SEA = "sea"
    BAY = "bay"
    ISLAND = "island"


class SiteKind(StrEnum):
    """What a place of interest is.

    Attributes:
        RUIN: What is left of a building.
        TOWER: A tower that stands alone.
        CAVE: A way under the earth.
        SHRINE: A holy place by the way.
        LAIR: Where a beast lives.
        STONES: Stones that somebody has set up.
        MINE: A shaft after ore, worked or left.
    """

    RUIN = "ruin"
    TOWER = "tower"
    CAVE = "cave"
    SHRINE = "shrine"
    LAIR = "lair"
    STONES = "stones"
    MINE = "mine"


class Weather(StrEnum):
    """The weathers of travel on land (Forge Engine, Weather Effects).

    Attributes:
        SCORCHING: Heat in which animals and people hardly go on.
        HOT: Heat that slows animals and people.
        MILD: Nothing that slows.
        RAINING: Rain that slows everybody.
        TORRENTIAL: Rain in floods.
        BLIZZARD: Snow and storm, in which hardly anybody goes on.
    """

    SCORCHING = "scorching"
    HOT = "hot"
    MILD = "mild"
    RAINING = "raining"
    TORRENTIAL = "torrential"
    BLIZZARD = "blizzard"


class Wind(StrEnum):
    """The weathers of travel on water (Forge Engine, Weather Effects on Water Vehicles).

    Attributes:
        BECALMED: No wind: sails stand still.
        CALM: A weak wind.
        FAVORABLE: A good wind.
        IDEAL: The best of winds: sails are twice as fast.
        GALE: A wind that slows every craft.
        STORMY: A storm, in which hardly any craft goes on.
    """

    BECALMED = "becalmed"
    CALM = "calm"
    FAVORABLE = "favorable"
    IDEAL = "ideal"
    GALE = "gale"
    STORMY = "stormy"


class WeatherClimate(StrEnum):
    """What the weather of a zone is like over the year.

    Attributes:
        POLAR: Ice and snow all year.
        ALPINE: High land: cold, with snow in every season.
        COLD: Long winters with snow.
        OCEANIC: Mild and rainy all year.
        CONTINENTAL: Hot summers and cold winters.
        STEPPE: Dry, with hot summers and cold winters.
        DESERT: Dry and hot.
        SAVANNA: Hot, with a wet and a dry season.
        RAINFOREST: Hot and wet all year.
    """

    POLAR = "polar"
    ALPINE = "alpine"
    COLD = "cold"
    OCEANIC = "oceanic"
    CONTINENTAL = "continental"
    STEPPE = "steppe"
    DESERT = "desert"
    SAVANNA = "savanna"
    RAINFOREST = "rainforest"
