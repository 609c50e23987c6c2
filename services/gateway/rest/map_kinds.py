"""The kinds of maps that can be asked for, as the map service publishes them."""

import re
from pathlib import Path

GRAPH = (Path(__file__).resolve().parents[3] / "schema" / "map").with_suffix(".graphql")
OWN_MEMBERS = frozenset({"forgebornRealm"})
"""Kinds of maps that are asked for by a member of their own."""


def kinds_of(graph: str) -> tuple[str, ...]:
    """Reads the kinds of maps that are asked for by `kind` out of the map service's published schema.

    Raises:
        ValueError: it asks for no maps.
    """
    wish = re.search(r"^input MapWishInput\b[^{]*\{(.*?)^\}", graph, re.DOTALL | re.MULTILINE)
    if wish is None:
        raise ValueError("the map service's schema has no MapWishInput")
    return tuple(name for name in re.findall(r"^  (\w+):", wish[1], re.MULTILINE) if name not in OWN_MEMBERS)
