"""Who comes in: a viewer's access, asked of the campaign service, and what holds when it is silent."""

from dataclasses import dataclass

import structlog

from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.peers import PeerUnavailable
from services.shared.problems import Forbidden, NotFound, Unavailable

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Door:
    """Lets viewers in.

    Attributes:
        source: knows the campaigns of a viewer.
    """

    source: AccessSource

    async def known(self, viewer: Viewer, campaign: str | None = None) -> Access:
        """Give a viewer's access.

        Raises:
            PeerUnavailable: the campaign service, which knows the members, does not answer.
        """
        return await self.source.of(viewer, campaign=campaign)

    async def readable(self, viewer: Viewer, campaign: str | None = None) -> Access:
        """Give a viewer's access; without the campaign service one still sees what is one's own."""
        try:
            return await self.known(viewer, campaign)
        except PeerUnavailable as error:
            log.warning("access_unknown", account=viewer.account, reason=str(error))
            return Access(viewer.account)

    async def to_write(
        self, viewer: Viewer, campaign: str | None
    ) -> Access | NotFound | Forbidden | Unavailable:
        """Let in who may add to a campaign, as its GM or player; or to nobody's, which anybody may."""
        if campaign is None:
            return Access(viewer.account)
        try:
            access = await self.known(viewer, campaign)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if campaign not in access.roles:
            return NotFound.of("campaign", "campaignId")
        if not access.plays(campaign):
            return Forbidden.because("Spectators watch; ask the GM to make you a player.", "campaignId")
        return access
