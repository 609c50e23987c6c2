"""What becomes of simulations when the account that asked for them is deleted."""

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.simulations.repository import Simulations
from services.campaign.simulations.work import end
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.jobs import JobState
from services.shared.outbox import Event


class SimulationErasure:
    """Deletes what an account has asked for itself, and ends what it has asked for at tables.

    Args:
        clock: the present moment.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def after(self, handlers: Mapping[str, Handler]) -> Mapping[str, Handler]:
        """Return handlers of the account service's events that do the same, and this after it."""
        first = handlers["account.deleted"]

        async def record(session: AsyncSession, event: Event) -> None:
            await first(session, event)
            await self.record(session, event)

        return {**handlers, "account.deleted": record}

    async def record(self, session: AsyncSession, event: Event) -> None:
        """Take note of an account that was deleted in the account service."""
        account, simulations = event.payload["account"], Simulations(session)
        for running in await simulations.running_of(account):
            await end(session, running.job, JobState.CANCELLED, self._clock())
        await simulations.delete_of(account)
