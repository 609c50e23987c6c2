"""WebSockets: the protocol, who is asking, and a close code for every way to misbehave."""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.gateway.federation.toy_house import Gateway, ToyHouse

ALICE = "hf_live_alice_s3cret"
PROTOCOL = "graphql-transport-ws"
INIT = {"type": "connection_init"}


@contextlib.contextmanager
def opened(gateway: Gateway, payload: dict[str, Any] | None = None) -> Iterator[ClientConnection]:
    """A socket that has been acknowledged."""
    with connect(gateway.socket_url, subprotocols=[PROTOCOL]) as socket:
        say(socket, {**INIT, **({"payload": payload} if payload else {})})
        assert hear(socket) == {"type": "connection_ack"}
        yield socket


def say(socket: ClientConnection, message: Any) -> None:
    socket.send(message if isinstance(message, str | bytes) else json.dumps(message))


def hear(socket: ClientConnection) -> Any:
    return json.loads(socket.recv(timeout=60))


def subscribe(query: str, id: str = "1", **payload: Any) -> dict[str, Any]:
    return {"id": id, "type": "subscribe", "payload": {"query": query, **payload}}


def close_code(socket: ClientConnection, within: float = 60) -> int | None:
    """Read until the server closes and give its code."""
    deadline = time.monotonic() + within
    with pytest.raises(ConnectionClosed) as caught:
        while time.monotonic() < deadline:
            socket.recv(timeout=within)
    received = caught.value.rcvd
    return received.code if received else 1006


def answers(socket: ClientConnection, id: str = "1") -> list[Any]:
    """Give the payloads of one operation until it is complete."""
    told = []
    while (message := hear(socket))["type"] != "complete":
        assert message["id"] == id
        told.append(message["payload"])
    return told


def test_query_and_mutation_are_answered(gateway: Gateway) -> None:
    with opened(gateway) as socket:
        say(socket, subscribe("{ hello }"))
        (told,) = answers(socket)
        assert told["data"] == {"hello": "x"}
        assert told["extensions"]["cost"]["requested"] == 1
        assert len(told["extensions"]["requestId"]) >= 8
        say(socket, subscribe("mutation { throw(sides: 6) { id } }"))
        assert answers(socket)[0]["data"] == {"throw": {"id": "rol_d6"}}


def test_subscription_streams_every_event(gateway: Gateway) -> None:
    with opened(gateway) as socket:
        say(socket, subscribe('subscription { ticks(count: 50, text: "würfel-🎲") }'))
        assert [event["data"]["ticks"] for event in answers(socket)] == [f"würfel-🎲 {n}" for n in range(50)]


@pytest.mark.parametrize("payload", [{"authorization": f"Bearer {ALICE}"}, {"apiKey": ALICE}])
def test_key_of_the_init_payload_identifies_every_operation(
    gateway: Gateway, payload: dict[str, str]
) -> None:
    with opened(gateway, payload) as socket:
        say(socket, subscribe("{ diceSaw { subject requestId } characterSaw { subject } }"))
        data = answers(socket)[0]["data"]
        assert data["diceSaw"]["subject"] == data["characterSaw"]["subject"] == "acc_alice"
        say(socket, subscribe("subscription { listener { subject } }"))
        assert answers(socket)[0]["data"] == {"listener": {"subject": "acc_alice"}}


def test_init_payload_cannot_smuggle_headers(gateway: Gateway) -> None:
    with opened(gateway, {"x-hearthforge-token": "evil", "x-evil": "1"}) as socket:
        say(socket, subscribe("{ diceSaw { subject headerNames } }"))
        seen = answers(socket)[0]["data"]["diceSaw"]
        assert seen["subject"] == "anonymous"
        assert "x-evil" not in seen["headerNames"]


