"""What goes here when a campaign, a scene or an account is deleted."""

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.deletion.repository import Removals
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.outbox import Event


class Erasure:
    """Handles the events of the campaign service that tell of deleting; told twice, it is done once.

    Args:
        clock: the present moment.

    Attributes:
        handlers: what to do, by kind of event; see ``services.shared.consumer``.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.handlers: Mapping[str, Handler] = {
            "campaign.deleted": self._campaign,
            "scene.deleted": self._scene,
            "account.erased": self._account,
        }

    async def _campaign(self, session: AsyncSession, event: Event) -> None:
        """Make the maps, jobs and batches of a campaign their owners' alone, shared as they were, and free
        the maps that its running scenes have led.
        """
        removals = Removals(session, self._clock())
        await removals.leave(event.payload["campaign"])
        await removals.free(event.payload["scenes"])

    async def _scene(self, session: AsyncSession, event: Event) -> None:
        """Free the map that a scene has led, if it has led one."""
        await Removals(session, self._clock()).free([event.payload["scene"]])

    async def _account(self, session: AsyncSession, event: Event) -> None:
        """Delete all that an account has here, but hand its maps of campaigns that live on over to an heir.

        Jobs go first, so that who works at one finds it gone; then nothing more is added for the account, and
        what it has by then is all there is.
        """
        removals, account = Removals(session, self._clock()), event.payload["account"]
        await removals.jobs_of(account)
        await removals.close(account)
        for campaign, heir in sorted(event.payload["heirs"].items()):
            await removals.hand_on(account, campaign, heir)
        await removals.maps_of(account)
