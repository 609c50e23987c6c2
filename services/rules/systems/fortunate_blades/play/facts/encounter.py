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
        hero: Id of the hero who made it.
    """

    hero: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class Positioned(plain.Fact):
    """A hero's rolls are harder or easier: in this round, at the next roll, or for the whole encounter.

    Attributes:
        hero: Id of the hero whose rolls change.
        steps: How many sets harder; easier where negative.
        lasts: How long it lasts.
        words: Why; empty where nothing is said.
    """

    hero: ActorId
    steps: int
    lasts: Until
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnemiesActed(plain.Fact):
    """The enemies of a clock have had their turn.

    Attributes:
        clock: Id of their clock.
    """

    clock: ActorId


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(plain.Fact):
    """A round is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakWanted(plain.Fact):
    """A hero wants a Lucky Break.

    Attributes:
        hero: Id of the hero who asks for it.
        gain: What it is to bring.
        words: The lucky event; empty where nothing is said.
    """

    hero: ActorId
    gain: Gain
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakAnswered(plain.Fact):
    """What becomes of a Lucky Break: its price, or 0 where it is refused or not paid.

    Attributes:
        hero: Id of the hero who asked for it.
        gain: What it was to bring.
        cost: Fortune that is paid for it; 0 where it is refused or not paid.
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
        goal: What the attacker wants, and how far they will go for it.
    """

    attacker: ActorId
    defender: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalStated(plain.Fact):
    """What the defender of a conflict wants.

    Attributes:
        hero: Id of the defender.
        goal: What the defender wants, and how far they will go for it.
    """

    hero: ActorId
    goal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomesStated(plain.Fact):
    """What becomes of a conflict if the one or the other succeeds.

    Attributes:
        attacker: What befalls the defender if the attacker succeeds, in words.
        defender: What befalls the attacker if the defender succeeds, in words.
    """

    attacker: str
    defender: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictDecided(plain.Fact):
    """The defender decides a conflict, because not both agree to its outcomes.

    Attributes:
        hero: Id of the defender.
        words: What happens.
    """

    hero: ActorId
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictWon(plain.Fact):
    """A conflict was rolled: who succeeds, and the consequence for the other.

    Attributes:
        winner: Id of the hero whose total is higher; at a tie the defender.
        loser: Id of the other hero.
        consequence: What befalls the loser, in words.
    """

    winner: ActorId
    loser: ActorId
    consequence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryRolled(plain.Fact):
    """The game master rolled to see what happens.

    Attributes:
        words: What the roll is for.
        total: The die with what is added to it.
        result: Whether it is clear, close or a miss.
        important: Whether the players pick a consequence if it misses.
    """

    words: str
    total: int
    result: Result
    important: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCalled(plain.Fact):
    """The game master calls for a roll of everybody.

    Attributes:
        risk: What may happen to them, in words.
        shown: Whether players may see Close and Clear.
    """

    risk: str
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreed(plain.Fact):
    """Whether the players make a Group Action of it.

    Attributes:
        together: Whether they do; if not, each rolls alone.
    """

    together: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterEnded(plain.Fact):
    """The encounter is over.

    Attributes:
        won: Whether the heroes overcame it.
        words: How it ended.
    """

    won: bool
    words: str
