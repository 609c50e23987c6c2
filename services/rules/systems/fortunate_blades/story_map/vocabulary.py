"""The closed sets of words that a story map is asked for and told in."""

from enum import StrEnum


class StoryScale(StrEnum):
    """How much of the world the sheet shows.

    Attributes:
        VILLAGE: A village and its fields.
        TOWN: A town and what lies before its walls.
        REGION: Villages and towns some days apart.
        NATION: A whole nation.
        CONTINENT: Several nations.
        WORLD: All the world.
    """

    VILLAGE = "village"
    TOWN = "town"
    REGION = "region"
    NATION = "nation"
    CONTINENT = "continent"
    WORLD = "world"


class StoryLandform(StrEnum):
    """How land and sea share the sheet.

    Attributes:
        INLAND: No sea.
        COAST: Sea along one side.
        ISLAND: One land with sea around.
        ISLES: Several lands in the sea.
    """

    INLAND = "inland"
    COAST = "coast"
    ISLAND = "island"
    ISLES = "isles"


class StoryTone(StrEnum):
    """A tone that the group wants in its story; in the order of the d20.

    Attributes:
        MONSTERS: 1: fights with monsters.
        EXPLORATION: 2: exploring the unknown.
        GREAT_EVIL: 3: standing against a great evil.
        RIGHT_WRONGS: 4: righting wrongs.
        JUSTICE: 5: justice.
        HELP_NEEDY: 6: helping who is in need.
        TREASURE: 7: treasure.
        POWER: 8: winning power.
        LEADERS: 9: leading others.
        DARK_SECRETS: 10: dark secrets.
        ANCIENT_PAST: 11: an ancient past.
        BADASS: 12: showing off what one can do.
        PLAYER_DRAMA: 13: drama between the characters.
        TENSE_SCARY: 14: tension and fear.
        SNEAKING_IDENTITIES: 15: sneaking and false identities.
        CRIMINALS: 16: crime.
        POLITICS: 17: politics.
        PERFORMING: 18: performing before others.
        BLEAK: 19: a bleak world.
        WONDER: 20: wonder.
    """

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
    """How the party came together; in the order of the d10.

    Attributes:
        SAME_TOWN: 1: they are from one town.
        SAME_NATION_FAR: 2: they are from one nation, and far from it.
        GREW_UP_TOGETHER: 3: they grew up together.
        SAME_INSTITUTION: 4: they belong to one institution.
        HIRED_BY_COMPANY: 5: a company hired them.
        ONE_HIRED_THE_REST: 6: one of them hired the rest.
        SURVIVED_DISASTER: 7: they survived a disaster.
        WRONGED_BY_FORCE: 8: a force has wronged them.
        MET_BY_CHANCE: 9: they met by chance.
        SWORE_AGAINST_FORCE: 10: they swore to bring a force down.
    """

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
    """What the party is after in all its adventures; in the order of the d8.

    Attributes:
        RICHES: 1: riches.
        ONE_TREASURE_OR_PERSON: 2: one treasure, or one person.
        POWER_AND_TITLES: 3: power and titles.
        AGAINST_A_FORCE: 4: the end of a force.
        BE_THE_BEST: 5: to be the best at something.
        RIGHT_A_WRONG: 6: to right a wrong.
        GREAT_SECRETS: 7: great secrets.
        PROTECT_OR_EXPLOIT: 8: to protect something, or to exploit it.
    """

    RICHES = "riches"
    ONE_TREASURE_OR_PERSON = "one_treasure_or_person"
    POWER_AND_TITLES = "power_and_titles"
    AGAINST_A_FORCE = "against_a_force"
    BE_THE_BEST = "be_the_best"
    RIGHT_A_WRONG = "right_a_wrong"
    GREAT_SECRETS = "great_secrets"
    PROTECT_OR_EXPLOIT = "protect_or_exploit"


