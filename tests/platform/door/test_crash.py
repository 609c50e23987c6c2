"""No path of a single GET ends the gateway, however it is encoded."""

from urllib.parse import urlsplit

from tests.e2e.product import Product
from tests.gateway.federation.framing import ask, exchange

TARGETS = ["/%25", "/%E0%A4%A", "/%ff", "/%", "/%%25", "/%2525", "/%c0%ae%c0%ae/x", "//", "/\\", "*"]
INSIDE = [
    "/internal/principal",
    "/%2569nternal/principal",
    "/v1/..%2finternal/principal",
    "//internal/principal",
    "/internal;x/principal",
    "/%6detrics",
]


def test_gateway_outlives_every_path(sqlite: Product) -> None:
    before = sqlite.pid("gateway")
    port = urlsplit(sqlite.url).port
    assert port is not None
    for target in TARGETS + INSIDE:
        head = f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        (answer,) = ask(port, exchange(head.encode()))
        assert answer.status in {400, 404}, target
        assert answer.headers["content-type"] == "application/problem+json", target
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert sqlite.pid("gateway") == before
    assert sqlite.ready()
