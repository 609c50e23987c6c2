"""What a kind of map is in the graph, and where its package says so.

A package of `services.map.kinds` whose maps show more in the graph than all maps do has a module `graphql`
with its `GRAPH`. It mirrors its classes by the names they are to have: the first mirroring names a class.
"""

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from services.map.graphql import names as names  # before what kinds mirror
from services.map.registry import KINDS, packages


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A kind of map in the graph.

    Attributes:
        wish: The mirrored input that its maps are asked for by; made from their parameters when None.
        fields: Strawberry fields of `Map` that show its maps; each is null on other maps. The object that
            they are resolved on has the `look`.
    """

    wish: Any = None
    fields: Mapping[str, Any] = field(default_factory=dict)


NO_GRAPH = Graph()


@cache
def graphs() -> Mapping[str, Graph]:
    """Mirrors what kinds show; returns what each is in the graph, by its slug, in the order of lists."""
    found: dict[str, Graph] = {}
    for package in packages():
        if importlib.util.find_spec(f"{package}.graphql") is not None:
            slug = importlib.import_module(f"{package}.kind").KIND.slug
            found[slug] = importlib.import_module(f"{package}.graphql").GRAPH
    return {slug: found.get(slug, NO_GRAPH) for slug in KINDS}


def fields_of_maps() -> dict[str, Any]:
    """Returns the fields of `Map` that kinds have of their own, in the order of lists.

    Raises:
        TypeError: two kinds have a field of one name.
    """
    fields: dict[str, Any] = {}
    for slug, graph in graphs().items():
        if twice := fields.keys() & graph.fields:
            raise TypeError(f"{slug}: other maps have a field {min(twice)} already")
        fields |= graph.fields
    return fields
