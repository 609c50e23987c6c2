"""The REST face before services that have a little of everything, or fall silent."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from inspect import isawaitable
from random import Random
from typing import Any

import httpx
from graphql import (
    DocumentNode,
    execute,
    parse,
    validate,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from services.gateway.accounts.identity import Identity
from services.gateway.accounts.requests import AccountId, DeleteAccount
from services.gateway.accounts.service import AccountService, SignedUp
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.export.reading import Export
from services.gateway.rest.app import EverythingElse, contract, rest_app
from services.gateway.rest.operation import service_schema
from services.gateway.rest.own_graph import OwnGraph
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.shared.auth import Signer, Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.limits.bucket import Bucket
from services.shared.pagination import cursor_of_number, number_of_cursor
from services.shared.peers import Peer
from services.shared.settings import Settings
from services.shared.valkey import connect
from tests.serving import served_here


def page(nodes: list[dict[str, Any]] | None = None, more: str | None = None) -> dict[str, Any]:
    """Answer a page of a list."""
    return {"nodes": nodes or [], "pageInfo": {"hasNextPage": more is not None, "endCursor": more}}


@cache
def parsed(service: str, text: str) -> DocumentNode:
    """Read an operation, which must fit the published schema."""
    document = parse(text)
    assert validate(service_schema(service), document) == []
    return document


def bag(number: int) -> dict[str, Any]:
    """Make what an app keeps beside a character."""
    return {
        "namespace": "com.example.tracker",
        "readers": "APP",
        "data": {"number": number},
        "version": 1,
        "updatedAt": "2031-05-01T12:00:00Z",
    }


def one_of_many(number: int) -> dict[str, Any]:
    """Make a character among many."""
    return {
        "id": f"chr_{number:026d}",
        "name": f"Hero {number}",
        "system": "dungeonteller",
        "version": 1,
        "createdAt": "2031-05-01T12:00:00Z",
        "updatedAt": "2031-05-01T12:00:00Z",
        "metadata": [bag(number)],
        "packs": [],
        "rewards": [],
        "history": page(),
    }


class Houses:
    """Services that answer by the published schemas: one account has characters, and nothing else.

    Attributes:
        characters: how many.
        meanwhile: done whenever rolls are read, which is behind the characters.
        silent: services that do not answer.
        going_on: set while files of batches go on behind their first line.
    """

    def __init__(self) -> None:
        self.going_on = asyncio.Event()
        self.characters = 3
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.silent: set[str] = set()

    def root(self) -> Mapping[str, Any]:
        """Give what the services have."""

        def characters(_info: Any, first: int, after: str | None = None) -> dict[str, Any]:
            begin = number_of_cursor(after) if after else 0
            end = min(begin + first, self.characters)
            more = cursor_of_number(end) if end < self.characters else None
            return page([one_of_many(number) for number in range(begin, end)], more)

        async def rolls(_info: Any, **_: Any) -> dict[str, Any]:
            if self.meanwhile is not None:
                await self.meanwhile()
            return page()

        def character(_info: Any, id: str) -> dict[str, Any]:
            return one_of_many(int(id.removeprefix("chr_")))

        empty = {
            name: page() for name in ("campaigns", "contentPacks", "macros", "maps", "jobs", "simulations")
        }
        settings = {"dialect": "HEARTHFORGE", "version": 1}
        return {
            **empty,
            "tableDice": [],
            "diceSettings": settings,
            "characters": characters,
            "character": character,
            "rolls": rolls,
        }

    def app(self, service: str) -> Starlette:
        """Serve a service."""

        async def answer(request: Request) -> Response:
            if service in self.silent:
                return JSONResponse({}, 503)
            asked = await request.json()
            document = parsed(service, asked["query"])
            found = execute(
                service_schema(service), document, self.root(), variable_values=asked["variables"]
            )
            result = await found if isawaitable(found) else found
            return JSONResponse(result.formatted)

        async def sheet(request: Request) -> Response:
            character = request.path_params["id"]
            # Nothing that packing makes much smaller.
            look = Random(character).randbytes(5_000).hex()
            return JSONResponse({"id": character, "look": look})

        async def batch(_request: Request) -> Response:
            async def lines() -> AsyncIterator[bytes]:
                yield b"first\n"
                await self.going_on.wait()
                yield b"last\n"

            return StreamingResponse(lines())

        async def ready(_request: Request) -> Response:
            return JSONResponse({}, 503 if service in self.silent else 200)

        return Starlette(
            routes=[
                Route("/graphql", answer, methods=["POST"]),
                Route("/internal/characters/{id}/sheet/published", sheet),
                Route("/internal/batches/{id}/maps.ndjson", batch),
                Route("/internal/readyz", ready),
                Route("/readyz", ready),
            ]
        )


class Town:
    """The REST face before those services, and somebody who has an account.

    Attributes:
        houses: the services.
        people: the accounts.
        graphs: the services as the REST face asks them.
        door: of the REST face.
        http: carries the key of an account.
        viewer: that account.
    """

    def __init__(
        self,
        houses: Houses,
        people: AccountService,
        graphs: Subgraphs,
        door: Doorkeeper,
        http: httpx.AsyncClient,
        signed_up: SignedUp,
    ) -> None:
        self.houses = houses
        self.people = people
        self.graphs = graphs
        self.door = door
        self.http = http
        key = signed_up.key.row
        self.viewer = Viewer(signed_up.account.id, key.scope_set, key.id)

    async def leave(self) -> None:
        """Delete the account."""
        await self.people.delete(self.viewer, DeleteAccount(AccountId(self.viewer.account)))

    def export(self) -> Export:
        """Begin an export without limits."""

        async def admitted() -> None:
            await self.door.admits_still(self.viewer)

        return Export(self.graphs, self.viewer, contract()[0], admitted, system_clock())


@asynccontextmanager
async def peers(houses: Houses, signer: Signer) -> AsyncIterator[dict[str, Peer]]:
    """Serve the services, and give clients of them."""
    found: dict[str, Peer] = {}
    async with (
        served_here(houses.app("dice")) as dice,
        served_here(houses.app("character")) as character,
        served_here(houses.app("campaign")) as campaign,
        served_here(houses.app("map")) as map_service,
    ):
        ports = {"dice": dice, "character": character, "campaign": campaign, "map": map_service}
        for name, port in ports.items():
            found[name] = Peer(name, f"http://127.0.0.1:{port}", signer)
        yield found
        for peer in found.values():
            await peer.close()


@asynccontextmanager
async def export_town(settings: Settings) -> AsyncIterator[Town]:
    """Serve the REST face."""
    database, redis = Database(settings.database_url("account")), connect(settings.redis_url)
    people, bucket = AccountService(database, system_clock, "pepper"), Bucket(redis)
    door = Doorkeeper(Identity(database, system_clock, "pepper"), bucket)
    desk, houses = SignUpDesk(people, bucket, settings.sign_up), Houses()
    async with peers(houses, Signer.of("account", settings)) as clients:
        graphs = Subgraphs(clients, OwnGraph(people))
        face = Starlette(routes=[EverythingElse(rest_app(door, desk, graphs), door)])
        signed_up = await people.sign_up("Mara")
        headers = {
            "authorization": f"Bearer {signed_up.key.credential.text}",
            "x-hearthforge-network": f"2001:db8:{new_id('acc')}",
        }
        async with (
            served_here(face) as port,
            httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}", headers=headers, trust_env=False, timeout=30
            ) as http,
        ):
            yield Town(houses, people, graphs, door, http, signed_up)
    await redis.aclose()
    await database.close()
