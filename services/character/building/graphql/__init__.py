"""Characters in the graph: ``types``, then ``queries`` with ``drafts`` and ``random_characters``, and
``mutations`` and ``subscriptions``."""

import strawberry

from services.character.building.graphql.drafts import DraftQuery
from services.character.building.graphql.mutations import Mutation
from services.character.building.graphql.queries import CharacterQuery
from services.character.building.graphql.random_characters import RandomCharacterQuery
from services.character.building.graphql.subscriptions import CharacterSubscription
from services.shared.graphql.features import Feature


@strawberry.type
class Query(DraftQuery, RandomCharacterQuery, CharacterQuery):
    """Characters, kept and in the making."""


FEATURE = Feature(query=Query, mutation=Mutation, subscription=CharacterSubscription)
