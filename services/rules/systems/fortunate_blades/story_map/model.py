"""The model of a story map: places, the ways between them, scribbled terrain and the forces of the story.

Positions are in units of the sheet, x to the east from its left edge and y to the south from its top edge,
with at most three decimals. Lists keep the order in which things came to the map: play only adds to their
ends. (Fortunate Blades, "The Map", "Places", "Place Details", "Forces".)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StoryScale(StrEnum):
    """How much of the world the sheet shows."""

    VILLAGE = "village"
    TOWN = "town"
    REGION = "region"
    NATION = "nation"
    CONTINENT = "continent"
    WORLD = "world"


class StoryLandform(StrEnum):
    """How land and sea share the sheet."""

    INLAND = "inland"
    COAST = "coast"
    ISLAND = "island"
    ISLES = "isles"


class StoryTone(StrEnum):
    """A tone that the group wants in its story; in the order of the d20."""

    MONSTERS = "monsters"
    EXPLORATION = "exploration"
    GREAT_EVIL = "great_evil"
    RIGHT_WRONGS = "right_wrongs"
    JUSTICE = "justice"
    HELP_NEEDY = "help_needy"
    TREASURE = "treasure"
    POWER = "power"
    LEADERS = "leaders"
    DARK_SECRETS = "dark_secrets"
    ANCIENT_PAST = "ancient_past"
    BADASS = "badass"
    PLAYER_DRAMA = "player_drama"
    TENSE_SCARY = "tense_scary"
    SNEAKING_IDENTITIES = "sneaking_identities"
    CRIMINALS = "criminals"
    POLITICS = "politics"
    PERFORMING = "performing"
    BLEAK = "bleak"
    WONDER = "wonder"


class StoryOrigin(StrEnum):
    """How the party came together; in the order of the d10."""

    SAME_TOWN = "same_town"
    SAME_NATION_FAR = "same_nation_far"
    GREW_UP_TOGETHER = "grew_up_together"
    SAME_INSTITUTION = "same_institution"
    HIRED_BY_COMPANY = "hired_by_company"
    ONE_HIRED_THE_REST = "one_hired_the_rest"
    SURVIVED_DISASTER = "survived_disaster"
    WRONGED_BY_FORCE = "wronged_by_force"
    MET_BY_CHANCE = "met_by_chance"
    SWORE_AGAINST_FORCE = "swore_against_force"


class StoryQuest(StrEnum):
    """What the party is after in all its adventures; in the order of the d8."""

    RICHES = "riches"
    ONE_TREASURE_OR_PERSON = "one_treasure_or_person"
    POWER_AND_TITLES = "power_and_titles"
    AGAINST_A_FORCE = "against_a_force"
    BE_THE_BEST = "be_the_best"
    RIGHT_A_WRONG = "right_a_wrong"
    GREAT_SECRETS = "great_secrets"
    PROTECT_OR_EXPLOIT = "protect_or_exploit"


class StoryDetail(StrEnum):
    """What a place is like; in the order of the d10."""

    DEADLY = "deadly"
    MAGICAL = "magical"
    LUSH = "lush"
    WAR_TORN = "war_torn"
    HARD_TO_REACH = "hard_to_reach"
    HUB = "hub"
    WASTELAND = "wasteland"
    BACKWATER = "backwater"
    CAPITAL = "capital"
    ABANDONED = "abandoned"


class StoryPlaceSort(StrEnum):
    """What a place is; `unknown` is all that players are told of a place they only heard of."""

    UNKNOWN = "unknown"
    HOUSE = "house"
    HALL = "hall"
    TAVERN = "tavern"
    MARKET = "market"
    WELL = "well"
    MILL = "mill"
    SMITHY = "smithy"
    FARM = "farm"
    TEMPLE = "temple"
    GRAVEYARD = "graveyard"
    TOWER = "tower"
    KEEP = "keep"
    BRIDGE = "bridge"
    PORT = "port"
    CAMP = "camp"
    VILLAGE = "village"
    TOWN = "town"
    CITY = "city"
    NATION = "nation"
    CAVE = "cave"
    MINE = "mine"
    RUIN = "ruin"
    GROVE = "grove"
    MONUMENT = "monument"
    BATTLEFIELD = "battlefield"
    PORTAL = "portal"
    LAIR = "lair"
    HOME_BASE = "home_base"


class StoryBringer(StrEnum):
    """Who or what brought something into the story."""

    START = "start"
    ORIGIN = "origin"
    BACKGROUND = "background"
    TRADE = "trade"
    GM = "gm"
    PLAY = "play"


class StoryPathSort(StrEnum):
    """How one travels between two places; an unknown way leads to a place that nobody has seen yet."""

    ROAD = "road"
    TRAIL = "trail"
    RIVER = "river"
    SEA = "sea"
    UNKNOWN = "unknown"


class StoryTerrainSort(StrEnum):
    """What is scribbled on the sheet; a river is a line, all else an outline."""

    LAND = "land"
    SEA = "sea"
    LAKE = "lake"
    RIVER = "river"
    WOODS = "woods"
    HILLS = "hills"
    MOUNTAINS = "mountains"
    MARSH = "marsh"
    DESERT = "desert"
    FIELDS = "fields"
    HOUSES = "houses"


WATERS = frozenset((StoryTerrainSort.SEA, StoryTerrainSort.LAKE))
"""What nobody walks over, unless land is scribbled on it later."""


class StoryForceSort(StrEnum):
    """What a force is."""

    REALM = "realm"
    HOUSE = "house"
    GUILD = "guild"
    ORDER = "order"
    COMPANY = "company"
    FAITH = "faith"
    CULT = "cult"
    FIEND = "fiend"
    HORDE = "horde"
    BEAST = "beast"
    ELEMENT = "element"
    PLIGHT = "plight"


class StoryMagnitude(StrEnum):
    """How much a force weighs in the world, from minor to heroic."""

    MINOR = "minor"
    SERIOUS = "serious"
    HEROIC = "heroic"


class StoryInvolvement(StrEnum):
    """How directly a force takes a hand in the world."""

    DISTANT = "distant"
    WATCHFUL = "watchful"
    ACTIVE = "active"
    EVERYWHERE = "everywhere"


class StoryEthic(StrEnum):
    """What a force holds by."""

    MERCY = "mercy"
    HONOR = "honor"
    ORDER = "order"
    FREEDOM = "freedom"
    KNOWLEDGE = "knowledge"
    NATURE = "nature"
    WEALTH = "wealth"
    POWER = "power"
    VENGEANCE = "vengeance"
    HUNGER = "hunger"


class StoryStanding(StrEnum):
    """Where a force stands in the story: known to players, the game master's secret, or done with."""

    KNOWN = "known"
    SECRET = "secret"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class StorySpot:
    """A spot on the sheet.

    Attributes:
        x: Units east of its left edge.
        y: Units south of its top edge.
    """

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class StoryNote:
    """A note about a place.

    Attributes:
        text: What it says.
        secret: Whether only the game master reads it.
    """

    text: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class StoryPlace:
    """A mark on the map.

    Attributes:
        id: Tells nothing of how many places there are.
        name: Its name; empty in the players' version of a place that they only heard of.
        sort: What it is.
        at: Where it lies.
        detail: What it is like; none in the players' version of a place that they only heard of.
        brought: Who or what brought it into the story.
        player: Number of the player whose background or trade it belongs to, from 1; else 0.
        known: Whether players know it.
        rumored: Whether players have heard that there is something, though they do not know it.
        notes: What was written down about it, oldest first.
    """

    id: str
    name: str
    sort: StoryPlaceSort
    at: StorySpot
    detail: StoryDetail | None
    brought: StoryBringer
    player: int = 0
    known: bool = True
    rumored: bool = False
    notes: tuple[StoryNote, ...] = ()


