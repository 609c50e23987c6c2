"""Many maps at once: every map made once, whatever dies; read while they grow; kept one by one."""

import asyncio
import io
import zipfile
from typing import Any

import orjson
import pytest

from services.map.generation.kind import Made, make
from services.map.quotas import Quotas
from services.map.registry import GENERATORS
from services.map.work import MapWork
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.jobs import JobState
from tests.character.desk import Tables, somebody
from tests.databases import ON_BOTH
from tests.map.service_desk import CANCEL, MapDesk

CAMPAIGN = new_id("cmp")
SMALL = {"dungeon": {"width": 21, "height": 21}}
BATCH = """
query ($id: ID!, $first: Int! = 100, $after: String) {
  mapBatch(id: $id) {
    id count done bytes formats zipUrl job { state progress error { code } }
    maps(first: $first, after: $after) {
      nodes { number seed name attempts figures { name value } } pageInfo { hasNextPage endCursor }
    }
  }
}
"""
ORDER = """
mutation ($input: GenerateMapsInput!) {
  generateMaps(input: $input) {
    __typename
    ... on MapBatchQueued { job { id state } batch { count done } }
    ... on Problem { code message path }
    ... on InvalidInput { issues { code path } }
  }
}
"""
GO_ON = """
mutation ($batch: ID!, $key: String) {
  continueMapBatch(input: {batchId: $batch, idempotencyKey: $key}) {
    __typename
    ... on MapBatchQueued { job { id } }
    ... on Problem { code path }
    ... on InvalidInput { issues { code path found } }
  }
}
"""
FILES = """
query ($id: ID!) {
  mapBatch(id: $id) { seed parameters maps(first: 100) { nodes { number files { format url } } } }
}
"""
KEEP = """
mutation ($batch: ID!, $number: Int!, $campaign: ID, $key: String) {
  keepMap(input: {batchId: $batch, number: $number, campaignId: $campaign, idempotencyKey: $key}) {
    __typename
    ... on MapKept { map { id name seed sharing gates { name passed } } }
    ... on Problem { code path }
  }
}
"""


def ordered(desk: MapDesk, viewer: Viewer, **more: Any) -> str:
    answer = desk.ask(viewer, ORDER, input={"map": SMALL, **more})["generateMaps"]
    assert answer["__typename"] == "MapBatchQueued", answer
    return str(answer["job"]["id"])


def test_a_batch_is_made_in_parts_and_read_while_it_grows(map_desk: MapDesk) -> None:
    viewer = somebody()
    batch = ordered(map_desk, viewer, count=150, seed="11", formats=["UVTT_LINES"])
    assert map_desk.ask(viewer, BATCH, id=batch)["mapBatch"]["done"] == 0
    map_desk.work_on_parts(batch, most=1)
    half = map_desk.ask(viewer, BATCH, id=batch)["mapBatch"]
    assert 0 < half["done"] < 150 and half["job"]["state"] == "RUNNING" and 0 < half["job"]["progress"] < 1
    lines = map_desk.internal(viewer, f"batches/{batch}/maps.ndjson").text.splitlines()
    assert len(lines) == half["done"]
    assert all(job is None or job.state is JobState.SUCCEEDED for job in map_desk.work_on_parts(batch))
    done = map_desk.ask(viewer, BATCH, id=batch)["mapBatch"]
    assert (done["done"], done["job"]["state"], done["job"]["progress"]) == (150, "SUCCEEDED", 1)
    page = done["maps"]
    assert [entry["number"] for entry in page["nodes"]] == list(range(100)) and page["pageInfo"][
        "hasNextPage"
    ]
    rest = map_desk.ask(viewer, BATCH, id=batch, after=page["pageInfo"]["endCursor"])["mapBatch"]["maps"]
    assert [entry["number"] for entry in rest["nodes"]] == list(range(100, 150))
    assert len({entry["seed"] for entry in page["nodes"] + rest["nodes"]}) == 150

    with zipfile.ZipFile(io.BytesIO(map_desk.internal(viewer, f"batches/{batch}/maps.zip").content)) as files:
        assert files.testzip() is None and len(files.namelist()) == 300
        name = next(name for name in files.namelist() if name.startswith("00042-") and name.endswith(".json"))
        kept = files.read(name)
    kind = GENERATORS["dungeon"]
    again = make(kind, kind.codec.type(width=21, height=21), int(page["nodes"][42]["seed"]))
    assert isinstance(again, Made) and kind.to_bytes(again.model) == kept
    read = [
        orjson.loads(line)
        for line in map_desk.internal(viewer, f"batches/{batch}/maps.ndjson").text.splitlines()
    ]
    assert [line["number"] for line in read] == list(range(150))
    assert orjson.dumps(read[42]["map"]) == kept


