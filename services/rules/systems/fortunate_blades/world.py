"""What a story is made of beside its heroes: places, forces, quests, consequences, rewards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryDetail,
    StoryEthic,
    StoryForceSort,
    StoryInvolvement,
    StoryMagnitude,
    StoryPlaceSort,
)
from services.rules.systems.fortunate_blades.terms import Consequence, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSeed:
    """A place to begin from, for whoever brings one into the story (K8).

    Attributes:
        id: Content id.
        name: What it may be called.
        sort: What it is, in the word that the story map has for it.
        detail: What it is like, in a word of the story map.
        text: What is told of it.
    """

    id: str
    name: str
    sort: str
    detail: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceSeed:
    """A force to begin from, for whoever brings one into the story (K7, K8).

    Attributes:
        id: Content id.
        name: What it may be called.
        sort: What it is, in the word that the story map has for it.
        magnitude: How much it weighs in the world, in a word of the story map.
        involvement: How directly it takes a hand, in a word of the story map.
        ethic: What it holds by, in a word of the story map.
        text: What is told of it.
    """

    id: str
    name: str
    sort: str
    magnitude: str
    involvement: str
    ethic: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entanglement:
    """What reputation brings upon a party at the end of a quest (P9).

    Attributes:
        id: Content id.
        name: The word for people.
        text: What happens.
        face: The face of the d6 that brings it; on a 6 the campaign clock moves.
    """

    id: str
    name: str
    text: str
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """What a party may gain for its reputation, usable by all of it (Party Advantages).

    Attributes:
        id: Content id.
        face: Its face of the d12.
        name: The word for people.
        text: What it does.
        can_be_lost: Whether it can be lost.
        topics: What a roll may be about to be Lucky by it.
        local: Whether rolls are Lucky where it is.
        effect: Whether a roll there may have one level more of Effect in place of that.
        placed: Whether it stands at a place of the map.
        people: Whether it is people, who Aid at their own risk and can be lost in place of a Harm.
    """

    id: str
    face: int
    name: str
    text: str
    can_be_lost: bool = True
    topics: tuple[Topic, ...] = ()
    local: bool = False
    effect: bool = False
    placed: bool = False
    people: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestKind:
    """What a quest is about (Quests).

    Attributes:
        id: Content id.
        face: Its face of the d8.
        name: The word for people.
        text: What it asks for.
    """

    id: str
    face: int
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsequenceText:
    """A consequence in plain words; its face of the d8 is its place in `terms.Consequence`.

    Attributes:
        id: Content id.
        consequence: Which one it is.
        name: The word for people.
        text: What happens.
    """

    id: str
    consequence: Consequence
    name: str
    text: str


SeedWords = Mapping[str, type[StrEnum]]

_PLACE_WORDS: SeedWords = MappingProxyType({"sort": StoryPlaceSort, "detail": StoryDetail})
_FORCE_WORDS: SeedWords = MappingProxyType(
    {
        "sort": StoryForceSort,
        "magnitude": StoryMagnitude,
        "involvement": StoryInvolvement,
        "ethic": StoryEthic,
    }
)


def seed_problems(seed: PlaceSeed | ForceSeed, path: KeyPath) -> Iterator[RuleProblem]:
    """Words of a place or a force that the story map does not know (`story_map.vocabulary`)."""
    for field, words in (_PLACE_WORDS if isinstance(seed, PlaceSeed) else _FORCE_WORDS).items():
        found, allowed = getattr(seed, field), tuple(one.value for one in words)
        if found not in allowed:
            text = f"The map of a story knows no such {field}."
            yield RuleProblem("story_word_unknown", text, "The Map; Forces", (*path, field), found, allowed)
