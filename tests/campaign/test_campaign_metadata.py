"""What apps keep beside campaigns and scenes: who writes and reads it, how much, and how it goes."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.campaign.membership.erasure import Erasure
from services.campaign.metadata.requests import SetCampaignMetadata, SetSceneMetadata
from services.campaign.metadata.service import TableMetadata
from services.campaign.tables import BAGS
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.metadata.requests import (
    MAX_BAGS,
    MAX_BYTES,
    Metadata,
    MetadataReaders,
    SetMetadata,
)
from services.shared.metadata.service import MetadataService
from services.shared.outbox import Event
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Problem,
    VersionConflict,
)
from services.shared.settings import Settings
from tests.campaign.outcomes import outcome
from tests.campaign.scene_desk import Desk, somebody
from tests.campaign.test_deleting import remnants
from tests.databases import ON_BOTH
from tests.steps import in_steps

pytestmark = pytest.mark.databases("campaign")

TRACKER = "com.example.tracker"
APP = MetadataReaders.APP


class Kept:
    """A table with a scene, and what apps keep beside both."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.use_cases = TableMetadata(MetadataService(desk.database, desk.clock, BAGS))

    async def set(
        self, who: Viewer, data: Any, name: str = TRACKER, /, key: str | None = None, **more: Any
    ) -> Metadata | Problem | None:
        asked = SetCampaignMetadata(**{"id": self.desk.campaign, "namespace": name, "data": data, **more})
        return await outcome(self.use_cases.of_campaign(who, asked, key))

    async def set_in_scene(self, who: Viewer, data: Any, **more: Any) -> Metadata | Problem | None:
        asked = SetSceneMetadata(**{"id": self.desk.scene, "namespace": TRACKER, "data": data, **more})
        return await outcome(self.use_cases.of_scene(who, asked, None))

    async def read(self, who: Viewer, thing: str = "") -> list[tuple[str, Any]]:
        """Return what is shown beside the campaign or another thing, by namespace."""
        beside = (thing or self.desk.campaign, "")
        bags = (await self.use_cases.bags.beside(who, [beside]))[beside]
        return [(bag.namespace, bag.data) for bag in bags]


@pytest.fixture
async def kept(settings: Settings) -> AsyncIterator[Kept]:
    database = Database(settings.database_url("campaign"))
    desk = Desk(database)
    await desk.open()
    await desk.start()
    yield Kept(desk)
    await database.close()


@ON_BOTH
async def test_a_bag_of_the_table_is_read_by_everybody_and_the_last_writer_is_right(kept: Kept) -> None:
    desk = kept.desk
    first, last = await kept.set(desk.gm, {"round": 1}), await kept.set(desk.anna, {"round": 2})
    assert isinstance(first, Metadata) and isinstance(last, Metadata)
    assert (first.version, last.version, last.data) == (1, 2, {"round": 2})
    for who in (desk.gm, desk.anna, desk.watcher):
        assert await kept.read(who) == [(TRACKER, {"round": 2})]
    assert await kept.set(desk.ben, None) is None
    assert await kept.read(desk.gm) == []


@ON_BOTH
async def test_what_an_app_alone_reads_is_shown_counted_and_in_the_way_of_nobody_else(kept: Kept) -> None:
    desk = kept.desk
    for number in range(MAX_BAGS):
        assert isinstance(
            await kept.set(desk.anna, {"n": number}, f"com.example.n{number}", readers=APP), Metadata
        )
    assert await kept.read(desk.gm) == await kept.read(desk.ben) == []
    seen_by_gm = await kept.set(desk.gm, {"mine": 1}, "com.example.n0", readers=APP)
    of_table = await kept.set(desk.ben, {"ours": 1}, "com.example.n0", version=0)
    assert isinstance(seen_by_gm, Metadata) and isinstance(of_table, Metadata)
    assert (seen_by_gm.version, of_table.version) == (1, 1)
    assert await kept.read(desk.gm) == [("com.example.n0", {"ours": 1}), ("com.example.n0", {"mine": 1})]
    assert len(await kept.read(desk.anna)) == MAX_BAGS + 1
    full = await kept.set(desk.anna, {}, "com.example.more", readers=APP)
    assert isinstance(full, InvalidInput) and full.issues[0].code == "TOO_MANY"
    assert isinstance(await kept.set(desk.anna, {}, "com.example.more"), Metadata)


async def test_a_named_version_must_be_the_one_there_is(kept: Kept) -> None:
    gm = kept.desk.gm
    assert isinstance(await kept.set(gm, {"a": 1}, version=1), VersionConflict)
    assert isinstance(await kept.set(gm, {"a": 1}, version=0), Metadata)
    stale = await kept.set(gm, {"a": 2}, version=0)
    assert isinstance(stale, VersionConflict) and (stale.expected_version, stale.current_version) == (0, 1)
    assert isinstance(await kept.set(gm, {"a": 2}, version=1), Metadata)
    assert isinstance(await kept.set(gm, None, version=1), VersionConflict)
    assert await kept.read(gm) == [(TRACKER, {"a": 2})]