@ON_BOTH
def test_a_part_that_is_done_twice_leaves_its_maps_once(map_desk: MapDesk) -> None:
    viewer = somebody()
    batch = ordered(map_desk, viewer, count=3)
    first, *none = map_desk.work_on_parts(batch) + map_desk.work_on_parts(batch)
    assert first is not None and none == [None]
    assert map_desk.ask(viewer, BATCH, id=batch)["mapBatch"]["done"] == 3

    # A worker that was given up comes back after its successor: it has lost the part, and leaves nothing.
    other = ordered(map_desk, viewer, count=2)

    async def late() -> Any:
        database = Database(map_desk.settings.database_url("map"))
        work = MapWork(database, system_clock, Quotas.of(map_desk.settings))
        from services.map.repository import PARTS

        async with database.read() as session:
            (part,) = await PARTS.parts(session, other)
        mine = await work.begin(part.id)
        await database.close()
        return mine

    assert asyncio.run(late()).state is JobState.RUNNING
    assert map_desk.ask(viewer, CANCEL, id=other)["cancelJob"]["job"]["state"] == "CANCELLED"
    assert map_desk.work_on_parts(other) == [None]
    end = map_desk.ask(viewer, BATCH, id=other)["mapBatch"]
    assert (end["done"], end["job"]["state"]) == (0, "CANCELLED")


def test_a_part_that_a_quota_refuses_leaves_no_file(map_desk: MapDesk) -> None:
    viewer = somebody()
    kept, refused = ordered(map_desk, viewer, count=2), ordered(map_desk, viewer, count=2)
    map_desk.work_on_parts(kept)
    (file,) = map_desk.stored("batches")
    map_desk.use_up(viewer)
    (job,) = map_desk.work_on_parts(refused)
    assert job is not None and job.error is not None
    assert (job.state, job.error["code"]) == (JobState.FAILED, "QUOTA_EXCEEDED")
    assert map_desk.stored("batches") == [file]


def test_seeds_are_taken_as_they_are_named(map_desk: MapDesk) -> None:
    viewer = somebody()
    batch = ordered(map_desk, viewer, seeds=["7", "9", "7"])
    map_desk.work_on_parts(batch)
    found = map_desk.ask(viewer, BATCH, id=batch)["mapBatch"]["maps"]["nodes"]
    assert [entry["seed"] for entry in found] == ["7", "9", "7"]
    assert found[0]["name"] == found[2]["name"]


def test_a_map_of_a_batch_is_kept_to_play_on_it(map_desk: MapDesk, tables: Tables) -> None:
    gm, player = somebody(), somebody()
    tables.seat(new_id("chr"), CAMPAIGN, gm=gm, player=player)
    batch = ordered(map_desk, gm, count=4, seed="2", campaignId=CAMPAIGN)
    map_desk.work_on_parts(batch)
    entry = map_desk.ask(gm, BATCH, id=batch)["mapBatch"]["maps"]["nodes"][3]
    kept = map_desk.ask(gm, KEEP, batch=batch, number=3, campaign=CAMPAIGN, key="k")["keepMap"]
    again = map_desk.ask(gm, KEEP, batch=batch, number=3, campaign=CAMPAIGN, key="k")["keepMap"]
    assert kept == again and kept["map"]["seed"] == entry["seed"] and kept["map"]["name"] == entry["name"]
    assert kept["map"]["sharing"] == "HIDDEN" and all(gate["passed"] for gate in kept["map"]["gates"])
    assert map_desk.edit(gm, kept["map"]["id"], setFog={"mode": "OPEN"})["__typename"] == "MapEdited"
    assert map_desk.ask(gm, KEEP, batch=batch, number=4)["keepMap"]["path"] == ["number"]
    # What was made for the GM is whole, so nobody else at the table reads it.
    assert map_desk.ask(player, BATCH, id=batch)["mapBatch"] is None
    assert map_desk.ask(player, KEEP, batch=batch, number=0)["keepMap"]["code"] == "NOT_FOUND"
    assert map_desk.internal(player, f"batches/{batch}/maps.zip").status_code == 404


