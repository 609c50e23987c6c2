"""What can be seen from outside: traces when they are asked for, metrics, request ids, health."""

import http.server
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.settings import Settings
from tests.databases import SqliteDatabases
from tests.house import ROOT, environment, free_port, installation

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture
def settings(sqlite_databases: SqliteDatabases, valkey_url: str, tmp_path: Path) -> Settings:
    """Give the settings of a dice service; what can be seen of it does not depend on its kind of database."""
    return installation(tmp_path, valkey_url, {"dice": sqlite_databases.take("dice")}, {})


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes what an OTLP collector would be sent."""

    received: list[tuple[str, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.received.append((self.path, body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    received: list[tuple[str, bytes]] = []
    handler = type("Handler", (Collector,), {"received": received})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", received
    server.shutdown()
    server.server_close()


class Dice:
    """A running dice service."""

    def __init__(self, settings: Settings, folder: Path, *, until: int = 200, **more: str) -> None:
        self.settings = settings
        self.until = until
        self.port = free_port()
        self.log = folder / "dice.log"
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "services.shared.serve", "services.dice.app:create_app"),
                *("--port", str(self.port)),
            ],
            cwd=ROOT,
            env={**environment(settings), **more},
            stdout=self.log.open("wb"),
            stderr=subprocess.STDOUT,
        )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", trust_env=False)
        end = time.monotonic() + 120
        while not self._answers():
            assert time.monotonic() < end and self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return self.client.get("/readyz").status_code == self.until
        except httpx.HTTPError:
            return False

    def ask(self, query: str, **headers: str) -> httpx.Response:
        token = Signer.of("gateway", self.settings).sign("dice", Viewer())
        return self.client.post("/graphql", json={"query": query}, headers={TOKEN_HEADER: token, **headers})

    def stop(self) -> None:
        self.client.close()
        self.process.terminate()
        assert self.process.wait(20) == 0


def test_traces_go_where_the_one_setting_points_and_join_the_callers(
    settings: Settings, tmp_path: Path, collector: tuple[str, list[tuple[str, bytes]]]
) -> None:
    address, received = collector
    dice = Dice(settings, tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=address)
    assert dice.ask("{ __typename }", traceparent=f"00-{TRACE}-00f067aa0ba902b7-01").status_code == 200
    dice.stop()
    assert {path for path, _body in received} == {"/v1/traces"}
    spans = b"".join(body for _path, body in received)
    assert bytes.fromhex(TRACE) in spans
    assert b"hearthforge-dice" in spans


def test_without_the_setting_nothing_is_traced_and_all_else_can_be_seen(
    settings: Settings, tmp_path: Path
) -> None:
    dice = Dice(settings, tmp_path)
    assert (
        dice.ask("{ __typename }", **{"x-request-id": "my-request-1"}).headers["x-request-id"]
        == "my-request-1"
    )
    assert dice.ask("{ nothing }", **{"x-request-id": "no good id!"}).headers["x-request-id"] != "no good id!"
    metrics = dice.client.get("/metrics").text
    assert 'hearthforge_http_requests_total{method="POST",service="dice",status="200"} 2.0' in metrics
    assert "hearthforge_graphql_operations_total{" in metrics
    assert dice.client.get("/healthz").json() == {"status": "ok"}
    assert dice.client.get("/readyz").json()["checks"] == {"database": "ok", "redis": "ok"}
    dice.stop()
    lines = [json.loads(line) for line in dice.log.read_text().splitlines() if line.startswith("{")]
    requests = [line for line in lines if line["event"] == "request" and line["path"] == "/graphql"]
    assert next(line["request_id"] for line in requests) == "my-request-1"
    assert all(line["service"] == "dice" and line["status"] == 200 for line in requests)


def test_a_service_that_misses_a_part_lives_but_is_not_ready(settings: Settings, tmp_path: Path) -> None:
    dice = Dice(settings.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"}), tmp_path, until=503)
    answer = dice.client.get("/readyz")
    assert answer.json()["checks"]["database"] == "ok"
    assert "Error" in answer.json()["checks"]["redis"]
    assert dice.client.get("/healthz").status_code == 200
    dice.stop()
