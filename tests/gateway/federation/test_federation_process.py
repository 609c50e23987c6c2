"""The gateway as a process: starting, refusing to start, being watched, stopping."""

import json
import shutil
import signal
import socket
import time
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.gateway.federation.toy_house import Gateway, ToyHouse, until


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"HEARTHFORGE_PRIVATE_KEY": "short"},
            "HEARTHFORGE_PRIVATE_KEY must be a private Ed25519 key, PKCS #8 in base64",
        ),
        ({"HEARTHFORGE_DICE_URL": ""}, "HEARTHFORGE_DICE_URL is not set"),
        ({"HEARTHFORGE_DICE_URL": "dice:80"}, 'HEARTHFORGE_DICE_URL must be an http address, not "dice:80"'),
        ({"HEARTHFORGE_PORT": "http"}, 'HEARTHFORGE_PORT must be a whole number from 0 to 65535, not "http"'),
        ({"HEARTHFORGE_SCHEMA_DIR": "/nowhere"}, "found in /nowhere"),
        ({"REDIS_URL": "memcached://x"}, "REDIS_URL must begin with unix:// or redis://"),
        ({"HEARTHFORGE_LOG_LEVEL": "loud"}, "HEARTHFORGE_LOG_LEVEL must be one of"),
    ],
)
def test_bad_configuration_is_one_line_and_exit_2(toys: ToyHouse, change: dict[str, str], says: str) -> None:
    ended = toys.run("gateway.mjs", **change)
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert line.startswith("gateway: ")
    assert says in line


def test_taken_port_is_one_line_that_says_what_to_do_and_exit_3(toys: ToyHouse) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = toys.run("gateway.mjs", HEARTHFORGE_PORT=str(port))
    assert ended.returncode == 3
    (line,) = ended.stderr.splitlines()
    assert f"port {port} on 127.0.0.1 is taken" in line
    assert "set HEARTHFORGE_PORT to another port" in line


def broken_schemas(folder: Path, toys: ToyHouse) -> Path:
    folder.mkdir()
    for name in ("dice", "character"):
        text = (toys.folder / "schema" / f"{name}.graphql").read_text()
        (folder / f"{name}.graphql").write_text(text.replace("type PageInfo @shareable", "type PageInfo"))
    character = folder / "character.graphql"
    character.write_text(character.read_text().replace("name: String!", "name: Nothing!"))
    return folder


def test_schemas_that_do_not_fit_are_named(toys: ToyHouse, tmp_path: Path) -> None:
    broken = str(broken_schemas(tmp_path / "schema", toys))
    ended = toys.run("gateway.mjs", HEARTHFORGE_SCHEMA_DIR=broken)
    assert ended.returncode == 2
    assert "Nothing" in ended.stderr
    composed = toys.run("compose.mjs", tmp_path / "super.graphql", HEARTHFORGE_SCHEMA_DIR=broken)
    assert composed.returncode == 1
    assert "Nothing" in composed.stderr
    assert not (tmp_path / "super.graphql").exists()


@pytest.fixture
def composed(toys: ToyHouse, tmp_path: Path) -> Path:
    """A folder of the toys' schemas, and the supergraph that was composed of them."""
    folder = tmp_path / "schema"
    shutil.copytree(toys.folder / "schema", folder)
    made = toys.run("compose.mjs", folder / "supergraph.graphql")
    assert (made.returncode, made.stderr) == (0, "")
    return folder


def test_supergraph_that_lies_there_composed_is_served(toys: ToyHouse, composed: Path) -> None:
    for name in ("dice", "character"):
        (composed / f"{name}.graphql").write_text("type Query { nothingOfThis: Int }")
    with toys.gateway(HEARTHFORGE_SCHEMA_DIR=str(composed)) as gateway:
        answer = gateway.ask('{ roll(id: "rol_1") { total character { name } } }').json()
    assert answer["data"]["roll"]["character"]["name"]
    assert "errors" not in answer


def test_supergraph_made_without_a_subgraph_is_refused(toys: ToyHouse, composed: Path) -> None:
    supergraph = composed / "supergraph.graphql"
    supergraph.write_text(supergraph.read_text().replace("http://dice/graphql", "http://cards/graphql"))
    ended = toys.run("gateway.mjs", HEARTHFORGE_SCHEMA_DIR=str(composed))
    assert ended.returncode == 2
    assert ended.stderr == (
        "gateway: the subgraphs do not compose: supergraph.graphql was made without dice\n"
    )


def test_compose_writes_the_same_supergraph_every_time(toys: ToyHouse, tmp_path: Path) -> None:
    first, second = tmp_path / "1.graphql", tmp_path / "2.graphql"
    for out in (first, second):
        assert toys.run("compose.mjs", out).returncode == 0
    assert first.read_text() == second.read_text()
    assert "join__Graph" in first.read_text()
    assert "127.0.0.1" not in first.read_text()


