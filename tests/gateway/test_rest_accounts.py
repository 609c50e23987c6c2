"""Accounts and keys over REST."""

import asyncio

import pytest

from tests.gateway.front import SIGN_UP, Front, bearer
from tests.gateway.rest_face import fits

pytestmark = pytest.mark.asyncio(loop_scope="module")

UUID = "6f9f0f6e-6f5c-4a6c-9d6e-0a4f5f1c2b3d"


async def test_signing_up_gives_a_key_that_opens_the_door(app: Front) -> None:
    answer = await app.http.post(SIGN_UP, json={"name": "Mara"})
    assert answer.status_code == 201
    assert answer.headers["location"] == "/v1/me"
    assert answer.headers["cache-control"] == "no-store"
    signed_up = fits(answer)
    assert signed_up["apiKey"]["scopes"] == ["READ", "WRITE", "ADMIN"]

    me = await app.http.get("/v1/me", headers=bearer(signed_up["key"]))
    shown = fits(me)
    assert (shown["id"], shown["name"]) == (signed_up["account"]["id"], "Mara")
    assert shown["keyId"] == signed_up["apiKey"]["id"]
    assert me.headers["cache-control"] == "private, no-cache"


async def test_fifty_parallel_sign_ups_with_one_idempotency_key_show_one_key_once(app: Front) -> None:
    # All from one network, which could pay for thirty accounts: only the first request opens one.
    own = {"idempotency-key": UUID}
    answers = await asyncio.gather(
        *(app.http.post(SIGN_UP, json={"name": "Mara"}, headers=own) for _ in range(50))
    )
    (opened,) = [answer for answer in answers if answer.status_code == 201]
    key = opened.json()["key"]
    repeated = [answer for answer in answers if answer is not opened]
    assert {(answer.status_code, answer.json()["code"]) for answer in repeated} == {
        (409, "ALREADY_SIGNED_UP")
    }
    assert not any(key.rsplit("_", 1)[1] in answer.text for answer in repeated)
    other = await app.http.post(SIGN_UP, json={"name": "Toren"}, headers={"idempotency-key": UUID})
    assert (other.status_code, other.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    gone = await app.http.delete(
        "/v1/account", params={"confirm": opened.json()["account"]["id"]}, headers=bearer(key)
    )
    assert gone.status_code == 200
    late = await app.http.post(SIGN_UP, json={"name": "Mara"}, headers=own)
    assert (late.status_code, late.json()["code"]) == (409, "ACCOUNT_DELETED")


async def test_a_repeated_key_is_shown_to_the_key_that_asked_alone(app: Front) -> None:
    first = bearer((await app.sign_up())["key"])
    wish = {"name": "Tablet", "scopes": ["READ", "WRITE", "ADMIN"]}
    second = bearer((await app.http.post("/v1/keys", headers=first, json=wish)).json()["key"])
    once, phone = {"idempotency-key": "phone"}, {"name": "Phone", "scopes": ["READ"]}
    made = await app.http.post("/v1/keys", headers={**first, **once}, json=phone)
    again = await app.http.post("/v1/keys", headers={**first, **once}, json=phone)
    assert (again.status_code, again.text) == (201, made.text)
    other = await app.http.post("/v1/keys", headers={**second, **once}, json=phone)
    assert (other.status_code, other.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    assert made.json()["key"] not in other.text
    nobody = await app.http.post("/v1/keys", headers=once, json=phone)
    assert (nobody.status_code, nobody.json()["code"]) == (401, "UNAUTHENTICATED")


async def test_keys_are_made_listed_and_revoked(app: Front) -> None:
    signed_up = await app.sign_up()
    own = bearer(signed_up["key"])
    made = await app.http.post(
        "/v1/keys", headers=own, json={"name": "Phone", "scopes": ["READ"], "expiresInDays": 30}
    )
    assert (made.status_code, made.headers["cache-control"]) == (201, "no-store")
    phone = fits(made)

    first = await app.http.get("/v1/keys?first=1", headers=own)
    page = fits(first)
    assert [key["name"] for key in page["items"]] == ["Phone"] and page["next"] is not None
    rest = (await app.http.get("/v1/keys", params={"after": page["next"]}, headers=own)).json()
    assert [key["name"] for key in rest["items"]] == ["First key"] and rest["next"] is None
    assert phone["key"].rsplit("_", 1)[1] not in first.text

    revoked = await app.http.delete(f"/v1/keys/{phone['apiKey']['id']}", headers=own)
    assert revoked.status_code == 200
    assert fits(revoked)["revokedAt"] is not None
    refused = await app.http.get("/v1/me", headers=bearer(phone["key"]))
    assert (refused.status_code, refused.json()["reason"]) == (401, "KEY_REVOKED")


async def test_scopes_are_taken_as_they_were_written_before(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    made = await app.http.post("/v1/keys", headers=own, json={"name": "Phone", "scopes": ["read", "WRITE"]})
    assert (made.status_code, made.json()["apiKey"]["scopes"]) == (201, ["READ", "WRITE"])


async def test_a_key_without_the_scope_admin_manages_no_keys(app: Front) -> None:
    signed_up = await app.sign_up()
    made = await app.http.post(
        "/v1/keys", headers=bearer(signed_up["key"]), json={"name": "Bot", "scopes": ["READ", "WRITE"]}
    )
    bot = bearer(made.json()["key"])
    for answer in (
        await app.http.get("/v1/keys", headers=bot),
        await app.http.post("/v1/keys", headers=bot, json={"name": "Child", "scopes": ["READ"]}),
        await app.http.delete(f"/v1/keys/{signed_up['apiKey']['id']}", headers=bot),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
    assert (await app.http.get("/v1/me", headers=bearer(signed_up["key"]))).status_code == 200


async def test_keys_of_others_are_not_found(app: Front) -> None:
    mara, toren = await app.sign_up(), await app.sign_up()
    for key in (
        toren["apiKey"]["id"],
        "key_01jd8x6m3v5q7r9t0w2y4z6a8c",
        "key_",
        "x" * 500,
        "%2e%2e",
        "%C3%28",
    ):
        answer = await app.http.delete(f"/v1/keys/{key}", headers=bearer(mara["key"]))
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND"), key
    assert (await app.http.get("/v1/me", headers=bearer(toren["key"]))).status_code == 200


async def test_an_account_is_deleted_by_its_id_and_its_keys_open_nothing(app: Front) -> None:
    signed_up = await app.sign_up()
    own, account = bearer(signed_up["key"]), signed_up["account"]["id"]
    made = await app.http.post("/v1/keys", headers=own, json={"name": "Bot", "scopes": ["READ", "WRITE"]})
    bot, deletion = bearer(made.json()["key"]), {"params": {"confirm": account}}
    forbidden = await app.http.delete("/v1/account", headers=bot, **deletion)
    assert (forbidden.status_code, forbidden.json()["code"]) == (403, "FORBIDDEN")
    for params, code in (({}, "REQUIRED"), ({"confirm": signed_up["apiKey"]["id"]}, "NOT_CONFIRMED")):
        slip = await app.http.delete("/v1/account", headers=own, params=params)
        assert slip.status_code == 422
        assert [(issue["code"], issue["path"]) for issue in slip.json()["issues"]] == [(code, ["confirm"])]
    gone = await app.http.delete("/v1/account", headers={**own, "idempotency-key": "once"}, **deletion)
    assert gone.status_code == 200
    assert fits(gone) == {"id": account}
    for key in (own, bot):
        again = await app.http.delete("/v1/account", headers={**key, "idempotency-key": "once"}, **deletion)
        assert (again.status_code, again.json()["reason"]) == (401, "KEY_REVOKED")


async def test_renaming_takes_the_version_seen(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    saved = await app.http.patch("/v1/me", headers=own, json={"name": "Mara II", "version": 1})
    assert (saved.status_code, saved.json()["version"]) == (200, 2)
    stale = await app.http.patch("/v1/me", headers=own, json={"name": "Mara III", "version": 1})
    assert stale.status_code == 409
    assert (stale.json()["expectedVersion"], stale.json()["currentVersion"]) == (1, 2)


async def test_every_broken_rule_is_listed_with_its_path(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    answer = await app.http.post("/v1/keys", headers=own, json={"name": " ", "scopes": ["READ"]})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Unprocessable Entity",
        "status": 422,
        "code": "INVALID_INPUT",
        "detail": "`name` must have 1 to 120 characters.",
        "path": ["name"],
        "issues": [
            {
                "code": "LENGTH",
                "message": "`name` must have 1 to 120 characters.",
                "path": ["name"],
                "rule": None,
                "found": "0",
                "allowed": "1..120",
            }
        ],
    }
    shaped = await app.http.post(
        "/v1/keys", headers=own, json={"scopes": ["fly"], "expiresInDays": "7", "colour": "red"}
    )
    assert shaped.status_code == 422
    paths = {tuple(issue["path"]) for issue in shaped.json()["issues"]}
    assert paths == {("name",), ("scopes", "0"), ("expiresInDays",), ("colour",)}


async def test_a_whole_number_may_be_written_with_a_point(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    wish = {"name": "Phone", "scopes": ["READ"]}
    assert (
        await app.http.post("/v1/keys", headers=own, json={**wish, "expiresInDays": 7.0})
    ).status_code == 201
    for days in (7.5, "7", True, 0, 3651, -1.0):
        answer = await app.http.post("/v1/keys", headers=own, json={**wish, "expiresInDays": days})
        assert (answer.status_code, answer.json()["path"]) == (422, ["expiresInDays"]), days


async def test_without_a_usable_key_nothing_is_shown(app: Front) -> None:
    missing = await app.http.get("/v1/me")
    assert (missing.status_code, missing.json()["reason"]) == (401, "NO_KEY")
    assert missing.headers["www-authenticate"] == "Bearer"
    bad = await app.http.get("/v1/me", headers=bearer("hf_live_nonsense"))
    assert (bad.status_code, bad.json()["reason"]) == (401, "KEY_MALFORMED")
    assert bad.headers["www-authenticate"].startswith("Bearer error=")


async def test_what_has_not_changed_is_not_sent_again(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    first = await app.http.get("/v1/me", headers=own)
    etag = first.headers["etag"]
    for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = await app.http.get("/v1/me", headers={**own, "if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    await app.http.patch("/v1/me", headers=own, json={"name": "Mara II", "version": 1})
    changed = await app.http.get("/v1/me", headers={**own, "if-none-match": etag})
    assert changed.status_code == 200 and changed.headers["etag"] != etag


async def test_head_answers_like_get_without_the_content(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    get, head = await app.http.get("/v1/me", headers=own), await app.http.head("/v1/me", headers=own)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == get.headers["etag"]
    assert head.headers["content-length"] == get.headers["content-length"]
