"""Dice as data: what is to be rolled, before anything is.

Pool
└── SignedTerm, one or more     added or taken away
    ├── DiceTerm                NdX, all kept or only the highest or lowest
    │   └── Keep
    └── Constant
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class KeepEnd(Enum):
    """Which dice are kept."""

    HIGHEST = "kh"
    LOWEST = "kl"


class Sign(Enum):
    """Whether a term is added or taken away."""

    PLUS = 1
    MINUS = -1


@dataclass(frozen=True, slots=True)
class Keep:
    """Keeps only some dice of a term.

    Raises:
        ValueError: Fewer than one die is kept.
    """

    end: KeepEnd
    count: int = 1

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError("at least one die is kept")


@dataclass(frozen=True, slots=True)
class DiceTerm:
    """`count` dice with faces 1 to `sides`.

    Raises:
        ValueError: No dice, no sides, or more dice kept than there are.
    """

    count: int
    sides: int
    keep: Keep | None = None

    def __post_init__(self) -> None:
        if self.count < 1 or self.sides < 1:
            raise ValueError("a term has at least one die of at least one side")
        if self.keep is not None and self.keep.count > self.count:
            raise ValueError("more dice kept than rolled")


@dataclass(frozen=True, slots=True)
class Constant:
    """A plain number; its sign stands with the term.

    Raises:
        ValueError: It is negative.
    """

    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("a constant is not negative: its sign stands with the term")


Term = DiceTerm | Constant


@dataclass(frozen=True, slots=True)
class SignedTerm:
    """A term and whether it is added or taken away."""

    term: Term
    sign: Sign = Sign.PLUS


@dataclass(frozen=True, slots=True)
class Pool:
    """A sum of terms, in the order they were written; dice are drawn in that order.

    Raises:
        ValueError: There is no term.
    """

    terms: tuple[SignedTerm, ...]

    def __post_init__(self) -> None:
        if not self.terms:
            raise ValueError("a pool has at least one term")

    @property
    def dice_count(self) -> int:
        """How many dice are rolled in all, dropped ones too."""
        return sum(item.term.count for item in self.terms if isinstance(item.term, DiceTerm))


def dice(count: int, sides: int, keep: Keep | None = None) -> Pool:
    """The pool of one dice term: `dice(7, 6)` is 7d6."""
    return Pool((SignedTerm(DiceTerm(count, sides, keep)),))
