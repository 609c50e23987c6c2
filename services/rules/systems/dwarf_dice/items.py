"""Cards of the Armory: sides, patterns, and what follows from a pattern (Forging; P1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

WIDTH = 3
"""Squares of a side of the Forge (ruling of the small systems)."""

SQUARES = WIDTH * WIDTH
METAL, WOOD, BLANK = "M", "W", "."


class Side(Enum):
    """What a card is for.

    Attributes:
        OFFENCE: For attacking.
        DEFENCE: For defending.
    """

    OFFENCE = "offence"
    DEFENCE = "defence"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedItem:
    """A card as the content file has it.

    Attributes:
        pattern: Three rows of three signs: M, W, or . for nothing.
        copies: Copies whatever the number of players; the chart adds more.
    """

    id: str
    name: str
    side: Side
    pattern: tuple[str, ...]
    copies: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CraftOdds:
    """How likely one Hoarding lets an item be forged, with the content's own die.

    Attributes:
        no_nulls: When no rolled Null is placed on the Forge.
        random_nulls: When all are placed at random.
        aimed_nulls: When all are placed against this item alone.
    """

    no_nulls: Fraction
    random_nulls: Fraction
    aimed_nulls: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmoryItem:
    """A card of the Armory.

    Attributes:
        id: Content id.
        name: The word for people.
        side: What it is for.
        pattern: Three rows of three signs: M, W, or . for nothing.
        copies: Copies whatever the number of players; the chart adds more.
        text: What it does, in the words of the card.
        value: Dice in combat, dice of the pattern, and cost (P1).
        metal: Metal in the pattern.
        wood: Wood in the pattern.
        placements: Sets of squares it can lie on, turned, mirrored and shifted.
        blockers: Fewest Nulls that keep it off the Forge; None where no number does.
        odds: How likely one Hoarding lets it be forged.
    """

    id: str
    name: str
    side: Side
    pattern: tuple[str, ...]
    copies: int
    text: str
    value: int
    metal: int
    wood: int
    placements: int
    blockers: int | None
    odds: CraftOdds


def is_pattern(rows: tuple[str, ...]) -> bool:
    """Whether rows are a pattern: three by three signs, at least one of them a resource."""
    return (
        len(rows) == WIDTH
        and all(len(row) == WIDTH and set(row) <= {METAL, WOOD, BLANK} for row in rows)
        and any(sign != BLANK for row in rows for sign in row)
    )


def needs(pattern: tuple[str, ...]) -> tuple[int, int]:
    """The Metal and the Wood of a pattern."""
    signs = "".join(pattern)
    return signs.count(METAL), signs.count(WOOD)
