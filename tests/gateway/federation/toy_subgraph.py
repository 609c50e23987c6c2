"""Three small apps that stand in for the services behind the gateway: `dice`, `character` and `account`.

Run one with ``python toy_subgraph.py NAME PORT``; ``--schema FOLDER`` writes the schema files of the two
subgraphs. They check the internal token as the real services do and report what they saw, so
that tests can ask who the gateway says is asking. The account app keeps its keys in memory and lets tests
revoke them.
"""

import asyncio
import base64
import hashlib
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import jwt
import strawberry
import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key
from graphql import GraphQLError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from strawberry.asgi import GraphQL
from strawberry.extensions import ParserCache, ValidationCache
from strawberry.federation import Schema
from strawberry.http.streaming import HTTPStreamTransport, SSETransport
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL
from strawberry.types import Info

PUBLIC_KEY = os.environ.get("TOY_PUBLIC_KEY", "")
"""Of the gateway."""
TOKEN_HEADER = "x-hearthforge-token"


def claims_of(request: Request, audience: str) -> dict[str, Any]:
    """Give what the token of a request says; raise where it does not hold."""
    key = load_der_public_key(base64.b64decode(PUBLIC_KEY))
    assert isinstance(key, Ed25519PublicKey)
    token = request.headers.get(TOKEN_HEADER, "")
    found: dict[str, Any] = jwt.decode(token, key, ["EdDSA"], audience=audience)
    return found


@strawberry.federation.type(shareable=True)
class PageInfo:
    has_next_page: bool = False


@strawberry.federation.type(shareable=True)
class Seen:
    """What a subgraph saw of one request."""

    service: str
    subject: str
    key: str | None
    scopes: list[str]
    token: str
    request_id: str | None
    traceparent: str | None
    header_names: list[str]


def seen(info: Info, service: str) -> Seen:
    headers = info.context["request"].headers
    claims = info.context["request"].state.claims
    return Seen(
        service=service,
        subject=claims["sub"],
        key=claims["key"],
        scopes=claims["scopes"],
        token=headers[TOKEN_HEADER],
        request_id=headers.get("x-request-id"),
        traceparent=headers.get("traceparent"),
        header_names=sorted(set(headers.keys())),
    )


LISTENING: dict[str, int] = {}


# ---------------------------------------------------------------------------------------------------- dice
@strawberry.federation.type(keys=["id"])
class Roll:
    id: strawberry.ID
    total: int
    character: "CharacterStub | None"


@strawberry.type
class RollEdge:
    cursor: str
    node: Roll


@strawberry.type
class RollConnection:
    edges: list[RollEdge]
    page_info: PageInfo


@strawberry.federation.type(keys=["id"], name="Character")
class CharacterStub:
    id: strawberry.ID

    @strawberry.field
    def last_roll(self) -> Roll | None:
        return make_roll("rol_last")

    @classmethod
    def resolve_reference(cls, id: strawberry.ID) -> "CharacterStub":
        return cls(id=id)


def make_roll(id: str) -> Roll:
    return Roll(id=strawberry.ID(id), total=7, character=CharacterStub(id=strawberry.ID("chr_1")))


@strawberry.type(name="Query")
class DiceQuery:
    @strawberry.field
    def hello(self) -> str:
        return "x"

    @strawberry.field
    def roll(self, id: strawberry.ID) -> Roll | None:
        return make_roll(id)

    @strawberry.field
    def rolls(self, first: int | None = None) -> RollConnection:
        rolls = [make_roll(f"rol_{number}") for number in range(min(first or 20, 3))]
        return RollConnection(
            edges=[RollEdge(cursor=roll.id, node=roll) for roll in rolls], page_info=PageInfo()
        )

    @strawberry.field
    def dice_saw(self, info: Info) -> Seen | None:
        return seen(info, "dice")

    @strawberry.field
    async def slow(self, info: Info, seconds: float) -> str | None:
        await asyncio.sleep(seconds)
        return str(info.context["request"].state.claims["sub"])

    @strawberry.field
    def forbidden(self) -> str | None:
        raise GraphQLError("You may not see this.", extensions={"code": "FORBIDDEN", "rule": "gm-only"})

    @strawberry.field
    def worked(self, info: Info, points: int, remaining: int) -> str | None:
        """Heavy work that the subgraph has charged for itself."""
        headers = info.context["response"].headers
        headers["x-hearthforge-charged"], headers["x-hearthforge-remaining"] = str(points), str(remaining)
        return "done"

    @strawberry.field
    def limited(self) -> str | None:
        raise GraphQLError("Not now.", extensions={"code": "RATE_LIMITED", "retryAfter": 7})

    @strawberry.field
    def away(self) -> str | None:
        raise GraphQLError("The database does not answer; try again.", extensions={"code": "UNAVAILABLE"})

    @strawberry.field
    def expensive(self) -> str | None:
        told = {"code": "QUERY_TOO_EXPENSIVE", "requested": 4000, "allowed": 1000}
        raise GraphQLError("Too much.", extensions=told)

    @strawberry.field
    def long(self, length: int) -> str | None:
        return "x" * length

    @strawberry.field
    def invitation(self, info: Info, length: int) -> str | None:
        """A secret, as a service marks it."""
        info.context["request"].state.secret = True
        return "k" * length

    @strawberry.field
    def crash(self) -> str | None:
        raise RuntimeError("secret path /etc/shadow")


