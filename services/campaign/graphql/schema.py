"""The campaign service's subgraph."""

from services.campaign.graphql.mutations import Mutation
from services.campaign.graphql.queries import Query
from services.campaign.graphql.subscriptions import Subscription
from services.shared.graphql.schema import build_schema

SCHEMA = build_schema(Query, Mutation, Subscription)
