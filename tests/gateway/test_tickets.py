"""Tickets: addresses that open without a header, for a while, by the rights of a key, and only to read."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from services.gateway.accounts.identity import TICKET, Identity, KeyRefusal, Principal
from services.gateway.accounts.requests import RevokeKey
from services.gateway.accounts.service import AccountService
from services.gateway.accounts.tickets import HOLDS, NewTicket, digest_of_address, split_address
from services.shared.auth import KeyScope, Viewer
from services.shared.database import Database
from services.shared.problems import IdempotencyConflict, InvalidInput
from services.shared.settings import Settings
from tests.gateway.front import Front, bearer

PEPPER = "pepper-" * 10
BOARD = "/v1/scenes/scn_0000000000000000000000000a/board.svg?px=20"


class Desk:
    """Accounts with a clock that a test puts forward."""

    def __init__(self, settings: Settings) -> None:
        self.database = Database(settings.database_url("account"))
        self.moment = datetime(2031, 5, 1, 12, 0, tzinfo=UTC)
        self.service = AccountService(self.database, lambda: self.moment, PEPPER)
        self.identity = Identity(self.database, lambda: self.moment, PEPPER)

    async def mara(self) -> Viewer:
        signed_up = await self.service.sign_up("Mara")
        key = signed_up.key.row
        return Viewer(signed_up.account.id, key.scope_set, key.id)

    async def holder(self, url: str, address: str | None = None) -> Principal | KeyRefusal:
        """Open an address, or another one with its ticket."""
        found = split_address(url)
        assert found is not None
        return await self.identity.principal(f"{TICKET}{found[1]}.{digest_of_address(address or found[0])}")


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    made = Desk(settings)
    yield made
    await made.database.close()


async def test_a_ticket_speaks_for_its_key_at_its_address_and_reads_alone(desk: Desk) -> None:
    mara = await desk.mara()
    made = await desk.service.tickets.make(mara, NewTicket(BOARD))
    assert made.url.startswith(f"{BOARD}&ticket=hft_") and made.expires_at == desk.moment + HOLDS
    assert timedelta(minutes=15) >= HOLDS
    holder = await desk.holder(made.url)
    assert holder == Principal(mara.account, str(mara.key), frozenset({KeyScope.READ}), made.expires_at)
    for other in (BOARD.replace("px=20", "px=21"), BOARD.split("?")[0], "/v1/me", BOARD + "&"):
        assert await desk.holder(made.url, other) is KeyRefusal.NO_TICKET
    longer = made.url.replace(f"_{int(made.expires_at.timestamp())}_", "_99999999999_")
    assert longer != made.url and await desk.holder(longer) is KeyRefusal.NO_TICKET
    toren = await desk.mara()
    stolen = made.url.replace(str(mara.key).removeprefix("key_"), str(toren.key).removeprefix("key_"))
    assert await desk.holder(stolen) is KeyRefusal.NO_TICKET
    elsewhere = Identity(desk.database, lambda: desk.moment, "another pepper")
    found = split_address(made.url)
    assert found and await elsewhere.ticket_holder(found[1], digest_of_address(found[0])) is (
        KeyRefusal.NO_TICKET
    )


async def test_a_ticket_ends_with_its_time_and_with_its_key(desk: Desk) -> None:
    mara = await desk.mara()
    first = await desk.service.tickets.make(mara, NewTicket(BOARD))
    desk.moment += HOLDS - timedelta(seconds=1)
    assert isinstance(await desk.holder(first.url), Principal)
    desk.moment += timedelta(seconds=1)
    assert await desk.holder(first.url) is KeyRefusal.TICKET_EXPIRED
    second = await desk.service.tickets.make(mara, NewTicket(BOARD))
    assert isinstance(await desk.holder(second.url), Principal)
    await desk.service.revoke_key(mara, RevokeKey(str(mara.key)))
    assert await desk.holder(second.url) is KeyRefusal.REVOKED


async def test_a_repeated_request_shows_the_same_ticket_to_the_same_key(desk: Desk) -> None:
    mara = await desk.mara()
    first = await desk.service.tickets.make(mara, NewTicket(BOARD), "again")
    desk.moment += timedelta(minutes=1)
    assert await desk.service.tickets.make(mara, NewTicket(BOARD), "again") == first
    with pytest.raises(IdempotencyConflict):
        await desk.service.tickets.make(mara, NewTicket("/v1/me"), "again")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "me",
        "/",
        "/docs",
        "/graphql",
        "/internal/principal",
        "//v1/me",
        "/v1/me#x",
        "/v1/me?ticket=x",
        "/v1/a b",
    ],
)
async def test_a_ticket_opens_paths_of_the_api_alone(desk: Desk, address: str) -> None:
    with pytest.raises(InvalidInput):
        await desk.service.tickets.make(await desk.mara(), NewTicket(address))


@pytest.mark.asyncio(loop_scope="module")
async def test_an_address_with_a_ticket_opens_without_a_header(app: Front) -> None:
    opened = await app.http.post("/v1/accounts", json={"name": "Mara"})
    key = opened.json()["key"]
    asked = {"address": "http://front/v1/me"}
    made = await app.http.post("/v1/tickets", json=asked, headers=bearer(key))
    assert made.status_code == 201, made.text
    url = made.json()["url"]
    assert url.startswith("http://front/v1/me?ticket=")
    assert (await app.http.get(url)).json()["name"] == "Mara"
    other = await app.http.get(url.replace("?ticket", "?first=3&ticket"))
    assert (other.status_code, other.json()["reason"]) == (401, "TICKET_UNKNOWN")
    # With a header the key counts, and a ticket is a parameter that no path knows.
    assert (await app.http.get(url, headers=bearer(key))).status_code == 422
    changed = await app.http.patch(url, json={"name": "Nobody", "version": 1})
    assert (changed.status_code, changed.json()["reason"]) == (401, "NO_KEY")
    # The key may list keys, its ticket only reads what the scope READ is for.
    keys = await app.http.post("/v1/tickets", json={"address": "/v1/keys?first=2"}, headers=bearer(key))
    assert (await app.http.get(keys.json()["url"])).status_code == 403
