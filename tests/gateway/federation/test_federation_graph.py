"""The graph as clients see it: composition, identity, errors, what happens while a service is away."""

import asyncio
import signal
import time
import uuid
from pathlib import Path

import graphql
import httpx
import jwt
import pytest

from services.shared.process_keys import new_private_key, read_private_key, read_public_key
from tests.gateway.federation.toy_house import (
    HERE,
    PRIVATE_KEY,
    PUBLIC_KEY,
    Gateway,
    ToyHouse,
    free_port,
    until,
)

ALICE, BOB = "hf_live_alice_s3cret", "hf_live_bob_s3cret"


def code(response: httpx.Response) -> str:
    return str(response.json()["errors"][0]["extensions"]["code"])


def test_meets_every_graphql_over_http_audit(toys: ToyHouse, gateway: Gateway) -> None:
    audit = toys.run("audit.mjs", f"{gateway.url}/graphql")
    assert (audit.stderr, audit.stdout) == ("", "61/61 ok\n")
    assert audit.returncode == 0


def test_audit_script_sends_headers_and_fails_where_audits_fail(toys: ToyHouse, gateway: Gateway) -> None:
    audit = toys.run("audit.mjs", f"{gateway.url}/graphql", "authorization=Bearer hf_live_nobody")
    assert audit.returncode == 1
    assert "61/61" not in audit.stdout


def test_one_query_crosses_services_and_comes_back(gateway: Gateway) -> None:
    answer = gateway.ask('{ roll(id: "rol_1") { total character { name lastRoll { id } } } }').json()
    assert answer["data"] == {
        "roll": {"total": 7, "character": {"name": "Hero of chr_1", "lastRoll": {"id": "rol_last"}}}
    }


def test_browser_introspection_is_within_the_limits(gateway: Gateway) -> None:
    query = graphql.get_introspection_query(
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
    )
    answer = gateway.ask(query).json()
    assert answer["data"]["__schema"]["queryType"]["name"] == "Query"
    assert answer["extensions"]["cost"]["requested"] == 20


def test_introspection_can_be_switched_off(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_INTROSPECTION="false") as closed:
        assert "errors" in closed.ask("{ __schema { queryType { name } } }").json()
        assert closed.ask("{ hello }").json()["data"] == {"hello": "x"}


SEEN = "{ service subject key scopes token requestId traceparent headerNames }"


def test_every_subgraph_learns_who_asks_by_a_token_of_its_own(gateway: Gateway) -> None:
    data = gateway.ask(f"{{ diceSaw {SEEN} characterSaw {SEEN} }}", ALICE).json()["data"]
    for audience, seen in (("dice", data["diceSaw"]), ("character", data["characterSaw"])):
        claims = jwt.decode(seen["token"], read_public_key(PUBLIC_KEY), ["EdDSA"], audience=audience)
        assert claims["exp"] - claims["iat"] <= 60
        assert claims["exp"] > time.time() + 30
        assert {name: claims[name] for name in ("iss", "sub", "key", "scopes", "svc")} == {
            "iss": "gateway",
            "sub": "acc_alice",
            "key": "key_alice",
            "scopes": ["read", "write"],
            "svc": False,
        }


def test_no_key_is_the_anonymous_principal(gateway: Gateway) -> None:
    seen = gateway.ask(f"{{ diceSaw {SEEN} }}").json()["data"]["diceSaw"]
    assert (seen["subject"], seen["key"], seen["scopes"]) == ("anonymous", None, [])


def test_client_headers_do_not_reach_subgraphs(gateway: Gateway) -> None:
    claims = {"aud": "dice", "sub": "acc_admin", "scopes": [], "key": None}
    forged = jwt.encode(claims, read_private_key(PRIVATE_KEY), "EdDSA")
    headers = {"x-hearthforge-token": forged, "x-evil": "1", "cookie": "a=b"}
    seen = gateway.ask(f"{{ diceSaw {SEEN} }}", ALICE, headers=headers).json()["data"]["diceSaw"]
    assert seen["subject"] == "acc_alice"
    assert {"x-evil", "cookie", "authorization"}.isdisjoint(seen["headerNames"])


