"""Rolls that bots make for people without an account: whose they are, and by which message they are found."""

from collections.abc import AsyncIterator

import pytest

from services.dice.erasure import Erasure
from services.dice.rolls.pricing import KEPT_AT_ONCE
from services.dice.rolls.repository import Narrowed
from services.dice.rolls.requests import ExternalMessage, NewRoll, NewRolls
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.outbox import Event
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.dice.test_rolling import Tray

pytestmark = pytest.mark.databases("dice")

TABLE, OTHER_TABLE = "cmp_table", "cmp_other"
SELA = ExternalMessage("Sela", "1131-7", "chat")


@pytest.fixture
async def tray(settings: Settings) -> AsyncIterator[Tray]:
    database = Database(settings.database_url("dice"))
    made = Tray(database)
    yield made
    await made.service.close()
    await database.close()


async def found(tray: Tray, viewer: Viewer, message: str, campaign: str | None = TABLE) -> list[str]:
    """Return the ids of the rolls for a message that a viewer is shown."""
    wanted = Narrowed(campaign=campaign, external_message=message)
    page = await tray.service.page(viewer, wanted, first=5, after=None)
    return [roll.row.id for roll in page.items]


@pytest.mark.parametrize("count", [1, KEPT_AT_ONCE + 1], ids=["at once", "by reservation"])
async def test_a_roll_keeps_and_tells_for_whom_it_was_made(tray: Tray, count: int) -> None:
    bot = tray.member(TABLE)
    spaced = ExternalMessage(" Sela ", " 1131-7 ", " chat ")
    asked = NewRolls((NewRoll("2d6", campaign_id=TABLE, external=spaced),) * count)
    ids = [roll.row.id for roll in (await tray.service.roll_many(bot, asked)).rolls]
    kept = await tray.service.by_id(bot, ids)
    assert [(kept[one].external, kept[one].row.account) for one in ids] == [(SELA, bot.account)] * count
    told = [payload for kind, payload in await tray.events() if kind == "roll.recorded"]
    assert [(one["account"], one["external_author"]) for one in told] == [(bot.account, "Sela")] * count


@ON_BOTH
async def test_a_roll_is_found_by_its_message_at_its_own_table(tray: Tray) -> None:
    bot = tray.member(TABLE)
    tray.campaigns.roles[bot.account][OTHER_TABLE] = Role.PLAYER
    first = await tray.roll(bot, campaign_id=TABLE, external=SELA)
    await tray.roll(bot, campaign_id=TABLE, external=ExternalMessage("Odo", "1131-8"))
    await tray.roll(bot, campaign_id=TABLE)
    away = await tray.roll(bot, campaign_id=OTHER_TABLE, external=SELA)
    own = await tray.roll(bot, external=SELA)
    assert await found(tray, bot, "1131-7") == [first.row.id]
    assert await found(tray, bot, "1131-7", None) == [own.row.id, away.row.id, first.row.id]
    assert await found(tray, bot, "1131-9") == []
    assert await found(tray, tray.member("cmp_else"), "1131-7") == []


async def test_a_secret_roll_is_found_by_its_message_by_gms_alone(tray: Tray) -> None:
    bot, player = tray.member(TABLE, Role.GM), tray.member(TABLE)
    made = await tray.roll(bot, campaign_id=TABLE, secret=True, external=SELA)
    assert await found(tray, bot, "1131-7") == [made.row.id]
    assert await found(tray, player, "1131-7") == []
    assert "Sela" not in str(await tray.events())


async def test_a_message_under_one_key_is_rolled_for_once(tray: Tray) -> None:
    bot = tray.member(TABLE)
    rolls = [
        await tray.roll(bot, key=SELA.message_id, campaign_id=TABLE, external=SELA) for _twice in range(2)
    ]
    assert rolls[0].row.id == rolls[1].row.id and await found(tray, bot, "1131-7") == [rolls[0].row.id]
    again = await tray.refused(bot, NewRoll("2d6", external=ExternalMessage("", "x" * 121, "y" * 41)))
    assert [(issue.code, issue.path) for issue in again.issues] == [
        ("LENGTH", ["external", "author"]),
        ("LENGTH", ["external", "messageId"]),
        ("LENGTH", ["external", "platform"]),
    ]


async def test_for_whom_a_bot_rolled_is_forgotten_with_its_account(tray: Tray) -> None:
    bot, other = tray.member(TABLE), tray.member(TABLE)
    gone = await tray.roll(bot, campaign_id=TABLE, external=SELA)
    kept = await tray.roll(other, campaign_id=TABLE, external=SELA)
    for _twice in range(2):
        async with tray.database.write() as session:
            told = Event("account.erased", "", {"account": bot.account, "heirs": {}})
            await Erasure(tray.ledger, tray.clock).handlers["account.erased"](session, told)
    rolls = await tray.service.by_id(other, [gone.row.id, kept.row.id])
    assert (rolls[gone.row.id].external, rolls[kept.row.id].external) == (None, SELA)
    assert await found(tray, other, "1131-7") == [kept.row.id]
