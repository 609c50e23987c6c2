"""The facts of session zero; places and forces come by those of the campaign."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import Matter


@dataclass(frozen=True, slots=True, kw_only=True)
class ToneWished(plain.Fact):
    """One of the group wants a tone, or does not want it.

    Attributes:
        by: Id of the hero whose player says so, or `gm`.
        tone: The tone, in a word of the story map.
        unwanted: Whether the story is not to have it.
    """

    by: str
    tone: str
    unwanted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PartyNamed(plain.Fact):
    """The party has a name.

    Attributes:
        name: What it is called.
    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatterDecided(plain.Fact):
    """The group has an origin or a Party Quest.

    Attributes:
        matter: What is decided.
        word: What it is, in a word of the story map.
    """

    matter: Matter
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryBegun(plain.Fact):
    """Session zero is over."""


ZeroFact = ToneWished | PartyNamed | MatterDecided | StoryBegun
