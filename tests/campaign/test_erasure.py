"""Accounts that are deleted: what becomes of their places at tables, on both databases."""

import random
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import pytest

from services.campaign.membership import erasure
from services.campaign.membership.erasure import Erasure
from services.campaign.membership.models import Campaign, Invitation, Member
from services.campaign.membership.repository import Campaigns
from services.campaign.membership.requests import CreateCampaign
from services.rules.engine.play import GM
from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.problems import NotFound
from services.shared.settings import Settings
from tests.campaign.feuds import FEUD, OpenFeud, with_feud
from tests.campaign.scene_desk import Desk, somebody
from tests.steps import in_steps

pytestmark = pytest.mark.databases("campaign")


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """A GM, two players with a hero each, and one who watches."""
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    yield made
    await database.close()


def deleted(who: Viewer) -> Event:
    """Make the event of the account service that an account is gone."""
    return Event("account.deleted", f"account:{who.account}", {"account": who.account})


async def erase(desk: Desk, *who: Viewer) -> dict[str, str]:
    """Tell the campaign service that accounts were deleted; return the heirs of the last one's campaigns."""
    for each in who:
        told = deleted(each)
        await in_steps(desk.database, Erasure(system_clock, desk.systems).record, told)
        kind, topic, payload = (await desk.events())[-1]
        assert (kind, topic, payload["account"]) == ("account.erased", told.topic, each.account)
        heirs: dict[str, str] = payload["heirs"]
    return heirs


async def table(
    desk: Desk, *roles: Role, name: str = "Elsewhere", founder: Viewer | None = None
) -> tuple[str, list[Viewer]]:
    """Found a campaign whose members joined in this order; return its id and theirs."""
    people = [founder or somebody(), *(somebody() for _ in roles[1:])]
    moment = system_clock()
    campaign = Campaign(id=new_id("cmp"), name=name, created_by=people[0].account, created_at=moment)
    async with desk.database.write() as session:
        campaigns = Campaigns(session)
        campaigns.add(campaign)
        await campaigns.flush()
        for place, (who, role) in enumerate(zip(people, roles, strict=True)):
            joined = moment + timedelta(minutes=place)
            campaigns.add(Member(campaign=campaign.id, account=who.account, role=role, joined_at=joined))
    return campaign.id, people


async def members(desk: Desk, campaign: str) -> dict[str, Role]:
    return {member.account: member.rank for member in await desk.campaigns.members([campaign])}


async def test_another_gm_has_what_is_there_at_once(desk: Desk) -> None:
    campaign, (gm, player, *gms) = await table(desk, Role.GM, Role.PLAYER, Role.GM, Role.GM)
    assert await erase(desk, gm) == {campaign: gms[0].account}
    expected = {player.account: Role.PLAYER, **{who.account: Role.GM for who in gms}}
    assert await members(desk, campaign) == expected
    told = [(entry.kind, entry.subject) for entry in await desk.table.log.read(player, campaign)]
    assert told == [("member.left", gm.account)]
    assert (await desk.events())[-1][2]["waiting"] == []


async def test_codes_of_deleted_accounts_let_nobody_in(desk: Desk) -> None:
    campaign, (gm, second, _) = await table(desk, Role.GM, Role.GM, Role.PLAYER)
    made = await desk.table.invite(second, campaign, Role.GM)
    assert isinstance(made, Invitation)
    await erase(desk, second)
    assert isinstance(await desk.table.join(somebody(), made.code), NotFound)
    (shown,) = await desk.table.invitations.read(gm, campaign)
    assert shown.revoked_at is not None


async def test_a_campaign_in_which_nobody_is_left_is_deleted(desk: Desk) -> None:
    alone = await desk.campaigns.create(desk.gm, CreateCampaign("Alone"))
    assert await erase(desk, desk.gm) == {}
    assert (await desk.events())[-1][2]["waiting"] == [desk.campaign]
    gone = [payload for kind, _, payload in await desk.events() if kind == "campaign.deleted"]
    assert gone == [{"campaign": alone.id, "scenes": [], "characters": []}]
    assert (await desk.campaigns.access(desk.gm.account)).past == {}
    assert await erase(desk, desk.anna, desk.ben, desk.watcher) == {}
    assert [kind for kind, _, _ in await desk.events()].count("campaign.deleted") == 2
    assert await desk.campaigns.members([desk.campaign, alone.id]) == []


