"""What the gateway refuses: quickly, with a status of 4xx and a stable code, whatever the client accepts."""

import hashlib
import json
import socket
import statistics
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.gateway.federation.toy_house import Gateway


def nested(levels: int) -> str:
    """A query of exactly so many levels."""
    parts = [
        'roll(id: "1")',
        *["character" if level % 2 else "lastRoll" for level in range(1, levels - 1)],
        "id",
    ]
    return "{" + "{".join(parts) + "}" * levels


def doubled(times: int) -> str:
    """A query of a few hundred bytes that stands for two to the power of ``times`` fields."""
    chain = " ".join(f"fragment F{n} on Roll {{ ...F{n + 1} ...F{n + 1} }}" for n in range(times))
    return f'{{ roll(id: "1") {{ ...F0 }} }} {chain} fragment F{times} on Roll {{ id }}'


CYCLE = '{ roll(id: "1") { ...A } } fragment A on Roll { ...B } fragment B on Roll { id ...A }'
UNUSED_CYCLE = "{ hello } fragment A on Roll { ...A }"

TOO_LARGE = {
    "depth": nested(13),
    "aliases": "{" + " ".join(f"a{n}: hello" for n in range(31)) + "}",
    "directives": "{ hello " + "@include(if: true) " * 11 + "}",
    "rootFields": "{" + "hello " * 21 + "}",
    "fields": '{ roll(id: "1") {' + "id " * 501 + "} }",
    "spreads": '{ roll(id: "1") {' + "...F " * 51 + "} } fragment F on Roll { id }",
    "fragments": "{ hello }" + " ".join(f"fragment F{n} on Roll {{ id }}" for n in range(51)),
    "tokens": "{" + "hello " * 1999 + "}",
    "characters": "{ hello #" + "x" * 70_000 + "\n}",
    "digits": "{ slow(seconds: " + "9" * 5000 + ") }",
}
WITHIN = {
    "depth": nested(12),
    "aliases": "{" + " ".join(f"a{n}: hello" for n in range(20)) + "}",
    "directives": "{" + "hello @include(if: true) " * 10 + "}",
    "rootFields": "{" + "hello " * 20 + "}",
    "fields": '{ roll(id: "1") {' + "id " * 499 + "} }",
    "doubled": doubled(8),
    "spreads": '{ roll(id: "1") {' + "...F " * 50 + "} } fragment F on Roll { id }",
    "digits in a string": '{ roll(id: "' + "9" * 5000 + '") { total } }',
}


@pytest.mark.parametrize("accept", ["application/json", "application/graphql-response+json"])
@pytest.mark.parametrize("limit", TOO_LARGE)
def test_query_beyond_a_limit_is_400_and_says_which(gateway: Gateway, limit: str, accept: str) -> None:
    answer = gateway.ask(TOO_LARGE[limit], headers={"accept": accept})
    error = answer.json()["errors"][0]["extensions"]
    assert (answer.status_code, error["code"], error["limit"]) == (400, "QUERY_TOO_LARGE", limit)
    assert answer.headers["content-type"].startswith(accept)
    assert answer.json()["extensions"]["cost"]["requested"] <= 1
    assert "data" not in answer.json()


def test_fields_of_all_operations_of_a_document_count_together(gateway: Gateway) -> None:
    """Every one of them is validated, whichever is to run."""
    query = " ".join(f'query Q{n} {{ roll(id: "1") {{ {"id " * 250} }} }}' for n in range(2))
    body = {"query": query, "operationName": "Q1"}
    answer = httpx.post(f"{gateway.url}/graphql", json=body)
    error = answer.json()["errors"][0]["extensions"]
    assert (answer.status_code, error["code"], error["limit"]) == (400, "QUERY_TOO_LARGE", "fields")
    assert (error["allowed"], "data" in answer.json()) == (500, False)


@pytest.mark.parametrize("name", WITHIN)
def test_query_at_a_limit_is_answered(gateway: Gateway, name: str) -> None:
    answer = gateway.ask(WITHIN[name]).json()
    assert "errors" not in answer
    assert answer["data"]


@pytest.mark.parametrize("query", [CYCLE, UNUSED_CYCLE])
def test_fragment_cycle_is_refused(gateway: Gateway, query: str) -> None:
    answer = gateway.ask(query)
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (400, "FRAGMENT_CYCLE")


def chunked() -> Iterator[bytes]:
    for _ in range(80):
        yield b" " * 4096


