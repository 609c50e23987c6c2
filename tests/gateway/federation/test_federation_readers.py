"""Clients that read their answers slowly: they end, and nobody waits for them."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx

from tests.gateway.federation.conftest import until
from tests.gateway.federation.toy_house import Gateway, ToyHouse

MEGABYTES = 16
"""Of a long answer: more than all buffers on the way hold."""


@contextmanager
def slow_reader(gateway: Gateway, network: str, name: str = "") -> Iterator[socket.socket]:
    """Ask for a long answer, which has a name behind the door, and read no more than how it begins."""
    with socket.socket() as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wire.settimeout(20)
        wire.connect(("127.0.0.1", gateway.port))
        path = f"/v1/large?megabytes={MEGABYTES}&name={name}"
        wire.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {network}\r\n\r\n".encode())
        assert wire.recv(12) == b"HTTP/1.1 200"
        yield wire


def has_ended_early(toys: ToyHouse, name: str) -> bool:
    """Whether the app behind was told that nobody waits for its answer."""
    return name in httpx.get(f"http://127.0.0.1:{toys.ports['account']}/test/aborted").json()


def test_slow_readers_of_four_networks_keep_nobody_waiting(toys: ToyHouse) -> None:
    settings = {"HEARTHFORGE_TRUSTED_PROXY_HOPS": "1"}
    with toys.gateway(**settings) as gateway, ExitStack() as open_wires:
        for network in range(1, 5):
            for _ in range(64):
                open_wires.enter_context(slow_reader(gateway, f"192.0.2.{network}"))
        for network in (*range(1, 5), 5):
            headers = {"x-forwarded-for": f"192.0.2.{network}"}
            answer = httpx.get(f"{gateway.url}/v1/echo", headers=headers, timeout=5)
            assert answer.status_code == 200


def test_oldest_of_too_many_slow_readers_of_a_network_makes_way(toys: ToyHouse, gateway: Gateway) -> None:
    with ExitStack() as open_wires:
        wires = [open_wires.enter_context(slow_reader(gateway, "", f"crowd{n}")) for n in range(17)]
        until(lambda: has_ended_early(toys, "crowd0"), within=15)
        assert ends_early(wires[0])
        assert not has_ended_early(toys, "crowd1")


def ends_early(wire: socket.socket) -> bool:
    """Read what there is, and tell whether that is less than the whole."""
    size = 0
    try:
        while chunk := wire.recv(1 << 20):
            size += len(chunk)
    except ConnectionResetError:
        return True
    return size < MEGABYTES << 20


def test_client_that_reads_nothing_is_let_go(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_UNSENT_SECONDS="1") as gateway, slow_reader(gateway, "", "idle") as wire:
        until(lambda: has_ended_early(toys, "idle"), within=15)
        assert ends_early(wire)


def test_client_that_reads_on_has_the_whole(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_UNSENT_SECONDS="1") as gateway:
        answer = httpx.get(f"{gateway.url}/v1/large", params={"megabytes": MEGABYTES}, timeout=30)
        assert len(answer.content) == MEGABYTES << 20


def test_short_answer_frees_its_place_before_it_is_read(toys: ToyHouse) -> None:
    """Of one network: more clients than it has places, none of which reads what it was answered."""
    with toys.gateway() as gateway, ExitStack() as open_wires:
        for _ in range(80):
            wire = open_wires.enter_context(socket.create_connection(("127.0.0.1", gateway.port), timeout=20))
            wire.sendall(b"GET /v1/echo HTTP/1.1\r\nHost: x\r\n\r\n")
        assert httpx.get(f"{gateway.url}/v1/echo", timeout=5).status_code == 200
