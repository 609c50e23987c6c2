"""Who is at the table: invitations, roles and seats, on both databases, also when everybody comes at once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.campaign.log.models import LogEntry
from services.campaign.membership import seats
from services.campaign.membership.invitations import MAX_INVITATIONS, MAX_MEMBERS
from services.campaign.membership.models import Campaign, Invitation, Member
from services.campaign.membership.repository import Campaigns
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    DifferingField,
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Problem,
    Unavailable,
    VersionConflict,
)
from services.shared.quotas import TableQuotas
from services.shared.settings import Settings
from tests.campaign.outcomes import outcome
from tests.campaign.scene_desk import published
from tests.campaign.table import Table
from tests.databases import ON_BOTH

pytestmark = [pytest.mark.databases("campaign"), ON_BOTH]


class Clock:
    """Time that stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Characters:
    """The character service, as far as the campaign service asks it."""

    def __init__(self) -> None:
        self.known: dict[str, dict[str, str]] = {}
        self.away = False

    async def get(self, _viewer: Viewer, *segments: str) -> Any:
        if self.away:
            raise PeerUnavailable("character", "ConnectError")
        return self.known.get(segments[-1])

    def add(self, owner: Viewer) -> str:
        made = new_id("chr")
        self.known[made] = {"id": made, "owner": owner.account, "name": "Brunna", "system": "dungeonteller"}
        return made


