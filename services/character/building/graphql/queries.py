"""What can be asked of the character service."""

import strawberry

from services.character.building.graphql import loaders
from services.character.building.graphql.drafts import DraftQuery
from services.character.building.graphql.random_characters import DrawingQuery
from services.character.building.graphql.types import Character
from services.character.context import CharacterInfo
from services.character.packs.graphql.games import GameSystem
from services.character.packs.graphql.library import LibraryQuery
from services.character.packs.graphql.packs import PackQuery
from services.character.packs.graphql.tools import ToolQuery
from services.shared.pagination import DEFAULT_PAGE, Connection, connect, decode_cursor, page_size


@strawberry.type
class Query(LibraryQuery, DraftQuery, ToolQuery, DrawingQuery, PackQuery):
    """Root of the queries."""

    @strawberry.field(description="A character of yours, or of a table that you sit at.")
    async def character(self, info: CharacterInfo, id: strawberry.ID) -> Character | None:
        """Give one character."""
        info.context.signed_in()
        row = await loaders.characters(info).load(str(id))
        return None if row is None else Character.of(row)

    @strawberry.field(description="Your own characters, newest first.")
    async def characters(
        self, info: CharacterInfo, first: int = DEFAULT_PAGE, after: str | None = None
    ) -> Connection[Character]:
        """Give a page of the viewer's characters."""
        viewer = info.context.signed_in()
        page = await info.context.service.characters.page(
            viewer, first=page_size(first), after=decode_cursor(after, "chr") if after is not None else None
        )
        return connect(page, lambda row: row.id, Character.of)

    @strawberry.field(description="The games that characters can be built for.")
    def systems(self, info: CharacterInfo) -> list[GameSystem]:
        """List the game systems."""
        return [GameSystem.of(system) for system in info.context.service.characters.systems.values()]

    @strawberry.field(description="One of these games, with all that there is to choose from.")
    def system(self, info: CharacterInfo, slug: str) -> GameSystem | None:
        """Give one game system."""
        found = info.context.service.characters.systems.get(slug)
        return None if found is None else GameSystem.of(found)
