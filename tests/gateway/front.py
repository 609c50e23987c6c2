"""The Python gateway app as tests call it: in this process, over its ASGI interface, with its lifespan."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx
from starlette.types import ASGIApp, Message

from services.gateway.accounts.invitations import InvitationDesk
from services.gateway.app import create_app
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.settings import Settings

SIGN_UP = "/v1/accounts"


@contextlib.asynccontextmanager
async def running(app: ASGIApp) -> AsyncIterator[None]:
    """Start an application as a server would, and end it."""
    said: asyncio.Queue[Message] = asyncio.Queue()
    heard: asyncio.Queue[Message] = asyncio.Queue()
    task = asyncio.ensure_future(
        app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, said.get, heard.put)
    )
    await said.put({"type": "lifespan.startup"})
    assert (await heard.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await said.put({"type": "lifespan.shutdown"})
        await task


class Front:
    """Calls to a running app.

    Attributes:
        http: a client whose address no other test has, so that its bucket is its own.
        settings: of the installation.
        address: part of an address that no other test has.
    """

    def __init__(self, http: httpx.AsyncClient, settings: Settings, address: str) -> None:
        self.http = http
        self.address = address
        self.settings = settings
        self._gateway = Signer.of("gateway", settings)

    async def sign_up(self, name: str = "Mara") -> dict[str, Any]:
        """Open an account and give the whole answer."""
        answer = await self.http.post(SIGN_UP, json={"name": name})
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def token(self, viewer: Viewer, *, service: bool = False) -> dict[str, str]:
        """Give the header that the federation gateway would send."""
        return {TOKEN_HEADER: self._gateway.sign("account", viewer, service=service)}

    async def principal(self, authorization: str | None) -> httpx.Response:
        """Ask whose key it is, as the federation gateway does."""
        own = {"authorization": authorization} if authorization is not None else {}
        return await self.http.get(
            "/internal/principal", headers={**own, **self.token(Viewer(), service=True)}
        )

    async def graph(self, viewer: Viewer, query: str, **variables: Any) -> dict[str, Any]:
        """Run an operation on the account subgraph and give the whole answer."""
        answer = await self.http.post(
            "/graphql", headers=self.token(viewer), json={"query": query, "variables": variables}
        )
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


@contextlib.asynccontextmanager
async def invitations(settings: Settings) -> AsyncIterator[InvitationDesk]:
    """Give what the operator makes invitations with."""
    database = Database(settings.database_url("account"), pooled=False)
    try:
        yield InvitationDesk(database, system_clock, settings.key_pepper)
    finally:
        await database.close()


def bearer(key: str) -> dict[str, str]:
    """Give the header that carries a key."""
    return {"authorization": f"Bearer {key}"}


def owner(signed_up: dict[str, Any], *scopes: str) -> Viewer:
    """Give the viewer that a fresh account is, with some or all of the scopes of its first key."""
    return Viewer(
        signed_up["account"]["id"],
        frozenset(scopes or (scope.lower() for scope in signed_up["apiKey"]["scopes"])),
        signed_up["apiKey"]["id"],
    )


@contextlib.asynccontextmanager
async def visit(app: ASGIApp, settings: Settings) -> AsyncIterator[Front]:
    """Give calls to a running app; a fault of the app shows as status 500, as it would to a client."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    part = uuid.uuid4().hex
    address = f"{part[:4]}:{part[4:8]}:{part[8:12]}"
    own = {"x-hearthforge-network": f"2001:db8:1::{address}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://front", headers=own) as http:
        yield Front(http, settings, address)


@contextlib.asynccontextmanager
async def front(settings: Settings) -> AsyncIterator[Front]:
    """Run an app of one's own and give calls to it."""
    app = create_app(settings)
    async with running(app), visit(app, settings) as found:
        yield found
