"""The character service's subgraph."""

from services.character.building.graphql.mutations import Mutation
from services.character.building.graphql.queries import Query
from services.character.packs.graphql.systems import REFLECTION
from services.character.packs.graphql.tools import with_tools
from services.rules.engine.registry import systems
from services.shared.graphql.schema import build_schema

SCHEMA = build_schema(with_tools(Query, systems()), Mutation, types=REFLECTION.types)
