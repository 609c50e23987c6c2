"""Looking at characters."""

from typing import Annotated

import strawberry

from services.character.building.graphql import loaders
from services.character.building.graphql.types import Character
from services.character.context import CharacterInfo
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.graphql.updates import SinceCursor, Updates, shown_updates
from services.shared.pagination import DEFAULT_PAGE, decode_cursor, page_size


@strawberry.type
class CharacterQuery:
    """Looking at characters."""

    @strawberry.field(description="A character of yours, or of a table that you sit at.")
    async def character(
        self, info: CharacterInfo, id: Annotated[strawberry.ID, strawberry.argument(description="Its id.")]
    ) -> Character | None:
        """Return one character."""
        info.context.signed_in()
        row = await loaders.characters(info).load(str(id))
        return None if row is None else Character.of(row)

    @strawberry.field(description="Your own characters, newest first.")
    async def characters(
        self, info: CharacterInfo, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[Character]:
        """Return a page of the viewer's characters."""
        viewer = info.context.signed_in()
        last = decode_cursor(after, "chr") if after is not None else None
        page = await info.context.service.characters.page(viewer, first=page_size(first), after=last)
        return connect(page, lambda row: row.id, Character.of)

    @strawberry.field(
        description="The party: the characters that sit at the table of a campaign of yours, newest first; "
        "null for a campaign that you are no member of."
    )
    async def party(
        self,
        info: CharacterInfo,
        campaign_id: Annotated[strawberry.ID, strawberry.argument(description="The campaign.")],
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[Character] | None:
        """Return a page of a campaign's characters."""
        viewer = info.context.signed_in()
        last = decode_cursor(after, "chr") if after is not None else None
        page = await info.context.service.characters.party(
            viewer, str(campaign_id), first=page_size(first), after=last
        )
        return None if page is None else connect(page, lambda row: row.id, Character.of)

    @strawberry.field(
        description="What has changed among your own characters, or with `campaignId` among those at its "
        "table, deletions too: a character has changed when you would see another sheet. Null for a campaign "
        "that you are no member of."
    )
    async def character_updates(
        self,
        info: CharacterInfo,
        campaign_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="The campaign; your own without.")
        ] = None,
        first: First = DEFAULT_PAGE,
        since: SinceCursor = None,
    ) -> Updates[Character] | None:
        """Return a page of changes."""
        viewer, characters = info.context.signed_in(), info.context.service.characters
        told = await characters.updates(viewer, campaign_id, since, first=page_size(first))
        return None if told is None else shown_updates(told, Character.of)
