"""Who is at the table: invitations, members and their roles, the characters that sit there."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.checks import (
    MAX_INVITATIONS,
    MAX_MEMBERS,
    gm_only,
    out_of_range,
    quota_exceeded,
)
from services.campaign.models import Campaign, Invitation, Member, Seat
from services.campaign.repository import Campaigns
from services.campaign.scenes.games import Games
from services.campaign.scenes.history import Author
from services.campaign.scenes.seating import Newcomer, Seating, keeps_campaigns
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.ids import is_id, new_id
from services.shared.peers import Peer, PeerUnavailable
from services.shared.problems import Forbidden, InvalidInput, NotFound, Unavailable

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 10
MAX_USES = 50
MAX_DAYS = 90


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """An invitation to be written.

    Attributes:
        campaign: id of the campaign.
        role: what those who come will be.
        uses: how many may come, 1 to 50.
        days: how long it holds, 1 to 90.
    """

    campaign: str
    role: Role = Role.PLAYER
    uses: int = 1
    days: int = 7


class Table:
    """The use cases around membership.

    Args:
        database: where campaigns are kept.
        clock: the present moment.
        characters: the character service, asked whose a character is.
        games: the games that are played here, and what they keep of campaigns, by slug.
    """

    def __init__(self, database: Database, clock: Clock, characters: Peer, games: Games) -> None:
        self._database = database
        self._clock = clock
        self._characters = characters
        self._games = games

    async def invite(
        self, viewer: Viewer, new: NewInvitation
    ) -> Invitation | InvalidInput | NotFound | Forbidden:
        """Write an invitation; its code lets others join in its role."""
        issues = []
        if not 1 <= new.uses <= MAX_USES:
            issues.append(out_of_range("uses", new.uses, 1, MAX_USES))
        if not 1 <= new.days <= MAX_DAYS:
            issues.append(out_of_range("days", new.days, 1, MAX_DAYS))
        moment = self._clock()
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            refusal = await gm_only(campaigns, viewer, new.campaign)
            if refusal is not None:
                return refusal
            if issues:
                return InvalidInput.of(issues)
            await campaigns.hold(new.campaign)
            await campaigns.delete_closed_invitations(new.campaign, moment)
            found = await campaigns.invitation_count(new.campaign)
            if found >= MAX_INVITATIONS:
                return quota_exceeded("invitations", found, MAX_INVITATIONS)
            invitation = Invitation(
                id=new_id("inv"),
                campaign=new.campaign,
                code="".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH)),
                role=new.role,
                uses_left=new.uses,
                created_by=viewer.account,
                created_at=moment,
                expires_at=moment + timedelta(days=new.days),
            )
            campaigns.add(invitation)
            return invitation

    async def withdraw(
        self, viewer: Viewer, campaign_id: str, invitation_id: str
    ) -> str | NotFound | Forbidden:
        """Take an invitation back."""
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            refusal = await gm_only(campaigns, viewer, campaign_id)
            if refusal is not None:
                return refusal
            if not await campaigns.withdraw(campaign_id, invitation_id):
                return NotFound.of("invitation", "invitationId")
            return invitation_id

    async def join(self, viewer: Viewer, code: str) -> Campaign | NotFound | InvalidInput:
        """Join by an invitation's code; a member stays as they are, and no use is spent."""
        moment = self._clock()
        wanted = "".join(code.upper().split()).replace("-", "")
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            invitation = await campaigns.invitation(wanted)
            if invitation is None:
                return NotFound.of("invitation", "code")
            await campaigns.hold(invitation.campaign)
            if await campaigns.member(invitation.campaign, viewer.account) is None:
                if not invitation.is_open(moment):
                    return NotFound.of("invitation", "code")
                # Before a use is taken, which would be spent although nobody joins.
                found = await campaigns.member_count(invitation.campaign)
                if found >= MAX_MEMBERS:
                    return quota_exceeded("members", found, MAX_MEMBERS)
                if not await campaigns.use_invitation(invitation, moment):
                    return NotFound.of("invitation", "code")
                campaigns.add(
                    Member(
                        campaign=invitation.campaign,
                        account=viewer.account,
                        role=invitation.role,
                        joined_at=moment,
                    )
                )
                await campaigns.flush()
                await campaigns.write_log(
                    invitation.campaign,
                    "member.joined",
                    f"A {invitation.role} joins the table."
                    if invitation.role != Role.GM
                    else "A GM joins the table.",
                    moment,
                    account=viewer.account,
                    subject=viewer.account,
                )
            return (await campaigns.visible(viewer.account, [invitation.campaign]))[invitation.campaign]

    async def change_role(
        self, viewer: Viewer, campaign_id: str, account: str, role: Role
    ) -> Campaign | NotFound | Forbidden:
        """Give a member another role; a campaign always keeps a GM."""
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            refusal = await gm_only(campaigns, viewer, campaign_id)
            if refusal is not None:
                return refusal
            await campaigns.hold(campaign_id)
            member = await campaigns.member(campaign_id, account)
            if member is None:
                return NotFound.of("member", "accountId")
            if await _is_last_gm(campaigns, member) and role is not Role.GM:
                return Forbidden.because("A campaign needs a GM: name another one first.", "role")
            if member.rank is not role:
                member.role = role
                await campaigns.write_log(
                    campaign_id,
                    "member.changed",
                    f"A member is now {role}.",
                    self._clock(),
                    account=viewer.account,
                    subject=account,
                )
            return (await campaigns.visible(viewer.account, [campaign_id]))[campaign_id]

    async def remove(self, viewer: Viewer, campaign_id: str, account: str) -> str | NotFound | Forbidden:
        """Leave a campaign, or as GM send a member away; their characters leave with them."""
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            if account != viewer.account:
                refusal = await gm_only(campaigns, viewer, campaign_id)
                if refusal is not None:
                    return refusal
            await campaigns.hold(campaign_id)
            member = await campaigns.member(campaign_id, account)
            if member is None:
                return NotFound.of("member" if account != viewer.account else "campaign", "accountId")
            if await _is_last_gm(campaigns, member):
                return Forbidden.because("A campaign needs a GM: name another one first.", "accountId")
            moment = self._clock()
            seating = Seating(session, self._games, moment)
            characters = [seat.character for seat in await campaigns.seats_of(member)]
            await campaigns.remove_member(member)
            for character in characters:
                await seating.left(campaign_id, character, Author(viewer.account, account != viewer.account))
            await campaigns.write_log(
                campaign_id,
                "member.left",
                "A member leaves the table.",
                moment,
                account=viewer.account,
                subject=account,
            )
            return account

    async def seat(
        self, viewer: Viewer, campaign_id: str, character_id: str
    ) -> Campaign | NotFound | Forbidden | InvalidInput | Unavailable:
        """Bring one's own character to the table; it can sit at one table at a time."""
        try:
            character, newcomer = await self._read(viewer, character_id)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        moment = self._clock()
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            member = await campaigns.member(campaign_id, viewer.account)
            if member is None:
                return NotFound.of("campaign", "campaignId")
            if character is None or character["owner"] != viewer.account:
                return NotFound.of("character", "characterId")
            if member.rank is Role.SPECTATOR:
                return Forbidden.because("Spectators watch; ask the GM to make you a player.", "campaignId")
            await campaigns.hold(character_id)
            seat = await campaigns.seat(character_id)
            if seat is not None and seat.campaign != campaign_id:
                return InvalidInput.single(
                    "SEATED_ELSEWHERE", "This character plays in another campaign.", "characterId"
                )
            if seat is None:
                seat = Seat(
                    character=character_id, campaign=campaign_id, account=viewer.account, seated_at=moment
                )
                await self._sit_down(session, seat, member, character["name"], newcomer)
            return (await campaigns.visible(viewer.account, [campaign_id]))[campaign_id]

    async def _read(
        self, viewer: Viewer, character_id: str
    ) -> tuple[Mapping[str, Any] | None, Newcomer | None]:
        """Read whose a character is, and what a game that keeps states of campaigns has to know of it.

        Raises:
            PeerUnavailable: the character service does not answer.
        """
        if not is_id(character_id, "chr"):
            return None, None
        character = await self._characters.get(viewer, "characters", character_id)
        if character is None or not keeps_campaigns(self._games, character["system"]):
            return character, None
        sheet = await self._characters.get(viewer, "characters", character_id, "sheet")
        return character, None if sheet is None else Newcomer(character_id, character["system"], sheet)

    async def _sit_down(
        self, session: AsyncSession, seat: Seat, member: Member, name: str, newcomer: Newcomer | None
    ) -> None:
        """Write a seat, and tell of it: what games keep of the campaign, and its log."""
        campaigns = Campaigns(session)
        campaigns.add(seat)
        await campaigns.flush()
        if newcomer is not None:
            author = Author(seat.account, member.rank is Role.GM)
            await Seating(session, self._games, seat.seated_at).joined(seat.campaign, newcomer, author)
        await campaigns.write_log(
            seat.campaign,
            "character.seated",
            f"{name} joins the party.",
            seat.seated_at,
            account=seat.account,
            subject=seat.character,
        )

    async def unseat(
        self, viewer: Viewer, campaign_id: str, character_id: str
    ) -> Campaign | NotFound | Forbidden:
        """Take a character from the table: one's own, or as GM any."""
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            member = await campaigns.member(campaign_id, viewer.account)
            if member is None:
                return NotFound.of("campaign", "campaignId")
            seat = await campaigns.seat(character_id)
            if seat is None or seat.campaign != campaign_id:
                return NotFound.of("character", "characterId")
            if seat.account != viewer.account and member.rank is not Role.GM:
                return Forbidden.because("Only its player or a GM may do this.", "characterId")
            moment = self._clock()
            await campaigns.unseat(seat)
            author = Author(viewer.account, member.rank is Role.GM)
            await Seating(session, self._games, moment).left(campaign_id, character_id, author)
            await campaigns.write_log(
                campaign_id,
                "character.unseated",
                "A character leaves the party.",
                moment,
                account=viewer.account,
                subject=character_id,
            )
            return (await campaigns.visible(viewer.account, [campaign_id]))[campaign_id]


async def _is_last_gm(campaigns: Campaigns, member: Member) -> bool:
    return member.rank is Role.GM and await campaigns.gm_count(member.campaign) == 1
