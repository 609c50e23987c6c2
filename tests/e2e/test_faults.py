"""What breaks comes back, and nothing is lost: restarts, killed services, a killed worker, a killed Valkey.

These tests come last of all that share a product (``tests/groups.py``): what they break is nobody else's any
more, and that it stops cleanly afterwards is proven at the end of the run. They run on PostgreSQL; a restart, and
what a killed writer leaves behind, are proven on both kinds of database.
"""

import io
import json
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from services.shared.pagination import cursor_of_number
from tests.at_length import part_or_whole
from tests.databases import ON_BOTH
from tests.e2e.documents import MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import Product, listening, until
from tests.e2e.table import (
    World,
    build_world,
    create_hero,
    ended,
    found_campaign,
    hero,
    log,
    make_map,
    note,
    queue_batch,
    queue_map,
    roll,
)

pytestmark = pytest.mark.backends("postgres")

ACROSS = """
query ($id: ID!) {
  me { name }
  campaign(id: $id) {
    name
    members { role account { name } characters { id name sheet { name } rolls(first: 1) { nodes { id } } } }
    rolls(first: 1) { nodes { id } }
    maps(first: 1) { nodes { id } }
  }
}
"""


@pytest.fixture(scope="module")
def world(product: Product) -> World:
    """Set the table."""
    return build_world(product)


def everything(world: World) -> dict[str, Any]:
    """Read all that the GM's table and the player keep, through the public port."""
    gm, player = world.gm, world.player
    svg = player.get(f"/v1/maps/{world.map}/map.svg")
    sheet = player.get(f"/v1/characters/{world.hero}/sheet")
    assert (svg.status_code, sheet.status_code) == (200, 200)
    return {
        "me": player.ask(QUERIES["me"]),
        "campaign": gm.ask(QUERIES["campaign"], id=world.campaign),
        "log": log(gm, world.campaign),
        "rolls": gm.ask(QUERIES["rolls"], campaignId=world.campaign),
        "own rolls": player.ask(QUERIES["roll"], id=world.own_roll),
        "character": player.ask(QUERIES["character"], id=world.hero),
        "map": player.ask(QUERIES["map"], id=world.map),
        "job": gm.ask(QUERIES["job"], id=world.job),
        "svg": (svg.content, svg.headers["etag"]),
        "sheet": (sheet.content, sheet.headers["etag"]),
    }


def settled(world: World) -> int:
    """Wait until the roll and the map stand in the log, and give the number of its last entry."""
    expected = {"roll.recorded", "map.made"}
    until(
        lambda: {entry["kind"] for entry in log(world.gm, world.campaign)} >= expected,
        "the log to hear of roll and map",
    )
    return int(log(world.gm, world.campaign)[-1]["seq"])


# A service is killed


def broken_answer(world: World, path: tuple[str | int, ...]) -> dict[str, Any]:
    """Ask across all services until the part at ``path`` is missing, and give that answer."""

    def look() -> dict[str, Any] | None:
        answer: dict[str, Any] = world.gm.answer(ACROSS, id=world.campaign)
        return answer if dig(answer["data"], path) is None else None

    return until(look, f"{path} to be missing", seconds=10)


def dig(value: Any, path: tuple[str | int, ...]) -> Any:
    """Follow a path through an answer; None as soon as something is missing."""
    for step in path:
        value = None if value is None else value[step]
    return value


HERO = ("campaign", "members", 1, "characters", 0)


@pytest.mark.parametrize(
    ("service", "missing", "kept"),
    [
        (
            "dice",
            ("campaign", "rolls"),
            [("me", "name"), ("campaign", "name"), (*HERO, "sheet", "name"), ("campaign", "maps", "nodes")],
        ),
        (
            "character",
            (*HERO, "sheet"),
            [
                ("me", "name"),
                ("campaign", "name"),
                ("campaign", "rolls", "nodes"),
                ("campaign", "maps", "nodes"),
            ],
        ),
        (
            "map",
            ("campaign", "maps"),
            [("me", "name"), ("campaign", "name"), ("campaign", "rolls", "nodes"), (*HERO, "sheet", "name")],
        ),
        ("campaign", ("campaign",), [("me", "name")]),
    ],
)
def test_killed_service_is_missed_alone_and_comes_back(
    product: Product,
    world: World,
    service: str,
    missing: tuple[str | int, ...],
    kept: list[tuple[str | int, ...]],
) -> None:
    before = everything(world)
    whole = world.gm.ask(ACROSS, id=world.campaign)
    killed = product.kill(service)
    broken = broken_answer(world, missing)
    codes = {error["extensions"]["code"] for error in broken["errors"]}
    assert codes == {"SUBGRAPH_UNAVAILABLE"}
    assert "127.0.0.1" not in str(broken["errors"])
    for path in kept:
        assert dig(broken["data"], path) is not None, f"{path} went down with {service}"
    product.wait_back(service, killed)
    assert world.gm.ask(ACROSS, id=world.campaign) == whole
    assert everything(world) == before
    note(world.gm, world.campaign, f"{service} is back")
    rolled = roll(world.player, "1d6", campaignId=world.campaign)
    assert rolled["campaign"] == {"id": world.campaign}
    # What is read next is compared with what is read after another service was killed.
    until(lambda: log(world.gm, world.campaign)[-1]["subject"] == rolled["id"], "the log to hear of the roll")


