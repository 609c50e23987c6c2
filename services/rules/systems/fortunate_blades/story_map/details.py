"""What places are like: the ten details of the book, weighed by what a place is, by tone and by terrain."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from services.rules.engine.chance import Chance, Weights, weighted
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryDetail,
    StoryPlaceSort,
    StoryScale,
    StoryTerrainSort,
    StoryTone,
)

_S = StoryPlaceSort
_D = StoryDetail
_T = StoryTone

_DETAILS: Mapping[StoryPlaceSort, Weights[StoryDetail]] = {
    _S.CITY: {_D.HUB: 8, _D.CAPITAL: 4, _D.LUSH: 2, _D.WAR_TORN: 2, _D.MAGICAL: 2, _D.HARD_TO_REACH: 1},
    _S.NATION: {_D.CAPITAL: 6, _D.HUB: 3, _D.LUSH: 3, _D.WAR_TORN: 3, _D.MAGICAL: 2, _D.WASTELAND: 1},
    _S.TOWN: {_D.HUB: 6, _D.LUSH: 3, _D.BACKWATER: 3, _D.WAR_TORN: 2, _D.ABANDONED: 1},
    _S.VILLAGE: {_D.BACKWATER: 7, _D.LUSH: 5, _D.WAR_TORN: 2, _D.ABANDONED: 2, _D.HARD_TO_REACH: 1},
    _S.PORT: {_D.HUB: 6, _D.BACKWATER: 3, _D.LUSH: 2, _D.WAR_TORN: 1},
    _S.RUIN: {_D.ABANDONED: 7, _D.DEADLY: 5, _D.MAGICAL: 3, _D.HARD_TO_REACH: 2, _D.WASTELAND: 2},
    _S.LAIR: {_D.DEADLY: 9, _D.HARD_TO_REACH: 3, _D.WASTELAND: 2},
    _S.CAVE: {_D.DEADLY: 4, _D.HARD_TO_REACH: 4, _D.MAGICAL: 3, _D.ABANDONED: 1},
    _S.MINE: {_D.HUB: 3, _D.ABANDONED: 4, _D.DEADLY: 2, _D.HARD_TO_REACH: 2},
    _S.GROVE: {_D.MAGICAL: 6, _D.LUSH: 6, _D.HARD_TO_REACH: 1},
    _S.PORTAL: {_D.MAGICAL: 8, _D.DEADLY: 3, _D.HARD_TO_REACH: 2},
    _S.BATTLEFIELD: {_D.WAR_TORN: 9, _D.WASTELAND: 4, _D.ABANDONED: 1},
    _S.GRAVEYARD: {_D.ABANDONED: 3, _D.BACKWATER: 3, _D.MAGICAL: 2, _D.DEADLY: 1},
    _S.KEEP: {_D.CAPITAL: 2, _D.WAR_TORN: 4, _D.HARD_TO_REACH: 3, _D.HUB: 2, _D.ABANDONED: 1},
    _S.TOWER: {_D.MAGICAL: 5, _D.HARD_TO_REACH: 4, _D.ABANDONED: 3, _D.BACKWATER: 1},
    _S.TEMPLE: {_D.HUB: 4, _D.MAGICAL: 3, _D.HARD_TO_REACH: 2, _D.ABANDONED: 1},
    _S.MARKET: {_D.HUB: 9, _D.LUSH: 1},
    _S.TAVERN: {_D.HUB: 5, _D.BACKWATER: 3, _D.LUSH: 2},
    _S.FARM: {_D.LUSH: 7, _D.BACKWATER: 4, _D.ABANDONED: 2, _D.WAR_TORN: 1},
    _S.CAMP: {_D.HARD_TO_REACH: 3, _D.BACKWATER: 3, _D.DEADLY: 2, _D.WAR_TORN: 2},
}
_PLAIN_DETAILS: Weights[StoryDetail] = {
    _D.BACKWATER: 4,
    _D.LUSH: 4,
    _D.HUB: 3,
    _D.ABANDONED: 3,
    _D.MAGICAL: 2,
    _D.WAR_TORN: 1,
    _D.DEADLY: 1,
}

_TONE_DETAILS: Mapping[StoryTone, StoryDetail] = {
    _T.MONSTERS: _D.DEADLY,
    _T.EXPLORATION: _D.HARD_TO_REACH,
    _T.GREAT_EVIL: _D.WAR_TORN,
    _T.RIGHT_WRONGS: _D.WAR_TORN,
    _T.HELP_NEEDY: _D.BACKWATER,
    _T.TREASURE: _D.HARD_TO_REACH,
    _T.LEADERS: _D.CAPITAL,
    _T.DARK_SECRETS: _D.ABANDONED,
    _T.ANCIENT_PAST: _D.ABANDONED,
    _T.TENSE_SCARY: _D.DEADLY,
    _T.POLITICS: _D.CAPITAL,
    _T.BLEAK: _D.WASTELAND,
    _T.WONDER: _D.MAGICAL,
}

DETAIL_WORDS: Mapping[StoryDetail, str] = {
    _D.DEADLY: "deadly",
    _D.MAGICAL: "steeped in magic",
    _D.LUSH: "green and plentiful",
    _D.WAR_TORN: "scarred by war",
    _D.HARD_TO_REACH: "hard to reach",
    _D.HUB: "a busy hub",
    _D.WASTELAND: "bare and empty",
    _D.BACKWATER: "a backwater",
    _D.CAPITAL: "seat of rule",
    _D.ABANDONED: "abandoned",
}
"""What a map says under the name of a place."""


def choose_detail(
    sort: StoryPlaceSort,
    scale: StoryScale,
    tones: Sequence[StoryTone],
    terrain: Collection[StoryTerrainSort],
    taken: Sequence[StoryDetail],
    stream: Chance,
) -> StoryDetail:
    """What a place is like, of the ten details of the book: likelier what fits it.

    Args:
        sort: What it is.
        scale: How much of the world the sheet shows; below a nation at most one place is a capital.
        tones: Of the story.
        terrain: What it lies in.
        taken: Details of the places that were there before.
        stream: Of the detail.
    """
    weights = {detail: 3 * weight for detail, weight in _DETAILS.get(sort, _PLAIN_DETAILS).items()}
    for tone in tones:
        detail = _TONE_DETAILS.get(tone)
        if detail in weights:
            weights[detail] = weights[detail] * 2
        elif detail is not None and detail is not _D.CAPITAL:
            weights[detail] = 2
    if StoryTerrainSort.DESERT in terrain:
        weights[_D.WASTELAND] = weights.get(_D.WASTELAND, 0) + 6
    if StoryTerrainSort.MOUNTAINS in terrain:
        weights[_D.HARD_TO_REACH] = weights.get(_D.HARD_TO_REACH, 0) + 6
    if scale not in (StoryScale.CONTINENT, StoryScale.WORLD) and _D.CAPITAL in taken:
        weights.pop(_D.CAPITAL, None)
    for detail in set(taken) & set(weights):
        weights[detail] = max(1, weights[detail] * 2 // (2 + taken.count(detail)))
    return weighted(stream, weights)


_HOOKS: Mapping[StoryDetail, tuple[str, ...]] = {
    _D.DEADLY: (
        "Locals mark the safe way with rags.",
        "Three went in last month; one came out, silent.",
        "The birds stop singing a mile away.",
    ),
    _D.MAGICAL: (
        "Small wishes said aloud here tend to come true.",
        "At dusk the shadows point the wrong way.",
        "Clocks run backward while nobody looks.",
    ),
    _D.LUSH: (
        "Strangers are fed before they are asked their names.",
        "Everything grows here, wanted or not.",
        "The best cider anywhere, and they know it.",
    ),
    _D.WAR_TORN: (
        "Both sides of the war still have people here.",
        "Every second roof is new, every third missing.",
        "Children play with what the soldiers left.",
    ),
    _D.HARD_TO_REACH: (
        "Only one guide knows the way, and she is tired of it.",
        "News comes a month late.",
        "There is a second way in; it is not spoken of.",
    ),
    _D.HUB: (
        "Whatever is for sale anywhere is for sale here.",
        "Every rumor passes through within a week.",
        "Three languages are shouted at every corner.",
    ),
    _D.WASTELAND: (
        "The wind has rubbed the names off the stones.",
        "Beautiful at sunrise, and nothing to drink.",
        "Something large has left tracks in a circle.",
    ),
    _D.BACKWATER: (
        "Nothing has happened here for years, they say.",
        "A new face is the talk of the season.",
        "Everybody here is somebody’s cousin.",
    ),
    _D.CAPITAL: (
        "Petitioners sleep in the streets around the court.",
        "Each window hides somebody who listens.",
        "The throne is new and the cushions are older.",
    ),
    _D.ABANDONED: (
        "The tables are still laid.",
        "People left in one night; none will say why.",
        "Somebody still winds the clock.",
    ),
}


def hook(detail: StoryDetail, stream: Chance) -> str:
    """A sentence about a place that the table can build on."""
    return stream.choice(_HOOKS[detail])
