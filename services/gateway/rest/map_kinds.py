"""The kinds of maps that can be asked for, as the map service publishes them."""

import re
from pathlib import Path

from services.shared.wording import camel

GRAPH = (Path(__file__).resolve().parents[3] / "schema" / "map").with_suffix(".graphql")
OWN_MEMBERS = frozenset({"forgebornRealm"})
"""Kinds of maps that are asked for by a member of their own."""


def kinds_of(graph: str) -> tuple[str, ...]:
    """Reads the kinds of maps that are asked for by `kind` out of the map service's published schema.

    They are spelled as they are listed and answered: `BATTLE`.

    Raises:
        ValueError: it asks for no maps.
    """
    wish = re.search(r"^input MapWishInput\b[^{]*\{(.*?)^\}", graph, re.DOTALL | re.MULTILINE)
    if wish is None:
        raise ValueError("the map service's schema has no MapWishInput")
    members = re.findall(r"^  (\w+):", wish[1], re.MULTILINE)
    return tuple(listed(name) for name in members if name not in OWN_MEMBERS)


def listed(member: str) -> str:
    """Returns a kind as it is listed, by its member of `MapWishInput`: `CAVE_OF_ICE` by `caveOfIce`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", member).upper()


def member(kind: str) -> str:
    """Returns a kind's member of `MapWishInput`, by the kind as it is listed."""
    return camel(kind.lower())
