"""Tickets: short-lived addresses for what sends no header, an ``<img>`` or an ``EventSource``.

A ticket is the last parameter of an address, ``?ticket=hft_...``, and opens this one address, path and query
as they stand, by ``GET`` alone. It names the API key that asked for it and speaks for that key with the scope
``READ`` and no other: rights are asked when it is used, and it is void with the key. The ticket is stored
nowhere: it reads ``hft_<key>_<expiry>_<mac>``, and the MAC is HMAC-SHA256 under the pepper over all that it
says.
"""

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated

from services.shared.auth import Viewer
from services.shared.bounds import Line, check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import clipped

HOLDS = timedelta(minutes=15)
PARAMETER = "ticket"
LONGEST_ADDRESS = 4_000
_ORIGIN = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_ADDRESS = re.compile(r"/(v1/[\x21-\x22\x24-\x7e]+|graphql\?[\x21-\x22\x24-\x7e]+)")
_TICKET = re.compile(r"hft_([0-9a-z]{26})_([0-9]{1,12})_([0-9A-Za-z_-]{43})", re.ASCII)
_TICKETED = re.compile(rf"(.*)[?&]{PARAMETER}=([^&]*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NewTicket:
    """A ticket to be made for one address.

    Attributes:
        address: What is to be opened, of `/v1`, or a subscription at `/graphql?query=...`: path and query,
            with or without the name of the host.
    """

    address: Annotated[str, Line(LONGEST_ADDRESS)]


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket as it is used.

    Attributes:
        key: id of the API key that it speaks for.
        expires_at: when it ends.
        mac: what proves it; kept out of ``repr`` and so out of logs.
    """

    key: str
    expires_at: datetime
    mac: str = field(repr=False)

    @property
    def text(self) -> str:
        """Return the ticket as an address carries it."""
        return f"hft_{self.key.removeprefix('key_')}_{int(self.expires_at.timestamp())}_{self.mac}"

    def opens(self, pepper: str, digest: str) -> bool:
        """Tell whether it was made here for the address with this digest; its time is another matter."""
        return hmac.compare_digest(self.mac, _mac(pepper, self.key, self.expires_at, digest))


@dataclass(frozen=True, slots=True)
class TicketedAddress:
    """An address with its ticket.

    Attributes:
        url: as it is opened.
        expires_at: when it opens nothing any more.
    """

    url: str
    expires_at: datetime


class TicketDesk:
    """Makes tickets.

    Args:
        database: where it is kept which requests were answered.
        clock: the present moment.
        pepper: the key under which they are proved.
    """

    def __init__(self, database: Database, clock: Clock, pepper: str) -> None:
        self._database = database
        self._clock = clock
        self._pepper = pepper

    async def make(self, viewer: Viewer, asked: NewTicket, key: str | None = None) -> TicketedAddress:
        """Make a ticket for the viewer's key; a repeated request is answered with the same one.

        Raises:
            InvalidInput: ``NO_TICKET``: a ticket opens nothing of this kind.
            IdempotencyConflict: the idempotency key was used for another request, or by another API key.
        """
        check(asked)
        target = _ORIGIN.sub("", asked.address, count=1)
        if viewer.key is None or not _ADDRESS.fullmatch(target) or _TICKETED.search(target):
            message = "A ticket opens an address of /v1, or a subscription at /graphql?query=..."
            issue = Issue("NO_TICKET", message, ["address"], found=clipped(asked.address))
            raise InvalidInput.of([issue])
        moment = self._clock()
        request = [type(asked).__name__, asked, viewer.key]
        async with self._database.write() as session, once(session, viewer, key, request, moment) as done:
            done.answer = done.answer or str(int((moment + HOLDS).timestamp()))
            until = datetime.fromtimestamp(int(done.answer), UTC)
        mac = _mac(self._pepper, viewer.key, until, digest_of_address(target))
        joint = "&" if "?" in target else "?"
        ticket = Ticket(viewer.key, until, mac).text
        return TicketedAddress(f"{asked.address}{joint}{PARAMETER}={ticket}", until)


def read_ticket(text: str) -> Ticket | None:
    """Read a ticket; None when it has another shape."""
    found = _TICKET.fullmatch(text)
    if found is None:
        return None
    return Ticket(f"key_{found[1]}", datetime.fromtimestamp(int(found[2]), UTC), found[3])


def digest_of_address(target: str) -> str:
    """Return the SHA-256, in hexadecimal, of an address (path and query): a ticket is bound to it."""
    return hashlib.sha256(target.encode("utf-8", "surrogatepass")).hexdigest()


def split_address(target: str) -> tuple[str, str] | None:
    """Part an address and the ticket that it ends with; None where it ends with none."""
    found = _TICKETED.fullmatch(target)
    return None if found is None else (found[1], found[2])


def _mac(pepper: str, key: str, until: datetime, digest: str) -> str:
    said = f"ticket\0{key}\0{int(until.timestamp())}\0{digest}".encode()
    return urlsafe_b64encode(hmac.digest(pepper.encode(), said, "sha256")).decode().rstrip("=")
