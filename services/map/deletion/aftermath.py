"""What becomes of maps and jobs where a scene, a campaign or an account is gone.

The campaign service tells it, see ``services.map.campaign_events``. Told twice it does no harm.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.deletion.repository import Removals


async def scene_deleted(session: AsyncSession, scene: str, moment: datetime) -> None:
    """Frees the map that a scene has led, if it has led one."""
    await Removals(session, moment).free([scene])


async def campaign_deleted(session: AsyncSession, campaign: str, scenes: list[str], moment: datetime) -> None:
    """Makes the maps, jobs and batches of a campaign their owners' alone, shared as they were.

    Args:
        session: the unit of work.
        campaign: its id.
        scenes: ids of those that still ran; the maps that they have led are free.
        moment: now.
    """
    removals = Removals(session, moment)
    await removals.leave(campaign)
    await removals.free(scenes)


async def account_erased(
    session: AsyncSession, account: str, heirs: Mapping[str, str], moment: datetime
) -> None:
    """Deletes all that an account has here, but for its maps of campaigns that live on: those go to an heir.

    Jobs go first, so that who works at one finds it gone; then nothing more is added for the account, and
    what it has by then is all there is.

    Args:
        session: the unit of work.
        account: its id.
        heirs: id of a GM's account, by id of each campaign that the account was in and that lives on.
        moment: now.
    """
    removals = Removals(session, moment)
    await removals.jobs_of(account)
    await removals.close(account)
    for campaign, heir in sorted(heirs.items()):
        await removals.hand_on(account, campaign, heir)
    await removals.maps_of(account)
