"""How a story begins: what the group rolls for, how the land lies, and who brings a place to the map.

(Fortunate Blades, "The Map"; which lands fit a scale is our own.)
"""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.chance import Chance, Weights
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryLandform,
    StoryOrigin,
    StoryPlaceSort,
    StoryQuest,
    StoryScale,
    StoryTone,
)

ROLLED_TONES = 3
"""Tones of a story whose group has named none."""

RUMORED = 3
"""Of four unknown places players have heard of so many."""

LANDFORMS: Mapping[StoryScale, Weights[StoryLandform]] = {
    StoryScale.VILLAGE: {StoryLandform.INLAND: 6, StoryLandform.COAST: 2},
    StoryScale.TOWN: {StoryLandform.INLAND: 4, StoryLandform.COAST: 4},
    StoryScale.REGION: {StoryLandform.INLAND: 5, StoryLandform.COAST: 4, StoryLandform.ISLAND: 2},
    StoryScale.NATION: {StoryLandform.INLAND: 2, StoryLandform.COAST: 5, StoryLandform.ISLAND: 4},
    StoryScale.CONTINENT: {StoryLandform.COAST: 3, StoryLandform.ISLAND: 5, StoryLandform.ISLES: 1},
    StoryScale.WORLD: {StoryLandform.ISLES: 7, StoryLandform.ISLAND: 2},
}
NO_PORTS = frozenset((StoryPlaceSort.NATION, StoryPlaceSort.CITY))
"""What takes in a harbor without being called one."""

ORIGINS_AT_A_PLACE = (StoryOrigin.SAME_TOWN, StoryOrigin.SAME_NATION_FAR, StoryOrigin.GREW_UP_TOGETHER)
"""The origins that bring a place into the story."""


def rolled_origin(chance: Chance) -> StoryOrigin:
    """How the party came together, by the d10."""
    return chance.choice(tuple(StoryOrigin))


def rolled_quest(chance: Chance) -> StoryQuest:
    """What the party is after, by the d8."""
    return chance.choice(tuple(StoryQuest))


def rolled_tones(chance: Chance) -> tuple[StoryTone, ...]:
    """The tones of a story, by the d20, none of them twice."""
    tones: list[StoryTone] = []
    while len(tones) < ROLLED_TONES:
        tone = chance.choice(tuple(StoryTone))
        if tone not in tones:
            tones.append(tone)
    return tuple(tones)


def bringer(turn: int, origin: StoryOrigin, players: int, *, hidden: bool) -> tuple[StoryBringer, int]:
    """Who brings a place, and the number of the player: two each in their order, then the game master.

    Args:
        turn: Which place it is, from 0, the start.
        origin: How the party came together.
        players: How many players there are.
        hidden: Whether players do not know the place.
    """
    if turn == 0:
        return (StoryBringer.ORIGIN if origin in ORIGINS_AT_A_PLACE else StoryBringer.START), 0
    if hidden or turn > 2 * players:
        return StoryBringer.GM, 0
    player, second = divmod(turn - 1, 2)
    return (StoryBringer.TRADE if second else StoryBringer.BACKGROUND), player + 1
