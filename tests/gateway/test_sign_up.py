"""Who may sign up, and how many accounts are opened."""

import asyncio
import uuid
from collections.abc import AsyncIterator

import httpx
import pytest
from sqlalchemy import text

from services.gateway.accounts.invitations import IssuedInvitation, NewInvitation
from services.gateway.accounts.sign_up import ALL, COST, NETWORK
from services.shared.database import Database
from services.shared.settings import Settings, SignUp
from services.shared.valkey import connect
from tests.databases import ON_BOTH
from tests.gateway.front import SIGN_UP, Front, bearer, front
from tests.gateway.front import invitations as desk_of

pytestmark = [pytest.mark.databases("account")]

AT_ONCE = NETWORK.capacity // COST


@pytest.fixture
async def open_house(settings: Settings) -> AsyncIterator[Front]:
    """Serve an installation where everybody may sign up."""
    async with front(settings) as app:
        yield app


@pytest.fixture
async def by_invitation(settings: Settings) -> AsyncIterator[Front]:
    """Serve an installation where the invited may sign up."""
    async with front(settings.model_copy(update={"sign_up": SignUp.INVITATION})) as app:
        yield app


@pytest.fixture
async def closed(settings: Settings) -> AsyncIterator[Front]:
    """Serve an installation where nobody may sign up."""
    async with front(settings.model_copy(update={"sign_up": SignUp.CLOSED})) as app:
        yield app


async def invite(app: Front, *, uses: int = 1, days: int = 7) -> tuple[str, str]:
    """Make an invitation; returns its code and its id."""
    async with desk_of(app.settings) as desk:
        made = await desk.invite(NewInvitation("For the test", uses, days))
    assert isinstance(made, IssuedInvitation)
    return made.code, made.row.id


async def ask(app: Front, place: str = "", **wish: object) -> httpx.Response:
    """Sign up, from a place of the test's own."""
    headers = {"x-hearthforge-network": f"{place}{app.address}"} if place else {}
    return await app.http.post(SIGN_UP, json={"name": "Mara", **wish}, headers=headers)