@pytest.mark.parametrize(
    ("order", "path"),
    [
        ({}, ["count"]),
        ({"count": 0}, ["count"]),
        ({"count": 10_001}, ["count"]),
        ({"count": 2, "seeds": ["1"]}, ["seeds"]),
        ({"seeds": ["1", "x"]}, ["seeds", "1"]),
        ({"count": 1, "seed": "-1"}, ["seed"]),
        ({"count": 1, "map": {"dungeon": {"width": 5}}}, ["map", "dungeon", "width"]),
        ({"count": 1, "map": {"forgebornRealm": {}}, "formats": ["UVTT"]}, ["formats", "0"]),
    ],
)
def test_a_wrong_order_is_refused_before_any_work(
    map_desk: MapDesk, order: dict[str, Any], path: list[str]
) -> None:
    answer = map_desk.ask(somebody(), ORDER, input={"map": SMALL, **order})["generateMaps"]
    assert answer["__typename"] == "InvalidInput", answer
    assert path in [issue["path"] for issue in answer["issues"]]


def test_a_batch_is_paid_in_whole_and_what_was_not_begun_is_paid_back(map_desk: MapDesk) -> None:
    viewer = somebody()
    pictured = {"map": {"dungeon": {}}, "formats": ["SVG", "PNG"], "count": 10_000}
    first, _ = [ordered(map_desk, viewer, **pictured, idempotencyKey=key) for key in ("one", "two")]
    (error,) = map_desk.answer(viewer, ORDER, input=pictured)["errors"]
    assert error["extensions"]["code"] == "RATE_LIMITED" and error["extensions"]["retryAfter"] > 60
    # Asked for once more it is the same batch, and costs nothing.
    assert ordered(map_desk, viewer, **pictured, idempotencyKey="one") == first
    map_desk.ask(viewer, CANCEL, id=first)
    again = ordered(map_desk, viewer, **pictured)
    (error,) = map_desk.answer(viewer, ORDER, input=pictured)["errors"]
    assert error["extensions"]["code"] == "RATE_LIMITED"
    dear = {"map": {"region": {"width": 1024, "height": 1024}}, "count": 10_000}
    (error,) = map_desk.answer(viewer, ORDER, input=dear)["errors"]
    assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    map_desk.ask(viewer, CANCEL, id=again)


