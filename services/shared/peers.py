"""Calls from one service to another: one small client for the ``/internal`` paths.

Used where an answer is needed at once and from its owner (who may see what, whose character it is); all else
between services travels by federation or by events.
"""

import contextlib
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import httpx
import structlog

from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.limits.meter import TALLY, RateLimited, TooExpensive
from services.shared.problems import Unavailable

log = structlog.get_logger(__name__)

TIMEOUT = httpx.Timeout(5.0, connect=1.0)
GRAPH_TIMEOUT = httpx.Timeout(20.0, connect=1.0)
"""Of GraphQL operations. A client waits behind them, and a mutation that nobody waits for any more is made
all the same: giving up early saves nothing."""
REFUSALS = (409, 422)
LIMITED = (400, 429)
# Far below the time after which services close idle connections (``serve``): none is closed when it is used.
LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=4.0)


class PeerUnavailable(Unavailable):
    """The other service does not answer, or not as agreed; to a client it is a problem like any other.

    Attributes:
        peer: its name.
        reason: for the log.
    """

    def __init__(self, peer: str, reason: str) -> None:
        super().__init__("UNAVAILABLE", f"The {peer} service does not answer; try again.")
        self.peer = peer
        self.reason = reason

    def __str__(self) -> str:
        """Return the name and the reason, which are not for clients."""
        return f"{self.peer}: {self.reason}"


class PeerRefused(Exception):
    """The other service answers that it will not do this, now or later.

    Attributes:
        peer: its name.
        status: 409 when the request contradicts an earlier one, 422 when it is not well-formed.
        code: stable, for programs.
        message: for people.
    """

    def __init__(self, peer: str, status: int, code: str, message: str) -> None:
        super().__init__(f"{peer}: {code}: {message}")
        self.peer = peer
        self.status = status
        self.code = code
        self.message = message


