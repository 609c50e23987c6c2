"""The kinds of maps that can be made, their formats and parameters, for people."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, get_args

from infra.mapmaker.orders import parameter_hints, parameters_type, value_name
from services.map.formats import FORMATS
from services.map.registry import GENERATORS
from services.rules.engine.json_schema import attributes
from services.shared.wording import camel

WIDTH = 100
_NAMES = {int: "whole number", float: "number", bool: "true or false", str: "text"}


def listing(slugs: Sequence[str] = ()) -> Iterator[str]:
    """Write what there is, line by line.

    Args:
        slugs: the kinds to tell of; all of them when empty.
    """
    for slug in slugs or GENERATORS:
        kind = GENERATORS[slug]
        formats = ", ".join(name for name, form in FORMATS.items() if slug in form.kinds)
        yield f"{slug}  (generator version {kind.generator_version})"
        yield from _wrapped(f"formats: {formats}", "  ")
        cls = parameters_type(slug)
        told = attributes(cls)
        defaults = {field.name: field.default for field in fields(cls)}
        for name, hint in parameter_hints(slug).items():
            yield f"  --set {camel(name)}={_shown(defaults[name])}    {type_name(hint)}"
            yield from _wrapped(told.get(name, ""), "      ")
        yield ""


def type_name(hint: Any) -> str:
    """Name what a parameter takes: `whole number`, `CRYPT | MINE | ...`, `JSON list`."""
    plain = [member for member in get_args(hint) if member is not type(None)]
    if type(None) in get_args(hint) and len(plain) == 1:
        return type_name(plain[0])
    if isinstance(hint, type) and issubclass(hint, Enum):
        return " | ".join(value_name(value) for value in hint)
    return _NAMES.get(hint, "JSON list")


def _shown(default: Any) -> str:
    match default:
        case Enum():
            return value_name(default)
        case bool():
            return "true" if default else "false"
        case None | "" | () if default is not MISSING:
            return "..."
        case _:
            return str(default)


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)
