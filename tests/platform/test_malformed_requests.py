"""What the gateway is to make of requests that nobody can understand, and of keys that open nothing.

That each input of each operation is refused when it is spoiled, ``tests/matrix/test_bad_input.py`` shows of the
services; here some of those requests are sent through the public port: of each operation the first, and every
thirtieth behind it, in the gate ``proofs`` every tenth.
"""

import asyncio
import itertools
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from sqlmodel import col, update

from services.gateway.accounts.models import ApiKeyRow
from services.shared.database import Database
from tests.at_length import part_or_whole
from tests.databases import ON_BOTH
from tests.e2e.documents import MUTATIONS
from tests.e2e.product import Person, Product, until
from tests.e2e.table import World, build_world, found_campaign, join, log
from tests.matrix.map_requests import EDITS, GROWTH, STORY_GROWTH
from tests.matrix.requests import graph_requests, map_requests, rest_requests, typed_requests
from tests.matrix.test_bad_input import (
    AT_THE_DOOR,
    CODES,
    GRAPH_NAMES,
    JSON,
    NO_CURSORS,
    NUL,
    REST_NAMES,
    WITHOUT_INPUT,
    MakeGm,
    ask,
    footprint,
    sent_to_rest,
    spoil_rest,
    variables_of,
)

EVERY = part_or_whole(30, 10)


@pytest.fixture(scope="module")
def world(sqlite: Product) -> World:
    """Set a table for what is refused before any database is asked."""
    return build_world(sqlite)


@pytest.fixture(scope="module")
def new_gm(sqlite: Product, world: World) -> MakeGm:
    """Give a function that makes one more GM of the table, with a full bucket of points."""

    def make() -> Person:
        return join(sqlite.sign_up("One of many"), world.gm, world.campaign, "GM")

    return make


@pytest.fixture(scope="module")
def stranger(product: Product) -> Person:
    """Sign somebody up on each kind of database in turn: what one of the two cannot keep is told to both."""
    return product.sign_up("Malice")


def test_some_spoiled_inputs_of_the_graph_are_refused(world: World, new_gm: MakeGm) -> None:
    """Those of each operation begin with its first."""
    person = new_gm()
    requests = graph_requests(world, person)
    before = footprint(world, person)
    faults = []
    for name in GRAPH_NAMES:
        for path, poison, variables in itertools.islice(variables_of(requests[name]), 0, None, EVERY):
            if fault := ask(person, requests[name], variables):
                faults.append(f"{name}, {path} = {poison}: {fault}")
    assert faults == []
    assert footprint(world, person) == before


def test_some_spoiled_inputs_of_the_rest_face_are_refused(world: World, new_gm: MakeGm) -> None:
    """Those of each operation begin with its first; of one operation each method, those at the door are all sent."""
    person = new_gm()
    requests = rest_requests(world, person)
    before = footprint(world, person)
    faults = []
    for name in REST_NAMES:
        step = 1 if name in AT_THE_DOOR else EVERY
        for spoil, options in itertools.islice(spoil_rest(requests[name]), 0, None, step):
            if fault := sent_to_rest(person, requests[name], spoil, options):
                faults.append(f"{name}, {spoil}: {fault}")
    assert faults == []
    assert footprint(world, person) == before


def test_every_operation_and_input_of_the_graph_is_spoiled(world: World, new_gm: MakeGm) -> None:
    person = new_gm()
    schema = person.ask(INTROSPECTION)["__schema"]
    types = {one["name"]: one for one in schema["types"]}
    requests = graph_requests(world, person)
    for kind in ("query", "mutation", "subscription"):
        fields = {one["name"] for one in types[schema[f"{kind}Type"]["name"]]["fields"]}
        assert {name.split()[1] for name in requests if name.startswith(f"{kind} ")} == fields
    assert set(requests) - set(GRAPH_NAMES) == {f"query {name}" for name in WITHOUT_INPUT}
    edits = {one["name"] for one in types["MapEditInput"]["inputFields"]}
    assert edits == {*EDITS, *GROWTH, *STORY_GROWTH}
    typed = typed_requests(world, person) | map_requests(world, person)
    given = {step for one in (*requests.values(), *typed.values()) for step in names(one.variables)}
    inputs = {
        member["name"]
        for one in types.values()
        if one["kind"] == "INPUT_OBJECT"
        for member in one["inputFields"]
    }
    assert inputs - given == set()


