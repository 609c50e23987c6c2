"""How names and words are written in a JSON form.

What is stored is spelled as the code is: fields by their names, enums by their values. What is published is
spelled otherwise: the field `in_hand` as `inHand`, the word `battle` as `BATTLE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import Any

NEAR = 0.6
"""How alike two names must be for one to be a slip of the pen for the other, as ``difflib`` counts it."""
_LONGEST_NAME = 120


def nearest(found: str, known: Iterable[str]) -> str | None:
    """The known name that was likely meant, capitals and small letters alike; None where none is near."""
    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.casefold(), name)
    near = get_close_matches(found[:_LONGEST_NAME].casefold(), folded, 1, NEAR)
    return folded[near[0]] if near else None


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
