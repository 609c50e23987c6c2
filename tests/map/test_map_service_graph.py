"""The map service as its clients see it: maps are asked for, checked, made, and seen by whom they may."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest

from services.map.kinds.realm.generator import RealmParameters, generate
from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Tables, somebody
from tests.conftest import wait_for
from tests.databases import ON_BOTH
from tests.map.service_desk import CANCEL, GENERATE, JOB, MAP, MapDesk

CAMPAIGN = new_id("cmp")
MAPS = """
query ($campaign: ID, $first: Int! = 20, $after: String) {
  maps(campaignId: $campaign, first: $first, after: $after) {
    nodes { id name } pageInfo { hasNextPage endCursor }
  }
}
"""
ENTITIES = """
query ($all: [_Any!]!) {
  _entities(representations: $all) { ... on Map { id name } ... on Campaign { id maps { nodes { id } } } }
}
"""
DICE = [
    {"sides": die.sides, "face": die.face, "x": die.at.x / 1000, "y": die.at.y / 1000}
    for die in generate(RealmParameters(seed=3)).model.realm.dice  # type: ignore[union-attr]
]


def at_table(tables: Tables, **members: Viewer) -> None:
    """Seat people at the campaign's table, by role."""
    tables.seat(new_id("chr"), CAMPAIGN, **members)


def test_a_map_is_queued_made_and_found_with_all_that_belongs_to_it(map_desk: MapDesk) -> None:
    viewer = somebody()
    queued = map_desk.generate(viewer, realm={"seed": "7", "title": "Emberlow"})["job"]
    assert (queued["state"], queued["version"], queued["progress"], queued["map"]) == ("QUEUED", 1, 0, None)
    map_desk.work(queued["id"])
    job = map_desk.ask(viewer, JOB, id=queued["id"])["job"]
    assert job["state"] == "SUCCEEDED" and job["progress"] == 1 and job["map"]["name"] == "Emberlow"
    found = map_desk.ask(viewer, MAP, id=job["map"]["id"])["map"]
    assert found["kind"] == "FORGEBORN_REALM" and found["seed"] == "7" and found["campaign"] is None
    assert found["owner"]["id"] == viewer.account
    realm = found["realm"]
    assert realm["title"] == "Emberlow" and len(realm["dice"]) == 15 and len(realm["places"]) == 10
    assert {place["kind"] for place in realm["places"]} == {
        "LAIR",
        "CITADEL",
        "CITY",
        "VILLAGE",
        "RUIN",
        "FOREST",
    }
    ids = {place["key"] for place in realm["places"]}
    assert all({link["start"], link["end"]} <= ids for link in realm["links"])
    assert sum(forest["largest"] for forest in realm["forests"]) == 1
    assert found["gates"] and all(gate["passed"] and gate["faults"] == [] for gate in found["gates"])


@ON_BOTH
def test_files_have_stable_addresses_and_strong_tags(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer)
    files = map_desk.ask(viewer, MAP, id=made)["map"]["files"]
    assert [file["name"] for file in files] == ["map.json", "map.svg"]
    for file in files:
        assert file["url"] == f"https://play.example/v1/maps/{made}/{file['name']}"
        answer = map_desk.internal(viewer, f"maps/{made}/files/{file['name']}")
        assert answer.status_code == 200 and answer.headers["etag"] == f'"{file["sha256"]}"'
        assert answer.headers["content-type"].split(";")[0] == file["contentType"]
        assert hashlib.sha256(answer.content).hexdigest() == file["sha256"]
        assert len(answer.content) == file["bytes"]


@pytest.mark.parametrize("name", ["map.png", "..", "%2e%2e%2fmap.db", "map.svg%00", ""])
def test_a_file_that_is_none_is_not_found(map_desk: MapDesk, name: str) -> None:
    viewer = somebody()
    made = map_desk.made(viewer)
    assert map_desk.internal(viewer, f"maps/{made}/files/{name}").status_code == 404


def test_dropped_dice_make_the_map_that_lay_on_the_table(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, realm={"dice": DICE})
    realm = map_desk.ask(viewer, MAP, id=made)["map"]["realm"]
    assert realm["givenDice"] is True
    assert [(die["sides"], die["face"], die["at"]) for die in realm["dice"]] == [
        (die["sides"], die["face"], {"x": die["x"], "y": die["y"]}) for die in DICE
    ]


