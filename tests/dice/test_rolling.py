"""Rolls as they are made, kept, hidden, paged and told, on both databases."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text as sql

from services.dice.chain.ledger import Ledger
from services.dice.chain.seal import Seal
from services.dice.library.requests import ChangeDie, CreateMacro, DefineDie, DeleteMacro
from services.dice.library.service import Library
from services.dice.library.variables import MacroVariable, Variable
from services.dice.rolls.reader import Reader
from services.dice.rolls.replay import Recorded
from services.dice.rolls.repository import Narrowed
from services.dice.rolls.requests import NewRoll, NewRolls, RevealRoll
from services.dice.rolls.scene_draws import SceneAsked, SceneDraw, SceneRoll
from services.dice.rolls.service import RollService
from services.rules.dice.notation import Dialect
from services.rules.dice.pool import Face
from services.rules.dice.text import text
from services.rules.dice.vr1 import Chain
from services.rules.engine.registry import mechanics, named_dice
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.policy import Policy
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Problem,
    Unavailable,
)
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.dice.outcomes import refused
from tests.inside import Campaigns

pytestmark = pytest.mark.databases("dice")

EVENING = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
ENTROPY = "00112233445566778899aabbccddeeff"
ALL = Narrowed()


class Characters:
    """The character service, as far as the dice service asks it."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}
        self.sheets: dict[str, dict[str, int]] = {}

    async def get(self, _viewer: Viewer, *segments: str) -> Any:
        if segments[-1] == "variables":
            return self.sheets.get(segments[1], {})
        owner = self.owners.get(segments[1])
        return {"owner": owner} if owner else None


