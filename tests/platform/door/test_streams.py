"""Streams of the whole product end at their services with their clients."""

import json
import socket as raw
import struct
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.e2e.product import Person, Product, listening, socket, until
from tests.e2e.table import found_campaign

LOG = "subscription ($id: ID!) { campaignLog(campaignId: $id) { seq } }"
STREAMS = 5


def live(product: Product) -> int:
    """Count the streams that the gateway has open at the services."""
    port = product.environment["HEARTHFORGE_GATEWAY_ADMIN_PORT"]
    lines = httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()
    counts = [line.split()[-1] for line in lines if line.startswith("hearthforge_gateway_subgraph_streams{")]
    return sum(map(int, counts))


def established(product: Product, service: str) -> int:
    """Count the connections that a service holds, by what the kernel says of its port (Linux)."""
    port = int(product.inside(service).rpartition(":")[2])
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[3] == "01" and int(row[1].rpartition(":")[2], 16) == port for row in rows)


def complete(person: Person, campaign: str) -> None:
    with socket(person) as opened:
        for number in range(STREAMS):
            payload = {"query": LOG, "variables": {"id": campaign}}
            opened.send(json.dumps({"id": str(number), "type": "subscribe", "payload": payload}))
        until(lambda: live(person.product) == STREAMS, "the streams to begin")
        for number in range(STREAMS):
            opened.send(json.dumps({"id": str(number), "type": "complete"}))
        until(lambda: live(person.product) == 0, "completed streams to end", seconds=1)


def close(person: Person, campaign: str) -> None:
    with listening(person, "websocket", LOG, id=campaign):
        until(lambda: live(person.product) == 1, "the stream to begin")


def terminate(person: Person, campaign: str) -> None:
    with socket(person) as opened:
        payload = {"query": LOG, "variables": {"id": campaign}}
        opened.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
        until(lambda: live(person.product) == 1, "the stream to begin")
        opened.socket.setsockopt(raw.SOL_SOCKET, raw.SO_LINGER, struct.pack("ii", 1, 0))
        opened.socket.close()


def disconnect(person: Person, campaign: str) -> None:
    with listening(person, "sse", LOG, id=campaign):
        until(lambda: live(person.product) == 1, "the stream to begin")


@pytest.mark.parametrize("end", [complete, close, terminate, disconnect], ids=lambda way: way.__name__)
def test_quiet_stream_ends_with_its_client(sqlite: Product, end: Callable[[Person, str], None]) -> None:
    gm = sqlite.sign_up()
    campaign = found_campaign(gm)
    until(lambda: live(sqlite) == 0, "streams of other tests to end")
    for _ in range(3):
        end(gm, campaign)
        until(lambda: live(sqlite) == 0, "the stream to end", seconds=1)
    # What the gateway counts as ended is gone for the service too: its idle connections last five seconds.
    until(lambda: established(sqlite, "campaign") <= 30, "the service's connections to close", seconds=8)


def test_readiness_asks_over_the_connections_of_clients(sqlite: Product) -> None:
    answer = sqlite.http.get(f"{sqlite.url}/readyz").json()
    assert answer["checks"]["gateway"] == "ok"
    port = sqlite.environment["HEARTHFORGE_GATEWAY_ADMIN_PORT"]
    checks = httpx.get(f"http://127.0.0.1:{port}/readyz").json()["checks"]
    services = ("account", "dice", "character", "campaign", "map")
    assert {name: checks[name] for name in services} == dict.fromkeys(services, "ok")