class Peer:
    """Another service of this installation.

    Args:
        name: its name, the audience of the tokens.
        base_url: its private address.
        signer: signs on behalf of the calling service.
    """

    def __init__(self, name: str, base_url: str, signer: Signer) -> None:
        self.name = name
        self._signer = signer
        self._client = httpx.AsyncClient(
            base_url=base_url,
            timeout=TIMEOUT,
            transport=httpx.AsyncHTTPTransport(retries=1, limits=LIMITS, verify=_certificates()),
            trust_env=False,
        )

    async def get(self, viewer: Viewer, *segments: str, **query: str | int) -> Any | None:
        """Read ``/internal/<segments>`` as JSON on behalf of ``viewer``; None when there is no such thing.

        Raises:
            PeerUnavailable: no answer, or an answer that is not agreed.
            LimitReached: the other service did not begin because of what it costs; so with every call here.
        """
        answer = await self._request("GET", _path(segments), viewer, params=query)
        if answer.status_code == 404:
            return None
        if answer.status_code != 200:
            raise PeerUnavailable(self.name, f"status {answer.status_code}")
        return answer.json()

    async def post(self, viewer: Viewer, *segments: str, body: Mapping[str, Any]) -> Any:
        """Send ``body`` to ``/internal/<segments>`` on behalf of ``viewer`` and give the answer, as JSON.

        Raises:
            PeerRefused: the other side says that the request cannot be carried out.
            PeerUnavailable: no answer, or an answer that is not agreed.
        """
        answer = await self._request("POST", _path(segments), viewer, json=dict(body))
        if answer.status_code not in (200, *REFUSALS):
            raise PeerUnavailable(self.name, f"status {answer.status_code}")
        try:
            found = answer.json()
        except ValueError as error:
            raise PeerUnavailable(self.name, f"status {answer.status_code}") from error
        if answer.status_code in REFUSALS:
            told = found if isinstance(found, dict) else {}
            code, message = str(told.get("code", "REFUSED")), str(told.get("message", ""))
            raise PeerRefused(self.name, answer.status_code, code, message)
        return found

    async def fetch(
        self,
        viewer: Viewer,
        *segments: str,
        if_none_match: str | None = None,
        query: Mapping[str, str | int] = MappingProxyType({}),
        seconds: float | None = None,
    ) -> httpx.Response:
        """Read ``/internal/<segments>`` with whatever status and content it has.

        Args:
            viewer: on whose behalf.
            segments: of the path.
            if_none_match: entity tag of what is there already.
            query: parameters.
            seconds: how long to wait for what takes longer than most.

        Raises:
            PeerUnavailable: no answer.
        """
        headers = {"if-none-match": if_none_match} if if_none_match else {}
        timeout = TIMEOUT if seconds is None else httpx.Timeout(seconds, connect=1.0)
        return await self._request(
            "GET", _path(segments), viewer, headers=headers, params=dict(query), timeout=timeout
        )

    async def send(
        self, viewer: Viewer, *segments: str, content: bytes, query: Mapping[str, str], seconds: float
    ) -> httpx.Response:
        """Send a file to ``/internal/<segments>``, and give whatever is answered.

        Raises:
            PeerUnavailable: no answer.
        """
        return await self._request(
            "POST",
            _path(segments),
            viewer,
            content=content,
            params=dict(query),
            timeout=httpx.Timeout(seconds, connect=1.0),
        )

    @contextlib.asynccontextmanager
    async def stream(self, viewer: Viewer, *segments: str) -> AsyncIterator[httpx.Response]:
        """Read ``/internal/<segments>`` piece by piece.

        Raises:
            PeerUnavailable: no answer.
            LimitReached: the other service did not begin because of what it costs.
        """
        headers = {TOKEN_HEADER: self._signer.sign(self.name, viewer, service=True)}
        try:
            async with self._client.stream(
                "GET", _path(segments), headers=headers, timeout=httpx.Timeout(30.0, connect=1.0)
            ) as answer:
                if answer.status_code in LIMITED:
                    await answer.aread()
                    _raise_limit(answer)
                if (tally := TALLY.get()) is not None:
                    tally.add_told(answer.headers)
                yield answer
        except httpx.HTTPError as error:
            raise PeerUnavailable(self.name, type(error).__name__) from error

    async def graphql(self, viewer: Viewer, operation: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Run a GraphQL operation on behalf of ``viewer``; the answer holds ``data`` and maybe ``errors``.

        Raises:
            PeerUnavailable: no answer, or one that is not GraphQL.
        """
        body = {"query": operation, "variables": dict(variables)}
        answer = await self._request(
            "POST", "/graphql", viewer, json=body, service=False, timeout=GRAPH_TIMEOUT
        )
        try:
            found = answer.json()
        except ValueError as error:
            raise PeerUnavailable(self.name, f"status {answer.status_code}") from error
        if not isinstance(found, dict) or not ("data" in found or "errors" in found):
            raise PeerUnavailable(self.name, f"status {answer.status_code}")
        return found

    async def ready(self) -> None:
        """Raise ``PeerUnavailable`` unless the service says that it is ready."""
        answer = await self._request("GET", "/readyz", Viewer())
        if answer.status_code != 200:
            raise PeerUnavailable(self.name, f"status {answer.status_code}")

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _request(
        self,
        method: str,
        path: str,
        viewer: Viewer,
        *,
        service: bool = True,
        headers: Mapping[str, str] = MappingProxyType({}),
        **options: Any,
    ) -> httpx.Response:
        headers = {**headers, TOKEN_HEADER: self._signer.sign(self.name, viewer, service=service)}
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        if request_id:
            headers["x-request-id"] = request_id
        tally = TALLY.get()
        try:
            answer = await self._client.request(method, path, headers=headers, **options)
        except httpx.HTTPError as error:
            log.warning("peer_silent", peer=self.name, path=path, error=f"{type(error).__name__}: {error}")
            raise PeerUnavailable(self.name, type(error).__name__) from error
        if tally is not None:
            tally.add_told(answer.headers)
        if service:
            _raise_limit(answer)
        return answer


def _raise_limit(answer: httpx.Response) -> None:
    """Raise in this process what stopped the other one from beginning work; see ``app.limit_answer``."""
    if answer.status_code not in LIMITED:
        return
    try:
        told = answer.json()
    except ValueError:
        return
    match told:
        case {"code": "RATE_LIMITED", "retryAfter": int(seconds)}:
            raise RateLimited(seconds)
        case {"code": "QUERY_TOO_EXPENSIVE", "requested": int(points), "message": str(message)}:
            raise TooExpensive(points, message)


@cache
def _certificates() -> ssl.SSLContext:
    """Whom to trust, read once for all clients: that takes a while, and most addresses are plain."""
    return httpx.create_ssl_context()


def _path(segments: Sequence[str]) -> str:
    return "/internal/" + "/".join(quote(segment, safe="") for segment in segments)
