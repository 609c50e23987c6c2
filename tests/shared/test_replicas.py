"""Several processes of one service: which is asked, and what becomes of a request that one could not take."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.shared.auth import Signer, Viewer
from services.shared.http_client import HttpClient, NoAnswer
from services.shared.peers import Peer, PeerUnavailable
from services.shared.process_keys import new_private_key
from services.shared.replicas import AVOIDED_SECONDS, Replicas
from tests.serving import served_here

THREE = "http://a:1, http://b:2/,http://c:3"
A, B, C = "http://a:1", "http://b:2", "http://c:3"
KEYED: Mapping[str, Any] = {"input": {"idempotencyKey": "once"}}


class Hours:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_replicas_are_asked_in_turn() -> None:
    replicas = Replicas(THREE)
    assert [replicas.order() for _ in range(4)] == [[A, B, C], [B, C, A], [C, A, B], [A, B, C]]


def test_a_replica_that_failed_is_asked_last_until_its_time_is_over_or_it_answers() -> None:
    clock = Hours()
    replicas = Replicas(THREE, clock)
    replicas.failed(A)
    assert [replicas.order()[-1] for _ in range(3)] == [A, A, A]
    replicas.answered(A)
    assert replicas.order() == [A, B, C]
    replicas.failed(B)
    clock.now += AVOIDED_SECONDS
    assert replicas.order() == [B, C, A]


def test_replicas_that_all_failed_are_asked_all_the_same() -> None:
    replicas = Replicas(THREE)
    for address in (A, B, C):
        replicas.failed(address)
    assert replicas.order() == [A, B, C]


class Breaking:
    """A replica that takes a request whole, and is killed before it answers.

    Attributes:
        address: where it listens.
        heard: how many requests it took.
    """

    def __init__(self) -> None:
        self.address = ""
        self.heard = 0

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        await reader.readexactly(int(lengths[0].split(b":")[1]) if lengths else 0)
        self.heard += 1
        writer.close()


@pytest.fixture
async def breaking() -> AsyncIterator[Breaking]:
    made = Breaking()
    server = await asyncio.start_server(made.take, "127.0.0.1", 0)
    made.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield made
    server.close()
    await server.wait_closed()


async def answer(_request: Request) -> Response:
    return JSONResponse({"data": {"done": True}})


APP = Starlette(
    routes=[
        Route("/readyz", answer),
        Route("/internal/{rest:path}", answer, methods=["GET", "POST"]),
        Route("/graphql", answer, methods=["POST"]),
    ]
)


@pytest.fixture
async def sound() -> AsyncIterator[str]:
    async with served_here(APP) as port:
        yield f"http://127.0.0.1:{port}"


def nobody() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


@contextlib.asynccontextmanager
async def client_of(*addresses: str) -> AsyncIterator[HttpClient]:
    made = HttpClient(",".join(addresses))
    yield made
    await made.close()


@contextlib.asynccontextmanager
async def peer_of(*addresses: str) -> AsyncIterator[Peer]:
    made = Peer("dice", ",".join(addresses), Signer("campaign", new_private_key(), {}))
    yield made
    await made.close()


async def test_what_cannot_reach_a_replica_is_sent_to_the_next(sound: str) -> None:
    async with client_of(nobody(), nobody(), sound) as client:
        for _ in range(6):
            assert (await client.request("POST", "/internal/rolls", content=b"{}")).status == 200


async def test_without_any_replica_there_is_no_answer() -> None:
    async with client_of(nobody(), nobody()) as client:
        with pytest.raises(NoAnswer, match="ClientConnectorError"):
            await client.request("GET", "/internal/rolls")


async def test_reading_goes_on_at_another_replica_when_one_breaks_off(breaking: Breaking, sound: str) -> None:
    async with client_of(breaking.address, sound) as client:
        assert (await client.request("GET", "/internal/rolls")).status == 200
    once = breaking.heard
    async with client_of(breaking.address, sound) as other, other.stream("GET", "/internal/x") as begun:
        assert begun.status == 200
    assert breaking.heard > once > 0


async def test_what_may_have_been_done_is_not_sent_again_unless_it_may_be_repeated(
    breaking: Breaking, sound: str
) -> None:
    async with client_of(breaking.address, sound) as client:
        with pytest.raises(NoAnswer):
            await client.request("POST", "/internal/rolls", content=b"{}")
        # The one that broke off is asked last now.
        assert (await client.request("POST", "/internal/rolls", content=b"{}")).status == 200
    async with client_of(breaking.address, sound) as client:
        repeated = await client.request("POST", "/internal/rolls", content=b"{}", repeatable=True)
    assert (repeated.status, breaking.heard) == (200, 2)


@pytest.mark.parametrize(
    ("operation", "variables", "repeated"),
    [
        ("query { rolls }", {}, True),
        ("{ rolls }", {}, True),
        ("mutation M($input: I!) { roll(input: $input) }", KEYED, True),
        ("mutation M($input: I!) { roll(input: $input) }", {"input": {"idempotencyKey": None}}, False),
        ("mutation M($input: I!) { roll(input: $input) }", {"input": {}}, False),
        ("mutation M { roll }", {}, False),
    ],
)
async def test_operations_are_repeated_that_read_or_have_a_key(
    breaking: Breaking, sound: str, operation: str, variables: Mapping[str, Any], repeated: bool
) -> None:
    async with peer_of(breaking.address, sound) as peer:
        if repeated:
            assert (await peer.graphql(Viewer(), operation, variables))["data"] == {"done": True}
        else:
            with pytest.raises(PeerUnavailable):
                await peer.graphql(Viewer(), operation, variables)
    assert breaking.heard == 1


async def test_a_service_is_ready_with_one_replica_and_says_which_are_not(sound: str) -> None:
    async with peer_of(sound) as peer:
        assert await peer.ready() == "ok"
    async with peer_of(nobody(), sound, nobody()) as peer:
        assert await peer.ready() == "ok, but dice: no answer, dice-3: no answer"
    async with peer_of(nobody(), nobody()) as peer:
        with pytest.raises(PeerUnavailable, match="no answer"):
            await peer.ready()