class StoryDetail(StrEnum):
    """What a place is like; in the order of the d10.

    Attributes:
        DEADLY: 1: who goes there may not come back.
        MAGICAL: 2: magic is at work there.
        LUSH: 3: all grows well there.
        WAR_TORN: 4: war has passed over it.
        HARD_TO_REACH: 5: it takes an effort to come there.
        HUB: 6: many ways and people meet there.
        WASTELAND: 7: nothing grows there.
        BACKWATER: 8: hardly anybody comes by.
        CAPITAL: 9: who rules sits there.
        ABANDONED: 10: those who lived there are gone.
    """

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
    """What a place is; `unknown` is all that players are told of a place they only heard of.

    Attributes:
        UNKNOWN: Not known: all that players are told of a place they only heard of.
        HOUSE: Where people live.
        HALL: Where people gather.
        TAVERN: An inn or alehouse.
        MARKET: Where people buy and sell.
        WELL: A well or spring.
        MILL: Where grain is ground.
        SMITHY: Where iron is worked.
        FARM: A house and its fields.
        TEMPLE: Where gods are worshipped.
        GRAVEYARD: Where the dead lie.
        TOWER: A tall building that stands alone.
        KEEP: A castle.
        BRIDGE: Where a way crosses water.
        PORT: Where ships land.
        CAMP: Tents, for a time.
        VILLAGE: A few houses and their fields.
        TOWN: Many houses and a market.
        CITY: A large and mighty town.
        NATION: A whole nation, on maps of much of the world.
        CAVE: A way under the earth.
        MINE: A shaft after ore.
        RUIN: What is left of a building.
        GROVE: Old trees that mean something.
        MONUMENT: Set up so that people remember.
        BATTLEFIELD: Where a battle was fought.
        PORTAL: A way to somewhere else.
        LAIR: Where a beast lives.
        HOME_BASE: Where the party lives.
    """

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
    """Who or what brought something into the story.

    Attributes:
        START: It was there when the story began.
        ORIGIN: How the party came together.
        BACKGROUND: A player, by their character's background.
        TRADE: A player, by their character's trade.
        GM: The game master.
        PLAY: It came up in play.
    """

    START = "start"
    ORIGIN = "origin"
    BACKGROUND = "background"
    TRADE = "trade"
    GM = "gm"
    PLAY = "play"


class StoryPathSort(StrEnum):
    """How one travels between two places; an unknown way leads to a place that nobody has seen yet.

    Attributes:
        ROAD: A made road.
        TRAIL: A footpath.
        RIVER: By boat along a river.
        SEA: By ship across the sea.
        UNKNOWN: Nobody knows: it leads to a place that nobody has seen yet.
    """

    ROAD = "road"
    TRAIL = "trail"
    RIVER = "river"
    SEA = "sea"
    UNKNOWN = "unknown"


class StoryTerrainSort(StrEnum):
    """What is scribbled on the sheet; a river is a line, all else an outline.

    Attributes:
        LAND: The outline of land in the sea.
        SEA: Salt water.
        LAKE: Still water.
        RIVER: A line of flowing water.
        WOODS: Land under trees.
        HILLS: Rising ground.
        MOUNTAINS: High peaks.
        MARSH: Wet ground.
        DESERT: Dry, bare land.
        FIELDS: Ploughed land.
        HOUSES: Houses without names.
    """

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


class StoryForceSort(StrEnum):
    """What a force is.

    Attributes:
        REALM: A state and its crown.
        HOUSE: A noble family.
        GUILD: People of one trade.
        ORDER: People under one vow.
        COMPANY: Fighters or traders for hire.
        FAITH: Believers and their temples.
        CULT: Believers who hide.
        FIEND: One mighty evil being.
        HORDE: Many who raid.
        BEAST: One mighty creature.
        ELEMENT: A power of nature.
        PLIGHT: A curse, a plague, a famine.
    """

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
    """How much a force weighs in the world, from minor to heroic.

    Attributes:
        MINOR: One mark: a trouble for a few.
        SERIOUS: Two marks: a danger for many.
        HEROIC: Three marks: only heroes can stand against it.
    """

    MINOR = "minor"
    SERIOUS = "serious"
    HEROIC = "heroic"


class StoryInvolvement(StrEnum):
    """How directly a force takes a hand in the world.

    Attributes:
        DISTANT: It stays away.
        WATCHFUL: It watches, and seldom acts.
        ACTIVE: It takes a hand.
        EVERYWHERE: It has people in every place.
    """

    DISTANT = "distant"
    WATCHFUL = "watchful"
    ACTIVE = "active"
    EVERYWHERE = "everywhere"


class StoryEthic(StrEnum):
    """What a force holds by.

    Attributes:
        MERCY: Sparing others, and helping them.
        HONOR: A word once given is kept.
        ORDER: Laws, and everybody in their place.
        FREEDOM: Nobody is another's master.
        KNOWLEDGE: To know is worth any price.
        NATURE: What grows wild comes before what people build.
        WEALTH: What can be owned is what counts.
        POWER: The strong take what they want.
        VENGEANCE: A wrong is paid back.
        HUNGER: It takes because it must.
    """

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
    """Where a force stands in the story: known to players, the game master's secret, or done with.

    Attributes:
        KNOWN: Players know of it.
        SECRET: Game masters alone know of it.
        SETTLED: It is done with.
    """

    KNOWN = "known"
    SECRET = "secret"
    SETTLED = "settled"