@strawberry.input
class Throw:
    sides: int
    idempotency_key: str | None = None


@strawberry.type(name="Mutation")
class DiceMutation:
    @strawberry.mutation
    def throw_once(self, input: Throw) -> Roll:
        return make_roll(f"rol_d{input.sides}")

    @strawberry.mutation
    def throw(self, sides: int) -> Roll:
        return make_roll(f"rol_d{sides}")


@strawberry.type
class Chapter:
    cursor: str
    title: str


@strawberry.type(name="Subscription")
class DiceSubscription:
    @strawberry.subscription
    async def refused(self) -> AsyncIterator[str]:
        raise GraphQLError("You may not follow this.", extensions={"code": "FORBIDDEN"})
        yield ""

    @strawberry.subscription
    async def ticks(self, count: int, text: str = "tick") -> AsyncIterator[str]:
        for number in range(count):
            yield f"{text} {number}"
            await asyncio.sleep(0)

    @strawberry.subscription
    async def codes(self, info: Info) -> AsyncIterator[str]:
        """A word that is no secret, then one that is, then another."""
        yield "a" * 2000
        info.context["request"].state.secret = True
        yield "b" * 2000
        yield "c" * 2000

    @strawberry.subscription
    async def story(self, after: str | None = None) -> AsyncIterator[Chapter]:
        """Three chapters, those behind a cursor alone."""
        begin = 0 if after is None else int(after.removeprefix("c"))
        for number in range(begin + 1, 4):
            yield Chapter(cursor=f"c{number}", title=f"Chapter {number}")

    @strawberry.subscription
    async def forever(self) -> AsyncIterator[int]:
        number = 0
        while True:
            yield number
            number += 1
            await asyncio.sleep(0.05)

    @strawberry.subscription
    async def quiet(self) -> AsyncIterator[int]:
        """One event, then nothing for as long as anybody listens."""
        LISTENING["quiet"] = LISTENING.get("quiet", 0) + 1
        try:
            yield 0
            await asyncio.Event().wait()
        finally:
            LISTENING["quiet"] -= 1

    @strawberry.subscription
    async def listener(self, info: Info) -> AsyncIterator[Seen]:
        yield seen(info, "dice")


# ----------------------------------------------------------------------------------------------- character
@strawberry.federation.type(keys=["id"])
class Character:
    id: strawberry.ID
    name: str

    @classmethod
    def resolve_reference(cls, id: strawberry.ID) -> "Character":
        return cls(id=id, name=f"Hero of {id}")


@strawberry.type(name="Query")
class CharacterQuery:
    @strawberry.field
    def character(self, id: strawberry.ID) -> Character | None:
        return Character.resolve_reference(id)

    @strawberry.field
    def character_saw(self, info: Info) -> Seen | None:
        return seen(info, "character")


class LineFeedEvents(SSETransport):
    """Events as the gateway's runtime reads them: it splits at LF only."""

    def encode_event(self, event: str, data: str | None = None) -> str:
        return super().encode_event(event, data).replace("\r\n", "\n")

    def encode_comment(self, comment: str) -> str:
        return super().encode_comment(comment).replace("\r\n", "\n")


