"""What the campaign service tells, event by event: how boards stand, and what is gone."""

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.deletion.aftermath import account_erased, campaign_deleted, scene_deleted
from services.map.leading import Leading
from services.shared.clock import Clock
from services.shared.outbox import Event

HANDLED = frozenset({"scene.board", "scene.deleted", "campaign.deleted", "account.erased"})
"""The kinds of the campaign service's events that are handled here."""

log = structlog.get_logger(__name__)


class CampaignEvents:
    """Handles the events of the campaign service; see ``services.shared.consumer``.

    Args:
        clock: the present moment.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._leading = Leading(clock)

    async def __call__(self, session: AsyncSession, event: Event) -> None:
        """Do what an event asks for; one that is not as agreed is written to the log, and keeps no other."""
        moment = self._clock()
        match event.kind, event.payload:
            case "scene.board", _:
                await self._leading(session, event)
            case "scene.deleted", {"scene": str(scene)}:
                await scene_deleted(session, scene, moment)
            case "campaign.deleted", {"campaign": str(campaign), "scenes": [*scenes]}:
                await campaign_deleted(session, campaign, scenes, moment)
            case "account.erased", {"account": str(account), "heirs": dict(heirs)}:
                await account_erased(session, account, heirs, moment)
            case _:
                log.error("event_skipped", kind=event.kind, position=event.position, reason="not as agreed")
