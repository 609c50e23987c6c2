"""A key that ends takes its sockets and streams with it, within two seconds, on every transport."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import redis
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.gateway.federation.toy_house import Gateway, ToyHouse, until
from tests.gateway.federation.toy_subgraph import TICKETED

PROTOCOL: Any = "graphql-transport-ws"
QUIET = "subscription { quiet }"
ENDED_SECONDS = 2.0


@contextlib.contextmanager
def revocable(toys: ToyHouse, key: str) -> Iterator[Callable[[], None]]:
    """A key that can be revoked at the account app, which tells nobody of it; afterwards it is good again."""
    address = f"http://127.0.0.1:{toys.ports['account']}/test/keys/{key}"

    def revoke() -> None:
        httpx.post(address).raise_for_status()

    try:
        yield revoke
    finally:
        httpx.delete(address)


def publish(toys: ToyHouse, key_id: str) -> None:
    """Publish that a key was revoked, as the account service does."""
    with redis.Redis.from_url(toys.redis) as client:
        payload = json.dumps({"id": key_id, "account": "acc"})
        client.xadd("hf:events:account", {"kind": "key.revoked", "topic": "account:acc", "payload": payload})


@contextlib.contextmanager
def web_socket(gateway: Gateway, key: str) -> Iterator[ClientConnection]:
    """A socket with a quiet subscription."""
    with connect(gateway.socket_url, subprotocols=[PROTOCOL], close_timeout=1) as opened:
        opened.send(json.dumps({"type": "connection_init", "payload": {"apiKey": key}}))
        assert json.loads(opened.recv(timeout=60)) == {"type": "connection_ack"}
        opened.send(json.dumps({"id": "1", "type": "subscribe", "payload": {"query": QUIET}}))
        assert json.loads(opened.recv(timeout=60))["type"] == "next"
        yield opened


@contextlib.contextmanager
def events(gateway: Gateway, key: str) -> Iterator[Iterator[str]]:
    """The lines of a quiet subscription, from the first event on."""
    headers = {"accept": "text/event-stream", "authorization": f"Bearer {key}"}
    with httpx.stream(
        "POST", f"{gateway.url}/graphql", json={"query": QUIET}, headers=headers, timeout=20
    ) as response:
        lines = response.iter_lines()
        assert any("quiet" in line for line in lines)
        yield lines


def assert_both_end(opened: ClientConnection, lines: Iterator[str], reason: str) -> None:
    began = time.monotonic()
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            opened.recv(timeout=10)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4403, reason)
    told = [json.loads(line[5:]) for line in lines if line.startswith("data:") and len(line) > 6]
    assert told[-1]["errors"][0]["extensions"] == {"code": "UNAUTHENTICATED", "reason": reason}
    assert time.monotonic() - began < ENDED_SECONDS


def test_news_of_a_revoked_key_end_its_socket_and_its_stream(toys: ToyHouse, gateway: Gateway) -> None:
    key = "hf_live_load20_s3cret"
    with revocable(toys, key) as revoke, web_socket(gateway, key) as opened, events(gateway, key) as lines:
        # The account app still says that it is good: only the news can have ended them.
        publish(toys, "key_20")
        assert_both_end(opened, lines, "KEY_REVOKED")
        revoke()
        publish(toys, "key_20")
        until(lambda: gateway.ask("{ hello }", key).status_code == 401, within=ENDED_SECONDS)


def test_revoked_key_ends_without_news_too_by_one_question_for_all(toys: ToyHouse) -> None:
    key, other = "hf_live_load21_s3cret", "hf_live_load22_s3cret"
    with (
        toys.gateway(REDIS_URL=f"unix://{toys.folder}/nobody.sock?db=0") as gateway,
        revocable(toys, key) as revoke,
        web_socket(gateway, key) as opened,
        events(gateway, key) as lines,
        web_socket(gateway, other) as kept,
    ):
        until(lambda: gateway.process.poll() is None)
        revoke()
        assert_both_end(opened, lines, "KEY_REVOKED")
        kept.send('{"type":"ping"}')
        assert json.loads(kept.recv(timeout=60)) == {"type": "pong"}
        questions = httpx.get(f"http://127.0.0.1:{toys.ports['account']}/test/questions").json()
        assert all(len(set(asked)) == len(asked) for asked in questions)
        assert ["key_21", "key_22"] in questions


def test_key_that_expires_ends_its_socket_and_its_stream(toys: ToyHouse, gateway: Gateway) -> None:
    key = "hf_live_load23_s3cret"
    until_then = datetime.now(UTC) + timedelta(seconds=3)
    address = f"http://127.0.0.1:{toys.ports['account']}/test/keys/{key}/expiry"
    httpx.post(address, content=until_then.isoformat()).raise_for_status()
    with web_socket(gateway, key) as opened, events(gateway, key) as lines:
        while datetime.now(UTC) < until_then:
            time.sleep(0.05)
        assert_both_end(opened, lines, "KEY_EXPIRED")


@contextlib.contextmanager
def event_source(gateway: Gateway, target: str) -> Iterator[httpx.Response]:
    """What an ``EventSource`` does: a GET without a header of its own."""
    with httpx.stream(
        "GET", f"{gateway.url}{target}", headers={"accept": "text/event-stream"}, timeout=20
    ) as response:
        yield response


def test_a_ticket_opens_a_stream_at_its_address_until_its_key_ends(toys: ToyHouse, gateway: Gateway) -> None:
    key = "hf_live_load24_s3cret"
    with revocable(toys, key) as revoke, event_source(gateway, f"{TICKETED}&ticket={key}") as response:
        assert response.status_code == 200 and response.headers["referrer-policy"] == "no-referrer"
        lines = response.iter_lines()
        assert any("quiet" in line for line in lines)
        other = TICKETED.replace("quiet", "hello").replace("subscription", "query")
        refused = httpx.get(f"{gateway.url}{other}&ticket={key}", headers={"accept": "application/json"})
        assert (refused.status_code, refused.json()["errors"][0]["extensions"]["reason"]) == (
            401,
            "TICKET_UNKNOWN",
        )
        revoke()
        publish(toys, "key_24")
        told = [json.loads(line[5:]) for line in lines if line.startswith("data:") and len(line) > 6]
        assert told[-1]["errors"][0]["extensions"] == {"code": "UNAUTHENTICATED", "reason": "KEY_REVOKED"}
