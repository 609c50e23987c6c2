"""The moves of loot, all of them the game master's."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId, ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class FindLoot(plain.Move):
    """Let the party find something: of the list, by dice, or in words of one's own.

    Attributes:
        loot: Content id of what is found; empty for dice, or for words of one's own.
        name: What it is called, in words of one's own; empty for one of the list.
        text: What a glance tells of it, in words of one's own.
        secret: What identifying it tells; the game master's alone until then.
        hero: Id of the hero whose search at rest it answers; None for another find.
    """

    loot: ItemId = ""
    name: str = ""
    text: str = ""
    secret: str = ""
    hero: ActorId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindNothing(plain.Move):
    """Let a search at rest turn nothing up.

    Attributes:
        hero: Id of the hero who searched.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyLoot(plain.Move):
    """Let all know what something that was found really is.

    Attributes:
        find: Id of the find.
    """

    find: ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class DivideLoot(plain.Move):
    """Let the group divide what it found, when the quest is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoseLoot(plain.Move):
    """Let something that was found be gone: sold, spent, used up or stolen.

    Attributes:
        find: Id of the find.
        words: What happens to it; empty where nothing is said.
    """

    find: ItemId
    words: str = ""


LootMove = FindLoot | FindNothing | IdentifyLoot | DivideLoot | LoseLoot