class Tray:
    """A dice service of its own, with a clock that goes on by 10 ms whenever it is looked at."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.now = EVENING
        self.campaigns = Campaigns()
        self.characters = Characters()
        self.ledger = Ledger(Seal("tray-" * 10))
        self.policy = Policy(self.campaigns)
        self.library = Library(database, self.clock, self.policy, mechanics(), named_dice())
        reader = Reader(self.policy, self.characters, self.library)  # type: ignore[arg-type]
        self.service = RollService(database, self.clock, self.policy, reader, self.ledger)

    def clock(self) -> datetime:
        self.now += timedelta(milliseconds=10)
        return self.now

    def member(self, campaign: str, role: Role = Role.PLAYER) -> Viewer:
        made = Viewer(new_id("acc"), frozenset({"read", "write"}))
        self.campaigns.roles[made.account] = {campaign: role}
        return made

    def hero(self, owner: Viewer, campaign: str | None = None, **sheet: int) -> str:
        made = new_id("chr")
        self.characters.owners[made] = owner.account
        self.characters.sheets[made] = sheet
        if campaign:
            self.campaigns.seats[made] = campaign
        return made

    async def roll(
        self, viewer: Viewer, expression: str | None = "2d6", key: str | None = None, **more: Any
    ) -> Recorded:
        return await self.service.roll(viewer, NewRoll(expression, **more), key)

    async def refused(self, viewer: Viewer, new: NewRoll) -> Any:
        return await refused(self.service.roll(viewer, new), Problem)

    async def count(self, table: str) -> int:
        async with self.database.read() as session:
            return int((await session.execute(sql(f"SELECT count(*) FROM {table}"))).scalar_one())

    async def events(self) -> list[tuple[str, dict[str, Any]]]:
        async with self.database.read() as session:
            rows = (await session.execute(sql("SELECT kind, payload FROM outbox ORDER BY id"))).all()
        return [(kind, json.loads(payload)) for kind, payload in rows]


@pytest.fixture
async def tray(settings: Settings) -> AsyncIterator[Tray]:
    database = Database(settings.database_url("dice"))
    yield Tray(database)
    await database.close()


@pytest.mark.parametrize(
    ("expression", "kept_as"),
    [
        ("2d6+3", "2d6 + 3"),
        ("4d6KH3", "4d6kh3"),
        ("-d6 + d% - 2", "-1d6 + 1d100 - 2"),
        ("10d10!>=9cs>=8 # over the wall", "10d10!>=9>=8 # over the wall"),
        ("{2d6, d12}kh1 * 2", "{2d6, 1d12}kh1 * 2"),
        ("d6 / 4", "1d6 / 4"),
    ],
)
async def test_a_roll_is_kept_with_every_die(tray: Tray, expression: str, kept_as: str) -> None:
    ada = tray.member("cmp_x")
    made = await tray.roll(ada, expression, label="Talk")
    found = (await tray.service.by_id(ada, [made.row.id]))[made.row.id]
    assert found.row.expression == kept_as
    assert found.result == made.result
    assert text(found.result) == text(made.result)
    assert (found.row.total, found.row.label) == (made.result.value // 1, "Talk")


@pytest.mark.parametrize(
    "expression", ["", "d", "2d6+", "4d6kh5", "1001d6", "d1!", "0d0", "9" * 600, "d6\0", "d6r<7", "9**99"]
)
async def test_what_is_no_notation_is_refused_before_a_die_falls(tray: Tray, expression: str) -> None:
    outcome = await tray.refused(tray.member("cmp_x"), NewRoll(expression))
    assert isinstance(outcome, InvalidInput)
    assert outcome.issues[0].path == ["expression"] and outcome.issues[0].allowed
    assert await tray.count("epoch") == 0


@ON_BOTH
async def test_rolls_at_a_table_are_numbered_and_seen_by_all_who_sit_there(tray: Tray) -> None:
    campaign = new_id("cmp")
    gm, player, watcher = (tray.member(campaign, role) for role in (Role.GM, Role.PLAYER, Role.SPECTATOR))
    made = [await tray.roll(each, campaign_id=campaign) for each in (gm, player, gm)]
    assert [roll.seq for roll in made] == [1, 2, 3]
    for viewer in (gm, player, watcher):
        page = await tray.service.page(viewer, Narrowed(campaign=campaign), first=10, after=None)
        assert [roll.seq for roll in page.items] == [3, 2, 1]
    outsider = tray.member(new_id("cmp"))
    assert (await tray.service.page(outsider, Narrowed(campaign=campaign), first=10, after=None)).items == []
    assert await tray.service.by_id(outsider, [roll.row.id for roll in made]) == {}
    await refused(tray.service.behind(outsider, campaign, 0), NotFound)


async def test_rolls_outside_of_campaigns_are_ones_own(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada, ben = tray.member(campaign), tray.member(campaign)
    mine = await tray.roll(ada)
    assert list(await tray.service.by_id(ada, [mine.row.id])) == [mine.row.id]
    assert await tray.service.by_id(ben, [mine.row.id]) == {}
    assert await tray.service.behind(ben, None, 0) == []
    assert [roll.row.id for roll in await tray.service.behind(ada, None, 0)] == [mine.row.id]


@ON_BOTH
async def test_who_leaves_a_campaign_no_longer_sees_its_rolls(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada = tray.member(campaign)
    mine = await tray.roll(ada, campaign_id=campaign)
    tray.campaigns.roles[ada.account] = {}
    assert await tray.service.by_id(ada, [mine.row.id]) == {}


async def test_spectators_and_outsiders_do_not_roll(tray: Tray) -> None:
    campaign = new_id("cmp")
    watcher, outsider = tray.member(campaign, Role.SPECTATOR), tray.member(new_id("cmp"))
    assert isinstance(await tray.refused(watcher, NewRoll("d6", campaign_id=campaign)), Forbidden)
    assert isinstance(await tray.refused(outsider, NewRoll("d6", campaign_id=campaign)), NotFound)
    assert await tray.count("roll") == 0


@ON_BOTH
async def test_a_roll_for_a_seated_hero_falls_at_its_table(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada, gm, ben = tray.member(campaign), tray.member(campaign, Role.GM), tray.member(campaign)
    hero = tray.hero(ada, campaign)
    assert (await tray.roll(ada, character_id=hero)).row.campaign == campaign
    assert (await tray.roll(gm, character_id=hero)).row.character == hero
    assert isinstance(await tray.refused(ben, NewRoll("d6", character_id=hero)), Forbidden)
    page = await tray.service.page(ben, Narrowed(character=hero), first=10, after=None)
    assert len(page.items) == 2


async def test_a_hero_without_a_table_is_rolled_for_by_its_player_alone(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada, ben = tray.member(campaign), tray.member(campaign, Role.GM)
    hero = tray.hero(ada)
    assert (await tray.roll(ada, character_id=hero)).row.campaign is None
    assert isinstance(await tray.refused(ben, NewRoll("d6", character_id=hero)), NotFound)
    outcome = await tray.refused(ada, NewRoll("d6", campaign_id=campaign, character_id=hero))
    assert outcome.issues[0].code == "NOT_AT_THIS_TABLE"
    for unknown in (new_id("chr"), "chr_x", "", "\0"):
        assert isinstance(await tray.refused(ada, NewRoll("d6", character_id=unknown)), NotFound)


async def test_variables_come_from_the_request_then_the_sheet_then_the_saved_roll(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    hero = tray.hero(ada, muscle=3, luck=7)
    assert (await tray.roll(ada, "@muscle d6 + @luck", character_id=hero)).row.expression == "3d6 + 7"
    given = (Variable("@Muscle", 2),)
    assert (await tray.roll(ada, "@muscle d6", character_id=hero, variables=given)).row.expression == "2d6"
    macro = await tray.library.macros.create(
        ada,
        CreateMacro(
            name="Smash",
            expression="@muscle d6 + @rage",
            variables=(MacroVariable("rage", 1), MacroVariable("muscle", 5)),
        ),
    )
    made = await tray.roll(ada, None, macro_id=macro.id, character_id=hero)  # type: ignore[arg-type]
    assert (made.row.expression, made.row.label) == ("3d6 + 1", "Smash")
    outcome = await tray.refused(ada, NewRoll("@muscle d6 + @pluck", character_id=hero))
    assert [(issue.code, issue.path) for issue in outcome.issues] == [
        ("UNKNOWN_VARIABLE", ["variables", "pluck"])
    ]
    outcome = await tray.refused(ada, NewRoll("@muscle d6", variables=(Variable("muscle", 5000),)))
    assert outcome.issues[0].code == "NOTATION_LIMIT"
    outcome = await tray.refused(ada, NewRoll("d6", variables=(Variable("muscle", 10**12),)))
    assert outcome.issues[0].path == ["variables", "muscle"]


async def test_saved_rolls_of_others_are_unknown(tray: Tray) -> None:
    ada, ben = tray.member("cmp_x"), tray.member("cmp_y")
    macro = await tray.library.macros.create(ada, CreateMacro(name="Smash", expression="2d6"))
    assert isinstance(await tray.refused(ben, NewRoll(macro_id=macro.id)), NotFound)
    assert (await tray.refused(ada, NewRoll())).issues[0].code == "ONE_OF"
    assert (await tray.refused(ada, NewRoll("d6", macro_id="mac_x"))).issues[0].code == "ONE_OF"


async def test_a_roll_keeps_the_faces_that_its_dice_had(tray: Tray) -> None:
    campaign = new_id("cmp")
    gm = tray.member(campaign, Role.GM)
    die = await tray.library.dice.define(
        gm, DefineDie(campaign_id=campaign, name="omen", faces=(Face("sun", 2), Face("sun", 2)))
    )
    made = await tray.roll(gm, "3domen", campaign_id=campaign)
    assert made.row.total == 6
    await tray.library.dice.change(gm, ChangeDie(die.id, 1, (Face("moon", 5),)))
    again = (await tray.service.by_id(gm, [made.row.id]))[made.row.id]
    assert [each.label for each in again.result.dice()] == ["sun"] * 3
    assert (await tray.roll(gm, "3domen", campaign_id=campaign)).row.total == 15


async def test_a_request_may_be_written_in_another_dialect_and_is_kept_in_ours(tray: Tray) -> None:
    made = await tray.roll(tray.member("cmp_x"), "4d6d1r1", dialect=Dialect.ROLL20)
    assert made.row.expression == "4d6r=1dl1"


@ON_BOTH
async def test_secret_rolls_are_seen_and_counted_by_gms_alone(tray: Tray) -> None:
    campaign = new_id("cmp")
    gm, player = tray.member(campaign, Role.GM), tray.member(campaign)
    first = await tray.roll(gm, campaign_id=campaign)
    hidden = await tray.roll(gm, "d20", campaign_id=campaign, secret=True, label="Ambush")
    last = await tray.roll(player, campaign_id=campaign)
    assert (hidden.secret, hidden.seq, last.seq) == (True, 1, 2)
    at_table = Narrowed(campaign=campaign)
    assert [roll.row.id for roll in (await tray.service.page(gm, at_table, first=9, after=None)).items] == [
        last.row.id,
        hidden.row.id,
        first.row.id,
    ]
    seen = await tray.service.page(player, at_table, first=9, after=None)
    assert [roll.row.id for roll in seen.items] == [last.row.id, first.row.id]
    assert await tray.service.by_id(player, [hidden.row.id]) == {}
    assert await tray.service.content(player, hidden.row.id) is None
    assert len(await tray.service.behind(player, campaign, 0)) == 2
    await refused(tray.service.behind(player, campaign, 0, secret=True), NotFound)
    assert len(await tray.service.behind(gm, campaign, 0, secret=True)) == 1
    told = [payload for kind, payload in await tray.events() if kind != "roll.recorded"]
    assert told == [{"id": hidden.row.id}]
    assert await tray.count("total_tally") == 1 or await tray.count("face_tally") > 0
    assert "Ambush" not in json.dumps(told)


@ON_BOTH
async def test_only_gms_roll_and_reveal_in_secret(tray: Tray) -> None:
    campaign = new_id("cmp")
    gm, player, outsider = tray.member(campaign, Role.GM), tray.member(campaign), tray.member(new_id("cmp"))
    assert isinstance(await tray.refused(player, NewRoll("d6", campaign_id=campaign, secret=True)), Forbidden)
    outcome = await tray.refused(gm, NewRoll("d6", secret=True))
    assert outcome.issues[0].code == "NO_TABLE"
    hidden = await tray.roll(gm, campaign_id=campaign, secret=True)
    for other in (player, outsider):
        await refused(tray.service.reveal(other, RevealRoll(hidden.row.id)), NotFound)


@ON_BOTH
async def test_a_revealed_roll_gets_the_next_number_and_is_told_once(tray: Tray) -> None:
    campaign = new_id("cmp")
    gm, player = tray.member(campaign, Role.GM), tray.member(campaign)
    hidden = await tray.roll(gm, "d20", campaign_id=campaign, secret=True)
    await tray.roll(player, campaign_id=campaign)
    shown = [await tray.service.reveal(gm, RevealRoll(hidden.row.id)) for _ in range(2)]
    assert all((each.seq, each.secret) == (2, False) for each in shown)
    assert (await tray.service.by_id(player, [hidden.row.id]))[hidden.row.id].result == hidden.result
    heard = await tray.service.behind(player, campaign, 1)
    assert [roll.row.id for roll in heard] == [hidden.row.id]
    recorded = [payload["id"] for kind, payload in await tray.events() if kind == "roll.recorded"]
    assert recorded.count(hidden.row.id) == 1


async def test_rolls_of_one_request_are_all_made_or_none(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada = tray.member(campaign)
    asked = NewRolls(tuple(NewRoll(f"{n}d6", campaign_id=campaign) for n in (1, 2, 3)))
    made = await tray.service.roll_many(ada, asked, "k")
    assert [roll.row.expression for roll in made.rolls] == ["1d6", "2d6", "3d6"]
    assert [roll.seq for roll in made.rolls] == [1, 2, 3]
    again = await tray.service.roll_many(ada, asked, "k")
    assert [roll.row.id for roll in again.rolls] == [roll.row.id for roll in made.rolls]
    wrong = NewRolls((NewRoll("d6"), NewRoll("d"), NewRoll("2d6", label="")))
    outcome = await refused(tray.service.roll_many(ada, wrong), InvalidInput)
    assert [".".join(issue.path) for issue in outcome.issues] == ["rolls.1.expression", "rolls.2.label"]
    for number in (0, 101):
        await refused(tray.service.roll_many(ada, NewRolls((NewRoll("d6"),) * number)), InvalidInput)
    assert await tray.count("roll") == 3


async def test_dice_that_come_to_nothing_use_up_their_number(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    asked = NewRolls((NewRoll("d6"), NewRoll("1 / (d1000000 // 1000000)"), NewRoll("d8")))
    made = await tray.service.roll_many(ada, asked, "k")
    assert [roll.row.expression for roll in made.rolls] == ["1d6", "1d8"]
    assert [(issue.code, issue.path) for issue in made.voids] == [
        ("DIVISION_BY_ZERO", ["rolls", "1", "expression"])
    ]
    assert [roll.row.number for roll in made.rolls] == [1, 3]
    again = await tray.service.roll_many(ada, asked, "k")
    assert again.voids == made.voids
    for _ in range(2):
        outcome = await refused(
            tray.service.roll(ada, NewRoll("1 / (d1000000 // 1000000)"), "alone"), InvalidInput
        )
        assert (outcome.issues[0].code, outcome.issues[0].path) == ("DIVISION_BY_ZERO", ["expression"])
    assert await tray.count("receipt") == 4


async def test_the_epoch_that_was_looked_at_must_be_the_live_one(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    async with tray.database.write() as session:
        live = (await tray.ledger.ensure(session, ada.account, tray.now))[Chain.OPEN].epoch.id
    made = await tray.roll(ada, entropy=ENTROPY, epoch=live)
    assert (made.row.epoch, made.row.number) == (live, 1)
    async with tray.database.write() as session:
        await tray.ledger.rotate(session, ada.account, Chain.OPEN, tray.now)
    outcome = await tray.refused(ada, NewRoll("d6", entropy=ENTROPY, epoch=live))
    assert outcome.issues[0].code == "EPOCH_MOVED"
    for bad in ("", "00", "!!" * 16, "0" * 300):
        outcome = await tray.refused(ada, NewRoll("d6", entropy=bad))
        assert outcome.issues[0].path == ["entropy"]


async def test_fifty_parallel_requests_with_one_key_are_one_roll(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    made = await asyncio.gather(*(tray.roll(ada, key="k", entropy=ENTROPY) for _ in range(50)))
    assert len({roll.row.id for roll in made}) == 1
    assert len({text(roll.result) for roll in made}) == 1
    assert await tray.count("receipt") == 1
    await refused(tray.service.roll(ada, NewRoll("3d6", entropy=ENTROPY), "k"), IdempotencyConflict)


async def test_a_roll_is_answered_again_though_its_saved_roll_is_gone(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    macro = await tray.library.macros.create(ada, CreateMacro(name="Smash", expression="2d6"))
    made = await tray.service.roll(ada, NewRoll(macro_id=macro.id), "k")
    await tray.library.macros.delete(ada, DeleteMacro(macro.id, 1))
    tray.campaigns.away = True
    assert (await tray.service.roll(ada, NewRoll(macro_id=macro.id), "k")).row.id == made.row.id


async def test_a_key_reveals_one_roll(tray: Tray) -> None:
    campaign = new_id("cmp")
    gm = tray.member(campaign, Role.GM)
    hidden = [await tray.roll(gm, "d20", campaign_id=campaign, secret=True) for _ in range(2)]
    asked = RevealRoll(hidden[0].row.id)
    shown = await asyncio.gather(*(tray.service.reveal(gm, asked, "k") for _ in range(20)))
    assert {(roll.row.id, roll.seq) for roll in shown} == {(hidden[0].row.id, 1)}
    await refused(tray.service.reveal(gm, RevealRoll(hidden[1].row.id), "k"), IdempotencyConflict)
    assert (await tray.service.by_id(gm, [hidden[1].row.id]))[hidden[1].row.id].secret


async def test_parallel_rolls_at_one_table_take_numbers_without_gap(tray: Tray) -> None:
    campaign = new_id("cmp")
    players = [tray.member(campaign) for _ in range(4)]
    made = await asyncio.gather(*(tray.roll(players[n % 4], campaign_id=campaign) for n in range(24)))
    assert sorted(roll.seq for roll in made) == list(range(1, 25))
    assert len({(roll.row.epoch, roll.row.number) for roll in made}) == 24


@ON_BOTH
async def test_pages_neither_skip_nor_repeat_while_dice_fall(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    made = [(await tray.roll(ada)).row.id for _ in range(9)]
    seen: list[str] = []
    after = None
    while True:
        page = await tray.service.page(ada, ALL, first=4, after=after)
        seen += [roll.row.id for roll in page.items]
        await tray.roll(ada)
        if not page.has_next:
            break
        after = page.items[-1].row.id
    assert sorted(seen) == sorted(made)
    assert seen == sorted(seen, reverse=True)


@ON_BOTH
async def test_rolls_are_found_by_player_scene_and_time(tray: Tray) -> None:
    campaign = new_id("cmp")
    ada, ben = tray.member(campaign), tray.member(campaign)
    early = await tray.roll(ada, campaign_id=campaign)
    tray.now += timedelta(hours=1)
    scene = new_id("scn")
    draw = SceneDraw(campaign, "move", (SceneRoll("2d6", "Strike", False),))
    (late,) = await tray.service.draw_for_service(ben, SceneAsked(scene, draw, None))

    async def found(**wanted: Any) -> list[str]:
        page = await tray.service.page(ada, Narrowed(campaign=campaign, **wanted), first=9, after=None)
        return [roll.row.id for roll in page.items]

    assert await found(account=ben.account) == await found(scene=scene) == [late.row.id]
    moment = late.row.created_at
    assert await found(since=moment) == [late.row.id]
    assert await found(until=moment) == [early.row.id]
    assert await found(since=moment, until=moment) == []
    assert await found(since=early.row.created_at) == [late.row.id, early.row.id]


async def test_nothing_is_rolled_while_nobody_can_tell_who_may(tray: Tray) -> None:
    tray.campaigns.away = True
    outcome = await tray.refused(tray.member("cmp_x"), NewRoll("d6", campaign_id="cmp_x"))
    assert isinstance(outcome, Unavailable)
    assert await tray.count("receipt") == 0


@ON_BOTH
async def test_rolls_from_before_there_were_receipts_can_still_be_read(tray: Tray) -> None:
    ada = tray.member("cmp_x")
    roll = new_id("rol")
    async with tray.database.write() as session:
        await session.execute(
            sql(
                "INSERT INTO roll (id, place, seq, account, expression, faces, total, batch, batch_place, "
                "created_at) VALUES (:id, :account, 1, :account, '2d20kh1 - 1d4 + 3', '[4,17,2]', 18, "
                ":id, 0, :moment)"
            ).bindparams(moment=EVENING),
            {"id": roll, "account": ada.account},
        )
    found = (await tray.service.by_id(ada, [roll]))[roll]
    assert text(found.result) == "2d20kh1 (~~4~~, 17) - 1d4 (2) + 3 = 18"


async def test_names_of_variables_are_names(tray: Tray) -> None:
    for name in ("a" * 10_000, "", "a b", "@@a", "1a", "a\0"):
        outcome = await tray.refused(tray.member("cmp_x"), NewRoll("d6", variables=(Variable(name, 1),)))
        assert outcome.issues[0].code == "NAME"
