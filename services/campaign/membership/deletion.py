"""How a campaign is deleted: with all that belongs to it, in one unit of work."""

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.membership.events import campaign_deleted
from services.campaign.membership.repository import Campaigns
from services.campaign.scenes.events import scene_topic
from services.campaign.scenes.repository import Scenes
from services.campaign.simulations.repository import Simulations
from services.campaign.tables import OUTBOX
from services.shared.database import stir
from services.shared.outbox import publish


async def clear(session: AsyncSession, campaign: str, moment: datetime) -> None:
    """Delete a campaign, which the unit of work holds, and publish that it is gone.

    Args:
        session: the unit of work.
        campaign: its id.
        moment: the present moment.
    """
    campaigns = Campaigns(session)
    characters = [seat.character for seat in await campaigns.seats([campaign])]
    running = await Scenes(session).delete_in(campaign)
    await Simulations(session).delete_in(campaign)
    await Log(session).delete(campaign)
    await campaigns.delete(campaign)
    await publish(session, OUTBOX, campaign_deleted(campaign, running, characters), moment)
    for scene in running:
        stir(session, scene_topic(scene))