def test_without_seed_or_dice_a_seed_is_drawn(map_desk: MapDesk) -> None:
    viewer = somebody()
    seeds = {map_desk.ask(viewer, MAP, id=map_desk.made(viewer, realm={}))["map"]["seed"] for _ in range(3)}
    assert len(seeds) == 3


@pytest.mark.parametrize(
    ("realm", "path"),
    [
        ({"seed": "-1"}, ["seed"]),
        ({"seed": "9223372036854775808"}, ["seed"]),
        ({"seed": "1" * 5_000}, ["seed"]),
        ({"seed": "٣"}, ["seed"]),
        ({"seed": "1", "width": 79}, ["width"]),
        ({"seed": "1", "height": 2_000}, ["height"]),
        ({"seed": "1", "dragonMinimum": 25}, ["dragonMinimum"]),
        ({"seed": "1", "tooFarPercent": 0}, ["tooFarPercent"]),
        ({"seed": "1", "title": ""}, ["title"]),
        ({"seed": "1", "title": "a\nb"}, ["title"]),
        ({"seed": "1", "names": [{"place": "moon", "name": "Luna"}]}, ["names", "moon"]),
        ({"seed": "1", "names": [{"place": "city", "name": "x"}] * 11}, ["names"]),
        ({"dice": []}, ["dice"]),
        ({"dice": DICE * 20}, ["dice"]),
        ({"dice": [{**DICE[0], "face": 9}, *DICE[1:]]}, ["dice", "0", "face"]),
        ({"dice": [{**DICE[0], "x": 1e300}, *DICE[1:]]}, ["dice", "0"]),
    ],
)
def test_every_wrong_parameter_is_named_before_any_work(
    map_desk: MapDesk, realm: dict[str, Any], path: list[str]
) -> None:
    answer = map_desk.generate(somebody(), realm=realm)
    assert answer["__typename"] == "InvalidInput", answer
    assert ["map", "forgebornRealm", *path] in [issue["path"] for issue in answer["issues"]]


def test_all_wrong_parameters_are_named_at_once(map_desk: MapDesk) -> None:
    answer = map_desk.generate(somebody(), realm={"seed": "1", "width": 1, "height": 1, "title": ""})
    assert [issue["path"][-1] for issue in answer["issues"]] == ["width", "height", "title"]


@pytest.mark.parametrize("wish", [{}, {"forgebornRealm": None}, {"moon": {}}])
def test_a_wish_for_no_known_map_is_refused_by_the_schema(map_desk: MapDesk, wish: dict[str, Any]) -> None:
    assert map_desk.answer(somebody(), GENERATE, input={"map": wish})["errors"]


def test_one_key_gives_one_job_to_fifty_parallel_requests(map_desk: MapDesk) -> None:
    viewer = somebody()
    with ThreadPoolExecutor(10) as pool:
        ids = set(pool.map(lambda _: map_desk.queued(viewer, idempotencyKey="once"), range(50)))
    assert len(ids) == 1
    assert map_desk.generate(viewer, realm={"seed": "8"}, idempotencyKey="once")["code"] == (
        "IDEMPOTENCY_CONFLICT"
    )
    assert map_desk.queued(somebody(), idempotencyKey="once") not in ids


@pytest.mark.parametrize("key", ["", "k" * 256, "bell\a"])
def test_a_bad_idempotency_key_is_a_problem(map_desk: MapDesk, key: str) -> None:
    sent = {"map": {"forgebornRealm": {"seed": "7"}}, "idempotencyKey": key}
    answer = map_desk.answer(somebody(), GENERATE, input=sent)
    codes = [error["extensions"]["code"] for error in answer.get("errors", ())]
    codes += [answer["data"]["generateMap"]["issues"][0]["code"]] if not codes else []
    assert codes and codes[0] in ("BAD_IDEMPOTENCY_KEY", "BAD_CHARACTER")


