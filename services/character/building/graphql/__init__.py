"""Characters in the graph: ``types``, then ``queries`` with ``drafts`` and ``random_characters``, and
``mutations``."""

import strawberry

from services.character.building.graphql.drafts import DraftQuery
from services.character.building.graphql.mutations import Mutation
from services.character.building.graphql.queries import CharacterQuery
from services.character.building.graphql.random_characters import RandomCharacterQuery
from services.shared.graphql.features import Feature


@strawberry.type
class Query(DraftQuery, RandomCharacterQuery, CharacterQuery):
    """Characters, kept and in the making."""


FEATURE = Feature(query=Query, mutation=Mutation)
