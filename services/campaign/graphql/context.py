"""What the resolvers of the campaign service are handed."""

from dataclasses import dataclass

from strawberry.types import Info

from services.campaign.service import CampaignService
from services.campaign.table import Table
from services.shared.context import Context
from services.shared.stream import Wakes


@dataclass(frozen=True, slots=True)
class CampaignUseCases:
    """All that can be done with campaigns.

    Attributes:
        campaigns: founding, editing, reading, the log.
        table: invitations, members, seats.
        wakes: signals of new log entries.
    """

    campaigns: CampaignService
    table: Table
    wakes: Wakes


CampaignInfo = Info[Context[CampaignUseCases], None]
