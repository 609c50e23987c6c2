"""Entities of other subgraphs that campaigns name."""

import strawberry
from strawberry.federation import type as federated_type

from services.shared.graphql.schema import REFERENCE


@federated_type(keys=[REFERENCE])
class Account:
    """Somebody who plays; the account service knows the rest."""

    id: strawberry.ID


@federated_type(keys=[REFERENCE])
class Character:
    """A character; the character service knows the rest."""

    id: strawberry.ID


@federated_type(keys=[REFERENCE])
class Roll:
    """A roll; the dice service knows the rest."""

    id: strawberry.ID


@federated_type(keys=[REFERENCE])
class Map:
    """A stored map; the map service knows the rest."""

    id: strawberry.ID