def test_diff_finds_what_breaks_clients_and_lets_the_deprecated_go(toys: ToyHouse, tmp_path: Path) -> None:
    old = toys.folder / "schema" / "dice.graphql"
    gone, marked = tmp_path / "gone.graphql", tmp_path / "marked.graphql"
    gone.write_text(old.read_text().replace("  total: Int!\n", ""))
    marked.write_text(old.read_text().replace("  total: Int!", '  total: Int! @deprecated(reason: "x")'))
    assert toys.run("diff.mjs", old, old).returncode == 0
    assert toys.run("diff.mjs", old, marked).returncode == 0
    broken = toys.run("diff.mjs", old, gone)
    assert (broken.returncode, broken.stdout) == (
        1,
        "BREAKING Field 'total' was removed from object type 'Roll'\n",
    )
    assert toys.run("diff.mjs", marked, gone).returncode == 0


def test_private_port_tells_health_readiness_and_numbers(gateway: Gateway) -> None:
    gateway.ask("{ hello }")
    assert httpx.get(f"{gateway.admin}/healthz").json() == {"status": "ok"}
    ready = httpx.get(f"{gateway.admin}/readyz")
    assert ready.status_code == 200
    parts = ("supergraph", "redis", "door", "dice", "character")
    assert ready.json()["checks"] == dict.fromkeys(parts, "ok")
    numbers = httpx.get(f"{gateway.admin}/metrics").text
    assert 'hearthforge_gateway_requests_total{route="graphql",method="POST",status="200"}' in numbers
    assert 'hearthforge_gateway_subgraph_seconds_count{subgraph="dice"}' in numbers
    assert "process_cpu_seconds_total" in numbers
    waiting = [line for line in numbers.splitlines() if line.startswith("hearthforge_gateway_admission_")]
    assert sorted(line.split()[0].removeprefix("hearthforge_gateway_admission_") for line in waiting) == [
        "inside",
        "refused_total",
        "waiting",
    ]
    assert httpx.get(f"{gateway.admin}/graphql").status_code == 404


def test_log_has_one_line_a_request_and_no_secrets(gateway: Gateway) -> None:
    key, secret = "hf_live_load7_s3cret", "variable-value-of-a-client"
    mine = "request-of-the-log-test"
    query = "query Named($id: ID!) { roll(id: $id) { id } }"
    gateway.ask(query, key, variables={"id": secret}, headers={"x-request-id": mine})

    def lines() -> list[dict[str, object]]:
        return [line for line in gateway.lines() if line.get("request_id") == mine]

    (line,) = until(lines)
    assert line["event"] == "request"
    assert (line["method"], line["path"], line["status"]) == ("POST", "/graphql", 200)
    assert (line["operation"], line["type"]) == ("Named", "query")
    assert isinstance(line["ms"], int | float)
    text = gateway.log.read_text()
    assert key not in text
    assert secret not in text


def test_log_level_silences_requests(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_LOG_LEVEL="warning") as quiet:
        quiet.ask("{ hello }")
        assert quiet.log.read_text() == ""


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_signal_closes_sockets_and_streams_and_exits_0(toys: ToyHouse, sign: signal.Signals) -> None:
    body = {"query": "subscription { forever }"}
    with (
        toys.gateway() as gateway,
        connect(gateway.socket_url, subprotocols=["graphql-transport-ws"]) as web_socket,  # type: ignore[list-item]
        httpx.stream(
            "POST", f"{gateway.url}/graphql", json=body, headers={"accept": "text/event-stream"}, timeout=10
        ) as stream,
    ):
        web_socket.send(json.dumps({"type": "connection_init"}))
        web_socket.recv(timeout=60)
        lines = stream.iter_lines()
        while "forever" not in next(lines):
            pass
        began = time.monotonic()
        gateway.process.send_signal(sign)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                web_socket.recv(timeout=5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
        assert gateway.process.wait(5) == 0
        assert time.monotonic() - began < 5
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{gateway.url}/v1/echo")


def test_request_under_way_is_answered_before_the_end(toys: ToyHouse) -> None:
    with toys.gateway() as gateway, socket.create_connection(("127.0.0.1", gateway.port), 10) as wire:
        body = json.dumps({"query": "{ slow(seconds: 1) }"})
        head = "POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        wire.sendall(f"{head}content-length: {len(body)}\r\n\r\n{body}".encode())
        until(lambda: 'dice"} 0' not in httpx.get(f"{gateway.admin}/metrics").text)
        gateway.process.terminate()
        answer = b""
        while chunk := wire.recv(65536):
            answer += chunk
        assert b'"slow":"anonymous"' in answer
        assert gateway.process.wait(5) == 0
