"""What is done here when a campaign, a scene or an account is deleted, and when a character sits down or
leaves."""

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.repository import bury_next, forget_turns, living
from services.character.history.scene_events import SceneEvents
from services.character.packs import repository as packs
from services.character.tables import BAGS, UPDATES
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.metadata.bags import Bags
from services.shared.outbox import Event
from services.shared.updates import GMS, TABLE, Change, PlaceUpdates

PACKS_AT_ONCE = CHARACTERS_AT_ONCE = 100
"""The most of either that one unit of work deletes."""


class Erasure:
    """Handles the events of the campaign service that tell of deleting; told twice, it is done once.

    Args:
        clock: the present moment.
        scenes: knows what scenes have changed.

    Attributes:
        handlers: what to do, by kind of event; see ``services.shared.consumer``.
    """

    def __init__(self, clock: Clock, scenes: SceneEvents) -> None:
        self._clock = clock
        self._scenes = scenes
        self.handlers: Mapping[str, Handler] = {
            "campaign.deleted": self._campaign,
            "scene.deleted": self._scene,
            "character.seated": self._seated,
            "character.unseated": self._unseated,
            "account.left": self._left,
            "account.erased": self._account,
        }

    async def _campaign(self, session: AsyncSession, event: Event) -> None:
        """Leave a campaign's packs to their owners, and drop what its scenes had changed, and its list."""
        campaign = event.payload["campaign"]
        await packs.unshare(session, campaign)
        await self._scenes.drop(session, campaign=campaign)
        await PlaceUpdates(session, UPDATES).forget(campaign)

    async def _scene(self, session: AsyncSession, event: Event) -> None:
        """Drop what a scene had changed so far."""
        await self._scenes.drop(session, scene=event.payload["scene"])

    async def _seated(self, session: AsyncSession, event: Event) -> None:
        """Put a character into the list of a party's changes, where it is not gone by now."""
        campaign, character = event.payload["campaign"], event.payload["character"]
        if await living(session, character) is not None:
            audiences = (TABLE, GMS, event.payload["account"])
            await PlaceUpdates(session, UPDATES).note([Change(campaign, character, audiences)])

    async def _unseated(self, session: AsyncSession, event: Event) -> None:
        """Take a character off that list, where it stands in it."""
        updates = PlaceUpdates(session, UPDATES)
        await updates.withdraw([event.payload["character"]], event.payload["campaign"])

    async def _left(self, session: AsyncSession, event: Event) -> None:
        """Hand over the packs by which others play of an account that goes, in some of its campaigns."""
        for campaign, heir in event.payload["heirs"].items():
            await packs.hand_over(session, event.payload["account"], heir, campaign)

    async def _account(self, session: AsyncSession, event: Event) -> bool:
        """Hand over likewise, and take a step of deleting all else that an account has here; the packs of
        campaigns that wait for an heir stay as they are until it is told who that is.

        Returns:
            Whether more waits.
        """
        account, moment = event.payload["account"], self._clock()
        await self._left(session, event)
        if await Bags(session, BAGS).forget(account):
            return True
        keep = event.payload.get("waiting", ())
        if await packs.bury_next(session, account, moment, limit=PACKS_AT_ONCE, keep=keep):
            return True
        more = await bury_next(session, account, moment, limit=CHARACTERS_AT_ONCE)
        if not more:
            await forget_turns(session, account)
        return more