def names(value: Any) -> Iterator[str]:
    """Give the names of all members in a JSON value."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from names(item)
    elif isinstance(value, list):
        for item in value:
            yield from names(item)


INTROSPECTION = """
{ __schema {
    queryType { name } mutationType { name } subscriptionType { name }
    types { name kind fields { name } inputFields { name } }
} }
"""


FIELDS = "{ me { id } }"


GOOD = json.dumps({"query": FIELDS}).encode()


DEEP = b'{"query":"{ me { id } }","variables":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"


FIND = "query ($id: ID!) { campaign(id: $id) { id } }"


def with_variables(raw: str, document: str = FIND) -> bytes:
    """Write a request whose variables are given as text, so that they may be no JSON at all."""
    return f'{{"query": {json.dumps(document)}, "variables": {raw}}}'.encode()


@pytest.mark.parametrize(
    ("content", "headers", "status", "code"),
    [
        pytest.param(b"", JSON, 400, "BAD_REQUEST", id="nothing"),
        pytest.param(b'{"query": ', JSON, 400, "BAD_REQUEST", id="half of a JSON text"),
        pytest.param(b"\xff\xfe{}", JSON, 400, "BAD_REQUEST", id="no UTF-8"),
        pytest.param(b"[]", JSON, 400, "BAD_REQUEST", id="a list"),
        pytest.param(b"[" + GOOD + b"]", JSON, 400, "BAD_REQUEST", id="a batch"),
        pytest.param(b'"{ me { id } }"', JSON, 400, "BAD_REQUEST", id="a text"),
        pytest.param(b"null", JSON, 400, "BAD_REQUEST", id="null"),
        pytest.param(b"{}", JSON, 400, "BAD_REQUEST", id="no query"),
        pytest.param(b'{"query": 5}', JSON, 400, "BAD_REQUEST", id="a number as query"),
        pytest.param(b'{"query": ""}', JSON, 400, None, id="an empty query"),
        pytest.param(with_variables("[1]"), JSON, 400, "BAD_REQUEST", id="variables are a list"),
        pytest.param(with_variables('{"id": NaN}'), JSON, 400, "BAD_REQUEST", id="NaN"),
        pytest.param(with_variables('{"id": Infinity}'), JSON, 400, "BAD_REQUEST", id="Infinity"),
        pytest.param(
            with_variables('{"id": ' + "9" * 5000 + "}"), JSON, 400, "BAD_REQUEST", id="5,000 digits"
        ),
        pytest.param(DEEP, JSON, 400, "BAD_REQUEST", id="100,000 levels"),
        pytest.param(GOOD + b" " * (256 * 1024), JSON, 413, "BODY_TOO_LARGE", id="more than 256 KiB"),
        pytest.param(b'{"query": "{ me { id }"}', JSON, 400, "GRAPHQL_PARSE_FAILED", id="half of a query"),
        pytest.param(
            b'{"query": "{ me { id } }\\u0000"}', JSON, 400, "GRAPHQL_PARSE_FAILED", id="NUL in the query"
        ),
        pytest.param(
            b'{"query": "{ nothing }"}', JSON, 400, "GRAPHQL_VALIDATION_FAILED", id="an unknown field"
        ),
        pytest.param(
            b'{"query": "{ me { id } }", "operationName": "x"}', JSON, 400, None, id="an unknown operation"
        ),
        pytest.param(GOOD, {"content-type": "text/plain"}, 415, "UNSUPPORTED_MEDIA_TYPE", id="text/plain"),
        pytest.param(
            b"query=%7Bme%7Bid%7D%7D",
            {"content-type": "application/x-www-form-urlencoded"},
            415,
            "UNSUPPORTED_MEDIA_TYPE",
            id="a form",
        ),
        pytest.param(
            b'--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n' + GOOD + b"\r\n--x--\r\n",
            {"content-type": "multipart/form-data; boundary=x"},
            415,
            "UNSUPPORTED_MEDIA_TYPE",
            id="multipart",
        ),
        pytest.param(
            GOOD, {**JSON, "content-encoding": "gzip"}, 415, "UNSUPPORTED_MEDIA_TYPE", id="gzip that is none"
        ),
        pytest.param(GOOD, {**JSON, "accept": "image/png"}, 406, "NOT_ACCEPTABLE", id="wants a picture"),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "application/graphql-response+json"])
def test_malformed_graph_request_is_refused(
    world: World, content: bytes, headers: dict[str, str], status: int, code: str | None, accept: str
) -> None:
    answer = world.outsider.send("POST", "/graphql", content=content, headers={"accept": accept, **headers})
    # Plain JSON keeps the status 200 for what is a GraphQL answer: the request was understood.
    lenient = {200} if accept == "application/json" and (code or "GRAPHQL").startswith("GRAPHQL") else set()
    assert answer.status_code in {status} | lenient, answer.text
    codes = {error["extensions"]["code"] for error in answer.json()["errors"]}
    assert codes == {code} if code else codes <= CODES
    assert not answer.json().get("data")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_other_methods_than_get_and_post_are_refused(world: World, method: str) -> None:
    # A body that the method has no meaning for is refused before the method itself.
    content = None if method == "DELETE" else GOOD
    answer = world.outsider.send(method, "/graphql", content=content, headers=JSON)
    assert answer.status_code == 405
    assert answer.json()["errors"][0]["extensions"]["code"] == "METHOD_NOT_ALLOWED"


def test_get_changes_nothing(world: World, new_gm: MakeGm) -> None:
    person = new_gm()
    before = footprint(world, person)
    mutation = quote('mutation { createCampaign(input: {name: "by GET"}) { __typename } }')
    answer = person.get(f"/graphql?query={mutation}")
    assert 400 <= answer.status_code < 500, answer.text
    assert {error["extensions"]["code"] for error in answer.json()["errors"]} <= CODES
    assert footprint(world, person) == before


@ON_BOTH
@pytest.mark.parametrize("raw", [r"\u0000", r"\uD800", r"\uDC00\uD800", "9" * 40])
def test_odd_texts_within_the_document_are_refused(stranger: Person, raw: str) -> None:
    literal = raw if raw.isdigit() else f'"{raw}"'
    answer = stranger.graph(f"{{ campaign(id: {literal}) {{ id }} roll(id: {literal}) {{ id }} }}")
    assert answer.status_code < 500
    assert {error["extensions"]["code"] for error in answer.json().get("errors", ())} <= CODES
    assert not any((answer.json().get("data") or {}).values())


@ON_BOTH
@pytest.mark.parametrize(
    "raw", [r'"\ud800"', r'"\udc00\ud800"', r'"\u0000"', "1e400", "-1e400", '"%s"' % ("y" * 200_000)]
)
def test_odd_variables_are_refused_in_every_service(stranger: Person, raw: str) -> None:
    """As text of their own, since a well-behaved client could not even send them."""
    document = """query ($id: ID!) {
      account(id: $id) { id } roll(id: $id) { id } character(id: $id) { id } campaign(id: $id) { id } map(id: $id) { id }
      job(id: $id) { id } rolls(campaignId: $id) { nodes { id } }
    }"""
    content = with_variables(f'{{"id": {raw}}}', document)
    answer = stranger.send("POST", "/graphql", content=content, headers=JSON)
    assert answer.status_code < 500
    assert {error["extensions"]["code"] for error in answer.json().get("errors", ())} <= CODES
    found = answer.json().get("data") or {}
    assert not any(value for value in found.values() if value != {"nodes": []})


def age(product: Product, key_id: str) -> None:
    """Let a key's last day have been yesterday: no key can be made that ends sooner than after a day."""

    async def write() -> None:
        database = Database(product.environment["DATABASE_URL_ACCOUNT"], pooled=False)
        async with database.write() as session:
            yesterday = datetime.now(UTC) - timedelta(days=1)
            changed = update(ApiKeyRow).where(col(ApiKeyRow.id) == key_id).values(expires_at=yesterday)
            assert (await session.execute(changed)).rowcount == 1
        await database.close()

    asyncio.run(write())


