"""The account subgraph, called as the federation gateway calls it."""

from datetime import datetime
from typing import Any

import pytest

from services.shared.answer_secrecy import SECRET_HEADER
from services.shared.auth import Viewer
from tests.databases import ON_BOTH
from tests.gateway.front import SIGN_UP, Front, bearer, owner

pytestmark = pytest.mark.asyncio(loop_scope="module")

ME = "{ me { id name createdAt version keys { nodes { id name scopes revokedAt } } } }"
ACCOUNT = "query ($id: ID!) { account(id: $id) { id name createdAt version keys { nodes { id } } } }"
ENTITIES = """
query ($representations: [_Any!]!) {
  _entities(representations: $representations) { ... on Account { id name createdAt version } }
}
"""
CREATE = """
mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) {
    __typename
    ... on ApiKeyCreated { key apiKey { id name scopes expiresAt } }
    ... on Problem { code message path }
    ... on InvalidInput { issues { code path found allowed } }
  }
}
"""
REVOKE = """
mutation ($id: ID!) {
  revokeApiKey(input: {id: $id}) {
    __typename
    ... on ApiKeyRevoked { apiKey { id revokedAt } }
    ... on Problem { code }
  }
}
"""
RENAME = """
mutation ($input: RenameAccountInput!) {
  renameAccount(input: $input) {
    __typename
    ... on AccountSaved { account { id name version } }
    ... on Problem { code path }
    ... on VersionConflict { expectedVersion currentVersion }
  }
}
"""
DELETE = """
mutation ($input: DeleteAccountInput!) {
  deleteAccount(input: $input) {
    __typename
    ... on AccountDeleted { id }
    ... on Problem { code path }
    ... on InvalidInput { issues { code path found allowed } }
  }
}
"""


def codes(answer: dict[str, Any]) -> list[str]:
    """Give the codes of an answer's errors."""
    return [error["extensions"]["code"] for error in answer.get("errors", ())]


async def test_you_see_yourself_with_your_keys(app: Front) -> None:
    signed_up = await app.sign_up()
    answer = await app.graph(owner(signed_up), ME)
    assert "errors" not in answer
    me = answer["data"]["me"]
    assert (me["id"], me["name"], me["version"]) == (signed_up["account"]["id"], "Mara", 1)
    assert me["createdAt"] == signed_up["account"]["createdAt"]
    assert me["keys"]["nodes"] == [
        {
            "id": signed_up["apiKey"]["id"],
            "name": "First key",
            "scopes": ["READ", "WRITE", "ADMIN"],
            "revokedAt": None,
        }
    ]


@ON_BOTH
async def test_of_others_you_see_the_name_and_nothing_more(app: Front) -> None:
    mara, toren = await app.sign_up("Mara"), await app.sign_up("Toren")
    other = toren["account"]["id"]
    seen = (await app.graph(owner(mara), ACCOUNT, id=other))["data"]["account"]
    assert seen == {"id": other, "name": "Toren", "createdAt": None, "version": None, "keys": None}
    found = await app.graph(
        owner(mara),
        ENTITIES,
        representations=[
            {"__typename": "Account", "id": wanted}
            for wanted in (other, mara["account"]["id"], "acc_01jd8x6m3v5q7r9t0w2y4z6a8c", "\x1f", "rol_1")
        ],
    )
    assert "errors" not in found
    entities = found["data"]["_entities"]
    assert entities[0] == {"id": other, "name": "Toren", "createdAt": None, "version": None}
    assert entities[1]["version"] == 1
    assert entities[2:] == [None, None, None]


async def test_nobody_without_a_key_sees_anything(app: Front) -> None:
    account = (await app.sign_up())["account"]["id"]
    for query, variables in ((ME, {}), (ACCOUNT, {"id": account})):
        answer = await app.graph(Viewer(), query, **variables)
        assert codes(answer) == ["UNAUTHENTICATED"]
        assert "Mara" not in repr(answer)
    representation = [{"__typename": "Account", "id": account}]
    assert (await app.graph(Viewer(), ENTITIES, representations=representation))["data"]["_entities"] == [
        None
    ]
    unsigned = await app.http.post("/graphql", json={"query": ME})
    assert (unsigned.status_code, unsigned.json()["errors"][0]["extensions"]["code"]) == (401, "UNSIGNED")