JSON = "application/json"
BODIES: dict[str, tuple[int, str, str, Any]] = {
    "257 KiB": (413, "BODY_TOO_LARGE", JSON, b'{"query":"{hello}","x":"' + b"a" * 257 * 1024 + b'"}'),
    "257 KiB in chunks": (413, "BODY_TOO_LARGE", JSON, chunked),
    "array": (400, "BAD_REQUEST", JSON, b'[{"query":"{hello}"}]'),
    "string": (400, "BAD_REQUEST", JSON, b'"{hello}"'),
    "number": (400, "BAD_REQUEST", JSON, b"1"),
    "null": (400, "BAD_REQUEST", JSON, b"null"),
    "nothing": (400, "BAD_REQUEST", JSON, b""),
    "half": (400, "BAD_REQUEST", JSON, b'{"query":'),
    "NaN": (400, "BAD_REQUEST", JSON, b'{"query":"{hello}","variables":{"a":NaN}}'),
    "5000 digits": (400, "BAD_REQUEST", JSON, b'{"query":"{hello}","variables":{"a":' + b"9" * 5000 + b"}}"),
    "100,000 levels": (400, "BAD_REQUEST", JSON, b"[" * 100_000 + b"]" * 100_000),
    "deep variables": (400, "BAD_REQUEST", JSON, b'{"query":"{hello}","variables":{"a":' + b"[" * 100_000),
    "no query": (400, "BAD_REQUEST", JSON, b'{"variables":{}}'),
    "query is a number": (400, "BAD_REQUEST", JSON, b'{"query":1}'),
    "variables are a list": (400, "BAD_REQUEST", JSON, b'{"query":"{hello}","variables":[]}'),
    "unknown key": (400, "BAD_REQUEST", JSON, b'{"query":"{hello}","queryId":"1"}'),
    "form": (415, "UNSUPPORTED_MEDIA_TYPE", "application/x-www-form-urlencoded", b"query={hello}"),
    "plain text": (415, "UNSUPPORTED_MEDIA_TYPE", "text/plain", b'{"query":"{hello}"}'),
    "multipart": (415, "UNSUPPORTED_MEDIA_TYPE", "multipart/form-data; boundary=x", b"--x--"),
    "graphql text": (415, "UNSUPPORTED_MEDIA_TYPE", "application/graphql", b"{hello}"),
    "another charset": (415, "UNSUPPORTED_MEDIA_TYPE", "application/json; charset=utf-16", b"{}"),
}


@pytest.mark.parametrize("name", BODIES)
def test_body_that_is_no_graphql_request_is_refused(gateway: Gateway, name: str) -> None:
    status, code, media_type, content = BODIES[name]
    answer = httpx.post(
        f"{gateway.url}/graphql",
        content=content() if callable(content) else content,
        headers={"content-type": media_type},
    )
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (status, code)
    assert answer.json()["extensions"]["requestId"] == answer.headers["x-request-id"]


VALUES = {
    "empty objects": ("elements", [{}] * 84_000),
    "numbers": ("elements", [1] * 100_000),
    "lists": ("elements", [[[]]] * 30_000),
    "more than is usual": ("elements", [{}] * 2_001),
    "keys": ("keys", {f"k{n}": 1 for n in range(20_000)}),
    "more keys than are usual": ("keys", {f"k{n}": 1 for n in range(4_001)}),
}


@pytest.mark.parametrize("accept", ["application/json", "application/graphql-response+json"])
@pytest.mark.parametrize("name", VALUES)
def test_body_of_too_many_values_is_413_and_says_how_many_there_may_be(
    gateway: Gateway, name: str, accept: str
) -> None:
    limit, values = VALUES[name]
    body = {"query": "{ hello }", "variables": {"values": values}}
    answer = httpx.post(f"{gateway.url}/graphql", json=body, headers={"accept": accept})
    error = answer.json()["errors"][0]["extensions"]
    assert (answer.status_code, error["code"], error["limit"]) == (413, "TOO_MANY_VALUES", limit)
    assert error["allowed"] < len(values)
    assert (error["path"], "data" in answer.json()) == ([], False)


def test_values_of_an_address_are_counted_too(gateway: Gateway) -> None:
    variables = json.dumps({"values": [1] * 2_001}, separators=(",", ":"))
    answer = httpx.get(f"{gateway.url}/graphql", params={"query": "{ hello }", "variables": variables})
    error = answer.json()["errors"][0]["extensions"]
    assert (answer.status_code, error["code"], error["allowed"]) == (413, "TOO_MANY_VALUES", 2_000)


def test_as_many_values_as_are_usual_pass(gateway: Gateway) -> None:
    body = {"query": "{ hello }", "variables": {"values": [{}] * 2_000}}
    answer = httpx.post(f"{gateway.url}/graphql", json=body)
    assert (answer.status_code, answer.json()["data"]) == (200, {"hello": "x"})


