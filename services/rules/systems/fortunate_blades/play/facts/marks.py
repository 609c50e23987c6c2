"""Marks, and how a hero is defeated."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.play.causes import Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(plain.Fact):
    """A hero takes a Mark, and is out: of the encounter where Fortune ran out, else of the Quest.

    Attributes:
        hero: Id of the hero who takes it.
        cause: Why it is taken.
        words: The Mark itself: what changes about the hero; empty where nothing is said.
    """

    hero: ActorId
    cause: Cause
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defeated(plain.Fact):
    """A hero is Defeated: by the last Mark, or lethal Harm.

    Attributes:
        hero: Id of the defeated hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Revived(plain.Fact):
    """A Defeated hero is out, and may return in a later Quest, changed.

    Attributes:
        hero: Id of the defeated hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired(plain.Fact):
    """A Defeated hero finishes this encounter, or where that is done is gone from it.

    Attributes:
        hero: Id of the defeated hero.
        at_once: Whether the hero is gone from the encounter now, and not at its end.
    """

    hero: ActorId
    at_once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WentOut(plain.Fact):
    """A Defeated hero performs a Final Act, and is dead; its content id.

    Attributes:
        hero: Id of the defeated hero.
        act: Content id of the Final Act.
        words: How it is done; empty where nothing is said.
    """

    hero: ActorId
    act: str
    words: str = ""
