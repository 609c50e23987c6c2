"""Who may come in, and what it costs: each request is charged to its key's owner, before anything is done.

A bucket holds 2,000 points and refills by 100 a second; it is the same one that the graph charges. Requests
without a key are charged to the network that they come from, an address or an IPv6 /64. Whatever comes from a
network, with keys or without, is charged to a second, larger bucket of it too, so that opening accounts does
not open budgets.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NoReturn

from starlette.requests import HTTPConnection, Request

from services.gateway.accounts.identity import Identity, KeyRefusal, refusal_message
from services.gateway.accounts.tickets import digest_of_address, split_address
from services.gateway.rest.guard import BUCKET, REMAINING
from services.gateway.rest.problems import Refusal
from services.shared.auth import KeyScope, Viewer
from services.shared.limits.bucket import Bucket
from services.shared.limits.meter import RateLimited
from services.shared.limits.purses import Draw, of_key, of_network, of_viewer

OWN, LOOK, LIST, FILE, DRAWN, WRITE, ORDER = 3, 4, 5, 5, 10, 10, 100
"""Points, measured as processor time of all processes together: what this process answers by itself, what one
service is asked for, a list that is not paged, a file that is there, a card or a chart that is drawn, a
change, long work that is ordered."""

PICTURE, UPLOAD, DOWNLOAD = 20, 100, 50
"""Points of a map's picture that has to be drawn, of a file brought along, of a batch fetched."""

PAGE = 3
"""Points of a page of a list, beside one for each ten rows that it may hold."""

PATIENT_TRIES = 30
"""How often an export asks whether it can pay by now; each time it waits a second or longer."""

NETWORK_HEADER = "x-hearthforge-network"
"""Set by the door in front, which lets no client bring it."""

Admission = Callable[[Request], Awaitable[Viewer]]
Price = int | Callable[[Request], int]


def paged(request: Request) -> int:
    """Computes what a page of a list costs, by how many it may hold."""
    first = request.query_params.get("first", "")
    # What is no number from 1 to 100 is refused afterwards, and costs what most pages do.
    most = int(first) if first.isascii() and first.isdigit() and len(first) <= 3 else 20
    return PAGE + min(most, 100) // 10


class Doorkeeper:
    """Reads keys and charges their owners.

    Args:
        identity: knows whose a key is.
        bucket: the limits.

    Attributes:
        bucket: the limits.
    """

    def __init__(self, identity: Identity, bucket: Bucket) -> None:
        self._identity = identity
        self.bucket = bucket

    def keyed(self, price: Price) -> Admission:
        """Make the dependency of a path that asks for a key; it gives the viewer."""

        async def admit(request: Request) -> Viewer:
            ticket = None if "authorization" in request.headers else taken_ticket(request)
            cost = price if isinstance(price, int) else price(request)
            header = request.headers.get("authorization")
            principal = None
            if header:
                principal = await self._identity.principal(header)
            elif ticket is not None:
                principal = await self._identity.ticket_holder(*ticket)
            if principal is None or isinstance(principal, KeyRefusal):
                await self.toll(request, cost)
                refuse_key(principal, header or "")
            viewer = replace(principal.viewer, network=network_of(request))
            await self._charge(request, viewer, cost)
            return viewer

        return admit

    def open(self, price: Price) -> Admission:
        """Make the dependency of a path that is open to everyone."""

        async def admit(request: Request) -> Viewer:
            network = network_of(request)
            await self.toll(request, price if isinstance(price, int) else price(request))
            return Viewer(network=network)

        return admit

    async def paced(self, viewer: Viewer, cost: int) -> None:
        """Charge for the next part of an answer that is already under way; where the bucket is empty, wait.

        A long export so goes on as fast as the account can pay for it, and is not broken off.

        Raises:
            RateLimited: it could not pay for half a minute, as others took all that came in.
        """
        draws = (Draw(viewer.account, cost), *of_key(viewer, cost))
        if viewer.network is not None:
            draws = (*draws, of_network(viewer.network, cost))
        wait = 1
        for _ in range(PATIENT_TRIES):
            charge = await self.bucket.charge(draws[0], *draws[1:])
            if charge.allowed:
                return
            wait = max(charge.retry_after, 1)
            await asyncio.sleep(wait)
        raise RateLimited(wait)

    async def admits_still(self, viewer: Viewer) -> None:
        """Refuse a viewer whose key has ended since they came in.

        Raises:
            Refusal: ``UNAUTHENTICATED``.
        """
        assert viewer.key is not None
        ended = await self._identity.ended([viewer.key])
        if viewer.key in ended:
            refuse_key(ended[viewer.key])

    async def toll(self, request: HTTPConnection, cost: int) -> None:
        """Charge for a request that was not let in by a key, or never could be.

        Raises:
            Refusal: ``RATE_LIMITED``.
        """
        await self._charge(request, Viewer(), cost)

    async def _charge(self, request: HTTPConnection, viewer: Viewer, cost: int) -> None:
        charge = await self.bucket.charge(*of_viewer(viewer, network_of(request), cost))
        setattr(request.state, REMAINING, charge.remaining)
        setattr(request.state, BUCKET, charge.capacity)
        if not charge.allowed:
            wait = max(charge.retry_after, 1)
            raise Refusal(
                "RATE_LIMITED",
                f"Too many requests; try again in {wait} s.",
                headers={"retry-after": str(wait)},
                limit=charge.limit,
            )


def taken_ticket(request: Request) -> tuple[str, str] | None:
    """Take the ticket off the address of a request that only reads.

    Returns:
        The ticket, and the digest of the address without it; None where there is none.
    """
    if request.method not in ("GET", "HEAD"):
        return None
    scope = request.scope
    path = scope.get("raw_path") or request.url.path.encode()
    query = scope["query_string"].decode("latin-1")
    found = split_address(f"{path.decode('latin-1').partition('?')[0]}?{query}")
    if found is None:
        return None
    address, ticket = found
    scope["query_string"] = address.partition("?")[2].encode("latin-1")
    return ticket, digest_of_address(address)


def refuse_key(reason: KeyRefusal | None, header: str = "") -> NoReturn:
    """Refuse a request whose key is missing or opens nothing (RFC 6750, 3)."""
    if reason is None:
        raise Refusal(
            "UNAUTHENTICATED",
            KeyRefusal.MALFORMED.message,
            headers={"www-authenticate": "Bearer"},
            reason="NO_KEY",
        )
    raise Refusal(
        "UNAUTHENTICATED",
        refusal_message(reason, header),
        headers={"www-authenticate": 'Bearer error="invalid_token"'},
        reason=reason.value,
    )


def require(viewer: Viewer, scope: KeyScope) -> None:
    """Refuse a key that lacks a scope.

    Raises:
        Refusal: ``FORBIDDEN``.
    """
    if not viewer.may(scope):
        raise Refusal("FORBIDDEN", f"This API key lacks the scope {scope.name}.")


def network_of(request: HTTPConnection) -> str:
    """Returns the network that the door in front names, else the address of the connection."""
    named = request.headers.get(NETWORK_HEADER)
    return (named or (request.client.host if request.client else "unknown"))[:64]
