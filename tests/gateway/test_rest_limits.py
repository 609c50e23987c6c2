"""What requests cost, and what an empty bucket answers."""

import asyncio
import time
from typing import Any, cast

import pytest

from services.gateway.accounts.identity import Identity
from services.gateway.rest.visitor import Doorkeeper
from services.shared.auth import Viewer
from services.shared.limits.bucket import Bucket
from services.shared.limits.purses import CAPACITY, REFILL_PER_SECOND
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
        await redis.persist(f"hf:bucket:{owner}")
    finally:
        await redis.aclose()


async def test_each_answer_tells_what_is_left(app: Front) -> None:
    signed_up = await app.http.post(SIGN_UP, json={"name": "Mara"})
    assert int(signed_up.headers["x-ratelimit-remaining"]) == CAPACITY - 10
    own = bearer(signed_up.json()["key"])
    read = await app.http.get("/v1/me", headers=own)
    assert (read.headers["x-ratelimit-limit"], read.headers["x-ratelimit-remaining"]) == ("2000", "1997")
    await app.http.post("/v1/keys", headers=own, json={"name": "Phone", "scopes": ["READ"]})
    refused = await app.http.delete("/v1/keys/key_", headers=own)
    # Between two requests the bucket refills a little, so only the order of magnitude is certain.
    assert 1970 <= int(refused.headers["x-ratelimit-remaining"]) < 1997


async def test_an_empty_bucket_of_the_account_is_a_real_429_for_all_its_keys(app: Front) -> None:
    signed_up = await app.sign_up()
    own = bearer(signed_up["key"])
    made = await app.http.post("/v1/keys", headers=own, json={"name": "Phone", "scopes": ["READ"]})
    await empty(app, signed_up["account"]["id"])
    for key in (signed_up["key"], made.json()["key"]):
        answer = await app.http.post("/v1/rolls", headers=bearer(key), json={"expression": "3d6"})
        assert (answer.status_code, answer.json()["limit"]) == (429, "account")
        assert (answer.headers["retry-after"], answer.headers["x-ratelimit-remaining"]) == ("1", "3")
    assert (await app.http.get("/v1/me", headers=own)).status_code == 200


async def test_a_key_is_held_to_a_limit_of_its_own_and_told_of_it(app: Front) -> None:
    signed_up = await app.sign_up()
    own = bearer(signed_up["key"])
    asked = {"name": "Bot", "scopes": ["READ", "ADMIN"], "capacity": 5}
    made = (await app.http.post("/v1/keys", headers=own, json=asked)).json()
    assert (made["apiKey"]["capacity"], made["apiKey"]["refillPerSecond"]) == (5, REFILL_PER_SECOND)
    bot = bearer(made["key"])
    await empty(app, f"key:{made['apiKey']['id']}")
    read = await app.http.get("/v1/me", headers=bot)
    assert (read.headers["x-ratelimit-limit"], read.headers["x-ratelimit-remaining"]) == ("5", "0")
    refused = await app.http.get("/v1/me", headers=bot)
    assert (refused.status_code, refused.json()["code"], refused.json()["limit"]) == (
        429,
        "RATE_LIMITED",
        "key",
    )
    assert refused.headers["x-ratelimit-limit"] == "5"
    assert (await app.http.get("/v1/me", headers=own)).headers["x-ratelimit-limit"] == str(CAPACITY)


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
    assert int(elsewhere.headers["x-ratelimit-remaining"]) >= CAPACITY - 6


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


