"""What scenes tell as it happens."""

from collections.abc import AsyncIterator
from typing import Annotated

import strawberry

from services.campaign.context import CampaignInfo
from services.campaign.scenes.graphql.types import SceneMove, read_cursor


@strawberry.type
class Subscription:
    """What can be followed of a scene."""

    @strawberry.subscription(
        description="A scene's moves as you may know them: all behind the cursor `after`, then each new one, "
        "once."
    )
    async def scene_moves(
        self,
        info: CampaignInfo,
        scene_id: Annotated[strawberry.ID, strawberry.argument(description="Of the scene.")],
        after: Annotated[
            str | None,
            strawberry.argument(
                description="Cursor of the last move that you have, or of the scene as you saw it; all when "
                "omitted."
            ),
        ] = None,
    ) -> AsyncIterator[SceneMove]:
        """Replay, then tail the moves."""
        viewer = info.context.signed_in()
        feed = info.context.service.scenes.feed
        async for move in feed.follow(viewer, str(scene_id), after=read_cursor(after)):
            yield SceneMove.of(move)
