"""Sockets and streams that come and go for ten minutes leave nothing behind.

Two hundred clients, half of them over WebSockets and half over server-sent events, follow a table's rolls
while dice are rolled, and leave by completing, closing, terminating or vanishing, again and again. Then the
product must hold what it held before: connections, open files and memory of each process, within a stated
drift, and answer the same questions with the same answers. What it held before is measured after a short
wave, when everything is loaded and all pools are as large as they get.

Nothing is rolled towards the end of it: a stream that only ends with its next event would be found out then.
"""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from infra.gates.contract import never_empty
from infra.gates.frame.command import Options, say
from infra.gates.frame.crowd import Crowd
from infra.gates.frame.figures import Figure, Wanted
from infra.gates.frame.garbage import collect_garbage
from infra.gates.frame.holdings import Holding, holdings
from infra.gates.frame.house import House
from tests.e2e.documents import QUERIES
from tests.e2e.product import Person, Product
from tests.e2e.table import World, join

CLIENTS = 200
# An account may have a hundred streams at a time.
CLIENTS_OF_ONE = 20
BETWEEN_ROLLS = 0.4
WARM_SECONDS = 15.0
SETTLE_SECONDS = 45.0
LEAST_LEAVES_A_SECOND = 5.0
# Many leave before they have heard anything.
EVENTS_SHARE = 4
QUIET_SECONDS = 30.0
QUIET_SHARE = 0.5
CALM_LOOKS = 3
BETWEEN_LOOKS = 0.5
# Connections between the parts are kept for the next request: a few more or less are none that leaked.
SOCKETS_DRIFT = 12
FILES_DRIFT = 16
MEMORY_DRIFT = 0.15
MEMORY_DRIFT_MIB = 30.0
ROLLS = """
subscription ($id: ID!, $after: String) { rollRecorded(campaignId: $id, after: $after) { id total } }
"""
MEMBERS = "query ($id: ID!) { campaign(id: $id) { name version members { role account { name } } } }"
LAST = "query ($id: ID!) { rolls(campaignId: $id, first: 1) { nodes { cursor } } }"


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how often clients left, what failed, and how far each holding is from the start."""
    yield from soaked(house.world, seconds=options.minutes * 60, clients=CLIENTS, seed=options.seed)


def soaked(
    world: World,
    *,
    seconds: float,
    clients: int,
    seed: int,
    warm: float = WARM_SECONDS,
    rest: float = SETTLE_SECONDS,
) -> Iterator[Figure]:
    """Has clients come and go for a time.

    Args:
        world: the table whose rolls they follow.
        seconds: how long.
        clients: how many at a time.
        seed: what their behaviour is drawn from.
        warm: how long the first wave is.
        rest: how long may be waited for what is held to be as before.
    """
    people = [world.player]
    while len(people) * CLIENTS_OF_ONE < clients:
        people.append(join(world.product.sign_up("Listener"), world.gm, world.campaign))
    last = world.gm.ask(LAST, id=world.campaign)["rolls"]["nodes"][0]["cursor"]
    follow: dict[str, object] = {"query": ROLLS, "variables": {"id": world.campaign, "after": last}}

    def wave(length: float, quiet: float) -> Crowd:
        crowd = Crowd(people, world.product.url, follow)
        with never_empty(world.product), rolling(world.player, world.campaign, length - quiet):
            asyncio.run(crowd.throng(clients, length, seed))
        return crowd

    wave(warm, 0)
    # Whatever still waits for an event has had one now, and does not count as what was there before.
    world.player.post("/v1/rolls", {"expression": "1d20", "campaignId": world.campaign})
    before = at_rest(world, None, rest)
    answers = answered(world)
    crowd = wave(seconds, min(QUIET_SECONDS, QUIET_SHARE * seconds))
    after = at_rest(world, before, rest)
    left = sum(crowd.left.values())
    told = {f"left by {way}": count for way, count in sorted(crowd.left.items())}
    yield Figure("soak.left", left, "times", seconds * LEAST_LEAVES_A_SECOND, Wanted.AT_LEAST, more=told)
    yield Figure("soak.events", crowd.events, "events", left / EVENTS_SHARE, Wanted.AT_LEAST)
    failed = tuple(f"{count} times {what}" for what, count in crowd.failures.most_common())
    yield Figure("soak.failures", sum(crowd.failures.values()), "failures", 0, findings=failed)
    yield from drifts(before, after)
    changed = [name for name, answer in answered(world).items() if answer != answers[name]]
    yield Figure("soak.answers", len(changed), "changed answers", 0, findings=tuple(changed))


def drifts(before: dict[str, Holding], after: dict[str, Holding]) -> Iterator[Figure]:
    """Yields how much more each process holds than before."""
    for name, held in before.items():
        now = after.get(name)
        if now is None:
            yield Figure(f"soak.{name}", 0, "processes", 1)
            continue
        for what, unit, allowed in (
            ("sockets", "connections", SOCKETS_DRIFT),
            ("files", "open files", FILES_DRIFT),
            ("memory", "MiB", max(MEMORY_DRIFT_MIB, held.memory * MEMORY_DRIFT)),
        ):
            more = getattr(now, what) - getattr(held, what)
            told = {"before": round(getattr(held, what), 1), "after": round(getattr(now, what), 1)}
            yield Figure(f"soak.{name}.{what}", more, unit, allowed, Wanted.AT_MOST, more=told)


def at_rest(world: World, before: dict[str, Holding] | None, seconds: float) -> dict[str, Holding]:
    """Waits until what is held does not shrink any more, or is as it was before; returns it."""
    assert isinstance(world.product, Product), "what runs in this process holds nothing of its own"
    collect_garbage(world.product)
    held = dict(holdings(world.product))
    end = time.monotonic() + seconds
    calm = 0
    while calm < CALM_LOOKS and time.monotonic() < end:
        time.sleep(BETWEEN_LOOKS)
        collect_garbage(world.product)
        now = dict(holdings(world.product))
        if before is not None and all(figure.met for figure in drifts(before, now)):
            return now
        shrinks = any(now[name].sockets < held[name].sockets for name in now.keys() & held.keys())
        # With nothing to compare with, calm is enough; else all the time there is may be taken.
        calm = 0 if shrinks or before is not None else calm + 1
        held = now
    if before is not None:
        say(f"it did not come to rest within {seconds:.0f} s")
    return held


def answered(world: World) -> dict[str, Any]:
    """Asks what no roll changes; returns the answers."""
    asked = {
        "me": {},
        "character": {"id": world.hero},
        "map": {"id": world.dungeon},
        "mapBatch": {"id": world.batch},
        "systems": {},
    }
    found = {name: world.gm.answer(QUERIES[name], **variables) for name, variables in asked.items()}
    found["campaign"] = world.gm.answer(MEMBERS, id=world.campaign)
    return {name: json.dumps(answer.get("data")) for name, answer in found.items()}


@contextmanager
def rolling(person: Person, campaign: str, seconds: float) -> Iterator[None]:
    """Rolls dice at a table for a time, at most as long as the block runs."""
    stop = threading.Event()

    def roll() -> None:
        end = time.monotonic() + seconds
        while not stop.wait(BETWEEN_ROLLS) and time.monotonic() < end:
            with contextlib.suppress(httpx.HTTPError):
                person.post("/v1/rolls", {"expression": "1d20", "campaignId": campaign})

    rolls = threading.Thread(target=roll)
    rolls.start()
    try:
        yield
    finally:
        stop.set()
        rolls.join()
