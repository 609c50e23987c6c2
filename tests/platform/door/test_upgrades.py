"""Upgrades by raw sockets at the public port: resets end nothing, and what is refused is closed."""

import socket
import struct
from urllib.parse import urlsplit

import pytest

from tests.e2e.product import Product

HANDSHAKE = (
    "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
    "sec-websocket-version: {version}\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "sec-websocket-protocol: graphql-transport-ws\r\n\r\n"
)


def dial(product: Product) -> socket.socket:
    at = urlsplit(product.url)
    return socket.create_connection((at.hostname, at.port), 10)


def reset(wire: socket.socket) -> None:
    """Close with RST."""
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wire.close()


@pytest.mark.parametrize("path", ["/", "/v1/ws", "/graphql", "/graphql/", "*"])
@pytest.mark.parametrize("cut", [0, 30], ids=["whole", "in the middle"])
def test_reset_after_an_upgrade_ends_nothing(sqlite: Product, path: str, cut: int) -> None:
    gateway = sqlite.pid("gateway")
    request = HANDSHAKE.format(method="GET", path=path, version=13).encode()
    for _ in range(10):
        wire = dial(sqlite)
        wire.sendall(request[: len(request) - cut])
        reset(wire)
    assert sqlite.anonymous().graph("{ __typename }").status_code == 200
    assert sqlite.pid("gateway") == gateway


@pytest.mark.parametrize(
    ("method", "path", "version", "status"),
    [("GET", "/v1/ws", 13, 404), ("GET", "/graphql", 12, 400), ("PUT", "/graphql", 13, 405)],
)
def test_refused_upgrade_is_answered_and_closed(
    sqlite: Product, method: str, path: str, version: int, status: int
) -> None:
    with dial(sqlite) as wire:
        wire.sendall(HANDSHAKE.format(method=method, path=path, version=version).encode())
        answer = b""
        while chunk := wire.recv(4096):  # to the end, which is the gateway's to make
            answer += chunk
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