def test_errors_carry_codes_and_nothing_of_http(gateway: Gateway) -> None:
    with opened(gateway) as socket:
        for query, code in (
            ("{", "GRAPHQL_PARSE_FAILED"),
            ("{ nope }", "GRAPHQL_VALIDATION_FAILED"),
            ("{" + "hello " * 21 + "}", "QUERY_TOO_LARGE"),
            ("{ rolls(first: 1000) { edges { node { id } } } }", "QUERY_TOO_EXPENSIVE"),
            ("{ forbidden }", "FORBIDDEN"),
            ("{ crash }", "INTERNAL_SERVER_ERROR"),
        ):
            say(socket, subscribe(query))
            (told,) = answers(socket)
            assert told["errors"][0]["extensions"]["code"] == code
            assert "http" not in json.dumps(told)
            assert told["extensions"]["requestId"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("subscription { nope }", "GRAPHQL_VALIDATION_FAILED"),
        ("subscription ($n: Int!) { ticks(count: $n) }", "BAD_USER_INPUT"),
        ("subscription { refused }", "FORBIDDEN"),
    ],
)
def test_a_subscription_that_never_runs_ends_in_an_error_and_in_nothing_else(
    gateway: Gateway, query: str, code: str
) -> None:
    with opened(gateway) as socket:
        say(socket, subscribe(query))
        told = hear(socket)
        assert (told["id"], told["type"]) == ("1", "error")
        extensions = told["payload"][0]["extensions"]
        assert extensions["code"] == code and extensions["requestId"]
        assert "http" not in json.dumps(told)
        # The id is free again, and nothing more is said of the one refused.
        say(socket, subscribe("{ hello }"))
        assert answers(socket)[0]["data"] == {"hello": "x"}


def test_operation_of_too_many_values_is_refused_and_the_next_one_runs(gateway: Gateway) -> None:
    with opened(gateway) as socket:
        say(socket, subscribe("{ hello }", variables={"values": [{}] * 2_001}))
        (told,) = answers(socket)
        error = told["errors"][0]["extensions"]
        assert (error["code"], error["limit"], error["allowed"]) == ("TOO_MANY_VALUES", "elements", 2_000)
        say(socket, subscribe("{ hello }", variables={"values": [{}] * 2_000}))
        assert answers(socket)[0]["data"] == {"hello": "x"}


def test_payload_of_a_wrong_shape_is_an_error_of_that_operation(gateway: Gateway) -> None:
    with opened(gateway) as socket:
        say(socket, subscribe("{ hello }", queryId="1"))
        told = hear(socket)
        assert (told["type"], told["payload"][0]["extensions"]["code"]) == ("error", "BAD_REQUEST")
        say(socket, subscribe("{ hello }"))
        assert answers(socket)[0]["data"] == {"hello": "x"}


DEEP = '{"id":"1","type":"subscribe","payload":{"query":"{hello}","variables":{"a":' + "[" * 5000


def two_inits(socket: ClientConnection) -> None:
    say(socket, INIT)
    say(socket, INIT)


def init_then(frame: Any) -> Callable[[ClientConnection], None]:
    def act(socket: ClientConnection) -> None:
        say(socket, INIT)
        say(socket, frame)

    return act


def same_id_twice(socket: ClientConnection) -> None:
    say(socket, INIT)
    hear(socket)
    say(socket, subscribe("subscription { forever }"))
    say(socket, subscribe("subscription { forever }"))


