"""Rolls as they are made, kept, paged and told, on both databases."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from itertools import cycle
from typing import Any

import pytest

from services.dice.service import DiceService, NewRoll, Recorded
from services.rules.dice.stream import ListStream
from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.peers import PeerUnavailable
from services.shared.problems import Forbidden, IdempotencyConflict, InvalidInput, NotFound, Unavailable
from services.shared.settings import Settings

pytestmark = pytest.mark.databases("dice")


class Campaigns:
    """The campaign service, as far as the dice service asks it."""

    def __init__(self) -> None:
        self.roles: dict[str, dict[str, Role]] = {}
        self.seats: dict[str, str] = {}
        self.away = False

    async def of(
        self, viewer: Viewer, *, campaign: str | None = None, character: str | None = None
    ) -> Access:
        if self.away:
            raise PeerUnavailable("campaign", "ConnectError")
        roles = self.roles.get(viewer.account, {})
        return Access(
            viewer.account, roles, {who: where for who, where in self.seats.items() if where in roles}
        )


class Characters:
    """The character service, as far as the dice service asks it."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}

    async def get(self, _viewer: Viewer, *segments: str) -> Any:
        owner = self.owners.get(segments[-1])
        return {"owner": owner} if owner else None


class Tray:
    """A dice service whose dice fall 6, 5, 4, 3, 2, 1, 6, 5, ..."""

    def __init__(self, database: Database) -> None:
        self.campaigns = Campaigns()
        self.characters = Characters()
        self.falls = 0
        self.service = DiceService(
            database,
            lambda: datetime(2026, 5, 1, 20, 0, tzinfo=UTC),
            self.stream,
            self.campaigns,
            self.characters,  # type: ignore[arg-type]
        )

    def stream(self) -> ListStream:
        self.falls += 1
        faces = cycle((6, 5, 4, 3, 2, 1))
        return ListStream([next(faces) for _ in range(1000)])

    def member(self, campaign: str, role: Role = Role.PLAYER) -> Viewer:
        made = Viewer(new_id("acc"), frozenset({"read", "write"}))
        self.campaigns.roles[made.account] = {campaign: role}
        return made

    def hero(self, owner: Viewer, campaign: str | None = None) -> str:
        made = new_id("chr")
        self.characters.owners[made] = owner.account
        if campaign:
            self.campaigns.seats[made] = campaign
        return made

    async def roll(self, viewer: Viewer, expression: str = "2d6", **more: Any) -> Recorded:
        outcome = await self.service.roll(viewer, NewRoll(expression, **more))
        assert isinstance(outcome, Recorded), outcome
        return outcome


@pytest.fixture
async def tray(settings: Settings) -> AsyncIterator[Tray]:
    database = Database(settings.database_url("dice"))
    yield Tray(database)
    await database.close()


@pytest.mark.parametrize(
    ("expression", "kept_as", "text", "total"),
    [
        ("2d6+3", "2d6 + 3", "2d6 (6, 5) + 3 = 14", 14),
        ("4d6KH3", "4d6kh3", "4d6kh3 (6, 5, 4, ~~3~~) = 15", 15),
        ("3d6kl", "3d6kl1", "3d6kl1 (~~6~~, ~~5~~, 4) = 4", 4),
        ("-d6 + d% - 2", "-1d6 + 1d100 - 2", "-1d6 (6) + 1d100 (5) - 2 = -3", -3),
    ],
)
async def test_a_roll_is_kept_with_every_die(
    tray: Tray, expression: str, kept_as: str, text: str, total: int
) -> None:
    ada = tray.member("cmp_x")
    made = await tray.roll(ada, expression, label="Talk")
    found = (await tray.service.rolls(ada, [made.row.id]))[made.row.id]
    assert found.row.expression == kept_as
    assert found.result == made.result
    assert (found.result.text(), found.row.total, found.row.label) == (text, total, "Talk")


@pytest.mark.parametrize(
    "expression", ["", "d", "2d6+", "4d6kh5", "1001d6", "2d6!", "0d6", "9" * 600, "d6\0"]
)
async def test_what_is_no_notation_is_refused_before_a_die_falls(tray: Tray, expression: str) -> None:
    outcome = await tray.service.roll(tray.member("cmp_x"), NewRoll(expression))
    assert isinstance(outcome, InvalidInput)
    assert outcome.issues[0].path == ["expression"] and outcome.issues[0].allowed
    assert tray.falls == 0


async def test_totals_fit_what_clients_can_count(tray: Tray) -> None:
    outcome = await tray.service.roll(
        tray.member("cmp_x"), NewRoll("+".join(["1000d1000000", *["1000000"] * 58]))
    )
    assert isinstance(outcome, Recorded) and 58_000_000 < outcome.row.total < 2**31


