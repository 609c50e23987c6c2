"""The harness of the benchmarks: statistics, lines, targets, names, turns, and a client that counts right."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.benchmarks.harness.cases import BenchFailure, Case, Figures, Sample, percentile
from infra.benchmarks.harness.command import benchmarks, load, main, report
from infra.benchmarks.harness.load import Request, drive, is_whole
from infra.benchmarks.harness.product import clean_environment
from infra.benchmarks.harness.rounds import Contender, take_turns, turn_seconds
from infra.benchmarks.harness.trivial import trivial_server

ROOT = Path(__file__).resolve().parents[2]
KEYS = ["case", "value", "unit", "against", "ratio", "target", "met"]


@pytest.mark.parametrize(
    ("percent", "expected"), [(1, 1), (7, 7), (50, 50), (50.5, 51), (99, 99), (99.1, 100), (100, 100)]
)
def test_a_percentile_is_the_nearest_rank(percent: float, expected: int) -> None:
    assert percentile(range(100, 0, -1), percent) == expected


def test_every_percentile_of_one_value_is_that_value() -> None:
    assert {percentile([4.2], percent) for percent in (0.1, 50, 99, 100)} == {4.2}


@given(
    st.lists(st.floats(0, 1e6), min_size=1, max_size=300),
    st.integers(1, 100),
)
def test_a_percentile_is_the_smallest_value_that_covers_its_share(values: list[float], percent: int) -> None:
    found = percentile(values, percent)
    assert found in values
    assert sum(value <= found for value in values) * 100 >= percent * len(values)
    assert sum(value < found for value in values) * 100 < percent * len(values)


def test_a_disturbed_round_does_not_move_the_figures() -> None:
    usual = [Sample(1.0, [1.0] * 99 + [5.0]) for _ in range(4)]
    figures = Figures([*usual, Sample(1.0, [500.0] * 2)])
    assert (figures.rate, figures.latency(50), figures.latency(99)) == (100.0, 1.0, 1.0)


def test_figures_keep_what_failed_in_any_round() -> None:
    figures = Figures([Sample(1.0, [1.0], ["503"]), Sample(1.0, [1.0]), Sample(1.0, [1.0], ["429", "500"])])
    assert figures.failures == ["503", "429", "500"]


def test_a_line_is_one_json_object_with_the_agreed_keys_first() -> None:
    case = Case("gateway", 417.26, "requests/s", 1000.0, "direct", 0.35, {"p50_ms": 0.123456, "measured": 9})
    line = case.line()
    assert "\n" not in line
    assert list(json.loads(line))[:7] == KEYS
    assert json.loads(line) == {
        "case": "gateway",
        "value": 417.3,
        "unit": "requests/s",
        "against": 1000,
        "ratio": 0.4173,
        "target": 0.35,
        "met": True,
        "against_case": "direct",
        "p50_ms": 0.1235,
        "measured": 9,
    }


def test_a_line_of_a_case_that_stands_alone_says_so_with_null() -> None:
    line = json.loads(Case("direct", 0.0, "requests/s").line())
    assert list(line) == KEYS
    assert line["value"] == 0
    assert [line[key] for key in ("against", "ratio", "target", "met")] == [None] * 4


@pytest.mark.parametrize(
    ("value", "met"), [(34.99, False), (35.0, True), (36.0, True)], ids=["below", "just reached", "above"]
)
def test_a_target_is_met_when_the_ratio_reaches_it(value: float, met: bool) -> None:
    assert Case("gateway", value, "requests/s", 100.0, "direct", 0.35).met is met


def test_a_target_is_judged_by_the_ratio_itself_not_by_what_is_printed() -> None:
    case = Case("gateway", 349.99, "requests/s", 1000.0, "direct", 0.35)
    assert json.loads(case.line())["ratio"] == 0.35
    assert case.met is False


def test_no_target_is_met_while_answers_fail() -> None:
    case = Case("gateway", 90.0, "requests/s", 100.0, "direct", 0.35, failures=["503"])
    assert case.met is False
    assert json.loads(case.line())["failed"] == 1


def test_the_exit_code_tells_of_a_missed_target(capsys: pytest.CaptureFixture[str]) -> None:
    good = Case("good", 2.0, "x", 1.0, "other", 2.0)
    bad = Case("bad", 1.9, "x", 1.0, "other", 2.0)
    alone = Case("alone", 1.0, "x")
    assert report([good, alone]) == 0
    assert report([good, bad, alone]) == 1
    assert report([alone, Case("broken", 1.0, "x", failures=["503"])]) == 1
    out, err = capsys.readouterr()
    assert [json.loads(line)["case"] for line in out.splitlines()] == [
        *("good", "alone"),
        *("good", "bad", "alone"),
        *("alone", "broken"),
    ]
    assert err.splitlines() == ["missed: bad: 1.9, wanted 2 or more", "failed 1 times: broken: 503"]


def test_lines_are_printed_as_cases_come(capsys: pytest.CaptureFixture[str]) -> None:
    def coming() -> Iterator[Case]:
        yield Case("first", 1.0, "x")
        assert "first" in capsys.readouterr().out
        yield Case("second", 1.0, "x")

    report(coming())
    assert "second" in capsys.readouterr().out


def test_benchmarks_are_found_by_file_name_and_say_what_they_measure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "api" in benchmarks()
    assert "harness" not in benchmarks()
    assert all(benchmarks().values())
    assert main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(benchmarks())


def test_every_benchmark_can_be_loaded_and_has_a_duration() -> None:
    for name in benchmarks():
        module = load(name)
        assert callable(module.run)
        assert module.SECONDS > 0


def test_an_unknown_name_gets_one_line_that_names_the_known_ones() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "infra" / "bench"), "apo"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"bench: there is no benchmark 'apo'; there is: {', '.join(benchmarks())}\n"


def test_turns_and_the_warming_up_fill_the_time_that_is_given() -> None:
    async def nothing(_seconds: float) -> Sample:
        raise AssertionError

    contenders = [Contender("a", nothing), Contender("b", nothing, 0.5)]
    assert turn_seconds(contenders, 5, 16.5) == 2.0


async def test_rounds_alternate_their_direction_and_leave_the_warming_up_out() -> None:
    order = []

    def contender(name: str) -> Contender:
        async def measure(seconds: float) -> Sample:
            order.append((name, seconds))
            return Sample(seconds, [1.0] * len(order))

        return Contender(name, measure, 1.0 if name == "a" else 0.5)

    figures = await take_turns([contender("a"), contender("b")], rounds=3, seconds=10.5)
    assert order == [
        *(("a", 1.0), ("b", 0.5)),
        *(("a", 2.0), ("b", 1.0)),
        *(("b", 1.0), ("a", 2.0)),
        *(("a", 2.0), ("b", 1.0)),
    ]
    assert [len(sample.latencies) for sample in figures["a"].samples] == [3, 6, 7]


def test_the_persons_own_servers_are_never_measured() -> None:
    outside = {
        "PATH": "/bin",
        "HEARTHFORGE_VENV": "/venv",
        "HEARTHFORGE_DATA_DIR": "/precious",
        "REDIS_URL": "redis://theirs",
        "DATABASE_URL_DICE": "postgresql://theirs",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://theirs",
    }
    assert clean_environment(outside) == {"PATH": "/bin", "HEARTHFORGE_VENV": "/venv"}


# The client


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        HEAD + b"Content-Length: 4\r\n\r\nabcd",
        HEAD + b"content-length:0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5;x=y\r\n\r\n0\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\nContent-Length: 900\r\n\r\n",
    ],
    ids=["length", "empty", "chunks", "not modified", "not modified with a length"],
)
def test_an_answer_is_whole_only_with_its_last_byte(answer: bytes) -> None:
    assert [is_whole(answer[:end]) for end in range(len(answer))] == [False] * len(answer)
    assert is_whole(answer)


async def test_the_client_counts_every_answer_and_times_it() -> None:
    with trivial_server() as port:
        sample = await drive(port, [Request.get("/")], 4, 0.05)
    assert sample.failures == []
    assert len(sample.latencies) >= 4
    assert all(0 < latency <= sample.seconds * 1000 for latency in sample.latencies)


class Scripted(asyncio.Protocol):
    """A server's side of a connection that gives its answers in turn, for ever; an empty one hangs up."""

    def __init__(self, answers: Sequence[bytes], asked: list[set[bytes]]) -> None:
        self._answers = cycle(answers)
        self._asked: set[bytes] = set()
        asked.append(self._asked)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, request: bytes) -> None:
        self._asked.add(request.split(b" ")[1])
        answer = next(self._answers)
        if answer:
            self._transport.write(answer)
        else:
            self._transport.close()