def test_without_the_account_service_nobody_is_mistaken_for_anybody(product: Product, world: World) -> None:
    killed = product.kill("account")
    seen = set()

    def look() -> bool:
        answer = world.gm.graph("{ me { id } systems { slug } }")
        rest = world.gm.get("/v1/me")
        seen.update({answer.status_code, rest.status_code})
        assert (answer.status_code, rest.status_code) != (
            401,
            401,
        )  # the key is good: it must not be told otherwise
        return {503} <= {answer.status_code} and rest.status_code in (502, 503)

    until(look, "keys that cannot be checked")
    assert seen <= {200, 502, 503}
    product.wait_back("account", killed)
    assert world.gm.ask("{ me { id } }") == {"me": {"id": world.gm.id}}


def test_killed_gateway_comes_back_on_the_same_port(product: Product, world: World) -> None:
    before = everything(world)
    killed = product.kill("gateway")
    until(lambda: product.pid("gateway") not in (None, killed), "the gateway to be started again")
    until(product.ready, "the gateway to answer")
    assert everything(world) == before


def test_subscription_goes_on_after_its_service_was_killed(product: Product, world: World) -> None:
    """The stream breaks with the service; who resumes after the last number misses nothing."""
    last = note(world.gm, world.campaign, "before the fall")
    document = SUBSCRIPTIONS["campaignLog"]
    with listening(
        world.gm, "sse", document, campaignId=world.campaign, after=cursor_of_number(last - 1)
    ) as listener:
        assert listener.next()["seq"] == last
        killed = product.kill("campaign")
        end = listener.answer()
        assert end is None or end["errors"]
    product.wait_back("campaign", killed)
    note(world.gm, world.campaign, "after the fall")
    with listening(
        world.gm, "sse", document, campaignId=world.campaign, after=cursor_of_number(last)
    ) as listener:
        entry = listener.next()
    assert (entry["seq"], entry["text"]) == (last + 1, "after the fall")


@ON_BOTH
def test_writes_under_fire_happen_once_or_not_at_all(product: Product) -> None:
    """Clients that repeat with their key, while the service is killed, leave exactly one roll each."""
    roller = product.sign_up("Stubborn")
    killing = threading.Event()

    def stubborn(number: int) -> str:
        asked = {"expression": "1d20", "label": f"throw {number}", "idempotencyKey": f"throw-{number}"}
        if number >= 10:
            killing.wait(20)  # these find the service just gone

        def attempt() -> str | None:
            try:
                answer = roller.graph(MUTATIONS["roll"], {"input": asked}).json()
            except (httpx.HTTPError, ValueError):
                return None
            return (((answer.get("data") or {}).get("roll") or {}).get("roll") or {}).get("id")

        return until(attempt, f"throw {number}", seconds=40)

    with ThreadPoolExecutor(8) as pool:
        throws = [pool.submit(stubborn, number) for number in range(20)]
        until(lambda: sum(throw.done() for throw in throws) >= 4, "some throws")
        killed = product.kill("dice")
        killing.set()
        ids = [throw.result() for throw in throws]
    product.wait_back("dice", killed)
    # All these attempts have emptied the bucket; reading waits until it has filled again.
    answer = until(
        lambda: read if (read := roller.graph(QUERIES["rolls"], {"first": 25})).status_code == 200 else None,
        "points",
    )
    kept = answer.json()["data"]["rolls"]["nodes"]
    assert sorted(one["id"] for one in kept) == sorted(ids)
    assert sorted(one["label"] for one in kept) == sorted(f"throw {number}" for number in range(20))
    assert sorted(one["seq"] for one in kept) == list(range(1, 21))


# The worker and Valkey are killed


def test_map_job_survives_its_worker_and_is_done_once(product: Product, world: World) -> None:
    owner = product.sign_up("Patient")
    campaign = found_campaign(owner)
    made: dict[str, dict[str, Any]] = {}
    # Whether a kill falls into a job is chance here; tests/workers holds jobs open to make sure of it. What
    # must be true wherever it falls: every job ends well, with one map.
    for round_ in range(part_or_whole(1, 2)):
        jobs = [queue_map(owner, campaign, seed=10 * round_ + number) for number in range(1, 5)]
        with listening(owner, "sse", SUBSCRIPTIONS["jobProgress"], id=jobs[1]) as listener:
            while listener.next()["state"] == "QUEUED":
                pass
        killed = product.kill("worker")
        product.wait_back("worker", killed)
        made |= {job: ended(owner, job, seconds=60) for job in jobs}
    assert {job["state"] for job in made.values()} == {"SUCCEEDED"}
    kept = owner.ask(QUERIES["maps"], campaignId=campaign, first=50)["maps"]["nodes"]
    assert sorted(one["id"] for one in kept) == sorted(job["map"]["id"] for job in made.values())
    for one in kept:
        assert owner.get(f"/v1/maps/{one['id']}/map.svg").status_code == 200

    def told() -> list[str]:
        return [entry["subject"] for entry in log(owner, campaign) if entry["kind"] == "map.made"]

    until(lambda: len(told()) >= len(made), "the log to hear of every map")
    assert sorted(told()) == sorted(one["id"] for one in kept)


