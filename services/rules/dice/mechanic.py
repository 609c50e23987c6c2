"""A game's own roll, described once and used thrice: rolled live, reckoned as odds, simulated.

A mechanic never rolls. It tells which dice to roll, how to read their faces, and how likely each reading is;
that the last two agree is tested for every mechanic by going through all faces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from services.rules.dice.pool import Dice

Argument = int | tuple[int, ...]
"""A whole number, or the sides of some dice: d8+2d6 is (8, 6, 6)."""

Arguments = Mapping[str, Argument]
"""Every argument of a call by the name of its parameter, defaults filled in, checked against the bounds."""

Rolled = tuple[tuple[int, ...], ...]
"""The faces of each pool, in the order drawn, counted from 1."""


class ParameterKind(Enum):
    """What an argument is.

    Attributes:
        NUMBER: A whole number.
        DICE: Dice such as `d8 + 2d6`.
    """

    NUMBER = "number"
    DICE = "dice"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a mechanic.

    Attributes:
        name: In lower case: `difficulty`.
        meaning: In plain words.
        minimum: The least number, or the fewest dice.
        maximum: The greatest number, or the most dice.
        default: Taken where the call leaves it out; None = it must be given.
        kind: A number, or dice.
        sizes: The sides that dice may have; empty = any.
    """

    name: str
    meaning: str
    minimum: int
    maximum: int
    default: Argument | None = None
    kind: ParameterKind = ParameterKind.NUMBER
    sizes: tuple[int, ...] = ()


def number(arguments: Arguments, name: str) -> int:
    """An argument that is a number.

    Raises:
        TypeError: It is dice.
    """
    value = arguments[name]
    if not isinstance(value, int):
        raise TypeError(f"{name} is dice, not a number")
    return value


def sides(arguments: Arguments, name: str) -> tuple[int, ...]:
    """An argument that is dice: the sides of each.

    Raises:
        TypeError: It is a number.
    """
    value = arguments[name]
    if isinstance(value, int):
        raise TypeError(f"{name} is a number, not dice")
    return value


@dataclass(frozen=True, slots=True)
class Reading:
    """What faces came to.

    Attributes:
        total: The number that counts: successes, a sum, damage.
        outcome: Stable word of the game: `success`, `critical_failure`, `close`.
        values: Further numbers by name.
    """

    total: int
    outcome: str
    values: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unfit:
    """An argument that does not go with the others, though each is within its own bounds.

    Attributes:
        parameter: Name of its parameter.
        found: What it is, in words: "Close 15".
        allowed: What it may be beside the others, in words: "at most Clear 12".
    """

    parameter: str
    found: str
    allowed: str


def fits_always(_arguments: Arguments) -> None:
    """Says of any arguments that they go together."""


ReadingOdds = Mapping[tuple[int, str], Fraction]
"""How likely each (total, outcome) is; every fraction is above 0, and they sum to 1."""


@dataclass(frozen=True, slots=True)
class Mechanic:
    """One named roll of a game.

    Attributes:
        name: `forge_engine:opposed`.
        title: What people call it.
        meaning: One or two sentences in plain words: what is rolled and how it is read.
        source: Book section or ruling id.
        parameters: In the order of a call.
        outcomes: Every outcome it can have, best first.
        pools: Which dice; plain ones, drawn in this order. May be fewer than usual, or none.
        read: How faces are read.
        odds: The exact odds in closed form.
        unfit: Which of the arguments does not go with the others; None where they go together.
    """

    name: str
    title: str
    meaning: str
    source: str
    parameters: tuple[Parameter, ...]
    outcomes: tuple[str, ...]
    pools: Callable[[Arguments], tuple[Dice, ...]]
    read: Callable[[Arguments, Rolled], Reading]
    odds: Callable[[Arguments], ReadingOdds]
    unfit: Callable[[Arguments], Unfit | None] = fits_always
