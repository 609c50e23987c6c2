"""Answers: what is put into a roll, before the dice fall and after it."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.play.moves.values import Benefit
from services.rules.systems.fortunate_blades.terms import Attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Aid(plain.Move):
    """Help with a roll before it is made.

    Attributes:
        benefit: What the helper gives.
        pay: Whether Fortune is spent in place of the helper's next action, and of any risk.
        attribute: What the helper helps with, should that be risky.
        words: How they help.
    """

    benefit: Benefit
    pay: bool = False
    attribute: Attribute = Attribute.FIGHT
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boost(plain.Move):
    """Spend Fortune to add to a roll, one's own or another's, before or after it.

    Attributes:
        points: How much.
        words: What happens in the story.
    """

    points: int
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enable(plain.Move):
    """Spend Fortune so that a hero under heroic Harm can roll at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(plain.Move):
    """Spend nothing, help with nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(plain.Move):
    """Go through with a roll.

    Attributes:
        fortune: Fortune that is added, one for one.
        prepared: Fortune laid by for this event that is added as well.
        lucky: Whether Fortune is spent to make it Lucky.
        bargain: Whether the Devil's Bargain is taken.
        talents: Content ids of the talents that are used.
        at_home: Whether one level more of Effect is taken, at home, in place of being Lucky.
        followers: Whether the party's people Aid it, at their own risk.
        together: In a roll of everybody: whether it is to be a Group Action.
        attribute: In a roll of everybody, or a conflict: what the hero rolls with.
    """

    fortune: int = 0
    prepared: int = 0
    lucky: bool = False
    bargain: bool = False
    talents: tuple[str, ...] = ()
    at_home: bool = False
    followers: bool = False
    together: bool = True
    attribute: Attribute | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeMark(plain.Move):
    """Take a Mark: to clear a roll without a die, or because Fortune has run out.

    Attributes:
        words: The Mark.
    """

    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackOut(plain.Move):
    """Do something else after all, before the dice fall; the action is not lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reroll(plain.Move):
    """Roll a second time by a talent, and keep the better.

    Attributes:
        talent: Content id of the talent.
    """

    talent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseEffect(plain.Move):
    """Spend Fortune to raise the Effect of a roll that succeeded.

    Attributes:
        levels: By how many levels.
    """

    levels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFact(plain.Move):
    """State a Fact, for a natural 20.

    Attributes:
        fact: Content id.
        target: Id of the hero whose next roll is Lucky, where the Fact brings that; None for oneself.
        words: What is true.
    """

    fact: str
    target: ActorId | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeFortune(plain.Move):
    """Take Fortune, for a natural 20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(plain.Move):
    """Lift another's result of a Group Action by one step.

    Attributes:
        target: Id of the other hero.
        words: How they help.
    """

    target: ActorId
    words: str = ""
