"""What the resolvers of the campaign service are handed."""

from dataclasses import dataclass

from strawberry.types import Info

from services.campaign.log.service import LogService
from services.campaign.membership.invitations import Invitations
from services.campaign.membership.members import Members
from services.campaign.membership.seats import Seats
from services.campaign.membership.service import CampaignService
from services.campaign.membership.succession import Succession
from services.campaign.metadata.service import TableMetadata
from services.campaign.scenes.service import SceneService
from services.campaign.simulations.drawing import SimulationDrawing
from services.campaign.simulations.service import SimulationService
from services.shared.context import Context


@dataclass(frozen=True, slots=True)
class CampaignUseCases:
    """All that can be done with campaigns.

    Attributes:
        campaigns: founding, editing, reading.
        invitations: letting others join.
        members: roles, and leaving.
        succession: who follows the last GM.
        seats: characters that play here.
        log: what has happened.
        scenes: what is played.
        simulations: what is found out by playing it many times.
        drawing: that as pictures.
        metadata: what apps keep beside campaigns and scenes.
    """

    campaigns: CampaignService
    invitations: Invitations
    members: Members
    succession: Succession
    seats: Seats
    log: LogService
    scenes: SceneService
    simulations: SimulationService
    drawing: SimulationDrawing
    metadata: TableMetadata


CampaignInfo = Info[Context[CampaignUseCases], None]
