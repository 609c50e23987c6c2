"""Writing metadata beside campaigns and scenes, in the graph; the fields stand with what they are beside."""

import strawberry

from services.campaign.context import CampaignUseCases
from services.campaign.metadata.requests import SetCampaignMetadata, SetSceneMetadata
from services.shared.graphql.changes import Call, change
from services.shared.graphql.features import Feature
from services.shared.metadata.graphql import MetadataSaved
from services.shared.problems import VersionConflict


@strawberry.type
class Mutation:
    """Writing metadata."""

    @change(VersionConflict)
    async def set_campaign_metadata(
        call: Call[CampaignUseCases], asked: SetCampaignMetadata
    ) -> MetadataSaved:
        """Write what your app keeps beside a campaign, or take it away (GMs and players)."""
        written = await call.service.metadata.of_campaign(call.viewer, asked, call.key)
        return MetadataSaved(metadata=written)

    @change(VersionConflict)
    async def set_scene_metadata(call: Call[CampaignUseCases], asked: SetSceneMetadata) -> MetadataSaved:
        """Write what your app keeps beside a scene, or take it away (GMs and players)."""
        written = await call.service.metadata.of_scene(call.viewer, asked, call.key)
        return MetadataSaved(metadata=written)


FEATURE = Feature(mutation=Mutation)