async def test_managing_keys_needs_the_scope_admin(app: Front) -> None:
    signed_up = await app.sign_up()
    writer = owner(signed_up, "read", "write")
    listed = await app.graph(writer, ME)
    assert codes(listed) == ["FORBIDDEN"]
    assert listed["data"]["me"]["keys"] is None and listed["data"]["me"]["name"] == "Mara"
    made = await app.graph(writer, CREATE, input={"name": "Phone", "scopes": ["READ"]})
    assert made["data"]["createApiKey"]["__typename"] == "Forbidden"
    revoked = await app.graph(writer, REVOKE, id=signed_up["apiKey"]["id"])
    assert revoked["data"]["revokeApiKey"]["__typename"] == "Forbidden"
    assert (await app.principal(f"Bearer {signed_up['key']}")).status_code == 200


async def test_a_key_made_here_opens_the_door_until_it_is_revoked(app: Front) -> None:
    viewer = owner(await app.sign_up())
    wish = {"name": "Phone", "scopes": ["READ"], "expiresInDays": 7, "idempotencyKey": "phone"}
    made = (await app.graph(viewer, CREATE, input=wish))["data"]["createApiKey"]
    assert made["__typename"] == "ApiKeyCreated"
    assert made["apiKey"]["scopes"] == ["READ"] and made["apiKey"]["expiresAt"]
    again = (await app.graph(viewer, CREATE, input=wish))["data"]["createApiKey"]
    assert again == made
    assert (await app.http.get("/v1/me", headers=bearer(made["key"]))).status_code == 200

    ended = (await app.graph(viewer, REVOKE, id=made["apiKey"]["id"]))["data"]["revokeApiKey"]
    assert ended["__typename"] == "ApiKeyRevoked" and ended["apiKey"]["revokedAt"]
    assert (await app.http.get("/v1/me", headers=bearer(made["key"]))).status_code == 401


async def test_problems_come_as_types(app: Front) -> None:
    mara, toren = await app.sign_up(), await app.sign_up()
    reader = owner(mara, "read", "admin")
    beyond = (await app.graph(reader, CREATE, input={"name": "x", "scopes": ["WRITE"]}))["data"][
        "createApiKey"
    ]
    assert beyond["__typename"] == "InvalidInput"
    assert beyond["issues"][0]["code"] == "SCOPE_BEYOND_OWN"
    assert beyond["issues"][0]["allowed"] == "READ, ADMIN"
    foreign = await app.graph(owner(mara), REVOKE, id=toren["apiKey"]["id"])
    assert foreign["data"]["revokeApiKey"]["__typename"] == "NotFound"
    used = {"name": "x", "scopes": ["READ"], "idempotencyKey": "once"}
    await app.graph(owner(mara), CREATE, input=used)
    conflict = await app.graph(owner(mara), CREATE, input={**used, "name": "y"})
    assert conflict["data"]["createApiKey"]["code"] == "IDEMPOTENCY_CONFLICT"


async def test_renaming_takes_the_version_seen(app: Front) -> None:
    viewer = owner(await app.sign_up())
    saved = (await app.graph(viewer, RENAME, input={"version": 1, "name": "Mara II"}))["data"][
        "renameAccount"
    ]
    assert (saved["account"]["name"], saved["account"]["version"]) == ("Mara II", 2)
    stale = (await app.graph(viewer, RENAME, input={"version": 1, "name": "Mara"}))["data"]["renameAccount"]
    assert stale["__typename"] == "VersionConflict"
    assert (stale["expectedVersion"], stale["currentVersion"]) == (1, 2)
    reader = Viewer(viewer.account, frozenset({"read"}))
    refused = await app.graph(reader, RENAME, input={"version": 2, "name": "x"})
    assert refused["data"]["renameAccount"]["__typename"] == "Forbidden"


