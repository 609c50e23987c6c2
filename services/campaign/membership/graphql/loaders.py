"""Look-ups gathered into one query per request."""

from collections import defaultdict

from strawberry.dataloader import DataLoader

from services.campaign.context import CampaignInfo
from services.campaign.membership import models


def campaigns(info: CampaignInfo) -> "DataLoader[str, models.Campaign | None]":
    """Load campaigns by id, as far as the viewer is a member."""
    context = info.context

    async def load(ids: list[str]) -> list[models.Campaign | None]:
        if context.viewer.anonymous:
            return [None] * len(ids)
        found = await context.service.campaigns.campaigns(context.viewer, ids)
        return [found.get(campaign) for campaign in ids]

    return context.loader("campaigns", load)


def members(info: CampaignInfo) -> "DataLoader[str, list[models.Member] | None]":
    """Load the members of campaigns that the viewer sees."""
    context = info.context

    async def load(ids: list[str]) -> list[list[models.Member] | None]:
        grouped: dict[str, list[models.Member]] = defaultdict(list)
        for member in await context.service.campaigns.members(ids):
            grouped[member.campaign].append(member)
        return [grouped[campaign] for campaign in ids]

    return context.loader("members", load)


def seats(info: CampaignInfo) -> "DataLoader[str, list[models.Seat] | None]":
    """Load the characters of campaigns that the viewer sees."""
    context = info.context

    async def load(ids: list[str]) -> list[list[models.Seat] | None]:
        grouped: dict[str, list[models.Seat]] = defaultdict(list)
        for seat in await context.service.campaigns.seats(ids):
            grouped[seat.campaign].append(seat)
        return [grouped[campaign] for campaign in ids]

    return context.loader("seats", load)
