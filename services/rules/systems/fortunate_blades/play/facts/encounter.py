"""The encounter, its rounds and its end."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.effects import Until
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.play.moves import Gain
from services.rules.systems.fortunate_blades.rolls import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Engaged(plain.Fact):
    """The Engagement Roll is made.

    Attributes:
        hero: Id of the hero.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Positioned(plain.Fact):
    """A hero's rolls are harder or easier: in this round, at the next roll, or for the whole encounter.

    Attributes:
        hero: Id of the hero.
        steps: How many sets harder; easier where negative.
        lasts: How long it lasts.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    steps: int
    lasts: Until
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnemiesActed(plain.Fact):
    """The enemies of a clock have had their turn.

    Attributes:
        clock: Id of the clock; empty for none.
    """

    clock: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(plain.Fact):
    """A round is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakWanted(plain.Fact):
    """A hero wants a Lucky Break.

    Attributes:
        hero: Id of the hero.
        gain: What is gained.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    gain: Gain
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakAnswered(plain.Fact):
    """What becomes of a Lucky Break: its price, or 0 where it is refused or not paid.

    Attributes:
        hero: Id of the hero.
        gain: What is gained.
        cost: What it costs, in Fortune.
    """

    hero: ActorId
    gain: Gain
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged(plain.Fact):
    """A hero goes head to head with another.

    Attributes:
        attacker: Id of the hero who began it.
        defender: Id of the other hero.
        goal: The goal, in plain words.
    """

    attacker: ActorId
    defender: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalStated(plain.Fact):
    """What the defender of a conflict wants.

    Attributes:
        hero: Id of the hero.
        goal: The goal, in plain words.
    """

    hero: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomesStated(plain.Fact):
    """What becomes of a conflict if the one or the other succeeds.

    Attributes:
        attacker: Id of the hero who began it.
        defender: Id of the other hero.
    """

    attacker: str
    defender: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictDecided(plain.Fact):
    """The defender decides a conflict, because not both agree to its outcomes.

    Attributes:
        hero: Id of the hero.
        words: In the words of whoever said it; empty for none.
    """

    hero: ActorId
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictWon(plain.Fact):
    """A conflict was rolled: who succeeds, and the consequence for the other.

    Attributes:
        winner: Id of the hero who won.
        loser: Id of the hero who lost.
        consequence: The consequence.
    """

    winner: ActorId
    loser: ActorId
    consequence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryRolled(plain.Fact):
    """The game master rolled to see what happens.

    Attributes:
        words: In the words of whoever said it; empty for none.
        total: What it comes to in all.
        result: How it went.
        important: Whether it matters so much that the group decides.
    """

    words: str
    total: int
    result: Result
    important: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCalled(plain.Fact):
    """The game master calls for a roll of everybody.

    Attributes:
        risk: The risk that is run, in plain words.
        shown: Whether players may see it.
    """

    risk: str
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreed(plain.Fact):
    """Whether the players make a Group Action of it.

    Attributes:
        together: Whether it is a Group Action.
    """

    together: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterEnded(plain.Fact):
    """The encounter is over.

    Attributes:
        won: Whether it was won.
        words: In the words of whoever said it; empty for none.
    """

    won: bool
    words: str