class View(GraphQL[Any, Any]):
    stream_transport_classes_by_protocol: ClassVar[Mapping[str, type[HTTPStreamTransport]]] = {
        GRAPHQL_SSE_PROTOCOL: LineFeedEvents
    }

    async def process_result(self, request: Any, result: Any) -> Any:
        out = await super().process_result(request, result)
        return {**out, "extensions": {"secret": True}} if hasattr(request.state, "secret") else out

    def encode_json(self, data: object) -> str:
        # Not only ASCII, as orjson writes it: letters of several bytes may be cut between two reads.
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


EXTENSIONS = [ParserCache(maxsize=100), ValidationCache(maxsize=100)]
SCHEMAS = {
    "dice": lambda: Schema(
        query=DiceQuery,
        mutation=DiceMutation,
        subscription=DiceSubscription,
        federation_version="2.9",
        extensions=EXTENSIONS,
    ),
    "character": lambda: Schema(query=CharacterQuery, federation_version="2.9", extensions=EXTENSIONS),
}


class Signed:
    """Refuses requests without a valid token for this audience, as the real services do."""

    def __init__(self, app: Any, audience: str) -> None:
        self.app, self.audience = app, audience

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        try:
            claims = claims_of(request, self.audience)
        except jwt.InvalidTokenError as error:
            refused = {"errors": [{"message": str(error), "extensions": {"code": "UNSIGNED"}}]}
            await JSONResponse(refused, status_code=401)(scope, receive, send)
            return
        request.state.claims = claims
        await self.app(scope, receive, send)


def subgraph(name: str) -> Any:
    view = View(
        SCHEMAS[name](),
        graphql_ide=None,
        subscription_protocols=[GRAPHQL_SSE_PROTOCOL],
    )
    signed = Signed(Starlette(routes=[Mount("/graphql", view), Route("/graphql", view)]), name)
    return Starlette(routes=[Route("/test/listening", listening), Mount("/", signed)])


async def listening(request: Request) -> Response:
    return JSONResponse(LISTENING)


# ------------------------------------------------------------------------------------------------- account
KEYS: dict[str, dict[str, Any]] = {
    "hf_live_alice_s3cret": {"account": "acc_alice", "key": "key_alice", "scopes": ["read", "write"]},
    "hf_live_bob_s3cret": {"account": "acc_bob", "key": "key_bob", "scopes": ["read"]},
    "hf_live_bounded_s3cret": {
        "account": "acc_bounded",
        "key": "key_bounded",
        "scopes": ["read"],
        "limit": {"capacity": 60, "refillPerSecond": 1},
    },
    "hf_live_unbounded_s3cret": {"account": "acc_bounded", "key": "key_unbounded", "scopes": ["read"]},
    "hf_live_poor_s3cret": {"account": "acc_poor", "key": "key_poor", "scopes": ["read"]},
} | {
    # One owner, and so one bucket, for each connection of a load test.
    f"hf_live_load{number}_s3cret": {
        "account": f"acc_load{number}",
        "key": f"key_{number}",
        "scopes": ["read"],
    }
    for number in range(64)
}
REVOKED: set[str] = set()
LOOKUPS: dict[str, int] = {}
QUESTIONS: list[list[str]] = []
ABORTED: list[str] = []
SEEN: list[str] = []
"""Paths of the requests that were echoed."""


TICKETED = "/graphql?query=subscription%20%7B%20quiet%20%7D"
"""The address that tickets are good at."""


async def principal(request: Request) -> Response:
    claims = claims_of(request, "account")
    assert claims["svc"] is True and claims["sub"] == "anonymous"
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key.startswith("Ticket "):
        # A toy's ticket is the name of a key, good at the address whose digest comes with it.
        ticket, _, digest = key.removeprefix("Ticket ").partition(".")
        if digest != hashlib.sha256(TICKETED.encode()).hexdigest():
            return JSONResponse({"code": "TICKET_UNKNOWN", "message": "Of another address."}, 401)
        key = ticket
    LOOKUPS[key] = LOOKUPS.get(key, 0) + 1
    await asyncio.sleep(0.01)
    if key in REVOKED:
        return JSONResponse({"code": "KEY_REVOKED", "message": "This key was revoked."}, 401)
    if key not in KEYS:
        return JSONResponse({"code": "KEY_UNKNOWN", "message": "There is no such key."}, 401)
    return JSONResponse({"expiresAt": None, **KEYS[key]})


