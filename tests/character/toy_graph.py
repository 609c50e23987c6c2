"""The character service's graph with a game from a folder of somebody's own beside those of the house."""

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from services.character.building import graphql as building
from services.character.context import CharacterUseCases
from services.character.history import graphql as history
from services.character.packs import graphql as packs
from services.character.packs.graphql.systems import REFLECTION, reflect
from services.character.packs.graphql.tools import with_tools
from services.character.rewards import graphql as rewards
from services.rules.engine.registry import systems
from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.graphql.features import compose
from services.shared.graphql.schema import HouseSchema
from tests.inside import Graph

FOUND = systems(Path(__file__).resolve().parents[1] / "toys")
DUEL = FOUND["duel"]


@cache
def toy_schema() -> HouseSchema:
    """Make the graph; characters of the toy cannot be sent to it, all else about it can be asked."""
    types = dict.fromkeys((*REFLECTION.types, *reflect({"duel": DUEL}).types))
    games = replace(packs.FEATURE, query=with_tools(packs.Query, FOUND), types=tuple(types))
    return compose(games, building.FEATURE, rewards.FEATURE, history.FEATURE)


class Tables:
    """The campaign service, as far as it is asked: who sits where."""

    def __init__(self) -> None:
        self._access: dict[str, Access] = {}

    def seat(self, character: str, **members: Viewer) -> None:
        """Bring a character to a table, where the members are by role."""
        campaign = "cmp_01jd8x6m3v5q7r9t0w2y4z6a8c"
        for role, viewer in members.items():
            known = Access(viewer.account, {campaign: Role(role)}, {character: campaign})
            self._access[viewer.account] = known

    def leave(self, viewer: Viewer) -> None:
        """Let a member leave the table."""
        del self._access[viewer.account]

    async def of(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Give a viewer's access."""
        return self._access.get(viewer.account, Access(viewer.account))


class ToyGraph(Graph):
    """Calls to the graph.

    Args:
        database: where characters and packs are kept.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.tables = Tables()
        self.use_cases = CharacterUseCases.over(database, system_clock, self.tables, FOUND)
        self.characters = self.use_cases.characters
        super().__init__(toy_schema(), self.use_cases)

    async def ask(self, viewer: Viewer, operation: str, **variables: Any) -> Any:
        """Run an operation that must succeed and give its data."""
        answer = await self.graphql(viewer, operation, variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]