@asynccontextmanager
async def scripted(*answers: bytes) -> AsyncIterator[tuple[int, list[set[bytes]]]]:
    """Run a server; yields its port, and what was asked on each connection."""
    asked: list[set[bytes]] = []
    server = await asyncio.get_running_loop().create_server(lambda: Scripted(answers, asked), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], asked


OK = HEAD + b"content-length: 2\r\n\r\n{}"


async def test_each_connection_keeps_its_own_request() -> None:
    async with scripted(OK) as (port, asked):
        await drive(port, [Request.get("/a"), Request.get("/b")], 3, 0.02)
    assert sorted(map(sorted, asked)) == [[b"/a"], [b"/a"], [b"/b"]]


async def test_wrong_answers_are_counted_apart() -> None:
    script = [OK, OK.replace(b"200", b"503"), *[OK] * 998]
    async with scripted(*script) as (port, _):
        sample = await drive(port, [Request.get("/")], 1, 0.3)
    answers = len(sample.latencies) + len(sample.failures)
    assert len(sample.failures) == sum(number % len(script) == 1 for number in range(answers)) > 0
    assert sample.failures[0].startswith("HTTP/1.1 503")


async def test_an_answer_of_graphql_with_errors_is_a_failure() -> None:
    body = b'{"errors":[]}'
    wrong = HEAD + b"content-length: %d\r\n\r\n%b" % (len(body), body)
    async with scripted(wrong) as (port, _):
        with pytest.raises(BenchFailure, match=r"answers failed: HTTP/1\.1 200 OK"):
            await drive(port, [Request.graphql("{ a }", {})], 1, 0.01)


async def test_a_connection_that_is_closed_does_not_hang_the_client() -> None:
    async with scripted(b"") as (port, _):
        with pytest.raises(BenchFailure, match="closed instead of an answer"):
            await drive(port, [Request.get("/")], 2, 5)


async def test_a_server_that_is_not_there_gets_one_line() -> None:
    async with scripted() as (port, _):
        pass
    with pytest.raises(BenchFailure, match=f"port {port} cannot be reached"):
        await drive(port, [Request.get("/")], 1, 5)
