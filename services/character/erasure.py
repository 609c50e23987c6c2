"""What goes here when a campaign, a scene or an account is deleted."""

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building import repository as characters
from services.character.building.edits import bury
from services.character.history.scene_events import SceneEvents
from services.character.packs import repository as packs
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.outbox import Event


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
            "account.erased": self._account,
        }

    async def _campaign(self, session: AsyncSession, event: Event) -> None:
        """Leave a campaign's packs to their owners, and drop what its scenes had changed so far."""
        campaign = event.payload["campaign"]
        await packs.unshare(session, campaign)
        await self._scenes.drop(session, campaign=campaign)

    async def _scene(self, session: AsyncSession, event: Event) -> None:
        """Drop what a scene had changed so far."""
        await self._scenes.drop(session, scene=event.payload["scene"])

    async def _account(self, session: AsyncSession, event: Event) -> None:
        """Hand over the packs that others play by, and delete all else that an account has here; the packs of
        campaigns that wait for an heir stay as they are until it is told who that is.
        """
        account, moment = event.payload["account"], self._clock()
        for campaign, heir in event.payload["heirs"].items():
            await packs.hand_over(session, account, heir, campaign)
        waiting = event.payload.get("waiting", ())
        gone = [pack for pack in await packs.of_owner(session, account) if pack.campaign not in waiting]
        for pack in gone:
            packs.bury(pack, moment)
        await session.flush()
        for character in await characters.of_owner(session, account):
            await bury(session, character, moment)
        await packs.forget_versions_of_deleted(session, [pack.id for pack in gone])
