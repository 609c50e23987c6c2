"""Campaigns, scenes and notes that are deleted, and what is left of them, on both databases."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from services.campaign.log.models import LogEntry
from services.campaign.log.service import LogService
from services.campaign.membership.deletion import Leftovers
from services.campaign.membership.models import Invitation
from services.campaign.membership.requests import CreateCampaign
from services.campaign.scenes.clock import Timekeeper
from services.campaign.scenes.feed import SceneFeed
from services.campaign.scenes.models import Scene
from services.campaign.tables import METADATA
from services.rules.engine.play import GM
from services.shared.access import Role
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.outbox import Event
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Problem,
    Unavailable,
    VersionConflict,
)
from services.shared.pruning import remove_step
from services.shared.settings import Settings
from services.shared.stream import POLL_SECONDS, Wakes
from tests.campaign.feuds import FEUD, RolledFeud, with_feud
from tests.campaign.outcomes import outcome
from tests.campaign.scene_desk import Desk, look_only_when_told, somebody

pytestmark = pytest.mark.databases("campaign")


SETUP_WITH_TIME: dict[str, Any] = {"title": "The Ford", "rivals": ["Sour Tam"], "patience": 600}
"""A setup whose questions lapse after so many seconds."""


@pytest.fixture
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    database = Database(settings.database_url("campaign"))
    made = Desk(database)
    await made.open()
    yield made
    await database.close()


async def remnants(desk: Desk, *ids: str) -> list[str]:
    """Return the tables in which something is kept under any of these ids, events and keys left out."""
    found = []
    async with desk.database.read() as session:
        for name, table in METADATA.tables.items():
            # Who was a member hears from the list of changes that it is gone.
            if name not in ("outbox", "idempotency", "past_member", "place_update"):
                rows = "\n".join(str(row) for row in await session.execute(select(table)))
                found += [name for each in ids if each in rows]
    return found


async def published(desk: Desk, kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Return topic and payload of the events of a kind."""
    return [(topic, payload) for known, topic, payload in await desk.events() if known == kind]


async def duel(desk: Desk) -> tuple[str, str]:
    """Begin a feud, and from it a duel, which is on the desk then; return their ids."""
    feud = (await desk.start(system=FEUD, setup="mill")).id
    return feud, (await desk.start(setup="rival")).id


# Campaigns


async def test_a_campaign_is_gone_with_all_that_belonged_to_it(desk: Desk) -> None:
    over = await desk.start()
    await desk.made(desk.gm, "Stop", GM)
    feud, begun = await duel(desk)
    await desk.strike([6, 6, 6], [1, 1, 1])
    assert isinstance(await desk.table.invite(desk.gm, desk.campaign), Invitation)
    other = await desk.campaigns.create(desk.anna, CreateCampaign("Elsewhere"))
    assert await desk.table.delete(desk.gm, desk.campaign, 1) == desk.campaign
    assert await remnants(desk, desk.campaign, over.id, feud, begun, desk.hero) == []
    for who in (desk.gm, desk.anna, desk.watcher):
        assert await desk.campaigns.campaigns(who, [desk.campaign]) == {}
    access = await desk.campaigns.access(desk.anna.account)
    assert (access.roles, access.characters) == ({other.id: Role.GM}, {})
    for who, role in ((desk.gm, Role.GM), (desk.anna, Role.PLAYER), (desk.watcher, Role.SPECTATOR)):
        assert (await desk.campaigns.access(who.account)).past == {desk.campaign: role}
    assert [entry.seq for entry in await desk.table.log.read(desk.anna, other.id)] == [1]
    ((topic, payload),) = await published(desk, "campaign.deleted")
    assert topic == f"campaign:{desk.campaign}"
    assert payload == {
        "campaign": desk.campaign,
        "scenes": [feud, begun],
        "characters": sorted([desk.hero, desk.other]),
    }


