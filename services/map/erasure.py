"""What goes here when a campaign, a scene or an account is deleted, or a member loses the right to write."""

from collections.abc import Mapping
from functools import partial

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.deletion.repository import Removals
from services.map.models import BAGS
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.database import follow
from services.shared.limits.meter import Meter
from services.shared.metadata.bags import Bags
from services.shared.outbox import Event

log = structlog.get_logger(__name__)


class Erasure:
    """Handles the events of the campaign service that tell of deleting; told twice, it is done once.

    What may be thousands of rows goes in steps; see ``services.shared.consumer``. An event that is not as
    agreed is written to the log, and keeps no other.

    Args:
        clock: the present moment.
        background: what batches were paid from.

    Attributes:
        handlers: what to do, by kind of event; see ``services.shared.consumer``.
    """

    def __init__(self, clock: Clock, background: Meter) -> None:
        self._clock = clock
        self._background = background
        self.handlers: Mapping[str, Handler] = {
            "campaign.deleted": self._campaign,
            "scene.deleted": self._scene,
            "account.left": self._left,
            "account.erased": self._account,
            "member.barred": self._member,
        }

    async def _campaign(self, session: AsyncSession, event: Event) -> bool:
        """Make the maps, jobs and batches of a campaign their owners' alone, shared as they were, and free
        the maps that its running scenes have led.
        """
        match event.payload:
            case {"campaign": str(campaign), "scenes": [*scenes]}:
                removals = Removals(session, self._clock())
                await removals.free(scenes)
                return await removals.leave(campaign)
            case _:
                return _skip(event)

    async def _scene(self, session: AsyncSession, event: Event) -> None:
        """Free the map that a scene has led, if it has led one."""
        match event.payload:
            case {"scene": str(scene)}:
                await Removals(session, self._clock()).free([scene])
            case _:
                _skip(event)

    async def _member(self, session: AsyncSession, event: Event) -> bool:
        """Cancel what an account has ordered for a campaign in which it may not write any more, and give
        back what it was charged for parts that were not begun.
        """
        match event.payload:
            case {"campaign": str(campaign), "account": str(account)}:
                points, more = await Removals(session, self._clock()).cancel_orders(account, campaign)
                follow(session, partial(self._background.give_back, account, points))
                return more
            case _:
                return _skip(event)

    async def _left(self, session: AsyncSession, event: Event) -> bool:
        """Hand the maps of an account that goes, of some campaigns that live on, over to an heir.

        Jobs go first, so that who works at one finds it gone; then nothing more is added for the account, and
        what it has by then is all there is.
        """
        match event.payload:
            case {"account": str(account), "heirs": dict(heirs)}:
                removals = Removals(session, self._clock())
                if await removals.jobs_of(account):
                    return True
                await removals.close(account)
                for campaign, heir in sorted(heirs.items()):
                    if await removals.hand_on(account, campaign, heir):
                        return True
                return False
            case _:
                return _skip(event)

    async def _account(self, session: AsyncSession, event: Event) -> bool:
        """Hand over likewise, and delete all else that an account has here; the maps of campaigns that wait
        for an heir stay as they are until it is told who that is.
        """
        match event.payload:
            case {"account": str(account), "heirs": dict(), **rest}:
                if await self._left(session, event):
                    return True
                if await Bags(session, BAGS).forget(account):
                    return True
                removals = Removals(session, self._clock())
                return await removals.maps_of(account, keep=rest.get("waiting", ()))
            case _:
                return _skip(event)


def _skip(event: Event) -> bool:
    log.error("event_skipped", kind=event.kind, position=event.position, reason="not as agreed")
    return False
