"""At which tables characters sit, and what a viewer is there: asked of the campaign service."""

from collections.abc import Iterable, Sequence
from enum import Enum

import structlog

from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.ids import is_id
from services.shared.peers import PeerUnavailable

log = structlog.get_logger(__name__)


class Seat(Enum):
    """Where a character sits, as one viewer sees it."""

    NONE = "at no table of the viewer's"
    OWN = "at one that the viewer runs"
    OTHERS = "at one that somebody else runs"
    UNKNOWN = "the campaign service does not answer"


class Seats:
    """Knows the tables of a viewer.

    Args:
        access: knows which characters a viewer meets at the tables of their campaigns.
    """

    def __init__(self, access: AccessSource) -> None:
        self._access = access

    async def seat(self, viewer: Viewer, character: str) -> Seat:
        """Ask whose table the character sits at; a "no" is never out of date."""
        if not is_id(character, "chr"):
            return Seat.NONE
        try:
            access = await self._access.of(viewer, character=character)
        except PeerUnavailable as error:
            log.warning("access_unknown", account=viewer.account, reason=str(error))
            return Seat.UNKNOWN
        campaign = access.characters.get(character)
        if campaign is None:
            return Seat.NONE
        return Seat.OWN if access.runs(campaign) else Seat.OTHERS

    async def access_to(self, viewer: Viewer, characters: Sequence[str]) -> Access:
        """Give the viewer's access, at most a second old, fresh where it lacks one of the characters."""
        try:
            access = await self._access.of(viewer, character=characters[0])
            missed = next((one for one in characters[1:] if one not in access.characters), None)
            return access if missed is None else await self._access.of(viewer, character=missed)
        except PeerUnavailable as error:
            log.warning("access_unknown", account=viewer.account, reason=str(error))
            return Access(viewer.account)

    async def access_at(self, viewer: Viewer, campaigns: Iterable[str]) -> Access:
        """Give the viewer's access, fresh where it lacks one of the campaigns.

        Raises:
            PeerUnavailable: the campaign service does not answer.
        """
        access = Access(viewer.account)
        for campaign in campaigns:
            if campaign not in access.roles and is_id(campaign, "cmp"):
                access = await self._access.of(viewer, campaign=campaign)
        return access
