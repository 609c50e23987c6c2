"""How a campaign is deleted: at once it is seen by nobody, and in steps all that belonged to it goes.

A short campaign is gone with the unit of work that deletes it. The scenes and the log of a long one are
removed by ``Leftovers``, a step at a time: what is left of it is a campaign without members, by which whoever
begins anew after an interruption finds it.
"""

import asyncio
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.membership.events import account_erased, campaign_deleted
from services.campaign.membership.repository import Campaigns
from services.campaign.scenes.events import scene_topic
from services.campaign.scenes.repository import Scenes
from services.campaign.simulations.repository import Simulations
from services.campaign.tables import OUTBOX
from services.shared.database import Database, notify_replicas
from services.shared.outbox import publish

REST_SECONDS, EVERY_SECONDS = 0.1, 30.0
"""Pauses: between two steps, and while there is nothing to do."""


async def clear(session: AsyncSession, campaign: str, moment: datetime) -> None:
    """Delete a campaign, which the unit of work holds, and publish that it is gone.

    Args:
        session: the unit of work.
        campaign: its id.
        moment: the present moment.
    """
    campaigns = Campaigns(session)
    characters = [seat.character for seat in await campaigns.seats([campaign])]
    estates = await campaigns.estates_in(campaign)
    running = await Scenes(session).close_in(campaign, moment)
    await Simulations(session).delete_in(campaign)
    await Log(session).forget(campaign)
    await campaigns.dissolve(campaign)
    await remove_next(session, campaign)
    await publish(session, OUTBOX, campaign_deleted(campaign, running, characters), moment)
    for account in estates:
        waiting = await campaigns.estates_of(account)
        await publish(session, OUTBOX, account_erased(account, {}, waiting), moment)
    for scene in running:
        notify_replicas(session, scene_topic(scene))


async def remove_next(session: AsyncSession, campaign: str) -> bool:
    """Take a step of removing what is left of a campaign that is dissolved; tell whether more is left."""
    if await Scenes(session).remove_next(campaign) or await Log(session).remove_next(campaign):
        return True
    await Campaigns(session).delete(campaign)
    return False


class Leftovers:
    """Removes what is left of campaigns that were deleted.

    Args:
        database: where campaigns are kept.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self) -> None:
        """Remove until cancelled."""
        while True:
            pause = REST_SECONDS if await self.step() else EVERY_SECONDS
            await asyncio.sleep(pause)

    async def step(self) -> bool:
        """Take a step; tell whether there was one to take."""
        async with self._database.read() as session:
            campaign = await Campaigns(session).dissolved()
        if campaign is None:
            return False
        async with self._database.write() as session:
            await Campaigns(session).hold(campaign)
            await remove_next(session, campaign)
        return True