@ON_BOTH
def test_dead_keys_open_nothing(product: Product) -> None:
    person = product.sign_up("Key maker")
    campaign = found_campaign(person)
    made = [
        person.do(
            MUTATIONS["createApiKey"],
            input={"name": name, "scopes": ["READ", "WRITE", "ADMIN"], "expiresInDays": 1},
        )
        for name in ("expired", "revoked")
    ]
    age(product, made[0]["apiKey"]["id"])
    person.do(MUTATIONS["revokeApiKey"], input={"id": made[1]["apiKey"]["id"]})
    good = person.key or ""
    keys = {
        "KEY_EXPIRED": made[0]["key"],
        "KEY_REVOKED": made[1]["key"],
        "KEY_UNKNOWN": good[:-1] + ("1" if good.endswith("0") else "0"),
        "KEY_MALFORMED": "hf_live_nonsense",
    }
    before = log(person, campaign)
    for reason, key in keys.items():
        holder = Person(product, "", key, reason)
        asked = {"campaignId": campaign, "text": reason}
        answer = holder.graph(MUTATIONS["writeNote"], {"input": asked})
        assert answer.status_code == 401
        (error,) = answer.json()["errors"]
        assert (error["extensions"]["code"], error["extensions"]["reason"]) == ("UNAUTHENTICATED", reason)
        rest = holder.post(f"/v1/campaigns/{campaign}/notes", {"text": reason})
        problem = rest.json()
        assert (rest.status_code, problem["code"], problem["reason"]) == (401, "UNAUTHENTICATED", reason)
        assert rest.headers["www-authenticate"].startswith("Bearer")
    assert log(person, campaign) == before


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Basic abc", "Bearer " + "x" * 9000, "Bearer hf_live_\xe4", "hf_live_x"]
)
def test_odd_authorization_headers_open_nothing(world: World, header: str) -> None:
    bare = Person(world.product, "", None, "", address=world.outsider.address)
    headers = {"authorization": header.encode("latin-1")}
    graph = bare.send("POST", "/graphql", json={"query": FIELDS}, headers=headers)
    rest = bare.send("GET", "/v1/me", headers=headers)
    # An empty header is none: the graph then answers that nobody is signed in.
    assert graph.status_code == 401 or (not header and graph.status_code == 200)
    assert rest.status_code == 401
    assert graph.json()["errors"][0]["extensions"]["code"] == rest.json()["code"] == "UNAUTHENTICATED"


