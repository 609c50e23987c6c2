"""Names on a story map: of places, of terrain, of people and of the corner of the world itself.

Everything named has a stream of its own, so that what is found in play renames nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from services.rules.engine.chance import Chance
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryPlaceSort,
    StoryScale,
    StoryTerrainSort,
)

LONGEST = 22
"""Most letters of a made name."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONSETS = _words("b br c d dr f fl g gr h j k l m n p r s st t th tr v w")
_VOWELS = _words("a a e e i o o u ae ei")
_MIDDLES = _words("l ll ld lm m mb n nd nn r rd rl rn rr rv sk ss st th v")
_ENDS = _words("a an ar ath el en er eth ia iel in is or oth un ur")
_FIRST = _words(
    "Ada Alric Bram Bryn Cora Dag Edda Ewan Fern Gil Hana Hob Ida Ivo Jory Kit Lena Lorn Mab Milo Nell Odo "
    "Orla Pim Quill Rosa Rolf Sela Tam Tansy Ulf Vera Wat Wyn Yara Zeb"
)
_LAST = _words(
    "Ashdown Barrow Brand Crane Dusk Fallow Flint Greave Hale Holt Kestrel Lark Marsh Mott Nettle Pike "
    "Quarry Rook Sable Thorne Vane Wick"
)
_HOMELY = _words(
    "alder apple ash barley birch bram brook clay copper dun elder fen flint fox hazel heron honey kettle "
    "lark lantern marsh mill moss oat otter plum reed rook rush sedge swan thistle willow winter wren"
)
_STEADS = _words(
    "bridge brook bury by cote cross den field ford gate ham hollow hurst leigh mere stead ton wick"
)
_SIGNS = _words("Gilded Laughing Tipsy Crooked Merry Silver Blind Dancing Sleepy Drowned Speckled Honest")
_BEASTS = _words("Goose Boar Stag Fox Badger Mermaid Lantern Kettle Griffin Cockerel Pike Hare Giant Moon")
_GRIM = _words("Ashen Blind Broken Drowned Fallen Hollow Mute Pale Riven Sunken Weeping Hungry")
_FAIR = _words("Amber Emerald Golden Silver Singing Moonlit Whispering Starlit Quiet Crystal")
_OLD = _words("Old Upper Lower Long High Low Little Great")

_SMALL = (StoryScale.VILLAGE, StoryScale.TOWN)

_TRADE_NAMES: Mapping[StoryPlaceSort, tuple[str, ...]] = {
    StoryPlaceSort.HOUSE: ("{first}’s House", "Widow {first}’s House", "The {last} House", "{last} Cottage"),
    StoryPlaceSort.FARM: ("{last} Farm", "{first}’s Farm", "{home} Farm", "{old} {home} Farm"),
    StoryPlaceSort.MILL: ("{last}’s Mill", "{old} Mill", "{home} Mill"),
    StoryPlaceSort.SMITHY: ("{last}’s Forge", "{first}’s Smithy", "The {fair} Anvil"),
    StoryPlaceSort.TAVERN: ("The {sign} {beast}", "The {sign} {beast}", "{first}’s Rest"),
    StoryPlaceSort.WELL: ("{first}’s Well", "The {fair} Well", "{old} Well"),
    StoryPlaceSort.HALL: ("{last} Hall", "The {fair} Hall", "{home} Hall"),
    StoryPlaceSort.MARKET: ("{home} Market", "{fair} Market", "The {old} Market"),
    StoryPlaceSort.TEMPLE: ("Shrine of {root}", "The {fair} Chapel", "{root} Abbey"),
    StoryPlaceSort.GRAVEYARD: ("{home} Graves", "The {grim} Barrows", "{old} Graveyard"),
    StoryPlaceSort.TOWER: ("{root}’s Tower", "The {grim} Tower", "{home} Watch"),
    StoryPlaceSort.KEEP: ("{root} Keep", "Castle {root}", "{home} Keep"),
    StoryPlaceSort.BRIDGE: ("{home} Bridge", "{first}’s Crossing", "The {old} Bridge"),
    StoryPlaceSort.CAMP: ("{last}’s Camp", "Camp {root}", "The {sign} {beast} Camp"),
    StoryPlaceSort.CAVE: ("{root} Deep", "The {grim} Caves", "{home} Hollow"),
    StoryPlaceSort.MINE: ("{last}’s Delve", "{fair} Mine", "{root} Diggings"),
    StoryPlaceSort.RUIN: ("{grim} {root}", "{root} Ruins", "The {grim} Halls"),
    StoryPlaceSort.GROVE: ("The {fair} Grove", "{root} Glade", "{home} Grove"),
    StoryPlaceSort.MONUMENT: ("The {fair} Giant", "{root} Stones", "{first}’s Pillar"),
    StoryPlaceSort.BATTLEFIELD: ("{root} Field", "The {grim} Field", "{last}’s Stand"),
    StoryPlaceSort.PORTAL: ("The {fair} Gate", "{root}’s Door", "The {grim} Arch"),
    StoryPlaceSort.LAIR: ("{root}’s Lair", "The {grim} Den", "{grim} Roost"),
    StoryPlaceSort.HOME_BASE: ("{home} House", "The {sign} {beast}", "{last} Hold"),
    StoryPlaceSort.NATION: (
        "Kingdom of {root}",
        "{root} Empire",
        "{root}",
        "Duchy of {root}",
        "League of {root}",
    ),
    StoryPlaceSort.UNKNOWN: ("{root}", "{grim} {root}"),
}
_SETTLEMENTS = frozenset(
    (StoryPlaceSort.VILLAGE, StoryPlaceSort.TOWN, StoryPlaceSort.CITY, StoryPlaceSort.PORT)
)