async def test_identical_queries_of_two_viewers_at_once_stay_apart(gateway: Gateway) -> None:
    async with httpx.AsyncClient(timeout=20) as client:

        async def ask(key: str) -> str:
            body = {"query": "{ slow(seconds: 0.2) }"}
            headers = {"authorization": f"Bearer {key}", "x-request-id": "the-same-id"}
            answer = await client.post(f"{gateway.url}/graphql", json=body, headers=headers)
            return str(answer.json()["data"]["slow"])

        assert await asyncio.gather(*map(ask, [ALICE, BOB] * 4)) == ["acc_alice", "acc_bob"] * 4


@pytest.mark.parametrize(
    ("authorization", "reason"),
    [
        ("Bearer hf_live_nobody_here", "KEY_UNKNOWN"),
        ("Basic YTpi", "KEY_MALFORMED"),
        (f"Bearer {'x' * 600}", "KEY_MALFORMED"),
        ("Bearer", "KEY_MALFORMED"),
    ],
)
def test_bad_key_is_401_with_the_reason(gateway: Gateway, authorization: str, reason: str) -> None:
    answer = gateway.ask("{ hello }", headers={"authorization": authorization})
    error = answer.json()["errors"][0]["extensions"]
    assert (answer.status_code, error["code"], error["reason"]) == (401, "UNAUTHENTICATED", reason)
    assert answer.json()["extensions"]["requestId"] == answer.headers["x-request-id"]


def test_revoked_key_dies_within_about_a_second(toys: ToyHouse, gateway: Gateway) -> None:
    toy_key = f"http://127.0.0.1:{toys.ports['account']}/test/keys/{BOB}"
    assert gateway.ask("{ hello }", BOB).status_code == 200
    httpx.post(toy_key)
    began = time.monotonic()
    try:
        refused = until(lambda: (answer := gateway.ask("{ hello }", BOB)).status_code == 401 and answer, 3)
        assert time.monotonic() - began < 1.7
        assert refused.json()["errors"][0]["extensions"]["reason"] == "KEY_REVOKED"
    finally:
        httpx.delete(toy_key)


async def test_concurrent_requests_with_one_key_share_one_lookup(toys: ToyHouse, gateway: Gateway) -> None:
    key = "hf_live_load63_s3cret"
    async with httpx.AsyncClient(timeout=20) as client:
        headers = {"authorization": f"Bearer {key}"}
        ask = [
            client.post(f"{gateway.url}/graphql", json={"query": "{hello}"}, headers=headers)
            for _ in range(20)
        ]
        assert {answer.status_code for answer in await asyncio.gather(*ask)} == {200}
        told = await client.get(f"http://127.0.0.1:{toys.ports['account']}/test/keys/{key}")
    assert told.json() == {"lookups": 1}


def test_request_id_of_the_client_is_kept_and_passed_on(gateway: Gateway) -> None:
    mine = uuid.uuid4().hex
    answer = gateway.ask(f"{{ diceSaw {SEEN} }}", headers={"x-request-id": mine})
    assert answer.headers["x-request-id"] == mine
    assert answer.json()["extensions"]["requestId"] == mine
    assert answer.json()["data"]["diceSaw"]["requestId"] == mine


@pytest.mark.parametrize("bad", ["short", "with space in it", "x" * 65, "line_feed%0a"])
def test_malformed_request_id_is_replaced(gateway: Gateway, bad: str) -> None:
    given = gateway.ask("{ hello }", headers={"x-request-id": bad}).headers["x-request-id"]
    assert given != bad
    assert 8 <= len(given) <= 64


def test_trace_context_is_passed_through(gateway: Gateway) -> None:
    traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    answer = gateway.ask(f"{{ diceSaw {SEEN} }}", headers={"traceparent": traceparent}).json()
    assert answer["data"]["diceSaw"]["traceparent"] == traceparent


def test_codes_of_subgraphs_pass_and_surprises_are_masked(gateway: Gateway) -> None:
    answer = gateway.ask("{ forbidden crash hello }")
    assert answer.json()["data"] == {"forbidden": None, "crash": None, "hello": "x"}
    by_path = {error["path"][0]: error for error in answer.json()["errors"]}
    assert by_path["forbidden"]["extensions"] == {"code": "FORBIDDEN", "rule": "gm-only"}
    assert by_path["crash"]["message"] == "Unexpected error."
    assert by_path["crash"]["extensions"] == {"code": "INTERNAL_SERVER_ERROR"}
    assert "shadow" not in answer.text


