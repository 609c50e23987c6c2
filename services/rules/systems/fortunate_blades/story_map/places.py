"""What the places of a story map are: by scale and tone, by the terrain around, by who brings them.

The book has the details of places (d10) and leaves what a place is to the table; the
weights here are our own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from services.rules.engine.chance import Chance, Weights, weighted
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryOrigin,
    StoryPlaceSort,
    StoryQuest,
    StoryScale,
    StoryTerrainSort,
    StoryTone,
)

_S = StoryPlaceSort
_T = StoryTone


_SORTS: Mapping[StoryScale, Weights[StoryPlaceSort]] = {
    StoryScale.VILLAGE: {
        _S.HOUSE: 10,
        _S.FARM: 10,
        _S.TAVERN: 5,
        _S.WELL: 5,
        _S.MILL: 6,
        _S.SMITHY: 5,
        _S.TEMPLE: 4,
        _S.HALL: 4,
        _S.GRAVEYARD: 4,
        _S.BRIDGE: 3,
        _S.TOWER: 3,
        _S.GROVE: 4,
        _S.MONUMENT: 3,
        _S.MARKET: 3,
        _S.RUIN: 3,
        _S.CAVE: 2,
        _S.CAMP: 2,
        _S.MINE: 1,
    },
    StoryScale.TOWN: {
        _S.TAVERN: 9,
        _S.MARKET: 8,
        _S.TEMPLE: 7,
        _S.HALL: 8,
        _S.HOUSE: 8,
        _S.SMITHY: 5,
        _S.TOWER: 5,
        _S.KEEP: 4,
        _S.BRIDGE: 4,
        _S.GRAVEYARD: 4,
        _S.MONUMENT: 4,
        _S.WELL: 4,
        _S.MILL: 3,
        _S.RUIN: 3,
        _S.CAVE: 1,
        _S.CAMP: 2,
        _S.PORTAL: 1,
        _S.LAIR: 1,
    },
    StoryScale.REGION: {
        _S.VILLAGE: 13,
        _S.TOWN: 5,
        _S.TAVERN: 4,
        _S.FARM: 4,
        _S.MILL: 2,
        _S.KEEP: 4,
        _S.TOWER: 4,
        _S.TEMPLE: 4,
        _S.BRIDGE: 4,
        _S.CAVE: 4,
        _S.MINE: 4,
        _S.RUIN: 5,
        _S.GROVE: 4,
        _S.CAMP: 4,
        _S.BATTLEFIELD: 2,
        _S.MONUMENT: 2,
        _S.GRAVEYARD: 2,
        _S.PORTAL: 1,
        _S.LAIR: 2,
    },
    StoryScale.NATION: {
        _S.TOWN: 11,
        _S.CITY: 7,
        _S.VILLAGE: 5,
        _S.KEEP: 7,
        _S.TEMPLE: 5,
        _S.TOWER: 4,
        _S.MINE: 4,
        _S.BRIDGE: 2,
        _S.RUIN: 6,
        _S.BATTLEFIELD: 4,
        _S.GROVE: 3,
        _S.CAVE: 3,
        _S.CAMP: 3,
        _S.MONUMENT: 3,
        _S.LAIR: 3,
        _S.PORTAL: 2,
    },
    StoryScale.CONTINENT: {
        _S.CITY: 11,
        _S.NATION: 9,
        _S.TOWN: 4,
        _S.KEEP: 5,
        _S.TEMPLE: 5,
        _S.TOWER: 4,
        _S.RUIN: 6,
        _S.MINE: 3,
        _S.BATTLEFIELD: 4,
        _S.GROVE: 4,
        _S.CAVE: 3,
        _S.LAIR: 4,
        _S.PORTAL: 3,
        _S.MONUMENT: 3,
        _S.CAMP: 2,
    },
    StoryScale.WORLD: {
        _S.NATION: 17,
        _S.CITY: 10,
        _S.TEMPLE: 4,
        _S.TOWER: 3,
        _S.KEEP: 3,
        _S.RUIN: 5,
        _S.PORTAL: 4,
        _S.LAIR: 4,
        _S.GROVE: 3,
        _S.BATTLEFIELD: 3,
        _S.MONUMENT: 3,
        _S.CAVE: 2,
        _S.MINE: 2,
    },
}

_STARTS: Mapping[StoryScale, Weights[StoryPlaceSort]] = {
    StoryScale.VILLAGE: {_S.TAVERN: 3, _S.HALL: 2, _S.MARKET: 2, _S.WELL: 1},
    StoryScale.TOWN: {_S.TAVERN: 3, _S.MARKET: 2, _S.HALL: 1, _S.TEMPLE: 1},
    StoryScale.REGION: {_S.VILLAGE: 3, _S.TOWN: 3, _S.TAVERN: 1},
    StoryScale.NATION: {_S.TOWN: 3, _S.CITY: 2, _S.VILLAGE: 1},
    StoryScale.CONTINENT: {_S.CITY: 3, _S.TOWN: 1},
    StoryScale.WORLD: {_S.CITY: 2, _S.NATION: 1},
}

_LIKED: Mapping[StoryTone, tuple[StoryPlaceSort, ...]] = {
    _T.MONSTERS: (_S.LAIR, _S.CAVE),
    _T.EXPLORATION: (_S.RUIN, _S.CAVE, _S.PORTAL),
    _T.GREAT_EVIL: (_S.BATTLEFIELD, _S.TOWER, _S.LAIR),
    _T.RIGHT_WRONGS: (_S.GRAVEYARD, _S.VILLAGE),
    _T.JUSTICE: (_S.KEEP, _S.HALL),
    _T.HELP_NEEDY: (_S.VILLAGE, _S.FARM, _S.CAMP),
    _T.TREASURE: (_S.MINE, _S.RUIN, _S.CAVE),
    _T.POWER: (_S.KEEP, _S.PORTAL),
    _T.LEADERS: (_S.CITY, _S.KEEP, _S.HALL),
    _T.DARK_SECRETS: (_S.GRAVEYARD, _S.TOWER, _S.TEMPLE),
    _T.ANCIENT_PAST: (_S.RUIN, _S.MONUMENT),
    _T.BADASS: (_S.LAIR, _S.BATTLEFIELD),
    _T.PLAYER_DRAMA: (_S.TAVERN, _S.HOUSE),
    _T.TENSE_SCARY: (_S.GRAVEYARD, _S.CAVE, _S.RUIN),
    _T.SNEAKING_IDENTITIES: (_S.MARKET, _S.TAVERN),
    _T.CRIMINALS: (_S.CAMP, _S.TAVERN, _S.MARKET),
    _T.POLITICS: (_S.HALL, _S.CITY, _S.NATION),
    _T.PERFORMING: (_S.TAVERN, _S.MARKET),
    _T.BLEAK: (_S.BATTLEFIELD, _S.GRAVEYARD),
    _T.WONDER: (_S.GROVE, _S.PORTAL, _S.WELL),
}

_TERRAIN_LIKES: Mapping[StoryTerrainSort, tuple[StoryPlaceSort, ...]] = {
    StoryTerrainSort.MOUNTAINS: (_S.MINE, _S.CAVE, _S.LAIR, _S.TOWER, _S.TEMPLE),
    StoryTerrainSort.HILLS: (_S.MINE, _S.KEEP, _S.TOWER, _S.MONUMENT, _S.CAVE),
    StoryTerrainSort.WOODS: (_S.GROVE, _S.CAMP, _S.LAIR, _S.RUIN),
    StoryTerrainSort.MARSH: (_S.RUIN, _S.LAIR, _S.GRAVEYARD),
    StoryTerrainSort.DESERT: (_S.RUIN, _S.MONUMENT, _S.PORTAL, _S.BATTLEFIELD),
    StoryTerrainSort.FIELDS: (_S.FARM, _S.MILL, _S.VILLAGE),
    StoryTerrainSort.HOUSES: (_S.HOUSE, _S.TAVERN, _S.MARKET, _S.HALL, _S.SMITHY),
}
_WILD = (StoryTerrainSort.MOUNTAINS, StoryTerrainSort.MARSH, StoryTerrainSort.DESERT)
_HOMES = (_S.VILLAGE, _S.TOWN, _S.CITY, _S.NATION, _S.HOUSE, _S.FARM)
_WORKS = (_S.MARKET, _S.SMITHY, _S.MILL, _S.MINE, _S.HALL, _S.TEMPLE, _S.TOWER, _S.KEEP)

_SCALES_OF_ORIGIN: Mapping[StoryOrigin, tuple[StoryScale, ...]] = {
    StoryOrigin.SAME_TOWN: (StoryScale.VILLAGE, StoryScale.TOWN, StoryScale.REGION),
    StoryOrigin.SAME_NATION_FAR: (StoryScale.CONTINENT, StoryScale.WORLD),
    StoryOrigin.GREW_UP_TOGETHER: (StoryScale.VILLAGE, StoryScale.TOWN, StoryScale.REGION),
    StoryOrigin.SAME_INSTITUTION: (StoryScale.TOWN, StoryScale.REGION, StoryScale.NATION),
    StoryOrigin.HIRED_BY_COMPANY: (StoryScale.REGION, StoryScale.NATION, StoryScale.CONTINENT),
    StoryOrigin.ONE_HIRED_THE_REST: (StoryScale.TOWN, StoryScale.REGION),
    StoryOrigin.SURVIVED_DISASTER: (StoryScale.VILLAGE, StoryScale.REGION, StoryScale.NATION),
    StoryOrigin.WRONGED_BY_FORCE: (StoryScale.TOWN, StoryScale.NATION, StoryScale.CONTINENT),
    StoryOrigin.MET_BY_CHANCE: (StoryScale.TOWN, StoryScale.REGION, StoryScale.NATION),
    StoryOrigin.SWORE_AGAINST_FORCE: (StoryScale.NATION, StoryScale.CONTINENT, StoryScale.WORLD),
}
_WIDE_QUESTS = frozenset(
    (
        StoryQuest.POWER_AND_TITLES,
        StoryQuest.BE_THE_BEST,
        StoryQuest.AGAINST_A_FORCE,
        StoryQuest.GREAT_SECRETS,
    )
)


def fitting_scale(origin: StoryOrigin, quest: StoryQuest, stream: Chance) -> StoryScale:
    """A scale that fits where the party comes from and what it is after."""
    scales = _SCALES_OF_ORIGIN[origin]
    # A quest that reaches far pulls the map to the wider of two.
    tried = [stream.below(len(scales)) for _ in range(2)]
    return scales[max(tried) if quest in _WIDE_QUESTS else min(tried)]


def start_sort(scale: StoryScale, origin: StoryOrigin, stream: Chance) -> StoryPlaceSort:
    """What the place is where the story starts."""
    if origin is StoryOrigin.MET_BY_CHANCE and scale not in (StoryScale.CONTINENT, StoryScale.WORLD):
        return stream.choice((_S.TAVERN, _S.TAVERN, _S.CAMP))
    if origin is StoryOrigin.SAME_INSTITUTION and scale in (StoryScale.VILLAGE, StoryScale.TOWN):
        return stream.choice((_S.HALL, _S.TEMPLE))
    return weighted(stream, _STARTS[scale])


def choose_sort(
    scale: StoryScale,
    tones: Sequence[StoryTone],
    terrain: Collection[StoryTerrainSort],
    brought: StoryBringer,
    taken: Sequence[StoryPlaceSort],
    stream: Chance,
) -> StoryPlaceSort:
    """What a place is.

    Args:
        scale: How much of the world the sheet shows.
        tones: Of the story.
        terrain: What it lies in.
        brought: Who brings it: a background asks for a home, a trade for a place of work.
        taken: What the places are that were there before; the same again is less likely.
        stream: Of the place.
    """
    weights = {sort: 4 * weight for sort, weight in _SORTS[scale].items()}
    for tone in tones:
        for sort in _LIKED[tone]:
            if sort in weights:
                weights[sort] = weights[sort] * 8 // 5
    for kind in terrain:
        for sort in _TERRAIN_LIKES.get(kind, ()):
            if sort in weights:
                weights[sort] *= 4
        if kind in _WILD:
            for sort in _HOMES:
                if sort in weights:
                    weights[sort] = max(1, weights[sort] // 4)
    river = StoryTerrainSort.RIVER in terrain
    for sort in (_S.BRIDGE, _S.MILL):
        if sort in weights:
            weights[sort] = weights[sort] * 4 if river else 0 if sort is _S.BRIDGE else weights[sort]
    favored = {StoryBringer.BACKGROUND: _HOMES, StoryBringer.TRADE: _WORKS}.get(brought, ())
    for sort in favored:
        if sort in weights:
            weights[sort] *= 3
    usual = max(_SORTS[scale].values())
    for sort in set(taken) & set(weights):
        # What a map is full of may come again and again, what is rare hardly.
        common = _SORTS[scale][sort] * 2 >= usual
        weights[sort] = weights[sort] * (2 if common else 1) // (2 + (1 if common else 3) * taken.count(sort))
    return weighted(stream, {sort: weight for sort, weight in weights.items() if weight} or _SORTS[scale])
