"""Invitations: codes that let others join a campaign, in the role that each names."""

import secrets
from datetime import datetime, timedelta

from services.campaign.log.repository import Log
from services.campaign.membership.models import Campaign, Invitation, Member
from services.campaign.membership.repository import ISSUING, Campaigns
from services.campaign.membership.requests import CreateInvitation, JoinCampaign, WithdrawInvitation
from services.campaign.membership.service import existing
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.ids import new_id
from services.shared.policy import Right, demand
from services.shared.problems import InvalidInput, NotFound
from services.shared.quotas import CODE, TABLE_DEFAULTS, TableQuotas

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 10
MAX_MEMBERS = 100
"""Members of one campaign."""
MAX_INVITATIONS = 100
"""Open invitations of one campaign."""


class Invitations:
    """The use cases of invitations.

    Args:
        database: where campaigns are kept.
        clock: the present moment.
        quotas: what accounts may have.
    """

    def __init__(self, database: Database, clock: Clock, quotas: TableQuotas = TABLE_DEFAULTS) -> None:
        self._database = database
        self._clock = clock
        self._quotas = quotas

    async def read(self, viewer: Viewer, campaign: str) -> list[Invitation]:
        """Return the invitations of a campaign that have uses and time left, the revoked ones among them,
        newest first; none for anyone but its GMs.
        """
        async with self._database.read() as session:
            campaigns = Campaigns(session)
            if await campaigns.role(campaign, viewer.account) is not Role.GM:
                return []
            return await campaigns.invitations(campaign, self._clock())

    async def create(self, viewer: Viewer, asked: CreateInvitation, key: str | None = None) -> Invitation:
        """Write an invitation and return it; its code lets others join in its role, as long as the issuer
        has the right to issue it.

        Raises:
            InvalidInput: a bound is broken, or as many are open as may be: ``QUOTA_EXCEEDED``.
            NotFound: no member; or the invitation under this key is gone.
            Forbidden: no GM.
            IdempotencyConflict: the key was used for another request.
        """
        check(asked)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            demand(await campaigns.held(asked.campaign_id, viewer.account), ISSUING)
            if done.answer is not None:
                known = await campaigns.invitation(done.answer)
                if known is None:
                    raise NotFound.of("invitation", "idempotencyKey")
                return known
            await campaigns.delete_closed_invitations(asked.campaign_id, moment)
            kept = await campaigns.invitation_count(asked.campaign_id)
            if kept >= MAX_INVITATIONS:
                await campaigns.delete_revoked_invitations(asked.campaign_id)
                kept = await campaigns.invitation_count(asked.campaign_id)
            _keep_to_quota("invitations", kept, MAX_INVITATIONS)
            invitation = _written(viewer, asked, moment)
            campaigns.add(invitation)
            done.answer = invitation.id
            return invitation

    async def withdraw(self, viewer: Viewer, asked: WithdrawInvitation, key: str | None = None) -> str:
        """Take an invitation back, and return its id.

        Raises:
            NotFound: no member, or no such invitation.
            Forbidden: no GM.
            IdempotencyConflict: the key was used for another request.
        """
        async with (
            self._database.write() as session,
            once(session, viewer, key, asked, self._clock()) as done,
        ):
            campaigns = Campaigns(session)
            demand(await campaigns.role(asked.campaign_id, viewer.account), Right.RUN)
            if not done.before and not await campaigns.withdraw(asked.campaign_id, asked.invitation_id):
                raise NotFound.of("invitation", "invitationId")
            done.answer = asked.invitation_id
            return asked.invitation_id

    async def join(self, viewer: Viewer, asked: JoinCampaign, key: str | None = None) -> Campaign:
        """Join by an invitation's code, and return the campaign; a member stays as they are, and no use is
        spent.

        Raises:
            NotFound: no such code, or nobody can join by it any more; or the campaign that was joined under
                this key was left since.
            InvalidInput: ``QUOTA_EXCEEDED``: there are as many members as may be, or the account is in as
                many campaigns as it may be.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            if done.answer is not None:
                return await existing(campaigns, viewer, done.answer, "idempotencyKey")
            invitation = await campaigns.invitation_by_code(_spelled(asked.code))
            if invitation is None:
                raise NotFound.of("invitation", "code")
            await campaigns.hold(invitation.campaign)
            if await campaigns.role(invitation.campaign, viewer.account) is None:
                if not await campaigns.is_open(invitation, moment):
                    raise _closed(invitation, moment)
                # Before a use is taken: the campaign may be full, and the account at too many tables.
                _keep_to_quota("members", await campaigns.member_count(invitation.campaign), MAX_MEMBERS)
                self._quotas.check_campaigns(await campaigns.count_campaigns(viewer.account))
                if not await campaigns.use_invitation(invitation, moment):
                    raise _closed(invitation, moment)
                role = Role(invitation.role)
                campaigns.add(
                    Member(campaign=invitation.campaign, account=viewer.account, role=role, joined_at=moment)
                )
                await campaigns.flush()
                await campaigns.note_changed(invitation.campaign, joined=viewer.account)
                await Log(session).write(
                    invitation.campaign,
                    "member.joined",
                    f"A {'GM' if role is Role.GM else role} joins the table.",
                    moment,
                    account=viewer.account,
                    subject=viewer.account,
                )
            done.answer = invitation.campaign
            return await existing(campaigns, viewer, invitation.campaign)


def _written(viewer: Viewer, asked: CreateInvitation, moment: datetime) -> Invitation:
    return Invitation(
        id=new_id("inv"),
        campaign=asked.campaign_id,
        code="".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH)),
        role=asked.role,
        uses_left=asked.uses,
        created_by=viewer.account,
        created_at=moment,
        expires_at=moment + timedelta(days=asked.days),
    )


def _closed(invitation: Invitation, moment: datetime) -> NotFound:
    """Return why nobody can join by an invitation any more; only who holds a real code learns that."""
    if invitation.expires_at <= moment:
        why = "This invitation has expired"
    elif invitation.uses_left < 1:
        why = "This invitation has been used as often as it may be"
    else:
        why = "Whoever wrote this invitation may invite nobody any more"
    return NotFound("NOT_FOUND", f"{why}; ask for another.", ["code"])


def _spelled(code: str) -> str:
    """Spell a code as it is kept, however people wrote it."""
    return "".join(code.upper().split()).replace("-", "")


def _keep_to_quota(quota: str, found: int, allowed: int) -> None:
    """Raise where a campaign has as many ``members`` or open ``invitations`` as it may have.

    Raises:
        InvalidInput: it has.
    """
    if found >= allowed:
        raise InvalidInput.single(
            CODE,
            f"A campaign may have {allowed} {quota}; this one has {found}.",
            quota,
            found=str(found),
            allowed=str(allowed),
        )
