"""Reads Python's type hints and docstrings for those that turn them into GraphQL types."""

import dataclasses
import datetime
import decimal
import enum
import inspect
import re
import sys
import types
import typing
import uuid
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import strawberry
from strawberry.scalars import JSON
from strawberry.types.lazy_type import LazyType

from services.shared.graphql.scalars import ExactFraction

PLAIN: Mapping[Any, Any] = {
    **{
        kind: kind
        for kind in (
            bool,
            int,
            float,
            str,
            strawberry.ID,
            uuid.UUID,
            decimal.Decimal,
            datetime.date,
            datetime.time,
            datetime.datetime,
        )
    },
    Fraction: ExactFraction,
    object: JSON,
}


def stripped(hint: Any) -> Any:
    """Give a hint without ``Annotated`` and without the names that ``NewType`` gives to other types."""
    while True:
        if typing.get_origin(hint) is typing.Annotated:
            hint = typing.get_args(hint)[0]
        elif isinstance(hint, typing.NewType) and not hasattr(hint, "_scalar_definition"):
            if hint is strawberry.ID:
                return hint
            hint = strawberry.ID if hint.__name__.endswith("Id") else hint.__supertype__
        else:
            return hint


def members(hint: Any) -> list[Any]:
    """Give the members of a union without None; a hint that is no union is its own only member."""
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return [hint]
    return [argument for argument in typing.get_args(hint) if argument is not type(None)]


def optional(hint: Any) -> bool:
    """Tell whether a hint allows None."""
    return len(members(hint)) < len(typing.get_args(hint)) and type(None) in typing.get_args(hint)


def element(hint: Any) -> Any | None:
    """Give the hint of a collection's elements; None for what is no collection.

    Raises:
        TypeError: a tuple whose places have different types: GraphQL has lists only.
    """
    origin = typing.get_origin(hint)
    if not (isinstance(origin, type) and issubclass(origin, Collection)) or issubclass(origin, Mapping):
        return None
    kinds = {argument for argument in typing.get_args(hint) if argument is not Ellipsis}
    if len(kinds) != 1:
        raise TypeError(f"{hint!r} has no GraphQL form: make it a dataclass")
    return kinds.pop()


def entry(hint: Any) -> tuple[Any, Any] | None:
    """Give the hints of a mapping's keys and values; None for what is no mapping."""
    origin = typing.get_origin(hint)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = typing.get_args(hint)
        return key, value
    return None


ENTRY = {"key": "Its name in the table.", "value": "What the table holds for it."}
"""What the members of a mapping's entry are."""


def named_id(name: str, hint: Any) -> Any:
    """Give ``ID`` for strings that are called ``id`` or ``..._id``; the hint itself otherwise."""
    if name == "id" or name.endswith("_id"):
        if hint is str:
            return strawberry.ID
        if optional(hint) and members(hint) == [str]:
            return typing.Optional[strawberry.ID]  # noqa: UP045  # a NewType knows no | at run time
    return hint


def is_enum(hint: Any) -> bool:
    """Tell whether a hint is an enum."""
    return isinstance(hint, type) and issubclass(hint, enum.Enum)


def is_dataclass(hint: Any) -> bool:
    """Tell whether a hint is a dataclass, and not an instance of one."""
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)


def label(kind: Any) -> str:
    """Give the word for a GraphQL type within the name of another: ``String``, ``IntList``."""
    kind = members(kind)[0] if len(members(kind)) == 1 else kind
    if typing.get_origin(kind) is list:
        return f"{label(typing.get_args(kind)[0])}List"
    if isinstance(kind, LazyType):
        return kind.type_name
    definition = getattr(kind, "__strawberry_definition__", None) or getattr(kind, "_scalar_definition", None)
    name = str(getattr(definition, "name", None) or getattr(kind, "__name__", kind))
    return {"str": "String"}.get(name, name[:1].upper() + name[1:])


@cache
def hints_of(cls: type) -> dict[str, Any]:
    """Give the type hints of a class and the classes below it, evaluated once; those of fields that a value
    only carries along (``services.rules.engine.carried``) are left out.
    """
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    carried = {field.name for field in fields if "carried" in field.metadata}
    return {
        name: hint
        for name, hint in typing.get_type_hints(cls, include_extras=True).items()
        if typing.get_origin(hint) is not typing.ClassVar and name not in carried
    }


# Words


def summary(cls: type) -> str | None:
    """Give the first paragraph of a class's docstring; None for the one that ``dataclass`` makes up."""
    document = inspect.getdoc(cls)
    if not document or document.startswith(f"{cls.__name__}("):
        return None
    return _for_clients(document.split("\n\n")[0])


_NO_VALUE = re.compile(r"(\. |^)?\bNone\b(?! of (?:it|these)\b|,)")


def _for_clients(text: str) -> str:
    """Write what a docstring says on one line, and ``null`` where it names the value None."""
    line = " ".join(text.split())
    return _NO_VALUE.sub(lambda found: "null" if found[1] is None else f"{found[1]}Null", line)


_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n {8,}.*)*)", re.MULTILINE)


_AS_IN = re.compile(r"^All else is as in `([\w.]+)\.(\w+)`\.$", re.MULTILINE)


def attribute_descriptions(cls: type) -> dict[str, str]:
    """Give what the ``Attributes:`` of a class, and of those it descends from, say of each attribute.

    What they do not say, a class says that one of them names, by a module of a package that it stands in:
    ``All else is as in `traits.Trait`.``
    """
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        document = inspect.cleandoc(vars(base).get("__doc__") or "")
        if (named := _AS_IN.search(document)) is not None:
            found |= attribute_descriptions(_near(base, *named.groups()))
        _, _, section = document.partition("Attributes:\n")
        section = re.split(r"^\S", section, maxsplit=1, flags=re.MULTILINE)[0]
        found |= {name: _for_clients(text) for name, text in _ATTRIBUTE.findall(section)}
    return found


def _near(cls: type, module: str, name: str) -> type:
    """Find a class by a module of the packages that another class stands in, the innermost first."""
    packages = cls.__module__.split(".")
    for depth in range(len(packages) - 1, 0, -1):
        found = sys.modules.get(".".join((*packages[:depth], module)))
        if found is not None:
            kind: type = getattr(found, name)
            return kind
    raise TypeError(f"{cls!r} is described as {module}.{name}, which is not there")
