"""The facts of session zero; places and forces come by those of the campaign."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import Matter
from services.rules.systems.fortunate_blades.campaign.state.drafts import HeroDraft


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


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroDrafted(plain.Fact):
    """A hero in the making grows.

    Attributes:
        draft: The hero with all that is chosen so far.
    """

    draft: HeroDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftDropped(plain.Fact):
    """A hero in the making is off the table.

    Attributes:
        by: Id of the player whose it was, as an actor.
    """

    by: str


ZeroFact = ToneWished | PartyNamed | MatterDecided | StoryBegun | HeroDrafted | DraftDropped
