"""The drop: fifteen dice on a sheet of paper, and which landings count.

Book: Creating the Map of the Realm. Positions come from outside (a seed, or a table that dropped real
dice); this file only says what is a legal drop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from services.rules.engine.problem import RuleProblem
from services.rules.systems.forgeborn.geometry import STEPS, Number, Point, squared_distance, steps, units

DROPPED_DICE = MappingProxyType({4: 4, 6: 6, 8: 3, 10: 1, 12: 1})
"""How many dice of each size are dropped (rule B1)."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of paper, in grid steps; the origin is its north-west corner."""

    width: int = 120 * STEPS
    height: int = 90 * STEPS

    @classmethod
    def of(cls, width: Number, height: Number) -> Sheet:
        """The sheet of a size given in units."""
        return cls(steps(width), steps(height))

    def holds(self, at: Point, margin: int = 0) -> bool:
        """Whether a position is on the sheet, at least `margin` steps from its edge; the edge is on it."""
        return margin <= at.x <= self.width - margin and margin <= at.y <= self.height - margin

    def from_center(self, at: Point) -> int:
        """Four times the squared distance to the center: exact although the center may lie on half a step."""
        return (2 * at.x - self.width) ** 2 + (2 * at.y - self.height) ** 2

    @property
    def squared_diagonal(self) -> int:
        """Square of the diagonal, in square grid steps."""
        return self.width**2 + self.height**2


@dataclass(frozen=True, slots=True)
class RealmSettings:
    """What a table may set about its map; every default is the ruling.

    Attributes:
        dragon_minimum: Least Power of the Dragon (B3). A longer game sets 12 or more: no d12 shows more, so
            the minimum then is the Power.
        too_far_percent: A Trail longer than this share of the sheet's diagonal is "too far" (C6, 40).
        die_width: A die that lands closer than this to another is dropped again (B2); grid steps.
        margin: Width of the border in which no generated die lands (B2); grid steps.
    """

    dragon_minimum: int = 8
    too_far_percent: int = 40
    die_width: int = 4 * STEPS
    margin: int = 5 * STEPS


@dataclass(frozen=True, slots=True)
class DroppedDie:
    """One die at rest: its size, the face it shows, and where it lies.

    Attributes:
        sides: Its size.
        face: What it shows.
        at: Where its middle lies.
    """

    sides: int
    face: int
    at: Point


class Landing(StrEnum):
    """What became of one dropped die."""

    ACCEPTED = "accepted"
    OFF_SHEET = "off the sheet"
    TOO_CLOSE = "closer than a die's width"


def landing(sheet: Sheet, settings: RealmSettings, placed: Sequence[Point], at: Point) -> Landing:
    """Says whether a landing counts or the die is dropped again.

    Rule B2: dice off the sheet are dropped again (book), and so is a die closer than one die's width to
    another (ruling); at exactly a die's width it stays.
    """
    if not sheet.holds(at):
        return Landing.OFF_SHEET
    if any(squared_distance(at, other) < settings.die_width**2 for other in placed):
        return Landing.TOO_CLOSE
    return Landing.ACCEPTED


def check_drop(
    dice: Sequence[DroppedDie], sheet: Sheet, settings: RealmSettings, expected: dict[int, int] | None = None
) -> tuple[RuleProblem, ...]:
    """Every way in which given dice are not one legal drop; nothing when they are.

    Args:
        dice: The dice in the order they were dropped.
        sheet: The sheet they lie on.
        settings: The table's settings (the die's width).
        expected: How many dice of each size there must be; the fifteen of rule B1 when absent.
    """
    wanted = dict(DROPPED_DICE) if expected is None else expected
    found = Counter(die.sides for die in dice)
    problems = [
        RuleProblem(
            "realm_dice_count",
            f"A map needs exactly {wanted.get(sides, 0)}d{sides}.",
            "B1",
            ("dice",),
            found.get(sides, 0),
            wanted.get(sides, 0),
        )
        for sides in sorted(wanted.keys() | found.keys())
        if found.get(sides, 0) != wanted.get(sides, 0)
    ]
    placed: list[Point] = []
    for index, die in enumerate(dice):
        if not 1 <= die.face <= die.sides:
            problems.append(
                RuleProblem(
                    "realm_die_face",
                    f"A d{die.sides} shows 1 to {die.sides}.",
                    "A4",
                    ("dice", index, "face"),
                    die.face,
                    (1, die.sides),
                )
            )
        problem = _landing_problem(sheet, settings, placed, die.at, index)
        if problem is not None:
            problems.append(problem)
        placed.append(die.at)
    return tuple(problems)


def _landing_problem(
    sheet: Sheet, settings: RealmSettings, placed: Sequence[Point], at: Point, index: int
) -> RuleProblem | None:
    found = f"{units(at.x)},{units(at.y)}"
    path = ("dice", index, "at")
    match landing(sheet, settings, placed, at):
        case Landing.OFF_SHEET:
            size = f"0,0 to {units(sheet.width)},{units(sheet.height)}"
            return RuleProblem("realm_die_off_sheet", "The die lies off the sheet.", "B2", path, found, size)
        case Landing.TOO_CLOSE:
            width = f"{units(settings.die_width)} units apart"
            message = "The die lies closer than a die's width to one dropped before it."
            return RuleProblem("realm_dice_too_close", message, "B2", path, found, width)
        case Landing.ACCEPTED:
            return None
