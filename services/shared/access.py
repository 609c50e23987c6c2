"""Who may see what: the memberships of a viewer, asked of their owner, the campaign service.

An ``Access`` is one viewer's view of all campaigns: the role in each and the characters that play there.
Repositories take it and put it into their queries, so that a row outside it is never read. It is kept for a
second; an answer of "no" is never taken from what was kept but always asked anew, so one who just joined is
let in at once, and one who was removed is out after a second at the most.
"""

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from services.shared.auth import Viewer
from services.shared.peers import Peer

KEPT_SECONDS = 1.0
KEPT_VIEWERS = 10_000


class Role(StrEnum):
    """What a member of a campaign is at its table."""

    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Access:
    """The campaigns and characters that one viewer has to do with.

    Attributes:
        account: the viewer's account id.
        roles: the role in each campaign, by campaign id.
        characters: characters of those campaigns: the campaign, by character id.
    """

    account: str
    roles: Mapping[str, Role] = field(default_factory=dict)
    characters: Mapping[str, str] = field(default_factory=dict)

    def plays(self, campaign: str) -> bool:
        """Tell whether the viewer is GM or player there."""
        return self.roles.get(campaign) in (Role.GM, Role.PLAYER)

    def runs(self, campaign: str) -> bool:
        """Tell whether the viewer is GM there."""
        return self.roles.get(campaign) is Role.GM


class AccessSource(Protocol):
    """Knows the access of any viewer."""

    async def of(
        self, viewer: Viewer, *, campaign: str | None = None, character: str | None = None
    ) -> Access:
        """Give a viewer's access; never a stale "no" for the campaign or character named."""


class CampaignAccess:
    """Asks the campaign service, and keeps its answers for a second.

    Args:
        peer: the campaign service.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._kept: OrderedDict[str, tuple[float, Access]] = OrderedDict()

    async def of(
        self, viewer: Viewer, *, campaign: str | None = None, character: str | None = None
    ) -> Access:
        """Give a viewer's access.

        Raises:
            PeerUnavailable: the campaign service does not answer.
        """
        if viewer.anonymous:
            return Access(viewer.account)
        found = self._kept.get(viewer.account)
        if found is not None and found[0] > time.monotonic():
            access = found[1]
            unknown = campaign is not None and campaign not in access.roles
            if not unknown and not (character is not None and character not in access.characters):
                return access
        answer = await self._peer.get(viewer, "access", viewer.account) or {}
        access = Access(
            viewer.account,
            {key: Role(value) for key, value in answer.get("roles", {}).items()},
            dict(answer.get("characters", {})),
        )
        self._kept[viewer.account] = (time.monotonic() + KEPT_SECONDS, access)
        self._kept.move_to_end(viewer.account)
        while len(self._kept) > KEPT_VIEWERS:
            self._kept.popitem(last=False)
        return access
