"""``infra/bench``: finds a benchmark by name, runs it, prints one line of JSON a case.

Exit code: 0 every target is met, 1 one is missed or an answer was wrong, 2 nothing could be measured,
130 interrupted.
"""

import argparse
import ast
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Protocol, cast

import infra.benchmarks
from infra.benchmarks.harness.cases import BenchFailure, Case
from infra.benchmarks.harness.rounds import load_average, say
from infra.launch.failure import Failure


class Benchmark(Protocol):
    """A module of ``infra.benchmarks``."""

    SECONDS: float

    def run(self, seconds: float) -> Iterable[Case]:
        """Measure, in about so many seconds."""


def benchmarks() -> Mapping[str, str]:
    """Give the benchmarks there are, by name, with the first line of what they say about themselves.

    Nothing is imported for it: some need long to load.
    """
    found = {}
    for folder in infra.benchmarks.__path__:
        for module in pkgutil.iter_modules([folder]):
            if not module.ispkg:
                source = (Path(folder) / f"{module.name}.py").read_text("utf-8")
                found[module.name] = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    return dict(sorted(found.items()))


def load(name: str) -> Benchmark:
    """Import a benchmark.

    Raises:
        BenchFailure: there is none of that name; names those there are.
    """
    known = benchmarks()
    if name not in known:
        raise BenchFailure(f"there is no benchmark {name!r}; there is: {', '.join(known)}")
    return cast("Benchmark", importlib.import_module(f"infra.benchmarks.{name}"))


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark that the command line names, or list them; gives the exit code."""
    options = _parser().parse_args(arguments)
    if options.list:
        for name, summary in benchmarks().items():
            print(f"{name:12} {summary}")
        return 0
    # Asked to end in another way than by Ctrl-C, a benchmark puts its product away just the same.
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    try:
        benchmark = load(options.name)
        _warn_of_a_busy_machine()
        return report(benchmark.run(options.seconds or benchmark.SECONDS))
    except (BenchFailure, Failure) as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def report(cases: Iterable[Case]) -> int:
    """Print the cases; 1 where a target is missed or something failed, else 0."""
    all_well = True
    for case in cases:
        print(case.line(), flush=True)
        if case.failures:
            say(f"failed {len(case.failures)} times: {case.name}: {case.failures[0]}")
        elif case.met is False:
            say(f"missed: {case.name}: {case.ratio:.3g}, wanted {case.target:g} or more")
        all_well = all_well and case.met is not False
    return 0 if all_well else 1


def _warn_of_a_busy_machine() -> None:
    """Say how busy it is: a request that passes several processes then waits for its turn in each of them."""
    processors, wanted = os.cpu_count() or 1, load_average()
    say(f"load average {wanted:.2f} on {processors} processors")
    if wanted > processors:
        say("the machine is busy: rates are too low, and ratios of paths with more processes lower still")


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 10 <= seconds <= 3600:
        raise argparse.ArgumentTypeError("between 10 and 3600 seconds, please")
    return seconds


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="infra/bench", description="Measure one thing; prints one line of JSON a case."
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("name", nargs="?", help="which benchmark")
    what.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument("--seconds", type=_seconds, help="how long, in all; default: what the benchmark says")
    return parser