def test_gms_and_players_make_maps_for_their_table_and_spectators_do_not(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, spectator, outsider = (somebody() for _ in range(4))
    at_table(tables, gm=gm, player=player, spectator=spectator)
    assert map_desk.generate(gm, CAMPAIGN)["__typename"] == "MapJobQueued"
    assert map_desk.generate(player, CAMPAIGN)["__typename"] == "MapJobQueued"
    assert map_desk.generate(spectator, CAMPAIGN)["code"] == "FORBIDDEN"
    assert map_desk.generate(outsider, CAMPAIGN)["code"] == "NOT_FOUND"
    assert map_desk.generate(outsider, "cmp_\a")["code"] == "NOT_FOUND"


@ON_BOTH
def test_a_campaigns_maps_and_jobs_are_seen_at_its_table_only(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, spectator, outsider = (somebody() for _ in range(4))
    at_table(tables, gm=gm, player=player, spectator=spectator)
    job = map_desk.queued(player, CAMPAIGN)
    map_desk.work(job)
    made = map_desk.ask(player, JOB, id=job)["job"]["map"]["id"]
    for viewer, sees in ((gm, True), (player, True), (spectator, True), (outsider, False)):
        assert (map_desk.ask(viewer, MAP, id=made)["map"] is not None) is sees
        assert (map_desk.ask(viewer, JOB, id=job)["job"] is not None) is sees
        listed = map_desk.ask(viewer, MAPS, campaign=CAMPAIGN)["maps"]
        assert (listed is not None and [node["id"] for node in listed["nodes"]] == [made]) is sees
        assert (map_desk.internal(viewer, f"maps/{made}/files/map.svg").status_code == 200) is sees
        representations = [{"__typename": "Map", "id": made}, {"__typename": "Campaign", "id": CAMPAIGN}]
        entity, campaign = map_desk.ask(viewer, ENTITIES, all=representations)["_entities"]
        assert (entity is not None) is sees
        assert (campaign["maps"] is not None) is sees


def test_who_left_the_table_no_longer_sees_even_their_own_map_there(
    map_desk: MapDesk, tables: Tables
) -> None:
    player = somebody()
    at_table(tables, player=player)
    made = map_desk.made(player, CAMPAIGN)
    tables.access.clear()
    # What was known of the table is kept for a second.
    wait_for(lambda: map_desk.ask(player, MAP, id=made)["map"] is None, "the end of what was known")
    assert map_desk.ask(player, MAPS)["maps"]["nodes"] == []


def test_a_map_of_ones_own_is_nobody_elses(map_desk: MapDesk) -> None:
    owner, other = somebody(), somebody()
    job = map_desk.queued(owner)
    map_desk.work(job)
    made = map_desk.ask(owner, JOB, id=job)["job"]["map"]["id"]
    assert [node["id"] for node in map_desk.ask(owner, MAPS)["maps"]["nodes"]] == [made]
    assert map_desk.ask(other, MAP, id=made)["map"] is None
    assert map_desk.ask(other, JOB, id=job)["job"] is None
    assert map_desk.ask(other, MAPS)["maps"]["nodes"] == []
    assert map_desk.ask(other, CANCEL, id=job)["cancelJob"]["code"] == "NOT_FOUND"
    assert map_desk.internal(other, f"maps/{made}/files/map.svg").status_code == 404


def test_only_signed_services_read_internal_paths(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer)
    assert map_desk.internal(viewer, f"maps/{made}/files/map.svg", service=False).status_code == 401
    assert map_desk.internal(Viewer(), f"maps/{made}/files/map.svg").status_code == 404


@ON_BOTH
def test_maps_are_paged_newest_first(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = [map_desk.made(viewer, realm={"seed": str(seed)}) for seed in range(3)]
    first = map_desk.ask(viewer, MAPS, first=2)["maps"]
    assert [node["id"] for node in first["nodes"]] == made[:0:-1] and first["pageInfo"]["hasNextPage"]
    rest = map_desk.ask(viewer, MAPS, first=2, after=first["pageInfo"]["endCursor"])["maps"]
    assert [node["id"] for node in rest["nodes"]] == [made[0]] and not rest["pageInfo"]["hasNextPage"]


def test_a_job_is_cancelled_by_its_owner_or_a_gm(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, other = somebody(), somebody(), somebody()
    at_table(tables, gm=gm, player=player)
    at_table(tables, player=other)
    own, theirs = map_desk.queued(player, CAMPAIGN), map_desk.queued(player, CAMPAIGN)
    assert map_desk.ask(other, CANCEL, id=own)["cancelJob"]["code"] == "FORBIDDEN"
    assert map_desk.ask(player, CANCEL, id=own)["cancelJob"]["job"]["state"] == "CANCELLED"
    assert map_desk.ask(gm, CANCEL, id=theirs)["cancelJob"]["job"]["state"] == "CANCELLED"
    assert map_desk.work(own) is None
    assert map_desk.ask(player, CANCEL, id=own)["cancelJob"]["job"]["state"] == "CANCELLED"


def test_a_key_cancels_one_job_alone(map_desk: MapDesk) -> None:
    owner = somebody()
    one, other = map_desk.queued(owner), map_desk.queued(owner)
    first = map_desk.ask(owner, CANCEL, id=one, key="stop")["cancelJob"]
    assert map_desk.ask(owner, CANCEL, id=one, key="stop")["cancelJob"] == first
    assert map_desk.ask(owner, CANCEL, id=other, key="stop")["cancelJob"]["code"] == "IDEMPOTENCY_CONFLICT"
    assert map_desk.ask(owner, JOB, id=other)["job"]["state"] == "QUEUED"


CONTENT = """
query ($id: ID!) {
  map(id: $id) {
    grid { title } realm { title } story { title } region { title }
    content {
      __typename
      ... on GridMap { title terrains { letter } cells }
      ... on ForgebornRealm { title places { key } }
      ... on Story { title forces { key } }
      ... on Region { title sites { key } }
    }
  }
}
"""


@pytest.mark.parametrize(
    ("kind", "parameters", "field", "type_name"),
    [
        ("forgebornRealm", {}, "realm", "ForgebornRealm"),
        ("story", {}, "story", "Story"),
        ("dungeon", {"width": 21, "height": 21}, "grid", "GridMap"),
        ("region", {"width": 64, "height": 64}, "region", "Region"),
    ],
)
def test_content_is_what_a_map_of_any_kind_holds(
    map_desk: MapDesk, kind: str, parameters: dict[str, Any], field: str, type_name: str
) -> None:
    viewer = somebody()
    found = map_desk.ask(viewer, CONTENT, id=map_desk.made(viewer, map={kind: parameters}))["map"]
    content = found.pop("content")
    assert content["__typename"] == type_name and len(content) == (4 if field == "grid" else 3)
    assert found == dict.fromkeys(("grid", "realm", "story", "region")) | {field: {"title": content["title"]}}


@pytest.mark.parametrize("bad", ["", "job_x", "map_\a", "💥", "job_" + "z" * 5_000])
def test_ids_that_are_none_are_not_found(map_desk: MapDesk, bad: str) -> None:
    viewer = somebody()
    assert map_desk.ask(viewer, JOB, id=bad)["job"] is None
    assert map_desk.ask(viewer, MAP, id=bad)["map"] is None
    assert map_desk.ask(viewer, MAPS, campaign=bad)["maps"] is None
    assert map_desk.ask(viewer, CANCEL, id=bad)["cancelJob"]["code"] == "NOT_FOUND"


def test_keys_without_the_scope_and_people_without_a_key_are_turned_away(map_desk: MapDesk) -> None:
    sent = {"map": {"forgebornRealm": {"seed": "7"}}}
    answer = map_desk.answer(somebody("read"), GENERATE, input=sent)
    assert answer["data"]["generateMap"]["code"] == "FORBIDDEN"
    answer = map_desk.answer(Viewer(), GENERATE, input=sent)
    assert answer["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
    assert map_desk.ask(Viewer(), ENTITIES, all=[{"__typename": "Map", "id": new_id("map")}]) == {
        "_entities": [None]
    }


def test_without_the_campaign_service_ones_own_maps_are_made_and_seen(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm = somebody()
    at_table(tables, gm=gm)
    tables.broken = True
    assert map_desk.generate(gm, CAMPAIGN)["code"] == "UNAVAILABLE"
    made = map_desk.made(gm)
    assert map_desk.ask(gm, MAP, id=made)["map"]["id"] == made


def test_the_stored_model_is_canonical(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, realm={"seed": "11"})
    content = map_desk.internal(viewer, f"maps/{made}/files/map.json").content
    assert orjson.dumps(orjson.loads(content), option=orjson.OPT_SORT_KEYS) == content