@dataclass(frozen=True, slots=True)
class StoryPath:
    """A way between two places, for both directions.

    Attributes:
        start: Id of the one place.
        end: Id of the other.
        sort: How one travels on it.
    """

    start: str
    end: str
    sort: StoryPathSort


@dataclass(frozen=True, slots=True)
class StoryTerrain:
    """A stretch of terrain.

    Attributes:
        id: `terrain-1`, ...
        sort: What it is.
        name: Its name; may be empty.
        points: Its outline, or the line of a river downstream; it may run off the sheet, where it is cut off.
    """

    id: str
    sort: StoryTerrainSort
    name: str
    points: tuple[StorySpot, ...]


@dataclass(frozen=True, slots=True)
class StoryForce:
    """A force of the story.

    Attributes:
        id: Tells nothing of how many forces there are.
        name: Its name.
        sort: What it is.
        magnitude: How much it weighs in the world.
        involvement: How directly it takes a hand.
        ethic: What it holds by.
        facts: What is known of it, a sentence each.
        standing: Whether players know of it.
        brought: Who or what brought it into the story.
        seat: Id of the place it works from; empty for none.
        foe: Id of a force that it stands against; empty for none.
        peril: Whether it is behind the peril of the story; for the game master.
        goal: What it is really after; for the game master.
        agents: Through whom it acts; for the game master.
        ending: How it went out of the story; empty while it has not.
    """

    id: str
    name: str
    sort: StoryForceSort
    magnitude: StoryMagnitude
    involvement: StoryInvolvement
    ethic: StoryEthic
    facts: tuple[str, ...]
    standing: StoryStanding
    brought: StoryBringer
    seat: str = ""
    foe: str = ""
    peril: bool = False
    goal: str = ""
    agents: tuple[str, ...] = ()
    ending: str = ""


@dataclass(frozen=True, slots=True)
class StoryMap:
    """A story map.

    Attributes:
        seed: What it is drawn from; 0 in the players' version.
        attempt: Which sub-seed passed the gates, from 0.
        title: Name of the story's corner of the world.
        scale: How much of the world the sheet shows.
        landform: How land and sea share it.
        origin: How the party came together.
        quest: What the party is after.
        tones: The tones of the story.
        players: How many players there are.
        asked_places: Known places that were asked for, the start among them.
        asked_unknown: Unknown places that were asked for; 0 in the players' version.
        width: Width of the sheet in units.
        height: Height of the sheet in units.
        sea_around: Whether the sheet is sea where no land is scribbled.
        start: Id of the place where the story starts.
        places: The places, the start first.
        paths: The ways between them.
        terrains: The terrain, later stretches over earlier ones.
        forces: The forces.
        growth: How often play has added to it; 0 in the players' version.
        generator_version: The version of the generator that made it.
    """

    seed: int
    attempt: int
    title: str
    scale: StoryScale
    landform: StoryLandform
    origin: StoryOrigin
    quest: StoryQuest
    tones: tuple[StoryTone, ...]
    players: int
    asked_places: int
    asked_unknown: int
    width: float
    height: float
    sea_around: bool
    start: str
    places: tuple[StoryPlace, ...]
    paths: tuple[StoryPath, ...]
    terrains: tuple[StoryTerrain, ...]
    forces: tuple[StoryForce, ...]
    growth: int = 0
    generator_version: int = 0

    def place(self, id: str) -> StoryPlace | None:
        """The place with an id."""
        return next((place for place in self.places if place.id == id), None)

    def force(self, id: str) -> StoryForce | None:
        """The force with an id."""
        return next((force for force in self.forces if force.id == id), None)