MISBEHAVIOUR: dict[str, tuple[int, Callable[[ClientConnection], None]]] = {
    "array": (4400, lambda socket: say(socket, "[]")),
    "string": (4400, lambda socket: say(socket, '"hello"')),
    "no JSON": (4400, lambda socket: say(socket, "hello")),
    "empty": (4400, lambda socket: say(socket, "")),
    "null": (4400, lambda socket: say(socket, "null")),
    "unknown type": (4400, lambda socket: say(socket, {"type": "start", "id": "1"})),
    "deep JSON": (4400, init_then(DEEP)),
    "deep array": (4400, init_then("[" * 100_000)),
    "query is a number": (4400, init_then({"id": "1", "type": "subscribe", "payload": {"query": 1}})),
    "no payload": (4400, init_then({"id": "1", "type": "subscribe"})),
    "operation before init": (4401, lambda socket: say(socket, subscribe("{ hello }"))),
    "bad key": (4403, lambda socket: say(socket, {**INIT, "payload": {"apiKey": "hf_live_nobody"}})),
    "key is an object": (4403, lambda socket: say(socket, {**INIT, "payload": {"authorization": {}}})),
    "two inits": (4429, two_inits),
    "same id twice": (4409, same_id_twice),
    "more than 1 MB": (1009, init_then(json.dumps(subscribe("{ hello }" + " " * 1_100_000)))),
    "more than 256 KiB": (1009, init_then(json.dumps(subscribe("{ hello }" + " " * 300_000)))),
    "binary": (1003, lambda socket: say(socket, json.dumps(INIT).encode())),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_misbehaviour_is_closed_with_the_right_code(gateway: Gateway, name: str) -> None:
    code, misbehave = MISBEHAVIOUR[name]
    with connect(gateway.socket_url, subprotocols=[PROTOCOL]) as socket:
        with contextlib.suppress(ConnectionClosed):
            misbehave(socket)
        assert close_code(socket) == code


def test_no_init_is_closed_after_three_seconds(gateway: Gateway) -> None:
    with connect(gateway.socket_url, subprotocols=[PROTOCOL]) as socket:
        began = time.monotonic()
        assert close_code(socket) == 4408
        assert 2.5 < time.monotonic() - began < 5


@pytest.mark.parametrize("protocols", [["something"], None])
def test_other_protocols_are_not_spoken(gateway: Gateway, protocols: list[Any] | None) -> None:
    with connect(gateway.socket_url, subprotocols=protocols) as socket:
        assert socket.subprotocol is None
        assert close_code(socket) == 4406


def test_the_earlier_protocol_is_told_the_right_one(gateway: Gateway) -> None:
    with connect(gateway.socket_url, subprotocols=["graphql-ws"]) as socket:
        assert socket.subprotocol == "graphql-ws"
        told = hear(socket)
        assert told["type"] == "connection_error" and PROTOCOL in told["payload"]["message"]
        assert close_code(socket) == 4406
        assert PROTOCOL in socket.close_reason


def test_any_origin_may_connect(gateway: Gateway) -> None:
    with connect(gateway.socket_url, subprotocols=[PROTOCOL], origin="https://evil.example") as socket:
        say(socket, INIT)
        assert hear(socket) == {"type": "connection_ack"}


def test_other_paths_take_no_websockets(gateway: Gateway) -> None:
    with pytest.raises(InvalidStatus) as refused, connect(gateway.socket_url.replace("/graphql", "/v1/ws")):
        pass
    assert refused.value.response.status_code == 404


def test_a_socket_runs_100_operations_and_not_one_more(gateway: Gateway) -> None:
    with opened(gateway, {"apiKey": "hf_live_load5_s3cret"}) as socket:
        for number in range(101):
            say(socket, subscribe("subscription { forever }", id=str(number)))
        while (message := hear(socket))["type"] != "error":
            pass
        assert message["payload"][0]["extensions"]["code"] == "TOO_MANY_OPERATIONS"
        say(socket, {"id": "7", "type": "complete"})


def test_revoked_key_ends_the_socket_at_its_next_operation(toys: ToyHouse, gateway: Gateway) -> None:
    key = "hf_live_load6_s3cret"
    with opened(gateway, {"apiKey": key}) as socket:
        httpx.post(f"http://127.0.0.1:{toys.ports['account']}/test/keys/{key}")

        def ask_until_closed() -> None:
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline:
                say(socket, subscribe("{ hello }"))
                answers(socket)

        with pytest.raises(ConnectionClosed) as closed:
            ask_until_closed()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