def test_an_archive_is_as_long_as_it_says_and_is_read_on_from_where_it_broke_off(map_desk: MapDesk) -> None:
    viewer = somebody()
    batch = ordered(map_desk, viewer, count=150, seed="12", formats=["GEOJSON"])
    map_desk.work_on_parts(batch, most=1)
    path = f"batches/{batch}/maps.zip"
    growing = map_desk.internal(viewer, path)
    map_desk.work_on_parts(batch)
    whole = map_desk.internal(viewer, path)
    tag, length = whole.headers["etag"], len(whole.content)
    assert (int(whole.headers["content-length"]), whole.headers["accept-ranges"]) == (length, "bytes")
    assert tag != growing.headers["etag"] and len(growing.content) == int(growing.headers["content-length"])
    with zipfile.ZipFile(io.BytesIO(whole.content)) as files:
        assert files.testzip() is None and len(files.namelist()) == 300

    def ranged(asked: str, tagged: str = tag) -> tuple[int, bytes, str | None]:
        found = map_desk.internal(viewer, path, range=asked, if_range=tagged)
        return found.status_code, found.content, found.headers.get("content-range")

    for first, last in ((0, 0), (17, length // 2), (length - 5, length - 1)):
        told = f"bytes {first}-{last}/{length}"
        assert ranged(f"bytes={first}-{last}") == (206, whole.content[first : last + 1], told)
    assert ranged(f"bytes={length - 9}-")[1] == whole.content[-9:] == ranged("bytes=-9")[1]
    assert ranged(f"bytes=3-{length * 2}")[1] == whole.content[3:]
    assert ranged(f"bytes={length}-")[0] == ranged("bytes=-0")[0] == 416
    # Of other bytes, and in a form that need not be understood, all is sent.
    for asked, tagged in (("bytes=5-", growing.headers["etag"]), ("bytes=0-1,4-5", tag), ("lines=1-2", tag)):
        assert ranged(asked, tagged)[:2] == (200, whole.content)


def test_lines_go_on_behind_a_map_and_each_file_has_its_own_address(map_desk: MapDesk) -> None:
    viewer = somebody()
    batch = ordered(map_desk, viewer, count=150, seed="12", formats=["GEOJSON"])
    map_desk.work_on_parts(batch)
    lines = map_desk.internal(viewer, f"batches/{batch}/maps.ndjson").text.splitlines()
    rest = map_desk.internal(viewer, f"batches/{batch}/maps.ndjson?after=142").text.splitlines()
    assert rest == lines[143:]
    found = map_desk.ask(viewer, FILES, id=batch)["mapBatch"]
    assert (found["seed"], found["parameters"]["width"]) == ("12", 21)
    urls = {file["format"]: file["url"] for file in found["maps"]["nodes"][3]["files"]}
    assert urls["JSON"].endswith(f"/v1/batches/{batch}/maps/3/map.json")
    assert urls["GEOJSON"].endswith(f"/v1/batches/{batch}/maps/3/map.geojson")
    own = map_desk.internal(viewer, f"batches/{batch}/maps/3/json")
    assert own.json() == orjson.loads(lines[3])["map"] and own.headers["content-type"] == "application/json"
    assert map_desk.internal(viewer, f"batches/{batch}/maps/3/geojson").json()["type"] == "FeatureCollection"
    for missing in ("150/json", "3/svg", "3/nothing"):
        assert map_desk.internal(viewer, f"batches/{batch}/maps/{missing}").status_code == 404
    assert map_desk.internal(somebody(), f"batches/{batch}/maps/3/json").status_code == 404


@ON_BOTH
def test_the_rest_of_a_batch_is_made_as_it_would_have_been(map_desk: MapDesk, tables: Tables) -> None:
    viewer, spectator = somebody(), somebody()
    tables.seat(new_id("chr"), CAMPAIGN, gm=viewer, spectator=spectator)
    asked = {"count": 150, "seed": "13", "campaignId": CAMPAIGN}
    undisturbed = ordered(map_desk, viewer, **asked)
    map_desk.work_on_parts(undisturbed)
    batch = ordered(map_desk, viewer, **asked)

    def go_on(who: Viewer, of: str, key: str = "") -> Any:
        return map_desk.ask(who, GO_ON, batch=of, key=key or None)["continueMapBatch"]

    assert go_on(viewer, batch)["issues"][0]["found"] == "RUNNING"
    map_desk.work_on_parts(batch, most=1)
    map_desk.ask(viewer, CANCEL, id=batch)
    made = map_desk.ask(viewer, BATCH, id=batch)["mapBatch"]["done"]
    for who in (spectator, somebody()):
        assert go_on(who, batch)["code"] == "NOT_FOUND"
    rest = go_on(viewer, batch, "once")["job"]["id"]
    assert go_on(viewer, batch, "once")["job"]["id"] == rest
    map_desk.work_on_parts(rest)
    found = map_desk.ask(viewer, BATCH, id=rest)["mapBatch"]
    assert (found["count"], found["done"], found["job"]["state"]) == (150 - made, 150 - made, "SUCCEEDED")

    def lines(*of: str) -> list[str]:
        return sorted(
            line
            for one in of
            for line in map_desk.internal(viewer, f"batches/{one}/maps.ndjson").text.splitlines()
        )

    assert lines(batch, rest) == lines(undisturbed)
    assert go_on(viewer, rest)["issues"] == [
        {"code": "BATCH_NOT_BROKEN_OFF", "path": ["batchId"], "found": "SUCCEEDED"}
    ]
