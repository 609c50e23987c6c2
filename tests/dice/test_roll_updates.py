"""What has changed among rolls since a client read them: each once, and once more when it is revealed."""

from collections.abc import AsyncIterator

import pytest

from services.dice.rolls.requests import RevealRoll
from services.dice.rolls.updates import RollPage, RollUpdates
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.problems import PublicError
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.dice.test_rolling import Tray

pytestmark = pytest.mark.databases("dice")


@pytest.fixture
async def tray(settings: Settings) -> AsyncIterator[Tray]:
    database = Database(settings.database_url("dice"))
    yield Tray(database)
    await database.close()


class Client:
    """One who asks again and again what has changed."""

    def __init__(self, tray: Tray, viewer: Viewer, campaign: str | None, first: int = 1) -> None:
        self._updates = RollUpdates(tray.database, tray.policy)
        self._viewer, self._campaign, self._first = viewer, campaign, first
        self.cursor: str | None = None

    async def ask(self) -> RollPage:
        page = await self._updates.read(self._viewer, self._campaign, self.cursor, first=self._first)
        assert page is not None and len(page.rolls) <= self._first
        self.cursor = page.read.text()
        return page

    async def news(self) -> set[tuple[str, bool]]:
        """Ask until there is no more; return the id of each roll and whether it is secret."""
        found: list[tuple[str, bool]] = []
        more = True
        while more:
            page = await self.ask()
            more = page.more
            found += [(roll.row.id, roll.secret) for roll in page.rolls]
        assert len(found) == len(set(found))
        return set(found)


@ON_BOTH
@pytest.mark.parametrize("first", [1, 2, 50])
async def test_a_secret_roll_comes_to_the_gm_and_to_all_when_it_is_revealed(tray: Tray, first: int) -> None:
    campaign = new_id("cmp")
    gm, player = tray.member(campaign, Role.GM), tray.member(campaign)
    master, other = Client(tray, gm, campaign, first), Client(tray, player, campaign, first)
    opened = (await tray.roll(player, campaign_id=campaign)).row.id
    hidden = (await tray.roll(gm, campaign_id=campaign, secret=True)).row.id
    assert await master.news() == {(opened, False), (hidden, True)}
    assert await other.news() == {(opened, False)}
    before = other.cursor
    await tray.roll(gm, campaign_id=campaign, secret=True)
    assert len(await master.news()) == 1 and await other.news() == set() and other.cursor == before
    await tray.service.reveal(gm, RevealRoll(hidden))
    assert await master.news() == await other.news() == {(hidden, False)}
    assert await Client(tray, gm, campaign, first).news() >= {(opened, False), (hidden, False)}


async def test_who_gets_another_role_begins_anew_and_strangers_learn_nothing(tray: Tray) -> None:
    campaign = new_id("cmp")
    gm, player = tray.member(campaign, Role.GM), tray.member(campaign)
    hidden = (await tray.roll(gm, campaign_id=campaign, secret=True)).row.id
    client = Client(tray, player, campaign)
    assert (await client.ask()).rolls == []
    tray.campaigns.roles[player.account] = {campaign: Role.GM}
    page = await client.ask()
    assert page.anew and [roll.row.id for roll in page.rolls] == [hidden]
    outsider = tray.member(new_id("cmp"))
    updates = RollUpdates(tray.database, tray.policy)
    assert await updates.read(outsider, campaign, None, first=1) is None
    for cursor in ("x", "", client.cursor or ""):
        with pytest.raises(PublicError):
            await updates.read(player, None, cursor, first=1)
