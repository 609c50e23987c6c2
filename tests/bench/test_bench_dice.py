"""The benchmark of dice: batches, comparisons, fair texts, the peer in Node, a history like a real one."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.benchmarks import dice
from infra.benchmarks.harness import batches, peers
from infra.benchmarks.harness.batches import again, in_batches
from infra.benchmarks.harness.cases import BenchFailure, Case, Figures, Sample
from infra.benchmarks.harness.comparisons import Comparison, Other
from infra.benchmarks.harness.dice_history import SEEDS, History, Readers, filled
from infra.benchmarks.harness.dice_odds import odds_comparisons
from infra.benchmarks.harness.dice_rolls import (
    BATCH,
    COUNTING,
    KNOWN,
    NEW,
    Text,
    alike,
    check_agreement,
    fresh_texts,
    look,
)
from infra.benchmarks.harness.peers import FOLDER, dice_peer, dice_peer_name
from infra.launch.bootstrap import install_node_project
from infra.launch.failure import BootstrapFailure
from services.dice.rolls.repository import Narrowed
from services.rules.dice.notation import parse
from services.rules.dice.roll import plan
from services.rules.dice.stream import ListStream
from services.shared.ids import is_id

KEYS = ["case", "value", "unit", "against", "ratio", "target", "met"]


async def unmeasured(_seconds: float) -> Sample:
    """Stand for what is not measured."""
    raise AssertionError


# Batches


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Measure batches with a clock of the test's own."""
    made = Clock()
    monkeypatch.setattr(batches, "time", made)
    return made


async def test_making_a_batch_ready_is_not_timed(clock: Clock) -> None:
    def prepare(size: int) -> Callable[[], None]:
        clock.now += 3.0

        def batch() -> None:
            clock.now += 0.5 * size

        return batch

    sample = await in_batches(prepare, 4)(9.0)
    assert list(sample.latencies) == [500.0, 500.0]
    assert (sample.seconds, sample.done, sample.rate) == (4.0, 8, 2.0)


async def test_one_batch_is_done_however_short_the_turn(clock: Clock) -> None:
    done = []

    def thing() -> None:
        done.append(clock.now)
        clock.now += 1.0

    sample = await again(thing, 3)(0.0)
    assert done == [100.0, 101.0, 102.0]
    assert (sample.done, sample.rate) == (3, 1.0)


def test_things_of_a_batch_count_one_by_one() -> None:
    figures = Figures([Sample(2.0, [1.0, 3.0], batch=50), Sample(1.0, [1.0], batch=50)])
    assert (figures.done, figures.rate, figures.latency(100)) == (150, 50.0, 2.0)


# Ratios


@pytest.mark.parametrize(("value", "met"), [(0.05, True), (0.1, True), (0.11, False)])
def test_a_time_meets_its_target_when_it_is_short_enough(value: float, met: bool) -> None:
    case = Case("odds", value, "ms", 0.1, "the longest it may take", 1.0, less_is_better=True)
    assert case.met is met
    assert case.ratio == pytest.approx(0.1 / value)


def figures(rate: float) -> Figures:
    """Give what one did who did so many a second."""
    return Figures([Sample(1.0, [1.0], batch=round(rate))])


def test_a_comparison_has_a_line_for_each_other_and_one_for_its_limit() -> None:
    others = [Other("slow 1.0", unmeasured, 3.0), Other("quick 2.0", unmeasured)]
    comparison = Comparison("roll", "rolls/s", unmeasured, others, limit_ms=2.0)
    names = [contender.name for contender in comparison.contenders()]
    assert names == ["roll", "roll, beside slow 1.0", "roll, beside quick 2.0"]
    rates = dict(zip(names, [figures(1000), figures(250), figures(4000)], strict=True))
    lines = [json.loads(case.line()) for case in comparison.cases(rates)]
    assert [list(line)[:7] for line in lines] == [KEYS] * 3
    assert [
        (line["case"], line["value"], line["against"], line["ratio"], line["target"], line["met"])
        for line in lines
    ] == [
        ("roll, beside slow 1.0", 1000, 250, 4.0, 3.0, True),
        ("roll, beside quick 2.0", 1000, 4000, 0.25, None, None),
        ("roll, time", 1.0, 2.0, 2.0, 1.0, True),
    ]
    assert lines[0]["against_case"] == "slow 1.0"
    assert (lines[0]["us_each"], lines[0]["against_us_each"]) == (1000, 4000)


def test_a_comparison_with_nobody_has_one_line() -> None:
    (case,) = Comparison("roll", "rolls/s", unmeasured).cases({"roll": figures(8)})
    assert (case.name, case.value, case.ratio, case.met) == ("roll", 8, None, None)


# Texts


def test_a_new_text_never_comes_again_and_stays_within_the_limits_of_the_notation() -> None:
    made = fresh_texts(NEW)
    texts = [next(made) for _ in range(30_000)]
    assert len(set(texts)) == len(texts)
    for text in texts[-len(NEW) :]:
        parse(text)


