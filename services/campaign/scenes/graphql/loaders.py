"""Look-ups of scenes gathered into one query per request."""

from strawberry.dataloader import DataLoader

from services.campaign.context import CampaignInfo
from services.campaign.scenes.looks import Look


def scenes(info: CampaignInfo) -> "DataLoader[str, Look | None]":
    """Load scenes by id, as far as the viewer is a member of their campaigns."""
    context = info.context

    async def load(ids: list[str]) -> list[Look | None]:
        if context.viewer.anonymous:
            return [None] * len(ids)
        found = await context.service.scenes.reader.scenes(context.viewer, ids)
        return [found.get(scene) for scene in ids]

    return context.loader("scenes", load)
