"""Heroes' moves, in an encounter and at rest."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId, ItemId
from services.rules.systems.fortunate_blades.play.moves.values import Gain
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class Engage(plain.Move):
    """Make the Engagement Roll for the party, which opens every encounter (P10).

    Attributes:
        attribute: What the hero meets the danger with.
        words: What they do.
    """

    attribute: Attribute
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act(plain.Move):
    """Do something; where it is risky, the game master calls for a roll.

    Attributes:
        attribute: What the hero deals with the risk by; the player's choice.
        clock: Id of the clock that it is aimed at; empty for none.
        tool: Id of the gear that is used; None for none.
        words: What they do.
    """

    attribute: Attribute
    clock: str = ""
    tool: ItemId | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(plain.Move):
    """Let one's turn in this round go by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckyBreak(plain.Move):
    """Ask for a Lucky Break, which the game master prices or refuses.

    Attributes:
        gain: What it is to bring.
        words: The lucky event.
    """

    gain: Gain
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(plain.Move):
    """Go head to head with another hero, who defends.

    Attributes:
        target: Id of the other hero.
        goal: The one thing that is wanted, and how far the hero will go for it.
    """

    target: ActorId
    goal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loot(plain.Move):
    """Search the place, or value and identify what was found.

    Attributes:
        words: What is searched for, or looked at.
    """

    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStory(plain.Move):
    """Tell a story of one's past or people, true or not, for Fortune.

    Attributes:
        words: The story; what the game master takes from it is true from then on.
    """

    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recover(plain.Move):
    """Take a level off a Harm, one's own or another's.

    Attributes:
        target: Id of the hero.
        harm: Id of the Harm.
    """

    target: ActorId
    harm: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Train(plain.Move):
    """Fill a box of an advancement track.

    Attributes:
        track: Which one.
    """

    track: TrainingTrack


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepare(plain.Move):
    """Lay Fortune by for something that may happen.

    Attributes:
        event: What it is laid by for.
        words: What is done.
    """

    event: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOn(plain.Move):
    """Work on a long-term project.

    Attributes:
        clock: Id of its clock.
    """

    clock: str