class House:
    """A campaign service with a GM and a campaign."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clock = Clock()
        self.characters = Characters()
        self.table = Table(database, self.clock, self.characters, {})
        self.campaigns = self.table.campaigns
        self.gm = viewer()
        self.campaign = ""

    async def invite(self, role: Role = Role.PLAYER, *, uses: int = 1, days: int = 7) -> Invitation:
        made = await self.table.invite(self.gm, self.campaign, role, uses=uses, days=days)
        assert isinstance(made, Invitation)
        return made

    async def join(self, role: Role = Role.PLAYER) -> Viewer:
        newcomer = viewer()
        assert isinstance(await self.table.join(newcomer, (await self.invite(role)).code), Campaign)
        return newcomer

    async def log(self) -> list[LogEntry]:
        return await self.table.log.read(self.gm, self.campaign, limit=100)

    async def role_of(self, who: Viewer) -> Role | None:
        roles = (await self.campaigns.access(who.account)).roles
        return roles.get(self.campaign)


def viewer() -> Viewer:
    return Viewer(new_id("acc"), frozenset({"read", "write"}))


@pytest.fixture
async def house(settings: Settings) -> AsyncIterator[House]:
    database = Database(settings.database_url("campaign"))
    made = House(database)
    founded = await made.table.found(made.gm, "The Hollow Crown")
    assert isinstance(founded, Campaign)
    made.campaign = founded.id
    yield made
    await database.close()


async def test_the_founder_is_gm_and_the_log_begins(house: House) -> None:
    assert await house.role_of(house.gm) is Role.GM
    assert [(entry.seq, entry.kind) for entry in await house.log()] == [(1, "campaign.created")]


@pytest.mark.parametrize("role", list(Role))
async def test_an_invitation_gives_its_role(house: House, role: Role) -> None:
    assert await house.role_of(await house.join(role)) is role


async def test_codes_are_read_as_people_write_them(house: House) -> None:
    code = (await house.invite()).code
    newcomer = viewer()
    assert isinstance(await house.table.join(newcomer, f" {code[:5].lower()}-{code[5:]} "), Campaign)


async def test_an_invitation_ends_with_its_uses_its_days_and_its_withdrawal(house: House) -> None:
    used, old, withdrawn = await house.invite(), await house.invite(days=1), await house.invite()
    await house.table.join(viewer(), used.code)
    house.clock.now += timedelta(days=1)
    assert await house.table.withdraw(house.gm, house.campaign, withdrawn.id) == withdrawn.id
    for invitation in (used, old, withdrawn):
        assert isinstance(await house.table.join(viewer(), invitation.code), NotFound)
    assert isinstance(await house.table.join(viewer(), "NOSUCHCODE"), NotFound)


async def test_who_may_write_no_more_is_told_of(house: House) -> None:
    demoted, left, kept = await house.join(), await house.join(), await house.join(Role.GM)
    await house.table.change_role(house.gm, house.campaign, demoted.account, Role.SPECTATOR)
    await house.table.remove(left, house.campaign, left.account)
    await house.table.change_role(house.gm, house.campaign, kept.account, Role.PLAYER)
    told = [payload for kind, _, payload in await published(house.database) if kind == "member.barred"]
    assert told == [{"campaign": house.campaign, "account": who.account} for who in (demoted, left)]


async def revoked(house: House) -> dict[str, bool]:
    """Return what the GM is shown: for each invitation whether it is revoked, by its id."""
    shown = await house.table.invitations.read(house.gm, house.campaign)
    return {each.id: each.revoked_at is not None for each in shown}


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("end", ["demoted", "demoted to watch", "sent away", "left"])
async def test_invitations_end_with_the_right_to_issue_them_and_do_not_come_back(
    house: House, role: Role, end: str
) -> None:
    second = await house.join(Role.GM)
    made = await house.table.invite(second, house.campaign, role, uses=3)
    assert isinstance(made, Invitation) and await revoked(house) == {made.id: False}
    match end:
        case "demoted":
            await house.table.change_role(house.gm, house.campaign, second.account, Role.PLAYER)
        case "demoted to watch":
            await house.table.change_role(house.gm, house.campaign, second.account, Role.SPECTATOR)
        case "sent away":
            await house.table.remove(house.gm, house.campaign, second.account)
        case _:
            await house.table.remove(second, house.campaign, second.account)
    had = await house.role_of(second)
    for who in (second, viewer()):
        answer = await house.table.join(who, made.code)
        # A member stays as they are, whatever the code.
        assert isinstance(answer, NotFound) or (who is second and had is not None)
    assert await house.role_of(second) is had
    assert await revoked(house) == {made.id: True}
    if had is None:
        assert isinstance(await house.table.join(second, (await house.invite()).code), Campaign)
    await house.table.change_role(house.gm, house.campaign, second.account, Role.GM)
    assert isinstance(await house.table.join(viewer(), made.code), NotFound)
    assert (await revoked(house))[made.id]
    assert await house.table.withdraw(second, house.campaign, made.id) == made.id


async def test_an_invitation_whose_issuer_is_no_gm_counts_for_nothing_however_that_came(house: House) -> None:
    second = await house.join(Role.GM)
    made = await house.table.invite(second, house.campaign, Role.GM)
    assert isinstance(made, Invitation)
    async with house.database.write() as session:
        member = await Campaigns(session).member(house.campaign, second.account)
        assert member is not None
        member.role = Role.PLAYER
    assert isinstance(await house.table.join(viewer(), made.code), NotFound)


async def test_what_others_issued_stays_good_when_one_loses_the_right(house: House) -> None:
    second = await house.join(Role.GM)
    own = await house.invite()
    await house.table.invite(second, house.campaign)
    await house.table.remove(house.gm, house.campaign, second.account)
    assert isinstance(await house.table.join(viewer(), own.code), Campaign)


async def test_nobody_is_let_in_by_one_who_is_sent_away_at_the_same_time(house: House) -> None:
    second, late = await house.join(Role.GM), viewer()
    made = await house.table.invite(second, house.campaign, Role.GM)
    assert isinstance(made, Invitation)
    sent, joined = await asyncio.gather(
        house.table.remove(house.gm, house.campaign, second.account), house.table.join(late, made.code)
    )
    assert sent == second.account
    order = [(entry.kind, entry.subject) for entry in (await house.log())[-2:]]
    if isinstance(joined, Campaign):
        assert order == [("member.joined", late.account), ("member.left", second.account)]
    else:
        assert isinstance(joined, NotFound) and order[-1] == ("member.left", second.account)


async def test_revoked_invitations_make_room_for_open_ones(house: House) -> None:
    second = await house.join(Role.GM)
    for _ in range(MAX_INVITATIONS):
        assert isinstance(await house.table.invite(second, house.campaign), Invitation)
    quota_of(await house.table.invite(house.gm, house.campaign))
    await house.table.change_role(house.gm, house.campaign, second.account, Role.PLAYER)
    assert list((await revoked(house)).values()) == [True] * MAX_INVITATIONS
    made = await house.invite()
    assert await revoked(house) == {made.id: False}


async def test_a_single_use_lets_one_in_however_many_come_at_once(house: House) -> None:
    code = (await house.invite()).code
    crowd = [viewer() for _ in range(12)]
    outcomes = await asyncio.gather(*(house.table.join(each, code) for each in crowd))
    assert sum(isinstance(outcome, Campaign) for outcome in outcomes) == 1
    assert len(await house.campaigns.members([house.campaign])) == 2


async def test_joining_twice_at_once_spends_one_use_and_makes_one_member(house: House) -> None:
    invitation = await house.invite(uses=2)
    newcomer = viewer()
    outcomes = await asyncio.gather(*(house.table.join(newcomer, invitation.code) for _ in range(6)))
    assert all(isinstance(outcome, Campaign) for outcome in outcomes)
    assert (await house.table.invitations.read(house.gm, house.campaign))[0].uses_left == 1
    assert [entry.kind for entry in await house.log()] == ["campaign.created", "member.joined"]


async def fill(house: House, members: int) -> None:
    """Have members join until there are so many."""
    joined = house.clock.now
    there = len(await house.campaigns.members([house.campaign]))
    async with house.database.write() as session:
        campaigns = Campaigns(session)
        for _ in range(members - there):
            campaigns.add(
                Member(campaign=house.campaign, account=new_id("acc"), role=Role.PLAYER, joined_at=joined)
            )


def quota_of(outcome: object) -> tuple[str, list[str], str | None, str | None]:
    """Return the code, path, number found and number allowed of the one broken rule."""
    assert isinstance(outcome, InvalidInput), outcome
    (issue,) = outcome.issues
    return issue.code, issue.path, issue.found, issue.allowed


async def test_of_two_who_join_at_once_one_gets_the_last_seat(house: House) -> None:
    await fill(house, MAX_MEMBERS - 1)
    codes = [(await house.invite()).code, (await house.invite()).code]
    crowd = [viewer(), viewer()]
    outcomes = await asyncio.gather(*map(house.table.join, crowd, codes))
    (refused,) = (outcome for outcome in outcomes if not isinstance(outcome, Campaign))
    assert quota_of(refused) == ("QUOTA_EXCEEDED", ["members"], str(MAX_MEMBERS), str(MAX_MEMBERS))
    assert len(await house.campaigns.members([house.campaign])) == MAX_MEMBERS
    assert [kept.uses_left for kept in await house.table.invitations.read(house.gm, house.campaign)] == [1]


async def test_a_full_table_keeps_its_members_and_has_room_again_when_one_leaves(house: House) -> None:
    code = (await house.invite(uses=2)).code
    early, late = viewer(), viewer()
    assert isinstance(await house.table.join(early, code), Campaign)
    await fill(house, MAX_MEMBERS)
    assert isinstance(await house.table.join(early, code), Campaign)
    quota_of(await house.table.join(late, code))
    await house.table.remove(early, house.campaign, early.account)
    assert isinstance(await house.table.join(late, code), Campaign)


async def test_an_account_is_in_so_many_campaigns_however_many_it_founds_and_joins_at_once(
    house: House,
) -> None:
    table, who = Table(house.database, house.clock, house.characters, {}, TableQuotas(campaigns=3)), viewer()
    code = (await house.invite(uses=9)).code
    founding = (table.found(who, f"No. {place}", key=f"k{place}") for place in range(4))
    outcomes = await asyncio.gather(*founding, table.join(who, code))
    refused = [outcome for outcome in outcomes if not isinstance(outcome, Campaign)]
    assert [quota_of(outcome) for outcome in refused] == [("QUOTA_EXCEEDED", ["campaigns"], "3", "3")] * 2
    assert len((await house.campaigns.access(who.account)).roles) == 3
    # A repeated request is answered as before, and one campaign less makes room.
    (founded, *_) = (made for made in outcomes if isinstance(made, Campaign) and made.id != house.campaign)
    place = outcomes.index(founded)
    again = await table.found(who, f"No. {place}", key=f"k{place}")
    assert isinstance(again, Campaign) and again.id == founded.id
    assert await table.delete(who, founded.id, 1) == founded.id
    assert isinstance(await table.found(who, "Room"), Campaign)


async def test_an_account_has_so_many_characters_at_tables(house: House) -> None:
    table = Table(house.database, house.clock, house.characters, {}, TableQuotas(seats=2))
    player = await house.join()
    heroes = [house.characters.add(player) for _ in range(3)]
    taken = [await table.seat(player, house.campaign, hero) for hero in heroes]
    assert quota_of(taken.pop()) == ("QUOTA_EXCEEDED", ["seats"], "2", "2")
    assert all(isinstance(each, Campaign) for each in taken)
    # Those of others at the same table do not count, and who sits stays.
    assert isinstance(await table.seat(house.gm, house.campaign, house.characters.add(house.gm)), Campaign)
    assert isinstance(await table.seat(player, house.campaign, heroes[0]), Campaign)
    await table.unseat(player, house.campaign, heroes[0])
    assert isinstance(await table.seat(player, house.campaign, heroes[2]), Campaign)


async def test_a_table_has_room_for_so_many_characters(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MAX_CHARACTERS", 2)
    heroes = [house.characters.add(house.gm) for _ in range(3)]
    taken = [await house.table.seat(house.gm, house.campaign, hero) for hero in heroes]
    assert quota_of(taken[-1]) == ("QUOTA_EXCEEDED", ["characters"], "2", "2")
    await house.table.unseat(house.gm, house.campaign, heroes[0])
    assert isinstance(await house.table.seat(house.gm, house.campaign, heroes[2]), Campaign)


async def test_a_campaign_has_so_many_open_invitations_however_many_are_written_at_once(
    house: House,
) -> None:
    for _ in range(MAX_INVITATIONS - 2):
        await house.invite()
    outcomes = await asyncio.gather(*(house.table.invite(house.gm, house.campaign) for _ in range(6)))
    refused = [outcome for outcome in outcomes if not isinstance(outcome, Invitation)]
    expected = ("QUOTA_EXCEEDED", ["invitations"], str(MAX_INVITATIONS), str(MAX_INVITATIONS))
    assert [quota_of(outcome) for outcome in refused] == [expected] * 4
    assert len(await house.table.invitations.read(house.gm, house.campaign)) == MAX_INVITATIONS


async def test_invitations_that_are_used_up_or_over_make_room_and_are_shown_no_more(house: House) -> None:
    used, old, *_ = [await house.invite(days=1) for _ in range(MAX_INVITATIONS)]
    quota_of(await house.table.invite(house.gm, house.campaign))
    assert isinstance(await house.table.join(viewer(), used.code), Campaign)
    shown = await house.table.invitations.read(house.gm, house.campaign)
    assert len(shown) == MAX_INVITATIONS - 1 and used.id not in {each.id for each in shown}
    await house.invite()
    house.clock.now += timedelta(days=1)
    shown = await house.table.invitations.read(house.gm, house.campaign)
    assert old.id not in {each.id for each in shown} and len(shown) == 1
    for _ in range(MAX_INVITATIONS - 1):
        await house.invite()


async def test_only_gms_invite_see_codes_and_change_roles(house: House) -> None:
    player = await house.join()
    await house.invite()
    assert isinstance(await house.table.invite(player, house.campaign), Forbidden)
    assert await house.table.invitations.read(player, house.campaign) == []
    assert isinstance(
        await house.table.change_role(player, house.campaign, player.account, Role.GM), Forbidden
    )
    assert await house.role_of(player) is Role.PLAYER


async def test_to_outsiders_nothing_exists(house: House) -> None:
    outsider = viewer()
    character = house.characters.add(outsider)
    service, table, campaign = house.campaigns, house.table, house.campaign
    assert await service.campaigns(outsider, [campaign]) == {}
    assert isinstance(await outcome(table.log.read(outsider, campaign)), NotFound)
    assert (await service.page(outsider, first=10, after=None)).items == []
    for refused in (
        await table.edit(outsider, campaign, 1, "Mine"),
        await table.note(outsider, campaign, "hello"),
        await table.invite(outsider, campaign),
        await table.withdraw(outsider, campaign, new_id("inv")),
        await table.change_role(outsider, campaign, house.gm.account, Role.PLAYER),
        await table.remove(outsider, campaign, house.gm.account),
        await table.remove(outsider, campaign, outsider.account),
        await table.seat(outsider, campaign, character),
        await table.unseat(outsider, campaign, character),
    ):
        assert isinstance(refused, NotFound), refused
    assert len(await house.log()) == 1


async def test_the_last_gm_neither_leaves_nor_steps_down(house: House) -> None:
    me = house.gm.account
    assert isinstance(await house.table.remove(house.gm, house.campaign, me), Forbidden)
    assert isinstance(await house.table.change_role(house.gm, house.campaign, me, Role.PLAYER), Forbidden)
    second = await house.join(Role.GM)
    outcomes = await asyncio.gather(
        house.table.remove(house.gm, house.campaign, me),
        house.table.remove(second, house.campaign, second.account),
    )
    assert sum(isinstance(outcome, Forbidden) for outcome in outcomes) == 1


async def test_a_character_sits_at_one_table_with_its_own_player(house: House) -> None:
    player, other = await house.join(), await house.join()
    hero = house.characters.add(player)
    assert isinstance(await house.table.seat(other, house.campaign, hero), NotFound)
    outcomes = await asyncio.gather(*(house.table.seat(player, house.campaign, hero) for _ in range(5)))
    assert all(isinstance(outcome, Campaign) for outcome in outcomes)
    elsewhere = await house.table.found(player, "Another")
    assert isinstance(elsewhere, Campaign)
    refused = await house.table.seat(player, elsewhere.id, hero)
    assert isinstance(refused, InvalidInput) and refused.issues[0].code == "SEATED_ELSEWHERE"
    assert [entry.kind for entry in await house.log()].count("character.seated") == 1
    assert (await house.campaigns.access(other.account)).characters == {hero: house.campaign}


async def test_spectators_seat_nobody_and_write_nothing(house: House) -> None:
    spectator = await house.join(Role.SPECTATOR)
    hero = house.characters.add(spectator)
    assert isinstance(await house.table.seat(spectator, house.campaign, hero), Forbidden)
    assert isinstance(await house.table.note(spectator, house.campaign, "hm"), Forbidden)


async def test_who_leaves_takes_their_characters_along(house: House) -> None:
    player = await house.join()
    await house.table.seat(player, house.campaign, house.characters.add(player))
    assert await house.table.remove(house.gm, house.campaign, player.account) == player.account
    assert await house.campaigns.seats([house.campaign]) == []
    assert await house.role_of(player) is None


async def test_a_seat_is_taken_away_by_its_player_or_a_gm_only(house: House) -> None:
    player, other = await house.join(), await house.join()
    hero = house.characters.add(player)
    await house.table.seat(player, house.campaign, hero)
    assert isinstance(await house.table.unseat(other, house.campaign, hero), Forbidden)
    assert isinstance(await house.table.unseat(house.gm, house.campaign, hero), Campaign)


async def test_no_seat_is_given_while_the_character_service_is_away(house: House) -> None:
    player = await house.join()
    hero = house.characters.add(player)
    house.characters.away = True
    assert isinstance(await house.table.seat(player, house.campaign, hero), Unavailable)
    assert await house.campaigns.seats([house.campaign]) == []


async def test_edits_name_the_version_they_saw(house: House) -> None:
    changed = await house.table.edit(house.gm, house.campaign, 1, "The Crown")
    assert isinstance(changed, Campaign) and changed.version == 2 and changed.name == "The Crown"
    stale = await house.table.edit(house.gm, house.campaign, 1, "The Hollow")
    assert isinstance(stale, VersionConflict)
    assert (stale.expected_version, stale.current_version) == (1, 2)
    outcomes = await asyncio.gather(
        *(house.table.edit(house.gm, house.campaign, 2, f"Name {index}") for index in range(5))
    )
    assert sum(isinstance(outcome, Campaign) for outcome in outcomes) == 1


async def test_edits_of_different_fields_merge_and_of_the_same_conflict(house: House) -> None:
    edit, gm, campaign = house.table.edit, house.gm, house.campaign
    await edit(gm, campaign, 1, "The Crown")
    house.clock.now += timedelta(minutes=1)
    merged = await edit(gm, campaign, 1, description="Of kings.", key="tale")
    assert isinstance(merged, Campaign) and merged.edited_at == house.clock.now
    assert (merged.version, merged.name, merged.description) == (3, "The Crown", "Of kings.")
    again = await edit(gm, campaign, 1, description="Of kings.", key="tale")
    assert isinstance(again, Campaign) and again.version == 3
    stale = await edit(gm, campaign, 2, "The Hollow", description="Of queens.")
    assert isinstance(stale, VersionConflict) and (stale.expected_version, stale.current_version) == (2, 3)
    assert stale.differing == [DifferingField(["description"], "Of queens.", "Of kings.")]
    same = await edit(gm, campaign, 2, description=" Of kings. ")
    assert isinstance(same, Campaign) and (same.version, same.name) == (3, "The Crown")
    assert [entry.kind for entry in await house.log()] == ["campaign.created", *["campaign.changed"] * 2]


async def test_of_edits_at_once_each_field_is_written_by_one(house: House) -> None:
    named = [house.table.edit(house.gm, house.campaign, 1, f"Name {n}") for n in range(4)]
    told = [house.table.edit(house.gm, house.campaign, 1, description=f"Tale {n}") for n in range(4)]
    outcomes = await asyncio.gather(*named, *told)
    assert [sum(isinstance(one, Campaign) for one in half) for half in (outcomes[:4], outcomes[4:])] == [1, 1]
    now = (await house.campaigns.campaigns(house.gm, [house.campaign]))[house.campaign]
    assert (now.version, now.name[:4], now.description[:4]) == (3, "Name", "Tale")
    for one in outcomes:
        if isinstance(one, VersionConflict):
            (field,) = one.differing
            assert field.theirs == getattr(now, field.path[0]) != field.yours


async def test_who_may_not_edit_learns_of_no_conflict(house: House) -> None:
    player = await house.join()
    await house.table.edit(house.gm, house.campaign, 1, "The Crown")
    assert isinstance(await house.table.edit(player, house.campaign, 1, "Mine"), Forbidden)
    assert isinstance(await house.table.edit(viewer(), house.campaign, 1, "Mine"), NotFound)


async def test_the_log_has_no_gaps_when_everyone_writes_at_once(house: House) -> None:
    player = await house.join()
    before = len(await house.log())
    await asyncio.gather(
        *(house.table.note((house.gm, player)[n % 2], house.campaign, f"note {n}") for n in range(20))
    )
    assert [entry.seq for entry in await house.log()] == list(range(1, before + 21))


async def test_a_note_under_one_key_is_written_once(house: House) -> None:
    outcomes = await asyncio.gather(
        *(house.table.note(house.gm, house.campaign, "Once.", "key-1") for _ in range(10))
    )
    assert {outcome.seq for outcome in outcomes if isinstance(outcome, LogEntry)} == {2}
    assert isinstance(
        await house.table.note(house.gm, house.campaign, "Twice.", "key-1"), IdempotencyConflict
    )


@pytest.mark.parametrize(
    ("new", "path"),
    [
        (("",), "name"),
        (("   ",), "name"),
        (("x" * 121,), "name"),
        (
            (
                "x",
                "y" * 2001,
            ),
            "description",
        ),
        (("The\nCrown",), "name"),
        (("\u202enworC",), "name"),
        (
            (
                "x",
                "a\x1b[2J",
            ),
            "description",
        ),
        (
            (
                "x",
                "a\u202eb",
            ),
            "description",
        ),
    ],
)
async def test_names_and_descriptions_have_bounds(house: House, new: tuple[str, ...], path: str) -> None:
    answer = await house.table.found(house.gm, *new)
    assert isinstance(answer, InvalidInput) and answer.issues[0].path == [path]


async def test_notes_keep_their_lines_and_take_nothing_that_cannot_be_seen(house: House) -> None:
    kept = await house.table.note(house.gm, house.campaign, "First:\n\ta door. \u200f\u0645")
    assert isinstance(kept, LogEntry) and kept.text == "First:\n\ta door. \u200f\u0645"
    for text in ("bell\x07", "turned \u202e round"):
        refused = await house.table.note(house.gm, house.campaign, text)
        assert isinstance(refused, InvalidInput)
        assert (refused.issues[0].code, refused.issues[0].path) == ("BAD_CHARACTER", ["text"])


@pytest.mark.parametrize(("uses", "days"), [(0, 7), (51, 7), (1, 0), (1, 91)])
async def test_invitations_have_bounds(house: House, uses: int, days: int) -> None:
    answer = await house.table.invite(house.gm, house.campaign, uses=uses, days=days)
    assert isinstance(answer, InvalidInput) and answer.issues[0].code == "OUT_OF_RANGE"


async def test_a_character_that_is_deleted_leaves_its_table(house: House) -> None:
    player = await house.join()
    hero = house.characters.add(player)
    await house.table.seat(player, house.campaign, hero)
    gone = Event(
        "character.deleted", f"character:{hero}", {"id": hero, "owner": player.account, "name": "Brunna"}
    )
    for _ in range(2):
        async with house.database.write() as session:
            await house.table.seats.record(session, gone)
    assert await house.campaigns.seats([house.campaign]) == []
    assert [entry.kind for entry in await house.log()].count("character.unseated") == 1


@pytest.mark.parametrize("kind", ["roll.recorded", "map.made"])
async def test_what_other_services_tell_is_entered_where_it_belongs(house: House, kind: str) -> None:
    payload = {"id": "rol_x", "text": "2d6 (6, 5) = 11", "account": house.gm.account}
    payload["external_author"] = "Sela"
    async with house.database.write() as session:
        await house.table.log.record(session, Event(kind, "t", {**payload, "campaign": house.campaign}))
        await house.table.log.record(session, Event(kind, "t", {**payload, "campaign": None}))
    entries = await house.log()
    assert [(entry.kind, entry.text, entry.subject, entry.external_author) for entry in entries[1:]] == [
        (kind, "2d6 (6, 5) = 11", "rol_x", "Sela")
    ]


async def test_every_change_has_one_effect_and_one_answer_under_one_key(house: House) -> None:
    player, leaver = await house.join(), await house.join()
    hero, code = house.characters.add(player), (await house.invite(uses=5)).code
    gm, table, campaign = house.gm, house.table, house.campaign
    withdrawn, newcomer = (await house.invite()).id, viewer()
    changes: list[tuple[Any, ...]] = [
        (table.found, gm, "Another"),
        (table.edit, gm, campaign, 1, "The Crown"),
        (table.invite, gm, campaign),
        (table.withdraw, gm, campaign, withdrawn),
        (table.join, newcomer, code),
        (table.change_role, gm, campaign, newcomer.account, Role.SPECTATOR),
        (table.seat, player, campaign, hero),
        (table.unseat, player, campaign, hero),
        (table.note, player, campaign, "Remember this."),
        (table.remove, leaver, campaign, leaver.account),
    ]
    for change, who, *asked in changes:
        key = change.__name__
        first = await change(who, *asked, key=key)
        assert not isinstance(first, Problem), (key, first)
        entries, open_codes = len(await house.log()), len(await table.invitations.read(gm, campaign))
        again = await change(who, *asked, key=key)
        assert _named(again) == _named(first), key
        after = len(await house.log()), len(await table.invitations.read(gm, campaign))
        assert after == (entries, open_codes), key
        asked[-1] = Role.GM if isinstance(asked[-1], Role) else "another"
        assert isinstance(await change(who, *asked, key=key), IdempotencyConflict), key


def _named(answer: Any) -> object:
    return answer if isinstance(answer, str) else getattr(answer, "id", None) or answer.seq


async def test_a_problem_leaves_its_key_fresh(house: House) -> None:
    newcomer, code = viewer(), (await house.invite()).code
    await fill(house, MAX_MEMBERS)
    quota_of(await house.table.join(newcomer, code, key="k"))
    (_, leaving, *_) = await house.campaigns.members([house.campaign])
    await house.table.remove(house.gm, house.campaign, leaving.account)
    assert isinstance(await house.table.join(newcomer, code, key="k"), Campaign)
