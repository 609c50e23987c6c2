"""Scenes' part of the graph: ``systems`` reflects what the games declare of their scenes, ``types`` are built
on it; then ``queries``, ``mutations``, ``subscriptions``.
"""

from services.campaign.scenes.games import Games, games
from services.campaign.scenes.graphql.mutations import Mutation
from services.campaign.scenes.graphql.queries import Query
from services.campaign.scenes.graphql.subscriptions import Subscription
from services.campaign.scenes.graphql.systems import reflect
from services.shared.graphql.features import Feature


def feature(found: Games) -> Feature:
    """Return the part of the graph with the scenes of these games."""
    return Feature(Query, Mutation, Subscription, reflect(found))


FEATURE = feature(games())
