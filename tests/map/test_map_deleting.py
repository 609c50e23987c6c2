"""Deleting maps and batches, asked as a client asks: who may, which revision, and that nothing answers for
what is gone: no picture, no entity tag, no feed, no event that comes too late."""

import contextlib
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
import redis

from services.shared.auth import Viewer
from services.shared.ids import new_id
from services.shared.outbox import stream_key
from tests.character.desk import Tables, somebody
from tests.conftest import wait_for
from tests.map.service_desk import CHANGES, JOB, MAP, PROGRESS, UNDO, MapDesk
from tests.map.test_map_batches import BATCH, KEEP, ordered
from tests.map.test_map_scenes import Game, piece

CAMPAIGN = new_id("cmp")
DUNGEON = {"dungeon": {"width": 21, "height": 21}}
DELETE = """
mutation ($input: DeleteMapInput!) {
  deleteMap(input: $input) {
    __typename
    ... on MapDeleted { id }
    ... on Problem { code path }
    ... on InvalidInput { issues { code path found } }
    ... on MapChanged { expectedRevision currentRevision }
  }
}
"""
DELETE_BATCH = """
mutation ($input: DeleteMapBatchInput!) {
  deleteMapBatch(input: $input) { __typename ... on MapBatchDeleted { id } ... on Problem { code path } }
}
"""
MAPS = "query ($campaign: ID) { maps(campaignId: $campaign) { nodes { id } } }"
LEADER = "query ($id: ID!) { map(id: $id) { scene { id } } }"
REVISION = "query ($id: ID!) { map(id: $id) { revision } }"


def delete(desk: MapDesk, viewer: Viewer, map_id: str, **more: Any) -> Any:
    return desk.ask(viewer, DELETE, input={"id": map_id, **more})["deleteMap"]


def delete_batch(desk: MapDesk, viewer: Viewer, batch: str, **more: Any) -> Any:
    return desk.ask(viewer, DELETE_BATCH, input={"id": batch, **more})["deleteMapBatch"]


def gone(map_id: str) -> dict[str, str]:
    return {"__typename": "MapDeleted", "id": map_id}


@pytest.fixture
def campaigns(map_desk: MapDesk) -> Iterator["Campaigns"]:
    told = Campaigns(map_desk)
    yield told
    told.close()


class Campaigns:
    """The stream of the campaign service."""

    def __init__(self, desk: MapDesk) -> None:
        self._valkey = redis.Redis.from_url(desk.settings.redis_url)
        self._position = 0

    def tell(self, kind: str, **payload: Any) -> None:
        """Add an event."""
        self._position += 1
        fields: dict[Any, Any] = {"kind": kind, "topic": "x", "payload": orjson.dumps(payload)}
        self._valkey.xadd(stream_key("campaign"), fields, id=f"{self._position}-0")

    def close(self) -> None:
        """Let go of the stream."""
        self._valkey.close()


