"""Every path that is not the graph: passed on whole, except what belongs to the house alone."""

import json
import socket

import httpx
import pytest

from tests.gateway.federation.toy_house import Gateway, ToyHouse, free_port, until


def raw(gateway: Gateway, path: str) -> tuple[int, str]:
    """Send a request target that no client library would leave alone; give status and body."""
    with socket.create_connection(("127.0.0.1", gateway.port), 10) as wire:
        wire.sendall(f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
        answer = b""
        while chunk := wire.recv(65536):
            answer += chunk
    head, _, body = answer.decode().partition("\r\n\r\n")
    return int(head.split()[1]), body


def test_request_is_passed_on_whole(gateway: Gateway) -> None:
    answer = httpx.request(
        "PUT",
        f"{gateway.url}/v1/things/a%2Fb?x=1&y=%20",
        content=b"body",
        headers={"if-match": '"v0"', "idempotency-key": "k", "authorization": "Bearer hf_live_x_y"},
    )
    told = answer.json()
    assert answer.status_code == 418
    assert (told["method"], told["query"], told["body"]) == ("PUT", "x=1&y=%20", "body")
    assert told["path"].startswith("/v1/things/a")
    assert answer.headers["etag"] == '"v1"'
    sent = told["headers"]
    assert (sent["if-match"], sent["idempotency-key"]) == ('"v0"', "k")
    assert sent["authorization"] == "Bearer hf_live_x_y"
    assert sent["x-request-id"] == answer.headers["x-request-id"]


def test_clients_cannot_speak_for_the_house_or_for_another_address(gateway: Gateway) -> None:
    forged = {
        "x-hearthforge-token": "evil",
        "x-forwarded-for": "10.1.2.3",
        "x-forwarded-proto": "https",
        "forwarded": "for=10.1.2.3",
        "x-hearthforge-network": "10.1.2.3",
        "connection": "keep-alive, te",
        "te": "trailers",
    }
    sent = httpx.get(f"{gateway.url}/v1/echo", headers=forged).json()["headers"]
    assert {"x-hearthforge-token", "forwarded", "te"}.isdisjoint(sent)
    assert sent["x-hearthforge-network"] == "127.0.0.1"
    assert (sent["x-forwarded-for"], sent["x-forwarded-proto"]) == ("127.0.0.1", "http")
    assert sent["x-forwarded-host"] == f"127.0.0.1:{gateway.port}"


def test_trusted_proxy_in_front_may_name_the_client(toys: ToyHouse) -> None:
    settings = {"HEARTHFORGE_TRUSTED_PROXY_HOPS": "1", "HEARTHFORGE_PUBLIC_URL": "https://table.example"}
    with toys.gateway(**settings) as gateway:
        headers = {"x-forwarded-for": "10.9.9.9, 192.0.2.7"}
        sent = httpx.get(f"{gateway.url}/v1/echo", headers=headers).json()["headers"]
        assert (sent["x-forwarded-for"], sent["x-forwarded-proto"]) == ("192.0.2.7", "https")


def test_hop_by_hop_headers_of_the_answer_end_here(gateway: Gateway) -> None:
    headers = httpx.get(f"{gateway.url}/v1/echo").headers
    assert {"x-extra", "x-hearthforge-charged"}.isdisjoint(headers)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers.get_list("access-control-allow-origin") == ["*"]


def test_bodies_stream_and_a_client_that_leaves_ends_the_work_behind(
    toys: ToyHouse, gateway: Gateway
) -> None:
    with httpx.stream("GET", f"{gateway.url}/v1/stream", timeout=60) as answer:
        assert next(answer.iter_lines()) == "0"  # long before the 200 s that the whole would take
    until(lambda: httpx.get(f"http://127.0.0.1:{toys.ports['account']}/test/aborted").json())


KEY = {"authorization": "Bearer hf_live_alice_s3cret"}
UPLOAD = b"x" * 3_000_000


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/v1/maps/import"), ("PUT", "/v1/characters/chr_1/portrait")]
)
def test_large_upload_of_somebody_with_a_key_passes(gateway: Gateway, method: str, path: str) -> None:
    answer = httpx.request(method, f"{gateway.url}{path}", content=UPLOAD, headers=KEY)
    assert len(answer.json()["body"]) == len(UPLOAD)


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/v1/maps/import", {}),
        ("/v1/other", KEY),
        ("/v1/maps/imports", KEY),
        ("/v1/characters/chr_1/portrait", KEY),  # it is put there, not posted
    ],
)
def test_large_body_is_refused_where_no_file_is_expected(
    gateway: Gateway, path: str, headers: dict[str, str]
) -> None:
    answer = httpx.post(f"{gateway.url}{path}", content=UPLOAD, headers=headers)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Payload Too Large",
        "status": 413,
        "code": "BODY_TOO_LARGE",
        "detail": "A request can have 262,144 bytes at most here.",
    }