def test_limits_are_charged_and_refuse_with_429(sqlite: Product) -> None:
    """The door is shut with a real 429 when the bucket is empty, in both faces, and opens again."""
    spender = sqlite.sign_up("Spender")
    dear = "{ %s }" % " ".join(
        f"a{number}: rolls(first: 100) {{ nodes {{ by {{ id }} }} }}" for number in range(4)
    )
    answers = [spender.graph(dear, patient=False) for _ in range(6)]
    refused = [one for one in answers if one.status_code == 429]
    assert refused, [one.json()["extensions"]["cost"] for one in answers]
    assert refused[0].json()["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
    assert int(refused[0].headers["retry-after"]) >= 1
    until(lambda: spender.graph(dear, patient=False).status_code == 200, "the bucket to fill by itself")
    too_dear = spender.graph(
        "{ %s }"
        % " ".join(
            f"a{n}: rolls(first: 100) {{ nodes {{ by {{ id }} campaign {{ id }} character {{ id }} }} }}"
            for n in range(4)
        )
    )
    assert (too_dear.status_code, too_dear.json()["errors"][0]["extensions"]["code"]) == (
        400,
        "QUERY_TOO_EXPENSIVE",
    )


def test_every_operation_of_the_rest_face_is_spoiled(world: World, new_gm: MakeGm) -> None:
    published = world.anonymous.get("/openapi.json").json()["paths"]
    listed = {
        operation["operationId"]: (method.upper(), path)
        for path, methods in published.items()
        for method, operation in methods.items()
    }
    requests = rest_requests(world, new_gm())
    assert {one.name: (one.method, one.path) for one in requests.values()} == listed
    methods = {one.method for one in requests.values() if isinstance(one.body, dict)}
    assert {requests[name].method for name in AT_THE_DOOR} == methods


def test_oversized_bodies_leave_the_connection_usable(world: World) -> None:
    """What the app does not read of a body must not stand in the way of the next request."""
    content = b'{"name": "%s"}' % (b"x" * 257 * 1024)
    headers = {**world.outsider.headers, "content-type": "application/json"}
    with httpx.Client(base_url=world.product.url, timeout=10, trust_env=False) as one_connection:
        for _ in range(40):
            refused = one_connection.post("/v1/campaigns", content=content, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (413, "BODY_TOO_LARGE")
        assert one_connection.get("/v1/me", headers=headers).json()["id"] == world.outsider.id


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/nothing"),
        ("DELETE", "/v1/rolls"),
        ("POST", "/v1/me"),
        ("GET", "/v1/%2e%2e/internal/principal"),
        ("GET", "/internal/principal"),
        ("GET", "/internal/access/acc_x"),
        ("GET", "//internal/principal"),
        ("GET", "/v1/maps/x/map.svg/../../../internal/principal"),
        ("GET", "/metrics"),
    ],
)
def test_paths_that_are_not_for_clients_are_closed(world: World, method: str, path: str) -> None:
    answer = world.outsider.send(method, path)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.json()["code"] in {"NOT_FOUND", "METHOD_NOT_ALLOWED", "BAD_REQUEST"}


