"""Requests that nobody should send, each answered with a problem and never with a fault of ours."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from services.gateway.rest.guard import MAX_BODY, MAX_READ, Guard
from tests.gateway.front import SIGN_UP, Front, bearer

pytestmark = pytest.mark.asyncio(loop_scope="module")

JSON = {"content-type": "application/json"}


BODIES: list[tuple[bytes, int, str]] = [
    (b"", 422, "INVALID_INPUT"),
    (b"{", 400, "MALFORMED_JSON"),
    (b"null", 422, "INVALID_INPUT"),
    (b"[]", 422, "INVALID_INPUT"),
    (b'"text"', 422, "INVALID_INPUT"),
    (b"{}", 422, "INVALID_INPUT"),
    (b'{"name": 7}', 422, "INVALID_INPUT"),
    (b'{"name": null}', 422, "INVALID_INPUT"),
    (b'{"name": "Mara", "role": "queen"}', 422, "INVALID_INPUT"),
    (b'{"name": NaN}', 400, "MALFORMED_JSON"),
    (b'{"name": Infinity}', 400, "MALFORMED_JSON"),
    (b'{"name": 1e999}', 400, "MALFORMED_JSON"),
    (b'{"name": ' + b"9" * 5000 + b"}", 400, "MALFORMED_JSON"),
    (b'{"name": ' + b"9" * 30 + b"}", 422, "INVALID_INPUT"),
    (b'{"name": "\xff\xfe"}', 400, "MALFORMED_JSON"),
    (b'{"name": "\\ud800"}', 400, "MALFORMED_JSON"),
    (b'{"name": "a\\u0000b"}', 422, "INVALID_INPUT"),
    (b'{"na\\u0000me": "a"}', 422, "INVALID_INPUT"),
    (b'{"name": "a\x00b"}', 400, "MALFORMED_JSON"),
    (b"[" * 100_000 + b"]" * 100_000, 400, "MALFORMED_JSON"),
    (b'{"a":' * 40 + b"1" + b"}" * 40, 400, "MALFORMED_JSON"),
    (b'{"name": "' + b"x" * MAX_BODY + b'"}', 413, "BODY_TOO_LARGE"),
    (b'{"name": [' + b"1," * 120_000 + b"1]}", 413, "TOO_MANY_VALUES"),
    (b'{"name": [' + b"{}," * 2_000 + b"{}]}", 413, "TOO_MANY_VALUES"),
    (b"{" + b'"a":1,' * 4_000 + b'"b":1}', 413, "TOO_MANY_VALUES"),
    (b'\xef\xbb\xbf{"name": "Mara"}', 400, "MALFORMED_JSON"),
]


async def test_bodies_that_are_no_request_are_problems(app: Front) -> None:
    for body, status, code in BODIES:
        answer = await app.http.post(SIGN_UP, content=body, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (status, code), body[:60]
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status and answer.json()["detail"]


async def test_too_many_values_are_told_with_how_many_there_may_be(app: Front) -> None:
    answer = await app.http.post(SIGN_UP, json={"name": [1] * 2_001})
    told = answer.json()
    assert (told["limit"], told["allowed"], told["path"]) == ("elements", 2_000, [])
    # Where more is usual, more is read: what the request lacks is told, not that it is large.
    own = bearer((await app.sign_up())["key"])
    seeds = {"seeds": [str(seed) for seed in range(10_000)]}
    answer = await app.http.post("/v1/batches", headers=own, json=seeds)
    assert (answer.status_code, answer.json()["code"]) == (422, "INVALID_INPUT")


async def test_a_body_is_measured_while_it_arrives(app: Front) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 65_536
            yield b" " * 65_536

    answer = await app.http.post(SIGN_UP, content=endless(), headers=JSON)
    assert answer.status_code == 413
    assert sent <= MAX_READ + 2 * 65_536
    lying = await app.http.post(SIGN_UP, content=b"{}", headers={**JSON, "content-length": "9" * 40})
    assert lying.status_code == 413


async def test_only_json_is_taken(app: Front) -> None:
    body = b'{"name": "Mara"}'
    for media in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "",
    ):
        answer = await app.http.post(SIGN_UP, content=body, headers={"content-type": media})
        assert (answer.status_code, answer.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE"), media
    for media in ("application/json; charset=utf-8", "Application/JSON", "application/vnd.api+json"):
        answer = await app.http.post(SIGN_UP, content=body, headers={"content-type": media})
        assert answer.status_code == 201, media


async def test_addresses_and_methods_that_are_not_there(app: Front) -> None:
    for path in (
        "/v1",
        "/v1/",
        "/v2/rolls",
        "/v1/rolls/",
        "/nothing",
        "/v1/rolls/a/b",
        "/v1/a%0Ab",
        "/%0Ax",
        "/v1/%2e%2e/x",
    ):
        answer = await app.http.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND"), path
        assert answer.headers["content-type"] == "application/problem+json"
    answer = await app.http.put("/v1/rolls")
    assert (answer.status_code, answer.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "GET, HEAD, POST"
    assert (await app.http.request("BREW", "/v1/rolls")).status_code == 405


async def test_addresses_never_hold_nul(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    for path in (
        "/v1/rolls/%00",
        "/v1/rolls?campaign=%00",
        "/v1/rolls?after=a%00",
        "/v1/%00",
        "/v1/me?x=%00",
    ):
        answer = await app.http.get(path, headers=own)
        assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST"), path


async def test_queries_of_the_wrong_type_are_problems(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    for query in (
        "first=x",
        "first=0",
        "first=101",
        f"first={'9' * 5000}",
        "first=1e3",
        "first=",
        "first=-1",
    ):
        answer = await app.http.get(f"/v1/keys?{query}", headers=own)
        assert (answer.status_code, answer.json()["path"]) == (422, ["first"]), query
    for after in ("x", "\ud7ff", "====", "a2V5Xw", "é"):
        answer = await app.http.get("/v1/keys", params={"after": after}, headers=own)
        assert (answer.status_code, answer.json()["code"]) == (400, "BAD_CURSOR"), after


async def test_headers_of_any_bytes_are_survived(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    odd: list[dict[Any, Any]] = [
        {b"authorization": b"Bearer \xff\xfe"},
        {b"authorization": b"\xe2\x82\xac"},
        {b"authorization": b"Bearer " + b"x" * 60_000},
        {**own, b"if-none-match": b"\xff"},
        {**own, b"x-hearthforge-network": b"\xff, , " + b"x" * 5000},
        {**own, b"x-request-id": b"\xff"},
        {**own, b"idempotency-key": b""},
    ]
    for headers in odd:
        answer = await app.http.get("/v1/me", headers=headers)
        assert answer.status_code in (200, 401), headers
    long = await app.http.post(
        "/v1/keys",
        headers={**own, "idempotency-key": "x" * 256},
        json={"name": "Phone", "scopes": ["READ"]},
    )
    assert long.status_code == 422


leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(max_size=20)
    | st.sampled_from(["\0", "\ud800", "x" * 500])
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


async def answer_of(body: bytes) -> int:
    """Give the status that the guard alone answers; 204 when it lets a body pass."""
    status = 0

    async def inside(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)

    async def free(_connection: HTTPConnection, _points: int) -> None:
        """Charge nothing."""

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
    }
    await Guard(inside, free)(scope, receive, send)
    return status


@hypothesis_settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(values | st.binary(max_size=60))
async def test_the_guard_lets_pass_only_what_every_part_can_store(value: Any) -> None:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    status = await answer_of(body)
    assert status in (204, 400, 422)
    if status == 204 and body:
        seen = json.loads(body)
        text = json.dumps(seen, ensure_ascii=False, allow_nan=False)
        assert "\\u0000" not in text
        text.encode("utf-8")
