"""Invitations to sign up: made, listed and revoked by the operator, spent by those who open accounts.

An invitation holds for a number of accounts and a number of days. Its code is shown once and kept only as a
keyed hash, like the secret of an API key. Whoever comes with one is bound by its uses alone, not by how many
accounts their network has opened: that is how a convention's tables behind one address join.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlmodel.ext.asyncio.session import AsyncSession

from services.gateway.checks import invitation_issues
from services.gateway.credentials import (
    INVITATION_LENGTH,
    INVITATION_PREFIX,
    digest_of,
    invitation_secret,
    new_secret,
)
from services.gateway.models import InvitationRow
from services.gateway.repository import Invitations
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.problems import InvalidInput, NotFound


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


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """An invitation to be made.

    Attributes:
        note: whom or what it is for; 1 to 120 characters.
        uses: how many accounts it may open, 1 to 10,000.
        days: for how long it holds, 1 to 365.
    """

    note: str
    uses: int
    days: int


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

    async def invite(self, new: NewInvitation) -> IssuedInvitation | InvalidInput:
        """Makes an invitation."""
        issues = invitation_issues(new.note, new.uses, new.days)
        if issues:
            return InvalidInput.of(issues)
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

    async def revoke(self, invitation: str) -> InvitationRow | NotFound:
        """Ends an invitation, at once and for good; accounts that it opened stay."""
        async with self._database.write() as session:
            row = await Invitations(session).revoke(invitation, self._clock())
        return NotFound.of("invitation", "id") if row is None else row


async def spend(session: AsyncSession, pepper: str, code: str, moment: datetime) -> SignUpRefusal | None:
    """Uses an invitation once, inside the unit of work that opens the account.

    Returns:
        None when it was used; else why it opens nothing, which only the holder of a real code learns.
    """
    secret = invitation_secret(code)
    if secret is None:
        return SignUpRefusal.UNKNOWN
    digest, invitations = digest_of(pepper, secret), Invitations(session)
    if await invitations.spend(digest, moment):
        return None
    row = await invitations.of_digest(digest)
    if row is None or row.revoked_at is not None:
        return SignUpRefusal.UNKNOWN
    return SignUpRefusal.USED_UP if row.used >= row.uses else SignUpRefusal.EXPIRED
