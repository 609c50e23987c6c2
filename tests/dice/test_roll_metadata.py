"""What apps keep beside rolls: as secret as they are, and gone with them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.dice.erasure import Erasure
from services.dice.metadata.requests import SetRollMetadata
from services.dice.metadata.service import RollMetadata
from services.dice.rolls.requests import RevealRoll
from services.dice.tables import BAGS
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.metadata.requests import Metadata, MetadataReaders
from services.shared.metadata.service import MetadataService
from services.shared.outbox import Event
from services.shared.problems import Forbidden, NotFound, Problem
from services.shared.settings import Settings
from tests.dice.outcomes import refused
from tests.dice.test_rolling import Tray
from tests.steps import in_steps

pytestmark = pytest.mark.databases("dice")

TABLE, TRACKER = "cmp_table", "com.example.tracker"


class Kept:
    """A tray, and what apps keep beside its rolls."""

    def __init__(self, tray: Tray) -> None:
        self.tray = tray
        self.use_case = RollMetadata(MetadataService(tray.database, tray.clock, BAGS), tray.service)

    async def set(self, who: Viewer, roll: str, data: Any, **more: Any) -> Metadata | None:
        return await self.use_case.of_roll(who, SetRollMetadata(roll, TRACKER, data, **more), None)

    async def refused(self, who: Viewer, roll: str) -> Any:
        return await refused(self.set(who, roll, {}), Problem)


@pytest.fixture
async def kept(settings: Settings) -> AsyncIterator[Kept]:
    database = Database(settings.database_url("dice"))
    yield Kept(Tray(database))
    await database.close()


async def test_who_plays_at_the_table_writes_beside_its_rolls(kept: Kept) -> None:
    tray = kept.tray
    player, other, watcher = tray.member(TABLE), tray.member(TABLE), tray.member(TABLE, Role.SPECTATOR)
    roll = (await tray.roll(player, campaign_id=TABLE)).row.id
    written = await kept.set(other, roll, {"initiative": True})
    assert written is not None and written.data == {"initiative": True}
    assert isinstance(await kept.refused(watcher, roll), Forbidden)
    assert isinstance(await kept.refused(tray.member("cmp_else"), roll), NotFound)
    assert isinstance(await kept.refused(player, "rol_nothing"), NotFound)


async def test_beside_a_secret_roll_gms_alone_write_until_it_is_revealed(kept: Kept) -> None:
    tray = kept.tray
    gm, player = tray.member(TABLE, Role.GM), tray.member(TABLE)
    roll = (await tray.roll(gm, campaign_id=TABLE, secret=True)).row.id
    assert await kept.set(gm, roll, {"trap": 1}) is not None
    assert isinstance(await kept.refused(player, roll), NotFound)
    await tray.service.reveal(gm, RevealRoll(roll))
    written = await kept.set(player, roll, {"trap": 2})
    assert written is not None and written.version == 2


async def test_metadata_of_ones_own_rolls_and_ones_own_metadata_go_with_the_account(kept: Kept) -> None:
    tray, app = kept.tray, MetadataReaders.APP
    gone, stays = tray.member(TABLE), tray.member(TABLE)
    own, at_table = await tray.roll(gone), await tray.roll(gone, campaign_id=TABLE)
    assert isinstance(await kept.refused(stays, own.row.id), NotFound)
    await kept.set(gone, own.row.id, {"a": 1})
    for who, readers in ((gone, MetadataReaders.TABLE), (gone, app), (stays, app)):
        await kept.set(who, at_table.row.id, {"a": 1}, readers=readers)
    told = Event("account.erased", "", {"account": gone.account, "heirs": {}})
    handler = Erasure(tray.ledger, tray.clock).handlers["account.erased"]
    await in_steps(tray.database, handler, told)
    assert await tray.count(f"metadata_bag WHERE thing = '{own.row.id}'") == 0
    assert await tray.count(f"metadata_bag WHERE reader = '{gone.account}'") == 0
    assert await tray.count(f"metadata_bag WHERE thing = '{at_table.row.id}'") == 2
