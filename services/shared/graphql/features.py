"""A subgraph out of its features: each brings its part of the three roots, and types."""

from collections.abc import Sequence
from dataclasses import dataclass

import strawberry
from strawberry.tools import merge_types

from services.shared.graphql.schema import HouseSchema, build_schema


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature's part of a subgraph.

    Attributes:
        query: a Strawberry type with its queries.
        mutation: with its mutations.
        subscription: with its subscriptions.
        types: that no root reaches: entities that other subgraphs ask for, members of interfaces.
    """

    query: type | None = None
    mutation: type | None = None
    subscription: type | None = None
    types: Sequence[type] = ()


def compose(*features: Feature, caches: bool = True) -> HouseSchema:
    """Make the schema of a subgraph whose features are these; its fields are in their order.

    Args:
        features: of the subgraph.
        caches: whether documents that were parsed and checked before are kept.
    """
    query = _merged("Query", [feature.query for feature in features])
    assert query is not None, "a subgraph answers queries"
    return build_schema(
        query,
        _merged("Mutation", [feature.mutation for feature in features]),
        _merged("Subscription", [feature.subscription for feature in features]),
        types=[kind for feature in features for kind in feature.types],
        caches=caches,
    )


_WORDS = {
    "Query": "What can be read.",
    "Mutation": "What can be changed: each takes one `input` and answers with what was done, or a problem.",
    "Subscription": "What can be followed as it happens.",
}


def _merged(name: str, roots: Sequence[type | None]) -> type | None:
    given = tuple(root for root in roots if root is not None)
    if not given:
        return None
    merged = merge_types(name, given)
    return strawberry.type(type(name, (merged,), {}), name=name, description=_WORDS[name])
