"""Upgrades by raw sockets: whatever they ask and however they end, the gateway lives and keeps nothing."""

import base64
import contextlib
import json
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.gateway.federation.toy_house import Gateway, ToyHouse, until

ALICE = "hf_live_alice_s3cret"
PROTOCOL: Any = "graphql-transport-ws"
ROUNDS = 20


def upgrade(path: str = "/graphql", method: str = "GET", **headers: str) -> bytes:
    """Write the request for a WebSocket, with changes to its headers."""
    named = {
        "host": "x",
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": base64.b64encode(bytes(16)).decode(),
        "sec-websocket-protocol": "graphql-transport-ws",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items() if value)
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode()


@contextlib.contextmanager
def wire(gateway: Gateway) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", gateway.port), 10) as opened:
        yield opened


def reset(opened: socket.socket) -> None:
    """Close with RST."""
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    opened.close()


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """Write a masked frame of up to 125 bytes; the mask is zero."""
    return bytes([(0x80 if fin else 0) | opcode, 0x80 | len(payload)]) + bytes(4) + payload


def sockets(gateway: Gateway) -> int:
    """Give how many WebSockets are open."""
    lines = httpx.get(f"{gateway.admin}/metrics").text.splitlines()
    (found,) = [line for line in lines if line.startswith("hearthforge_gateway_websockets ")]
    return int(found.split()[1])


def alive(gateway: Gateway) -> bool:
    return gateway.process.poll() is None and gateway.ask("{ hello }").status_code == 200


@pytest.mark.parametrize(
    "request_",
    [
        upgrade("/"),
        upgrade("/v1/ws"),
        upgrade("/graphql/"),
        upgrade("//graphql"),
        upgrade("/%25"),
        upgrade("*"),
        upgrade("http://x/graphql"),
        upgrade("/graphql", sec_websocket_version="12"),
        upgrade("/graphql", sec_websocket_version=""),
        upgrade("/graphql", sec_websocket_key="short"),
        upgrade("/graphql", sec_websocket_key=""),
        upgrade("/graphql", sec_websocket_protocol="a,,b"),
        upgrade("/graphql", "POST", content_length="0"),
        upgrade("/graphql"),
        upgrade("/graphql")[:-40],
        upgrade("/graphql") + frame(1, b'{"type":"connection_init"}'),
        upgrade("/graphql") + frame(9) * 50,
        upgrade("/v1/ws") + b"\x00" * 5000,
    ],
    ids=lambda request_: request_[:60].decode("latin-1").strip().replace("\r\n", " "),
)
def test_reset_in_the_middle_of_an_upgrade_ends_nothing(gateway: Gateway, request_: bytes) -> None:
    for _ in range(ROUNDS):
        with wire(gateway) as opened:
            opened.sendall(request_)
            reset(opened)
    for _ in range(3):
        with wire(gateway) as opened:
            opened.sendall(request_)
            with contextlib.suppress(ConnectionResetError, TimeoutError):
                opened.settimeout(0.2)
                opened.recv(10)
            reset(opened)
    assert alive(gateway)
    until(lambda: sockets(gateway) == 0)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (upgrade("/v1/ws"), 404),
        (upgrade("//graphql"), 404),
        (upgrade("/graphql", sec_websocket_version="12"), 400),
        (upgrade("/graphql", sec_websocket_key="short"), 400),
        (upgrade("/graphql", "POST", content_length="0"), 405),
    ],
)
def test_bad_upgrade_is_answered_and_closed_for_a_client_that_never_closes(
    gateway: Gateway, request_: bytes, status: int
) -> None:
    with wire(gateway) as opened:
        opened.sendall(request_)
        answer = b""
        while chunk := opened.recv(4096):  # ends when the gateway closes
            answer += chunk
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


# How many, and how much


@contextlib.contextmanager
def web_socket(gateway: Gateway, address: str, key: str | None = None) -> Iterator[ClientConnection]:
    headers = {"x-forwarded-for": address}
    with connect(
        gateway.socket_url, subprotocols=[PROTOCOL], additional_headers=headers, close_timeout=1
    ) as opened:
        opened.send(json.dumps({"type": "connection_init", "payload": {"apiKey": key} if key else {}}))
        assert json.loads(opened.recv(timeout=60)) == {"type": "connection_ack"}
        yield opened


