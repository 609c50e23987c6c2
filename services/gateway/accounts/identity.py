"""Whose key is this: the one question that every request with a key begins with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from services.gateway.accounts.credentials import (
    PREFIX,
    digest_of,
    new_secret,
    read_authorization,
    same_digest,
)
from services.gateway.accounts.models import ApiKeyRow
from services.gateway.accounts.repository import Accounts
from services.gateway.accounts.tickets import read_ticket
from services.shared.auth import KeyScope, Viewer
from services.shared.clock import Clock
from services.shared.database import Database

TICKET = "Ticket "
"""How the federation gateway asks for a ticket, in place of a header."""


class KeyRefusal(StrEnum):
    """Why a key opens nothing. Only the holder of the right secret learns more than ``KEY_UNKNOWN``."""

    MALFORMED = "KEY_MALFORMED"
    UNKNOWN = "KEY_UNKNOWN"
    EXPIRED = "KEY_EXPIRED"
    REVOKED = "KEY_REVOKED"
    NO_TICKET = "TICKET_UNKNOWN"
    TICKET_EXPIRED = "TICKET_EXPIRED"

    @property
    def message(self) -> str:
        """Say it to people."""
        return _MESSAGES[self]


def refusal_message(refusal: KeyRefusal, authorization: str) -> str:
    """Say to people why a header opens nothing; a key that lacks the word before it is told so.

    Args:
        refusal: why.
        authorization: the header.
    """
    if refusal is KeyRefusal.MALFORMED and authorization.strip().startswith(PREFIX):
        return "`Bearer` is missing before the API key: send `Authorization: Bearer hf_live_...`."
    return refusal.message


_MESSAGES = {
    KeyRefusal.MALFORMED: "Send an API key as `Authorization: Bearer hf_live_...`.",
    KeyRefusal.UNKNOWN: "There is no such API key.",
    KeyRefusal.EXPIRED: "This API key has expired; make a new one.",
    KeyRefusal.REVOKED: "This API key was revoked.",
    KeyRefusal.NO_TICKET: "This ticket opens nothing here: it is of another address, or was not made here.",
    KeyRefusal.TICKET_EXPIRED: "This ticket has expired; make a new one.",
}


@dataclass(frozen=True, slots=True)
class Principal:
    """Who a key speaks for.

    Attributes:
        account: id of the owner.
        key: id of the key.
        scopes: what the key allows.
        expires_at: when it ends; None for never.
        limit: capacity and refill per second of the key's own bucket; None without one.
    """

    account: str
    key: str
    scopes: frozenset[str]
    expires_at: datetime | None
    limit: tuple[int, int] | None = None

    @property
    def viewer(self) -> Viewer:
        """Give the viewer that the principal is to the services."""
        return Viewer(account=self.account, scopes=self.scopes, key=self.key, limit=self.limit)

    def shown(self) -> dict[str, Any]:
        """Give the form in which the federation gateway is told."""
        return {
            "account": self.account,
            "key": self.key,
            "scopes": sorted(self.scopes),
            "expiresAt": self.expires_at.isoformat() if self.expires_at else None,
            "limit": dict(zip(("capacity", "refillPerSecond"), self.limit, strict=True))
            if self.limit
            else None,
        }


class Identity:
    """Turns the ``Authorization`` header into a principal.

    Args:
        database: where keys are kept.
        clock: the present moment.
        pepper: the key under which secrets are hashed.
    """

    def __init__(self, database: Database, clock: Clock, pepper: str) -> None:
        self._database = database
        self._clock = clock
        self._pepper = pepper
        # What an unknown key is compared with, so that it takes as long as a known one.
        self._nobody = digest_of(pepper, new_secret())

    async def principal(self, authorization: str | None) -> Principal | KeyRefusal:
        """Find whom a header speaks for, or why it speaks for nobody.

        The federation gateway asks for tickets as ``Ticket <ticket>.<digest of the address>``.
        """
        if authorization is not None and authorization.startswith(TICKET):
            ticket, _, digest = authorization.removeprefix(TICKET).partition(".")
            return await self.ticket_holder(ticket, digest)
        credential = read_authorization(authorization or "")
        if credential is None:
            return KeyRefusal.MALFORMED
        async with self._database.read() as session:
            row = await Accounts(session).any_key(credential.key)
        given = digest_of(self._pepper, credential.secret)
        if not same_digest(given, row.digest if row else self._nobody) or row is None:
            return KeyRefusal.UNKNOWN
        moment = self._clock()
        if (reason := _ended(row, moment)) is not None:
            return reason
        if row.last_used_on != moment.date():
            async with self._database.write() as session:
                await Accounts(session).mark_used(row.id, moment.date())
        return Principal(row.account, row.id, row.scope_set, row.expires_at, row.limit)

    async def ticket_holder(self, text: str, digest: str) -> Principal | KeyRefusal:
        """Find whom a ticket speaks for at an address, or why it speaks for nobody: its key, reading alone.

        Args:
            text: the ticket as it was sent.
            digest: of the address that it came with; see ``tickets.digest_of_address``.
        """
        ticket = read_ticket(text)
        if ticket is None or not ticket.opens(self._pepper, digest):
            return KeyRefusal.NO_TICKET
        async with self._database.read() as session:
            row = await Accounts(session).any_key(ticket.key)
        moment = self._clock()
        if row is None:
            return KeyRefusal.UNKNOWN
        if (reason := _ended(row, moment)) is not None:
            return reason
        if ticket.expires_at <= moment:
            return KeyRefusal.TICKET_EXPIRED
        return Principal(row.account, row.id, row.scope_set & {KeyScope.READ}, ticket.expires_at, row.limit)

    async def ended(self, keys: Sequence[str]) -> Mapping[str, KeyRefusal]:
        """Finds those keys, by id, that open nothing any more, and why; a key that never was is unknown."""
        async with self._database.read() as session:
            rows = await Accounts(session).keys_by_id(keys)
        moment = self._clock()
        reasons = {key: _ended(rows.get(key), moment) for key in keys}
        return {key: reason for key, reason in reasons.items() if reason is not None}


def _ended(row: ApiKeyRow | None, moment: datetime) -> KeyRefusal | None:
    if row is None:
        return KeyRefusal.UNKNOWN
    if row.revoked_at is not None:
        return KeyRefusal.REVOKED
    return None if row.usable(moment) else KeyRefusal.EXPIRED
