"""Crafting: what a Hoard comes to, where Nulls may lie, and what may be forged at once (Crafting)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.rules.engine.grid import Square
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dwarf_dice.forge import CENTRE, OUTER
from services.rules.systems.dwarf_dice.items import WIDTH, Side
from services.rules.systems.dwarf_dice.resources import Resource

NULL_RULE = "Null Rune"
FORGING_RULE = "Forging"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hoard:
    """Resources to forge with, and Nulls that wait.

    Attributes:
        metal: Dice that show Metal.
        wood: Dice that show Wood.
        alchemy: Dice that show Alchemy.
        nulls: Nulls still to be placed on the Forge.
        aside: Nulls set aside: by Mark of Quality, or because there is no space for a ninth (P3).
    """

    metal: int
    wood: int
    alchemy: int
    nulls: int
    aside: int = 0

    def resources(self) -> tuple[int, int, int]:
        """Metal, Wood and Alchemy."""
        return self.metal, self.wood, self.alchemy


def hoarded(rolled: Sequence[Resource]) -> Hoard:
    """What dice come to; Nulls beyond the eight spaces are set aside (Hoarding; P3)."""
    counts = Counter(rolled)
    nulls = counts[Resource.NULL]
    placed = min(nulls, len(OUTER))
    return Hoard(
        metal=counts[Resource.METAL],
        wood=counts[Resource.WOOD],
        alchemy=counts[Resource.ALCHEMY],
        nulls=placed,
        aside=nulls - placed,
    )


def pacted(hoard: Hoard, resource: Resource) -> Hoard:
    """The Hoard after Dark Pact: every Null is Metal, or every one is Wood, one without a space too."""
    changed = hoard.nulls + hoard.aside
    return Hoard(
        metal=hoard.metal + changed * (resource is Resource.METAL),
        wood=hoard.wood + changed * (resource is Resource.WOOD),
        alchemy=hoard.alchemy,
        nulls=0,
    )


def one_aside(hoard: Hoard) -> Hoard:
    """The Hoard with one Null set aside (Mark of Quality). A ninth that lay aside takes the freed space."""
    rolled = hoard.nulls + hoard.aside - 1
    placed = min(rolled, len(OUTER))
    return Hoard(
        metal=hoard.metal,
        wood=hoard.wood,
        alchemy=hoard.alchemy,
        nulls=placed,
        aside=hoard.nulls + hoard.aside - placed,
    )


def square_of(place: int) -> Square:
    """A square of the Forge by its number: x is the column, y the row."""
    return Square(place % WIDTH, place // WIDTH)


def place_of(square: Square) -> int | None:
    """The number of a square; None when it is not on the Forge."""
    on = 0 <= square.x < WIDTH and 0 <= square.y < WIDTH
    return square.y * WIDTH + square.x if on else None


OUTER_SQUARES = tuple(square_of(place) for place in OUTER)


def null_problems(nulls: int, squares: Sequence[Square]) -> Iterator[RuleProblem]:
    """What is wrong with placing Nulls on these squares (Resource Dice; P3)."""
    for index, square in enumerate(squares):
        place, path, found = place_of(square), ("squares", index), (square.x, square.y)
        if place is None:
            text = "That square is not on the Forge."
            yield RuleProblem("square_off_forge", text, NULL_RULE, path, found, (0, WIDTH - 1))
        elif 1 << place == CENTRE:
            text = "No Null may lie on the centre of the Forge."
            yield RuleProblem("null_on_centre", text, NULL_RULE, path, found, OUTER)
        elif square in squares[:index]:
            yield RuleProblem("null_on_null", "Each Null has a square of its own.", "P3", path, found, OUTER)
    if len(squares) > nulls:
        text = "There are not so many Nulls to place."
        yield RuleProblem("nulls_too_many", text, NULL_RULE, ("squares",), len(squares), nulls)
    if len(squares) < nulls:
        text = "Every Null must be placed."
        yield RuleProblem("nulls_left", text, NULL_RULE, ("squares",), len(squares), nulls)


def limit_problem(
    items: Sequence[str], sides: Mapping[str, Side], *, extra: frozenset[str], most_extra: int
) -> RuleProblem | None:
    """Why so many items cannot be forged at once: one a side, and what Adaptability adds (Forging; P13).

    Args:
        items: What is to be forged.
        sides: The side of each.
        extra: Items that may be additional; empty for those without Adaptability.
        most_extra: How many of them.
    """
    beyond = 0
    for side in Side:
        of_side = [item for item in items if sides[item] is side]
        over = len(of_side) - 1
        if over < 1:
            continue
        spare = sum(item in extra for item in of_side)
        if not extra:
            text = f"Only one {'offensive' if side is Side.OFFENCE else 'defensive'} item at a time."
            return RuleProblem(f"two_of_{side.value}", text, FORGING_RULE, ("items",), len(of_side), 1)
        if spare < over:
            text = "Only a Buckler or a Dagger may be forged beyond one item a side."
            return RuleProblem(
                "extra_of_other_kind", text, "Adaptability", ("items",), of_side[-1], tuple(sorted(extra))
            )
        beyond += over
    if beyond > most_extra:
        text = "So many additional items cannot be forged at once."
        return RuleProblem("extra_too_many", text, "P13", ("items",), beyond, most_extra)
    return None


def stock_problem(items: Sequence[str], stock: Mapping[str, int]) -> RuleProblem | None:
    """Why the Armory has not these cards to give (Forging; P18)."""
    for item, wanted in Counter(items).items():
        left = stock.get(item, 0)
        if wanted > left:
            text = (
                "The Armory has no such card left." if left == 0 else "The Armory has too few of this card."
            )
            return RuleProblem("out_of_stock", text, "Forging; P18", ("items",), wanted, left)
    return None