def test_batch_of_maps_survives_its_worker_with_no_map_lost_or_doubled(
    product: Product, world: World
) -> None:
    owner, count = product.sign_up("Patient"), part_or_whole(400, 800)
    batch = queue_batch(owner, count, seed="3")

    def done() -> int:
        return int(owner.get(f"/v1/batches/{batch}").json()["done"])

    for _ in range(part_or_whole(1, 2)):
        before = done()
        until(lambda before=before: done() > before, "a further part of the batch")  # type: ignore[misc]
        assert done() < count, "the batch was done before its worker could be killed"
        product.wait_back("worker", product.kill("worker"))
    assert ended(owner, batch, seconds=90)["state"] == "SUCCEEDED"
    lines = [json.loads(line) for line in owner.get(f"/v1/batches/{batch}/maps.ndjson").text.splitlines()]
    assert [line["number"] for line in lines] == list(range(count))
    with zipfile.ZipFile(io.BytesIO(owner.get(f"/v1/batches/{batch}/maps.zip").content)) as files:
        assert files.testzip() is None
        assert [int(name[:5]) for name in files.namelist()] == list(range(count))
    # What comes of a seed does not depend on who was killed meanwhile.
    undisturbed = queue_batch(owner, 2, seeds=[lines[0]["seed"], lines[-1]["seed"]])
    assert ended(owner, undisturbed)["state"] == "SUCCEEDED"
    again = owner.get(f"/v1/batches/{undisturbed}/maps.ndjson").text.splitlines()
    assert [json.loads(line)["map"] for line in again] == [lines[0]["map"], lines[-1]["map"]]


def test_events_and_jobs_go_on_after_valkey_was_killed(product: Product, world: World) -> None:
    gm, campaign = world.gm, world.campaign
    last = note(gm, campaign, "with Valkey")
    waiting = queue_map(gm, campaign, seed=31)
    with (
        listening(
            gm, "websocket", SUBSCRIPTIONS["campaignLog"], campaignId=campaign, after=cursor_of_number(last)
        ) as log_listener,
        listening(gm, "sse", SUBSCRIPTIONS["rollRecorded"]) as roll_listener,
    ):
        killed = product.kill("valkey")
        # Reading and writing need no Valkey, nor do the limits stand in the way.
        note(gm, campaign, "without Valkey")
        thrown = roll(gm, "1d6")
        product.wait_back("valkey", killed)
        note(gm, campaign, "with Valkey again")
        heard: list[str] = []
        while "with Valkey again" not in heard:
            entry = log_listener.next()
            assert entry["seq"] == last + len(heard) + 1  # no gap, no double
            heard.append(entry["text"])
        assert "without Valkey" in heard
        assert roll_listener.next()["id"] == thrown["id"]
    assert ended(gm, waiting)["state"] == "SUCCEEDED"
    assert make_map(gm, campaign, seed=32)["attempt"] == 1
    # What happened in other services while the streams were away still comes into the log, once.
    until(
        lambda: [entry["kind"] for entry in log(gm, campaign)][-1] == "map.made" or None,
        "the log to hear of the map",
    )
    subjects = [
        entry["subject"] for entry in log(gm, campaign) if entry["kind"] in ("map.made", "roll.recorded")
    ]
    assert len(subjects) == len(set(subjects))
    limited = gm.answer("{ me { id } }")["extensions"]["cost"]
    assert limited["remaining"] is not None


# Last, so that it keeps what all of this has left behind as well


@ON_BOTH
def test_stop_and_start_keep_everything(product: Product, world: World) -> None:
    last = settled(world)
    before = everything(world)
    seqs = [entry["seq"] for entry in before["log"]]
    assert seqs == list(range(1, last + 1))
    old = {(one.pid, one.command) for one in product.family()}
    assert product.restart() == 0
    assert not old & {(one.pid, one.command) for one in product.family()}
    assert everything(world) == before
    with listening(
        world.gm,
        "websocket",
        SUBSCRIPTIONS["campaignLog"],
        campaignId=world.campaign,
        after=cursor_of_number(last),
    ) as listener:
        note(world.gm, world.campaign, "The next evening")
        assert listener.next() | {"account": None, "createdAt": None} == {
            "cursor": cursor_of_number(last + 1),
            "seq": last + 1,
            "kind": "note",
            "text": "The next evening",
            "subject": None,
            "account": None,
            "externalAuthor": None,
            "createdAt": None,
        }
    made = create_hero(world.player, name="Late arrival")
    edit = {"id": made, "version": 1, "build": hero(name="Still here")}
    assert world.player.do(MUTATIONS["updateCharacter"], input=edit)["character"]["name"] == "Still here"
