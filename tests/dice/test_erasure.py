"""What stays of dice when a campaign or an account is deleted: receipts that can be checked, and no more."""

from collections.abc import AsyncIterator

import pytest

from services.dice.chain.models import ReservationRow
from services.dice.chain.service import ChainService
from services.dice.erasure import Erasure
from services.dice.library.requests import CreateMacro, DefineDie, SetDiceDialect
from services.dice.rolls.repository import Narrowed
from services.dice.rolls.requests import NewRoll, RevealRoll
from services.rules.dice.notation import Dialect
from services.rules.dice.pool import Face
from services.rules.dice.vr1 import Chain
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.consumer import NotYet
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.problems import NotFound
from services.shared.pruning import remove_step
from services.shared.settings import Settings
from tests.dice.test_rolling import Tray
from tests.steps import in_steps

pytestmark = pytest.mark.databases("dice")

TABLES_OF_WORDS = ("macro", "table_die", "table_settings")
TABLES_OF_ROLLS = ("roll", "epoch", "receipt", "face_tally", "total_tally", "reservation")


class Evening:
    """A campaign with a GM and a player who have rolled, openly and in secret, and saved words."""

    def __init__(self, tray: Tray) -> None:
        self.tray = tray
        self.campaign = new_id("cmp")
        self.gm, self.player = tray.member(self.campaign, Role.GM), tray.member(self.campaign)
        self.chains = ChainService(tray.database, tray.clock, tray.policy, tray.ledger, tray.service.content)

    async def play(self) -> None:
        """Roll once openly, and once in secret, at the table."""
        self.open = (await self.tray.roll(self.player, campaign_id=self.campaign)).row.id
        self.secret = (await self.tray.roll(self.gm, campaign_id=self.campaign, secret=True)).row.id

    async def write_down(self, viewer: Viewer, campaign: str | None) -> None:
        """Save words of each kind."""
        library = self.tray.library
        await library.macros.create(viewer, CreateMacro("Sword", "2d6", campaign_id=campaign), None)
        coin = (Face("Heads", 1), Face("Tails", 0))
        await library.dice.define(viewer, DefineDie("coin", coin, campaign), None)
        await library.settings.set_dialect(viewer, SetDiceDialect(Dialect.ROLL20, 1, campaign), None)

    async def hear(self, kind: str, **payload: object) -> None:
        """Handle an event of the campaign service."""
        async with self.tray.database.write() as session:
            handlers = Erasure(self.tray.ledger, self.tray.clock).handlers
            await handlers[kind](session, Event(kind, "", payload))

    async def delete(self) -> None:
        """Delete the campaign, as its service tells and as it answers from then on."""
        for viewer in (self.gm, self.player):
            roles = self.tray.campaigns.roles.pop(viewer.account)
            self.tray.campaigns.past[viewer.account] = roles
        await self.hear("campaign.deleted", campaign=self.campaign)

    async def seen(self, viewer: Viewer) -> set[str]:
        """Return the ids of the rolls that a viewer is shown."""
        page = await self.tray.service.page(viewer, Narrowed(campaign=self.campaign), first=10, after=None)
        return {roll.row.id for roll in page.items}


@pytest.fixture
async def evening(settings: Settings) -> AsyncIterator[Evening]:
    database = Database(settings.database_url("dice"))
    made = Evening(Tray(database))
    await made.play()
    yield made
    await database.close()


async def test_rolls_of_a_deleted_campaign_are_verified_by_who_was_there(evening: Evening) -> None:
    await evening.delete()
    assert await evening.seen(evening.player) == {evening.open}
    assert await evening.seen(evening.gm) == {evening.open, evening.secret}
    for viewer, roll in (
        (evening.player, evening.open),
        (evening.gm, evening.open),
        (evening.gm, evening.secret),
    ):
        verified = await evening.chains.verify(viewer, roll)
        assert verified is not None and verified.ok
    assert await evening.chains.verify(evening.player, evening.secret) is None
    stranger = evening.tray.member(new_id("cmp"))
    assert await evening.seen(stranger) == set()
    assert await evening.chains.verify(stranger, evening.open) is None


async def test_chains_of_a_deleted_campaign_are_closed_and_what_is_hidden_stays_so(evening: Evening) -> None:
    await evening.delete()
    for viewer in (evening.gm, evening.player):
        for chain in Chain:
            epoch = await evening.chains.epoch(viewer, evening.campaign, chain)
            assert epoch is not None and epoch.closing is not None and epoch.used == 1
            shown = await evening.chains.receipts(viewer, evening.campaign, chain, None, first=5, after=0)
            hidden = chain is Chain.SECRET and viewer is evening.player
            assert [receipt.hidden for receipt in shown.items] == [hidden]
    # To be looked at begins nothing: there are the two chains of the table and no others.
    assert await evening.tray.count("epoch WHERE place LIKE 'cmp_%'") == 2