def test_service_that_is_away_nulls_its_own_fields_only(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_CHARACTER_URL=f"http://127.0.0.1:{free_port()}") as gateway:
        answer = gateway.ask(
            '{ hello roll(id: "rol_1") { total character { id name } } characterSaw { key } }'
        )
        assert answer.status_code == 200
        data = answer.json()["data"]
        assert (data["hello"], data["roll"]["total"], data["characterSaw"]) == ("x", 7, None)
        for error in answer.json()["errors"]:
            assert error["extensions"] == {"code": "SUBGRAPH_UNAVAILABLE", "service": "character"}
        assert "ECONNREFUSED" not in answer.text
        assert "127.0.0.1" not in answer.text


def test_key_that_cannot_be_checked_is_503_and_anonymous_goes_on(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_ACCOUNT_URL=f"http://127.0.0.1:{free_port()}") as gateway:
        answer = gateway.ask("{ hello }", ALICE)
        assert (answer.status_code, code(answer)) == (503, "IDENTITY_UNAVAILABLE")
        assert gateway.ask("{ hello }").json()["data"] == {"hello": "x"}


def test_another_key_than_the_subgraphs_know_is_unavailable_not_unsigned(toys: ToyHouse) -> None:
    with toys.gateway(HEARTHFORGE_PRIVATE_KEY=new_private_key()) as gateway:
        answer = gateway.ask("{ diceSaw { key } }")
        assert code(answer) == "SUBGRAPH_UNAVAILABLE"
        assert "ignature" not in answer.text


@pytest.mark.parametrize("hours", [1, -1])
def test_clock_that_is_set_leaves_no_tokens_of_another_time(toys: ToyHouse, hours: int) -> None:
    off = {
        "NODE_OPTIONS": f"--import={HERE / 'clock_on_signal.mjs'}",
        "CLOCK_OFF_MS": str(hours * 3_600_000),
    }
    with toys.gateway(**off) as gateway:
        assert code(gateway.ask("{ diceSaw { key } }")) == "SUBGRAPH_UNAVAILABLE"
        gateway.process.send_signal(signal.SIGUSR2)
        until(lambda: "clock set" in gateway.log.read_text())
        answer = gateway.ask("{ diceSaw { key } }")
        assert "errors" not in answer.json(), answer.text


def events(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("data: {")]


def test_subscription_streams_events_with_letters_of_many_bytes(gateway: Gateway) -> None:
    word = "Ωmega-ß-龍-🎲" * 20
    query = "subscription($text: String!) { ticks(count: 200, text: $text) }"
    answer = gateway.ask(query, variables={"text": word}, headers={"accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = events(answer.text)
    assert len(told) == 200
    assert all(f'"ticks":"{word} {number}"' in line for number, line in enumerate(told))
    assert "event: complete" in answer.text


STORY = "subscription { story { cursor title } }"


def told_ids(text: str) -> list[str]:
    return [line.removeprefix("id: ") for line in text.splitlines() if line.startswith("id: ")]


def test_an_event_with_a_cursor_has_it_as_its_id(gateway: Gateway) -> None:
    headers = {"accept": "text/event-stream"}
    answer = gateway.ask(STORY, headers=headers)
    assert told_ids(answer.text) == ["c1", "c2", "c3"]
    # As the standard has it, the id belongs to the event whose lines it stands among.
    first = next(block.splitlines() for block in answer.text.split("\n\n") if "event: next" in block)
    assert first[0] == "id: c1" and first[1] == "event: next" and '"title":"Chapter 1"' in first[2]
    assert told_ids(gateway.ask("subscription { story { title } }", headers=headers).text) == []
    assert told_ids(gateway.ask("subscription { ticks(count: 2) }", headers=headers).text) == []


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        (STORY, {}),
        ('subscription { story(after: "c1") { cursor } }', {}),
        ("subscription ($mine: String) { story(after: $mine) { cursor } }", {"mine": "c1"}),
        ("subscription ($mine: String) { story(after: $mine) { cursor } }", {}),
    ],
)
def test_last_event_id_goes_on_behind_what_the_client_has(
    gateway: Gateway, query: str, variables: dict[str, str]
) -> None:
    headers = {"accept": "text/event-stream", "last-event-id": "c2"}
    assert told_ids(gateway.ask(query, variables=variables, headers=headers).text) == ["c3"]
    # The next one without it begins anew: no document is changed for others.
    del headers["last-event-id"]
    begin = 2 if "c1" in query or variables else 1
    assert told_ids(gateway.ask(query, variables=variables, headers=headers).text)[0] == f"c{begin}"


