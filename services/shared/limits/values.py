"""How many values a body of JSON may hold, counted on its bytes before anything is made of them.

The time that a body takes grows with its values, not with its bytes: 252 kB hold 84,000 empty objects, each
of which is read, checked and converted in every part that it passes. Most operations need a few hundred
values; those that need more stand by name in ``limits.json``, which the gateway reads too
(``services/gateway/federation/values.mjs`` counts as this module does).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services.shared.limits.purses import LIMITS

TOO_MANY_VALUES = "TOO_MANY_VALUES"

# A text without an end reaches to the end of the bytes: looked for again from each quotation mark within, it
# would cost the square of its length.
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)', re.DOTALL)
_BLANKS = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Values:
    """A number of values, found or allowed.

    Attributes:
        elements: of all lists.
        keys: of all objects.
    """

    elements: int
    keys: int

    def beyond(self, allowed: "Values") -> tuple[str, int] | None:
        """Return which number is larger than allowed, and how large it may be; None where neither is."""
        if self.elements > allowed.elements:
            return "elements", allowed.elements
        return ("keys", allowed.keys) if self.keys > allowed.keys else None


USUAL = Values(**LIMITS["values"])
"""What a body may hold where its operation does not say more."""

BY_OPERATION: Mapping[str, Values] = {name: Values(**most) for name, most in LIMITS["valuesOf"].items()}
"""What a body may hold by the field of the graph that it is for, where that is not as usual."""

MOST = Values(
    max(one.elements for one in (USUAL, *BY_OPERATION.values())),
    max(one.keys for one in (USUAL, *BY_OPERATION.values())),
)
"""What any body may hold, whatever it is for."""


def count_values(content: bytes) -> Values:
    """Count the values of JSON in one pass, without reading it.

    Args:
        content: JSON; what is no JSON has numbers that mean nothing, and no reader takes it.
    """
    bare = _TEXT.sub(b"0", content).translate(None, _BLANKS)
    keys = bare.count(b":")
    # Between n values of a list or an object stand n - 1 commas.
    filled = bare.count(b"[") - bare.count(b"[]") + bare.count(b"{") - bare.count(b"{}")
    return Values(bare.count(b",") + filled - keys, keys)


def values_of(fields: Iterable[str]) -> Values:
    """Return what a body may hold that is for these fields of the graph, all of them together."""
    found = [BY_OPERATION.get(name, USUAL) for name in fields] or [USUAL]
    return Values(max(one.elements for one in found), max(one.keys for one in found))


def describe(name: str, allowed: int) -> str:
    """Return the sentence that tells of a body with too many values."""
    what = {"elements": "elements in all its lists", "keys": "members in all its objects"}[name]
    return f"The body may have {allowed:,} {what} together."


def details(name: str, allowed: int) -> Mapping[str, Any]:
    """Return the members of an error that tells of a body with too many values."""
    return {"limit": name, "allowed": allowed, "path": []}
