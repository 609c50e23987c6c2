"""What requests cost, and what an empty bucket answers."""

import time

import pytest

from services.shared.limits import CAPACITY
from services.shared.settings import Settings
from services.shared.valkey import connect
from tests.gateway.front import SIGN_UP, Front, bearer, front

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.databases("account")]


async def empty(app: Front, owner: str) -> None:
    """Empty a bucket for good: one whose time lies ahead of every caller's is not refilled."""
    redis = connect(app.settings.redis_url)
    try:
        ahead = time.time_ns() // 1_000_000 + 3_600_000
        await redis.hset(f"hf:bucket:{owner}", mapping={"points": "3", "at": str(ahead)})
    finally:
        await redis.aclose()


async def test_each_answer_tells_what_is_left(app: Front) -> None:
    signed_up = await app.http.post(SIGN_UP, json={"name": "Mara"})
    assert int(signed_up.headers["x-ratelimit-remaining"]) == CAPACITY - 10
    own = bearer(signed_up.json()["key"])
    read = await app.http.get("/v1/me", headers=own)
    assert (read.headers["x-ratelimit-limit"], read.headers["x-ratelimit-remaining"]) == ("2000", "1999")
    await app.http.post("/v1/keys", headers=own, json={"name": "Phone", "scopes": ["read"]})
    refused = await app.http.delete("/v1/keys/key_", headers=own)
    # Between two requests the bucket refills a little, so only the order of magnitude is certain.
    assert 1970 <= int(refused.headers["x-ratelimit-remaining"]) < 1999


async def test_an_empty_bucket_of_the_account_is_a_real_429_for_all_its_keys(app: Front) -> None:
    signed_up = await app.sign_up()
    own = bearer(signed_up["key"])
    made = await app.http.post("/v1/keys", headers=own, json={"name": "Phone", "scopes": ["read"]})
    await empty(app, signed_up["account"]["id"])
    for key in (signed_up["key"], made.json()["key"]):
        answer = await app.http.post("/v1/rolls", headers=bearer(key), json={"expression": "3d6"})
        assert (answer.status_code, answer.json()["code"]) == (429, "RATE_LIMITED")
        assert (answer.headers["retry-after"], answer.headers["x-ratelimit-remaining"]) == ("1", "3")
    assert (await app.http.get("/v1/me", headers=own)).status_code == 200


async def test_those_without_a_key_are_charged_by_network(app: Front) -> None:
    crowd = f"2001:db8:77::{app.address}"
    await empty(app, crowd)
    refused = await app.http.post(SIGN_UP, json={"name": "Mara"}, headers={"x-hearthforge-network": crowd})
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert (await app.http.post(SIGN_UP, json={"name": "Toren"})).status_code == 201


async def test_those_with_keys_are_charged_by_network_too(app: Front) -> None:
    keys = [(await app.sign_up())["key"] for _ in range(2)]
    crowd = f"2001:db8:78::{app.address}"
    place = {"x-hearthforge-network": crowd}
    assert (await app.http.get("/v1/me", headers={**bearer(keys[0]), **place})).status_code == 200
    await empty(app, f"network:{crowd}")
    for key in keys:
        refused = await app.http.post(
            "/v1/rolls", headers={**bearer(key), **place}, json={"expression": "d6"}
        )
        assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMITED")
    elsewhere = await app.http.get("/v1/me", headers=bearer(keys[0]))
    assert elsewhere.status_code == 200
    # Nothing of what was refused was taken from the account's own bucket.
    assert int(elsewhere.headers["x-ratelimit-remaining"]) >= CAPACITY - 2


async def test_guessing_keys_empties_the_bucket_of_the_address(app: Front) -> None:
    before = await app.http.get("/v1/rolls")
    after = await app.http.get("/v1/rolls", headers=bearer("hf_live_nonsense"))
    assert (before.status_code, after.status_code) == (401, 401)
    assert int(after.headers["x-ratelimit-remaining"]) < CAPACITY - 5


async def test_without_redis_requests_are_let_through(settings: Settings) -> None:
    away = settings.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})
    async with front(away) as app:
        signed_up = await app.sign_up()
        assert (await app.http.get("/v1/me", headers=bearer(signed_up["key"]))).status_code == 200