async def test_of_a_long_campaign_nothing_is_seen_at_once_and_all_goes_in_steps(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    feud, begun = await duel(desk)
    await desk.strike([6, 6, 6], [1, 1, 1])
    other = await desk.campaigns.create(desk.anna, CreateCampaign("Elsewhere"))
    monkeypatch.setattr(remove_step, "__kwdefaults__", {"limit": 1})
    assert await desk.table.delete(desk.gm, desk.campaign, 1) == desk.campaign
    assert set(await remnants(desk, desk.campaign, feud, begun)) >= {"campaign", "scene", "log_entry"}
    for who in (desk.gm, desk.anna, desk.watcher):
        assert await desk.campaigns.campaigns(who, [desk.campaign]) == {}
        assert desk.campaign not in (await desk.campaigns.access(who.account)).roles
        assert await desk.reader.scenes(who, [feud, begun]) == {}
        assert isinstance(await outcome(desk.table.log.read(who, desk.campaign)), NotFound)
    assert isinstance(await desk.table.delete(desk.gm, desk.campaign, 1), NotFound)
    # Each step is one unit of work, and whoever begins anew goes on with what is left.
    steps = 0
    while await Leftovers(desk.database).step():
        steps += 1
    assert steps > 3
    assert await remnants(desk, desk.campaign, feud, begun) == []
    assert list(await desk.campaigns.campaigns(desk.anna, [other.id])) == [other.id]
    assert len(await published(desk, "campaign.deleted")) == 1


async def test_it_is_deleted_by_a_gm_who_saw_it_as_it_is(desk: Desk) -> None:
    for who, refusal in ((desk.anna, Forbidden), (desk.watcher, Forbidden), (somebody(), NotFound)):
        assert isinstance(await desk.table.delete(who, desk.campaign, 1), refusal)
    await desk.table.edit(desk.gm, desk.campaign, 1, "The Old Yard")
    stale = await desk.table.delete(desk.gm, desk.campaign, 1)
    assert isinstance(stale, VersionConflict) and stale.current_version == 2
    assert await published(desk, "campaign.deleted") == []
    assert await desk.table.delete(desk.gm, desk.campaign, 2) == desk.campaign


async def test_a_request_that_is_repeated_is_answered_the_same(desk: Desk) -> None:
    scene = (await desk.start()).id
    note = await desk.table.note(desk.gm, desk.campaign, "Remember this.")
    assert isinstance(note, LogEntry)
    table = desk.table
    requests: list[tuple[Any, tuple[Any, ...], tuple[Any, ...], Any]] = [
        (table.delete_note, (desk.campaign, note.seq), (desk.campaign, 1), note.seq),
        (desk.delete, (scene,), (desk.campaign,), scene),
        (table.delete, (desk.campaign, 1), (desk.campaign, 2), desk.campaign),
    ]
    for delete, asked, other, answer in requests:
        assert await delete(desk.gm, *asked, f"key {answer}") == answer
        events = await desk.events()
        assert await delete(desk.gm, *asked, f"key {answer}") == answer
        assert isinstance(await delete(desk.gm, *other, f"key {answer}"), IdempotencyConflict)
        assert isinstance(await delete(desk.gm, *asked), NotFound)
        assert await desk.events() == events


async def test_feeds_of_a_campaign_end_with_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    look_only_when_told(monkeypatch)
    wakes = Wakes()
    desk.database.after_commit.append(wakes.wake_topics)
    await desk.start()
    log = LogService(desk.database, system_clock, wakes).follow(desk.anna, desk.campaign, after=2)
    moves = SceneFeed(desk.reader, wakes).follow(desk.anna, desk.scene)
    waiting = [asyncio.create_task(outcome(anext(feed))) for feed in (log, moves)]
    await asyncio.sleep(0)
    await desk.table.delete(desk.gm, desk.campaign, 1)
    async with asyncio.timeout(60):
        assert [type(await each) for each in waiting] == [NotFound, NotFound]


async def test_what_other_services_tell_of_it_afterwards_is_passed_over(desk: Desk) -> None:
    await desk.table.delete(desk.gm, desk.campaign, 1)
    late = {"id": "rol_x", "text": "2d6 = 7", "account": desk.gm.account, "campaign": desk.campaign}
    async with desk.database.write() as session:
        await desk.table.log.record(session, Event("roll.recorded", "t", late))
        gone = {"id": desk.hero, "owner": desk.anna.account, "name": "Anna"}
        await desk.table.seats.record(session, Event("character.deleted", "t", gone))
    assert await remnants(desk, desk.campaign) == []


async def test_whoever_writes_while_it_is_deleted_is_before_or_behind_that(desk: Desk) -> None:
    """Nothing is left half done, and nobody waits for another who waits for them."""
    await desk.start()
    made = await desk.table.invite(desk.gm, desk.campaign, uses=9)
    assert isinstance(made, Invitation)
    newcomers = [somebody() for _ in range(3)]
    heroes = [desk.characters.add(desk.anna, name) for name in ("Nora", "Tam")]
    others = [
        *(desk.table.note(desk.ben, desk.campaign, f"note {n}") for n in range(4)),
        *(desk.table.join(each, made.code) for each in newcomers),
        *(desk.table.seat(desk.anna, desk.campaign, hero) for hero in heroes),
        desk.table.unseat(desk.ben, desk.campaign, desk.other),
        desk.table.invite(desk.gm, desk.campaign),
        desk.table.edit(desk.gm, desk.campaign, 1, "The Old Yard"),
        desk.begin(desk.gm),
        desk.move(desk.anna, "Brace", desk.hero, seq=0),
        desk.delete(desk.gm, desk.scene),
    ]
    *found, deleted = await asyncio.gather(*others, desk.table.delete(desk.gm, desk.campaign, 1))
    refused = [each for each in found if isinstance(each, Problem)]
    if isinstance(deleted, VersionConflict):
        assert await desk.table.delete(desk.gm, desk.campaign, 2) == desk.campaign
    else:
        assert deleted == desk.campaign
        assert {type(each) for each in refused} <= {NotFound}
    assert await remnants(desk, desk.campaign, desk.scene) == []


# Notes


async def test_a_note_loses_its_words_and_its_author_and_keeps_its_number(desk: Desk) -> None:
    note = await desk.table.note(desk.anna, desk.campaign, "The innkeeper lies.")
    last = await desk.table.note(desk.gm, desk.campaign, "Remember this.")
    assert isinstance(note, LogEntry) and isinstance(last, LogEntry)
    assert await desk.table.delete_note(desk.anna, desk.campaign, note.seq) == note.seq
    entries = await desk.log()
    assert [entry.seq for entry in entries] == list(range(1, last.seq + 2))
    gone, told = entries[note.seq - 1], entries[-1]
    assert (gone.kind, gone.text, gone.account) == ("note.gone", "This note was deleted.", None)
    assert (told.kind, told.account, told.subject) == ("note.deleted", desk.anna.account, str(note.seq))
    assert await remnants(desk, "innkeeper") == []
    assert isinstance(await desk.table.delete_note(desk.gm, desk.campaign, note.seq), NotFound)


async def test_a_note_is_its_authors_and_the_gms_to_delete(desk: Desk) -> None:
    notes = [
        await desk.table.note(who, desk.campaign, "So be it.") for who in (desk.gm, desk.anna, desk.anna)
    ]
    ours, hers, other = (note.seq for note in notes if isinstance(note, LogEntry))
    for who, seq in ((desk.anna, ours), (desk.ben, hers), (desk.watcher, hers)):
        assert isinstance(await desk.table.delete_note(who, desk.campaign, seq), Forbidden)
    assert isinstance(await desk.table.delete_note(somebody(), desk.campaign, hers), NotFound)
    assert await desk.table.delete_note(desk.gm, desk.campaign, hers) == hers
    await desk.table.change_role(desk.gm, desk.campaign, desk.anna.account, Role.SPECTATOR)
    assert await desk.table.delete_note(desk.anna, desk.campaign, other) == other


@pytest.mark.parametrize(
    ("seq", "refusal"), [(1, "NOT_A_NOTE"), (0, "OUT_OF_RANGE"), (2**31, "OUT_OF_RANGE")]
)
async def test_nothing_else_of_the_log_is_deleted(desk: Desk, seq: int, refusal: str) -> None:
    refused = await desk.table.delete_note(desk.gm, desk.campaign, seq)
    assert isinstance(refused, InvalidInput)
    assert [(issue.code, issue.path) for issue in refused.issues] == [(refusal, ["seq"])]
    assert isinstance(await desk.table.delete_note(desk.gm, desk.campaign, 999), NotFound)


async def test_a_note_that_was_deleted_is_not_written_again_under_its_key(desk: Desk) -> None:
    note = await desk.table.note(desk.gm, desk.campaign, "Once.", "key-1")
    assert isinstance(note, LogEntry)
    await desk.table.delete_note(desk.gm, desk.campaign, note.seq)
    again = await desk.table.note(desk.gm, desk.campaign, "Once.", "key-1")
    assert isinstance(again, NotFound) and again.path == ["idempotencyKey"]


async def test_two_who_delete_a_note_at_once_delete_it_once(desk: Desk) -> None:
    note = await desk.table.note(desk.anna, desk.campaign, "Once.")
    assert isinstance(note, LogEntry)
    outcomes = await asyncio.gather(
        *(desk.table.delete_note(who, desk.campaign, note.seq) for who in (desk.anna, desk.gm, desk.anna))
    )
    assert [each for each in outcomes if not isinstance(each, NotFound)] == [note.seq]
    assert [entry.kind for entry in await desk.log()].count("note.deleted") == 1


# Scenes


@pytest.mark.parametrize("over", [False, True])
async def test_a_scene_is_gone_with_its_moves(desk: Desk, over: bool) -> None:
    scene = await desk.start(title="At the ford")
    await desk.made(desk.anna, "Brace", desk.hero)
    if over:
        await desk.made(desk.gm, "Stop", GM)
    other = (await desk.start()).id
    assert await desk.delete(desk.gm, scene.id) == scene.id
    assert await desk.reader.scenes(desk.gm, [scene.id]) == {}
    async with desk.database.read() as session:
        moves = METADATA.tables["scene_move"]
        assert (await session.execute(select(moves).where(moves.c.scene == scene.id))).all() == []
    assert list(await desk.reader.scenes(desk.gm, [other])) == [other]
    entry = (await desk.log())[-1]
    assert (entry.kind, entry.text) == ("scene.deleted", "At the ford is deleted.")
    assert (entry.account, entry.subject) == (desk.gm.account, scene.id)
    assert await published(desk, "scene.deleted") == [
        (
            f"scene:{scene.id}",
            {
                "scene": scene.id,
                "campaign": desk.campaign,
                "map": None,
                "characters": [desk.hero, desk.other],
            },
        )
    ]


@pytest.mark.parametrize("over", [False, True])
async def test_of_a_long_scene_nothing_is_seen_at_once_and_its_moves_go_in_steps(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, over: bool
) -> None:
    other = (await desk.start(title="Elsewhere")).id
    scene = (await desk.start(title="At the ford", setup=SETUP_WITH_TIME)).id
    await desk.made(desk.anna, "Strike", desk.hero, target="rival-1")
    if over:
        await desk.made(desk.gm, "Answer", "rival-1", flinch=False)
        await desk.made(desk.gm, "Stop", GM)
    monkeypatch.setattr(remove_step, "__kwdefaults__", {"limit": 1})
    key = "once"
    assert await desk.delete(desk.gm, scene, key) == scene
    assert await desk.row() is not None
    for who in (desk.gm, desk.anna, desk.watcher):
        assert await desk.reader.scenes(who, [scene]) == {}
    assert isinstance(await desk.move(desk.gm, "Stop", GM, seq=1), NotFound)
    assert isinstance(await desk.delete(desk.gm, scene), NotFound)
    assert await desk.delete(desk.gm, scene, key) == scene
    # Its clock has stopped, and nobody gets to see the campaign that its rest belongs to.
    desk.clock.ahead += timedelta(days=1)
    assert await Timekeeper(desk.database, desk.clock, desk.moving, desk.systems).round() == POLL_SECONDS
    assert list((await desk.campaigns.access(desk.gm.account)).roles) == [desk.campaign]
    steps = 0
    while await Leftovers(desk.database).step():
        steps += 1
    assert steps > 1
    async with desk.database.read() as session:
        for name, column in (("scene_move", "scene"), ("scene", "id")):
            table = METADATA.tables[name]
            assert (await session.execute(select(table).where(table.c[column] == scene))).all() == []
        campaigns = METADATA.tables["campaign"]
        assert (await session.execute(select(campaigns.c.id))).scalars().all() == [desk.campaign]
    assert list(await desk.reader.scenes(desk.gm, [other])) == [other]
    assert len(await published(desk, "scene.deleted")) == 1


async def test_a_scene_is_the_gms_to_delete(desk: Desk) -> None:
    scene = (await desk.start()).id
    for who, refusal in ((desk.anna, Forbidden), (desk.watcher, Forbidden), (somebody(), NotFound)):
        assert isinstance(await desk.delete(who, scene), refusal)
    for unknown in ("scn_00000000000000000000000000", desk.campaign, ""):
        assert isinstance(await desk.delete(desk.gm, unknown), NotFound)
    assert await desk.delete(desk.gm, scene) == scene


async def test_who_follows_or_plays_a_scene_that_is_deleted_is_told_that_there_is_none(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_only_when_told(monkeypatch)
    wakes = Wakes()
    desk.database.after_commit.append(wakes.wake_topics)
    await desk.start()
    waiting = asyncio.create_task(outcome(anext(SceneFeed(desk.reader, wakes).follow(desk.anna, desk.scene))))
    await asyncio.sleep(0)
    desk.dice.away = True
    assert isinstance(await desk.move(desk.gm, "Listen", GM, who=desk.hero, seq=0), Unavailable | Problem)
    await desk.delete(desk.gm, desk.scene)
    async with asyncio.timeout(60):
        assert isinstance(await waiting, NotFound)
    assert isinstance(await desk.move(desk.anna, "Brace", desk.hero, seq=0), NotFound)
    keeper = Timekeeper(desk.database, desk.clock, desk.moving, desk.systems)
    assert await keeper.round() == POLL_SECONDS


async def test_what_a_running_scene_was_begun_from_takes_back_what_it_heard(desk: Desk) -> None:
    feud, begun = await duel(desk)
    await desk.strike([6, 6, 6], [1, 1, 1])
    assert await desk.delete(desk.gm, begun) == begun
    desk.scene = feud
    row = await desk.row()
    assert (row.state["data"]["hits"], row.state["data"]["met"], row.inbox) == (0, False, [])
    assert row.state_hash == (await desk.reader.at(await desk.look(desk.gm), 0)).hash  # type: ignore[union-attr]
    assert list((await desk.look(desk.gm)).openings) == ["rival"]
    look = await desk.look(desk.gm)
    moments = [await desk.reader.at(look, seq) for seq in range(look.row.seq + 1)]
    assert all(moment is not None and moment.faithful for moment in moments)


async def test_of_a_scene_that_is_over_what_was_heard_stays(desk: Desk) -> None:
    feud, begun = await duel(desk)
    await desk.strike([6, 6, 6], [1, 1, 1])
    await desk.made(desk.gm, "Stop", GM)
    await desk.delete(desk.gm, begun)
    desk.scene = feud
    assert (await desk.row()).state["data"]["hits"] == 1


async def test_what_lies_in_an_inbox_of_a_scene_that_never_was_is_not_heard(desk: Desk) -> None:
    feud, begun = await duel(desk)
    desk.scene = feud
    await desk.made(desk.gm, "Settle", GM)
    desk.scene = begun
    await desk.strike([6, 6, 6], [1, 1, 1])
    await desk.delete(desk.gm, begun)
    desk.scene = feud
    row = await desk.row()
    assert (row.inbox, row.waiting, row.state["data"]["met"]) == ([], None, False)


async def test_dice_of_what_it_was_begun_from_come_first(desk: Desk) -> None:
    desk.play(with_feud(RolledFeud()))
    feud, begun = await duel(desk)
    desk.scene, desk.dice.away = feud, True
    assert isinstance(await desk.move(desk.gm, "Settle", GM), Unavailable)
    assert isinstance(await desk.delete(desk.gm, begun), Unavailable)
    assert list(await desk.reader.scenes(desk.gm, [begun])) == [begun]
    desk.dice.away = False
    assert await desk.delete(desk.gm, begun) == begun
    row = await desk.row()
    assert row.pending is None and row.state["data"]["met"] is False


async def test_a_scene_stays_while_one_runs_that_was_begun_from_it(desk: Desk) -> None:
    feud, begun = await duel(desk)
    refused = await desk.delete(desk.gm, feud)
    assert isinstance(refused, InvalidInput)
    assert [(issue.code, issue.path, issue.found) for issue in refused.issues] == [
        ("SCENE_IN_USE", ["id"], begun)
    ]
    await desk.made(desk.gm, "Stop", GM)
    assert await desk.delete(desk.gm, feud) == feud
    row: Scene = await desk.row()
    assert (row.id, row.begun_from) == (begun, None)
    assert await desk.reader.campaign(desk.gm, desk.campaign, "duel") is None


async def test_a_scene_can_be_deleted_whose_game_is_gone(desk: Desk) -> None:
    _, begun = await duel(desk)
    desk.play({})
    assert await desk.delete(desk.gm, begun) == begun


async def test_scenes_are_set_on_no_map_once_theirs_is_deleted(desk: Desk) -> None:
    gone, kept = new_id("map"), new_id("map")
    ids = [(await desk.start()).id for _ in range(3)]
    async with desk.database.write() as session:
        for scene, map_id in zip(ids, (gone, gone, kept), strict=True):
            row = await session.get(Scene, scene)
            assert row is not None
            row.map = map_id
    for _ in range(2):
        async with desk.database.write() as session:
            told = Event("map.deleted", f"map:{gone}", {"map": gone, "campaign": None})
            await desk.deleting.record(session, told)
    looks = await desk.reader.scenes(desk.gm, ids)
    assert [looks[scene].row.map for scene in ids] == [None, None, kept]