# What one service adds to the entity of another
ADDED = {
    "rolls": """query ($first: Int!, $after: String, $id: ID!) {
      campaign(id: $id) { rolls(first: $first, after: $after) { nodes { id } } }
    }""",
    "maps": """query ($first: Int!, $after: String, $id: ID!) {
      campaign(id: $id) { maps(first: $first, after: $after) { nodes { id } } }
    }""",
}


@pytest.mark.parametrize("listed", ADDED)
def test_pages_that_are_none_are_refused_behind_an_entity_too(world: World, listed: str) -> None:
    for first in (-(2**31), -1, 0, 101, 2**31 - 1):
        answer = world.gm.graph(ADDED[listed], {"first": first, "id": world.campaign}).json()
        (error,) = answer["errors"]
        assert error["extensions"]["code"] in {"BAD_PAGE_SIZE", "QUERY_TOO_EXPENSIVE"}, first
        assert error["extensions"]["code"] == "BAD_PAGE_SIZE" or first > 101, first
    for after in NO_CURSORS:
        answer = world.gm.graph(ADDED[listed], {"first": 5, "after": after, "id": world.campaign}).json()
        (error,) = answer["errors"]
        assert error["extensions"]["code"] == ("BAD_USER_INPUT" if after is NUL else "BAD_CURSOR"), after


def test_every_part_is_ready_after_all_of_this(world: World) -> None:
    ready = world.anonymous.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (200, "ok")
