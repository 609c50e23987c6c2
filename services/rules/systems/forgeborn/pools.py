"""The dice of a Smith or Heroine: how many of each size, what may be rolled of them, and how they grow.

Book: Creating Master Smiths of the Forge, Conflict Rolls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from services.rules.engine.problem import KeyPath, RuleProblem


class DieSize(Enum):
    """The five sizes of dice (A4).

    Attributes:
        D4: A die of 4 sides.
        D6: A die of 6 sides.
        D8: A die of 8 sides.
        D10: A die of 10 sides.
        D12: A die of 12 sides.
    """

    D4 = "d4"
    D6 = "d6"
    D8 = "d8"
    D10 = "d10"
    D12 = "d12"

    # Each is one object only: by itself it is found in tables much faster than by its name, as enums are.
    __hash__ = object.__hash__


SIDES = {size: int(size.value[1:]) for size in DieSize}
"""How many sides each size has."""

SIZE_OF = {sides: size for size, sides in SIDES.items()}
"""The size with so many sides."""

ASCENDING = tuple(DieSize)
DESCENDING = ASCENDING[::-1]

_FIELDS = {size: size.value for size in DieSize}
"""The field of a `DiceCount` that counts each size, which is also its name in notation."""

MOST_OF_A_SIZE = 999
"""Dice of one size that anybody can have: a bound for numbers that are sent, not a rule."""

MOST_ROLLED = 60
"""Her own dice that a Smith rolls at once: as many as the odds are worked out for (`mechanics.MOST`)."""


@dataclass(frozen=True, slots=True)
class DiceCount:
    """So many dice of each size.

    Attributes:
        d4: How many d4.
        d6: How many d6.
        d8: How many d8.
        d10: How many d10.
        d12: How many d12.
    """

    d4: int = 0
    d6: int = 0
    d8: int = 0
    d10: int = 0
    d12: int = 0

    @classmethod
    def of(cls, dice: Iterable[DieSize]) -> DiceCount:
        """The dice of a list, counted."""
        found = Counter(dice)
        return cls(*(found[size] for size in ASCENDING))

    def count(self, size: DieSize) -> int:
        """How many dice of one size."""
        found: int = getattr(self, _FIELDS[size])
        return found

    def counts(self) -> tuple[int, int, int, int, int]:
        """How many of each size, the smallest size first."""
        return (self.d4, self.d6, self.d8, self.d10, self.d12)

    def total(self) -> int:
        """How many dice in all."""
        return self.d4 + self.d6 + self.d8 + self.d10 + self.d12

    def faces(self) -> int:
        """The sum of their sides, which a Smith's budget pays for (A5)."""
        return 4 * self.d4 + 6 * self.d6 + 8 * self.d8 + 10 * self.d10 + 12 * self.d12

    def plus(self, dice: Iterable[DieSize]) -> DiceCount:
        """With some more."""
        return self._moved(tuple(dice), 1)

    def minus(self, dice: Iterable[DieSize]) -> DiceCount:
        """Without some of them.

        Raises:
            ValueError: They are not all there.
        """
        return self._moved(tuple(dice), -1)

    def _moved(self, dice: tuple[DieSize, ...], sign: int) -> DiceCount:
        if not dice:
            return self
        counts = [
            count + sign * dice.count(size) for size, count in zip(ASCENDING, self.counts(), strict=True)
        ]
        if min(counts) < 0:
            raise ValueError("nobody has fewer than no dice")
        return DiceCount(*counts)

    def holds(self, dice: Iterable[DieSize]) -> bool:
        """Whether all these dice are among them."""
        return all(self.count(size) >= wanted for size, wanted in Counter(dice).items())

    def best(self, most: int) -> tuple[DieSize, ...]:
        """The largest dice, at most so many, the largest first."""
        return self.descending()[:most]

    def descending(self) -> tuple[DieSize, ...]:
        """Every die, the largest first."""
        return (
            *(DieSize.D12,) * self.d12,
            *(DieSize.D10,) * self.d10,
            *(DieSize.D8,) * self.d8,
            *(DieSize.D6,) * self.d6,
            *(DieSize.D4,) * self.d4,
        )

    def owned(self) -> tuple[DieSize, ...]:
        """The sizes there is a die of, the smallest first."""
        return tuple(size for size, count in zip(ASCENDING, self.counts(), strict=True) if count)

    def text(self) -> str:
        """In the notation of dice: `2d8+d10`; "no dice" where there are none."""
        return _text(self)


