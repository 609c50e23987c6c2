"""Requests to one HTTP service inside the house: connections that are kept, answers read whole or in pieces.

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
    ClientConnectionError,
    ClientConnectorError,
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    ConnectionTimeoutError,
    DummyCookieJar,
    ServerTimeoutError,
    TCPConnector,
)
from yarl import URL

from services.shared.replicas import Replicas

SECONDS = 5.0
"""How long an answer is waited for, between any two pieces of it; and how long for a free connection."""
CONNECT_SECONDS = 1.0
CONNECTIONS = 100
# Far below the time after which services close idle connections (``serve``): none is closed when it is used.
IDLE_SECONDS = 4.0
NOTHING: Mapping[str, Any] = MappingProxyType({})
READING = frozenset({"GET", "HEAD"})


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
    """Asks one service. Where one of its replicas cannot be reached, the next one is asked.

    Args:
        addresses: of the service, ``http://host:port``; those of several replicas are separated by commas.
    """

    def __init__(self, addresses: str) -> None:
        self._replicas = Replicas(addresses)
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
        repeatable: bool = False,
    ) -> Answer:
        """Send a request and read the answer to its end.

        Args:
            method: of HTTP.
            path: its special characters escaped.
            headers: of the request.
            query: parameters behind the question mark.
            content: the body.
            seconds: how long an answer, and each next piece of it, is waited for; ``SECONDS`` without it.
            repeatable: whether another replica may be asked though one broke off that may have begun; what
                only reads always may.

        Raises:
            NoAnswer: there is none.
        """
        async with self.stream(
            method,
            path,
            headers=headers,
            query=query,
            content=content,
            seconds=seconds,
            repeatable=repeatable,
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
        repeatable: bool = False,
    ) -> AsyncIterator[Streamed]:
        """Send a request, and read the answer as far as its headers; see ``request``.

        Raises:
            NoAnswer: there is none, or it breaks off inside the block.
        """
        target = path + (f"?{urlencode(query)}" if query else "")
        patience = ClientTimeout(connect=SECONDS, sock_connect=CONNECT_SECONDS, sock_read=seconds or SECONDS)
        try:
            async with await self._sent(
                method,
                target,
                repeatable or method in READING,
                headers=headers,
                data=content,
                timeout=patience,
                allow_redirects=False,
            ) as response:
                yield _Response(response)
        except (ClientError, TimeoutError) as error:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error

    def replicas(self) -> list["HttpClient"]:
        """Return a client of its own for each replica."""
        return [HttpClient(address) for address in self._replicas.addresses]

    async def close(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            await self._opened.close()

    async def _sent(self, method: str, target: str, repeatable: bool, **request: Any) -> ClientResponse:
        """Send a request to the first replica that can be reached, and read the head of its answer."""
        order = self._replicas.order()
        # A service that is started again is away for a moment: where there is only one, it is asked twice.
        *others, last = order if len(order) > 1 else order * 2
        for address in others:
            try:
                return await self._ask(address, method, target, **request)
            except (ClientConnectorError, ConnectionTimeoutError):
                pass  # nothing was sent
            except ServerTimeoutError:
                raise  # it works on it, and another one would take as long
            except ClientConnectionError:
                if not repeatable or address == last:
                    raise
        return await self._ask(last, method, target, **request)

    async def _ask(self, address: str, method: str, target: str, **request: Any) -> ClientResponse:
        try:
            answer = await self._session.request(method, URL(address + target, encoded=True), **request)
        except (ClientConnectionError, TimeoutError):
            self._replicas.failed(address)
            raise
        self._replicas.answered(address)
        return answer

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
