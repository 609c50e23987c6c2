"""Games and packs in the graph.

``systems`` reflects what the game systems declare; ``games``, ``library`` and ``tools`` show it, ``types``,
``queries`` and ``mutations`` the packs of a table's own content.
"""

import strawberry

from services.character.packs.graphql.games import GameQuery
from services.character.packs.graphql.library import LibraryQuery
from services.character.packs.graphql.mutations import Mutation
from services.character.packs.graphql.queries import PackQuery
from services.character.packs.graphql.systems import REFLECTION
from services.character.packs.graphql.tools import ToolQuery, with_tools
from services.rules.engine.registry import systems
from services.shared.graphql.features import Feature


@strawberry.type
class Query(LibraryQuery, ToolQuery, PackQuery, GameQuery):
    """Games, their content, and packs of it."""


FEATURE = Feature(query=with_tools(Query, systems()), mutation=Mutation, types=REFLECTION.types)
