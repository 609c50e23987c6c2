"""How names and words are written in a JSON form.

What is stored is spelled as the code is: fields by their names, enums by their values. What is published is
spelled otherwise: the field `in_hand` as `inHand`, the word `battle` as `BATTLE`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any


def _same(name: str) -> str:
    return name


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _value(word: Enum) -> Any:
    return word.value


def _member(word: Enum) -> Any:
    return word.name


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a JSON form is spelled.

    Attributes:
        name: Spells the name of a field.
        word: Spells a member of an enum.
    """

    name: Callable[[str], str]
    word: Callable[[Enum], Any]

    def path(self, names: Sequence[str]) -> str:
        """Names that lead into one another, joined by dots: `size.speed`."""
        return ".".join(self.name(name) for name in names)


STORED = Spelling(_same, _value)
"""As the codec writes."""

PUBLISHED = Spelling(_camel, _member)
"""As clients read and write: fields in camel case, words of closed lists by the names of their members."""