async def test_a_deleted_account_is_a_name_to_others(app: Front) -> None:
    mara, toren = await app.sign_up("Mara"), await app.sign_up("Toren")
    viewer, gone = owner(mara), mara["account"]["id"]
    writer = Viewer(gone, frozenset({"read", "write"}))
    refused = await app.graph(writer, DELETE, input={"confirm": gone})
    assert refused["data"]["deleteAccount"]["__typename"] == "Forbidden"
    slip = (await app.graph(viewer, DELETE, input={"confirm": toren["account"]["id"]}))["data"]
    assert slip["deleteAccount"]["__typename"] == "InvalidInput"
    assert slip["deleteAccount"]["issues"][0]["allowed"] == gone
    done = (await app.graph(viewer, DELETE, input={"confirm": gone}))["data"]["deleteAccount"]
    assert done == {"__typename": "AccountDeleted", "id": gone}

    seen = (
        "query ($id: ID!) { account(id: $id) { id name deletedAt createdAt version keys { nodes { id } } } }"
    )
    found = (await app.graph(owner(toren), seen, id=gone))["data"]["account"]
    assert datetime.fromisoformat(found.pop("deletedAt"))
    assert found == {"id": gone, "name": "Deleted account", "createdAt": None, "version": None, "keys": None}
    assert (await app.graph(owner(toren), seen, id=toren["account"]["id"]))["data"]["account"][
        "deletedAt"
    ] is None
    referred = await app.graph(
        owner(toren), ENTITIES, representations=[{"__typename": "Account", "id": gone}]
    )
    assert referred["data"]["_entities"][0]["name"] == "Deleted account"
    refused = await app.principal(f"Bearer {mara['key']}")
    assert (refused.status_code, refused.json()["code"]) == (401, "KEY_REVOKED")


@ON_BOTH
@pytest.mark.parametrize(
    ("query", "variables"),
    [
        (DELETE, {"input": {"confirm": "acc_\0"}}),
        (DELETE, {"input": {"confirm": "x" * 10_000}}),
        (ACCOUNT, {"id": "\0"}),
        (ACCOUNT, {"id": "x" * 10_000}),
        (REVOKE, {"id": "key_\0"}),
        (CREATE, {"input": {"name": "a\0b", "scopes": ["READ"]}}),
        (CREATE, {"input": {"name": "x", "scopes": ["READ"], "idempotencyKey": "a\0b"}}),
        (CREATE, {"input": {"name": "x", "scopes": ["READ"] * 1000, "idempotencyKey": ""}}),
        (RENAME, {"input": {"version": -(2**31), "name": "\0"}}),
        (RENAME, {"input": {"version": 2**31 - 1, "name": "x"}}),
        ("{ me { keys(first: 0) { nodes { id } } } }", {}),
        ('{ me { keys(after: "\\u0000") { nodes { id } } } }', {}),
    ],
)
async def test_bad_input_is_never_a_fault_of_ours(app: Front, query: str, variables: dict[str, Any]) -> None:
    answer = await app.graph(owner(await app.sign_up()), query, **variables)
    assert "INTERNAL" not in codes(answer)


async def test_answers_that_hold_a_secret_say_so_to_the_door_and_no_other_does(app: Front) -> None:
    told = SECRET_HEADER

    signed_up = await app.http.post(SIGN_UP, json={"name": "Mara"})
    viewer, own = owner(signed_up.json()), bearer(signed_up.json()["key"])
    wish = {"name": "Phone", "scopes": ["READ"]}
    in_rest = await app.http.post("/v1/keys", headers=own, json=wish)
    ticket = await app.http.post("/v1/tickets", headers=own, json={"address": "/v1/me"})
    for answer in (signed_up, in_rest, ticket):
        assert (answer.status_code, answer.headers.get(told)) == (201, "1"), answer.text

    asked = {"query": CREATE, "variables": {"input": wish}}
    in_graph = await app.http.post("/graphql", headers=app.token(viewer), json=asked)
    assert in_graph.headers[told] == "1"
    assert in_graph.json()["extensions"] == {"secret": True}

    refused = await app.http.post("/v1/keys", headers=own, json={"name": "", "scopes": ["READ"]})
    shown = await app.http.post("/graphql", headers=app.token(viewer), json={"query": ME})
    for answer in (refused, shown, await app.http.get("/v1/me", headers=own)):
        assert told not in answer.headers
    assert "extensions" not in shown.json()