def test_last_event_id_says_nothing_to_what_cannot_be_resumed(gateway: Gateway) -> None:
    headers = {"accept": "text/event-stream", "last-event-id": "c2"}
    assert len(events(gateway.ask("subscription { ticks(count: 2) }", headers=headers).text)) == 2
    assert gateway.ask("{ hello }", headers={"last-event-id": "c2"}).json()["data"] == {"hello": "x"}


def test_subscription_knows_who_listens(gateway: Gateway) -> None:
    query = "subscription { listener { subject } }"
    answer = gateway.ask(query, ALICE, headers={"accept": "text/event-stream"})
    assert '"subject":"acc_alice"' in answer.text


def test_stream_is_ended_at_the_subgraph_when_the_client_leaves(toys: ToyHouse, gateway: Gateway) -> None:
    def open_connections() -> int:
        rows = Path(f"/proc/{toys.processes['dice'].pid}/net/tcp").read_text().splitlines()[1:]
        mine = f":{toys.ports['dice']:04X}"
        return sum(row.split()[1].endswith(mine) and row.split()[3] == "01" for row in rows)

    body = {"query": "subscription { forever }"}
    headers = {"accept": "text/event-stream"}
    streams = []
    with httpx.Client(timeout=10) as client:
        for _ in range(8):
            stream = client.send(
                client.build_request("POST", f"{gateway.url}/graphql", json=body, headers=headers),
                stream=True,
            )
            lines = stream.iter_lines()  # kept: a collected iterator closes its stream
            while "forever" not in next(lines):
                pass
            streams.append((stream, lines))
        held = open_connections()
        for stream, _ in streams:
            stream.close()
    assert held >= 8
    until(lambda: open_connections() <= held - 8)


def test_graphiql_is_whole_and_loads_nothing(gateway: Gateway) -> None:
    page = httpx.get(f"{gateway.url}/graphql", headers={"accept": "text/html"}, timeout=20)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "Bearer hf_live_" in page.text
    assert "connect-src 'self'" in page.headers["content-security-policy"]
    head = page.text[: page.text.index("<body")]
    assert head.count('<meta name="viewport" content="width=device-width, initial-scale=1">') == 1
    assert "<script src" not in page.text.replace("'<script src", "")
    assert '<link rel="stylesheet"' not in head
    assert not any(host in page.text for host in ("unpkg.com", "jsdelivr.net", "esm.sh"))
    again = httpx.get(
        f"{gateway.url}/graphql", headers={"accept": "text/html", "if-none-match": page.headers["etag"]}
    )
    assert again.status_code == 304


def test_graphiql_is_kept_compressed_and_charged(toys: ToyHouse) -> None:
    with toys.gateway() as gateway, httpx.Client(base_url=gateway.url, timeout=20) as browser:

        def page(**headers: str) -> httpx.Response:
            return browser.get("/graphql", headers={"accept": "text/html", **headers})

        br, gzip = page(**{"accept-encoding": "gzip, br"}), page(**{"accept-encoding": "br;q=0, gzip"})
        assert [each.headers["content-encoding"] for each in (br, gzip)] == ["br", "gzip"]
        assert br.headers["etag"] != gzip.headers["etag"]
        for each in (br, gzip):
            assert each.headers["cache-control"] == "public, max-age=3600"
            assert each.headers["vary"] == "accept, accept-encoding"
            assert each.headers["x-content-type-options"] == "nosniff"
        known = {"accept-encoding": "gzip", "if-none-match": f'"x", W/{gzip.headers["etag"]}'}
        assert page(**known).status_code == 304
        assert page(**known | {"accept-encoding": "br"}).status_code == 200
        plain = page(**{"accept-encoding": "identity"})
        assert (plain.status_code, plain.json()["code"]) == (406, "NOT_ACCEPTABLE")
        # 5 points each: 2,000 of them are soon gone.
        assert any(page(**known).status_code == 429 for _ in range(2000))