def test_looking_reads_the_total_and_every_die() -> None:
    def seen(text: str, *faces: int) -> int:
        return look(plan(parse(text)).roll(ListStream(faces)))

    assert seen("4d6kh3 + 2", 3, 1, 6, 5) == 16 + (3 + 6 + 5) + 1  # one is marked: dropped
    assert seen("2d6!", 6, 1, 2) == 9 + (6 + 1 + 2) + 1  # one is marked: exploded


def test_the_texts_mean_the_same_to_all() -> None:
    check_agreement([*KNOWN, COUNTING], None, 300)


@pytest.mark.parametrize("other", [Text("4d6kh3", "4d6kl3", ""), Text("8d6ro<2", "8d6ro<3", "")])
def test_a_text_that_means_something_else_to_another_is_found(other: Text) -> None:
    with pytest.raises(BenchFailure, match=r"is not the same to d20: \d+\.\d\d here"):
        check_agreement([other], None, 2_000)


@given(st.integers(-1000, 1000), st.integers(1, 50))
def test_samples_are_alike_when_their_means_are_within_six_errors(start: int, spread: int) -> None:
    sample = [start + spread * place / 20 for place in range(200)]
    assert alike(sample, sample[::-1])
    assert not alike(sample, [value + 10 * spread for value in sample])


# The peer in Node, with a module of the test's own in the place of the library


LIBRARY = """
const seen = new Set();
export class DiceRoll {
  constructor(text) {
    if (text.includes('#') || seen.has(text)) throw new Error(`not new: ${text}`);
    if (text.includes('+')) seen.add(text);
    if (text === 'exit') process.exit(3);
    this.text = text;
    this.times = 1;
  }
  roll() { this.times += 1; }
  get total() { return this.times * 7; }
  get rolls() { return [{ rolls: [{ value: 3, useInTotal: true, modifiers: new Set(['x']) }] }, '-', 1]; }
}
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Write the module."""
    path = tmp_path / "library.mjs"
    path.write_text(LIBRARY, "utf-8")
    return path


async def test_the_peer_rolls_in_batches_for_so_long_as_it_is_told(library: Path) -> None:
    with dice_peer(library) as peer:
        sample = await peer.rolling(["d6", "d8"])(0.02)
        fresh = await peer.rolling(["d6+#", "d8+#"], fresh=True)(0.02)
        other = await peer.rolling(["d6+#", "d8+#"], fresh=True)(0.0)
    assert sample.batch == fresh.batch == BATCH
    assert sample.done >= BATCH and fresh.done >= BATCH and other.done == BATCH
    assert sum(sample.latencies) * sample.batch / 1000 == pytest.approx(sample.seconds)


def test_the_peer_tells_totals_of_rolls_of_their_own(library: Path) -> None:
    with dice_peer(library) as peer:
        assert peer.totals(["d6", "d8"], 3) == [[7, 7, 7], [7, 7, 7]]


async def test_what_goes_wrong_in_the_peer_is_told_and_ends_nothing(library: Path) -> None:
    with dice_peer(library) as peer:
        with pytest.raises(BenchFailure, match="not new: #"):
            peer.totals(["#"], 1)
        assert peer.totals(["d6"], 1) == [[7]]


def test_a_peer_that_ends_is_noticed(library: Path) -> None:
    with dice_peer(library) as peer:
        for _ in range(2):
            with pytest.raises(BenchFailure, match="has ended"):
                peer.totals(["exit"], 1)


def test_the_peer_without_its_library_is_noticed(tmp_path: Path) -> None:
    with dice_peer(tmp_path / "missing.mjs") as peer, pytest.raises(BenchFailure, match="has ended"):
        peer.totals(["d6"], 1)


def test_the_peers_lock_names_the_library_and_no_registry() -> None:
    lock = (FOLDER / "package-lock.json").read_text("utf-8")
    name, version = dice_peer_name().split()
    assert json.loads(lock)["packages"][f"node_modules/@dice-roller/{name}"]["version"] == version
    assert '"resolved"' not in lock
    assert "omit-lockfile-registry-resolved=true" in (FOLDER / ".npmrc").read_text("utf-8")


def test_node_packages_that_are_there_are_not_installed_again(tmp_path: Path) -> None:
    lock = b'{"this": "is no lock that npm could read"}'
    (tmp_path / "package-lock.json").write_bytes(lock)
    modules = tmp_path / "node_modules"
    modules.mkdir()
    stamp = {"lock": hashlib.sha256(lock).hexdigest(), "dev": False}
    (modules / ".hearthforge.json").write_text(json.dumps(stamp), "utf-8")
    install_node_project(tmp_path)
    assert [entry.name for entry in modules.iterdir()] == [".hearthforge.json"]


def test_node_packages_of_no_project_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BootstrapFailure, match="is this a complete clone"):
        install_node_project(tmp_path)


def test_without_node_packages_the_rest_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    with ExitStack() as stack:
        assert dice.rival_in_node(stack) is None
    assert "not measured beside rpg-dice-roller: cannot read" in capsys.readouterr().err


