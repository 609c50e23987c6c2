"""Invitations to sign up: made, listed and revoked by the operator, spent by those who open accounts.

An invitation holds for a number of accounts and a number of days. Its code is shown once and kept only as a
keyed hash, like the secret of an API key. Whoever comes with one is bound by its uses alone, not by how many
accounts their network has opened: that is how a convention's tables behind one address join.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlmodel.ext.asyncio.session import AsyncSession

from services.gateway.accounts.credentials import (
    INVITATION_LENGTH,
    INVITATION_PREFIX,
    digest_of,
    invitation_secret,
    new_secret,
)
from services.gateway.accounts.models import InvitationRow
from services.gateway.accounts.repository import Invitations
from services.gateway.accounts.requests import NewInvitation
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.problems import NotFound, Problem


class SignUpRefusal(StrEnum):
    """Why a request that is correct otherwise does not open an account."""

    CLOSED = "SIGN_UP_CLOSED"
    NEEDED = "INVITATION_NEEDED"
    UNKNOWN = "INVITATION_UNKNOWN"
    USED_UP = "INVITATION_USED_UP"
    EXPIRED = "INVITATION_EXPIRED"

    @property
    def message(self) -> str:
        """Returns a sentence for people."""
        return _MESSAGES[self]


_MESSAGES = {
    SignUpRefusal.CLOSED: "Accounts are opened by the operator alone here; ask them for a key.",
    SignUpRefusal.NEEDED: "Signing up needs an invitation here; ask the operator for one.",
    SignUpRefusal.UNKNOWN: "There is no such invitation.",
    SignUpRefusal.USED_UP: "This invitation has been used as often as it may be; ask for another.",
    SignUpRefusal.EXPIRED: "This invitation has expired; ask for another.",
}


class SignUpRefused(Problem):
    """No account is opened.

    Attributes:
        refusal: Why.
    """

    def __init__(self, refusal: SignUpRefusal) -> None:
        super().__init__(refusal.value, refusal.message)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class IssuedInvitation:
    """An invitation that was just made.

    Attributes:
        row: what is kept of it.
        code: what opens accounts, shown this once.
    """

    row: InvitationRow
    code: str


class InvitationDesk:
    """What the operator does with invitations.

    Args:
        database: where they are kept.
        clock: the present moment.
        pepper: the key under which their codes are hashed.
    """

    def __init__(self, database: Database, clock: Clock, pepper: str) -> None:
        self._database = database
        self._clock = clock
        self._pepper = pepper

    async def invite(self, new: NewInvitation) -> IssuedInvitation:
        """Makes an invitation.

        Raises:
            InvalidInput: naming every broken rule.
        """
        check(new)
        secret, moment = new_secret(INVITATION_LENGTH), self._clock()
        row = InvitationRow(
            id=new_id("inv"),
            digest=digest_of(self._pepper, secret),
            note=new.note.strip(),
            uses=new.uses,
            created_at=moment,
            expires_at=moment + timedelta(days=new.days),
        )
        async with self._database.write() as session:
            await Invitations(session).add(row)
        return IssuedInvitation(row, f"{INVITATION_PREFIX}{secret}")

    async def every(self) -> list[InvitationRow]:
        """Reads every invitation, oldest first."""
        async with self._database.read() as session:
            return await Invitations(session).every()

    async def revoke(self, invitation: str) -> InvitationRow:
        """Ends an invitation, at once and for good; accounts that it opened stay.

        Raises:
            NotFound: there is no such invitation.
        """
        async with self._database.write() as session:
            row = await Invitations(session).revoke(invitation, self._clock())
        if row is None:
            raise NotFound.of("invitation", "id")
        return row


async def spend(session: AsyncSession, pepper: str, code: str, moment: datetime) -> None:
    """Uses an invitation once, inside the unit of work that opens the account.

    Raises:
        SignUpRefused: it opens nothing; why, only the holder of a real code learns.
    """
    secret = invitation_secret(code)
    if secret is None:
        raise SignUpRefused(SignUpRefusal.UNKNOWN)
    digest, invitations = digest_of(pepper, secret), Invitations(session)
    if await invitations.spend(digest, moment):
        return
    row = await invitations.of_digest(digest)
    if row is None or row.revoked_at is not None:
        raise SignUpRefused(SignUpRefusal.UNKNOWN)
    raise SignUpRefused(SignUpRefusal.USED_UP if row.used >= row.uses else SignUpRefusal.EXPIRED)
