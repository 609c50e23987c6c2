"""Simulations' part of the graph: ``types``, then ``queries``, ``mutations``, ``subscriptions``."""

from services.campaign.simulations.graphql.mutations import Mutation
from services.campaign.simulations.graphql.queries import Query
from services.campaign.simulations.graphql.subscriptions import Subscription
from services.shared.graphql.features import Feature

FEATURE = Feature(Query, Mutation, Subscription)
