"""What other services know more about: named here by its id."""

import strawberry
from strawberry.federation import type as federated_type

from services.shared.graphql.schema import REFERENCE


@federated_type(keys=[REFERENCE], description="Somebody who plays; the account service knows the rest.")
class Account:
    """An account by its id."""

    id: strawberry.ID = strawberry.field(description="Its id.")

    @classmethod
    def of(cls, account: str) -> "Account":
        """Name an account."""
        return cls(id=strawberry.ID(account))


@federated_type(keys=[REFERENCE], description="A campaign; the campaign service knows the rest.")
class Campaign:
    """A campaign by its id."""

    id: strawberry.ID = strawberry.field(description="Its id.")

    @classmethod
    def of(cls, campaign: str) -> "Campaign":
        """Name a campaign."""
        return cls(id=strawberry.ID(campaign))


@federated_type(
    keys=[REFERENCE],
    description="One run of a game's rules at a table; the campaign service knows the rest.",
)
class Scene:
    """A scene by its id."""

    id: strawberry.ID = strawberry.field(description="Its id.")

    @classmethod
    def of(cls, scene: str) -> "Scene":
        """Name a scene."""
        return cls(id=strawberry.ID(scene))