def told(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def empty(app: Front, owner: str) -> None:
    """Empty a bucket for good: its time lies ahead of every caller's."""
    redis = connect(app.settings.redis_url)
    try:
        await redis.hset(f"hf:bucket:{owner}", mapping={"points": "0", "at": "9999999999999"})
        await redis.persist(f"hf:bucket:{owner}")
    finally:
        await redis.aclose()


async def fill(app: Front, owner: str) -> None:
    """Fill a bucket."""
    redis = connect(app.settings.redis_url)
    try:
        await redis.delete(f"hf:bucket:{owner}")
    finally:
        await redis.aclose()


async def test_one_network_opens_six_tables_and_then_waits(open_house: Front) -> None:
    answers = await asyncio.gather(*(ask(open_house, "near:") for _ in range(AT_ONCE + 5)))
    opened = [answer for answer in answers if answer.status_code == 201]
    refused = [answer for answer in answers if answer.status_code != 201]
    assert (len(opened), len(refused)) == (AT_ONCE, 5)
    assert {told(answer) for answer in refused} == {(429, "RATE_LIMITED")}
    assert all(50 <= int(answer.headers["retry-after"]) <= 60 for answer in refused)
    assert "invitation" in refused[0].json()["detail"]
    assert (await ask(open_house, "far:")).status_code == 201


async def test_what_is_refused_or_wrong_takes_nothing_from_what_all_share(open_house: Front) -> None:
    await empty(open_house, f"sign-up:near:{open_house.address}")
    await fill(open_house, "sign-up")
    for _ in range(3):
        assert (await ask(open_house, "near:")).status_code == 429
        assert (await ask(open_house, "far:", name=" ")).status_code == 422
    redis = connect(open_house.settings.redis_url)
    try:
        kept = await redis.hget("hf:bucket:sign-up", "points")
    finally:
        await redis.aclose()
    assert kept is None or float(kept) > ALL.capacity - COST


async def test_all_networks_together_are_bounded(open_house: Front) -> None:
    await empty(open_house, "sign-up")
    try:
        assert told(await ask(open_house, "new:")) == (429, "RATE_LIMITED")
    finally:
        await fill(open_house, "sign-up")
    assert (await ask(open_house, "new:")).status_code == 201


async def test_a_repeated_sign_up_is_answered_when_the_bucket_is_empty(open_house: Front) -> None:
    key = {"idempotency-key": uuid.uuid4().hex, "x-hearthforge-network": f"near:{open_house.address}"}
    first = await open_house.http.post(SIGN_UP, json={"name": "Mara"}, headers=key)
    assert first.status_code == 201
    await empty(open_house, f"sign-up:near:{open_house.address}")
    again = await open_house.http.post(SIGN_UP, json={"name": "Mara"}, headers=key)
    assert told(again) == (409, "ALREADY_SIGNED_UP")
    assert first.json()["key"] not in again.text
    other = await open_house.http.post(SIGN_UP, json={"name": "Toren"}, headers=key)
    assert told(other) == (409, "IDEMPOTENCY_CONFLICT")
    fresh = {**key, "idempotency-key": uuid.uuid4().hex}
    refused = await open_house.http.post(SIGN_UP, json={"name": "Mara"}, headers=fresh)
    assert told(refused) == (429, "RATE_LIMITED")


async def test_the_invited_are_bound_by_their_invitation_alone(open_house: Front) -> None:
    code, _ = await invite(open_house, uses=2)
    await empty(open_house, f"sign-up:near:{open_house.address}")
    assert (await ask(open_house, "near:")).status_code == 429
    for _ in range(2):
        assert (await ask(open_house, "near:", invitation=code)).status_code == 201
    assert told(await ask(open_house, "near:", invitation=code)) == (403, "INVITATION_USED_UP")


@ON_BOTH
async def test_an_invitation_is_needed_and_counted_once_each(by_invitation: Front) -> None:
    assert told(await ask(by_invitation)) == (403, "INVITATION_NEEDED")
    code, _ = await invite(by_invitation, uses=3)
    answers = await asyncio.gather(*(ask(by_invitation, invitation=code) for _ in range(10)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [403] * 7
    opened = next(answer for answer in answers if answer.status_code == 201)
    me = await by_invitation.http.get("/v1/me", headers=bearer(opened.json()["key"]))
    assert me.status_code == 200


async def test_a_refused_sign_up_leaves_its_idempotency_key_free(by_invitation: Front) -> None:
    key = {"idempotency-key": uuid.uuid4().hex}
    code, _ = await invite(by_invitation)
    wrong = "hf_invite_" + "0" * 26
    refused = await by_invitation.http.post(SIGN_UP, json={"name": "Mara", "invitation": wrong}, headers=key)
    assert told(refused) == (403, "INVITATION_UNKNOWN")
    wish = {"name": "Mara", "invitation": code}
    made = await by_invitation.http.post(SIGN_UP, json=wish, headers=key)
    assert made.status_code == 201
    # The same request again costs the invitation nothing.
    again = await by_invitation.http.post(SIGN_UP, json=wish, headers=key)
    assert told(again) == (409, "ALREADY_SIGNED_UP")
    assert told(await ask(by_invitation, invitation=code)) == (403, "INVITATION_USED_UP")


@ON_BOTH
async def test_only_a_usable_invitation_opens_anything(by_invitation: Front) -> None:
    for code in ("", "hf_invite_", "x" * 80, "hf_invite_" + "i" * 26, "\u00e9" * 26):
        assert told(await ask(by_invitation, invitation=code)) == (403, "INVITATION_UNKNOWN"), code
    code, invitation = await invite(by_invitation, uses=5)
    async with desk_of(by_invitation.settings) as desk:
        await desk.revoke(invitation)
    assert told(await ask(by_invitation, invitation=code)) == (403, "INVITATION_UNKNOWN")
    code, invitation = await invite(by_invitation)
    await _expire(by_invitation.settings, invitation)
    assert told(await ask(by_invitation, invitation=code)) == (403, "INVITATION_EXPIRED")


async def test_a_code_is_not_kept(by_invitation: Front) -> None:
    code, _ = await invite(by_invitation)
    async with desk_of(by_invitation.settings) as desk:
        kept = [row.model_dump_json() for row in await desk.every()]
    assert kept and not any(code.removeprefix("hf_invite_") in row for row in kept)


async def test_closed_is_closed_for_the_invited_too(closed: Front) -> None:
    code, _ = await invite(closed)
    assert told(await ask(closed)) == (403, "SIGN_UP_CLOSED")
    assert told(await ask(closed, invitation=code)) == (403, "SIGN_UP_CLOSED")
    assert told(await ask(closed, name=" ")) == (422, "INVALID_INPUT")


async def _expire(settings: Settings, invitation: str) -> None:
    """Let an invitation's last moment be over."""
    database = Database(settings.database_url("account"), pooled=False)
    try:
        async with database.write() as session:
            await session.execute(
                text("UPDATE invitation SET expires_at = created_at WHERE id = :id"), {"id": invitation}
            )
    finally:
        await database.close()
