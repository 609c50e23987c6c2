"""Which tests ``infra/test`` runs."""

from pathlib import Path

import pytest

from infra.checks.selection import QUICK, memory_folder, pytest_arguments
from tests.house import ROOT

SIDE_BY_SIDE = ["-n", "4", "--dist", "loadscope", "--no-loadscope-reorder"]


@pytest.mark.parametrize("given", [[], ["--ignore=tests/architecture"], ["-k", "odds", "-x"]])
def test_without_a_path_all_run_side_by_side(given: list[str]) -> None:
    assert pytest_arguments(given, processors=2) == [*SIDE_BY_SIDE, "--durations", "10", *given]


@pytest.mark.parametrize(
    "given", [["tests/dice"], ["tests/dice/test_chain.py::test_x[sqlite]", "-x"], ["-q", "tests/rules"]]
)
def test_paths_run_alone_and_one_after_the_other(given: list[str]) -> None:
    assert pytest_arguments(given, processors=2) == given


def test_quick_ones_run_side_by_side_and_each_pattern_finds_some() -> None:
    *options, last = pytest_arguments(["--quick", "-x"], processors=2)
    assert (options[:5], last) == (SIDE_BY_SIDE, "-x")
    assert {"tests/architecture", "tests/rules/test_play_conformance.py"} <= set(options)
    assert [pattern for pattern in QUICK if not list(ROOT.glob(pattern))] == []


def test_there_are_never_more_workers_than_memory_bears() -> None:
    assert pytest_arguments([], processors=64)[:2] == ["-n", "8"]


@pytest.mark.skipif(not Path("/proc/meminfo").is_file(), reason="needs Linux")
def test_databases_lie_in_memory_only_where_there_is_room(tmp_path: Path) -> None:
    assert memory_folder(tmp_path, room=1) == tmp_path
    assert memory_folder(tmp_path, room=1 << 60) is None
    assert memory_folder(tmp_path / "none", room=1) is None
