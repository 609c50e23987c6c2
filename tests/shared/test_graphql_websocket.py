"""How sockets are spoken to, and closed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.shared.graphql_toy import running, toy_app

INIT = {"type": "connection_init"}
PROTOCOL = Subprotocol("graphql-transport-ws")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Run the toy on a real server."""
    with running(toy_app()) as address:
        yield f"ws://{address}/graphql"


def open_socket(address: str, token: str = "good", protocol: str = PROTOCOL) -> connect:
    """Open a socket."""
    return connect(
        address, subprotocols=[Subprotocol(protocol)], additional_headers={"x-token": token}, max_size=None
    )


async def greet(socket: ClientConnection) -> None:
    """Introduce oneself."""
    await socket.send(json.dumps(INIT))
    assert json.loads(await socket.recv(decode=True)) == {"type": "connection_ack"}


async def closed_with(socket: ClientConnection) -> int | None:
    """Read until the socket closes and give the code."""
    try:
        while True:
            await socket.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def subscribe(query: str, id: str = "1", **payload: Any) -> str:
    """Write a subscribe message."""
    return json.dumps({"type": "subscribe", "id": id, "payload": {"query": query, **payload}})


async def test_operations_of_all_kinds_run_over_a_socket(address: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        for query in ("subscription{count(to:2)}", "{hello}", "mutation{act(deed:{rest:{minutes:1}})}"):
            await socket.send(subscribe(query))
            said = []
            while not said or said[-1]["type"] != "complete":
                frame = await socket.recv()
                # A browser cannot read binary frames.
                assert isinstance(frame, str)
                said.append(json.loads(frame))
            assert all(message["id"] == "1" for message in said)
            assert said[0]["payload"]["data"]


async def test_the_stream_s_errors_are_masked(address: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        await socket.send(subscribe("subscription{count(to:13)}"))
        said = [json.loads(await socket.recv()) for _ in range(15)]
    assert said[13]["payload"]["errors"][0]["extensions"] == {"code": "INTERNAL"}
    assert said[14]["type"] == "complete"
    assert "swordfish" not in json.dumps(said)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{" + "x" * 500 + "}", "GRAPHQL_VALIDATION_FAILED"),
        ("{tools" + "{parts" * 12 + "{id}" + "}" * 13, "QUERY_TOO_COMPLEX"),
        ("", "BAD_REQUEST"),
    ],
    ids=["syntax", "validation", "limits", "empty"],
)
async def test_a_bad_document_ends_its_own_operation_only(address: str, query: str, code: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        await socket.send(subscribe(query, id="bad"))
        answer = json.loads(await socket.recv())
        assert (answer["type"], answer["id"]) == ("error", "bad")
        assert answer["payload"][0]["extensions"]["code"] == code
        await socket.send(subscribe("{hello}", id="good"))
        assert json.loads(await socket.recv())["payload"] == {"data": {"hello": "hello you"}}


async def test_the_character_nul_ends_its_own_operation_only(address: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        await socket.send(subscribe("query($n:String!){hello(name:$n)}", variables={"n": "\0"}))
        answer = json.loads(await socket.recv())
        assert answer["type"] == "error"
        assert answer["payload"][0]["extensions"]["code"] == "BAD_USER_INPUT"


async def test_an_unknown_operation_name_ends_its_own_operation_only(address: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        await socket.send(subscribe("query A{hello}", operationName="B" * 300))
        assert json.loads(await socket.recv())["payload"][0]["extensions"]["code"] == "BAD_REQUEST"


BAD_FRAMES = {
    "array": "[]",
    "string": '"hello"',
    "number": "7",
    "null": "null",
    "empty": "",
    "no json": "{",
    "nan": '{"type":"ping","payload":{"a":NaN}}',
    "deep": "[" * 100_000,
    "binary": b"{}",
    "bad text": b"\xff\xfe",
    "no type": "{}",
    "type is no string": '{"type":["ping"]}',
    "unknown type": json.dumps({"type": "x" * 500}),
    "old protocol": '{"type":"start","id":"1","payload":{"query":"{hello}"}}',
    "subscribe without id": '{"type":"subscribe","payload":{"query":"{hello}"}}',
    "subscribe with number": '{"type":"subscribe","id":1,"payload":{"query":"{hello}"}}',
    "subscribe with empty id": '{"type":"subscribe","id":"","payload":{"query":"{hello}"}}',
    "subscribe with long id": subscribe("{hello}", id="x" * 500),
    "subscribe without payload": '{"type":"subscribe","id":"1"}',
    "subscribe with list": '{"type":"subscribe","id":"1","payload":[]}',
    "subscribe without query": '{"type":"subscribe","id":"1","payload":{}}',
    "variables are a list": subscribe("{hello}", variables=[]),
    "variables are deep": subscribe("{hello}", variables=json.loads('{"a":' * 200 + "1" + "}" * 200)),
    "operation name is a number": subscribe("{hello}", operationName=7),
    "complete without id": '{"type":"complete"}',
    "ping with list": '{"type":"ping","payload":[]}',
    "init with list": '{"type":"connection_init","payload":[]}',
}


@pytest.mark.parametrize("frame", BAD_FRAMES.values(), ids=BAD_FRAMES.keys())
@pytest.mark.parametrize("greeted", [True, False], ids=["greeted", "at once"])
async def test_a_frame_that_is_no_message_closes_the_socket(
    address: str, frame: str | bytes, greeted: bool
) -> None:
    async with open_socket(address) as socket:
        if greeted:
            await greet(socket)
        await socket.send(frame)
        assert await closed_with(socket) == 4400


async def test_a_frame_that_is_too_long_closes_the_socket(address: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        await socket.send(subscribe("{hello}" + " " * 257 * 1024))
        assert await closed_with(socket) == 1009


async def test_a_frame_is_measured_in_bytes(address: str) -> None:
    async with open_socket(address) as socket:
        await socket.send(json.dumps({"type": "ping", "payload": {"a": "é" * 140_000}}, ensure_ascii=False))
        assert await closed_with(socket) == 1009


async def test_a_socket_must_introduce_itself_in_time(address: str) -> None:
    async with open_socket(address) as socket:
        assert await closed_with(socket) == 4408


async def test_a_socket_must_introduce_itself_first(address: str) -> None:
    async with open_socket(address) as socket:
        await socket.send(subscribe("{hello}"))
        assert await closed_with(socket) == 4401


async def test_a_socket_introduces_itself_once(address: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        await socket.send(json.dumps(INIT))
        assert await closed_with(socket) == 4429


async def test_a_payload_of_null_is_none(address: str) -> None:
    async with open_socket(address) as socket:
        await socket.send('{"type":"connection_init","payload":null}')
        assert json.loads(await socket.recv()) == {"type": "connection_ack"}
        await socket.send('{"type":"ping","payload":null}')
        assert json.loads(await socket.recv()) == {"type": "pong"}


@pytest.mark.parametrize("id", ["1", "x" * 128], ids=["short", "longer than a reason may be"])
async def test_an_id_in_use_cannot_be_used_again(address: str, id: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        for _ in range(2):
            await socket.send(subscribe("subscription{wait}", id=id))
        assert await closed_with(socket) == 4409


async def test_a_socket_carries_so_many_operations_and_no_more(address: str) -> None:
    async with open_socket(address) as socket:
        await greet(socket)
        for id in "123":
            await socket.send(subscribe("subscription{wait}", id=id))
            assert json.loads(await socket.recv())["type"] == "next"
        await socket.send(subscribe("{hello}", id="4"))
        refused = json.loads(await socket.recv())
        assert (refused["type"], refused["id"]) == ("error", "4")
        assert refused["payload"][0]["extensions"] == {"code": "TOO_MANY_SUBSCRIPTIONS"}
        await socket.send(json.dumps({"type": "complete", "id": "1"}))
        await socket.send(subscribe("{hello}", id="4"))
        assert json.loads(await socket.recv())["type"] == "next"


@pytest.mark.parametrize(("token", "code"), [("", 4401), ("barred", 4403)])
async def test_a_context_may_refuse_a_socket(address: str, token: str, code: int) -> None:
    async with open_socket(address, token=token) as socket:
        assert await closed_with(socket) == code


@pytest.mark.parametrize("protocol", ["graphql-ws", "chat"])
async def test_other_protocols_are_not_spoken(address: str, protocol: str) -> None:
    async with connect(
        address,
        additional_headers={"x-token": "good", "sec-websocket-protocol": protocol},
    ) as socket:
        assert await closed_with(socket) == 4406
