"""Streams end with their clients, have room of their own, and are bounded for each account and network."""

import contextlib
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.gateway.federation.toy_house import Gateway, ToyHouse, until

ALICE = "hf_live_alice_s3cret"
PROTOCOL: Any = "graphql-transport-ws"
QUIET = "subscription { quiet }"
EVENTS = {"accept": "text/event-stream"}
STREAMS = 5


def listeners(toys: ToyHouse) -> int:
    """Give how many quiet subscriptions the subgraph has open."""
    found = httpx.get(f"http://127.0.0.1:{toys.ports['dice']}/test/listening").json()
    return int(found.get("quiet", 0))


def say(opened: ClientConnection, message: dict[str, Any]) -> None:
    opened.send(json.dumps(message))


def hear(opened: ClientConnection) -> Any:
    return json.loads(opened.recv(timeout=60))


@contextlib.contextmanager
def web_socket(
    gateway: Gateway, key: str | None = None, headers: dict[str, str] | None = None
) -> Iterator[ClientConnection]:
    """A socket that has been acknowledged."""
    with connect(
        gateway.socket_url, subprotocols=[PROTOCOL], additional_headers=headers, close_timeout=1
    ) as opened:
        say(opened, {"type": "connection_init", "payload": {"apiKey": key} if key else {}})
        assert hear(opened) == {"type": "connection_ack"}
        yield opened


def subscribe(opened: ClientConnection, *ids: str, query: str = QUIET) -> list[Any]:
    """Subscribe, and give each one's first answer."""
    for id in ids:
        say(opened, {"id": id, "type": "subscribe", "payload": {"query": query}})
    return [hear(opened) for _ in ids]


def reset(wire: socket.socket) -> None:
    """Close at once, without a word to the other side but RST."""
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wire.close()


def by_complete(gateway: Gateway) -> None:
    with web_socket(gateway, ALICE) as opened:
        ids = [str(number) for number in range(STREAMS)]
        subscribe(opened, *ids)
        for id in ids:
            say(opened, {"id": id, "type": "complete"})
        say(opened, {"type": "ping"})
        assert hear(opened) == {"type": "pong"}


def by_close(gateway: Gateway) -> None:
    for number in range(STREAMS):
        with web_socket(gateway, ALICE) as opened:
            subscribe(opened, str(number))


def by_termination(gateway: Gateway) -> None:
    for number in range(STREAMS):
        with web_socket(gateway, ALICE) as opened:
            subscribe(opened, str(number))
            reset(opened.socket)


def by_disconnected_events(gateway: Gateway) -> None:
    for _ in range(STREAMS):
        body = {"query": QUIET}
        with httpx.stream("POST", f"{gateway.url}/graphql", json=body, headers=EVENTS) as response:
            assert any("quiet" in line for line in response.iter_lines())


def by_complete_before_the_first_event(gateway: Gateway) -> None:
    with web_socket(gateway, ALICE) as opened:
        for number in range(STREAMS):
            say(opened, {"id": str(number), "type": "subscribe", "payload": {"query": QUIET}})
            say(opened, {"id": str(number), "type": "complete"})
        say(opened, {"id": "last", "type": "subscribe", "payload": {"query": "{ hello }"}})
        while hear(opened)["type"] != "complete":
            pass


WAYS: list[Callable[[Gateway], None]] = [
    by_complete,
    by_close,
    by_termination,
    by_disconnected_events,
    by_complete_before_the_first_event,
]


@pytest.mark.parametrize("end", WAYS, ids=lambda way: way.__name__)
def test_ended_stream_ends_at_the_subgraph_within_a_second(
    toys: ToyHouse, gateway: Gateway, end: Callable[[Gateway], None]
) -> None:
    until(lambda: listeners(toys) == 0)
    end(gateway)
    until(lambda: listeners(toys) == 0, within=1.0)
    until(lambda: 'subgraph_streams{subgraph="dice"} 0' in httpx.get(f"{gateway.admin}/metrics").text, 1.0)


def test_silent_network_ends_the_stream(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_PING_SECONDS="1") as gateway, web_socket(gateway, ALICE) as opened:
        subscribe(opened, "1")
        assert listeners(toys) == 1
        # The client's kernel goes on acknowledging what its program never reads: no pong will come.
        opened.recv_events_thread_stopped = True
        opened.protocol.receive_data = lambda data: None  # type: ignore[method-assign]
        until(
            lambda: listeners(toys) == 0, within=9.0
        )  # before the first ping of a gateway that was told nothing


@contextlib.contextmanager
def flooded(gateway: Gateway, room: int) -> Iterator[socket.socket]:
    """A connection with little room, in bytes, on which more events come than anybody could hold."""
    query = f'subscription {{ ticks(count: 1000000, text: "{"x" * 4000}") }}'
    body = json.dumps({"query": query}).encode()
    head = f"POST /graphql HTTP/1.1\r\nhost: gateway\r\ncontent-length: {len(body)}\r\n"
    with socket.socket() as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        wire.settimeout(20)
        wire.connect(("127.0.0.1", gateway.port))
        kind = "content-type: application/json\r\naccept: text/event-stream\r\n\r\n"
        wire.sendall(f"{head}{kind}".encode() + body)
        assert b" 200 " in wire.recv(1024)
        yield wire


