"""The account service's subgraph."""

from services.gateway.graphql.mutations import Mutation
from services.gateway.graphql.queries import Query
from services.shared.graphql.schema import build_schema

SCHEMA = build_schema(Query, Mutation)
