"""Long answers: how many may be under way, how they end, and whose keys may begin an export."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import pytest

from services.gateway.accounts.requests import NewKey
from services.gateway.export.desk import AT_ONCE, AT_ONCE_OF_NETWORK
from services.gateway.rest import streaming
from services.gateway.rest.streaming import DOWNLOADS
from services.shared.auth import KeyScope
from services.shared.ids import new_id
from services.shared.settings import Settings
from tests.gateway.export_town import Town, export_town

pytestmark = pytest.mark.databases("account")

EXPORT, BATCH = "/v1/account/export", f"/v1/batches/{new_id('job')}/maps.ndjson"


@pytest.fixture
async def town(settings: Settings) -> AsyncIterator[Town]:
    """Serve the REST face."""
    async with export_town(settings) as made:
        yield made


class Reader:
    """Someone with an account of their own, at an address of their own.

    Args:
        town: where.
        key: of the account.
        network: where they come from.
    """

    def __init__(self, town: Town, key: str, network: str) -> None:
        self._http = town.http
        self.headers = {"authorization": f"Bearer {key}", "x-hearthforge-network": network}

    async def begin(self, under_way: AsyncExitStack, path: str) -> httpx.Response:
        """Begin to read; what was begun ends with the stack."""
        answer = await under_way.enter_async_context(self._http.stream("GET", path, headers=self.headers))
        if answer.status_code != 200:
            await answer.aread()
        return answer

    async def get(self, path: str) -> httpx.Response:
        """Read to the end."""
        return await self._http.get(path, headers=self.headers)


def elsewhere() -> str:
    """Name a network that no other test has."""
    return f"2001:db8:{new_id('net')}"


async def reader(town: Town, network: str, *scopes: KeyScope) -> Reader:
    """Open an account; its reader has a key with these scopes, or with all."""
    signed_up = await town.people.sign_up("Toren")
    if not scopes:
        return Reader(town, signed_up.key.credential.text, network)
    key = await town.people.issue(NewKey("Narrow", scopes), signed_up.account.id)
    return Reader(town, key.key.credential.text, network)


def busy(answer: httpx.Response) -> bool:
    """Tell whether an answer says that all places are taken."""
    found = answer.status_code, answer.json()["code"], answer.headers["retry-after"]
    return found == (429, "RATE_LIMITED", str(streaming.BUSY_SECONDS))


async def hold_exports(town: Town) -> None:
    """Have exports stand still behind their first pieces, until ``going_on``."""

    async def meanwhile() -> None:
        await town.houses.going_on.wait()

    town.houses.meanwhile = meanwhile


@pytest.mark.parametrize(
    ("scopes", "lacks"),
    [
        ((KeyScope.ADMIN,), "READ"),
        ((KeyScope.WRITE, KeyScope.ADMIN), "READ"),
        ((KeyScope.READ, KeyScope.WRITE), "ADMIN"),
    ],
)
async def test_a_key_that_cannot_read_an_export_is_refused_before_it_begins(
    town: Town, scopes: tuple[KeyScope, ...], lacks: str
) -> None:
    narrow = await reader(town, elsewhere(), *scopes)
    for _ in range(4):  # one more than there are exports to be had: none is charged
        refused = await narrow.get(EXPORT)
        assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
        assert refused.json()["detail"] == f"This API key lacks the scope {lacks}."


async def test_a_key_that_may_read_and_administer_exports(town: Town) -> None:
    able = await reader(town, elsewhere(), KeyScope.READ, KeyScope.ADMIN)
    assert (await able.get(EXPORT)).content.startswith(b"PK")


async def test_the_head_of_an_export_is_answered_without_reading_or_charging_one(town: Town) -> None:
    able = await reader(town, elsewhere())

    async def read(*_: object) -> None:
        raise AssertionError("an export is read")

    going_on, town.houses.meanwhile = town.houses.meanwhile, read
    for _ in range(5):  # more than there are exports to be had
        told = await town.http.head(EXPORT, headers=able.headers)
        assert (told.status_code, told.content) == (200, b"")
        assert told.headers["content-type"] == "application/zip"
        assert told.headers["content-disposition"].startswith("attachment")
    town.houses.meanwhile = going_on
    whole = await able.get(EXPORT)
    assert whole.content.startswith(b"PK")
    assert whole.headers["content-disposition"] == told.headers["content-disposition"]
    narrow = await reader(town, elsewhere(), KeyScope.ADMIN)
    assert (await town.http.head(EXPORT, headers=narrow.headers)).status_code == 403


async def test_accounts_of_one_network_have_a_share_of_the_exports(town: Town) -> None:
    await hold_exports(town)
    near = elsewhere()
    async with AsyncExitStack() as under_way:
        begun = [await (await reader(town, near)).begin(under_way, EXPORT) for _ in range(AT_ONCE_OF_NETWORK)]
        crowded = await reader(town, near)
        assert busy(await crowded.get(EXPORT))
        other = await reader(town, elsewhere())
        begun.append(await other.begin(under_way, EXPORT))
        # The account has its one export, wherever it asks from.
        moved = Reader(town, other.headers["authorization"].removeprefix("Bearer "), elsewhere())
        assert busy(await moved.get(EXPORT))
        while len(begun) < AT_ONCE:
            begun.append(await (await reader(town, elsewhere())).begin(under_way, EXPORT))
        assert busy(await (await reader(town, elsewhere())).get(EXPORT))
        assert {answer.status_code for answer in begun} == {200}
        town.houses.going_on.set()
        for answer in begun:
            assert (await answer.aread()).startswith(b"PK")
    assert (await crowded.get(EXPORT)).status_code == 200


async def test_an_export_that_takes_too_long_is_broken_off_and_makes_room(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hold_exports(town)
    patient = await reader(town, elsewhere())
    with monkeypatch.context() as hurried:
        hurried.setattr(streaming, "LONGEST", 0.2)
        async with AsyncExitStack() as under_way:
            begun = await patient.begin(under_way, EXPORT)
            with pytest.raises(httpx.RemoteProtocolError):
                await begun.aread()
    town.houses.going_on.set()
    for _ in range(2):  # of the three that were saved up, the broken one is charged
        assert (await patient.get(EXPORT)).status_code == 200
    refused = await patient.get(EXPORT)
    assert (refused.status_code, busy(refused)) == (429, False)


async def test_an_account_and_a_network_have_a_share_of_the_downloads(town: Town) -> None:
    near = elsewhere()
    readers = [await reader(town, near) for _ in range(DOWNLOADS.of_network // DOWNLOADS.of_account)]
    async with AsyncExitStack() as under_way:
        begun = [await readers[0].begin(under_way, BATCH) for _ in range(DOWNLOADS.of_account)]
        for path in (BATCH, "/v1/rolls/receipts"):
            assert busy(await readers[0].get(path))
        for one in readers[1:]:
            begun += [await one.begin(under_way, BATCH) for _ in range(DOWNLOADS.of_account)]
        crowded = await reader(town, near)
        assert busy(await crowded.get(BATCH))
        begun.append(await (await reader(town, elsewhere())).begin(under_way, BATCH))
        assert {answer.status_code for answer in begun} == {200}
        town.houses.going_on.set()
        for answer in begun:
            assert await answer.aread() == b"first\nlast\n"
    assert (await crowded.get(BATCH)).content == b"first\nlast\n"


async def test_what_is_refused_before_it_begins_takes_no_place(town: Town) -> None:
    one = await reader(town, elsewhere())
    for _ in range(DOWNLOADS.of_account + 1):
        nothing = await one.get(f"/v1/batches/{new_id('job')}/maps.zip")
        assert (nothing.status_code, nothing.json()["code"]) == (404, "NOT_FOUND")
