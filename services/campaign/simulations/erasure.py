"""What becomes of simulations when the account that asked for them is deleted."""

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.simulations.repository import Simulations
from services.campaign.simulations.work import end
from services.shared.jobs import JobState


async def forget(session: AsyncSession, account: str, moment: datetime) -> None:
    """Delete what an account has asked for itself, and end what it has asked for at tables.

    Args:
        session: the unit of work.
        account: its id.
        moment: the present moment.
    """
    simulations = Simulations(session)
    for running in await simulations.running_of(account):
        await end(session, running.job, JobState.CANCELLED, moment)
    await simulations.delete_of(account)
