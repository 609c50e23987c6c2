"""Fills in what a legal move leaves open, so that anything can play any game: tests, fuzzers, plain bots.

Chance is a parameter: `choose(n)` returns a number from 0 to n - 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from services.rules.engine.codec import Json
from services.rules.engine.grid import Square
from services.rules.engine.offers import copied, put
from services.rules.engine.play import FieldKind, LegalMove, MoveField

T = TypeVar("T")

Choose = Callable[[int], int]
"""Picks one of so many: from 0 to n - 1."""

SPREAD = 9
"""How far above its least a number without a most may lie."""

TEXTS = 1_000_000
"""How many texts there are to pick from; a text may be a name that must not be taken yet."""


def complete(move: LegalMove, choose: Choose) -> dict[str, Json]:
    """A whole move in its JSON form: the offered one, each field filled within its bounds.

    Fields that are not required are left out half of the time. A dotted name is a nested key: `where.x`.

    Args:
        move: The offer.
        choose: Picks.

    Raises:
        ValueError: A required field leaves nothing to choose, or its bounds cannot be met.
    """
    form = cast(dict[str, Json], copied(move.move))
    for field in move.fields:
        if field.required or (_can_be_filled(field) and choose(2)):
            put(form, field.name, _value(field, choose))
    return form


def _value(field: MoveField, choose: Choose) -> Json:
    match field.kind:
        case FieldKind.CHOICE:
            return _one_of(field, field.choices, choose).value
        case FieldKind.CHOICES:
            values = [choice.value for choice in field.choices]
            return [values.pop(choose(len(values))) for _ in range(_how_many(field, len(values), choose))]
        case FieldKind.NUMBER:
            least, most = _bounds(field)
            return least + choose(most - least + 1)
        case FieldKind.SQUARE:
            return _form(_one_of(field, field.squares, choose))
        case FieldKind.SQUARES:
            return [_form(square) for square in _patch(field, choose)]
        case FieldKind.TEXT:
            return f"text-{choose(TEXTS)}"[: field.most]
        case FieldKind.FLAG:
            return bool(choose(2))


def _one_of(field: MoveField, offered: Sequence[T], choose: Choose) -> T:
    if not offered:
        raise ValueError(f"{field.name}: there is nothing to choose from")
    return offered[choose(len(offered))]


def _how_many(field: MoveField, there: int, choose: Choose) -> int:
    least, most = field.least or 0, there if field.most is None else min(field.most, there)
    if least > most:
        raise ValueError(f"{field.name}: {least} must be chosen of {there}")
    return least + choose(most - least + 1)


def _bounds(field: MoveField) -> tuple[int, int]:
    least = field.least if field.least is not None else min(0, field.most or 0)
    most = field.most if field.most is not None else least + SPREAD
    if least > most:
        raise ValueError(f"{field.name}: no number from {least} to {most}")
    return least, most


def _patch(field: MoveField, choose: Choose) -> tuple[Square, ...]:
    """Squares without a gap as long as that goes: each next one touches the side of one before."""
    left = list(field.squares)
    patch: list[Square] = []
    for _ in range(_how_many(field, len(left), choose)):
        edge = [square for square in left if any(_side_by_side(square, other) for other in patch)] or left
        patch.append(edge[choose(len(edge))])
        left.remove(patch[-1])
    return tuple(patch)


def _side_by_side(one: Square, other: Square) -> bool:
    return abs(one.x - other.x) + abs(one.y - other.y) == 1


def _form(square: Square) -> Json:
    return {"x": square.x, "y": square.y}


def _can_be_filled(field: MoveField) -> bool:
    match field.kind:
        case FieldKind.CHOICE:
            return bool(field.choices)
        case FieldKind.SQUARE:
            return bool(field.squares)
        case FieldKind.CHOICES:
            return (field.least or 0) <= len(field.choices)
        case FieldKind.SQUARES:
            return (field.least or 0) <= len(field.squares)
        case _:
            return True
