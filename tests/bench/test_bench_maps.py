"""The benchmark of maps: every case with tiny counts, figures of made-up maps, the peer in Node."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import numpy as np
import pytest

from infra.benchmarks import maps
from infra.benchmarks.harness import map_memory, map_product, peers
from infra.benchmarks.harness.cases import BenchFailure, Figures, Sample
from infra.benchmarks.harness.map_making import DUNGEON, Floor, floors, made, making, on_one_core
from infra.benchmarks.harness.map_product import batch, batch_case, dungeons, pictures, pictures_case
from infra.benchmarks.harness.map_quality import Quality, distances, floor_of, look_at, quality_cases
from infra.benchmarks.harness.peers import FOLDER, DungeonPeer, dungeon_peer, dungeon_peer_name
from infra.launch import processes
from infra.launch.data_folder import DataFolder
from infra.launch.environment import Ports

LIBRARY = """
let seed = 0;
export const RNG = { setSeed(given) { seed = given; } };
export const Map = {
  Digger: class {
    constructor(width, height) { this.width = width; this.height = height; }
    create(dig) {
      if (seed < 0) throw new Error(`no seed: ${seed}`);
      for (let y = 0; y < this.height; y += 1) {
        for (let x = 0; x < this.width; x += 1) dig(x, y, y > 0 ? 1 : 0);
      }
    }
    getRooms() { return Array(seed).fill(0); }
  },
};
"""


@pytest.fixture
def digger(tmp_path: Path) -> Iterator[DungeonPeer]:
    """Run the peer with a module of the test's own in the place of the library."""
    path = tmp_path / "library.mjs"
    path.write_text(LIBRARY, "utf-8")
    with dungeon_peer(path) as peer:
        yield peer


# On one core


def test_dungeons_are_measured_beside_their_floor_and_the_peer(digger: DungeonPeer) -> None:
    cases = list(maps.on_the_floors(0.0, digger, rounds=1, sides={31: 1e-9, 41: 1e9}, others=[]))
    lines = [json.loads(case.line()) for case in cases]
    assert [line["target"] for line in lines] == [1.0, None, 1.0, None]
    assert [line["met"] for line in lines] == [True, None, False, None]
    assert all(line["value"] > 0 and line["measured"] == 1 for line in lines)
    assert lines[1]["against_measured"] >= 1
    assert lines[1]["against_case"] == f"{dungeon_peer_name()} Digger in Node"
    assert lines[1]["against"] > 0


def test_everything_with_a_floor_can_be_done() -> None:
    told = floors()
    assert len({floor.name for floor in told}) == len(told)
    limited = [floor for floor in told if floor.rate is not None or floor.limit_ms is not None]
    assert len(limited) == 6
    for floor in told:
        assert floor.thing(0), floor.name


def test_a_limit_is_told_as_a_time_and_a_floor_as_a_rate() -> None:
    found = Figures([Sample(1.0, [50.0] * 20)])
    slow = Floor("x", lambda number: number, limit_ms=40).case(found)
    quick = Floor("x", lambda number: number, rate=10).case(found)
    alone = Floor("x", lambda number: number).case(found)
    assert (slow.value, slow.ratio, slow.met) == (50.0, 0.8, False)
    assert (quick.value, quick.ratio, quick.met) == (20.0, 2.0, True)
    assert (alone.value, alone.ratio, alone.met) == (20.0, None, None)


async def test_every_turn_does_the_same_things_from_the_first() -> None:
    done: list[int] = []
    measure = on_one_core(done.append)
    first, second = await measure(0.0), await measure(0.0)
    assert (first.done, second.done, done) == (1, 1, [0, 0])
    more = await measure(0.005)
    assert done[2:] == list(range(more.done))


def test_a_map_that_cannot_be_made_is_told_in_one_line() -> None:
    with pytest.raises(BenchFailure, match="dungeon with seed 3: dungeon_parameter_out_of_range"):
        made(DUNGEON, 3, width=1)
    assert making(DUNGEON, width=21, height=21)(0) == making(DUNGEON, width=21, height=21)(0)


