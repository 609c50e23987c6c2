"""Membership's part of the graph: ``types``, then ``queries`` and ``mutations``."""

from services.campaign.membership.graphql.mutations import Mutation
from services.campaign.membership.graphql.queries import Query
from services.shared.graphql.features import Feature

FEATURE = Feature(query=Query, mutation=Mutation)