async def test_rolls_at_a_table_are_numbered_and_seen_by_all_who_sit_there(tray: Tray) -> None:
    campaign = new_id("cmp")
    gm, player, watcher = (tray.member(campaign, role) for role in (Role.GM, Role.PLAYER, Role.SPECTATOR))
    made = [await tray.roll(each, campaign=campaign) for each in (gm, player, gm)]
    assert [roll.row.seq for roll in made] == [1, 2, 3]
    for viewer in (gm, player, watcher):
        page = await tray.service.page(viewer, campaign=campaign, first=10, after=None)
        assert [roll.row.seq for roll in page.items] == [3, 2, 1]
    outsider = tray.member(new_id("cmp"))
    assert (await tray.service.page(outsider, campaign=campaign, first=10, after=None)).items == []
    assert await tray.service.rolls(outsider, [roll.row.id for roll in made]) == {}
    assert await tray.service.behind(outsider, campaign, 0) is None


async def test_rolls_outside_of_campaigns_are_ones_own(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada, ben = tray.member(campaign), tray.member(campaign)
    mine = await tray.roll(ada)
    assert list(await tray.service.rolls(ada, [mine.row.id])) == [mine.row.id]
    assert await tray.service.rolls(ben, [mine.row.id]) == {}
    assert await tray.service.behind(ben, None, 0) == []
    assert [roll.row.id for roll in await tray.service.behind(ada, None, 0) or ()] == [mine.row.id]


async def test_who_leaves_a_campaign_no_longer_sees_its_rolls(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada = tray.member(campaign)
    mine = await tray.roll(ada, campaign=campaign)
    tray.campaigns.roles[ada.account] = {}
    assert await tray.service.rolls(ada, [mine.row.id]) == {}


async def test_spectators_and_outsiders_do_not_roll(tray: Tray) -> None:
    campaign = new_id("cmp")
    watcher, outsider = tray.member(campaign, Role.SPECTATOR), tray.member(new_id("cmp"))
    assert isinstance(await tray.service.roll(watcher, NewRoll("d6", campaign=campaign)), Forbidden)
    assert isinstance(await tray.service.roll(outsider, NewRoll("d6", campaign=campaign)), NotFound)
    assert tray.falls == 0


async def test_a_roll_for_a_seated_hero_falls_at_its_table(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada, gm, ben = tray.member(campaign), tray.member(campaign, Role.GM), tray.member(campaign)
    hero = tray.hero(ada, campaign)
    assert (await tray.roll(ada, character=hero)).row.campaign == campaign
    assert (await tray.roll(gm, character=hero)).row.character == hero
    assert isinstance(await tray.service.roll(ben, NewRoll("d6", character=hero)), Forbidden)
    page = await tray.service.page(ben, character=hero, first=10, after=None)
    assert len(page.items) == 2


async def test_a_hero_without_a_table_is_rolled_for_by_its_player_alone(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada, ben = tray.member(campaign), tray.member(campaign, Role.GM)
    hero = tray.hero(ada)
    assert (await tray.roll(ada, character=hero)).row.campaign is None
    assert isinstance(await tray.service.roll(ben, NewRoll("d6", character=hero)), NotFound)
    outcome = await tray.service.roll(ada, NewRoll("d6", campaign=campaign, character=hero))
    assert isinstance(outcome, InvalidInput) and outcome.issues[0].code == "NOT_AT_THIS_TABLE"
    for unknown in (new_id("chr"), "chr_x", "", "\0"):
        assert isinstance(await tray.service.roll(ada, NewRoll("d6", character=unknown)), NotFound)


async def test_fifty_parallel_requests_with_one_key_are_one_roll(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    made = await asyncio.gather(*(tray.roll(ada, idempotency_key="k") for _ in range(50)))
    assert len({roll.row.id for roll in made}) == 1
    assert len({roll.result for roll in made}) == 1
    assert tray.falls == 1
    again = await tray.service.roll(ada, NewRoll("3d6", idempotency_key="k"))
    assert isinstance(again, IdempotencyConflict)


async def test_pages_neither_skip_nor_repeat_while_dice_fall(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    made = [(await tray.roll(ada)).row.id for _ in range(9)]
    seen: list[str] = []
    after = None
    while True:
        page = await tray.service.page(ada, first=4, after=after)
        seen += [roll.row.id for roll in page.items]
        await tray.roll(ada)
        if not page.has_next:
            break
        after = page.items[-1].row.id
    assert sorted(seen) == sorted(made)
    assert seen == sorted(seen, reverse=True)


async def test_nothing_is_rolled_while_nobody_can_tell_who_may(tray: Tray) -> None:
    tray.campaigns.away = True
    outcome = await tray.service.roll(tray.member("cmp_x"), NewRoll("d6", campaign="cmp_x"))
    assert isinstance(outcome, Unavailable)
    assert tray.falls == 0
