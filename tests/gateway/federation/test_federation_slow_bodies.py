"""Requests that never end: whoever sends them holds nothing that another one needs."""

import contextlib
import json
import select
import socket
from collections.abc import Iterator

import httpx
import pytest

from tests.gateway.federation.toy_house import FEDERATION, Gateway, ToyHouse, until

HALF_SENT = 300
PER_NETWORK = 32  # intake.mjs
MANY, OTHER = "192.0.2.7", "198.51.100.9"


@pytest.fixture(scope="module")
def behind_proxy(toys: ToyHouse) -> Iterator[Gateway]:
    """A gateway that believes one proxy in front, so that a test can speak for several addresses."""
    with toys.gateway(HEARTHFORGE_TRUSTED_PROXY_HOPS="1") as running:
        yield running


def half_sent(port: int, path: str, network: str) -> socket.socket:
    """Begin a request whose last byte never comes."""
    wire = socket.create_connection(("127.0.0.1", port), 10)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {network}\r\nContent-Type: application/json\r\n"
    )
    wire.sendall(f"{head}Content-Length: 20\r\n\r\n{{".encode())
    return wire


def ended(wires: list[socket.socket]) -> list[socket.socket]:
    """Those that were answered."""
    return select.select(wires, [], [], 0)[0]


@pytest.mark.parametrize("path", ["/v1/accounts", "/graphql"])
def test_half_sent_posts_hold_up_nobody(toys: ToyHouse, behind_proxy: Gateway, path: str) -> None:
    account = f"http://127.0.0.1:{toys.ports['account']}"
    httpx.get(f"{account}/test/seen")
    with contextlib.ExitStack() as holding:
        wires = [holding.enter_context(half_sent(behind_proxy.port, path, MANY)) for _ in range(HALF_SENT)]
        until(lambda: len(ended(wires)) >= HALF_SENT - PER_NETWORK)
        # Their own network is answered too: what is oldest makes way, not what is new.
        for address in (OTHER, MANY):
            headers = {"x-forwarded-for": address}
            with httpx.Client(base_url=behind_proxy.url, headers=headers, timeout=20) as client:
                assert client.get("/v1/me").status_code == 200
                assert client.post("/v1/accounts", json={"name": "Mara"}).json()["body"] == '{"name":"Mara"}'
                answer = client.post("/graphql", json={"query": "{ hello }"})
                assert answer.json()["data"] == {"hello": "x"}
        waiting = [wire for wire in wires if wire not in ended(wires)]
        assert PER_NETWORK - 4 <= len(waiting) <= PER_NETWORK
        refused = ended(wires)[0].recv(65_536).decode()
        assert refused.startswith("HTTP/1.1 408 ")
        assert "REQUEST_TIMEOUT" in refused
    # Not one of them was taken any further: what the app saw is what was answered.
    seen = httpx.get(f"{account}/test/seen").json()
    assert sorted(seen) == ["/v1/accounts", "/v1/accounts", "/v1/me", "/v1/me"]


SLOW_SERVER = """
import { createServer } from 'node:http';
import { createIntake } from './intake.mjs';
const intake = createIntake({ graceMs: 200, bytesPerSecond: 1000, heldBytes: 1000 });
const server = createServer((request, response) =>
  intake.read(request, response, { network: 'a', most: 2000 }).then(
    (body) => response.end(String(body.length)),
    (error) => response.writeHead(error.status, { connection: 'close' }).end(error.code),
  ),
).listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume();
"""


@pytest.fixture(scope="module")
def small_intake(toys: ToyHouse) -> Iterator[int]:
    """A server that reads bodies within small limits; yields its port."""
    with toys.node(SLOW_SERVER, FEDERATION) as (process, first_line):
        yield int(first_line)
        assert process.poll() is None


def statuses(port: int, wires: list[tuple[int, int]]) -> list[str]:
    """Send bodies of a length of which only some bytes come, and return what each is answered."""
    with contextlib.ExitStack() as holding:
        opened = []
        for length, sent in wires:
            wire = holding.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            head = f"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
            wire.sendall(head.encode() + b"x" * sent)
            opened.append(wire)
        return [read_all(wire) for wire in opened]


def read_all(wire: socket.socket) -> str:
    received = b""
    with contextlib.suppress(ConnectionResetError):
        while chunk := wire.recv(65_536):
            received += chunk
    return received.decode().splitlines()[0].split(" ")[1]


@pytest.mark.parametrize(
    ("length", "sent", "status"),
    [
        (900, 900, "200"),
        (900, 100, "408"),
        (0, 0, "200"),
        (1500, 1500, "503"),
        (2500, 2500, "413"),
        (10**9, 5, "413"),
    ],
)
def test_body_has_a_time_a_size_and_a_place(small_intake: int, length: int, sent: int, status: str) -> None:
    assert statuses(small_intake, [(length, sent)]) == [status]
    assert statuses(small_intake, [(900, 900)]) == ["200"]  # what was held is free again


def test_bodies_share_what_may_be_held(small_intake: int) -> None:
    assert sorted(statuses(small_intake, [(700, 690), (700, 700)])) == ["408", "503"]


def test_answers_of_refused_bodies_are_problems(behind_proxy: Gateway) -> None:
    answer = httpx.post(f"{behind_proxy.url}/v1/x", content=b"x" * 300_000)
    assert (answer.status_code, json.loads(answer.text)["code"]) == (413, "BODY_TOO_LARGE")