async def test_the_same_request_under_one_key_is_written_once(kept: Kept) -> None:
    gm = kept.desk.gm
    answers = [await kept.set(gm, {"a": 1}, key="k") for _twice in range(2)]
    assert answers[0] == answers[1] and isinstance(answers[0], Metadata) and answers[0].version == 1
    assert isinstance(await kept.set(gm, {"a": 2}, key="k"), IdempotencyConflict)


async def test_spectators_and_strangers_write_nothing(kept: Kept) -> None:
    desk, stranger = kept.desk, somebody()
    for readers in MetadataReaders:
        for write in (kept.set, kept.set_in_scene):
            assert isinstance(await write(desk.watcher, {}, readers=readers), Forbidden)
            assert isinstance(await write(stranger, {}, readers=readers), NotFound)
    assert isinstance(await kept.set(desk.gm, {}, id="cmp_nobody"), NotFound)
    assert isinstance(await kept.set_in_scene(desk.gm, {}, id=desk.campaign), NotFound)
    assert await kept.read(desk.watcher) == []


@pytest.mark.parametrize(
    ("more", "code", "path"),
    [
        ({"namespace": "tracker"}, "NAME", "namespace"),
        ({"namespace": "Com.Example"}, "NAME", "namespace"),
        ({"namespace": "com..example"}, "NAME", "namespace"),
        ({"namespace": ""}, "LENGTH", "namespace"),
        ({"namespace": "com." + "x" * 97}, "LENGTH", "namespace"),
        ({"data": [1]}, "WRONG_TYPE", "data"),
        ({"data": "{}"}, "WRONG_TYPE", "data"),
        ({"data": {"text": "x" * (MAX_BYTES - 10)}}, "TOO_LARGE", "data"),
        ({"data": {"n": 2**64}}, "UNWRITABLE", "data"),
        ({"data": {"n": "\ud800"}}, "UNWRITABLE", "data"),
        ({"version": -1}, "OUT_OF_RANGE", "version"),
    ],
)
async def test_what_is_no_bag_is_refused(kept: Kept, more: dict[str, Any], code: str, path: str) -> None:
    asked = SetCampaignMetadata(**{"id": kept.desk.campaign, "namespace": TRACKER, "data": {"a": 1}, **more})
    refused = await outcome(kept.use_cases.of_campaign(kept.desk.gm, asked, None))
    assert isinstance(refused, InvalidInput)
    assert (code, [path]) in [(issue.code, issue.path) for issue in refused.issues]
    assert await kept.read(kept.desk.gm) == []


@given(
    st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | st.text(), st.lists).map(lambda v: {"v": v})
)
def test_a_bag_is_refused_exactly_where_its_json_is_too_long(data: dict[str, Any]) -> None:
    asked = SetMetadata("cmp_x", TRACKER, data)
    try:
        too_large = len(asked.written.encode()) > MAX_BYTES
    except TypeError:
        assert [issue.code for issue in asked.issues()] == ["UNWRITABLE"]
        return
    assert [issue.code for issue in asked.issues()] == ["TOO_LARGE"] * too_large
    text = SetMetadata("cmp_x", TRACKER, {"t": "x" * (MAX_BYTES - len('{"t":""}'))})
    assert text.issues() == []


async def test_a_bag_goes_with_its_scene_and_its_campaign(kept: Kept) -> None:
    desk, namespace = kept.desk, "com.example.only-here"
    assert isinstance(await kept.set_in_scene(desk.anna, {"a": 1}, namespace=namespace), Metadata)
    assert isinstance(await kept.set(desk.anna, {"a": 1}, namespace), Metadata)
    assert await kept.read(desk.watcher, desk.scene) == [(namespace, {"a": 1})]
    assert await desk.delete(desk.gm, desk.scene) == desk.scene
    assert await kept.read(desk.anna, desk.scene) == []
    assert await remnants(desk, namespace) == ["metadata_bag"]
    assert await desk.table.delete(desk.gm, desk.campaign, 1) == desk.campaign
    assert await remnants(desk, namespace) == []


async def test_what_an_account_alone_reads_goes_with_it_and_what_the_table_reads_stays(kept: Kept) -> None:
    desk = kept.desk
    await kept.set(desk.anna, {"a": 1})
    await kept.set(desk.anna, {"b": 1}, readers=APP)
    await kept.set_in_scene(desk.ben, {"c": 1}, readers=APP)
    told = Event("account.deleted", f"account:{desk.anna.account}", {"account": desk.anna.account})
    await in_steps(desk.database, Erasure(system_clock, desk.systems).record, told)
    assert await kept.read(desk.anna) == await kept.read(desk.gm) == [(TRACKER, {"a": 1})]
    assert await kept.read(desk.ben, desk.scene) == [(TRACKER, {"c": 1})]
