"""Values as JSON forms in any spelling, and stored forms as they are published."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Union, get_args, get_origin

from services.rules.engine.carried import stated_fields
from services.rules.engine.codec import KIND, Json, words
from services.rules.engine.spelling import PUBLISHED, STORED, Spelling


@cache
def public_members(cls: type, *, properties: bool = True) -> tuple[tuple[str, Any], ...]:
    """What a dataclass shows, with its types: fields in their order, then public properties by name."""
    hints = typing.get_type_hints(cls)
    found = [(item.name, hints[item.name]) for item in stated_fields(cls) if not item.name.startswith("_")]
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


def published(hint: Any, form: Any) -> Any:
    """A form as it is stored, in the spelling in which it is published.

    Args:
        hint: The type that the form is one of.
        form: Its JSON form; it may lack fields, and what does not fit the type stays as it is.
    """
    for member in union_members(hint):
        match form:
            case Mapping() if is_dataclass(member):
                cls = _chosen(hint, form)
                return form if cls is None else _published_fields(cls, form)
            case Mapping() if get_origin(member) is Mapping:
                keys, items = get_args(member)
                return {published(keys, key): published(items, item) for key, item in form.items()}
            case list() | tuple() if get_origin(member) is tuple:
                hints = get_args(member)
                each = [hints[0]] * len(form) if hints[1:] == (Ellipsis,) else [*hints]
                return [published(one, item) for one, item in zip(each, form, strict=False)]
            case str() | int() if isinstance(member, type) and issubclass(member, Enum):
                word = words(member, STORED).get((type(form), form))
                if word is not None:
                    return PUBLISHED.word(word)
    return form


def field_hint(hint: Any, form: Any, names: Sequence[str]) -> Any:
    """The type of one value of a field of a form; of a list, that of what it holds.

    Args:
        hint: The type that the form is one of.
        form: A stored form, which may lack fields.
        names: Of the field, and of those that lead to it.
    """
    for name in names:
        cls = _chosen(hint, form) if isinstance(form, Mapping) else None
        hint = Any if cls is None else _hints(cls).get(name, Any)
        form = form.get(name, {}) if isinstance(form, Mapping) else {}
    several = any(get_origin(member) is tuple for member in union_members(hint))
    return _inner(hint, 0) if several else hint


def _chosen(hint: Any, form: Mapping[str, Any]) -> Any | None:
    """The dataclass of a union that an object is said to be; None where it is none of them."""
    classes = [member for member in union_members(hint) if is_dataclass(member)]
    if len(classes) == 1:
        return classes[0]
    kind = form.get(KIND)
    return next((one for one in classes if typing.cast(type, one).__name__ == kind), None)


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    """The types of a dataclass's fields, by name."""
    return dict(public_members(cls, properties=False))


def _published_fields(cls: type, form: Mapping[str, Any]) -> dict[str, Any]:
    hints = _hints(cls)
    return {
        PUBLISHED.name(name): published(hints[name], item) if name in hints else item
        for name, item in form.items()
    }


def _inner(hint: Any, place: int) -> Any:
    """The hint of what a collection holds, looked for in an optional collection too."""
    for member in union_members(hint):
        arguments = get_args(member)
        if len(arguments) > place:
            return arguments[place]
    return Any
