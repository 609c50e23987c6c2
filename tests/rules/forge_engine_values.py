"""Values of any question or pack, drawn by chance: what somebody may send, however odd."""

from __future__ import annotations

import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from random import Random
from typing import Any

HUGE = 2**31 - 1
ODD_TEXTS = ("", " ", "x" * 5000, "forge_engine:trait/no-such-thing", "../..", "Ünïcode\n", "fire", "a/b")


def drawn(hint: Any, random: Random, ids: tuple[str, ...], depth: int = 0) -> Any:
    """A value of a type: figures mostly small, texts mostly ids, lists mostly short, defaults often kept."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return drawn(random.choice(arguments), random, ids, depth)
    if hint is type(None):
        return None
    if origin is tuple:
        count = random.choice((0, 1, 1, 2, 3)) if depth < 6 else 0
        return tuple(drawn(arguments[0], random, ids, depth + 1) for _ in range(count))
    if is_dataclass(hint) and isinstance(hint, type):
        hints = typing.get_type_hints(hint)
        given = {
            item.name: drawn(hints[item.name], random, ids, depth + 1)
            for item in fields(hint)
            if (item.default is MISSING and item.default_factory is MISSING) or random.random() < 0.6
        }
        return hint(**given)
    if issubclass(hint, Enum):
        return random.choice(list(hint))
    if hint is bool:
        return random.random() < 0.5
    if hint is int:
        return random.choice((0, 1, 1, 2, 2, 3, 3, 5, 8, 25, 100, -1, HUGE, -HUGE))
    if hint is str:
        return random.choice(ids) if random.random() < 0.8 else random.choice(ODD_TEXTS)
    raise TypeError(hint)
