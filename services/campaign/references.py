"""Entities of other subgraphs that this one names."""

import strawberry
from strawberry.federation import type as federated_type

from services.shared.graphql.schema import REFERENCE


@federated_type(keys=[REFERENCE], description="An account; the account subgraph knows the rest.")
class Account:
    """One who plays."""

    id: strawberry.ID = strawberry.field(description="Of the account.")


@federated_type(keys=[REFERENCE], description="A character; the character subgraph knows the rest.")
class Character:
    """One who is played."""

    id: strawberry.ID = strawberry.field(description="Of the character.")


@federated_type(keys=[REFERENCE], description="A roll; the dice subgraph knows the rest.")
class Roll:
    """Dice that fell."""

    id: strawberry.ID = strawberry.field(description="Of the roll.")


@federated_type(keys=[REFERENCE], description="A stored map; the map subgraph knows the rest.")
class Map:
    """Where a scene is set."""

    id: strawberry.ID = strawberry.field(description="Of the map.")
