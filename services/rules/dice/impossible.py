"""What can never be rolled, or never comes to an end; and how often dice are expected to be drawn."""

from __future__ import annotations

from math import log

from services.rules.dice.faces import meeting, meeting_sides
from services.rules.dice.pool import (
    Binary,
    Compare,
    Dice,
    ExplodeKind,
    Faces,
    Fate,
    Labelled,
    Node,
    Operator,
    RerollKind,
    Sides,
)
from services.rules.dice.render import render_node

_EULER = 0.577_215_664_901_532_9


class Impossible(Exception):
    """Something that means nothing however the dice fall.

    Attributes:
        node: The node that is to blame.
        part: What of it: a rule of dice by its name, a selection by its index, or None for all of it.
        found: What it is.
        expected: What could stand there instead.
    """

    def __init__(self, node: Node, part: str | int | None, found: str, expected: str) -> None:
        self.node = node
        self.part = part
        self.found = found
        self.expected = expected
        super().__init__(found, expected)


def draws(dice: Dice, most: int, sides: tuple[int, int]) -> float:
    """How often dice that reroll, explode or are unique are expected to be drawn, at most.

    Args:
        dice: The dice, with everything that is done to them.
        most: How many they can be.
        sides: The least and the greatest number of sides, where that is still to be rolled.

    Raises:
        Impossible: A reroll leaves no face, every face explodes, or unique dice are more than the faces.
    """
    if isinstance(dice.kind, Sides):
        # Between compare points everything only rises or falls with the sides: the ends are enough.
        points = _points(dice)
        ends = {min(max(point.value + step, sides[0]), sides[1]) for point in points for step in (-1, 0, 1)}
        return max(_draws(dice, most, count) for count in sorted({*sides, *ends}))
    return _draws(dice, most, None)


def _points(dice: Dice) -> tuple[Compare, ...]:
    points = [] if dice.reroll is None else list(dice.reroll.points)
    return tuple(points if dice.explode is None else [*points, dice.explode.point])


def _draws(dice: Dice, most: int, sides: int | None) -> float:
    rerolled = () if dice.reroll is None else dice.reroll.points
    again = dice.reroll is not None and dice.reroll.kind is RerollKind.UNTIL
    bad, faces = _meeting(dice, rerolled, sides)
    if again and bad == faces:
        raise Impossible(dice, "reroll", f"a reroll of all {faces} faces", "a face that is not rolled again")
    left = faces - bad if again else faces
    total = float(most)
    if dice.unique:
        if most > left:
            raise Impossible(dice, "unique", f"{most} unique dice", f"at most {left}, one for each face")
        total = faces * (_harmonic(left) - _harmonic(left - most))
        if not again and bad:
            total += most
    elif again:
        total *= faces / left
    else:
        total *= 1 + bad / faces
    if dice.explode is not None:
        total += most * _further(dice, sides, bad, faces, again=again)
    return total


def _further(dice: Dice, sides: int | None, bad: int, faces: int, *, again: bool) -> float:
    """How many further dice one die is expected to bring."""
    assert dice.explode is not None
    rerolled = () if dice.reroll is None else dice.reroll.points
    bursting, _ = _meeting(dice, (dice.explode.point,), sides)
    good, _ = _meeting(dice, (*rerolled, dice.explode.point), sides)
    good -= bad
    first = good / (faces - bad) if again else good / faces + bad / faces * bursting / faces
    if dice.explode.kind is ExplodeKind.ONCE:
        return first
    if bursting == faces:
        raise Impossible(
            dice,
            "explode",
            f"an explosion on {'every face' if faces == 1 else f'all {faces} faces'}",
            "a face that does not explode",
        )
    return first * faces / (faces - bursting)


def _meeting(dice: Dice, points: tuple[Compare, ...], sides: int | None) -> tuple[int, int]:
    if sides is not None:
        return meeting_sides(sides, points), sides
    assert isinstance(dice.kind, (Fate, Faces))
    return meeting(dice.kind, points)


def _harmonic(count: int) -> float:
    """1 + 1/2 + ... + 1/count."""
    if count < 64:
        return sum(1 / number for number in range(1, count + 1))
    return log(count) + _EULER + 1 / (2 * count) - 1 / (12 * count * count)


def require_dice(node: Node, *, counting: bool) -> None:
    """Refuses what is no sum of dice.

    Args:
        node: One side of opposed dice.
        counting: Whether its dice may count in their own way; those that do not are d6 then.
    """
    match node:
        case Dice(counts=()) if counting and node.kind != Sides(6):
            raise Impossible(
                node, None, render_node(node), "d6, or dice with a rule of counting such as '>=5'"
            )
        case Dice(counts=counts) if counts and not counting:
            raise Impossible(node, None, render_node(node), "dice without a rule of counting")
        case Dice():
            return
        case Labelled(inner):
            require_dice(inner, counting=counting)
        case Binary(Operator.ADD, left, right):
            require_dice(left, counting=counting)
            require_dice(right, counting=counting)
        case _:
            raise Impossible(node, None, render_node(node), "dice only")
