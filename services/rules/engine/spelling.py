"""How names and words are written in a JSON form, and values written so.

What is stored goes by the codec: fields by their names, enums by their values. Those who show it to clients
may spell otherwise (`in_hand` as `inHand`), and hand their `Spelling` in; so the rules know of no client.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Union, get_args, get_origin

from services.rules.engine.codec import KIND, Json


def _same(name: str) -> str:
    return name


def _value(word: Enum) -> Any:
    return word.value


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a JSON form is spelled.

    Attributes:
        name: Spells the name of a field.
        word: Spells a member of an enum.
    """

    name: Callable[[str], str]
    word: Callable[[Enum], Any]

    def path(self, names: tuple[str, ...]) -> str:
        """Names that lead into one another, joined by dots: `size.speed`."""
        return ".".join(self.name(name) for name in names)


STORED = Spelling(_same, _value)
"""As the codec writes."""


@cache
def public_members(cls: type, *, properties: bool = True) -> tuple[tuple[str, Any], ...]:
    """What a dataclass shows, with its types: fields in their order, then public properties by name."""
    hints = typing.get_type_hints(cls)
    found = [(item.name, hints[item.name]) for item in fields(cls) if not item.name.startswith("_")]
    return (*found, *_properties(cls)) if properties else tuple(found)


def _properties(cls: type) -> Iterator[tuple[str, Any]]:
    for name, member in inspect.getmembers(cls, lambda member: isinstance(member, property)):
        hint = typing.get_type_hints(member.fget).get("return")
        if hint is not None and not name.startswith("_"):
            yield name, hint


def union_members(hint: Any) -> tuple[Any, ...]:
    """The members of a union; a hint that is not a union is its own only member."""
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def spelled(hint: Any, value: object, spelling: Spelling, *, properties: bool = True) -> Json:
    """The JSON form of a value, read as a type.

    Args:
        hint: The type.
        value: The value.
        spelling: How names and words are written.
        properties: Whether public properties are written beside the fields, as a reader wants it who cannot
            reckon them; not for what is to be sent back.

    Raises:
        TypeError: The value has no JSON form.
    """
    if is_dataclass(value) and not isinstance(value, type):
        cls = type(value)
        form: dict[str, Json] = {
            spelling.name(name): spelled(part, getattr(value, name), spelling, properties=properties)
            for name, part in public_members(cls, properties=properties)
        }
        several = sum(is_dataclass(member) for member in union_members(hint)) > 1
        return {KIND: cls.__name__, **form} if several else form
    match value:
        case Enum():
            word: Json = spelling.word(value)
            return word
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            inner = _inner(hint, 1)
            return {
                str(spelling.word(key) if isinstance(key, Enum) else key): spelled(
                    inner, item, spelling, properties=properties
                )
                for key, item in value.items()
            }
        case tuple() | list():
            inner = _inner(hint, 0)
            return [spelled(inner, item, spelling, properties=properties) for item in value]
        case frozenset() | set():
            inner = _inner(hint, 0)
            ordered = sorted(value, key=repr)
            return [spelled(inner, item, spelling, properties=properties) for item in ordered]
        case _:
            raise TypeError(f"no JSON form for {type(value).__name__}")


def _inner(hint: Any, place: int) -> Any:
    """The hint of what a collection holds, looked for in an optional collection too."""
    for member in union_members(hint):
        arguments = get_args(member)
        if len(arguments) > place:
            return arguments[place]
    return Any
