"""The character service's subgraph."""

from services.character.graphql.mutations import Mutation
from services.character.graphql.queries import Query
from services.character.graphql.systems import REFLECTION
from services.character.graphql.tools import with_tools
from services.rules.engine.registry import systems
from services.shared.graphql.schema import build_schema

SCHEMA = build_schema(with_tools(Query, systems()), Mutation, types=REFLECTION.types)