# The peer


async def test_the_peer_digs_for_so_long_as_it_is_told(digger: DungeonPeer) -> None:
    assert digger.look(9, 4) == (4, 9)
    sample = await digger.digging(21)(0.01)
    assert sample.done >= 1
    assert sum(sample.latencies) * sample.batch / 1000 == pytest.approx(sample.seconds)
    with pytest.raises(BenchFailure, match="no seed: -1"):
        digger.look(9, -1)


def test_the_peers_lock_names_the_dungeon_library_and_no_registry() -> None:
    lock = (FOLDER / "package-lock.json").read_text("utf-8")
    name, version = dungeon_peer_name().split()
    assert json.loads(lock)["packages"][f"node_modules/{name}"]["version"] == version
    assert '"resolved"' not in lock


def test_without_node_packages_the_maps_are_measured_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    with ExitStack() as stack:
        assert maps.digger_in_node(stack) is None
    assert "not measured beside rot-js: cannot read" in capsys.readouterr().err
    cases = list(maps.on_the_floors(0.0, None, rounds=1, sides={21: 1.0}, others=[]))
    assert [case.name for case in cases] == ["dungeon 21x21, model, checks and JSON"]


# Quality


def test_distances_are_those_of_each_pair() -> None:
    rows = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 0]], bool)
    assert distances(rows) == pytest.approx([0, 1, 2 / 3, 1, 2 / 3, 2 / 3])


def test_a_few_dungeons_are_looked_at() -> None:
    found = look_at(12)
    assert (found.count, found.distinct, len(found.unlike)) == (12, 12, 66)
    assert found.attempts >= 1
    assert 0 < found.loops < 1
    assert 0 < floor_of(made(DUNGEON, 0).model).mean() < 1
    assert [case.met for case in quality_cases(found)][3] is True


def test_dungeons_that_are_alike_or_all_loops_do_not_pass() -> None:
    good = Quality(10, 10, 0.3, 0.7, 1.1, np.array([0.5, 0.8]))
    assert [case.met for case in quality_cases(good)] == [True] * 6 + [None]
    bad = Quality(10, 9, 0.5, 0.5, 1.1, np.array([0.3, 0.8]))
    assert [case.met for case in quality_cases(bad)] == [True, False, False, False, False, False, None]


# Memory


def test_memory_is_that_of_the_last_maps_beside_the_first() -> None:
    samples = [(number, 100_000_000 + 1_000_000 * (number > 900)) for number in range(1, 1001)]
    case = map_memory.case_of(1000, samples)
    assert (case.value, case.against, case.met) == (101.0, 100.0, True)
    growing = map_memory.case_of(1000, [(number, 1_000_000 + 1_000 * number) for number in range(1, 1001)])
    assert growing.met is False


def test_a_batch_tells_what_memory_it_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(map_memory, "PART", 2)
    map_memory.tell(3)
    samples = [[int(word) for word in line.split()] for line in capsys.readouterr().out.splitlines()]
    assert [number for number, _ in samples][-1] == 3
    assert all(1 <= number <= 3 and size > 1_000_000 for number, size in samples)


# Of a product, with a made-up one in its place


