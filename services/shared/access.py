"""Who may see what: the memberships of a viewer, asked of their owner, the campaign service.

An ``Access`` is one viewer's view of campaigns: the role in each and the characters that play there. It is
asked for the campaigns concerned: what one campaign is about costs the same for a member of thousands.
Repositories take it and put it into their queries, so that a row outside it is never read. It is kept for a
second; an answer of "no" is never taken from what was kept but always asked anew, so one who just joined is
let in at once, and one who was removed is out after a second at the most.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar

from services.shared.auth import Viewer
from services.shared.peers import Peer
from services.shared.problems import Unavailable

T = TypeVar("T")

KEPT_SECONDS = 1.0
MOST_KEPT = 50_000
"""The most that is kept of all answers together: one for each, and one for each campaign and character."""

MOST_NAMED = 100
"""The most campaigns and characters that a question names; who has to do with more is asked for whole."""


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
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Return a viewer's access to what is named, or all of it where nothing is (both are None); never a
        stale "no" for what is named.
        """


Named = tuple[frozenset[str], frozenset[str]]
"""Ids of campaigns and of characters that a question names."""


class CampaignAccess:
    """Asks the campaign service about the campaigns concerned, and keeps its answers for a second.

    Args:
        peer: the campaign service.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._asking: dict[tuple[str, Named | None], asyncio.Task[Access]] = {}
        self._kept: OrderedDict[tuple[str, Named | None], tuple[float, Access]] = OrderedDict()
        self._weight = 0

    async def of(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Return a viewer's access to what is named, or all of it where nothing is.

        Raises:
            PeerUnavailable: the campaign service does not answer.
        """
        if viewer.anonymous:
            return Access(viewer.account)
        named: Named | None = None
        if campaigns is not None or characters is not None:
            named = frozenset(campaigns or ()), frozenset(characters or ())
            if not any(named):
                return Access(viewer.account)
            if sum(map(len, named)) > MOST_NAMED:
                named = None
        key = viewer.account, named

        def knows(access: Access) -> bool:
            return all(one in access.roles for one in campaigns or ()) and all(
                one in access.characters for one in characters or ()
            )

        kept = self._kept.get(key)
        if kept is not None and kept[0] > time.monotonic() and knows(kept[1]):
            return kept[1]
        asking = self._asking.get(key)
        if asking is not None:
            access = await asyncio.shield(asking)
            if knows(access):
                return access
            # That question may have been asked before the change which makes the answer "yes".
        asking = asyncio.create_task(self._ask(viewer, named))
        self._asking[key] = asking
        try:
            return self._keep(key, await asyncio.shield(asking))
        finally:
            if self._asking.get(key) is asking:
                del self._asking[key]

    async def _ask(self, viewer: Viewer, named: Named | None) -> Access:
        query = {} if named is None else query_of(*named)
        answer = await self._peer.get(viewer, "access", viewer.account, **query) or {}
        return Access(
            viewer.account,
            _roles(answer.get("roles", {})),
            dict(answer.get("characters", {})),
            _roles(answer.get("past", {})),
        )

    def _keep(self, key: tuple[str, Named | None], access: Access) -> Access:
        moment = time.monotonic()
        self._drop(key)
        self._kept[key] = (moment + KEPT_SECONDS, access)
        self._weight += _weight(access)
        while self._weight > MOST_KEPT or next(iter(self._kept.values()))[0] <= moment:
            self._drop(next(iter(self._kept)))
            if not self._kept:
                break
        return access

    def _drop(self, key: tuple[str, Named | None]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._weight -= _weight(kept[1])


def query_of(campaigns: Collection[str], characters: Collection[str]) -> dict[str, str]:
    """Write what is named into the query of the internal path; ``named_in`` reads it."""
    return {"campaigns": ",".join(sorted(campaigns)), "characters": ",".join(sorted(characters))}


def named_in(query: Mapping[str, str]) -> tuple[list[str], list[str]] | None:
    """Read which campaigns and characters a query names; None where it asks for all there are."""
    if "campaigns" not in query and "characters" not in query:
        return None
    campaigns, characters = (
        [one for one in query.get(name, "").split(",") if one] for name in ("campaigns", "characters")
    )
    return campaigns, characters


def _weight(access: Access) -> int:
    return 1 + len(access.roles) + len(access.characters) + len(access.past)


def _roles(told: Mapping[str, str]) -> dict[str, Role]:
    return {campaign: Role(role) for campaign, role in told.items()}
