"""What can be measured of a scene: the figures of every game, and those that a game names itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, runtime_checkable

from services.rules.engine.play import AnyPlay


class FigureKind(Enum):
    """How a figure is told.

    Attributes:
        SHARE: 0 or 1 in each run: the share of runs in which it is so.
        AMOUNT: A whole number in each run: its mean, spread and histogram.
    """

    SHARE = "share"
    AMOUNT = "amount"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Something that is measured in each run.

    Attributes:
        key: Stable within the game: `standing`, `luck`, `damage`.
        name: What a heading says: "Still standing".
        unit: What it is counted in: "runs", "Luck", "rounds".
        text: What it is, in plain words.
        kind: How it is told of one actor, or of the scene; of a side, the amounts of its actors are added up.
        of_scene: Whether it is the whole scene's; otherwise each actor and each side has it.
        by_round: Whether it is measured at the end of each round too.
        by_power: Whether it is told of each power that an actor has, in a game that names powers.
    """

    key: str
    name: str
    unit: str
    text: str
    kind: FigureKind = FigureKind.AMOUNT
    of_scene: bool = False
    by_round: bool = False
    by_power: bool = False


@dataclass(frozen=True, slots=True)
class Amount:
    """So much of a figure, of one actor.

    Attributes:
        figure: Key of the figure.
        actor: The actor's id.
        value: How much.
        power: Content id of the power, of a figure that is told of each; empty for any other.
    """

    figure: str
    actor: str
    value: int
    power: str = ""


@dataclass(frozen=True, slots=True)
class Power:
    """Something that an actor can do, and that figures are told of: a skill, a spell, a trait.

    Attributes:
        actor: The actor's id.
        id: Content id of the power.
        name: What it is called.
    """

    actor: str
    id: str
    name: str


@runtime_checkable
class Simulated(Protocol):
    """Play that names figures of its own."""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Those figures, in the order in which they are told."""

    def measure(self, state: Any) -> Iterable[Amount]:
        """How a state stands: figures that are read at the end of rounds and of the scene."""

    def count(self, state: Any, event: Any) -> Iterable[Amount]:
        """What one event adds to figures that are counted over the whole scene.

        Args:
            state: The state before the event.
            event: The event.
        """


@runtime_checkable
class NamesPowers(Protocol):
    """Play whose figures are told of powers too."""

    def powers(self, state: Any) -> Iterable[Power]:
        """Return the powers of every actor of a state, in the order in which they are told."""


WON, ROUNDS, MOVES, UNFINISHED = "won", "rounds", "moves", "unfinished"

COMMON: tuple[Figure, ...] = (
    Figure(
        key=WON,
        name="Won",
        unit="runs",
        text="Whether the actor, or one of the side, is among the winners; of a day, in each of its scenes.",
        kind=FigureKind.SHARE,
    ),
    Figure(
        key=ROUNDS,
        name="Rounds",
        unit="rounds",
        text="How many rounds were begun; of a day, in all of its scenes together.",
        of_scene=True,
    ),
    Figure(
        key=MOVES,
        name="Moves",
        unit="moves",
        text="How many moves were made; of a day, in all of its scenes together.",
        of_scene=True,
    ),
    Figure(
        key=UNFINISHED,
        name="Without an end",
        unit="runs",
        text="Whether a scene was given up: it took too many moves, or nobody had anything left to do.",
        kind=FigureKind.SHARE,
        of_scene=True,
    ),
)
"""What is measured in every game."""


def figures_of(play: AnyPlay) -> tuple[Figure, ...]:
    """Return every figure of a game: the common ones, then its own."""
    return COMMON + (play.figures if isinstance(play, Simulated) else ())


SIDE, ACTOR = "side:", "actor:"


def scene_key(figure: str, scene: int | None = None) -> str:
    """Return the name under which a figure of a scene is told: `rounds`, or `rounds#2` of a day's second."""
    return figure if scene is None else f"{figure}#{scene + 1}"


def side_key(figure: str, side: str, scene: int | None = None) -> str:
    """Return the name under which a figure of a side is told: `won@side:heroes`."""
    return scene_key(f"{figure}@{SIDE}{side}", scene)


def actor_key(figure: str, actor: str, scene: int | None = None) -> str:
    """Return the name under which a figure of an actor is told: `luck@actor:orc-1`."""
    return scene_key(f"{figure}@{ACTOR}{actor}", scene)


def power_key(figure: str, power: str) -> str:
    """Return what a figure of a power is told under, before its subject: `damage/duel:spell/bolt`."""
    return f"{figure}/{power}" if power else figure


def figure_of(key: str) -> str:
    """Return the figure's own key of a name under which it is told: `won` of `won@side:heroes#2`."""
    return key.partition("#")[0].partition("@")[0].partition("/")[0]


def power_of(key: str) -> str:
    """Return the content id of the power that a name tells of; empty where it tells of none."""
    return key.partition("#")[0].partition("@")[0].partition("/")[2]


def side_of(key: str) -> str | None:
    """Return the side that a name tells of; None where it tells of an actor or of the scene."""
    subject = key.partition("#")[0].partition("@")[2]
    return subject.removeprefix(SIDE) if subject.startswith(SIDE) else None


def is_share(key: str, figures: Iterable[Figure]) -> bool:
    """Whether what is told under a name is 0 or 1 in each run; amounts of a side's actors are added up, but
    for who won.
    """
    figure = next(each for each in figures if each.key == figure_of(key))
    return figure.kind is FigureKind.SHARE and (figure.key == WON or side_of(key) is None)
