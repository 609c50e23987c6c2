"""The character service's subgraph."""

from services.character.graphql.mutations import Mutation
from services.character.graphql.queries import Query
from services.character.graphql.systems import REFLECTION
from services.shared.graphql.schema import build_schema

SCHEMA = build_schema(Query, Mutation, types=REFLECTION.types)