def test_who_deletes_a_map_of_a_table(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, spectator, outsider = (somebody() for _ in range(4))
    tables.seat(new_id("chr"), CAMPAIGN, gm=gm, player=player, spectator=spectator)
    made = map_desk.made(gm, CAMPAIGN, sharing="OPEN")
    for viewer, code in ((outsider, "NOT_FOUND"), (spectator, "FORBIDDEN"), (player, "FORBIDDEN")):
        answer = delete(map_desk, viewer, made)
        assert (answer["code"], answer["path"]) == (code, ["id"])
    theirs = map_desk.made(player, CAMPAIGN)
    assert delete(map_desk, player, theirs) == gone(theirs)
    assert delete(map_desk, gm, made) == gone(made)
    assert map_desk.ask(gm, MAPS, campaign=CAMPAIGN)["maps"]["nodes"] == []
    tables.broken = True
    assert delete(map_desk, somebody(), new_id("map"))["code"] == "UNAVAILABLE"


def test_a_map_is_deleted_from_the_revision_that_was_seen(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, map=DUNGEON)
    before = map_desk.ask(viewer, REVISION, id=made)["map"]["revision"]
    map_desk.edit(viewer, made, putMarker={"at": {"x": 3, "y": 3}})
    now = map_desk.ask(viewer, REVISION, id=made)["map"]["revision"]
    refused = delete(map_desk, viewer, made, revision=before, idempotencyKey="k")
    assert (refused["code"], refused["expectedRevision"], refused["currentRevision"]) == (
        "MAP_CHANGED",
        before,
        now,
    )
    # A refusal leaves the key fresh; the same request has the same answer although the map is gone.
    assert delete(map_desk, viewer, made, revision=now, idempotencyKey="k") == gone(made)
    assert delete(map_desk, viewer, made, revision=now, idempotencyKey="k") == gone(made)
    assert delete(map_desk, viewer, made, idempotencyKey="k")["code"] == "IDEMPOTENCY_CONFLICT"
    assert delete(map_desk, viewer, made)["code"] == "NOT_FOUND"


def test_nothing_that_was_kept_answers_for_a_map_that_is_gone(map_desk: MapDesk) -> None:
    viewer = somebody()
    job = map_desk.queued(viewer)
    done = map_desk.work(job)
    assert done is not None and done.result is not None
    made = str(done.result["map"])
    map_desk.edit(viewer, made, putToken={"name": "Anna", "at": {"x": 2, "y": 2}})
    names = ("outputs/json", "outputs/svg", "outputs/png", "files/map.svg", "site")
    paths = [f"maps/{made}/{name}" for name in names]
    found = {path: map_desk.internal(viewer, path) for path in paths}
    assert all(answer.status_code == 200 for answer in found.values())
    assert delete(map_desk, viewer, made) == gone(made)
    for path, answer in found.items():
        assert map_desk.internal(viewer, path).status_code == 404
        tag = answer.headers.get("etag", "")
        assert map_desk.internal(viewer, path, held=tag).status_code == 404
    assert map_desk.ask(viewer, MAP, id=made)["map"] is None
    assert map_desk.ask(viewer, MAPS)["maps"]["nodes"] == []
    assert map_desk.ask(viewer, UNDO, map=made)["undoMapEdit"]["code"] == "NOT_FOUND"
    assert map_desk.edit(viewer, made, setFog={"mode": "OPEN"})["code"] == "NOT_FOUND"
    # Its job says how it ended, and names nothing; a message of it that comes late finds nothing to do.
    assert map_desk.ask(viewer, JOB, id=job)["job"]["map"] is None
    assert map_desk.work(job) is None


def test_who_follows_a_map_hears_that_it_is_gone(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer)
    events = map_desk.events(viewer, CHANGES, id=made)
    assert next(events)["data"]["mapChanges"]["id"] == made
    delete(map_desk, viewer, made)
    (last,) = events
    assert last["errors"][0]["extensions"]["code"] == "NOT_FOUND"


def test_a_map_that_a_scene_leads_stays_until_the_scene_is_gone(map_desk: MapDesk, tables: Tables) -> None:
    with contextlib.closing(Game(map_desk, tables)) as game:
        led = game.map
        game.tell(1, piece("Anna", "city"))
        game.follow()
        refused = delete(map_desk, game.gm, led)
        issue = {"code": "MAP_IN_USE", "path": ["id"], "found": game.scene}
        assert (refused["code"], refused["issues"]) == ("INVALID_INPUT", [issue])
        deleted = {"scene": game.scene, "campaign": CAMPAIGN, "map": led, "characters": []}
        game.publish(deleted, "scene.deleted")
        seen = game.follow()
        # It stays as it looks.
        assert seen["scene"] is None and set(game.tokens()) == {"Anna"}
        assert delete(map_desk, game.gm, led) == gone(led)
        # A game that comes too late to it does not keep others from their maps.
        later = new_id("scn")
        game.tell(1, piece("Bert", "city"), scene=new_id("scn"))
        game.map = map_desk.made(game.gm)
        game.tell(2, piece("Bert", "city"), scene=later)

        def leads() -> bool:
            found = map_desk.ask(game.gm, LEADER, id=game.map)["map"]
            return bool(found["scene"] == {"id": later})

        wait_for(leads, "a later game")


def test_a_batch_is_deleted_and_what_was_kept_of_it_stays(map_desk: MapDesk, tables: Tables) -> None:
    gm, player = somebody(), somebody()
    tables.seat(new_id("chr"), CAMPAIGN, gm=gm, player=player)
    batch = ordered(map_desk, gm, count=3, seed="2", campaignId=CAMPAIGN)
    map_desk.work_on_parts(batch)
    kept = map_desk.ask(gm, KEEP, batch=batch, number=1)["keepMap"]["map"]["id"]
    assert delete_batch(map_desk, player, batch)["code"] == "FORBIDDEN"
    assert delete_batch(map_desk, somebody(), batch)["code"] == "NOT_FOUND"
    for _ in range(2):
        answer = delete_batch(map_desk, gm, batch, idempotencyKey="k")
        assert answer == {"__typename": "MapBatchDeleted", "id": batch}
    assert delete_batch(map_desk, gm, batch)["code"] == "NOT_FOUND"
    assert map_desk.ask(gm, BATCH, id=batch)["mapBatch"] is None
    assert map_desk.ask(gm, JOB, id=batch)["job"] is None
    assert map_desk.internal(gm, f"batches/{batch}/maps.zip").status_code == 404
    assert map_desk.ask(gm, KEEP, batch=batch, number=0)["keepMap"]["code"] == "NOT_FOUND"
    assert map_desk.ask(gm, MAP, id=kept)["map"]["id"] == kept


def test_who_follows_a_batch_hears_that_it_is_gone(map_desk: MapDesk) -> None:
    viewer = somebody()
    batch = ordered(map_desk, viewer, count=2)
    events = map_desk.events(viewer, PROGRESS, id=batch)
    assert next(events)["data"]["jobProgress"]["state"] == "RUNNING"
    delete_batch(map_desk, viewer, batch)
    (last,) = events
    assert last["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    assert map_desk.work_on_parts(batch) == []


def test_maps_follow_what_becomes_of_campaigns_and_accounts(
    map_desk: MapDesk, tables: Tables, campaigns: Campaigns
) -> None:
    gm, player, ended = somebody(), somebody(), new_id("cmp")
    for campaign in (CAMPAIGN, ended):
        tables.seat(new_id("chr"), campaign, gm=gm, player=player)
    alone, shared = map_desk.made(player), map_desk.made(player, CAMPAIGN)
    hers, his = map_desk.made(gm, ended, sharing="OPEN"), map_desk.made(player, ended)
    waiting = map_desk.queued(player)
    events = map_desk.events(player, CHANGES, id=alone)
    assert next(events)["data"]["mapChanges"]["id"] == alone
    for _ in range(2):
        campaigns.tell("campaign.deleted", campaign=ended, members=[], scenes=[], characters=[])
        campaigns.tell("account.erased", account=player.account, heirs={CAMPAIGN: gm.account})
    (last,) = events
    assert last["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    found = map_desk.ask(gm, MAPS, campaign=CAMPAIGN)["maps"]["nodes"]
    assert [one["id"] for one in found] == [shared]
    assert map_desk.ask(gm, MAP, id=shared)["map"]["owner"] == {"id": gm.account}
    mine = map_desk.ask(gm, MAP, id=hers)["map"]
    assert mine["campaign"] is None and mine["owner"] == {"id": gm.account}
    assert map_desk.ask(gm, MAP, id=his)["map"] is None
    assert map_desk.ask(player, MAPS)["maps"]["nodes"] == [] and map_desk.work(waiting) is None
    assert map_desk.generate(player)["code"] == "NOT_FOUND"
