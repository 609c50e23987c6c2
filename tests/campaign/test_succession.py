"""Campaigns that have lost their last GM: who is asked, who may accept, and what waits until then."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.campaign.membership.erasure import Erasure
from services.campaign.membership.models import Campaign, Invitation
from services.campaign.membership.succession import ASK_NEXT_AFTER, Offer
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.problems import Forbidden, InvalidInput, NotFound
from services.shared.settings import Settings
from tests.campaign.scene_desk import published
from tests.campaign.table import Table
from tests.databases import ON_BOTH

pytestmark = [pytest.mark.databases("campaign"), ON_BOTH]


class House:
    """A campaign service whose clock a test moves."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.now = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
        self.table = Table(database, lambda: self.now, None, {})

    async def found(self, *roles: Role) -> tuple[str, Viewer, list[Viewer]]:
        """Found a campaign whose members join in this order; return its id, its GM, and the members."""
        gm = person()
        campaign = await self.table.found(gm, "The Hollow Crown")
        assert isinstance(campaign, Campaign)
        members = []
        for role in roles:
            self.now += timedelta(minutes=1)
            made = await self.table.invite(gm, campaign.id, role)
            assert isinstance(made, Invitation)
            members.append(person())
            assert isinstance(await self.table.join(members[-1], made.code), Campaign)
        return campaign.id, gm, members

    async def erase(self, *who: Viewer) -> None:
        """Tell the campaign service that accounts were deleted."""
        for each in who:
            told = Event("account.deleted", f"account:{each.account}", {"account": each.account})
            async with self.database.write() as session:
                await Erasure(lambda: self.now, {}).record(session, told)

    async def offer(self, campaign: str, member: Viewer) -> Offer | None:
        row = (await self.table.campaigns.campaigns(member, [campaign]))[campaign]
        if row.vacant_since is None:
            return None
        return self.table.succession.offer(row.vacant_since, await self.table.campaigns.members([campaign]))

    async def role(self, campaign: str, who: Viewer) -> Role | None:
        return (await self.table.campaigns.access(who.account)).roles.get(campaign)

    async def erased(self, *, since: int = 0) -> list[dict[str, Any]]:
        """Return what was published of deleted accounts, behind so many of those events."""
        return [event for kind, _, event in await published(self.database) if kind == "account.erased"][
            since:
        ]


def person() -> Viewer:
    return Viewer(new_id("acc"), frozenset({"read", "write"}))


@pytest.fixture
async def house(settings: Settings) -> AsyncIterator[House]:
    database = Database(settings.database_url("campaign"))
    yield House(database)
    await database.close()


async def test_nobody_runs_the_game_before_a_player_accepts(house: House) -> None:
    campaign, gm, (watcher, first, second) = await house.found(Role.SPECTATOR, Role.PLAYER, Role.PLAYER)
    assert await house.offer(campaign, gm) is None
    await house.erase(gm)
    for who, role in ((watcher, Role.SPECTATOR), (first, Role.PLAYER), (second, Role.PLAYER)):
        assert await house.role(campaign, who) is role
        assert isinstance(await house.table.invite(who, campaign), Forbidden)
    offer = await house.offer(campaign, watcher)
    assert offer == Offer(house.now, (first.account,), (first.account,), house.now + ASK_NEXT_AFTER)
    assert isinstance(await house.table.accept(watcher, campaign), Forbidden)
    assert isinstance(await house.table.accept(second, campaign), Forbidden)
    assert isinstance(await house.table.accept(person(), campaign), NotFound)
    assert isinstance(await house.table.accept(first, campaign), Campaign)
    assert await house.role(campaign, first) is Role.GM
    assert await house.offer(campaign, first) is None
    assert [entry.kind for entry in await house.table.log.read(second, campaign)][-3:] == [
        *("member.left", "game_master.sought", "member.changed")
    ]


async def test_a_player_who_declines_passes_the_offer_on_and_may_still_accept(house: House) -> None:
    campaign, gm, (first, second, _) = await house.found(Role.PLAYER, Role.PLAYER, Role.PLAYER)
    await house.erase(gm)
    assert isinstance(await house.table.decline(second, campaign), Forbidden)
    for _ in range(2):
        assert isinstance(await house.table.decline(first, campaign), Campaign)
    offer = await house.offer(campaign, first)
    assert offer is not None
    assert (offer.asked, offer.open) == ((first.account, second.account), (second.account,))
    kinds = [entry.kind for entry in await house.table.log.read(second, campaign)]
    assert kinds.count("game_master.declined") == 1
    assert isinstance(await house.table.accept(first, campaign), Campaign)
    refused = await house.table.accept(second, campaign)
    assert isinstance(refused, InvalidInput) and refused.issues[0].code == "GM_PRESENT"
    # The next time everybody is asked anew.
    await house.erase(first)
    offer = await house.offer(campaign, second)
    assert offer is not None and offer.open == (second.account,)


