"""Moves and log of a scene newest first, read page by page while more is written."""

from collections.abc import AsyncIterator

import pytest

from services.campaign.scenes.looks import Cursor, SeenMove
from services.rules.engine.play import GM
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.settings import Settings
from tests.campaign.scene_desk import Desk
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    await made.start(setup="ambush")
    yield made
    await database.close()


async def brace(desk: Desk) -> None:
    """Make a move and take it back, both of which everybody may know of."""
    await desk.made(desk.anna, "Brace", desk.hero)
    await desk.undo(desk.gm, desk.scene, (await desk.row()).seq)


async def listen(desk: Desk) -> None:
    """Make a move that the GM alone may know of."""
    desk.dice.loaded.append([4, 4])
    await desk.made(desk.gm, "Listen", GM, who=desk.hero)


async def backwards(desk: Desk, who: Viewer, size: int) -> list[SeenMove]:
    """Read all moves newest first, in pages of a size."""
    found: list[SeenMove] = []
    before: Cursor | None = None
    while page := await desk.reader.newest_moves(who, desk.scene, before=before, limit=size):
        assert len(page) <= size
        found += page
        before = page[-1].cursor
    return found


@ON_BOTH
async def test_pages_of_any_size_turn_the_list_around(desk: Desk) -> None:
    for _ in range(3):
        await listen(desk)
        await brace(desk)
    await listen(desk)
    for who in (desk.gm, desk.anna, desk.watcher):
        forwards = await desk.moves(who)
        for size in (1, 2, 3, 100):
            assert await backwards(desk, who, size) == forwards[::-1]
    assert len(await desk.moves(desk.gm)) == 10 and len(await desk.moves(desk.anna)) == 6


async def test_what_is_written_meanwhile_moves_no_page(desk: Desk) -> None:
    await brace(desk)
    await listen(desk)
    before = await desk.moves(desk.gm)
    (newest,) = await desk.reader.newest_moves(desk.gm, desk.scene, limit=1)
    await brace(desk)
    rest = await desk.reader.newest_moves(desk.gm, desk.scene, before=newest.cursor, limit=50)
    assert [newest, *rest] == before[::-1]


async def test_the_log_is_paged_backwards_likewise(desk: Desk) -> None:
    log = desk.table.log
    forwards = await log.read(desk.gm, desk.campaign)
    (newest,) = await log.read(desk.gm, desk.campaign, limit=1, newest_first=True)
    await brace(desk)
    await listen(desk)
    rest = await log.read(desk.gm, desk.campaign, after=newest.seq, newest_first=True)
    assert [entry.seq for entry in (newest, *rest)] == [entry.seq for entry in forwards[::-1]]
