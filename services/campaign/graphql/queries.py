"""What can be asked of the campaign service."""

import strawberry

from services.campaign.graphql import loaders
from services.campaign.graphql.context import CampaignInfo
from services.campaign.graphql.scene_types import Scene
from services.campaign.graphql.types import Campaign
from services.shared.pagination import DEFAULT_PAGE, Connection, connect, decode_cursor, page_size


@strawberry.type
class Query:
    """Root of the queries."""

    @strawberry.field(description="A campaign that you are a member of.")
    async def campaign(self, info: CampaignInfo, id: strawberry.ID) -> Campaign | None:
        """Give one campaign."""
        info.context.signed_in()
        row = await loaders.campaigns(info).load(str(id))
        return None if row is None else Campaign.of(row)

    @strawberry.field(description="Your campaigns, newest first.")
    async def campaigns(
        self, info: CampaignInfo, first: int = DEFAULT_PAGE, after: str | None = None
    ) -> Connection[Campaign]:
        """Give a page of the viewer's campaigns."""
        viewer = info.context.signed_in()
        page = await info.context.service.campaigns.page(
            viewer, first=page_size(first), after=decode_cursor(after, "cmp") if after is not None else None
        )
        return connect(page, lambda row: row.id, Campaign.of)

    @strawberry.field(description="A scene of a campaign that you are a member of.")
    async def scene(self, info: CampaignInfo, id: strawberry.ID) -> Scene | None:
        """Give one scene."""
        info.context.signed_in()
        look = await loaders.scenes(info).load(str(id))
        return None if look is None else Scene.of(look)
