"""The facts of loot."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.campaign.state.loot import Find


@dataclass(frozen=True, slots=True, kw_only=True)
class LootSought(plain.Fact):
    """A hero has searched at rest; the game master says what turns up.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class LootFound(plain.Fact):
    """The party finds something, or a search turns up nothing.

    Attributes:
        find: What is found, without its secret; None for nothing.
        hero: Id of the hero whose search at rest it answers; empty for another find.
    """

    find: Find | None
    hero: ActorId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LootSecretNoted(plain.Fact):
    """What identifying something will tell; the game master's alone.

    Attributes:
        find: Id of the find.
        secret: What it will tell.
    """

    find: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LootIdentified(plain.Fact):
    """All know what something is.

    Attributes:
        find: Id of the find.
        secret: What there is to know of it; empty for nothing more.
    """

    find: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LootGiven(plain.Fact):
    """A hero has something that was found.

    Attributes:
        find: Id of the find.
        hero: Id of the hero.
    """

    find: str
    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class LootLost(plain.Fact):
    """Something that was found is gone.

    Attributes:
        find: Id of the find.
        words: What happened to it; empty where nothing is said.
    """

    find: str
    words: str = ""


LootFact = LootSought | LootFound | LootSecretNoted | LootIdentified | LootGiven | LootLost