async def test_an_account_with_many_tables_leaves_them_in_steps_and_each_heir_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "TABLES_AT_ONCE", 2)
    gm = somebody()
    vacant, _ = await table(desk, Role.GM, Role.PLAYER, founder=gm)
    expected, alone = {}, []
    for place in range(5):
        lonely = await desk.campaigns.create(gm, CreateCampaign(f"Alone {place}"))
        alone.append(lonely.id)
        shared, (_, heir) = await table(desk, Role.GM, Role.GM, founder=gm)
        expected[shared] = heir.account
    handler, told = Erasure(system_clock, desk.systems).record, deleted(gm)
    assert await in_steps(desk.database, handler, told, at_most=2) == 2
    # Interrupted, it goes on afterwards: a process that begins anew knows nothing but the event.
    assert len((await desk.campaigns.access(gm.account)).roles) == 7
    assert await in_steps(desk.database, Erasure(system_clock, desk.systems).record, told) == 4
    assert await desk.campaigns.access(gm.account) == Access(gm.account)
    facts = [(kind, payload) for kind, _, payload in await desk.events() if "heirs" in payload]
    assert [kind for kind, _ in facts] == ["account.left"] * 5 + ["account.erased"]
    # What waits for a game master is told at the end, of the tables that were left before too.
    assert [payload.get("waiting") for _, payload in facts] == [None] * 5 + [[vacant]]
    assert {campaign: heir for _, payload in facts for campaign, heir in payload["heirs"].items()} == expected
    gone = [payload["campaign"] for kind, _, payload in await desk.events() if kind == "campaign.deleted"]
    assert sorted(gone) == sorted(alone)


async def test_the_characters_of_an_account_leave_the_table_with_it(desk: Desk) -> None:
    assert await erase(desk, desk.anna) == {desk.campaign: desk.gm.account}
    assert [seat.character for seat in await desk.campaigns.seats([desk.campaign])] == [desk.other]
    entry = (await desk.log())[-1]
    assert (entry.kind, entry.account) == ("member.left", None)
    assert "Anna" not in entry.text


async def test_scenes_that_run_go_on_and_a_gm_moves_its_characters(desk: Desk) -> None:
    await desk.start()
    await erase(desk, desk.anna, desk.gm)
    assert isinstance(await desk.table.accept(desk.ben, desk.campaign), Campaign)
    # Ben runs the game now: his own hero, and hers.
    await desk.made(desk.ben, "Brace", desk.hero)
    await desk.made(desk.ben, "Brace", desk.other)
    await desk.made(desk.ben, "Stop", GM)
    assert (await desk.row()).cast == [desk.hero, desk.other]


async def test_what_a_game_keeps_of_the_campaign_hears_who_leaves(desk: Desk) -> None:
    desk.play(with_feud(OpenFeud()))
    await desk.start(system=FEUD, setup="mill")
    await erase(desk, desk.ben)
    row = await desk.row()
    assert (row.cast, list(row.state["data"]["heroes"].values())) == ([desk.hero], ["Anna"])


async def test_an_account_without_a_table_is_erased_all_the_same(desk: Desk) -> None:
    before = await desk.events()
    assert await erase(desk, somebody()) == {}
    assert len(await desk.events()) == len(before) + 1


async def test_what_is_told_twice_does_no_harm(desk: Desk) -> None:
    await erase(desk, desk.gm)
    before, log = await members(desk, desk.campaign), await desk.table.log.read(desk.anna, desk.campaign)
    assert await erase(desk, desk.gm) == {}
    assert await members(desk, desk.campaign) == before
    assert await desk.table.log.read(desk.anna, desk.campaign) == log


@pytest.mark.parametrize("seed", range(8))
async def test_no_campaign_has_a_gm_by_itself_whoever_goes_and_in_whatever_order(
    desk: Desk, seed: int
) -> None:
    drawn = random.Random(seed)
    everybody = [somebody() for _ in range(5)]
    tables: list[str] = []
    for _ in range(4):
        people = drawn.sample(everybody, drawn.randint(1, len(everybody)))
        tables.append(await _founded(desk, people, drawn))
    for leaving in drawn.sample(everybody, len(everybody)):
        before = {campaign: await members(desk, campaign) for campaign in tables}
        heirs = await erase(desk, leaving)
        for campaign in tables:
            now = await members(desk, campaign)
            assert set(now) == set(before[campaign]) - {leaving.account}
            assert now.items() <= before[campaign].items()
            if Role.GM in now.values() and leaving.account in before[campaign]:
                assert now[heirs.pop(campaign)] is Role.GM
            found = await desk.campaigns.campaigns(Viewer(next(iter(now), leaving.account)), [campaign])
            assert list(found) == ([campaign] if now else [])
        assert heirs == {}


async def _founded(desk: Desk, people: Sequence[Viewer], drawn: random.Random) -> str:
    """Found a campaign of these people, the first of them its GM and the others whatever is drawn."""
    campaign = await desk.campaigns.create(people[0], CreateCampaign("One of many"))
    async with desk.database.write() as session:
        for each in people[1:]:
            role: Any = drawn.choice(list(Role))
            joined = campaign.created_at + timedelta(seconds=drawn.randint(1, 9))
            Campaigns(session).add(
                Member(campaign=campaign.id, account=each.account, role=role, joined_at=joined)
            )
    return campaign.id
