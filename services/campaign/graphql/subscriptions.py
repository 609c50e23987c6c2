"""What the campaign service tells as it happens."""

from collections.abc import AsyncIterator, Sequence

import strawberry

from services.campaign import models
from services.campaign.events import topic
from services.campaign.graphql.context import CampaignInfo
from services.campaign.graphql.scene_types import SceneMove, read_cursor
from services.campaign.graphql.types import LogEntry
from services.shared.graphql.errors import PublicError
from services.shared.stream import follow


@strawberry.type
class Subscription:
    """Root of the subscriptions."""

    @strawberry.subscription(
        description="A campaign's log: all entries behind number `after`, then each new one, once."
    )
    async def campaign_log(
        self, info: CampaignInfo, campaign_id: strawberry.ID, after: int = 0
    ) -> AsyncIterator[LogEntry]:
        """Replay, then tail the log; membership is checked again with each entry."""
        viewer = info.context.signed_in()
        service = info.context.service

        async def fetch(last: int) -> Sequence[models.LogEntry]:
            rows = await service.campaigns.log(viewer, str(campaign_id), after=last)
            if rows is None:
                raise PublicError("NOT_FOUND", "There is no such campaign, or you may not see it.")
            return rows

        wakes = service.wakes
        async for row in follow(wakes, topic(str(campaign_id)), fetch, lambda entry: entry.seq, after=after):
            yield LogEntry.of(row)

    @strawberry.subscription(
        description="A scene's moves as you may know them: all behind the cursor `after`, then each new one, "
        "once."
    )
    async def scene_moves(
        self, info: CampaignInfo, scene_id: strawberry.ID, after: str | None = None
    ) -> AsyncIterator[SceneMove]:
        """Replay, then tail the moves; the right to see them is checked again with each."""
        viewer = info.context.signed_in()
        watching = info.context.service.scenes.watching
        async for move in watching.follow(viewer, str(scene_id), after=read_cursor(after)):
            if move is None:
                raise PublicError("NOT_FOUND", "There is no such scene, or you may not see it.")
            yield SceneMove.of(move)
