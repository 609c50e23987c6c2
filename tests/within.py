"""A service in the same process behind the client by which services ask each other."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
from starlette.types import ASGIApp

from services.shared.http_client import NOTHING, Answer, HttpClient

ADDRESS = "http://within"


class Within(HttpClient):
    """Hands requests to an application, without a network.

    Args:
        app: finds the application.
    """

    def __init__(self, app: Callable[[], ASGIApp]) -> None:
        super().__init__(ADDRESS)
        self._app = app

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
        """Send a request; nothing here is ever late."""
        url = httpx.URL(f"{ADDRESS}{path}", params=dict(query) or None)
        request = httpx.Request(method, url, headers=dict(headers), content=content)
        answer = await httpx.ASGITransport(self._app()).handle_async_request(request)
        await answer.aread()
        return Answer(answer.status_code, answer.headers, answer.content)

    def replicas(self) -> list[HttpClient]:
        """Return this client alone."""
        return [self]

    @asynccontextmanager
    async def stream(self, method: str, path: str, **request: Any) -> AsyncIterator[Any]:
        """Send a request; the answer is whole before its first piece is read."""
        yield _Whole(await self.request(method, path, **request))


class _Whole:
    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.status, self.headers = answer.status, answer.headers

    async def whole(self) -> Answer:
        return self._answer

    async def pieces(self) -> AsyncIterator[bytes]:
        yield self._answer.content
