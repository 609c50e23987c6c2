"""Through the public port: what hides in a request's body is nobody's request (raw sockets).

The large fuzz of framing lies in tests/gateway/federation/test_federation_framing.py.
"""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from tests.e2e.product import Product
from tests.gateway.federation.framing import Doubtful, ask, exchange

SEED = 15
CONNECTIONS = 60
SIGN_UP = '{"name": "Smuggler"}'
HIDDEN = (
    "POST /v1/accounts HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.9.9.9\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(SIGN_UP)}\r\n\r\n{SIGN_UP}"
)
FRAMINGS = {
    "chunked": f"Transfer-Encoding: chunked\r\n\r\n{len(HIDDEN):x}\r\n{HIDDEN}\r\n0\r\n\r\n",
    "named by Connection": (
        f"Connection: keep-alive, content-length\r\nContent-Length: {len(HIDDEN)}\r\n\r\n{HIDDEN}"
    ),
}


def port_of(product: Product) -> int:
    port = urlsplit(product.url).port
    assert port is not None
    return port


@pytest.mark.parametrize("framing", FRAMINGS.values(), ids=FRAMINGS)
def test_smuggled_sign_up_never_happens(sqlite: Product, framing: str) -> None:
    victim = sqlite.sign_up("Victim")
    own = victim.get("/v1/me").json()
    for _ in range(4):
        head = "GET /v1/dice/keys HTTP/1.1\r\nHost: x\r\n"
        (refused,) = ask(port_of(sqlite), exchange(f"{head}{framing}".encode()))
        assert refused.status == 400
        assert b"hf_live_" not in refused.body
        assert victim.get("/v1/me").json() == own


def test_strangers_bytes_change_no_answer(sqlite: Product) -> None:
    victim = sqlite.sign_up("Victim")
    own = victim.get("/v1/me").json()
    making = Doubtful(SEED)
    sent = [making.connection() for _ in range(CONNECTIONS)]
    with ThreadPoolExecutor(8) as attackers:
        asked = [attackers.submit(ask, port_of(sqlite), one) for one in sent]
        while not all(each.done() for each in asked):
            assert victim.get("/v1/me").json() == own
    for one, each in zip(sent, asked, strict=True):
        answers = each.result()
        assert len(answers) <= max(1, len(one.targets))
        assert all(answer.status < 500 for answer in answers)
        assert not any(b"hf_live_" in answer.body for answer in answers)
