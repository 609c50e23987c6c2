"""What can be asked of campaigns."""

from typing import Annotated

import strawberry

from services.campaign.context import CampaignInfo
from services.campaign.membership.graphql import loaders
from services.campaign.membership.graphql.types import Campaign
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.graphql.updates import SinceCursor, Updates, shown_updates
from services.shared.pagination import DEFAULT_PAGE, decode_cursor, page_size


@strawberry.type
class Query:
    """What can be read of campaigns."""

    @strawberry.field(description="A campaign that you are a member of.")
    async def campaign(
        self,
        info: CampaignInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="Of the campaign.")],
    ) -> Campaign | None:
        """Return one campaign."""
        info.context.signed_in()
        row = await loaders.campaigns(info).load(str(id))
        return None if row is None else Campaign.of(row)

    @strawberry.field(description="Your campaigns, newest first.")
    async def campaigns(
        self,
        info: CampaignInfo,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[Campaign]:
        """Return a page of the viewer's campaigns."""
        viewer = info.context.signed_in()
        page = await info.context.service.campaigns.page(
            viewer, first=page_size(first), after=decode_cursor(after, "cmp") if after is not None else None
        )
        return connect(page, lambda row: row.id, Campaign.of)

    @strawberry.field(
        description="What has changed among your campaigns, those that you are no member of any more too: a "
        "campaign has changed with its name, its description, its members and their roles."
    )
    async def campaign_updates(
        self, info: CampaignInfo, first: First = DEFAULT_PAGE, since: SinceCursor = None
    ) -> Updates[Campaign]:
        """Return a page of changes."""
        viewer, campaigns = info.context.signed_in(), info.context.service.campaigns
        told = await campaigns.updates(viewer, since, first=page_size(first))
        return shown_updates(told, Campaign.of)
