"""Stands where the federation gateway stands, in the tests' own process.

It lets in who has a key and signs for them, as the gateway does; what is asked of the graph it hands to the
subgraph that owns it, and everything else to the account app. It plans nothing, limits nothing and charges
nothing: what the gateway itself is to do is proven with the gateway.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx
from graphql import GraphQLSchema, build_schema, graphql_sync
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.settings import ServiceName
from tests.house import ROOT
from tests.matrix.subgraph_part import Part, parts

NETWORK_HEADER = "x-hearthforge-network"
HERE = "2001:db8::/64"
Headers = list[tuple[bytes, bytes]]


class Reception:
    """The public door of the house, as an ASGI application.

    Args:
        apps: the applications of the services.
        signer: signs as the gateway does.
    """

    def __init__(self, apps: Mapping[ServiceName, ASGIApp], signer: Signer) -> None:
        self._apps = apps
        self._signer = signer
        self._clients = {
            name: httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=f"http://{name}")
            for name, app in apps.items()
        }
        self._known: dict[str, Viewer] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        assert scope["type"] == "http", "sockets are the gateway's"
        headers = dict(scope["headers"])
        network = headers.get(b"x-forwarded-for", HERE.encode())
        kept: Headers = [
            (name, value) for name, value in scope["headers"] if not name.startswith(b"x-hearthforge-")
        ]
        kept.append((NETWORK_HEADER.encode(), network))
        if scope["path"] != "/graphql":
            await self._apps["account"]({**scope, "headers": kept}, receive, send)
            return
        request = Request(scope, receive)
        viewer = await self._viewer(request.headers.get("authorization"), network.decode())
        if viewer is None:
            refusal = {"message": "The key is not valid.", "extensions": {"code": "UNAUTHENTICATED"}}
            await JSONResponse({"errors": [refusal]}, 401)(scope, receive, send)
            return
        asked = json.loads(await request.body())
        if "__schema" in asked["query"]:
            told = graphql_sync(_published(), asked["query"], variable_values=asked["variables"]).formatted
            await JSONResponse(told)(scope, receive, send)
            return
        found = parts(asked["query"])
        if len(found) == 1:
            await self._pass_on(found[0], asked["variables"], viewer, scope, receive, send)
        else:
            await JSONResponse(await self._gathered(found, asked["variables"], viewer))(scope, receive, send)

    async def close(self) -> None:
        """Let go of the clients."""
        for client in self._clients.values():
            await client.aclose()

    async def _viewer(self, header: str | None, network: str) -> Viewer | None:
        if header is None:
            return Viewer(network=network)
        if header not in self._known:
            token = self._signer.sign("account", Viewer(), service=True)
            answer = await self._clients["account"].get(
                "/internal/principal", headers={"authorization": header, TOKEN_HEADER: token}
            )
            if answer.status_code != 200:
                return None
            told = answer.json()
            self._known[header] = Viewer(
                told["account"], frozenset(told["scopes"]), told.get("key"), network=network
            )
        return self._known[header]

    async def _pass_on(
        self,
        part: Part,
        variables: dict[str, Any],
        viewer: Viewer,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Let a subgraph answer, be it with a stream."""
        body = _body(part, variables)
        headers: Headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (TOKEN_HEADER.encode(), self._signer.sign(part.service, viewer).encode()),
            *((name, value) for name, value in scope["headers"] if name == b"accept"),
        ]
        unread = True

        async def hand_out() -> Any:
            nonlocal unread
            if unread:
                unread = False
                return {"type": "http.request", "body": body, "more_body": False}
            return await receive()

        await self._apps[part.service]({**scope, "headers": headers}, hand_out, send)

    async def _gathered(
        self, found: tuple[Part, ...], variables: dict[str, Any], viewer: Viewer
    ) -> dict[str, Any]:
        """Ask one subgraph after the other, and put their answers together."""
        data: dict[str, Any] = {}
        errors: list[Any] = []
        for part in found:
            answer = await self._clients[part.service].post(
                "/graphql",
                content=_body(part, variables),
                headers={
                    "content-type": "application/json",
                    TOKEN_HEADER: self._signer.sign(part.service, viewer),
                },
            )
            told = answer.json()
            data |= told.get("data") or {}
            errors += told.get("errors") or []
        return {"data": data, **({"errors": errors} if errors else {})}


@cache
def _published() -> GraphQLSchema:
    """Read the graph as clients know it."""
    return build_schema((ROOT / "schema" / "api.graphql").read_text("utf-8"), assume_valid=True)


def _body(part: Part, variables: Mapping[str, Any]) -> bytes:
    # As it was given, whatever it is: only what this subgraph never declared is left out.
    given = {name: value for name, value in variables.items() if name in part.variables}
    return json.dumps({"query": part.document, "variables": given}).encode()
