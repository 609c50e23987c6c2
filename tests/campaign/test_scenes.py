"""Scenes as they are started, played, taken back, ended and read, on both databases."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.campaign.scenes.models import Scene
from services.campaign.scenes.moves import Performed
from services.campaign.scenes.problem import MoveRejected
from services.campaign.scenes.requests import PerformMove
from services.rules.engine.play import GM
from services.shared.access import Role
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.peers import PeerRefused
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Unavailable,
    VersionConflict,
)
from services.shared.settings import Settings
from tests.campaign.outcomes import outcome
from tests.campaign.scene_desk import SYSTEMS, Desk, somebody
from tests.databases import ON_BOTH

pytestmark = pytest.mark.databases("campaign")


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    await made.start()
    yield made
    await database.close()


# Starting


async def test_a_scene_opens_with_the_sheets_of_those_who_sit_at_the_table(desk: Desk) -> None:
    for who in (desk.gm, desk.anna, desk.watcher):
        look = await desk.look(who)
        assert look.card is not None
        assert [(actor.id, actor.name) for actor in look.card.actors] == [
            (desk.hero, "Anna"),
            (desk.other, "Ben"),
            ("rival-1", "Sour Tam"),
        ]
        assert (look.row.title, look.row.seq, look.row.ended_at) == ("The Yard at Dawn", 0, None)
    log = (await desk.log())[-1]
    assert (log.kind, log.subject, log.text) == ("scene.started", desk.scene, "The Yard at Dawn begins.")


async def test_a_setup_may_be_spelled_out_and_every_broken_rule_of_it_is_named(desk: Desk) -> None:
    form = {"title": "The Mill", "rivals": ["Nell", "Tam"]}
    scene = await desk.start(setup=form, title="Two at the mill", characters=(desk.hero,))
    assert (scene.title, scene.cast) == ("Two at the mill", [desk.hero])
    sent = {"title": "x", "rivals": []}
    refused = await desk.begin(desk.gm, setup=sent)
    assert isinstance(refused, InvalidInput)
    issue = refused.issues[0]
    assert (issue.code, issue.rule) == ("RIVALS_OUT_OF_RANGE", "Duellists")
    assert (issue.path, issue.found, issue.allowed) == (["setup", "rivals"], "0", "1, 5")


@ON_BOTH
async def test_what_is_malformed_begins_nothing(desk: Desk) -> None:
    unseated = desk.characters.add(desk.anna, "Away")
    stranger = await desk.seat(desk.ben, "Stranger")
    desk.characters.sheets[stranger] = {"type": "chess/sheet", "version": 1, "data": {}}
    deep: Any = []
    for _ in range(600):
        deep = [deep]
    for changes, code, path in (
        ({"system": "nonsense"}, "SYSTEM_UNKNOWN", "system"),
        ({"setup": "nowhere"}, "SETUP_UNKNOWN", "setupName"),
        ({"setup": {"title": "x"}}, "VALUE_MALFORMED", "setup.rivals"),
        ({"setup": {"title": "\ud800", "rivals": ["x"]}}, "UNWRITABLE", "setup"),
        ({"setup": {"title": "\x07", "rivals": ["x"]}}, "BAD_CHARACTER", "setup.title"),
        ({"setup": deep}, "UNWRITABLE", "setup"),
        ({"setup": ["x" * 70_000]}, "TOO_LARGE", "setup"),
        ({"characters": (unseated,)}, "NOT_AT_THIS_TABLE", "characters.0"),
        ({"characters": (desk.hero, stranger)}, "NOT_OF_THIS_GAME", "characters.1"),
        ({"characters": (desk.hero, desk.hero)}, "BAD_CAST", "characters"),
        ({"characters": ("nobody",)}, "BAD_CAST", "characters.0"),
        ({"characters": ()}, "CAST_MISSING", "setupName"),
        ({"title": " "}, "LENGTH", "title"),
        ({"title": "The\nMill"}, "UNPRINTABLE", "title"),
        ({"title": "\u202elliM"}, "UNPRINTABLE", "title"),
        ({"setup": {"title": "a\nb", "rivals": ["x"]}}, "UNPRINTABLE", "setup.title"),
        ({"title": "\x00"}, "UNPRINTABLE", "title"),
        ({"setup_name": None}, "EXACTLY_ONE", "setup"),
        ({"setup": {"title": "x", "rivals": ["x"]}, "setup_name": "yard"}, "EXACTLY_ONE", "setup"),
    ):
        refused = await desk.begin(desk.gm, **changes)
        assert isinstance(refused, InvalidInput), changes
        assert (refused.issues[0].code, ".".join(refused.issues[0].path)) == (code, path)
    page = await desk.reader.page(desk.gm, desk.campaign, running=None, first=10, after=None)
    assert len(page.items) == 1


@ON_BOTH
async def test_only_gms_start_scenes_and_outsiders_learn_nothing_of_them(desk: Desk) -> None:
    assert isinstance(await desk.begin(desk.anna), Forbidden)
    assert isinstance(await desk.begin(desk.watcher), Forbidden)
    outsider = somebody()
    assert isinstance(await desk.begin(outsider), NotFound)
    assert await desk.reader.scenes(outsider, [desk.scene]) == {}
    assert isinstance(await outcome(desk.reader.moves(outsider, desk.scene)), NotFound)
    page = await desk.reader.page(outsider, desk.campaign, running=None, first=10, after=None)
    assert page.items == []
    for answer in (
        await desk.move(outsider, "Strike", desk.hero, target="rival-1"),
        await desk.undo(outsider, desk.scene, 0),
    ):
        assert isinstance(answer, NotFound)


async def test_nothing_begins_while_the_sheets_cannot_be_read(desk: Desk) -> None:
    desk.characters.away = True
    assert isinstance(await desk.begin(desk.gm), Unavailable)


async def test_one_key_is_one_scene(desk: Desk) -> None:
    made = await asyncio.gather(*(desk.begin(desk.gm, "k") for _ in range(8)))
    assert len({scene.id for scene in made if isinstance(scene, Scene)}) == 1
    other = await desk.begin(desk.gm, "k", setup="ambush")
    assert isinstance(other, IdempotencyConflict)


@ON_BOTH
async def test_scenes_are_paged_newest_first_and_by_whether_they_run(desk: Desk) -> None:
    first = desk.scene
    second = (await desk.start()).id
    await desk.made(desk.gm, "Stop", GM)

    async def found(running: bool | None, **page: Any) -> list[str]:
        wanted = {"first": 10, "after": None, **page}
        items = (await desk.reader.page(desk.anna, desk.campaign, running=running, **wanted)).items
        return [look.row.id for look in items]

    assert await found(None) == [second, first]
    assert await found(True) == [first]
    assert await found(False) == [second]
    assert await found(None, first=1) == [second]
    assert await found(None, after=second) == [first]


# A move


async def test_a_move_is_made_told_and_counted(desk: Desk) -> None:
    made = await desk.strike([6, 5, 4], [1, 2, 3])
    assert made.scene.seq == 2
    assert desk.dice.asked == [
        (
            desk.gm.account,
            {
                "campaign": desk.campaign,
                "key": f"{desk.scene}:2",
                "entropy": None,
                "rolls": [
                    {"expression": "3d6", "label": "Strike", "character": desk.hero, "secret": False},
                    {"expression": "3d6", "label": "Guard", "character": None, "secret": False},
                ],
            },
        )
    ]
    for who in (desk.gm, desk.anna, desk.ben, desk.watcher):
        dared, stood = await desk.moves(who)
        assert [dared.seq, stood.seq] == [1, 2]
        assert (dared.actor, dared.account, dared.by_gm) == (desk.hero, desk.anna.account, False)
        assert (stood.actor, stood.account, stood.by_gm) == ("rival-1", desk.gm.account, True)
        assert stood.sentences == ("Anna hits Sour Tam.",)
        assert [thrown.faces for thrown in stood.rolls] == [(6, 5, 4), (1, 2, 3)]
        assert all(thrown.id is not None for thrown in stood.rolls)
        assert stood.rolls[0].roll.dice.text() == "3 = 2 (Strike) + 1 (Bold)"
        assert [type(event).__name__ for event in stood.events] == ["Struck", "TurnEnded"]
        card = (await desk.look(who)).card
        assert card is not None and card.actors[2].tracks[0].current == 2
    entries = [(entry.kind, entry.text, entry.account) for entry in (await desk.log())[-2:]]
    assert entries == [
        ("scene.move", "Anna lunges at Sour Tam.", desk.anna.account),
        ("scene.move", "Anna hits Sour Tam.", desk.gm.account),
    ]


async def test_a_players_own_entropy_reaches_the_dice(desk: Desk) -> None:
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    await desk.made(desk.gm, "Answer", "rival-1", flinch=False, entropy="ab" * 16)
    assert desk.dice.asked[0][1]["entropy"] == "ab" * 16
    refused = await desk.move(desk.ben, "Brace", desk.other, entropy="much too short")
    assert isinstance(refused, InvalidInput) and refused.path == ["entropy"]


async def test_a_rejected_move_names_its_rules_and_what_may_be_done_instead(desk: Desk) -> None:
    before = await desk.row()
    answer = await desk.move(desk.anna, "Strike", desk.hero, target="nobody")
    assert isinstance(answer, MoveRejected)
    issue = answer.issues[0]
    assert (issue.code, issue.path, issue.rule) == ("UNKNOWN_TARGET", ["move", "target"], "Striking")
    assert (issue.found, issue.allowed) == ("nobody", "rival-1")
    assert [move.id for move in answer.legal] == ["strike:rival-1", "brace"]
    late = await desk.move(desk.ben, "Strike", desk.other, target="rival-1")
    assert isinstance(late, MoveRejected) and late.issues[0].code == "NOT_YOUR_TURN" and late.legal == ()
    assert await desk.row() == before
    assert desk.dice.asked == [] and await desk.moves(desk.gm) == []


async def test_players_move_their_own_and_gms_move_anybody(desk: Desk) -> None:
    strike: dict[str, Any] = {"target": "rival-1"}
    assert isinstance(await desk.move(desk.ben, "Strike", desk.hero, **strike), Forbidden)
    assert isinstance(await desk.move(desk.watcher, "Strike", desk.hero, **strike), Forbidden)
    assert isinstance(await desk.move(desk.anna, "Stop", GM), Forbidden)
    assert isinstance(await desk.move(desk.anna, "Brace", "rival-1"), Forbidden)
    await desk.table.unseat(desk.anna, desk.campaign, desk.hero)
    assert isinstance(await desk.move(desk.anna, "Brace", desk.hero), Forbidden)
    made = await desk.made(desk.gm, "Brace", desk.hero)
    assert (made.move.actor, made.move.account, made.move.by_gm) == (desk.hero, desk.gm.account, True)


async def test_who_becomes_a_spectator_moves_nobody_any_more(desk: Desk) -> None:
    await desk.table.change_role(desk.gm, desk.campaign, desk.anna.account, Role.SPECTATOR)
    assert isinstance(await desk.move(desk.anna, "Brace", desk.hero), Forbidden)
    assert (await desk.look(desk.anna)).legal() == ()


async def test_malformed_moves_reach_neither_rules_nor_dice(desk: Desk) -> None:
    for data, path in (
        (None, "move"),
        ([], "move"),
        ({}, "move.kind"),
        ({"kind": "Fly", "actor": desk.hero}, "move.kind"),
        ({"kind": "Brace"}, "move.actor"),
        ({"kind": "Brace", "actor": 7}, "move.actor"),
        ({"kind": "Brace", "actor": desk.hero, "more": 1}, "move.more"),
        ({"kind": "Brace", "actor": "\x00"}, "move.actor"),
        ({"kind": "Brace", "actor": 2**70}, "move"),
    ):
        wanted = PerformMove(scene_id=desk.scene, expected_seq=0, move=data)
        answer = await desk.perform(desk.anna, wanted, "k")
        assert isinstance(answer, InvalidInput), data
        assert ".".join(answer.issues[0].path) == path
    for scene in (new_id("scn"), "scn_x", "", "\x00"):
        wanted = PerformMove(scene_id=scene, expected_seq=0, move={})
        assert isinstance(await desk.perform(desk.anna, wanted), NotFound)
    assert (await desk.row()).number == 0


async def test_a_stale_number_is_a_conflict(desk: Desk) -> None:
    await desk.made(desk.anna, "Brace", desk.hero)
    stale = await desk.move(desk.ben, "Brace", desk.other, seq=0)
    assert isinstance(stale, VersionConflict)
    assert (stale.expected_version, stale.current_version, stale.path) == (0, 1, ["expectedSeq"])
    assert isinstance(await desk.move(desk.ben, "Brace", desk.other, seq=2), VersionConflict)
    assert isinstance(await desk.move(desk.ben, "Brace", desk.other, seq=1), Performed)


async def test_the_same_key_is_the_same_move(desk: Desk) -> None:
    first = await desk.made(desk.anna, "Brace", desk.hero, seq=0, key="k")
    await desk.made(desk.ben, "Brace", desk.other)
    again = await desk.made(desk.anna, "Brace", desk.hero, seq=0, key="k")
    assert again.move == first.move
    other = await desk.move(desk.anna, "Strike", desk.hero, target="rival-1", key="k")
    assert isinstance(other, IdempotencyConflict)
    assert len(await desk.moves(desk.gm)) == 2


async def test_a_rejected_move_uses_up_no_key(desk: Desk) -> None:
    rejected = await desk.move(desk.anna, "Strike", desk.hero, target="nobody", key="k")
    assert isinstance(rejected, MoveRejected)
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1", key="k")


async def test_fifty_parallel_requests_with_one_key_are_one_move(desk: Desk) -> None:
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    wanted = desk.wanted("Answer", "rival-1", seq=1, flinch=False)
    answers = await asyncio.gather(*(desk.perform(desk.gm, wanted, "k") for _ in range(50)))
    assert all(isinstance(answer, Performed) and answer.move.number == 2 for answer in answers)
    told = [answer.move.model_dump() for answer in answers if isinstance(answer, Performed)]
    assert len(told) == 50 and all(each == told[0] for each in told)
    assert len(desk.dice.drawn) == 1 and len(await desk.moves(desk.gm)) == 2


async def test_of_two_racing_moves_one_is_made(desk: Desk) -> None:
    brace = desk.wanted("Brace", desk.hero)
    strike = desk.wanted("Strike", desk.hero, target="rival-1")
    answers = await asyncio.gather(*(desk.perform(desk.anna, one) for one in (brace, strike)))
    assert sorted(type(answer).__name__ for answer in answers) == ["Performed", "VersionConflict"]
    # Also where the dice lie between the two.
    await desk.undo(desk.gm, desk.scene, 1)
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    stand = desk.wanted("Answer", "rival-1", seq=3, flinch=False)
    answers = await asyncio.gather(*(desk.perform(desk.gm, stand) for _ in range(2)))
    assert sorted(type(answer).__name__ for answer in answers) == ["Performed", "VersionConflict"]
    assert len(desk.dice.drawn) == 1


# Dice, and what becomes of a move when something breaks between


async def test_a_crash_between_dice_and_commit_changes_no_face(desk: Desk) -> None:
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    desk.dice.lost = True
    stand: dict[str, Any] = {"flinch": False, "seq": 1}
    answer = await desk.move(desk.gm, "Answer", "rival-1", key="k", **stand)
    assert isinstance(answer, Unavailable)
    fell = [roll["faces"] for roll in desk.dice.drawn[f"{desk.scene}:2"][1]["rolls"]]
    # Nobody can look at, or move in, a scene whose dice lie but are not read.
    assert (await desk.look(desk.ben)).row.seq == 1
    assert isinstance(await desk.move(desk.ben, "Brace", desk.other, seq=1), Unavailable)
    desk.dice.lost = False
    # Another process comes upon it.
    desk.play(SYSTEMS)
    stale = await desk.move(desk.ben, "Brace", desk.other, seq=1)
    assert isinstance(stale, VersionConflict) and stale.current_version == 2
    (_, stood) = await desk.moves(desk.anna)
    assert [list(thrown.faces) for thrown in stood.rolls] == fell
    assert stood.account == desk.gm.account
    replayed = await desk.made(desk.gm, "Answer", "rival-1", key="k", **stand)
    assert replayed.move.number == 2
    assert all(account == desk.gm.account for account, _ in desk.dice.asked)


async def test_a_reader_completes_what_is_pending(desk: Desk) -> None:
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    desk.dice.away = True
    stand: dict[str, Any] = {"flinch": False}
    assert isinstance(await desk.move(desk.gm, "Answer", "rival-1", **stand), Unavailable)
    assert [move.seq for move in await desk.moves(desk.watcher)] == [1]
    desk.dice.away = False
    assert [move.seq for move in await desk.moves(desk.watcher)] == [1, 2]
    assert (await desk.row()).pending is None


async def test_moves_without_dice_need_no_dice_service(desk: Desk) -> None:
    desk.dice.away = True
    await desk.made(desk.anna, "Brace", desk.hero)
    assert desk.dice.asked == []


@ON_BOTH
async def test_a_move_that_comes_to_nothing_is_void_and_holds_nobody_up(desk: Desk) -> None:
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    desk.dice.refusing = PeerRefused("dice", 422, "INVALID", "No such dice.")
    stand: dict[str, Any] = {"flinch": False, "seq": 1}
    for _ in range(2):
        answer = await desk.move(desk.gm, "Answer", "rival-1", key="k", **stand)
        assert isinstance(answer, MoveRejected)
        assert (answer.issues[0].code, answer.issues[0].message) == ("MOVE_VOID", "No such dice.")
    desk.dice.refusing = None
    assert [move.kind for move in await desk.moves(desk.gm)] == ["move", "void"]
    assert [move.kind for move in await desk.moves(desk.anna)] == ["move"]
    await desk.made(desk.gm, "Answer", "rival-1", **stand)
    assert desk.dice.asked[-1][1]["key"] == f"{desk.scene}:3"
    assert [move.seq for move in await desk.moves(desk.anna)] == [1, 2]


async def test_a_bot_plays_by_the_same_path(desk: Desk) -> None:
    assert isinstance(await desk.bot(desk.ben, desk.hero, 0), Forbidden)
    made = await desk.bot(desk.anna, desk.hero, 0)
    assert isinstance(made, Performed) and made.move.move is not None
    assert made.move.move["data"]["kind"] == "Strike"
    idle = await desk.bot(desk.gm, "gm", 1)
    assert isinstance(idle, MoveRejected) and idle.issues[0].code == "NOTHING_TO_DO"
    assert isinstance(await desk.bot(desk.gm, "rival-1", 0), VersionConflict)
    assert isinstance(await desk.bot(desk.gm, "rival-1", 1), Performed)
