"""Whatever bytes a stranger sends, they are nobody else's request and get nobody else's answer."""

import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.gateway.federation.framing import Answer, Doubtful, Exchange, ask, exchange
from tests.gateway.federation.toy_house import Gateway, ToyHouse

SEED = int(os.environ.get("HEARTHFORGE_FRAMING_SEED", "14"))
REQUESTS = int(os.environ.get("HEARTHFORGE_FRAMING_REQUESTS", "2000"))
CONNECTIONS = REQUESTS * 11 // 20  # with two or three requests each


def seen_by_the_app(toys: ToyHouse) -> set[str]:
    """Paths of all requests that reached the app."""
    return set(httpx.get(f"http://127.0.0.1:{toys.ports['account']}/test/seen", timeout=30).json())


def check(sent: Exchange, received: list[Answer]) -> None:
    """Each answer belongs to the request in its place; an error ends the row."""
    assert len(received) <= max(1, len(sent.targets)), (sent, received)
    for place, answer in enumerate(received):
        assert answer.headers["x-content-type-options"] == "nosniff"
        if answer.status not in {200, 418} or not answer.body:
            continue
        assert json.loads(answer.body)["path"] == sent.targets[place], (sent, received)


class Victim:
    """Asks with a key of its own, and signs up, beside whoever attacks; counts what is not its own."""

    def __init__(self, gateway: Gateway, name: str) -> None:
        self._gateway, self._name = gateway, name
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.asked = 0
        self.foreign: list[str] = []

    def __enter__(self) -> "Victim":
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        own = {"authorization": f"Bearer hf_live_{self._name}_s3cret"}
        with httpx.Client(base_url=self._gateway.url, headers=own, timeout=20) as client:
            while not self._end.is_set():
                self.asked += 1
                mark = f"{self._name}-{self.asked}"
                for answer in (
                    client.get("/v1/me", params={"mark": mark}),
                    client.post("/v1/accounts", params={"mark": mark}, json={"name": mark}),
                ):
                    told = answer.json()
                    mine = told.get("query") == f"mark={mark}" and (
                        told["headers"].get("authorization") == own["authorization"]
                    )
                    if answer.status_code != 200 or not mine:
                        self.foreign.append(answer.text)


@pytest.fixture(scope="module")
def other(toys: ToyHouse) -> Iterator[Gateway]:
    """A gateway whose connections nobody else uses."""
    with toys.gateway() as running:
        yield running


def test_doubtful_framing_never_crosses_between_requests(toys: ToyHouse, other: Gateway) -> None:
    making = Doubtful(SEED)
    sent = [making.connection() for _ in range(CONNECTIONS)]
    assert sum(b"".join(one.sent).count(b"/v1/fuzz/") for one in sent) >= REQUESTS
    seen_by_the_app(toys)
    with (
        Victim(other, "alice") as alice,
        Victim(other, "bob") as bob,
        ThreadPoolExecutor(16) as attackers,
    ):
        received = list(attackers.map(lambda one: ask(other.port, one), sent))
    for one, answers in zip(sent, received, strict=True):
        check(one, answers)
    assert alice.foreign == bob.foreign == []
    assert min(alice.asked, bob.asked) > 20
    allowed = {path for one in sent for path in one.targets} | {"/v1/me", "/v1/accounts"}
    assert seen_by_the_app(toys) - allowed == set()
    answered = sum(answer.status in {200, 418} for answers in received for answer in answers)
    assert answered > CONNECTIONS / 4  # most of it was no mere nonsense
    assert other.process.poll() is None


HIDDEN = "POST /v1/accounts?hidden HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = f"Transfer-Encoding: chunked\r\n\r\n{len(HIDDEN):x}\r\n{HIDDEN}\r\n0\r\n\r\n"
NAMED = f"Connection: keep-alive, content-length\r\nContent-Length: {len(HIDDEN)}\r\n\r\n{HIDDEN}"


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("framing", [CHUNKED, NAMED], ids=["chunked", "named by Connection"])
def test_body_where_none_belongs_is_refused(
    toys: ToyHouse, other: Gateway, method: str, framing: str
) -> None:
    sent = exchange(f"{method} /v1/dice/keys HTTP/1.1\r\nHost: x\r\n{framing}".encode())
    (refused,) = ask(other.port, sent)
    assert refused.status == 400
    assert refused.headers["connection"] == "close"
    assert refused.headers["content-type"] == "application/problem+json"
    seen_by_the_app(toys)
    with httpx.Client(base_url=other.url) as client:
        for number in range(8):
            told = client.get(f"/v1/mine/{number}").json()
            assert told["path"] == f"/v1/mine/{number}"
    assert seen_by_the_app(toys) == {f"/v1/mine/{number}" for number in range(8)}


def test_a_body_of_what_no_path_answers_is_refused_as_such(other: Gateway) -> None:
    sent = exchange(f"TRACE /v1/dice/keys HTTP/1.1\r\nHost: x\r\n{CHUNKED}".encode())
    (refused,) = ask(other.port, sent)
    assert (refused.status, json.loads(refused.body)["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert "GET" in refused.headers["allow"] and "TRACE" not in refused.headers["allow"]
    assert refused.headers["connection"] == "close"


@pytest.mark.parametrize(
    "lines",
    [
        "Host: x\r\nConnection: keep-alive, authorization",
        "Host: x\r\nConnection: x-own",
        "Host: x\r\nHost: y",
        "X: y",
        "Host: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b",
        "Host: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked",
        "Host: x\r\nTransfer-Encoding: gzip, chunked",
        "Host: x\r\nX : y",
        "Host: x\r\nX: a\r\n b",
    ],
)
def test_request_that_can_be_read_in_two_ways_is_a_problem(other: Gateway, lines: str) -> None:
    (refused,) = ask(other.port, exchange(f"POST /v1/x HTTP/1.1\r\n{lines}\r\n\r\n0\r\n\r\n".encode()))
    assert (refused.status, json.loads(refused.body)["code"]) == (400, "BAD_REQUEST")
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.headers["connection"] == "close"
    assert refused.headers["x-content-type-options"] == "nosniff"


def test_headers_without_end_are_refused(other: Gateway) -> None:
    sent = exchange(b"GET /v1/x HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 20_000 + b"\r\n\r\n")
    (refused,) = ask(other.port, sent)
    assert (refused.status, json.loads(refused.body)["code"]) == (431, "HEADERS_TOO_LARGE")


def test_client_that_waits_for_its_continue_hears_it_only_when_its_body_is_wanted(other: Gateway) -> None:
    headers = b"Host: x\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2"
    wanted = b"POST /v1/x HTTP/1.1\r\n" + headers + b"\r\n\r\n{}"
    (answer,) = ask(other.port, exchange(wanted))
    assert json.loads(answer.body)["body"] == "{}"
    unwanted = wanted.replace(b"Content-Length: 2", b"Content-Length: 99999999")
    (refused,) = ask(other.port, exchange(unwanted))
    assert refused.status == 413