async def ended(request: Request) -> Response:
    asked = (await request.json())["keys"]
    QUESTIONS.append(asked)
    names = {found["key"]: name for name, found in KEYS.items()}
    gone = [key for key in asked if names[key] in REVOKED]
    return JSONResponse(
        {"ended": [{"key": key, "code": "KEY_REVOKED", "message": "This key was revoked."} for key in gone]}
    )


async def questions(request: Request) -> Response:
    return JSONResponse(QUESTIONS)


async def revoke(request: Request) -> Response:
    key = request.path_params["key"]
    (REVOKED.discard if request.method == "DELETE" else REVOKED.add)(key)
    return JSONResponse({"lookups": LOOKUPS.get(key, 0)})


async def expire(request: Request) -> Response:
    KEYS[request.path_params["key"]]["expiresAt"] = (await request.body()).decode()
    return Response()


async def echo(request: Request) -> Response:
    SEEN.append(request.url.path)
    body = await request.body()
    headers = {
        "etag": '"v1"',
        "x-extra": "1",
        "connection": "x-extra",
        "access-control-allow-origin": "evil",
        "x-hearthforge-charged": "1",
    }
    answer = {
        "method": request.method,
        "path": request.url.path,
        "query": request.url.query,
        "headers": dict(request.headers),
        "body": body.decode("latin-1"),
    }
    return JSONResponse(answer, 418 if request.method == "PUT" else 200, headers)


async def stream(request: Request) -> Response:
    count = int(request.query_params.get("count", "10000"))

    async def chunks() -> AsyncIterator[bytes]:
        try:
            for number in range(count):
                yield f"{number}\n".encode()
                await asyncio.sleep(0.02)
        except asyncio.CancelledError:
            ABORTED.append("stream")
            raise

    return StreamingResponse(chunks(), media_type="text/plain")


async def large(request: Request) -> Response:
    count = int(request.query_params["megabytes"]) * 16

    async def chunks() -> AsyncIterator[bytes]:
        try:
            for _ in range(count):
                yield b"x" * 65_536
                await asyncio.sleep(0)  # what is sent to nobody waits for nothing: here its end is heard
        except asyncio.CancelledError:
            ABORTED.append(request.query_params.get("name", ""))
            raise

    return StreamingResponse(chunks(), media_type="text/plain")


async def text(request: Request) -> Response:
    """A text of a length, with the headers that are asked for."""
    asked = dict(request.query_params)
    body = ("lorem ipsum " * (int(asked.pop("length")) // 12 + 1))[: int(request.query_params["length"])]
    media_type = asked.pop("type", "application/json")
    held = request.headers.get("if-none-match")
    if held is not None and held == asked.get("etag"):
        return Response(None, 304, asked)
    content = b"" if request.method == "HEAD" else body.encode()
    return Response(content, 200, {"content-length": str(len(body)), **asked}, media_type)


async def aborted(request: Request) -> Response:
    return JSONResponse(ABORTED)


async def seen_paths(request: Request) -> Response:
    seen = SEEN.copy()
    SEEN.clear()
    return JSONResponse(seen)


async def secret(request: Request) -> Response:
    return JSONResponse({"secret": request.url.path})


account = Starlette(
    routes=[
        Route("/internal/principal", principal),
        Route("/internal/keys/ended", ended, methods=["POST"]),
        Route("/test/questions", questions),
        Route("/internal/{rest:path}", secret),
        Route("/metrics", secret),
        Route("/graphql", secret, methods=["GET", "POST"]),
        Route("/test/keys/{key}", revoke, methods=["GET", "POST", "DELETE"]),
        Route("/test/keys/{key}/expiry", expire, methods=["POST"]),
        Route("/test/aborted", aborted),
        Route("/test/seen", seen_paths),
        Route("/v1/stream", stream),
        Route("/v1/large", large),
        Route("/v1/text", text),
        Route("/{rest:path}", echo, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    ]
)


def main() -> None:
    if sys.argv[1] == "--schema":
        for name, make in SCHEMAS.items():
            (Path(sys.argv[2]) / f"{name}.graphql").write_text(make().as_str())
        return
    name, port = sys.argv[1], int(sys.argv[2])
    app = account if name == "account" else subgraph(name)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