async def test_the_next_player_is_asked_as_well_with_time(house: House) -> None:
    campaign, gm, (first, second, watcher) = await house.found(Role.PLAYER, Role.PLAYER, Role.SPECTATOR)
    await house.erase(gm)
    house.now += ASK_NEXT_AFTER - timedelta(seconds=1)
    assert isinstance(await house.table.accept(second, campaign), Forbidden)
    house.now += timedelta(seconds=1)
    offer = await house.offer(campaign, first)
    assert offer is not None and (offer.open, offer.next_at) == ((first.account, second.account), None)
    house.now += 100 * ASK_NEXT_AFTER
    assert isinstance(await house.table.accept(watcher, campaign), Forbidden)
    assert isinstance(await house.table.accept(second, campaign), Campaign)


async def test_a_clock_that_goes_back_asks_nobody_more_or_less(house: House) -> None:
    campaign, gm, (first, _) = await house.found(Role.PLAYER, Role.PLAYER)
    await house.erase(gm)
    house.now -= timedelta(hours=1)
    offer = await house.offer(campaign, first)
    assert offer is not None and offer.asked == (first.account,)


async def test_of_all_who_accept_at_once_one_is_the_gm(house: House) -> None:
    campaign, gm, players = await house.found(*[Role.PLAYER] * 4)
    await house.erase(gm)
    house.now += 4 * ASK_NEXT_AFTER
    outcomes = await asyncio.gather(*(house.table.accept(who, campaign) for who in players))
    assert sum(isinstance(outcome, Campaign) for outcome in outcomes) == 1
    assert [await house.role(campaign, who) for who in players].count(Role.GM) == 1


async def test_accepting_again_under_one_key_changes_nothing_more(house: House) -> None:
    campaign, gm, (first,) = await house.found(Role.PLAYER)
    await house.erase(gm)
    for _ in range(2):
        assert isinstance(await house.table.accept(first, campaign, "one-key"), Campaign)
    kinds = [entry.kind for entry in await house.table.log.read(first, campaign)]
    assert kinds.count("member.changed") == 1


async def test_what_deleted_accounts_shared_waits_for_the_next_gm(house: House) -> None:
    campaign, gm, (first, second) = await house.found(Role.PLAYER, Role.PLAYER)
    other = await house.table.found(gm, "Another")
    assert isinstance(other, Campaign)
    made = await house.table.invite(gm, other.id)
    assert isinstance(made, Invitation)
    await house.table.join(second, made.code)
    await house.erase(gm, first)
    assert [(told["account"], told["heirs"], told["waiting"]) for told in await house.erased()] == [
        (gm.account, {}, sorted([campaign, other.id])),
        (first.account, {}, [campaign]),
    ]
    assert isinstance(await house.table.accept(second, campaign), Campaign)
    told = {one["account"]: (one["heirs"], one["waiting"]) for one in await house.erased(since=2)}
    assert told == {
        gm.account: ({campaign: second.account}, [other.id]),
        first.account: ({campaign: second.account}, []),
    }


async def test_a_campaign_without_gm_ends_with_its_last_member(house: House) -> None:
    campaign, gm, (first, watcher) = await house.found(Role.PLAYER, Role.SPECTATOR)
    await house.erase(gm)
    assert await house.table.remove(first, campaign, first.account) == first.account
    offer = await house.offer(campaign, watcher)
    assert offer is not None and (offer.asked, offer.next_at) == ((), None)
    assert await house.table.remove(watcher, campaign, watcher.account) == watcher.account
    assert await house.table.campaigns.members([campaign]) == []
    kinds = [kind for kind, _, _ in await published(house.database)]
    assert kinds[-2:] == ["campaign.deleted", "account.erased"]
    (last,) = await house.erased(since=1)
    assert last == {"account": gm.account, "heirs": {}, "waiting": []}


async def test_whoever_never_had_the_offer_is_refused_where_there_is_a_gm(house: House) -> None:
    campaign, gm, (player,) = await house.found(Role.PLAYER)
    for who in (gm, player):
        for answer in (await house.table.accept(who, campaign), await house.table.decline(who, campaign)):
            assert isinstance(answer, InvalidInput) and answer.issues[0].code == "GM_PRESENT"
    assert await house.role(campaign, player) is Role.PLAYER
