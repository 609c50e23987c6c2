"""Whose key it is, as the federation gateway asks."""

import pytest

from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.process_keys import new_private_key
from tests.databases import ON_BOTH
from tests.gateway.front import Front, bearer, owner

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_key_names_its_account_and_scopes(app: Front) -> None:
    signed_up = await app.sign_up()
    answer = await app.principal(f"Bearer {signed_up['key']}")
    assert answer.status_code == 200
    assert answer.json() == {
        "account": signed_up["account"]["id"],
        "key": signed_up["apiKey"]["id"],
        "scopes": ["admin", "read", "write"],
        "expiresAt": None,
        "limit": None,
    }


async def test_each_refusal_has_its_code(app: Front) -> None:
    signed_up = await app.sign_up()
    key = signed_up["key"]
    unknown = key[:-2] + ("00" if not key.endswith("00") else "11")
    await app.http.delete(f"/v1/keys/{signed_up['apiKey']['id']}", headers=bearer(key))
    for authorization, code in (
        (None, "KEY_MALFORMED"),
        ("Bearer nonsense", "KEY_MALFORMED"),
        (f"Bearer {unknown}", "KEY_UNKNOWN"),
        (f"Bearer {key}", "KEY_REVOKED"),
    ):
        answer = await app.principal(authorization)
        assert (answer.status_code, answer.json()["code"]) == (401, code)
        assert answer.json()["message"]


async def test_only_services_of_the_house_may_ask(app: Front) -> None:
    signed_up = await app.sign_up()
    forged = Signer("gateway", new_private_key(), {}).sign("account", Viewer(), service=True)
    elsewhere = Signer.of("gateway", app.settings).sign("dice", Viewer(), service=True)
    for headers in (
        {},
        {TOKEN_HEADER: forged},
        {TOKEN_HEADER: elsewhere},
        app.token(owner(signed_up)),
    ):
        answer = await app.http.get("/internal/principal", headers={**bearer(signed_up["key"]), **headers})
        assert (answer.status_code, answer.json()["code"]) == (401, "UNSIGNED")
        assert signed_up["account"]["id"] not in answer.text


async def test_nothing_internal_is_hidden_by_the_paths_of_rest(app: Front) -> None:
    assert (await app.http.get("/internal/events")).json()["code"] == "UNSIGNED"
    events = await app.http.get("/internal/events", headers=app.token(Viewer(), service=True))
    assert events.status_code == 200
    assert (await app.http.get("/internal/nothing")).status_code == 404


@ON_BOTH
async def test_one_question_finds_which_of_many_keys_have_ended(app: Front) -> None:
    good, gone = await app.sign_up(), await app.sign_up()
    await app.http.delete(f"/v1/keys/{gone['apiKey']['id']}", headers=bearer(gone["key"]))
    nobody = "key_00000000000000000000000000"
    asked = {"keys": [good["apiKey"]["id"], gone["apiKey"]["id"], nobody]}
    house = app.token(Viewer(), service=True)
    answer = await app.http.post("/internal/keys/ended", json=asked, headers=house)
    assert {found["key"]: found["code"] for found in answer.json()["ended"]} == {
        gone["apiKey"]["id"]: "KEY_REVOKED",
        nobody: "KEY_UNKNOWN",
    }
    unsigned = await app.http.post("/internal/keys/ended", json=asked)
    assert unsigned.status_code == 401
    nonsense = await app.http.post("/internal/keys/ended", content=b"[]", headers=house)
    assert nonsense.status_code == 400
