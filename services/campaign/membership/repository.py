"""All SQL of membership. What a viewer may not see is not read: every query that answers a viewer joins the
viewer's own membership."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, not_, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.membership.models import Campaign, Estate, Invitation, Member, PastMember, Seat
from services.campaign.tables import BAGS, METADATA, UPDATES
from services.shared.access import Role
from services.shared.ids import new_id
from services.shared.metadata.bags import Bags
from services.shared.pagination import Page, read_page
from services.shared.policy import RIGHT_OF_ROLE, Right
from services.shared.pruning import remove_step
from services.shared.sequence import forget, take_turns
from services.shared.updates import OWN, Change, PlaceUpdates

ISSUING = Right.RUN
"""What a member must have the right to do to issue invitations, whatever the role that they name."""


class Campaigns:
    """The campaigns of one database, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def visible(self, account: str, ids: Sequence[str]) -> dict[str, Campaign]:
        """Read those of the campaigns that ``account`` is a member of."""
        query = (
            select(Campaign)
            .join(Member, col(Member.campaign) == col(Campaign.id))
            .where(Member.account == account, col(Campaign.id).in_(ids))
        )
        return {row.id: row for row in (await self._session.exec(query)).all()}

    async def page_of(self, account: str, *, first: int, after: str | None) -> Page[Campaign]:
        """Read a page of the campaigns that ``account`` is a member of, newest first."""
        query = (
            select(Campaign)
            .join(Member, col(Member.campaign) == col(Campaign.id))
            .where(Member.account == account)
        )
        return await read_page(self._session, query, Campaign.id, first=first, after=after)

    async def member(self, campaign: str, account: str) -> Member | None:
        """Read one membership."""
        return await self._session.get(Member, (campaign, account))

    async def role(self, campaign: str, account: str) -> Role | None:
        """Read what an account is in a campaign; None for who is no member."""
        member = await self.member(campaign, account)
        return None if member is None else member.rank

    async def members(self, campaigns: Sequence[str]) -> list[Member]:
        """Read the members of several campaigns, in the order they joined."""
        query = (
            select(Member)
            .where(col(Member.campaign).in_(campaigns))
            .order_by(col(Member.joined_at), col(Member.account))
        )
        return list((await self._session.exec(query)).all())

    async def seats(self, campaigns: Sequence[str]) -> list[Seat]:
        """Read the characters of several campaigns, in the order they sat down."""
        query = (
            select(Seat)
            .where(col(Seat.campaign).in_(campaigns))
            .order_by(col(Seat.seated_at), col(Seat.character))
        )
        return list((await self._session.exec(query)).all())

    async def seats_of(self, member: Member) -> list[Seat]:
        """Read the characters that a member plays in a campaign, in the order they sat down."""
        return [seat for seat in await self.seats([member.campaign]) if seat.account == member.account]

    async def seat(self, character: str) -> Seat | None:
        """Read where a character sits."""
        return await self._session.get(Seat, character)

    async def tables_of(self, characters: Sequence[str]) -> list[str]:
        """Read in which campaigns characters sit."""
        query = select(Seat.campaign).where(col(Seat.character).in_(characters)).distinct()
        return list((await self._session.exec(query)).all()) if characters else []

    async def roles(self, account: str, campaigns: Sequence[str] | None = None) -> dict[str, Role]:
        """Read the role of an account in each of its campaigns, or in those of them that are named."""
        query = select(Member.campaign, Member.role).where(Member.account == account)
        if campaigns is not None:
            query = query.where(col(Member.campaign).in_(campaigns))
        return {campaign: Role(role) for campaign, role in (await self._session.exec(query)).all()}

    async def count_campaigns(self, account: str) -> int:
        """Count the campaigns of an account, for which this unit of work takes turns with its others."""
        await take_turns(self._session, f"campaigns:{account}")
        query = select(func.count()).where(Member.account == account)
        return int((await self._session.exec(query)).one())

    async def count_seats(self, account: str) -> int:
        """Count the characters of an account that sit at tables, likewise taking turns."""
        await take_turns(self._session, f"campaigns:{account}")
        query = (
            select(func.count())
            .select_from(Seat)
            .join(Member, col(Member.campaign) == col(Seat.campaign))
            .where(Member.account == account, Seat.account == account)
        )
        return int((await self._session.exec(query)).one())

    async def seat_count(self, campaign: str) -> int:
        """Count the characters at the table of a campaign."""
        query = select(func.count()).where(Seat.campaign == campaign)
        return int((await self._session.exec(query)).one())

    async def forget_turns(self, account: str) -> None:
        """Forget that an account which is deleted took turns."""
        await forget(self._session, [f"campaigns:{account}"])

    async def member_count(self, campaign: str) -> int:
        """Counts the members of a campaign."""
        query = select(func.count()).where(Member.campaign == campaign)
        return int((await self._session.exec(query)).one())

    async def row(self, campaign: str) -> Campaign:
        """Read a campaign that is there, as it is now, whoever may see it."""
        return await self._session.get_one(Campaign, campaign, populate_existing=True)

    async def bequeath(self, account: str, campaign: str) -> None:
        """Keep what a deleted account shared with a campaign for its next GM."""
        await self._session.merge(Estate(account=account, campaign=campaign))
        await self._session.flush()

    async def estates_in(self, campaign: str) -> list[str]:
        """Read which deleted accounts' things wait for a campaign's next GM, in the order of their ids."""
        query = select(Estate.account).where(Estate.campaign == campaign).order_by(col(Estate.account))
        return list((await self._session.exec(query)).all())

    async def estates_of(self, account: str) -> list[str]:
        """Read in which campaigns a deleted account's things wait, in the order of their ids."""
        query = select(Estate.campaign).where(Estate.account == account).order_by(col(Estate.campaign))
        return list((await self._session.exec(query)).all())

    async def delete_estates(self, campaign: str) -> None:
        """Forget whose things wait for the next GM of a campaign."""
        await self._session.execute(delete(Estate).where(col(Estate.campaign) == campaign))

    async def gm_count(self, campaign: str) -> int:
        """Count the GMs of a campaign."""
        query = select(func.count()).where(Member.campaign == campaign, Member.role == Role.GM)
        return int((await self._session.exec(query)).one())

    async def invitation(self, invitation: str) -> Invitation | None:
        """Read an invitation by its id."""
        return await self._session.get(Invitation, invitation)

    async def invitation_by_code(self, code: str) -> Invitation | None:
        """Read an invitation by its code."""
        return (await self._session.exec(select(Invitation).where(Invitation.code == code))).first()

    async def use_invitation(self, invitation: Invitation, moment: datetime) -> bool:
        """Take one use of an invitation; false when none is left or its time is over."""
        taken = await self._session.execute(
            update(Invitation)
            .where(col(Invitation.id) == invitation.id, _open(moment))
            .values(uses_left=col(Invitation.uses_left) - 1)
            .returning(col(Invitation.id))
        )
        return taken.first() is not None

    async def is_open(self, invitation: Invitation, moment: datetime) -> bool:
        """Tell whether an invitation can be joined by."""
        query = select(Invitation.id).where(Invitation.id == invitation.id, _open(moment))
        return (await self._session.exec(query)).first() is not None

    async def withdraw(self, campaign: str, invitation_id: str) -> bool:
        """Delete an invitation of a campaign; false when there is none."""
        gone = await self._session.execute(
            delete(Invitation)
            .where(col(Invitation.campaign) == campaign, col(Invitation.id) == invitation_id)
            .returning(col(Invitation.id))
        )
        return gone.first() is not None

    async def invitations(self, campaign: str, moment: datetime) -> list[Invitation]:
        """Read the invitations of a campaign that are open, or were until their issuers could issue them no
        more, newest first.
        """
        query = (
            select(Invitation)
            .where(Invitation.campaign == campaign, _unspent(moment))
            .order_by(col(Invitation.id).desc())
        )
        return list((await self._session.exec(query)).all())

    async def delete_revoked_invitations(self, campaign: str) -> None:
        """Delete the invitations of a campaign whose issuers may not issue them any more."""
        await self._session.execute(
            delete(Invitation).where(col(Invitation.campaign) == campaign, not_(_rightful()))
        )

    async def invitation_count(self, campaign: str) -> int:
        """Count the invitations of a campaign that are kept."""
        query = select(func.count()).where(Invitation.campaign == campaign)
        return int((await self._session.exec(query)).one())

    async def delete_closed_invitations(self, campaign: str, moment: datetime) -> None:
        """Delete the invitations of a campaign that are used up or expired."""
        await self._session.execute(
            delete(Invitation).where(col(Invitation.campaign) == campaign, not_(_unspent(moment)))
        )

    async def change_role(self, member: Member, role: Role, moment: datetime) -> None:
        """Give a member another role; what they issued by the right of the old one ends with it."""
        member.role = role
        await self.note_changed(member.campaign)
        if RIGHT_OF_ROLE[role] < ISSUING:
            await self._revoke_invitations(member, moment)

    async def remove_member(self, member: Member, moment: datetime) -> None:
        """Delete a membership, the seats of its characters and the right to all that the member issued."""
        await self._revoke_invitations(member, moment)
        await self._session.execute(
            delete(Seat).where(col(Seat.campaign) == member.campaign, col(Seat.account) == member.account)
        )
        await self._session.delete(member)
        await self.note_changed(member.campaign, left=member.account)

    async def note_changed(
        self, campaign: str, *, joined: str | None = None, left: str | None = None
    ) -> None:
        """Write that a campaign has changed into the lists of its members.

        Args:
            campaign: its id.
            joined: who has just become a member.
            left: who is none any more.
        """
        updates = PlaceUpdates(self._session, UPDATES)
        members = {account for account, _ in await updates.audiences([campaign])}
        if joined is not None:
            members.add(joined)
        changes = [Change(account, campaign, (OWN,)) for account in members if account != left]
        if left is not None:
            changes.append(Change(left, campaign, (), (OWN,)))
        await updates.note(changes)

    async def forget_updates(self, account: str) -> None:
        """Forget the list of an account that is deleted."""
        await PlaceUpdates(self._session, UPDATES).forget(account)

    async def _revoke_invitations(self, issuer: Member, moment: datetime) -> None:
        await self._session.execute(
            update(Invitation)
            .where(
                col(Invitation.campaign) == issuer.campaign,
                col(Invitation.created_by) == issuer.account,
                col(Invitation.revoked_at).is_(None),
            )
            .values(revoked_at=moment)
        )

    def add(self, row: Campaign | Member | Invitation | Seat) -> None:
        """Add a new row."""
        self._session.add(row)

    async def hold(self, row_id: str) -> None:
        """Take turns with every other unit of work that concerns this campaign or character.

        Whoever changes what belongs to a campaign holds it, before any of its scenes and before its log, of
        which these two alone are changed without.
        """
        await take_turns(self._session, _turn(row_id))

    async def held(self, campaign: str, account: str) -> Role | None:
        """Hold a campaign for a member, and read what they are there then; None for who is no member."""
        if await self.role(campaign, account) is None:
            return None
        await self.hold(campaign)
        member = await self._session.get(Member, (campaign, account), populate_existing=True)
        return None if member is None else member.rank

    async def exists(self, campaign: str) -> bool:
        """Tell whether there is such a campaign, whoever may see it: one without members is being deleted."""
        query = select(Member.campaign).where(Member.campaign == campaign).limit(1)
        return (await self._session.exec(query)).first() is not None

    async def add_dissolved(self, moment: datetime) -> str:
        """Add a campaign without members, for what is to be deleted in steps; return its id."""
        campaign = new_id("cmp")
        row = {"id": campaign, "name": "", "created_by": "", "created_at": moment, "field_versions": {}}
        await self._session.execute(insert(Campaign).values(**row))
        return campaign

    async def dissolved(self) -> str | None:
        """Read the id of a campaign that is being deleted: every other one has a member."""
        member = select(Member.campaign).where(col(Member.campaign) == col(Campaign.id)).exists()
        return (await self._session.exec(select(Campaign.id).where(~member).limit(1))).first()

    async def joined_by(self, account: str, *, limit: int) -> list[str]:
        """Read the first campaigns that an account is a member of, in the order of their ids."""
        query = select(Member.campaign).where(Member.account == account).order_by(col(Member.campaign))
        query = query.limit(limit)
        return list((await self._session.exec(query)).all())

    async def dissolve(self, campaign: str) -> None:
        """Delete the members, seats and invitations of a campaign, which is seen by nobody from then on. What
        its members were stays known.
        """
        members = select(Member.account, Member.campaign, Member.role).where(Member.campaign == campaign)
        await self._session.execute(insert(PastMember).from_select(["account", "campaign", "role"], members))
        for belonging in (Estate, Seat, Invitation, Member):
            await self._session.execute(delete(belonging).where(col(belonging.campaign) == campaign))
        await PlaceUpdates(self._session, UPDATES).withdraw([campaign])

    async def delete(self, campaign: str) -> None:
        """Delete a campaign that is dissolved; nothing else may belong to it."""
        await Bags(self._session, BAGS).remove_beside([campaign])
        await self._session.execute(delete(Campaign).where(col(Campaign.id) == campaign))
        await forget(self._session, [_turn(campaign)])

    async def past(self, account: str, campaigns: Sequence[str] | None = None) -> dict[str, Role]:
        """Read what an account was in each campaign that was deleted, or in those of them that are named."""
        query = select(PastMember.campaign, PastMember.role).where(PastMember.account == account)
        if campaigns is not None:
            query = query.where(col(PastMember.campaign).in_(campaigns))
        return {campaign: Role(role) for campaign, role in (await self._session.exec(query)).all()}

    async def forget_past(self, account: str) -> bool:
        """Take a step of forgetting in which campaigns that were deleted an account was; tell whether more
        wait.
        """
        past = METADATA.tables["past_member"]
        return await remove_step(self._session, (past, past.c.account == account))

    async def flush(self) -> None:
        """Send what was added, so that rows that point at it can follow."""
        await self._session.flush()

    async def unseat(self, seat: Seat) -> None:
        """Delete a seat."""
        await self._session.delete(seat)


def _turn(row_id: str) -> str:
    return f"turn:{row_id}"


def _open(moment: datetime) -> ColumnElement[bool]:
    """Write the condition that an invitation can be joined by."""
    return and_(_unspent(moment), _rightful())


def _unspent(moment: datetime) -> ColumnElement[bool]:
    """Write the condition that an invitation has uses and time left."""
    return and_(col(Invitation.uses_left) > 0, col(Invitation.expires_at) > moment)


def _rightful() -> ColumnElement[bool]:
    """Write the condition that the issuer of an invitation has had the right to issue it ever since."""
    issuers = [role for role, right in RIGHT_OF_ROLE.items() if right >= ISSUING]
    issuer = (
        exists()
        .where(
            col(Member.campaign) == col(Invitation.campaign),
            col(Member.account) == col(Invitation.created_by),
            col(Member.role).in_(issuers),
        )
        .correlate(Invitation)
    )
    return and_(col(Invitation.revoked_at).is_(None), issuer)