@pytest.fixture(scope="module")
def proxied(toys: ToyHouse) -> Iterator[Gateway]:
    """A gateway behind a proxy: requests name the address that they come from."""
    with toys.gateway(HEARTHFORGE_TRUSTED_PROXY_HOPS="1") as running:
        yield running


def test_network_has_50_sockets_without_a_key_and_room_for_keys_beside_them(proxied: Gateway) -> None:
    with ExitStack() as stack:
        for number in range(50):
            stack.enter_context(web_socket(proxied, f"2001:db8:0:50::{number:x}"))
        with (
            pytest.raises(ConnectionClosed) as refused,
            web_socket(proxied, "2001:db8:0:50::ffff") as more,
        ):
            more.recv(timeout=60)
        assert refused.value.rcvd is not None
        assert refused.value.rcvd.code == 1013
        stack.enter_context(web_socket(proxied, "2001:db8:0:50::ffff", ALICE))
        stack.enter_context(web_socket(proxied, "2001:db8:0:51::1"))


def test_more_sockets_than_a_network_may_have_are_429(proxied: Gateway) -> None:
    request = upgrade(x_forwarded_for="2001:db8:0:60::1")
    with ExitStack() as stack:
        statuses: list[bytes] = []
        for _ in range(302):  # none of them says who it is
            opened = stack.enter_context(wire(proxied))
            opened.sendall(request)
            statuses.append(opened.recv(4096).split(b"\r\n\r\n")[0])
        assert statuses[0].startswith(b"HTTP/1.1 101")
        assert statuses[-1].startswith(b"HTTP/1.1 429")
        assert b"\r\nretry-after: " in statuses[-1]
        with web_socket(proxied, "2001:db8:0:61::1"):
            pass
    until(lambda: sockets(proxied) == 0)


def flood(opened: ClientConnection, name: str) -> None:
    """Send what costs the client next to nothing, without end."""
    for _ in range(2000):
        match name:
            case "ping messages":
                opened.send('{"type":"ping"}')
            case "pong messages":
                opened.send('{"type":"pong"}')
            case "completes of nothing":
                opened.send('{"type":"complete","id":"1"}')
            case "ping frames":
                opened.socket.sendall(frame(9, b"x" * 100) * 20)
            case "pong frames":
                opened.socket.sendall(frame(10) * 20)
            case "large pings":
                opened.send(json.dumps({"type": "ping", "payload": {"x": "x" * 200_000}}))
            case "operations":
                payload = {"query": "{ __typename }"}
                opened.send(json.dumps({"type": "subscribe", "id": os.urandom(4).hex(), "payload": payload}))


FLOODS = [
    "ping messages",
    "pong messages",
    "completes of nothing",
    "ping frames",
    "pong frames",
    "large pings",
    "operations",
]


@pytest.mark.parametrize("name", FLOODS)
def test_flood_of_messages_closes_the_socket(proxied: Gateway, name: str) -> None:
    address = f"2001:db8:0:7{FLOODS.index(name)}::1"
    with web_socket(proxied, address) as opened:
        with contextlib.suppress(ConnectionClosed, OSError):
            flood(opened, name)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                opened.recv(timeout=60)
        if closed.value.rcvd is not None:  # a reset may overtake it when the client does not stop
            assert closed.value.rcvd.code == 1008
    assert alive(proxied)


def test_ordinary_number_of_messages_is_let_through(proxied: Gateway) -> None:
    with web_socket(proxied, "2001:db8:0:80::1", ALICE) as opened:
        for _ in range(300):
            opened.send('{"type":"ping"}')
            assert json.loads(opened.recv(timeout=60)) == {"type": "pong"}
        payload = {"query": "{ diceSaw { subject } }"}
        opened.send(json.dumps({"type": "subscribe", "id": "1", "payload": payload}))
        told = json.loads(opened.recv(timeout=60))["payload"]
        assert told["data"]["diceSaw"]["subject"] == "acc_alice"
        # Messages have their own price: an operation costs what it costs.
        assert told["extensions"]["cost"]["requested"] == 1