def test_refusals_take_less_than_50_ms(gateway: Gateway) -> None:
    queries = [*TOO_LARGE.values(), CYCLE, doubled(25)]
    bodies = [body for _, _, media_type, body in BODIES.values() if media_type == JSON and not callable(body)]
    with httpx.Client() as client:
        for send in (
            *({"json": {"query": query}} for query in queries),
            *({"content": body, "headers": {"content-type": JSON}} for body in bodies),
        ):
            taken = []
            for _ in range(3):
                began = time.perf_counter()
                assert client.post(f"{gateway.url}/graphql", **send).is_client_error  # type: ignore[arg-type]
                taken.append(time.perf_counter() - began)
            # The median: this machine runs other work too.
            assert statistics.median(taken) < 0.05, str(send)[:200]


def test_mutation_by_get_is_405(gateway: Gateway) -> None:
    answer = httpx.get(f"{gateway.url}/graphql", params={"query": "mutation { throw(sides: 6) { id } }"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert answer.json()["errors"][0]["extensions"]["code"] == "BAD_REQUEST"


@pytest.mark.parametrize("head", ["POST /graphql", "POST http://elsewhere/graphql"])
@pytest.mark.parametrize("host", ["[", "a b", "x:99999", ""])
def test_strange_host_is_no_way_to_a_stack_trace(gateway: Gateway, head: str, host: str) -> None:
    body = '{"query":"{ hello }"}'
    lines = [f"{head} HTTP/1.1", f"host: {host}", "content-type: application/json", "connection: close"]
    with socket.create_connection(("127.0.0.1", gateway.port), 10) as wire:
        wire.sendall("\r\n".join([*lines, f"content-length: {len(body)}", "", body]).encode())
        answer = b""
        while chunk := wire.recv(65536):
            answer += chunk
    assert b'{"data":{"hello":"x"}' in answer


def test_other_methods_are_405(gateway: Gateway) -> None:
    answer = httpx.put(f"{gateway.url}/graphql", json={"query": "{hello}"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST, OPTIONS")
    assert answer.json()["errors"][0]["extensions"]["code"] == "METHOD_NOT_ALLOWED"


@pytest.mark.parametrize(
    ("query", "accept"), [("{ hello }", "image/png"), ("subscription { forever }", "application/json")]
)
def test_answer_that_the_client_cannot_take_is_406(gateway: Gateway, query: str, accept: str) -> None:
    answer = gateway.ask(query, headers={"accept": accept})
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (406, "NOT_ACCEPTABLE")


def test_variables_that_do_not_fit_are_a_coded_400(gateway: Gateway) -> None:
    query = "query($first: Int) { rolls(first: $first) { pageInfo { hasNextPage } } }"
    answer = gateway.ask(query, variables={"first": "many"})
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (400, "BAD_USER_INPUT")


def test_query_by_get_is_answered(gateway: Gateway) -> None:
    query = "query($id: ID!) { roll(id: $id) { id } }"
    answer = httpx.get(f"{gateway.url}/graphql", params={"query": query, "variables": '{"id":"rol_9"}'})
    assert answer.json()["data"] == {"roll": {"id": "rol_9"}}


def persisted(query: str) -> dict[str, Any]:
    """The extensions by which a client names a query by its hash."""
    return {"persistedQuery": {"version": 1, "sha256Hash": hashlib.sha256(query.encode()).hexdigest()}}


def test_query_is_named_by_its_hash_once_it_was_sent(gateway: Gateway) -> None:
    query = "{ hello } # sent once"
    named = persisted(query)
    unknown = httpx.post(f"{gateway.url}/graphql", json={"extensions": named})
    assert unknown.status_code == 200  # clients send the query then
    error = unknown.json()["errors"][0]
    assert (error["message"], error["extensions"]["code"]) == (
        "PersistedQueryNotFound",
        "PERSISTED_QUERY_NOT_FOUND",
    )
    sent = httpx.post(f"{gateway.url}/graphql", json={"query": query, "extensions": named})
    by_name = httpx.post(f"{gateway.url}/graphql", json={"extensions": named})
    by_get = httpx.get(f"{gateway.url}/graphql", params={"extensions": json.dumps(named)})
    assert [answer.json()["data"] for answer in (sent, by_name, by_get)] == [{"hello": "x"}] * 3


@pytest.mark.parametrize(
    "named",
    [
        {"version": 2, "sha256Hash": "0" * 64},
        {"version": 1, "sha256Hash": "short"},
        {"version": 1},
        {"version": 1, "sha256Hash": "0" * 64},
        "x",
    ],
)
def test_query_is_remembered_by_no_hash_but_its_own(gateway: Gateway, named: Any) -> None:
    asked = {"query": "{ hello }", "extensions": {"persistedQuery": named}}
    refused = httpx.post(f"{gateway.url}/graphql", json=asked)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["extensions"]["code"] == "BAD_REQUEST"
