"""Requests to one HTTP server inside the house: connections that are kept, answers read whole or in pieces.

Made with aiohttp, whose connections and parser are compiled: a request takes a tenth of the processor time
that httpx takes for it.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import urlencode

import orjson
from aiohttp import (
    ClientConnectorError,
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from yarl import URL

SECONDS = 5.0
"""How long an answer is waited for, between any two pieces of it; and how long for a free connection."""
CONNECT_SECONDS = 1.0
CONNECTIONS = 100
# Far below the time after which services close idle connections (``serve``): none is closed when it is used.
IDLE_SECONDS = 4.0
NOTHING: Mapping[str, Any] = MappingProxyType({})


class NoAnswer(Exception):
    """The server cannot be reached, breaks off, or takes too long."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was read to its end.

    Attributes:
        status: of HTTP.
        headers: whose names may be spelt in any case.
        content: the body.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """Read the body as JSON.

        Raises:
            ValueError: it is not.
        """
        return orjson.loads(self.content)


class Streamed(Protocol):
    """An answer whose body is still to come.

    Attributes:
        status: of HTTP.
        headers: whose names may be spelt in any case.
    """

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    async def whole(self) -> Answer:
        """Read it to its end."""

    def pieces(self) -> AsyncIterator[bytes]:
        """Read the body piece by piece."""


class HttpClient:
    """Asks one server.

    Args:
        address: of the server, ``http://host:port``.
    """

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._opened: ClientSession | None = None

    async def request(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] = NOTHING,
        query: Mapping[str, str | int] = NOTHING,
        content: bytes | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Send a request and read the answer to its end.

        Args:
            method: of HTTP.
            path: its special characters escaped.
            headers: of the request.
            query: parameters behind the question mark.
            content: the body.
            seconds: how long an answer, and each next piece of it, is waited for; ``SECONDS`` without it.

        Raises:
            NoAnswer: there is none.
        """
        async with self.stream(
            method, path, headers=headers, query=query, content=content, seconds=seconds
        ) as answer:
            return await answer.whole()

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] = NOTHING,
        query: Mapping[str, str | int] = NOTHING,
        content: bytes | None = None,
        seconds: float | None = None,
    ) -> AsyncIterator[Streamed]:
        """Send a request, and read the answer as far as its headers; see ``request``.

        Raises:
            NoAnswer: there is none, or it breaks off inside the block.
        """
        url = URL(f"{self._address}{path}" + (f"?{urlencode(query)}" if query else ""), encoded=True)
        patience = ClientTimeout(connect=SECONDS, sock_connect=CONNECT_SECONDS, sock_read=seconds or SECONDS)
        try:
            async with await self._sent(
                method, url, headers=headers, data=content, timeout=patience, allow_redirects=False
            ) as response:
                yield _Response(response)
        except (ClientError, TimeoutError) as error:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error

    async def close(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            await self._opened.close()

    async def _sent(self, method: str, url: URL, **request: Any) -> ClientResponse:
        try:
            return await self._session.request(method, url, **request)
        except ClientConnectorError:
            # A service that is started again is away for a moment.
            return await self._session.request(method, url, **request)

    @property
    def _session(self) -> ClientSession:
        # Made by the first request: it belongs to the event loop that runs then.
        if self._opened is None:
            self._opened = ClientSession(
                connector=TCPConnector(limit=CONNECTIONS, keepalive_timeout=IDLE_SECONDS),
                cookie_jar=DummyCookieJar(),
                skip_auto_headers=("accept-encoding", "user-agent"),
            )
        return self._opened


class _Response:
    """The ``Streamed`` of aiohttp."""

    def __init__(self, response: ClientResponse) -> None:
        self._response = response
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers

    async def whole(self) -> Answer:
        return Answer(self.status, self.headers, await self._response.read())

    def pieces(self) -> AsyncIterator[bytes]:
        return self._response.content.iter_any()