async def test_nothing_is_changed_any_more_where_a_campaign_was(evening: Evening) -> None:
    await evening.delete()
    with pytest.raises(NotFound):
        await evening.tray.roll(evening.player, campaign_id=evening.campaign)
    with pytest.raises(NotFound):
        await evening.tray.service.reveal(evening.gm, RevealRoll(evening.secret))
    with pytest.raises(NotFound):
        await evening.write_down(evening.gm, evening.campaign)
    assert await evening.tray.count("roll") == 2


async def test_a_deleted_campaigns_words_go_and_those_of_others_stay(evening: Evening) -> None:
    await evening.write_down(evening.gm, evening.campaign)
    await evening.write_down(evening.gm, None)
    await evening.delete()
    await evening.hear("campaign.deleted", campaign=evening.campaign)
    for table in TABLES_OF_WORDS:
        assert await evening.tray.count(table) == 1, table
        assert await evening.tray.count(f"{table} WHERE place = '{evening.gm.account}'") == 1, table


async def test_who_rolls_in_the_second_of_the_deletion_goes_on_in_the_chain(evening: Evening) -> None:
    await evening.hear("campaign.deleted", campaign=evening.campaign)
    late = (await evening.tray.roll(evening.player, campaign_id=evening.campaign)).row
    epochs = await evening.chains.epochs(evening.player, evening.campaign, Chain.OPEN, first=5, after=0)
    assert [epoch.ordinal for epoch in epochs.items] == [1, 2]
    assert late.epoch == epochs.items[1].id
    verified = await evening.chains.verify(evening.player, late.id)
    assert verified is not None and verified.ok


async def test_dice_that_are_still_rolled_are_waited_for(evening: Evening) -> None:
    moment = evening.tray.clock()
    async with evening.tray.database.write() as session:
        session.add(
            ReservationRow(
                place=evening.campaign,
                batch="bat_1",
                account=evening.player.account,
                rolls="[]",
                lease_until=moment,
                created_at=moment,
            )
        )
    with pytest.raises(NotYet):
        await evening.hear("campaign.deleted", campaign=evening.campaign)
    assert await evening.tray.count("epoch WHERE closed_at IS NOT NULL") == 0


async def test_what_an_account_rolled_for_itself_goes_with_it(evening: Evening) -> None:
    await evening.tray.roll(evening.player)
    await evening.tray.roll(evening.gm)
    await evening.write_down(evening.player, None)
    mine = f"WHERE place = '{evening.player.account}'"
    assert await evening.tray.count(f"face_tally {mine}") > 0
    for _twice in range(2):
        await evening.hear("account.erased", account=evening.player.account, heirs={})
    own = {"receipt": f"receipt WHERE epoch IN (SELECT id FROM epoch {mine})"}
    for table in (*TABLES_OF_ROLLS, *TABLES_OF_WORDS):
        assert await evening.tray.count(own.get(table, f"{table} {mine}")) == 0, table
    # What they rolled at the table, others rely on; and everybody else's is untouched.
    assert await evening.tray.count("roll") == await evening.tray.count("receipt") == 3
    verified = await evening.chains.verify(evening.gm, evening.open)
    assert verified is not None and verified.ok


async def test_an_account_with_many_rolls_goes_in_steps_and_goes_on_where_it_was_interrupted(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(4):
        await evening.tray.roll(evening.player)
    kept = await evening.tray.count("roll"), await evening.tray.count("receipt")
    told = Event("account.erased", "", {"account": evening.player.account, "heirs": {}})
    handler = Erasure(evening.tray.ledger, evening.tray.clock).handlers["account.erased"]
    monkeypatch.setattr(remove_step, "__kwdefaults__", {"limit": 3})
    assert await in_steps(evening.tray.database, handler, told, at_most=2) == 2
    # No receipt outlives its epoch, wherever the steps end.
    assert await evening.tray.count("receipt WHERE epoch NOT IN (SELECT id FROM epoch)") == 0
    await in_steps(evening.tray.database, handler, told)
    mine = f"WHERE place = '{evening.player.account}'"
    for table in (*TABLES_OF_WORDS, "roll", "epoch", "face_tally", "total_tally"):
        assert await evening.tray.count(f"{table} {mine}") == 0, table
    assert kept[0] - await evening.tray.count("roll") == kept[1] - await evening.tray.count("receipt") == 4


async def test_a_roll_that_is_offered_again_after_the_deletion_is_not_found(evening: Evening) -> None:
    asked = NewRoll("2d6", campaign_id=evening.campaign)
    await evening.delete()
    refused = await evening.tray.refused(evening.player, asked)
    assert isinstance(refused, NotFound) and refused.path == ["campaignId"]