_TERRAIN_NAMES: Mapping[StoryTerrainSort, tuple[str, ...]] = {
    StoryTerrainSort.LAND: ("Isle of {root}", "{root} Isle", "{home} Isle"),
    StoryTerrainSort.SEA: ("Sea of {root}", "The {fair} Sea", "The {grim} Sea"),
    StoryTerrainSort.LAKE: ("{root} Mere", "Lake {root}", "{home} Water"),
    StoryTerrainSort.RIVER: ("{root}", "{home} Run", "River {root}"),
    StoryTerrainSort.WOODS: ("{root} Wood", "The {grim} Wood", "The {fair} Wood", "{home} Wood"),
    StoryTerrainSort.HILLS: ("{home} Hills", "{root} Downs", "The {old} Downs"),
    StoryTerrainSort.MOUNTAINS: ("{root} Peaks", "The {grim} Teeth", "{root} Spine"),
    StoryTerrainSort.MARSH: ("{root} Fen", "The {grim} Mire", "{home} Marsh"),
    StoryTerrainSort.DESERT: ("{root} Sands", "The {grim} Waste", "The {fair} Barrens"),
    StoryTerrainSort.FIELDS: ("{home} Field", "The {old} Acre"),
    StoryTerrainSort.HOUSES: ("{last} Row", "{home} Quarter", "{old} {home}"),
}
_SMALL_TERRAIN: Mapping[StoryTerrainSort, tuple[str, ...]] = {
    StoryTerrainSort.SEA: ("{home} Bay", "The {fair} Bay"),
    StoryTerrainSort.LAND: ("{home} Isle", "{first}’s Isle"),
    StoryTerrainSort.LAKE: ("{home} Pond", "{first}’s Pool"),
    StoryTerrainSort.RIVER: ("{home} Brook", "{home} Beck"),
    StoryTerrainSort.WOODS: ("{home} Copse", "{last}’s Wood"),
}

_TITLES: Mapping[StoryScale, tuple[str, ...]] = {
    StoryScale.VILLAGE: ("The Village of {steading}", "{steading} and its Fields"),
    StoryScale.TOWN: ("The Town of {steading}", "{steading} Town"),
    StoryScale.REGION: ("The Vale of {root}", "The {root} Marches", "The {home} Valley"),
    StoryScale.NATION: ("The Kingdom of {root}", "The Realm of {root}", "The Free Towns of {root}"),
    StoryScale.CONTINENT: ("The Lands of {root}", "The Crowns of {root}"),
    StoryScale.WORLD: ("The World of {root}", "{root}, All the World"),
}


def root(stream: Chance) -> str:
    """A made word of two or three syllables."""
    middle = stream.choice(_ONSETS) + stream.choice(_VOWELS) + stream.choice(_MIDDLES)
    if stream.below(5) == 0:
        middle += stream.choice(_VOWELS) + stream.choice(("l", "n", "r", "v"))
    return (middle + stream.choice(_ENDS)).capitalize()


def person(stream: Chance) -> str:
    """The name of a person."""
    return f"{stream.choice(_FIRST)} {stream.choice(_LAST)}"


def steading(stream: Chance) -> str:
    """The name of a village or town, of two homely words."""
    while True:
        first, last = stream.choice(_HOMELY), stream.choice(_STEADS)
        if first[-1] != last[0] and first != last:
            return (first + last).capitalize()


def filled(pattern: str, stream: Chance) -> str:
    """A pattern with its words drawn."""
    return pattern.format_map(_Drawn(stream))


class _Drawn(dict[str, str]):
    """Draws the words that a pattern asks for, and only those."""

    def __init__(self, stream: Chance) -> None:
        super().__init__()
        self._stream = stream

    def __missing__(self, key: str) -> str:
        if key == "root":
            return root(self._stream)
        if key == "steading":
            return steading(self._stream)
        return self._stream.choice(_LISTS[key])


_LISTS: Mapping[str, tuple[str, ...]] = {
    "first": _FIRST,
    "last": _LAST,
    "home": tuple(word.capitalize() for word in _HOMELY),
    "sign": _SIGNS,
    "beast": _BEASTS,
    "grim": _GRIM,
    "fair": _FAIR,
    "old": _OLD,
}


def _other(patterns: tuple[str, ...], stream: Chance, taken: Collection[str], longest: int = LONGEST) -> str:
    while True:
        name = filled(stream.choice(patterns), stream)
        if len(name) <= longest and name not in taken:
            return name


def place_name(sort: StoryPlaceSort, scale: StoryScale, taken: Collection[str], stream: Chance) -> str:
    """A name for a place, other than those taken."""
    if sort in _SETTLEMENTS:
        if sort is StoryPlaceSort.PORT:
            patterns: tuple[str, ...] = (
                ("{home} Quay", "{first}’s Landing")
                if scale in _SMALL
                else ("Port {root}", "{home} Haven", "{root} Haven")
            )
        elif sort is StoryPlaceSort.CITY:
            patterns = ("{root}", "{root}", "{steading}")
        else:
            patterns = ("{steading}", "{steading}", "{root}")
        return _other(patterns, stream, taken)
    return _other(_TRADE_NAMES[sort], stream, taken)


def terrain_name(sort: StoryTerrainSort, scale: StoryScale, taken: Collection[str], stream: Chance) -> str:
    """A name for a stretch of terrain, other than those taken."""
    patterns = _TERRAIN_NAMES[sort]
    if scale in _SMALL:
        patterns = _SMALL_TERRAIN.get(sort, patterns)
    return _other(patterns, stream, taken)


def story_title(scale: StoryScale, stream: Chance) -> str:
    """A name for the story's corner of the world."""
    return _other(_TITLES[scale], stream, (), 34)
