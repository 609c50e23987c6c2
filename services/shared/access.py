"""Who may see what: the memberships of a viewer, asked of their owner, the campaign service.

An ``Access`` is one viewer's view of all campaigns: the role in each and the characters that play there.
Repositories take it and put it into their queries, so that a row outside it is never read. It is kept for a
second; an answer of "no" is never taken from what was kept but always asked anew, so one who just joined is
let in at once, and one who was removed is out after a second at the most.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar

from services.shared.auth import Viewer
from services.shared.peers import Peer
from services.shared.problems import Unavailable

T = TypeVar("T")

KEPT_SECONDS = 1.0
KEPT_VIEWERS = 10_000


class Role(StrEnum):
    """What a member of a campaign is at its table.

    Attributes:
        GM: Runs the game, and may know everything.
        PLAYER: Plays characters of their own, and knows what these may know.
        SPECTATOR: Watches, and knows what everybody may know.
    """

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
        past: of campaigns that were deleted, the role that the viewer had last, by campaign id. What is kept
            of them for ever, rolls and their receipts, may still be read, and nothing else done.
        unknown: why nobody knows more than what is the viewer's own; None where everything is known.
    """

    account: str
    roles: Mapping[str, Role] = field(default_factory=dict)
    characters: Mapping[str, str] = field(default_factory=dict)
    past: Mapping[str, Role] = field(default_factory=dict)
    unknown: Unavailable | None = field(default=None, compare=False)

    def found(self, thing: T | None) -> T | None:
        """Return what was found by this access; None where there is nothing.

        Raises:
            Unavailable: nothing was found, and nobody knows what else the viewer may see.
        """
        if thing is None and self.unknown is not None:
            raise self.unknown
        return thing

    def found_each(self, ids: Iterable[str], found: Mapping[str, T]) -> dict[str, T | Unavailable]:
        """Return what was found by this access, and why nobody knows the rest of what was named, by id."""
        if self.unknown is None:
            return dict(found)
        return {one: found.get(one, self.unknown) for one in ids}

    def plays(self, campaign: str) -> bool:
        """Tell whether the viewer is GM or player there."""
        return self.roles.get(campaign) in (Role.GM, Role.PLAYER)

    def runs(self, campaign: str) -> bool:
        """Tell whether the viewer is GM there."""
        return self.roles.get(campaign) is Role.GM

    def runs_table_of(self, character: str) -> bool:
        """Tell whether the viewer is GM where a character sits."""
        campaign = self.characters.get(character)
        return campaign is not None and self.runs(campaign)


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
        self._asking: dict[str, asyncio.Task[Access]] = {}
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

        def knows(access: Access) -> bool:
            seat = character is None or character in access.characters
            return seat and (campaign is None or campaign in access.roles)

        kept = self._kept.get(viewer.account)
        if kept is not None and kept[0] > time.monotonic() and knows(kept[1]):
            return kept[1]
        asking = self._asking.get(viewer.account)
        if asking is not None:
            access = await asyncio.shield(asking)
            if knows(access):
                return access
            # That question may have been asked before the change which makes the answer "yes".
        asking = asyncio.create_task(self._ask(viewer))
        self._asking[viewer.account] = asking
        try:
            return self._keep(await asyncio.shield(asking))
        finally:
            if self._asking.get(viewer.account) is asking:
                del self._asking[viewer.account]

    async def _ask(self, viewer: Viewer) -> Access:
        answer = await self._peer.get(viewer, "access", viewer.account) or {}
        return Access(
            viewer.account,
            _roles(answer.get("roles", {})),
            dict(answer.get("characters", {})),
            _roles(answer.get("past", {})),
        )

    def _keep(self, access: Access) -> Access:
        self._kept[access.account] = (time.monotonic() + KEPT_SECONDS, access)
        self._kept.move_to_end(access.account)
        while len(self._kept) > KEPT_VIEWERS:
            self._kept.popitem(last=False)
        return access


def _roles(told: Mapping[str, str]) -> dict[str, Role]:
    return {campaign: Role(role) for campaign, role in told.items()}
