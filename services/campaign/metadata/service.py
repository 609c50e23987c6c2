"""Who writes metadata beside campaigns and scenes: whoever plays at the table."""

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.membership.repository import Campaigns
from services.campaign.metadata.requests import SetCampaignMetadata, SetSceneMetadata
from services.campaign.scenes.repository import Scenes
from services.shared.auth import Viewer
from services.shared.ids import is_id
from services.shared.metadata.requests import Metadata
from services.shared.metadata.service import MetadataService
from services.shared.policy import Right, demand
from services.shared.problems import NotFound


class TableMetadata:
    """The use cases of writing metadata at a table.

    Args:
        bags: the bags of this service.

    Attributes:
        bags: likewise, for who reads them beside what is shown.
    """

    def __init__(self, bags: MetadataService) -> None:
        self.bags = bags

    async def of_campaign(
        self, viewer: Viewer, asked: SetCampaignMetadata, key: str | None
    ) -> Metadata | None:
        """Write metadata beside a campaign, as its GM or player; raises as ``MetadataService.write``."""

        async def hold(session: AsyncSession) -> None:
            demand(await Campaigns(session).held(asked.id, viewer.account), Right.WRITE, "id")

        return await self.bags.write(viewer, asked, key, hold)

    async def of_scene(self, viewer: Viewer, asked: SetSceneMetadata, key: str | None) -> Metadata | None:
        """Write metadata beside a scene, as GM or player of its campaign; raises likewise."""

        async def hold(session: AsyncSession) -> None:
            held = await Scenes(session).held(viewer.account, asked.id) if is_id(asked.id, "scn") else None
            if held is None:
                raise NotFound.of("scene", "id")
            demand(held[1].role, Right.WRITE, "id")

        return await self.bags.write(viewer, asked, key, hold)
