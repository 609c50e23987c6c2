"""Looking at content packs."""

from typing import Annotated

import strawberry

from services.character.context import CharacterInfo
from services.character.packs.graphql.systems import PackInput
from services.character.packs.graphql.types import ContentPack, PackReport
from services.shared.graphql.changes import question
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.mirror import to_domain
from services.shared.pagination import DEFAULT_PAGE, decode_cursor, page_size
from services.shared.problems import InvalidInput


@strawberry.type
class PackQuery:
    """Looking at content packs."""

    @strawberry.field(description="A content pack of yours, or of a campaign that you are a member of.")
    async def content_pack(
        self, info: CharacterInfo, id: Annotated[strawberry.ID, strawberry.argument(description="Its id.")]
    ) -> ContentPack | None:
        """Return one pack."""
        viewer = info.context.signed_in()
        row = (await info.context.service.packs.packs(viewer, [str(id)])).get(str(id))
        return None if row is None else ContentPack.of(row)

    @strawberry.field(
        description="The content packs of a campaign that you are a member of, or your own; newest first. "
        "Null for who is no member."
    )
    async def content_packs(
        self,
        info: CharacterInfo,
        first: First = DEFAULT_PAGE,
        after: After = None,
        campaign_id: Annotated[
            strawberry.ID | None,
            strawberry.argument(description="Id of the campaign; without it, your own."),
        ] = None,
        system: Annotated[str | None, strawberry.argument(description="Those of one game system.")] = None,
    ) -> Connection[ContentPack] | None:
        """Return a page of packs."""
        viewer = info.context.signed_in()
        size, last = page_size(first), None if after is None else decode_cursor(after, "pck")
        page = await info.context.service.packs.page(
            viewer, None if campaign_id is None else str(campaign_id), system, first=size, after=last
        )
        return None if page is None else connect(page, lambda row: row.id, ContentPack.of)

    @question(InvalidInput)
    async def check_content_pack(
        self,
        info: CharacterInfo,
        pack: Annotated[PackInput, strawberry.argument(description="Its game, and what it is to hold.")],
    ) -> PackReport:
        """Look at a content pack before it is kept: every broken rule, or what differs from the book's
        formulas. Nothing is kept.
        """
        viewer = info.context.signed_in()
        return PackReport.of(await info.context.service.packs.check(viewer, to_domain(pack)))
