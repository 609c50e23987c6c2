"""The campaign service's subgraph."""

from collections.abc import Mapping

import strawberry

from services.campaign.graphql.mutations import Mutation as CampaignMutation
from services.campaign.graphql.queries import Query
from services.campaign.graphql.scene_mutations import scene_mutation
from services.campaign.graphql.subscriptions import Subscription
from services.campaign.graphql.systems import reflect
from services.campaign.scenes.games import games
from services.rules.engine.system import AnySystem
from services.shared.graphql.schema import HouseSchema, build_schema


def make_schema(found: Mapping[str, AnySystem]) -> HouseSchema:
    """Make the subgraph with the scenes and the campaigns of these game systems."""
    reflection = reflect(found)

    @strawberry.type
    class Mutation(CampaignMutation, scene_mutation(reflection)):  # type: ignore[misc]
        """Root of the mutations."""

    return build_schema(Query, Mutation, Subscription, types=reflection.types)


SCHEMA = make_schema(games())
