"""Who may do what: with one's own things, and with those of the campaigns that one is a member of.

Three rights, each of which includes those before it:

=======  ==============================  ==========================================
right    who has it                      what others are told
=======  ==============================  ==========================================
READ     members of the campaign         ``NotFound``: they may not know of it
WRITE    its players and GMs             spectators: ``Forbidden``
RUN      its GMs                         spectators and players: ``Forbidden``
=======  ==============================  ==========================================

Whoever owns a thing that belongs to no campaign has all three, and nobody else has any. What is secret at a
table (a GM's rolls, notes and maps) is read by who may RUN it.

Who was a member of a campaign that was deleted may READ what is kept of it, as they could before, a GM what
is secret too; to every change it does not exist.

The campaign service alone knows the members. While it is silent, everything that needs a membership fails
closed: ``Policy.seat`` and ``Policy.access`` raise ``Unavailable``. Reading is kinder where it can be:
``Policy.own_at_least`` then returns an access that holds no campaigns, by which one sees one's own things;
whatever else is asked for is ``Unavailable``, never not found.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum

import structlog

from services.shared.access import Access, AccessSource, Role
from services.shared.auth import Viewer
from services.shared.ids import first_id, is_id
from services.shared.problems import Forbidden, NotFound, Unavailable

log = structlog.get_logger(__name__)


NOWHERE = first_id("cmp", 0)
"""The id of no campaign."""

LONGEST_ID = 40
"""Characters, as many as the columns that hold ids."""


class Right(IntEnum):
    """What may be done at a place; each includes those before it."""

    READ = 1
    WRITE = 2
    RUN = 3


RIGHT_OF_ROLE = {Role.SPECTATOR: Right.READ, Role.PLAYER: Right.WRITE, Role.GM: Right.RUN}
_REFUSALS = {
    Right.WRITE: "Spectators watch; ask the GM to make you a player.",
    Right.RUN: "Only a GM of the campaign may do this.",
}


def demand(role: Role | None, right: Right, *path: str) -> Role:
    """Return a member's role, which must have a right.

    Args:
        role: in the campaign; None for who is no member of it.
        right: what is to be done.
        path: where the request names the campaign; ``campaignId`` when omitted.

    Raises:
        NotFound: no member: the campaign does not exist for them.
        Forbidden: a member whose role does not reach so far.
    """
    where = path or ("campaignId",)
    if role is None:
        raise NotFound.of("campaign", *where)
    if RIGHT_OF_ROLE[role] < right:
        raise Forbidden.because(_REFUSALS[right], *where)
    return role


def campaigns_of(
    viewer: Viewer, wanted: Collection[str], found: Mapping[str, tuple[str, str | None]]
) -> set[str]:
    """Return which campaigns to ask about things, so that their viewer may be shown them.

    Of what is not there, or is another's alone, ``NOWHERE`` is asked: while the campaign service is silent,
    nobody learns by that whether there is such a thing.

    Args:
        viewer: who asks; about their own things outside of campaigns nobody need be asked.
        wanted: ids of the things.
        found: owner and campaign of those that there are, by id.
    """
    campaigns = {campaign for _, campaign in found.values() if campaign is not None}
    foreign = any(campaign is None and owner != viewer.account for owner, campaign in found.values())
    return campaigns | {NOWHERE} if foreign or any(one not in found for one in wanted) else campaigns


@dataclass(frozen=True, slots=True)
class Seat:
    """A viewer at a place that they may read.

    Attributes:
        account: the viewer's account id.
        campaign: id of the campaign; None at one's own place.
        role: at its table; None at one's own place, where one may do everything.
        past: whether the campaign was deleted; the role is the one that the viewer had then.
    """

    account: str
    campaign: str | None = None
    role: Role | None = None
    past: bool = False

    @property
    def place(self) -> str:
        """Return the id under which things of this place are kept: the campaign's, or the account's."""
        return self.campaign or self.account

    def may(self, right: Right) -> bool:
        """Tell whether the viewer has a right here; where the campaign is past, whether they had it."""
        return self.role is None or RIGHT_OF_ROLE[self.role] >= right

    def demand(self, right: Right, *path: str) -> "Seat":
        """Return the seat, which must have a right.

        Raises:
            Forbidden: it has not.
            NotFound: the campaign is past, and the right one to change something.
        """
        if self.past:
            demand(self.role if right is Right.READ else None, right, *path)
        elif self.role is not None:
            demand(self.role, right, *path)
        return self


def _may_be_id(text: str, prefix: str) -> bool:
    """Tell whether a text is worth a question to another service: of a kind, and no longer than ids are."""
    return text.startswith(f"{prefix}_") and len(text) <= LONGEST_ID


class Policy:
    """Asks what viewers may do.

    Args:
        source: knows the campaigns of a viewer.
    """

    def __init__(self, source: AccessSource) -> None:
        self._source = source

    async def seat(self, viewer: Viewer, campaign: str | None, right: Right = Right.READ, *path: str) -> Seat:
        """Return the viewer's seat at a campaign's table, or at their own place where none is named.

        Args:
            viewer: who asks.
            campaign: id of the campaign.
            right: that they must have there.
            path: where the request names the campaign; ``campaignId`` when omitted.

        Raises:
            NotFound: no member.
            Forbidden: a member without the right.
            Unavailable: the campaign service is silent.
        """
        if campaign is None and not viewer.anonymous:
            return Seat(viewer.account)
        if campaign is None or not is_id(campaign, "cmp"):
            raise NotFound.of("campaign", *(path or ("campaignId",)))
        access = await self._source.of(viewer, campaigns=[campaign])
        role, past = access.roles.get(campaign), access.past.get(campaign)
        if role is None and past is not None:
            return Seat(viewer.account, campaign, past, past=True).demand(right, *path)
        return Seat(viewer.account, campaign, demand(role, right, *path))

    async def seat_at(self, viewer: Viewer, place: str) -> Seat | None:
        """Return the viewer's seat at the place that something is kept under; None where they may not read.

        Raises:
            Unavailable: the campaign service is silent.
        """
        if not is_id(place, "cmp"):
            return Seat(viewer.account) if place == viewer.account and not viewer.anonymous else None
        return await self.seat_to_read(viewer, place)

    async def seat_to_read(self, viewer: Viewer, campaign: str | None) -> Seat | None:
        """Return the viewer's seat as ``seat`` does; None, as queries answer, where they may not read.

        Raises:
            Unavailable: the campaign service is silent.
        """
        try:
            return await self.seat(viewer, campaign)
        except NotFound:
            return None

    async def access(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Return the viewer's access: at most a second old, and fresh where it lacks what is named.

        Args:
            viewer: who asks.
            campaigns: ids of campaigns that matter.
            characters: ids of characters that matter, with the campaigns where they sit.

        Returns:
            The access to what is named, which may hold more; to every campaign where both are omitted. Where
            nothing is named, nobody is asked.

        Raises:
            Unavailable: the campaign service is silent.
        """
        if campaigns is None and characters is None:
            return await self._source.of(viewer)
        concerned = {one for one in campaigns or () if _may_be_id(one, "cmp")}
        seated = {one for one in characters or () if _may_be_id(one, "chr")}
        if not concerned and not seated:
            return Access(viewer.account)
        return await self._source.of(viewer, campaigns=concerned, characters=seated)

    async def own_at_least(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Return the viewer's access as ``access`` does; that to their own things while nobody knows more.

        What reads by it shows what it found through ``Access.found`` or ``found_each``: while rights are
        unknown, what was not found may be there, so that the answer is ``Unavailable`` and not that there is
        nothing.
        """
        try:
            return await self.access(viewer, campaigns=campaigns, characters=characters)
        except Unavailable as error:
            log.warning("access_unknown", account=viewer.account, reason=str(error))
            return Access(viewer.account, unknown=error)
