"""What other services are told of an account: of the campaigns concerned, or of all there are."""

from collections.abc import AsyncIterator

import pytest

from services.campaign.membership.requests import CreateCampaign
from services.shared.access import Access, Role
from services.shared.database import Database
from services.shared.settings import Settings
from tests.campaign.scene_desk import Desk, somebody

pytestmark = pytest.mark.databases("campaign")


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """A GM, two players with a hero each, and one who watches."""
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    yield made
    await database.close()


async def test_a_question_about_one_campaign_is_answered_about_one(desk: Desk) -> None:
    others = [await desk.campaigns.create(desk.anna, CreateCampaign(f"No. {place}")) for place in range(3)]
    account = desk.anna.account
    seats = {desk.hero: desk.campaign, desk.other: desk.campaign}
    here = Access(account, {desk.campaign: Role.PLAYER}, seats)
    assert await desk.campaigns.access(account, [desk.campaign]) == here
    assert await desk.campaigns.access(account, [], [desk.hero]) == here
    assert await desk.campaigns.access(account, [others[0].id], ["chr_unknown"]) == Access(
        account, {others[0].id: Role.GM}
    )
    whole = await desk.campaigns.access(account)
    assert set(whole.roles) == {desk.campaign, *(each.id for each in others)}
    assert whole.characters == seats


async def test_where_one_is_no_member_nothing_is_told_though_it_is_named(desk: Desk) -> None:
    stranger = somebody().account
    assert await desk.campaigns.access(stranger, [desk.campaign], [desk.hero]) == Access(stranger)


async def test_of_past_campaigns_those_named_are_told(desk: Desk) -> None:
    other = await desk.campaigns.create(desk.gm, CreateCampaign("Short"))
    for campaign in (desk.campaign, other.id):
        await desk.table.delete(desk.gm, campaign, 1)
    account = desk.gm.account
    assert (await desk.campaigns.access(account, [other.id])).past == {other.id: Role.GM}
    assert set((await desk.campaigns.access(account)).past) == {desk.campaign, other.id}
