"""The game master's own moves."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.engine.steps import ActorId
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.moves.values import Numbered
from services.rules.systems.fortunate_blades.terms import Group, Range


@dataclass(frozen=True, slots=True, kw_only=True)
class EnemyTurn(plain.Move):
    """Let the enemies of a clock take their turn: a consequence for the heroes.

    Attributes:
        clock: Id of the clock.
    """

    clock: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallGroup(Numbered):
    """Call for a roll of everybody, which the players may make a Group Action.

    Attributes:
        risk: What may happen to them.
        clock: Id of the clock that successes fill; None for none.
        shown: Whether players may see the numbers.
    """

    risk: str = ""
    clock: str | None = None
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RollForStory(Numbered):
    """The game master rolls to see what happens (DM Rolls).

    Attributes:
        words: What for.
        bonus: What is added.
        important: Whether players pick a consequence if it misses.
    """

    words: str = ""
    bonus: int = 0
    important: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StartClock(plain.Move):
    """Draw a clock.

    Attributes:
        name: What it stands for.
        size: How many ticks it has.
        type: Its kind.
        hidden: Whether it is kept secret.
        only: What alone has an Effect on it: groups of attributes, or sources such as `magic`.
        resistant: Groups whose Effect is lower on it.
        immune: Groups without Effect on it.
        away: How far off it is.
    """

    name: str
    size: int
    type: ClockKind = ClockKind.CHALLENGE
    hidden: bool = False
    only: tuple[str, ...] = ()
    resistant: tuple[Group, ...] = ()
    immune: tuple[Group, ...] = ()
    away: Range | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveClock(plain.Move):
    """Fill ticks of a clock, or take some off; also the consequence of this kind.

    Attributes:
        clock: Id of the clock.
        ticks: How many; negative to take off.
    """

    clock: str
    ticks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowClock(plain.Move):
    """Show a clock that was secret.

    Attributes:
        clock: Id of the clock.
    """

    clock: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reposition(plain.Move):
    """Make the rolls of heroes harder or easier, by what they have done so far (Positioning).

    Attributes:
        steps: Sets harder, or easier where it is negative.
        target: Id of the hero; None for all.
        words: Why.
    """

    steps: int
    target: ActorId | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stir(plain.Move):
    """Let a consequence come out of the story, because nothing happens (Consequences)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEncounter(plain.Move):
    """End the encounter.

    Attributes:
        won: Whether the heroes have overcome it.
        words: How it ends.
    """

    won: bool = False
    words: str = ""
