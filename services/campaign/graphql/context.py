"""What the resolvers of the campaign service are handed."""

from dataclasses import dataclass

from strawberry.types import Info

from services.campaign.scenes.playing import Playing
from services.campaign.scenes.reading import Reading
from services.campaign.scenes.starting import Starting
from services.campaign.scenes.watching import Watching
from services.campaign.service import CampaignService
from services.campaign.table import Table
from services.shared.context import Context
from services.shared.stream import Wakes


@dataclass(frozen=True, slots=True)
class SceneUseCases:
    """All that can be done with scenes.

    Attributes:
        starting: their beginning.
        playing: moves, and taking them back.
        reading: where they stand, what happened.
        watching: what happens.
        public_url: address that clients use, without a slash at its end.
    """

    starting: Starting
    playing: Playing
    reading: Reading
    watching: Watching
    public_url: str


@dataclass(frozen=True, slots=True)
class CampaignUseCases:
    """All that can be done with campaigns.

    Attributes:
        campaigns: founding, editing, reading, the log.
        table: invitations, members, seats.
        scenes: what is played.
        wakes: signals of new log entries.
    """

    campaigns: CampaignService
    table: Table
    scenes: SceneUseCases
    wakes: Wakes


CampaignInfo = Info[Context[CampaignUseCases], None]
