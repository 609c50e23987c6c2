"""Maps of a running product: pictures on demand through its public door, and batches by two workers."""

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from itertools import count, product
from typing import Any

import httpx
from redis.asyncio import Redis

from infra.benchmarks.harness.cases import BenchFailure, Case, Figures, Sample
from infra.benchmarks.harness.product import Product
from infra.benchmarks.harness.tables import Guest
from infra.launch import warden
from infra.launch.bootstrap import ROOT
from infra.launch.environment import for_process
from infra.launch.guard import running_warden
from infra.launch.processes import CELERY

PATIENCE = 60.0
STOP_SECONDS = 10.0
MAPS = 10
PIXELS = (39, 38, 37, 36)
"""To a cell of maps of 51 by 51 cells: just below 4 Mpx."""
LIMIT_MS = 150.0
ENDED = ("SUCCEEDED", "FAILED", "CANCELLED", "DEAD")
POLL = 0.05

WORKER = (*CELERY, "--concurrency", "1", "--queues", "maps", "--hostname", "second@%h")
"""A second worker beside the product's own, which is started by the same words but the last two."""


@asynccontextmanager
async def rest(address: str, guest: Guest) -> AsyncIterator[httpx.AsyncClient]:
    """Open the REST face for somebody."""
    headers = {"authorization": f"Bearer {guest.key}"}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60, trust_env=False) as client:
        yield client


async def asked(client: httpx.AsyncClient, method: str, path: str, body: Any = None) -> Any:
    """Ask for JSON.

    Raises:
        BenchFailure: it is refused.
    """
    answer = await client.request(method, path, json=body)
    if not answer.is_success:
        raise BenchFailure(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
    return answer.json()


# On demand


async def dungeons(client: httpx.AsyncClient, number: int = MAPS) -> list[str]:
    """Have some dungeons made; gives their ids."""
    jobs = [
        await asked(client, "POST", "/v1/maps", {"kind": "DUNGEON", "seed": str(seed)})
        for seed in range(number)
    ]
    return [str((await _ended(client, f"/v1/jobs/{job['id']}"))["map"]["id"]) for job in jobs]


async def pictures(client: httpx.AsyncClient, maps: Sequence[str], rounds: Sequence[int] = PIXELS) -> Figures:
    """Ask for one flat picture after another, each of which was never drawn before.

    Args:
        client: asks.
        maps: ids of maps.
        rounds: pixels to a cell in each round; twice as many pictures as there are maps are asked for.
    """
    await _picture(client, maps[0], 8, True)  # the process that draws starts with the first picture
    return Figures([await _round(client, maps, pixels) for pixels in rounds])


async def _round(client: httpx.AsyncClient, maps: Sequence[str], pixels: int) -> Sample:
    took: list[float] = []
    failures: list[str] = []
    began = time.perf_counter()
    for grid, map_id in product((True, False), maps):
        asked_at = time.perf_counter()
        answer = await _picture(client, map_id, pixels, grid)
        spent = (time.perf_counter() - asked_at) * 1000
        if answer.status_code == httpx.codes.OK and answer.content.startswith(b"\x89PNG"):
            took.append(spent)
        else:
            failures.append(f"{answer.status_code} {answer.text[:300]}")
    if not took:
        raise BenchFailure(f"no picture was drawn: {failures[0]}")
    return Sample(time.perf_counter() - began, took, failures)


async def _picture(client: httpx.AsyncClient, map_id: str, pixels: int, grid: bool) -> httpx.Response:
    query: Mapping[str, str | int] = {"style": "flat", "px": pixels, "grid": str(grid).lower()}
    return await client.get(f"/v1/maps/{map_id}/map.png", params=query)


def pictures_case(figures: Figures) -> Case:
    """Tell how long pictures take."""
    return Case(
        "flat PNG of 4 Mpx on demand through the gateway, p95",
        figures.latency(95),
        "ms",
        against=LIMIT_MS,
        against_name="the longest it may take",
        target=1.0,
        more={"p50_ms": figures.latency(50), "measured": figures.done},
        failures=figures.failures,
        less_is_better=True,
    )


# Batches

_seeds = count(1)


async def batch(client: httpx.AsyncClient, number: int) -> float:
    """Have a batch of dungeons made, each with its SVG; gives how many are made in a second.

    Raises:
        BenchFailure: not all of them were made.
    """
    order = {"kind": "DUNGEON", "seed": str(next(_seeds)), "count": number, "formats": ["SVG"]}
    began = time.perf_counter()
    job = await asked(client, "POST", "/v1/batches", order)
    ended = await _ended(client, f"/v1/batches/{job['id']}")
    spent = time.perf_counter() - began
    if ended["done"] != number:
        raise BenchFailure(f"{ended['done']} of {number} maps of a batch were made: {ended['job']}")
    return number / spent


async def _ended(client: httpx.AsyncClient, path: str) -> Any:
    """Wait for a job, or a batch by its job."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = await asked(client, "GET", path)
        state = found.get("job", found)["state"]
        if state == "SUCCEEDED":
            return found
        if state in ENDED or time.monotonic() > deadline:
            raise BenchFailure(f"{path} is {state} after {PATIENCE:.0f} s at most: {found}")
        await asyncio.sleep(POLL)


def batch_case(number: int, alone: float, together: float) -> Case:
    """Tell how fast batches are made."""
    return Case(
        f"batch of {number:,} dungeons 51x51 with SVG through REST, 2 workers of one process",
        together,
        "maps/s",
        against=alone,
        against_name="the same, 1 worker",
    )


@asynccontextmanager
async def second_worker(running: Product) -> AsyncIterator[None]:
    """Run another worker beside the product's own, once it listens.

    Raises:
        BenchFailure: it does not start.
    """
    async with Redis.from_url(running.environment["REDIS_URL"]) as redis:
        before = await _listening(redis)
        with _worker(running) as process:
            deadline = time.monotonic() + PATIENCE
            while await _listening(redis) <= before:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise BenchFailure("a second worker did not start")
                await asyncio.sleep(POLL)
            yield


async def _listening(redis: Redis) -> int:
    """Count the connections that wait for messages: each worker has one."""
    return sum(client["cmd"] == "brpop" for client in await redis.client_list())


@contextmanager
def _worker(running: Product) -> Iterator["subprocess.Popen[bytes]"]:
    with running_warden(grace=STOP_SECONDS) as guard:
        process = subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", str(warden.__file__), "tether", str(guard.pipe)),
                *(sys.executable, "-m", *WORKER),
            ],
            env=for_process("worker", running.environment),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(guard.pipe,),
            start_new_session=True,
        )
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()  # the warden ends its children
                process.wait()
            else:
                guard.ended(process.pid)
