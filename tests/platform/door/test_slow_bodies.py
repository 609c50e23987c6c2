"""300 half-sent posts of a stranger without a key: everybody else is answered while they are open."""

import contextlib
import socket
from urllib.parse import urlsplit

from tests.e2e.product import Product

HALF_SENT = 300
HEAD = (
    b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"
)


def test_half_sent_posts_block_nobody(sqlite: Product) -> None:
    address = urlsplit(sqlite.url)
    with contextlib.ExitStack() as holding:
        for _ in range(HALF_SENT):
            wire = socket.create_connection((address.hostname or "", address.port or 0), 10)
            holding.enter_context(wire).sendall(HEAD)
        player = sqlite.sign_up("Mara")
        assert player.get("/v1/me").status_code == 200
        assert player.ask("{ __typename }") == {"__typename": "Query"}
