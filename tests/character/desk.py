"""The character service in this process, called as the gateway and other services would call it; and a
campaign service that answers what a test has laid down."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message

from services.shared.app import internal
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.ids import new_id
from services.shared.problems import InvalidInput, Problem
from services.shared.settings import Settings
from tests.house import PRIVATE_KEY, PUBLIC_KEYS
from tests.serving import served

EVERYTHING = frozenset({"read", "write", "admin"})


def somebody(*scopes: str) -> Viewer:
    """Give a fresh account, with a key of every scope or of those named."""
    return Viewer(new_id("acc"), frozenset(scopes) or EVERYTHING)


async def refusal(use_case: Awaitable[object]) -> Problem:
    """Return the problem that a use case must end in."""
    with pytest.raises(Problem) as raised:
        await use_case
    return raised.value


def broken(refused: Problem) -> list[tuple[str, str]]:
    """Return the codes and paths of the rules that a request breaks."""
    assert isinstance(refused, InvalidInput), refused
    return [(found.code, ".".join(found.path)) for found in refused.issues]


@dataclass
class Tables:
    """A campaign service reduced to its answer about access: a real server on a free port.

    Attributes:
        access: what it answers, by account: role of each campaign, campaign of each character.
        asked: the accounts it was asked about, in order.
        broken: whether it answers with an error instead.
    """

    access: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    broken: bool = False
    port: int = 0

    def seat(self, character: str, campaign: str, **members: Viewer) -> None:
        """Bring a character to a table, where the members are by role."""
        for role, viewer in members.items():
            known = self.access.setdefault(viewer.account, {"roles": {}, "characters": {}})
            known["roles"][campaign] = role
            known["characters"][character] = campaign

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Serve until the block ends."""
        with served(self._app()) as self.port:
            yield

    def _app(self) -> Starlette:
        async def access(request: Request, _viewer: Viewer) -> Response:
            account = request.path_params["account"]
            self.asked.append(account)
            if self.broken:
                return Response(status_code=500)
            return JSONResponse(self.access.get(account, {"roles": {}, "characters": {}}))

        signer = Signer("campaign", PRIVATE_KEY, PUBLIC_KEYS)
        return Starlette(routes=[Route("/internal/access/{account}", internal(signer, access))])


class Desk:
    """Calls to the character service."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._gateway = Signer.of("gateway", settings)
        self._campaign = Signer.of("campaign", settings)
        transport = httpx.ASGITransport(app)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://character", timeout=30)

    async def post(self, viewer: Viewer, body: Any, **headers: str) -> httpx.Response:
        """Send a GraphQL request, whatever comes of it."""
        token = self._gateway.sign("character", viewer)
        sent = {TOKEN_HEADER: token, "content-type": "application/json", "accept": "application/json"}
        content = body if isinstance(body, bytes) else None
        return await self.http.post(
            "/graphql", headers={**sent, **headers}, content=content, json=None if content else body
        )

    async def answer(self, viewer: Viewer, query: str, **variables: Any) -> dict[str, Any]:
        """Run an operation and give the whole answer."""
        response = await self.post(viewer, {"query": query, "variables": variables})
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    async def ask(self, viewer: Viewer, query: str, **variables: Any) -> Any:
        """Run an operation that must succeed and give its data."""
        answer = await self.answer(viewer, query, **variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    async def internal(
        self, viewer: Viewer, path: str, *, service: bool = True, **headers: str
    ) -> httpx.Response:
        """Read an internal path, as another service does on behalf of a viewer."""
        token = self._campaign.sign("character", viewer, service=service)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.get(f"/internal/{path}", headers={TOKEN_HEADER: token, **sent})


@contextlib.asynccontextmanager
async def living(app: ASGIApp) -> AsyncIterator[None]:
    """Run an application's start and stop around a block, as a server does."""
    inbox: asyncio.Queue[Message] = asyncio.Queue()
    outbox: asyncio.Queue[Message] = asyncio.Queue()

    async def run() -> None:
        await app({"type": "lifespan"}, inbox.get, outbox.put)

    task = asyncio.create_task(run())
    await inbox.put({"type": "lifespan.startup"})
    assert (await outbox.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await inbox.put({"type": "lifespan.shutdown"})
        async with asyncio.timeout(10):
            assert (await outbox.get())["type"] == "lifespan.shutdown.complete"
            await task
