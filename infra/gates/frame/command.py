"""``infra/gate``: finds gates by name, holds them, prints one line of JSON a figure.

Exit code: 0 every figure is met, 1 one is missed, 2 nothing could be measured, 130 interrupted.
"""

import argparse
import ast
import importlib
import pkgutil
import signal
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Protocol, cast

import infra.gates
from infra.gates.frame.figures import Figure, GateFailure
from infra.gates.frame.house import House
from infra.launch.failure import Failure

FINDINGS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Options:
    """How long gates take.

    Attributes:
        minutes: of the soak.
        cases: of each contract that is fuzzed, and requests of the framing.
        seed: of whatever is drawn.
        only: which of the expensive requests are measured: those whose name contains it.
    """

    minutes: float = 10.0
    cases: int = 5_000
    seed: int = 14
    only: str = ""


class Gate(Protocol):
    """A module of ``infra.gates``."""

    def run(self, house: House, options: Options) -> Iterable[Figure]:
        """Hold the gate."""


def gates() -> Mapping[str, str]:
    """Returns the gates there are, by name, with the first line of what they say about themselves."""
    found = {}
    for folder in infra.gates.__path__:
        for module in pkgutil.iter_modules([folder]):
            if not module.ispkg:
                source = (Path(folder) / f"{module.name}.py").read_text("utf-8")
                found[module.name] = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    return dict(sorted(found.items()))


def load(name: str) -> Gate:
    """Import a gate.

    Raises:
        GateFailure: there is none of that name; names those there are.
    """
    known = gates()
    if name not in known:
        raise GateFailure(f"there is no gate {name!r}; there is: {', '.join(known)}")
    return cast("Gate", importlib.import_module(f"infra.gates.{name}"))


def main(arguments: list[str] | None = None) -> int:
    """Hold the gates that the command line names; returns the exit code."""
    chosen = _parser().parse_args(arguments)
    if chosen.list:
        for name, summary in gates().items():
            print(f"{name:12} {summary}")
        return 0
    # Asked to end in another way than by Ctrl-C, a gate puts its product away just the same.
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    options = Options(minutes=chosen.minutes, cases=chosen.cases, seed=chosen.seed, only=chosen.only)
    house = House()
    try:
        held = [(name, load(name)) for name in chosen.names or gates()]
        return hold(held, house, options)
    except (GateFailure, Failure) as failure:
        say(str(failure))
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        house.close()


def hold(held: Iterable[tuple[str, Gate]], house: House, options: Options) -> int:
    """Hold gates one after the other and print their figures; 1 where one is missed, else 0."""
    all_well = True
    for name, gate in held:
        say(f"{name} ...")
        for figure in gate.run(house, options):
            print(figure.line(), flush=True)
            for finding in figure.findings[:FINDINGS_SHOWN]:
                say(f"{figure.gate}: {finding}")
            if hidden := len(figure.findings[FINDINGS_SHOWN:]):
                say(f"{figure.gate}: and {hidden} more")
            all_well = all_well and figure.met
    return 0 if all_well else 1


def say(text: str) -> None:
    """Tell people, beside the lines for machines."""
    print(f"gate: {text}", file=sys.stderr, flush=True)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    usual = Options()
    parser = argparse.ArgumentParser(
        prog="infra/gate", description="Hold the gates; prints one line of JSON a figure."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which gates; default: all")
    parser.add_argument("--list", action="store_true", help="list the gates")
    parser.add_argument("--minutes", type=float, default=usual.minutes, help="how long the soak takes")
    parser.add_argument("--cases", type=int, default=usual.cases, help="how many requests are drawn")
    parser.add_argument("--only", default=usual.only, help="which of the expensive requests are measured")
    parser.add_argument("--seed", type=int, default=usual.seed, help="what they are drawn from")
    return parser