class MadeUp:
    """Answers as the product does, as far as the benchmark asks.

    Attributes:
        asked: method and path of every request.
        shown: the query of every picture.
    """

    def __init__(self, *, state: str = "SUCCEEDED", short: int = 0, pictures: int = 200) -> None:
        self.asked: list[str] = []
        self.shown: list[tuple[str, str]] = []
        self._state, self._short, self._pictures = state, short, pictures
        self._count = 0
        self._looks = 0

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        self.asked.append(f"{request.method} {path}")
        if path.endswith("map.png"):
            self.shown.append((path, str(request.url.query)))
            return httpx.Response(self._pictures, content=b"\x89PNG...")
        if path == "/v1/batches":
            self._count = json.loads(request.content)["count"]
            return httpx.Response(202, json={"id": "job_1"})
        if request.method == "POST":
            return httpx.Response(202, json={"id": f"job_{len(self.asked)}"})
        self._looks += 1
        state = "RUNNING" if self._looks == 1 else self._state
        job = {"state": state, "map": {"id": path.rpartition("/")[2]}}
        if "batches" in path:
            return httpx.Response(200, json={"job": job, "done": self._count - self._short})
        return httpx.Response(200, json=job)

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.MockTransport(self.answer), base_url="http://made.up")


async def test_no_picture_is_asked_for_twice() -> None:
    product = MadeUp()
    async with product.client() as client:
        ids = await dungeons(client, 2)
        found = await pictures(client, ids, (39, 38))
    assert len(set(ids)) == 2
    assert len(product.shown) == len(set(product.shown)) == 1 + 2 * 2 * 2
    assert found.done == 8
    case = pictures_case(found)
    assert (case.against, case.more["measured"], case.failures) == (150.0, 8, [])


async def test_pictures_that_are_not_drawn_are_told() -> None:
    async with MadeUp(pictures=503).client() as client:
        with pytest.raises(BenchFailure, match="no picture was drawn: 503"):
            await pictures(client, ["map_1"], (39,))


async def test_a_batch_is_measured_until_all_of_it_is_made() -> None:
    product = MadeUp()
    async with product.client() as client:
        rate = await batch(client, 7)
    assert rate > 0
    assert product.asked == ["POST /v1/batches", "GET /v1/batches/job_1", "GET /v1/batches/job_1"]
    case = batch_case(7, 10.0, 15.0)
    assert (case.ratio, case.met) == (1.5, None)


@pytest.mark.parametrize(
    ("product", "why"),
    [(MadeUp(state="FAILED"), "is FAILED"), (MadeUp(short=1), "6 of 7 maps of a batch were made")],
    ids=["failed", "maps missing"],
)
async def test_a_batch_that_is_not_whole_is_no_measure(product: MadeUp, why: str) -> None:
    async with product.client() as client:
        with pytest.raises(BenchFailure, match=why):
            await batch(client, 7)


async def test_a_product_that_refuses_is_told_in_one_line() -> None:
    def refuse(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(403, text="no")

    async with httpx.AsyncClient(transport=httpx.MockTransport(refuse), base_url="http://made.up") as client:
        with pytest.raises(BenchFailure, match="POST /v1/maps: 403 no"):
            await dungeons(client, 1)


def test_a_second_worker_is_started_as_the_first_one_is(tmp_path: Path) -> None:
    ports = Ports(4000, 4001, dict.fromkeys(processes.APPS, 1))
    table = processes.product({}, {}, DataFolder(tmp_path), ports, "127.0.0.1", tmp_path, None)
    worker = next(process for process in table if process.name == "worker")
    # By the same words but the last, its name.
    own = list(map_product.WORKER)
    assert list(worker.command)[-len(own) : -1] == own[:-1]
    assert worker.command[-1] != own[-1]


async def test_a_second_worker_that_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Redis:
        async def __aenter__(self) -> "Redis":
            return self

        async def __aexit__(self, *_: object) -> None:
            return None

        async def client_list(self) -> list[dict[str, Any]]:
            return [{"cmd": "brpop"}, {"cmd": "get"}]

    monkeypatch.setattr(map_product, "Redis", SimpleNamespace(from_url=lambda _url: Redis()))
    monkeypatch.setattr(map_product, "WORKER", ("infra.benchmarks.nothing",))
    running = map_product.Product("", {}, {"REDIS_URL": "redis://nowhere"}, {})
    async with asyncio.timeout(30):
        with pytest.raises(BenchFailure, match="a second worker did not start"):
            async with map_product.second_worker(running):
                pass
