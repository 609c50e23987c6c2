"""Names of the values of a sweep, no two of them the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain, count
from typing import Any

from services.rules.engine.simulation.request import Axis


def value_names(axis: Axis) -> tuple[str, ...]:
    """Return a name of each value of an axis.

    A character is named by its example, or by its id where it has none; several by how many they are, and
    behind it, where other values are as many, by those whom not all of these have: `3: elf, rogue`. Values
    that are the same otherwise are numbered: `3 (2)`.
    """
    casts = [value for value in axis.values if _is_cast(value)]
    names = [
        _cast_name(value, [each for each in casts if len(each) == len(value)])
        if _is_cast(value)
        else _name(value)
        for value in axis.values
    ]
    found: dict[str, None] = {}
    for name in names:
        numbered = (f"{name} ({number})" for number in count(2))
        found[next(each for each in chain((name,), numbered) if each not in found)] = None
    return tuple(found)


def _is_cast(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and all(map(_is_character, value))


def _is_character(value: Any) -> bool:
    return isinstance(value, Mapping) and "id" in value


def _cast_name(value: Sequence[Any], alike: Sequence[Sequence[Any]]) -> str:
    own = [_name(each) for each in value if not all(each in other for other in alike)]
    return ": ".join((str(len(value)), *([", ".join(own)] if own else [])))


def _name(value: Any) -> str:
    if _is_character(value):
        value = value.get("example") or value["id"]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
