"""The tables that a group rolls on: each face, its label, and what it brings into the story (part K; D1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Protocol

from services.rules.engine.content import slug_of
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.story_map.forces import ORIGIN_SORTS
from services.rules.systems.fortunate_blades.story_map.premise import ORIGINS_AT_A_PLACE
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryDetail,
    StoryOrigin,
    StoryQuest,
    StoryTone,
)
from services.rules.systems.fortunate_blades.terms import Consequence, Creation


class TableName(Enum):
    """The tables of a group.

    Attributes:
        TONES: d20: what the story is to be like.
        PLACES: d10: what a place is like.
        ORIGINS: d10: how the party came together.
        PARTY_QUEST: d8: what the party is after in all its adventures.
        QUESTS: d8: what one quest is about.
        CONSEQUENCES: d8: what a Close or a Miss brings.
        ADVANTAGES: d12: what a party gains for its reputation.
        ENTANGLEMENTS: d6: what its reputation brings upon it, each face more than one.
        FACTS: What a natural 20 may state.
        FINAL_ACTS: What a Blaze of Glory may do.
        LOOT: What a search turns up.
    """

    TONES = "tones"
    PLACES = "places"
    ORIGINS = "origins"
    PARTY_QUEST = "party_quest"
    QUESTS = "quests"
    CONSEQUENCES = "consequences"
    ADVANTAGES = "advantages"
    ENTANGLEMENTS = "entanglements"
    FACTS = "facts"
    FINAL_ACTS = "final_acts"
    LOOT = "loot"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A line of a table.

    Attributes:
        face: The face that brings it, from 1.
        label: Its name for programs.
        name: The word for people.
        text: What it says; empty where the name says it all.
        creates: What it brings into the story.
        can_be_lost: Whether it can be lost, where it is something to be had.
    """

    face: int
    label: str
    name: str
    text: str = ""
    creates: Creation | None = None
    can_be_lost: bool | None = None


def table_lines(table: TableName, catalog: Catalog) -> tuple[TableLine, ...]:
    """The lines of a table, in the order of their faces."""
    return tuple(sorted(_TABLES[table](catalog), key=lambda line: line.face))


def _words(kinds: Iterable[StrEnum]) -> tuple[TableLine, ...]:
    """The lines of a closed set, whose order is that of the die."""
    return tuple(
        TableLine(
            face=face, label=one.value, name=one.value.replace("_", " ").capitalize(), creates=_creates(one)
        )
        for face, one in enumerate(kinds, start=1)
    )


def _creates(one: StrEnum) -> Creation | None:
    """What an origin brings into the story (K3); no other word brings anything."""
    if one in ORIGINS_AT_A_PLACE:
        return Creation.PLACE
    return Creation.FORCE if one in ORIGIN_SORTS else None


class _Told(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...


def _told(entries: Iterable[_Told]) -> tuple[TableLine, ...]:
    """The lines of a shelf without faces of its own: they are counted."""
    return tuple(
        TableLine(face=face, label=_label(one), name=one.name, text=one.text)
        for face, one in enumerate(entries, start=1)
    )


def _label(entry: _Told) -> str:
    return slug_of(entry.id).replace("-", "_")


def _consequences(catalog: Catalog) -> tuple[TableLine, ...]:
    order = tuple(Consequence)
    return tuple(
        TableLine(
            face=order.index(one.consequence) + 1, label=one.consequence.value, name=one.name, text=one.text
        )
        for one in catalog.consequences
    )


def _advantages(catalog: Catalog) -> tuple[TableLine, ...]:
    return tuple(
        TableLine(face=one.face, label=_label(one), name=one.name, text=one.text, can_be_lost=one.can_be_lost)
        for one in catalog.advantages
    )


def _faced(entries: Iterable[_Told], face: Callable[[str], int]) -> tuple[TableLine, ...]:
    return tuple(
        TableLine(face=face(one.id), label=_label(one), name=one.name, text=one.text) for one in entries
    )


def _loot(catalog: Catalog) -> tuple[TableLine, ...]:
    """What a search turns up, with what identifying it tells and the thing that it is."""
    return tuple(
        TableLine(
            face=face,
            label=_label(one),
            name=one.name,
            text=f"{one.text} {one.secret}{_thing(one.gear, catalog)}",
        )
        for face, one in enumerate(catalog.loot, start=1)
    )


def _thing(gear: str, catalog: Catalog) -> str:
    return f" It counts as: {catalog.gear[gear].name}." if gear else ""


_TABLES: Mapping[TableName, Callable[[Catalog], tuple[TableLine, ...]]] = {
    TableName.TONES: lambda catalog: _words(StoryTone),
    TableName.PLACES: lambda catalog: _words(StoryDetail),
    TableName.ORIGINS: lambda catalog: _words(StoryOrigin),
    TableName.PARTY_QUEST: lambda catalog: _words(StoryQuest),
    TableName.QUESTS: lambda catalog: _faced(catalog.quest_kinds, lambda one: catalog.quest_kinds[one].face),
    TableName.CONSEQUENCES: _consequences,
    TableName.ADVANTAGES: _advantages,
    TableName.ENTANGLEMENTS: lambda catalog: _faced(
        catalog.entanglements, lambda one: catalog.entanglements[one].face
    ),
    TableName.FACTS: lambda catalog: _told(catalog.facts),
    TableName.FINAL_ACTS: lambda catalog: _told(catalog.final_acts),
    TableName.LOOT: _loot,
}
