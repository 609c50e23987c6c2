"""Builders of offers: a move as a button, and the fields that are still to be decided."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from services.rules.engine.codec import KIND, Json, encode
from services.rules.engine.grid import Square
from services.rules.engine.play import Choice, FieldKind, LegalMove, MoveBase, MoveField

Named = Iterable[tuple[str, str]]
"""Values, and what a button says for each."""


def button(move: MoveBase, name: str, label: str, text: str, rule: str, *fields: MoveField) -> LegalMove:
    """A move as an offer; what a field asks for is left out of it.

    Args:
        move: The move, of a union.
        name: The offer's id, stable within the list.
        label: What the button says.
        text: What it does, in plain words.
        rule: Where the rule stands.
        fields: What is still to be decided; a dotted name is a nested key.
    """
    form = cast("dict[str, Json]", encode(type(move), move))
    asked = {field.name for field in fields}
    left = {KIND: type(move).__name__, **{key: value for key, value in form.items() if key not in asked}}
    return LegalMove(id=name, actor=move.actor, label=label, text=text, rule=rule, move=left, fields=fields)


def choice_field(name: str, label: str, choices: Named, *, required: bool = True) -> MoveField:
    """One of several values."""
    return MoveField(
        name=name, label=label, kind=FieldKind.CHOICE, choices=_choices(choices), required=required
    )


def choices_field(name: str, label: str, choices: Named, least: int, most: int) -> MoveField:
    """Some of several values; a value that is there twice may be chosen twice."""
    found = _choices(choices)
    kind, most = FieldKind.CHOICES, min(most, len(found))
    return MoveField(name=name, label=label, kind=kind, choices=found, least=least, most=most)


def number_field(name: str, label: str, least: int, most: int, *, required: bool = True) -> MoveField:
    """A whole number within bounds."""
    return MoveField(name=name, label=label, kind=FieldKind.NUMBER, least=least, most=most, required=required)


def text_field(name: str, label: str, longest: int, *, required: bool = True) -> MoveField:
    """A text of so many characters at most."""
    return MoveField(name=name, label=label, kind=FieldKind.TEXT, most=longest, required=required)


def flag_field(name: str, label: str) -> MoveField:
    """Yes or no."""
    return MoveField(name=name, label=label, kind=FieldKind.FLAG)


def square_field(name: str, label: str, squares: Iterable[Square], **more: Any) -> MoveField:
    """One of several squares."""
    return MoveField(name=name, label=label, kind=FieldKind.SQUARE, squares=tuple(squares), **more)


def squares_field(name: str, label: str, squares: Iterable[Square], least: int, most: int) -> MoveField:
    """Some of several squares."""
    found = tuple(squares)
    return MoveField(
        name=name, label=label, kind=FieldKind.SQUARES, squares=found, least=least, most=min(most, len(found))
    )


def _choices(choices: Named) -> tuple[Choice, ...]:
    return tuple(Choice(value, text) for value, text in choices)