NO_DICE = DiceCount()


def sides_of(dice: Iterable[DieSize]) -> tuple[int, ...]:
    """The sides of some dice, the most first: what the odds are asked with."""
    return tuple(sorted((SIDES[size] for size in dice), reverse=True))


@lru_cache(maxsize=1 << 12)
def _text(dice: DiceCount) -> str:
    return notation(dice.descending()) or "no dice"


def notation(dice: Iterable[DieSize]) -> str:
    """Dice in notation, the smallest first: `2d4+d12`; empty where there are none."""
    every = tuple(dice)
    counts = ((size, every.count(size)) for size in ASCENDING)
    return "+".join(f"{count if count > 1 else ''}{_FIELDS[size]}" for size, count in counts if count)


def promoted(size: DieSize) -> DieSize | None:
    """The next larger size (D8): 4, 6, 8, 10, 12; none for a d12 (D9)."""
    place = ASCENDING.index(size) + 1
    return ASCENDING[place] if place < len(ASCENDING) else None


def promotable(dice: DiceCount) -> tuple[DieSize, ...]:
    """The sizes of which one may be promoted after a loss, the smallest first."""
    return tuple(size for size in dice.owned() if promoted(size) is not None)


def reward_problem(dice: DiceCount, promote: DieSize | None, path: KeyPath) -> RuleProblem | None:
    """Why a die cannot be promoted, if it cannot (D8, D9)."""
    if promote is None or promote in promotable(dice):
        return None
    allowed = tuple(size.value for size in promotable(dice))
    if promoted(promote) is None:
        text = "A d12 cannot be promoted."
        return RuleProblem("die_at_its_largest", text, "Conflict Rolls", path, promote.value, allowed)
    text = f"She has no {promote.value} of her own to promote."
    return RuleProblem("die_not_owned", text, "Conflict Rolls", path, promote.value, allowed)


def pool_problems(
    own: DiceCount,
    dice: Sequence[DieSize],
    sacrificed: Sequence[DieSize],
    *,
    normal: int = 3,
) -> list[RuleProblem]:
    """Every rule that a choice of own dice breaks (D1 to D3, P11, P12); empty when it may be rolled.

    Args:
        own: The dice the character has.
        dice: Those rolled within the limit.
        sacrificed: Those on top of it, lost on a win.
        normal: The limit (3).
    """
    problems: list[RuleProblem] = []
    if not dice:
        text = "At least one of her own dice is rolled."
        found = RuleProblem("own_die_missing", text, "P11", ("dice",), 0, (1, normal))
        problems.append(found)
    if len(dice) > normal:
        text = f"At most {normal} dice are rolled without a sacrifice."
        limit = (1, normal)
        problems.append(RuleProblem("too_many_dice", text, "Conflict Rolls", ("dice",), len(dice), limit))
    if len(dice) + len(sacrificed) > MOST_ROLLED:
        text = f"At most {MOST_ROLLED} dice are rolled at once."
        count = len(dice) + len(sacrificed)
        problems.append(RuleProblem("too_many_dice", text, "table", ("sacrificed",), count, MOST_ROLLED))
    if sacrificed and own.total() <= normal:
        text = f"Only somebody with more than {normal} dice can sacrifice any."
        found = RuleProblem(
            "sacrifice_needs_more_dice", text, "Conflict Rolls", ("sacrificed",), own.total(), normal + 1
        )
        problems.append(found)
    elif sacrificed and len(dice) < normal:
        text = f"Dice are sacrificed on top of {normal} others, not in their place."
        found = RuleProblem("sacrifice_too_soon", text, "P12", ("dice",), len(dice), normal)
        problems.append(found)
    if not own.holds((*dice, *sacrificed)):
        text = f"She has {own.text()}."
        wanted = notation((*dice, *sacrificed))
        problems.append(RuleProblem("dice_not_owned", text, "Conflict Rolls", ("dice",), wanted, own.text()))
    return problems