async def test_what_comes_to_no_path_or_is_refused_at_once_is_charged(app: Front) -> None:
    crowd = {"x-hearthforge-network": f"2001:db8:79::{app.address}"}

    async def left() -> int:
        answer = await app.http.get("/v1/me", headers=crowd)
        return int(answer.headers["x-ratelimit-remaining"])

    async def spent(method: str, path: str, **options: Any) -> int:
        redis = connect(app.settings.redis_url)
        try:
            # A clock that runs ahead: nothing is refilled between two looks.
            ahead = str(time.time_ns() // 1_000_000 + 3_600_000)
            bucket = f"hf:bucket:{crowd['x-hearthforge-network']}"
            await redis.hset(bucket, mapping={"points": "1000", "at": ahead})
            await redis.persist(bucket)
        finally:
            await redis.aclose()
        answer = await app.http.request(
            method, path, headers={**crowd, **options.pop("headers", {})}, **options
        )
        assert answer.status_code in (200, 304, 400, 404, 405, 413, 415, 422), answer.text
        return 1000 - await left() - 3

    json = {"content-type": "application/json"}
    assert await spent("GET", "/v1/nowhere") == 2
    assert await spent("PUT", "/v1/me") == 2
    assert await spent("GET", "/v1/me?a=%00") == 2
    assert await spent("POST", SIGN_UP, content=b"{", headers=json) == 2
    assert await spent("POST", SIGN_UP, content=b"a=b") == 2
    assert await spent("GET", "/docs/nothing") == 2
    assert await spent("GET", "/") == 2
    assert await spent("GET", "/openapi.json") == 5
    # To read a quarter of a million bytes takes long, whatever they say.
    large = b"[" + b",".join([b"[]"] * 80_000) + b"]"
    assert await spent("POST", SIGN_UP, content=large, headers=json) >= len(large) // 4096 - 4


async def test_a_network_that_cannot_pay_is_refused_before_its_body_is_looked_at(app: Front) -> None:
    crowd = f"2001:db8:80::{app.address}"
    await empty(app, crowd)
    headers = {"x-hearthforge-network": crowd, "content-type": "application/json"}
    for path in (SIGN_UP, "/v1/nowhere", "/v1/rolls"):
        answer = await app.http.post(path, content=b"[" * 100_000, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (429, "RATE_LIMITED")
    page = await app.http.get("/openapi.json", headers=headers)
    assert (page.status_code, page.json()["code"]) == (429, "RATE_LIMITED")


async def test_an_export_goes_on_as_fast_as_the_account_can_pay(app: Front) -> None:
    redis = connect(app.settings.redis_url)
    viewer = Viewer(f"acc_{app.address}", network=f"net_{app.address}")
    door = Doorkeeper(cast(Identity, None), Bucket(redis))
    try:
        began = time.time_ns() // 1_000_000
        await redis.hset(f"hf:bucket:{viewer.account}", mapping={"points": "20", "at": str(began)})
        # 2 pages are paid at once; the third has to wait for the bucket, and is not broken off.
        for _ in range(3):
            await door.paced(viewer, 10)
        ahead = str(time.time_ns() // 1_000_000 + 3_600_000)
        left = float(await redis.hget(f"hf:bucket:{viewer.account}", "points"))
        came_in = REFILL_PER_SECOND * (time.time_ns() // 1_000_000 - began) / 1000
        assert left <= 20 + came_in - 3 * 10, "the third was paid for out of what came in meanwhile"
        await redis.hset(f"hf:bucket:network:{viewer.network}", mapping={"points": "0", "at": ahead})
        await redis.persist(f"hf:bucket:network:{viewer.network}")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await door.paced(viewer, 10)
    finally:
        await redis.aclose()


async def test_a_page_costs_what_it_may_hold(app: Front) -> None:
    signed_up = await app.sign_up()
    redis = connect(app.settings.redis_url)

    async def cost(first: str) -> int:
        ahead = str(time.time_ns() // 1_000_000 + 3_600_000)  # nothing is refilled meanwhile
        bucket = f"hf:bucket:{signed_up['account']['id']}"
        await redis.hset(bucket, mapping={"points": "1000", "at": ahead})
        await redis.persist(bucket)
        answer = await app.http.get("/v1/keys", params={"first": first}, headers=bearer(signed_up["key"]))
        return 1000 - int(answer.headers["x-ratelimit-remaining"])

    try:
        assert [await cost(first) for first in ("1", "20", "100", "many", "99999")] == [3, 5, 13, 5, 5]
    finally:
        await redis.aclose()
