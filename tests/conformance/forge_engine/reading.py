"""Finds content by whatever a case calls it: the printed row, its name, a part of the name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine.catalog import own_catalog

Given = Mapping[str, Any]
Answer = dict[str, Any]

CATALOG = own_catalog()
SETTINGS = CATALOG.settings

LIKE_ENOUGH = 0.75
"""How much of two names must be alike for one to be taken for the other misspelt."""


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """What it is called."""


NamedT = TypeVar("NamedT", bound=Named)
ValueT = TypeVar("ValueT")

_HANDED = re.compile(r"\s+[12]H$")


def words(text: str) -> tuple[str, ...]:
    """A text's words, without case, accents of spelling and marks."""
    return tuple(re.findall(r"[a-z0-9]+", re.sub(r"['’&]", "", text.lower().replace("×", "x"))))


def squeezed(text: str) -> str:
    """A text's words without anything between them: "AK-47" and "AK47" are alike."""
    return "".join(words(text))


def alternatives(name: str) -> tuple[str, ...]:
    """The single things that one row names: "Katana/Bastard Sword 2H" is two of them."""
    plain = re.sub(r"\s*\([^)]*\)", "", name)
    handed = _HANDED.search(plain)
    suffix = handed.group() if handed else ""
    parts = [part.strip() for part in _HANDED.sub("", plain).split("/")]
    return (plain, *(part + suffix for part in parts), *parts)


def find(entries: Iterable[NamedT], name: str) -> NamedT:
    """The entry that a name means: written the same, one of the things it names, or nearest to it.

    Raises:
        UnsupportedCaseError: Nothing is called like that.
    """
    found = look_up(tuple(entries), name)
    if found is None:
        raise UnsupportedCaseError(f"nothing is called {name!r}")
    return found


def look_up(entries: tuple[NamedT, ...], name: str) -> NamedT | None:
    """The same; None where nothing is called like that."""
    wanted, wanted_words = squeezed(name), set(words(name))
    for titles in (_titles, _parts):
        for entry in entries:
            if wanted in {squeezed(title) for title in titles(entry)}:
                return entry
    holding = [
        (len(own - wanted_words), place, entry)
        for place, entry in enumerate(entries)
        if wanted_words <= (own := {word for title in _titles(entry) for word in words(title)})
    ]
    if holding:
        return min(holding, key=lambda found: found[:2])[2]
    held = [
        (len(squeezed(part)), -place, entry)
        for place, entry in enumerate(entries)
        for part in _parts(entry)
        if set(words(part)) <= wanted_words
    ]
    if held:
        return max(held, key=lambda found: found[:2])[2]
    likeness = [
        (SequenceMatcher(None, wanted, squeezed(part)).ratio(), -place, entry)
        for place, entry in enumerate(entries)
        for part in _parts(entry)
    ]
    best = max(likeness, key=lambda found: found[:2], default=None)
    return best[2] if best and best[0] >= LIKE_ENOUGH else None


def _titles(entry: Named) -> tuple[str, ...]:
    further = (getattr(entry, "printed", ""), getattr(entry, "also", ""))
    return (entry.name, *(title for title in further if title))


def _parts(entry: Named) -> tuple[str, ...]:
    return tuple(
        part for title in (entry.name, getattr(entry, "also", "")) for part in alternatives(title) if part
    )


def sound(found: ValueT | Problems) -> ValueT:
    """An answer of the rules that is none of their problems.

    Raises:
        ValueError: It is.
    """
    if isinstance(found, Problems):
        raise ValueError(str(found))
    return found


def plain_number(value: float) -> int | float:
    """A number as a case writes it: whole ones without a point."""
    return int(value) if value == int(value) else value


def written(ratio: Fraction) -> float:
    """A ratio as a case writes it: all of a short decimal, two digits of one that goes on."""
    short = ratio * _SHORT
    return float(ratio) if short.denominator == 1 else round(float(ratio), 2)


_SHORT = 10_000


def first_of(given: Given, *keys: str, default: Any = None) -> Any:
    """What a case gives under the first of several keys that it has."""
    return next((given[key] for key in keys if key in given), default)