# The history


@pytest.fixture(scope="module")
def history() -> Iterator[History]:
    """Fill a small history."""
    with filled(4 * SEEDS) as made:
        yield made


def test_a_history_is_numbered_as_if_it_had_been_rolled(history: History) -> None:
    with closing(sqlite3.connect(history.path)) as connection:
        rows = connection.execute(
            "SELECT id, place, seq, secret_seq, created_at FROM roll ORDER BY created_at"
        ).fetchall()
    assert len(rows) == history.rows
    ids = [row[0] for row in rows]
    assert ids == sorted(set(ids))
    assert all(is_id(row_id, "rol") for row_id in ids)
    numbers: dict[tuple[str, str], list[int]] = {}
    for _, place, seq, secret_seq, _ in rows:
        assert (seq is None) != (secret_seq is None)
        kind, number = ("open", seq) if seq is not None else ("secret", secret_seq)
        numbers.setdefault((place, kind), []).append(number)
    assert all(sorted(found) == list(range(1, len(found) + 1)) for found in numbers.values())


def test_half_of_a_history_is_one_tables_and_a_tenth_one_characters(history: History) -> None:
    with closing(sqlite3.connect(history.path)) as connection:
        for column, value, share in (("campaign", history.campaign, 2), ("character", history.character, 10)):
            query = f"SELECT count(*) FROM roll WHERE {column} = ?"
            assert connection.execute(query, (value,)).fetchone() == (history.rows // share,)


async def test_a_reader_gets_full_pages_of_what_is_asked_for(history: History) -> None:
    readers = Readers(history)
    middle = history.moment(0.5)
    try:
        table = Narrowed(campaign=history.campaign)
        newest = await readers.page(table, None)
        deep = await readers.page(table, history.id_at(0.5))
        span = await readers.page(Narrowed(since=middle - timedelta(hours=1), until=middle), None)
    finally:
        await readers.close()
    assert [len(page.items) for page in (newest, deep)] == [100, 100]
    assert newest.items[0].created_at > history.moment(0.99)
    assert max(row.created_at for row in deep.items) < middle
    assert deep.items[0].created_at > history.moment(0.49)
    assert span.items and all(middle - timedelta(hours=1) <= row.created_at < middle for row in span.items)
    assert all(row.seq is not None for page in (newest, deep, span) for row in page.items)


async def test_a_reader_scrolls_page_by_page_and_begins_anew_at_the_end(history: History) -> None:
    readers = Readers(history)
    try:
        sample = await readers.scrolling(Narrowed(campaign=history.campaign), pages=50)(0.2)
        held, alone = await readers.growth(12, held=True), await readers.growth(12, held=False)
    finally:
        await readers.close()
    assert len(sample.latencies) > 1 and sample.seconds >= 0.1
    assert 0 < alone < held


def test_no_file_of_a_history_stays_behind() -> None:
    with filled(SEEDS) as made:
        assert made.path.stat().st_size > 0
    assert not made.path.parent.exists()


# The whole


def test_every_comparison_can_be_measured_and_told() -> None:
    cases = list(dice.measured([*dice.roll_comparisons(None), *odds_comparisons()], 0.0, rounds=1))
    lines = [json.loads(case.line()) for case in cases]
    assert len({line["case"] for line in lines}) == len(lines)
    assert all(line["value"] > 0 for line in lines)
    wanted = {line["case"].partition(", beside")[0]: line["target"] for line in lines if line["target"]}
    assert wanted == {
        "known roll, six texts in turns": 3.0,
        "new text, six kinds in turns": 4.0,
        "verified 10d10": 2.0,
        "odds of successes and critical failure, 10d10 v 5d10, time": 1.0,
    }


def test_rolls_that_are_kept_can_be_measured_and_told() -> None:
    single, together = dice.keeping(0.0, rounds=1)
    assert (single.name, single.ratio) == (dice.SINGLY, None)
    assert (together.name, together.against) == (dice.TOGETHER, single.value)
    assert together.more["measured"] == 100


def test_pages_and_memory_can_be_measured_and_told(history: History) -> None:
    cases = list(dice.paging(history, 0.0, rounds=1, pages=10))
    assert [case.name for case in cases] == [*dice.PAGES, dice.MEMORY]
    assert all(case.value > 0 and case.less_is_better for case in cases)
    assert all(case.ratio is not None for case in cases[1:])


def test_a_deep_page_is_compared_with_the_newest_by_its_usual_time() -> None:
    taken = {name: Figures([Sample(1.0, [2.0, 2.0, 90.0])]) for name in dice.PAGES}
    taken[dice.MIDDLE] = Figures([Sample(1.0, [5.0, 5.0, 5.0])])
    middle = next(case for case in dice.page_cases(taken) if case.name == dice.MIDDLE)
    assert (middle.value, middle.against, middle.ratio, middle.met) == (5.0, 2.0, 0.4, False)