@pytest.mark.parametrize("content", [b"[" + b"1," * 120_000 + b"1]", b"{" + b'"a":1,' * 40_000 + b'"b":1}'])
def test_body_of_more_values_than_any_operation_takes_is_not_passed_on(
    gateway: Gateway, content: bytes
) -> None:
    headers = {"content-type": "application/json"}
    answer = httpx.post(f"{gateway.url}/v1/echo", content=content, headers=headers)
    told = answer.json()
    assert (answer.status_code, told["code"], told["path"]) == (413, "TOO_MANY_VALUES", [])
    assert f"{told['allowed']:,} " in told["detail"]
    assert told["limit"] in ("elements", "keys")


def test_values_of_a_file_are_not_counted_at_the_door(gateway: Gateway) -> None:
    content = b"[" + b"1," * 120_000 + b"1]"
    answer = httpx.post(f"{gateway.url}/v1/maps/import", content=content, headers=KEY)
    assert len(answer.json()["body"]) == len(content)


@pytest.mark.parametrize(
    "path",
    [
        "/internal/principal",
        "/internal",
        "/INTERNAL/x",
        "/%69nternal/x",
        "//internal/x",
        "/./internal/x",
        "/v1/../internal/x",
        "/v1/%2e%2e/internal/x",
        "/v1%2f..%2finternal/x",
        "/\\internal/x",
        "http://elsewhere.example/internal/x",
        "/metrics",
        "/metrics/",
        "/graphql/",
        "/graphql/schema",
        "/%67raphql",
        "/%2569nternal/x",
        "/%252569nternal/x",
        "/v1/..%2finternal/x",
        "/v1/..%252finternal/x",
        "/internal;x/y",
        "/v1/..;/internal/x",
        "/%zz",
        "/%",
        "/%ff",
        "/%E0%A4%A",
    ],
)
def test_what_belongs_to_the_house_is_not_found(gateway: Gateway, path: str) -> None:
    status, body = raw(gateway, path)
    assert status == 404
    assert json.loads(body)["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/internal/x",
        "/internals",
        "/v1/echo?next=/internal/x",
        "/docs/metrics",
        "/%25",
        "/%2525z",
        "/v1?%zz",
    ],
)
def test_paths_that_only_look_alike_pass(gateway: Gateway, path: str) -> None:
    assert raw(gateway, path)[0] == 200


def test_app_that_is_away_is_a_502_problem(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_ACCOUNT_URL=f"http://127.0.0.1:{free_port()}") as gateway:
        answer = httpx.get(f"{gateway.url}/v1/rolls")
        assert answer.status_code == 502
        assert answer.headers["retry-after"] == "1"
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.json() == {
            "type": "about:blank",
            "title": "Bad Gateway",
            "status": 502,
            "code": "BAD_GATEWAY",
            "detail": "The service behind this path does not answer.",
        }


@pytest.mark.parametrize("path", ["/graphql", "/v1/rolls", "/anything"])
def test_preflight_is_answered_for_every_path(gateway: Gateway, path: str) -> None:
    answer = httpx.options(
        f"{gateway.url}{path}",
        headers={
            "origin": "https://vtt.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,content-type",
        },
    )
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    allowed = {name.strip() for name in answer.headers["access-control-allow-headers"].split(",")}
    assert allowed == {"authorization", "*"}  # `*` is any name but that one, as browsers read it
    assert "DELETE" in answer.headers["access-control-allow-methods"]


@pytest.mark.parametrize("path", ["/graphql", "/v1/echo", "/metrics"])
def test_answers_are_readable_from_any_origin(gateway: Gateway, path: str) -> None:
    headers = httpx.get(f"{gateway.url}{path}", headers={"origin": "https://vtt.example"}).headers
    assert headers["access-control-allow-origin"] == "*"
    shown = headers["access-control-expose-headers"].split(", ")
    assert shown == [
        "etag",
        "location",
        "retry-after",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-request-id",
        "x-map-extent",
    ]
