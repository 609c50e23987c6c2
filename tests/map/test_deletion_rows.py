"""Rows of maps, batches and jobs that are deleted or handed on, on both databases: usage is exact after each
step, what is told twice does no harm, and whoever comes late adds nothing."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from services.map import cancelling
from services.map.charging import Charging
from services.map.deletion import repository
from services.map.deletion.batches import BatchLeftovers
from services.map.deletion.service import Deletion
from services.map.erasure import Erasure
from services.map.keeping import keep_map
from services.map.leading import Leading
from services.map.models import JOBS, METADATA, BatchPart, MapEdit, MapFile, MapRow, MapUsage, SceneBoard
from services.map.play.state import (
    STATE_CODEC,
    Extent,
    MapState,
    Spot,
    Token,
    scene_thing_id,
    to_bytes,
)
from services.map.quotas import Quotas
from services.map.repository import BOOK, PARTS
from services.map.requests import CancelJob, DeleteMap, DeleteMapBatch, KeepMap
from services.map.service import MapService
from services.map.work import BATCH, MAP_TASK, PART_TASK, MadeFile, MadeMap, MadePart, MapWork
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.job_parts import Part
from services.shared.jobs import Job, JobState, LostLease
from services.shared.limits.bucket import Bucket
from services.shared.limits.meter import Meter
from services.shared.limits.purses import background_purse
from services.shared.outbox import Event
from services.shared.policy import Policy, Seat
from services.shared.problems import Forbidden, NotFound
from services.shared.pruning import prune_expired, remove_step
from services.shared.valkey import connect
from tests.character.desk import refusal, somebody
from tests.databases import Databases
from tests.inside import Campaigns
from tests.steps import in_steps

NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
PURSE = background_purse(1_000, 0.001)
GENEROUS = Quotas(jobs=10_000, batches=10_000, maps=10_000, bytes=2**40)


@dataclass
class Store:
    """A map database, and all that adds to it or deletes from it, without any worker or broker."""

    database: Database
    bucket: Bucket
    campaigns: Campaigns = field(default_factory=Campaigns)
    told: int = 0

    @property
    def meter(self) -> Meter:
        """What is charged for batches."""
        return Meter(self.bucket, PURSE)

    @property
    def work(self) -> MapWork:
        return MapWork(self.database, lambda: NOW, GENEROUS)

    @property
    def deletion(self) -> Deletion:
        policy = Policy(self.campaigns)
        return Deletion(self.database, lambda: NOW, policy, Charging(self.meter), self.meter)

    def seat(self, campaign: str, **members: Viewer) -> None:
        """Make accounts members of a campaign, by their roles."""
        for role, viewer in members.items():
            self.campaigns.roles.setdefault(viewer.account, {})[campaign] = Role(role)

    # What is there

    async def job(self, owner: Viewer, campaign: str | None = None) -> Job:
        """Begin to make a map."""
        async with self.database.write() as session:
            asked = {"owner": owner.account, "campaign": campaign, "moment": NOW}
            job = await BOOK.add(session, new_id("job"), MAP_TASK, {}, **asked)
        begun = await self.work.begin(job.id)
        assert begun is not None
        return begun

    async def end(self, job: Job, size: int = 1) -> str:
        """End a job with a map of so many bytes and a file of as many."""
        made = MadeMap("dungeon", "A cave", "7", "é" * size, 1, [], [], 1)
        file = MadeFile("map.svg", f"maps/{job.id}/map.svg", "image/svg+xml", b"x" * size)
        result = (await self.work.complete(job, made, [file])).result
        assert result is not None
        return str(result["map"])

    async def map(self, owner: Viewer, campaign: str | None = None, size: int = 1) -> str:
        """Make a map: 3 * size bytes."""
        return await self.end(await self.job(owner, campaign), size)

    async def kept(self, owner: Viewer, campaign: str | None = None, size: int = 1) -> str:
        """Keep a map with a picture beside it: 3 * size bytes."""
        known: dict[str, Any] = {"kind": "dungeon", "name": "A cave", "seed": "7", "params": "{}"}
        known |= {"gates": "[]", "generator_version": 1, "attempts": 1, "created_at": NOW}
        known |= {"owner": owner.account, "campaign": campaign, "sharing": "open"}
        row = MapRow(id=new_id("map"), model="é" * size, **known)
        role = None if campaign is None else Role.GM
        seat = Seat(owner.account, campaign, role)
        asked = KeepMap(new_id("job"), 0, campaign)
        await keep_map(self.database, GENEROUS, owner, seat, row, asked, None, beside=size)
        return row.id

    async def batch(self, owner: Viewer, *sizes: int, campaign: str | None = None, parts: int = 3) -> str:
        """Order a batch of so many parts, as many of which are made as there are sizes."""
        ordered = [Part(new_id("job"), PART_TASK, {}, 10) for _ in range(parts)]
        async with self.database.write() as session:
            asked = {"owner": owner.account, "campaign": campaign, "moment": NOW}
            batch = await PARTS.add(session, new_id("job"), BATCH, {}, ordered, points=30, **asked)
        for part, size in zip(ordered, sizes, strict=False):
            await self.end_part(await self.begun(part.id), size)
        return batch.id

    async def begun(self, part: str) -> Job:
        """Begin a part."""
        job = await self.work.begin(part)
        assert job is not None
        return job

    async def end_part(self, job: Job, size: int = 1) -> None:
        """End a part with so many bytes."""
        key = f"batches/{job.whole}/{job.id}/1.zip"
        await self.work.complete_part(job, MadePart(0, [{"number": 0}], key, b"x" * size))

    async def tell(self, kind: str, **payload: Any) -> None:
        """Handle an event of the campaign service."""
        self.told += 1
        event = Event(kind, "x", payload, self.told)
        handlers = {**Leading(lambda: NOW).handlers, **Erasure(lambda: NOW, self.meter).handlers}
        await in_steps(self.database, handlers[kind], event)

    async def erase(self, account: Viewer, waiting: Sequence[str] = (), **heirs: Viewer) -> None:
        """Tell that an account was erased, who follows it in which campaigns, and which wait for somebody."""
        named = {campaign: heir.account for campaign, heir in heirs.items()}
        await self.tell("account.erased", account=account.account, heirs=named, waiting=list(waiting))

    # What is asked

    async def left(self, owner: Viewer) -> int:
        """Read how many points an account has left for batches."""
        return (await self.bucket.charge(*PURSE.draws(owner.account, None, 0))).remaining

    async def usage(self, owner: Viewer) -> tuple[int, int]:
        """Read how many maps an account has, and bytes."""
        async with self.database.read() as session:
            row = await session.get(MapUsage, owner.account)
        return (0, 0) if row is None else (row.maps, row.bytes)

    async def count(self, *tables: str) -> dict[str, int]:
        """Count the rows of tables."""
        async with self.database.read() as session:
            found = {}
            for name in tables:
                query = select(func.count()).select_from(METADATA.tables[name])
                found[name] = int((await session.execute(query)).scalar_one())
        return found

    async def rows(self, *columns: Any) -> list[Any]:
        """Read rows, in order."""
        async with self.database.read() as session:
            return [tuple(row) for row in await session.execute(select(*columns).order_by(columns[0]))]

    async def facts(self, kind: str) -> list[str]:
        """Read the payloads of published events of a kind, in order."""
        outbox = METADATA.tables["outbox"]
        async with self.database.read() as session:
            query = select(outbox.c.topic).where(outbox.c.kind == kind).order_by(outbox.c.id)
            return [*(await session.execute(query)).scalars()]

    async def adorn(self, map_id: str, scene: str | None = None) -> None:
        """Let a map have been played on, and a scene have led it; one that is named still does."""
        async with self.database.write() as session:
            edit = {"sort": "put_token", "changes": "[]", "made_at": NOW, "account": "acc_a"}
            session.add(MapEdit(map=map_id, version=2, **edit))
            session.add(SceneBoard(scene=scene or new_id("scn"), map=map_id, number=1))
            row = await session.get(MapRow, map_id)
            assert row is not None
            row.scene = scene

    async def empty(self) -> None:
        """Forget everything."""
        async with self.database.write() as session:
            for table in reversed(METADATA.sorted_tables):
                await session.execute(table.delete())


ALL = ("map", "map_edit", "map_file", "scene_board", "job", "job_change", "batch_part")
NOTHING = dict.fromkeys(ALL, 0)


@pytest.fixture
def address(databases: Databases) -> Iterator[str]:
    url = databases.take("map")
    yield url
    databases.give_back("map", url)


@pytest.fixture
async def store(address: str, valkey_url: str) -> AsyncIterator[Store]:
    database, redis = Database(address), connect(valkey_url)
    yield Store(database, Bucket(redis))
    await database.close()
    await redis.aclose()


# Maps


async def test_a_deleted_map_leaves_no_row_and_is_told_once(store: Store) -> None:
    owner = somebody()
    kept, gone = await store.map(owner, size=5), await store.map(owner, size=7)
    await store.adorn(gone)
    assert await store.usage(owner) == (2, 36)
    assert await store.deletion.map(owner, DeleteMap(gone), "key") == gone
    assert await store.usage(owner) == (1, 15)
    assert await store.rows(MapRow.id) == [(kept,)] == await store.rows(MapFile.map)
    assert await store.count("map_edit", "scene_board") == {"map_edit": 0, "scene_board": 0}
    # The same request has the same answer for a day; another one finds nothing.
    assert await store.deletion.map(owner, DeleteMap(gone), "key") == gone
    assert isinstance(await refusal(store.deletion.map(owner, DeleteMap(gone), "other")), NotFound)
    assert await store.usage(owner) == (1, 15)
    assert await store.facts("map.deleted") == [f"map:{gone}"]


async def test_a_map_is_deleted_once_however_many_delete_it_at_once(store: Store) -> None:
    owner = somebody()
    maps = [await store.map(owner) for _ in range(3)]
    asked = [store.deletion.map(owner, DeleteMap(one), None) for one in maps for _ in range(4)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert sorted(one for one in answers if isinstance(one, str)) == sorted(maps)
    assert all(isinstance(one, str | NotFound) for one in answers)
    assert await store.usage(owner) == (0, 0)


async def test_who_may_delete_what(store: Store) -> None:
    gm, player, spectator, outsider, campaign = *(somebody() for _ in range(4)), new_id("cmp")
    store.seat(campaign, gm=gm, player=player, spectator=spectator)
    for viewer, refused in ((outsider, NotFound), (spectator, Forbidden), (player, Forbidden)):
        map_id, batch = await store.map(gm, campaign), await store.batch(gm, campaign=campaign)
        for asked in (
            store.deletion.map(viewer, DeleteMap(map_id), None),
            store.deletion.batch(viewer, DeleteMapBatch(batch), None),
        ):
            assert type(await refusal(asked)) is refused
    for viewer in (gm, player):
        map_id, batch = await store.map(player, campaign), await store.batch(player, campaign=campaign)
        assert await store.deletion.map(viewer, DeleteMap(map_id), None) == map_id
        assert await store.deletion.batch(viewer, DeleteMapBatch(batch), None) == batch
    alone = await store.map(player)
    assert isinstance(await refusal(store.deletion.map(gm, DeleteMap(alone), None)), NotFound)
    for name in ("map_x", new_id("map"), new_id("job")):
        assert isinstance(await refusal(store.deletion.map(gm, DeleteMap(name), None)), NotFound)
        assert isinstance(await refusal(store.deletion.batch(gm, DeleteMapBatch(name), None)), NotFound)
    single = (await store.job(gm)).id
    assert isinstance(await refusal(store.deletion.batch(gm, DeleteMapBatch(single), None)), NotFound)


# Batches


async def test_a_deleted_batch_ends_and_gives_back_what_was_not_begun(store: Store) -> None:
    owner = somebody()
    batch = await store.batch(owner, 40, parts=4)
    other = await store.batch(owner, 5)
    parts = await _parts(store, batch)
    running = await store.begun(next(part.id for part in parts if not part.state.ended))
    kept = await store.kept(owner)
    await store.meter.charge(owner, 100)
    left = await store.left(owner)
    assert await store.deletion.batch(owner, DeleteMapBatch(batch), "key") == batch
    assert await store.left(owner) == left + 20
    assert await store.usage(owner) == (1, 8)
    assert await store.rows(MapRow.id) == [(kept,)]
    assert [row for (row,) in await store.rows(BatchPart.batch)] == [other]
    assert (await store.count("job"))["job"] == 4  # the other one with its parts
    changes = METADATA.tables["job_change"]
    assert not {*(part.id for part in parts), batch} & {job for (job,) in await store.rows(changes.c.job)}
    # The worker that is at a part of it comes too late, whatever it has to say.
    late = MadePart(0, [], "batches/x/y/1.zip", b"x")
    for call in (
        store.work.complete_part(running, late),
        store.work.fail(running, "X", "x"),
        store.work.advance(running, 0.5),
        store.work.look(running),
    ):
        with pytest.raises(LostLease):
            await call
    assert await store.work.begin(running.id) is None
    assert await store.usage(owner) == (1, 8)
    # The same request once more pays nothing back.
    assert await store.deletion.batch(owner, DeleteMapBatch(batch), "key") == batch
    assert await store.left(owner) == left + 20
    assert await store.facts("job.deleted") == [f"job:{batch}"]


@pytest.mark.parametrize("erased", [False, True])
async def test_of_a_long_batch_nothing_is_seen_at_once_and_all_goes_in_steps(
    store: Store, monkeypatch: pytest.MonkeyPatch, erased: bool
) -> None:
    monkeypatch.setattr(repository, "STEP", 2)
    monkeypatch.setattr(remove_step, "__kwdefaults__", {"limit": 2})
    owner, other = somebody(), somebody()
    batch = await store.batch(owner, 40, 50, 60, parts=9)
    theirs = await store.batch(other, 5)
    running = await store.begun(next(part.id for part in await _parts(store, batch) if not part.state.ended))
    await store.meter.charge(owner, 100)
    left = await store.left(owner)
    assert await store.deletion.batch(owner, DeleteMapBatch(batch), "key") == batch
    assert (await store.count("job"))["job"] > 4 + 2
    assert isinstance(await refusal(store.deletion.batch(owner, DeleteMapBatch(batch), None)), NotFound)
    assert await store.deletion.batch(owner, DeleteMapBatch(batch), "key") == batch
    if erased:
        await store.erase(owner)
    # Each step is one unit of work, and whoever begins anew goes on with what is left.
    steps = 0
    while await BatchLeftovers(store.database, lambda: NOW, store.meter).step():
        steps += 1
    assert steps > (0 if erased else 3)
    assert (await store.count("job", "batch_part")) == {"job": 4, "batch_part": 1}
    assert [row for (row,) in await store.rows(BatchPart.batch)] == [theirs]
    assert await store.usage(owner) == (0, 0) and await store.usage(other) == (0, 5)
    with pytest.raises(LostLease):
        await store.end_part(running)
    if not erased:
        # Nine parts: three were made, one was begun.
        assert await store.left(owner) == left + 50
    assert await store.facts("job.deleted") == [f"job:{batch}"]


async def test_a_batch_that_has_ended_is_deleted_long_after_its_parts_are_forgotten(store: Store) -> None:
    owner = somebody()
    batch = await store.batch(owner, 5, 6, 7)
    async with store.database.write() as session:
        jobs = METADATA.tables["job"]
        assert await prune_expired(session, jobs, NOW + timedelta(days=31)) == 3
    assert (await store.count("job", "batch_part")) == {"job": 1, "batch_part": 3}
    await store.deletion.batch(owner, DeleteMapBatch(batch), None)
    assert await store.usage(owner) == (0, 0) and await store.count(*ALL) == NOTHING


async def test_parts_that_end_while_their_batch_is_deleted_leave_nothing(store: Store) -> None:
    owner = somebody()
    for _ in range(5):
        batch = await store.batch(owner, parts=4)
        begun = [await store.begun(part.id) for part in await _parts(store, batch)]
        ends = [store.end_part(part, 3) for part in begun]
        deleting = store.deletion.batch(owner, DeleteMapBatch(batch), None)
        *ended, gone = await asyncio.gather(*ends, deleting, return_exceptions=True)
        assert gone == batch and all(one is None or isinstance(one, LostLease) for one in ended), ended
        assert await store.usage(owner) == (0, 0) and await store.count(*ALL) == NOTHING


async def _parts(store: Store, batch: str) -> list[Job]:
    async with store.database.read() as session:
        return await PARTS.parts(session, batch)


# Scenes and campaigns


async def test_a_deleted_scene_frees_its_map_alone(store: Store) -> None:
    owner, scene, other = somebody(), new_id("scn"), new_id("scn")
    led, others = await store.map(owner), await store.map(owner)
    await store.adorn(led, scene)
    await store.adorn(others, other)
    refused = await refusal(store.deletion.map(owner, DeleteMap(led), None))
    assert refused.issues[0].code == "MAP_IN_USE" and refused.issues[0].found == scene  # type: ignore[attr-defined]
    for _ in range(2):
        await store.tell("scene.deleted", scene=scene, campaign=new_id("cmp"), map=led, characters=[])
        assert dict(await store.rows(MapRow.id, MapRow.scene)) == {led: None, others: other}
    assert await store.facts("map.edited") == [f"map:{led}"]
    # What the scene told last is told once more: it leads nothing any more.
    await store.tell("scene.board", scene=scene, map=led, number=1, leading=True, site=None)
    assert dict(await store.rows(MapRow.id, MapRow.scene))[led] is None
    assert await store.deletion.map(owner, DeleteMap(led), None) == led


async def test_a_deleted_scene_hands_back_the_tokens_that_it_found(store: Store) -> None:
    owner, scene = somebody(), new_id("scn")
    led = await store.map(owner)
    found = Token("thg_a", "Mara", Spot(1, 1), scene=scene, actor="orc-1", side="foes", on_turn=True)
    made = Token(scene_thing_id(scene, "orc-2"), "Snag", Spot(2, 1), scene=scene, actor="orc-2", on_turn=True)
    async with store.database.write() as session:
        row = await session.get(MapRow, led)
        assert row is not None
        row.scene = scene
        row.state = to_bytes(
            MapState(
                Extent(7, 5, cells=True), tokens=tuple(sorted((found, made), key=lambda token: token.id))
            )
        ).decode()
    for _ in range(2):
        await store.tell("scene.deleted", scene=scene, campaign=new_id("cmp"), map=led, characters=[])
        ((leader, written),) = await store.rows(MapRow.scene, MapRow.state)
        assert leader is None and written is not None
        tokens = {token.id: token for token in STATE_CODEC.load(orjson.loads(written)).tokens}
        assert tokens["thg_a"] == Token("thg_a", "Mara", Spot(1, 1))
        assert not tokens[made.id].on_turn
    assert await store.facts("map.edited") == [f"map:{led}"]


async def test_what_a_deleted_campaign_had_is_its_owners_alone(store: Store) -> None:
    gm, player, gone, lives, scene = somebody(), somebody(), new_id("cmp"), new_id("cmp"), new_id("scn")
    for campaign in (gone, lives):
        store.seat(campaign, gm=gm, player=player)
    mine, theirs = await store.map(gm, gone), await store.kept(player, gone)
    stays, own = await store.map(gm, lives), await store.map(gm)
    batch, running = await store.batch(gm, 4, campaign=gone), await store.job(player, gone)
    await store.adorn(own, scene)
    before = [await store.usage(viewer) for viewer in (gm, player)]
    for _ in range(2):
        await store.tell("campaign.deleted", campaign=gone, members=[], scenes=[scene], characters=[])
    assert [await store.usage(viewer) for viewer in (gm, player)] == before
    found = await store.rows(MapRow.id, MapRow.campaign, MapRow.scene)
    now = {mine: (None, None), theirs: (None, None), stays: (lives, None), own: (None, None)}
    assert found == sorted((one, *where) for one, where in now.items())
    # A map that is made for it while it goes is its owner's alone, too.
    late = await store.end(running)
    assert dict(await store.rows(MapRow.id, MapRow.campaign))[late] is None
    assert isinstance(await refusal(store.deletion.map(gm, DeleteMap(late), None)), NotFound)
    assert await store.deletion.map(player, DeleteMap(late), None) == late
    assert isinstance(await refusal(store.deletion.batch(player, DeleteMapBatch(batch), None)), NotFound)
    assert await store.deletion.batch(gm, DeleteMapBatch(batch), None) == batch


# Accounts


async def test_what_a_member_has_ordered_ends_with_their_right_to_write(store: Store) -> None:
    gone, other, campaign = somebody(), somebody(), new_id("cmp")
    store.seat(campaign, gm=other, player=gone)
    made = await store.map(gone, campaign)
    running, own = await store.job(gone, campaign), await store.job(gone)
    batch, others = await store.batch(gone, 9, campaign=campaign), await store.job(other, campaign)
    await store.meter.charge(gone, 100)
    left = await store.left(gone)
    for _ in range(2):
        await store.tell("member.barred", campaign=campaign, account=gone.account)
    # Two of its three parts were not begun; what is told twice is given back once.
    assert await store.left(gone) == left + 20
    states = dict(await store.rows(JOBS.c.id, JOBS.c.state))
    assert states[running.id] == states[batch] == JobState.CANCELLED
    assert states[own.id] == states[others.id] == JobState.RUNNING
    with pytest.raises(LostLease):
        await store.end(running)
    assert await store.rows(MapRow.id, MapRow.owner) == [(made, gone.account)]


async def test_maps_of_a_campaign_without_gm_wait_for_the_next_one(store: Store) -> None:
    gone, heir, waits, ends = somebody(), somebody(), new_id("cmp"), new_id("cmp")
    for campaign in (waits, ends):
        store.seat(campaign, gm=gone, player=heir)
    kept, doomed, _own = (
        await store.map(gone, waits, 5),
        await store.map(gone, ends, 6),
        await store.map(gone),
    )
    for _ in range(2):
        await store.erase(gone, [waits, ends])
        assert await store.rows(MapRow.id, MapRow.owner) == sorted(
            [(kept, gone.account), (doomed, gone.account)]
        )
    assert await store.usage(gone) == (0, 0)
    await store.tell("campaign.deleted", campaign=ends, scenes=[], characters=[])
    await store.erase(gone, [waits])
    assert await store.rows(MapRow.id, MapRow.owner) == [(kept, gone.account)]
    await store.erase(gone, **{waits: heir})
    assert await store.rows(MapRow.id, MapRow.owner) == [(kept, heir.account)]
    assert await store.usage(heir) == (1, 15)


async def test_what_an_erased_account_had_goes_or_is_handed_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "STEP", 2)
    gone, heir, other, lives = somebody(), somebody(), somebody(), new_id("cmp")
    store.seat(lives, gm=heir, player=gone)
    shared = [await store.map(gone, lives, 5), await store.kept(gone, lives, 6)]
    own = [await store.map(gone, size=3) for _ in range(5)]
    for map_id in (*shared, *own):
        await store.adorn(map_id)
    await store.batch(gone, 9, 9, campaign=lives)
    await store.batch(gone, 9, 9, 9)
    await store.job(gone)
    theirs = await store.map(other)
    batch = await store.batch(other, 4, parts=1)
    await store.map(heir, size=1)
    for _ in range(2):
        await store.erase(gone, **{lives: heir})
        assert await store.usage(gone) == (0, 0)
        assert await store.usage(heir) == (3, 15 + 18 + 3)
        assert await store.usage(other) == (1, 3 + 4)
        owners = dict(await store.rows(MapRow.id, MapRow.owner))
        assert {one for one, owner in owners.items() if owner == heir.account} > set(shared)
        assert theirs in owners and gone.account not in owners.values() and len(owners) == 4
        jobs, shares = METADATA.tables["job"], METADATA.tables["job_share"]
        assert gone.account not in {owner for (owner,) in await store.rows(jobs.c.owner)}
        assert gone.account not in {owner for (owner,) in await store.rows(shares.c.owner)}
        assert [row for (row,) in await store.rows(BatchPart.batch)] == [batch]
    assert sorted(await store.facts("map.deleted")) == sorted(f"map:{one}" for one in own)
    # Who has them now may do with them what owners may.
    assert await store.deletion.map(heir, DeleteMap(shared[0]), None) == shared[0]
    assert await store.usage(heir) == (2, 18 + 3)


async def test_nothing_is_added_for_an_account_that_was_erased(store: Store) -> None:
    gone = somebody()
    job, batch = await store.job(gone), await store.batch(gone)
    part = await store.begun((await _parts(store, batch))[0].id)
    await store.erase(gone)
    work = store.work
    for late in (store.end(job), store.end_part(part), work.refuse(job, "X", "x"), work.hold(job)):
        with pytest.raises(LostLease):
            await late
    # What was asked for with a key that was good a moment ago is refused.
    assert isinstance(await refusal(store.kept(gone)), NotFound)
    assert await store.count(*ALL) == NOTHING and await store.usage(gone) == (0, 0)
    usage = METADATA.tables["map_usage"]
    for later, left in ((timedelta(hours=23), 1), (timedelta(hours=25), 0)):
        async with store.database.write() as session:
            await prune_expired(session, usage, NOW + later)
        assert (await store.count("map_usage"))["map_usage"] == left


async def test_who_adds_while_an_account_is_erased_adds_all_or_nothing(store: Store) -> None:
    for _ in range(5):
        gone = somebody()
        jobs = [await store.job(gone) for _ in range(3)]
        adding = [*(store.end(job) for job in jobs), *(store.kept(gone) for _ in range(3))]
        *added, _ = await asyncio.gather(*adding, store.erase(gone), return_exceptions=True)
        assert all(isinstance(one, str | LostLease | NotFound) for one in added), added
        assert await store.count(*ALL) == NOTHING and await store.usage(gone) == (0, 0)


async def test_an_event_that_is_not_as_agreed_changes_nothing(store: Store) -> None:
    owner = somebody()
    await store.map(owner)
    before = await store.count(*ALL)
    for kind in ("scene.deleted", "campaign.deleted", "account.erased"):
        await store.tell(kind, id=owner.account)
    assert await store.count(*ALL) == before


# Any sequence

PEOPLE, PLACES = st.integers(0, 2), st.sampled_from([None, 0, 1])
STEPS = st.one_of(
    st.tuples(st.sampled_from(["map", "kept"]), PEOPLE, PLACES, st.integers(0, 50)),
    st.tuples(st.just("batch"), PEOPLE, PLACES, st.lists(st.integers(0, 50), max_size=3)),
    st.tuples(st.sampled_from(["delete map", "delete batch"]), st.integers(0, 9)),
    st.tuples(st.just("campaign gone"), st.integers(0, 1)),
    st.tuples(st.just("erase"), PEOPLE, PEOPLE),
)


@dataclass
class Books:
    """What each account is to keep, by the test's own count.

    Attributes:
        maps: owner, campaign and bytes of each.
        batches: owner and bytes of each.
        erased: accounts that are gone.
    """

    maps: dict[str, tuple[int, int | None, int]] = field(default_factory=dict)
    batches: dict[str, tuple[int, int]] = field(default_factory=dict)
    erased: set[int] = field(default_factory=set)

    def usage(self, owner: int) -> tuple[int, int]:
        """Add up what an account keeps."""
        maps = [size for one, _, size in self.maps.values() if one == owner]
        return len(maps), sum(maps) + sum(size for one, size in self.batches.values() if one == owner)


async def take(
    step: tuple[Any, ...], store: Store, books: Books, people: list[Viewer], places: list[str]
) -> None:
    """Take one step, in the store and in the books."""
    match step:
        case ("map" | "kept" as how, owner, place, size) if owner not in books.erased:
            campaign = None if place is None else places[place]
            made = await getattr(store, how)(people[owner], campaign, size)
            books.maps[made] = owner, place, 3 * size
        case ("batch", owner, place, sizes) if owner not in books.erased:
            campaign = None if place is None else places[place]
            books.batches[await store.batch(people[owner], *sizes, campaign=campaign)] = owner, sum(sizes)
        case ("delete map", number) if books.maps:
            gone = sorted(books.maps)[number % len(books.maps)]
            owner, *_ = books.maps.pop(gone)
            await store.deletion.map(people[owner], DeleteMap(gone), None)
        case ("delete batch", number) if books.batches:
            gone = sorted(books.batches)[number % len(books.batches)]
            owner, _ = books.batches.pop(gone)
            await store.deletion.batch(people[owner], DeleteMapBatch(gone), None)
        case ("campaign gone", place):
            await store.tell("campaign.deleted", campaign=places[place], scenes=[])
            for one, (owner, where, size) in books.maps.items():
                books.maps[one] = owner, None if where == place else where, size
        case ("erase", owner, heir) if owner != heir and heir not in books.erased:
            await store.erase(people[owner], **{places[0]: people[heir]})
            books.erased.add(owner)
            own = {one: row for one, row in books.maps.items() if row[0] == owner}
            for one, (_, where, size) in own.items():
                del books.maps[one]
                if where == 0:
                    books.maps[one] = heir, where, size
            books.batches = {one: row for one, row in books.batches.items() if row[0] != owner}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, max_size=14))
async def test_usage_is_exact_after_any_sequence(store: Store, steps: list[tuple[Any, ...]]) -> None:
    await store.empty()
    people, places, books = [somebody() for _ in range(3)], [new_id("cmp"), new_id("cmp")], Books()
    for viewer in people:
        for campaign in places:
            store.seat(campaign, player=viewer)
    for step in steps:
        await take(step, store, books, people, places)
        assert [await store.usage(viewer) for viewer in people] == [books.usage(one) for one in range(3)]
    assert sorted(books.maps) == [one for (one,) in await store.rows(MapRow.id)]
    assert sum(size for _, size in books.batches.values()) == sum(
        size for _, size in await store.rows(BatchPart.job, BatchPart.bytes)
    )


# Cancelling


def _maps(store: Store) -> MapService:
    unused: Any = None
    policy = Policy(store.campaigns)
    return MapService(
        store.database, lambda: NOW, policy, unused, unused, unused, store.meter, draw_seed=lambda: 1
    )


async def test_a_long_batch_is_cancelled_a_few_parts_at_a_time_and_paid_back_in_full(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancelling, "STEP", 2)
    owner = somebody()
    batch = await store.batch(owner, 40, 50, parts=9)
    open_parts = [part.id for part in await _parts(store, batch) if not part.state.ended]
    running = await store.begun(open_parts[0])
    await store.meter.charge(owner, 100)
    left = await store.left(owner)
    commits: list[frozenset[str]] = []
    store.database.after_commit.append(commits.append)
    job = await _maps(store).cancel(owner, CancelJob(batch), "key")
    assert (job.id, job.state) == (batch, JobState.CANCELLED)
    # Seven parts are open: three times two, then the last one with the whole.
    assert [len(topics) for topics in commits] == [2, 2, 2, 2]
    assert frozenset().union(*commits) == {f"job:{one}" for one in (*open_parts, batch)}
    assert f"job:{batch}" in commits[-1]
    assert await store.left(owner) == left + 60  # what was begun is not paid back
    with pytest.raises(LostLease):
        await store.work.look(running)
    assert await _maps(store).cancel(owner, CancelJob(batch), "key") == job
    assert (len(commits), await store.left(owner)) == (4, left + 60)


async def test_a_cancelling_that_was_cut_off_is_finished_by_asking_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancelling, "STEP", 2)
    owner = somebody()
    batch = await store.batch(owner, parts=5)
    await store.meter.charge(owner, 100)
    left = await store.left(owner)

    def cut_off(_topics: frozenset[str]) -> None:
        store.database.after_commit.remove(cut_off)
        raise ConnectionError

    store.database.after_commit.append(cut_off)
    with pytest.raises(ConnectionError):
        await _maps(store).cancel(owner, CancelJob(batch), "key")
    states = [part.state for part in await _parts(store, batch)]
    assert sorted(states) == [JobState.CANCELLED] * 2 + [JobState.QUEUED] * 3
    job = await _maps(store).cancel(owner, CancelJob(batch), "key")
    assert job.state is JobState.CANCELLED
    assert {part.state for part in await _parts(store, batch)} == {JobState.CANCELLED}
    # What the step before the cut had to give back went with it.
    assert await store.left(owner) == left + 30


async def test_orders_of_a_barred_member_are_cancelled_in_steps(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancelling, "STEP", 2)
    gone, campaign = somebody(), new_id("cmp")
    first = await store.batch(gone, 40, campaign=campaign, parts=4)
    second = await store.batch(gone, campaign=campaign, parts=1)
    other = await store.batch(gone, campaign=new_id("cmp"), parts=2)
    await store.meter.charge(gone, 100)
    left = await store.left(gone)
    commits: list[frozenset[str]] = []
    store.database.after_commit.append(commits.append)
    await store.tell("member.barred", campaign=campaign, account=gone.account)
    assert [len(topics) for topics in commits] == [2, 2, 2]
    assert await store.left(gone) == left + 40
    for batch, state in ((first, "cancelled"), (second, "cancelled"), (other, "running")):
        async with store.database.read() as session:
            job = await BOOK.get(session, batch)
        assert job is not None and job.state == state
