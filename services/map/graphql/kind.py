"""What a kind of map is in the graph, and where its package says so.

A package of `services.map.kinds` whose maps show more in the graph than all maps do has a module `graphql`
with its `GRAPH`. It mirrors its classes by the names they are to have: the first mirroring names a class.
"""

import importlib
import importlib.util
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import strawberry

from services.map.graphql import names as names  # before what kinds mirror
from services.map.graphql.context import MapInfo
from services.map.looking import Look
from services.map.registry import KINDS, packages
from services.shared.mirror import mirror

CONTENT_INSTEAD = "Ask for `content`, which every kind of map has. This field goes on 2027-05-23."


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What the maps of a kind hold, as the graph shows it.

    Attributes:
        type: The frozen dataclass of what is shown, mirrored by its name in the graph.
        show: Computes it for the viewer of a request, of a map as they see it.
        field: The field of `Map` that shows it alone; null on other maps.
        description: Of that field.
    """

    type: type[Any]
    show: Callable[[MapInfo, Look], Awaitable[Any]]
    field: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A kind of map in the graph.

    Attributes:
        wish: The mirrored input that its maps are asked for by; made from their parameters when None.
        content: What its maps hold; that of a kind of cells, which is a `GridMap`, when None.
        fields: Further Strawberry fields of `Map`; each is null on other maps. The object that they are
            resolved on has the `look`.
    """

    wish: Any = None
    content: Content | None = None
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


def contents() -> list[type[Any]]:
    """Returns the classes of what kinds hold that are none of cells, in the order of lists."""
    return [graph.content.type for graph in graphs().values() if graph.content is not None]


def fields_of_maps() -> dict[str, Any]:
    """Returns the fields of `Map` that kinds have of their own, in the order of lists.

    Raises:
        TypeError: two kinds have a field of one name.
    """
    fields: dict[str, Any] = {}
    for slug, graph in graphs().items():
        own = dict(graph.fields)
        if graph.content is not None:
            own[graph.content.field] = _alone(slug, graph.content)
        if twice := fields.keys() & own.keys():
            raise TypeError(f"{slug}: other maps have a field {min(twice)} already")
        fields |= own
    return fields


def _alone(slug: str, content: Content) -> Any:
    """Make the field that shows what maps of one kind hold."""

    async def resolve(root: Any, info: MapInfo) -> Any:
        return await content.show(info, root.look) if root.look.row.kind == slug else None

    return strawberry.field(
        resolve,
        description=content.description,
        graphql_type=mirror(content.type) | None,
        deprecation_reason=CONTENT_INSTEAD,
    )
