"""A stranger beside an attacker with ten addresses and full budgets is answered in p99 <= 300 ms.

Ten accounts, each from an address of its own and with a full bucket, ask the requests of
``infra/gates/costly`` as fast as they are answered, for half a minute. Somebody who has nothing to do with
them rolls a die, asks who they are and lists their campaigns meanwhile; every answer of theirs is timed. The
attackers are in a process of their own, which stands back for others: their machines would be others too.

Told beside it is what does not depend on who else uses the machine: how much processor time all processes of
the product together had while the stranger waited; the machine's load, and whether Linux shares processors
between sessions first (``autogroup``), which alone has a process that wakes wait up to 0.7 s for one.
"""

import itertools
import math
import multiprocessing
import os
import random
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import httpx

from infra.gates.frame.command import Options, say
from infra.gates.frame.figures import Figure, Wanted
from infra.gates.frame.house import House
from infra.gates.frame.processor import processor_ms
from infra.gates.frame.requests import Asked, all_asked, ids_of
from tests.e2e.product import Person, Product, from_elsewhere
from tests.e2e.table import World, join

ADDRESSES = 10
SECONDS = 30.0
LEAST_ANSWERS = 100
BETWEEN = 0.05
NICENESS = 5
LAST_SECONDS = 60.0
"""How long the last answers to attackers may take."""
P99_MS = 300.0
NAMES = ("roll", "me", "list")
"""What the stranger asks, in turn."""
LIST = "{ campaigns(first: 5) { nodes { id name } } }"


def run(house: House, options: Options) -> Iterable[Figure]:
    """Attack for half a minute; yields how quickly the stranger was answered, and how often not at all."""
    chosen = [one for _, one in all_asked(house.world) if not one.background and one.map_file is None]
    yield from beside(house.world, chosen, seconds=SECONDS, attackers=ADDRESSES, seed=options.seed)


def beside(
    world: World,
    requests: list[Asked],
    *,
    seconds: float,
    attackers: int,
    seed: int,
    least: int = LEAST_ANSWERS,
) -> Iterator[Figure]:
    """Time a stranger's requests beside attackers.

    Args:
        world: the table that the attackers ask about; they are its players.
        requests: what they ask.
        seconds: how long.
        attackers: how many, each with an account and an address.
        seed: what the order of their requests is drawn from.
        least: how many answers make a percentile.
    """
    stranger = replace(world.product.sign_up("Stranger"), address=from_elsewhere())
    attacking = [
        replace(join(world.product.sign_up("Attacker"), world.gm, world.campaign), address=from_elsewhere())
        for _ in range(attackers)
    ]
    world.product.fill_buckets()
    with _attacked(world, attacking, requests, seed) as asked:
        times, work, failed = _timed(stranger, seconds)
    slow = sorted(zip(times, itertools.cycle(NAMES), strict=False), reverse=True)[:3]
    say("slowest: " + ", ".join(f"{name} {ms:.0f} ms" for ms, name in slow))
    times.sort()
    work.sort()
    more = {
        "p50": round(_percentile(times, 0.5), 1),
        "worst": round(times[-1], 1),
        "attacks": sum(asked),
        "work_p50": round(_percentile(work, 0.5), 1),
        "work_p99": round(_percentile(work, 0.99), 1),
        "load": round(os.getloadavg()[0], 1),
        "autogroup": _autogroup(),
    }
    yield Figure("stranger.answers", len(times), "answers", least, Wanted.AT_LEAST)
    yield Figure("stranger.failed", len(failed), "answers", 0, findings=tuple(failed))
    yield Figure("stranger.p99", _percentile(times, 0.99), "ms", P99_MS, Wanted.AT_MOST, more=more)


@contextmanager
def _attacked(world: World, attacking: list[Person], requests: list[Asked], seed: int) -> Iterator[list[int]]:
    """Have everyone of ``attacking`` ask until the block ends; after it the list holds how often each did."""
    forks, asked = multiprocessing.get_context("fork"), [0] * len(attacking)
    stop, (counts, theirs) = forks.Event(), forks.Pipe(duplex=False)

    def attack() -> None:
        os.nice(NICENESS)
        done = [0] * len(attacking)
        threads = [
            threading.Thread(target=_attack, args=(world, person, requests, seed + place, stop, done, place))
            for place, person in enumerate(attacking)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        theirs.send(done)

    process = forks.Process(target=attack)
    process.start()
    try:
        yield asked
    finally:
        stop.set()
        if counts.poll(LAST_SECONDS):
            asked[:] = counts.recv()
        process.join()


def _attack(
    world: World,
    person: Person,
    requests: list[Asked],
    seed: int,
    stop: Event,
    asked: list[int],
    place: int,
) -> None:
    chance, ids = random.Random(seed), ids_of(world)
    with httpx.Client(timeout=20, trust_env=False, base_url=world.product.url) as client:
        while not stop.is_set():
            request: dict[str, Any] = chance.choice(requests).filled(ids)
            request["headers"] = {**person.headers, **request["headers"]}
            try:
                client.request(**request)
            except httpx.HTTPError:
                stop.wait(BETWEEN)
            asked[place] += 1


def _timed(person: Person, seconds: float) -> tuple[list[float], list[float], list[str]]:
    """Ask small questions for some seconds.

    Returns:
        Of each answer the milliseconds until it came, and those of processor time that the product had in
        them; and what failed.
    """
    product = person.product
    assert isinstance(product, Product), "what runs in this process has no processor time of its own"
    times: list[float] = []
    work: list[float] = []
    failed: list[str] = []
    with httpx.Client(timeout=20, trust_env=False, base_url=person.product.url) as client:
        asking: list[dict[str, Any]] = [
            {"method": "POST", "url": "/v1/rolls", "json": {"expression": "1d20"}},
            {"method": "GET", "url": "/v1/me"},
            {"method": "POST", "url": "/graphql", "json": {"query": LIST}},
        ]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            request = asking[len(times) % len(asking)]
            used, began = processor_ms(product.process.pid), time.monotonic()
            try:
                answer = client.request(**request, headers=person.headers)
                if answer.status_code >= 400:
                    failed.append(f"{request['url']}: {answer.status_code} {answer.text[:100]}")
            except httpx.HTTPError as failure:
                failed.append(f"{request['url']}: {type(failure).__name__}")
            times.append((time.monotonic() - began) * 1_000)
            work.append(processor_ms(product.process.pid) - used)
            time.sleep(BETWEEN)
    return times, work, failed


def _autogroup() -> bool:
    """Tell whether the system groups processes by session; containers and units with a share are exempt."""
    setting = Path("/proc/sys/kernel/sched_autogroup_enabled")
    return setting.exists() and setting.read_text("ascii").strip() == "1"


def _percentile(ordered: list[float], share: float) -> float:
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
