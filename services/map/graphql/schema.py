"""The map service's subgraph."""

from services.map.graphql.mutations import Mutation
from services.map.graphql.queries import Query
from services.map.graphql.subscriptions import Subscription
from services.shared.graphql.schema import build_schema

SCHEMA = build_schema(Query, Mutation, Subscription)