def streaming(gateway: Gateway) -> bool:
    return 'subgraph_streams{subgraph="dice"} 1' in httpx.get(f"{gateway.admin}/metrics").text


def test_client_that_takes_nothing_of_its_stream_is_let_go(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_UNSENT_SECONDS="1") as gateway, flooded(gateway, 4096) as wire:
        assert streaming(gateway)
        until(lambda: not streaming(gateway), within=20.0)
        with pytest.raises(ConnectionResetError):
            while wire.recv(65536):
                pass
            raise ConnectionResetError  # it was told the end instead
        ended = [line for line in gateway.lines() if line.get("type") == "subscription"]
        assert [line["aborted"] for line in ended] == [True]


def test_client_that_takes_its_stream_slowly_keeps_it(toys: ToyHouse) -> None:
    # The kernel asks for more once a third of its room is free, up to 1.3 MB: as much as comes in a second.
    with toys.gateway(HEARTHFORGE_UNSENT_SECONDS="3") as gateway, flooded(gateway, 65536) as wire:
        end = time.monotonic() + 7
        until(lambda: wire.recv(32768) and time.monotonic() > end)
        assert streaming(gateway)


def test_quiet_streams_silence_no_query_and_a_full_pool_says_so(toys: ToyHouse) -> None:
    small = {"HEARTHFORGE_SUBGRAPH_CONNECTIONS": "2", "HEARTHFORGE_SUBGRAPH_STREAMS": "3"}
    with toys.gateway(**small) as gateway, web_socket(gateway, ALICE) as opened:
        subscribe(opened, "1", "2", "3")
        assert gateway.ask("{ hello }").json()["data"] == {"hello": "x"}
        assert httpx.get(f"{gateway.admin}/readyz").status_code == 200
        (told,) = subscribe(opened, "4")  # no room for it within two seconds
        assert told["type"] == "error"  # and no `complete` after it
        assert told["payload"][0]["extensions"]["code"] == "SUBGRAPH_UNAVAILABLE"
        say(opened, {"id": "1", "type": "complete"})
        until(lambda: listeners(toys) == 2)
        assert subscribe(opened, "5")[0]["payload"]["data"] == {"quiet": 0}


def test_query_without_a_connection_is_503_and_so_is_readiness(toys: ToyHouse) -> None:
    with (
        toys.gateway(HEARTHFORGE_SUBGRAPH_CONNECTIONS="2") as gateway,
        web_socket(gateway, ALICE) as opened,
    ):
        for id in ("1", "2"):
            say(opened, {"id": id, "type": "subscribe", "payload": {"query": "{ slow(seconds: 7) }"}})
        # Until both have their connections a query may still find one.
        refused = until(lambda: (found := gateway.ask("{ hello }")).status_code == 503 and found)
        assert refused.headers["retry-after"] == "1"
        assert refused.json()["errors"][0]["extensions"] == {
            "code": "SUBGRAPH_UNAVAILABLE",
            "service": "dice",
        }
        ready = httpx.get(f"{gateway.admin}/readyz", timeout=10)
        assert ready.status_code == 503
        assert (ready.json()["checks"]["dice"], ready.json()["checks"]["character"]) != ("ok", "ok")
        assert ready.json()["checks"]["character"] == "ok"
        until(lambda: gateway.ask("{ hello }").status_code == 200, within=20.0)
        assert httpx.get(f"{gateway.admin}/readyz").status_code == 200


def test_account_has_100_streams_on_all_transports_together(toys: ToyHouse, gateway: Gateway) -> None:
    key = "hf_live_load10_s3cret"
    with web_socket(gateway, key) as one, web_socket(gateway, key) as other:
        told = subscribe(one, *map(str, range(60))) + subscribe(other, *map(str, range(40)))
        assert {message["type"] for message in told} == {"next"}
        refused = subscribe(other, "more")[0]["payload"][0]["extensions"]
        assert (refused["code"], refused["allowed"]) == ("TOO_MANY_STREAMS", 100)
        over_http = gateway.ask(QUIET, key, headers=EVENTS)
        assert over_http.status_code == 429
        assert int(over_http.headers["retry-after"]) > 0
        assert "TOO_MANY_STREAMS" in over_http.text
        assert gateway.ask("{ hello }", key).status_code == 200
        say(one, {"id": "0", "type": "complete"})
        until(lambda: listeners(toys) == 99)
        assert subscribe(other, "again")[0]["type"] == "next"
    until(lambda: listeners(toys) == 0)


def test_network_has_500_streams(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_TRUSTED_PROXY_HOPS="1") as gateway, ExitStack() as stack:

        def opened(number: int, address: str) -> ClientConnection:
            headers = {"x-forwarded-for": address}
            return stack.enter_context(web_socket(gateway, f"hf_live_load{number}_s3cret", headers))

        for number in range(11, 16):
            told = subscribe(opened(number, f"2001:db8::{number}"), *map(str, range(100)))
            assert {message["type"] for message in told} == {"next"}
        (refused,) = subscribe(opened(16, "2001:db8::1"), "1")
        extensions = refused["payload"][0]["extensions"]
        assert (extensions["code"], extensions["allowed"]) == ("TOO_MANY_STREAMS", 500)
        assert subscribe(opened(16, "2001:db8:0:1::1"), "1")[0]["type"] == "next"
    until(lambda: listeners(toys) == 0)
