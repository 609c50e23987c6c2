"""Every check that is not a test, in one go: lint, form, types, directions, contracts, breaking changes."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from infra.checks.openapi_changes import breaking_changes
from infra.checks.schema import FEDERATION, FOLDER, node_binary
from infra.launch.bootstrap import ROOT


@dataclass(frozen=True, slots=True)
class Check:
    """One command that must end well.

    Attributes:
        name: what it makes sure of.
        command: what is run, in the root of the project.
    """

    name: str
    command: Sequence[str]


def module(*words: str) -> tuple[str, ...]:
    """Give the command that runs a Python module of this environment."""
    return (sys.executable, "-m", *words)


SIDE_BY_SIDE = 2
# The types take as long as all the others together.
CHECKS = (
    Check(
        "types",
        module(
            "mypy",
            "services",
            "workers",
            "infra/launch",
            "infra/checks",
            "infra/benchmarks",
            "infra/gates",
            "infra/mapmaker",
            "infra/simulator",
            "infra/backups",
            "infra/deploy",
            "tests/conformance",
        ),
    ),
    # Tests that run side by side, each compiling all of them, find them compiled after this.
    Check("every test can be collected", module("pytest", "-q", "--no-header", "--collect-only")),
    Check("lint", module("ruff", "check", ".")),
    Check("form", module("ruff", "format", "--check", ".")),
    Check(
        "directions", module("pytest", "-q", "--no-header", "-p", "no:cacheprovider", "tests/architecture")
    ),
    Check("grammar of the graph", module("infra.checks.grammar")),
    Check("contracts up to date, subgraphs compose", (sys.executable, "infra/schema", "--check")),
)


def run(check: Check) -> bool:
    """Run one check; its output is shown when it fails."""
    started = time.monotonic()
    done = subprocess.run(
        check.command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    ok = done.returncode == 0
    line = f"{'ok  ' if ok else 'FAIL'} {check.name} ({time.monotonic() - started:.1f} s)"
    print(line if ok else f"{line}\n{done.stdout}", flush=True)
    return ok


def committed(name: str) -> str | None:
    """Returns a contract as it was committed last; None where there was none."""
    shown = subprocess.run(
        ["git", "show", f"HEAD:schema/{name}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return shown.stdout if shown.returncode == 0 else None


def graph_keeps_its_promises() -> bool:
    """Compare the supergraph with the one that was committed last: nothing that clients use may vanish."""
    name = "supergraph.graphql"
    before = committed(name)
    if before is None:
        print("ok   breaking changes (nothing was published before)", flush=True)
        return True
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / name
        old.write_text(before, "utf-8")
        command = (node_binary(), str(FEDERATION / "diff.mjs"), str(old), str(FOLDER / name))
        return run(Check("breaking changes against the committed supergraph", command))


def rest_keeps_its_promises() -> bool:
    """Compare the description of REST with the one that was committed last."""
    name = "openapi.json"
    before = committed(name)
    if before is None:
        print("ok   breaking changes of REST (nothing was published before)", flush=True)
        return True
    found = breaking_changes(json.loads(before), json.loads((FOLDER / name).read_text("utf-8")))
    line = "breaking changes against the committed description of REST"
    print("\n".join([f"FAIL {line}", *found]) if found else f"ok   {line}", flush=True)
    return not found


def main() -> int:
    """Run all checks, and say at the end which failed."""
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        failed = [check.name for check, ok in zip(CHECKS, pool.map(run, CHECKS), strict=True) if not ok]
    if not graph_keeps_its_promises():
        failed.append("breaking changes")
    if not rest_keeps_its_promises():
        failed.append("breaking changes of REST")
    print(f"infra/check: {'all well' if not failed else 'failed: ' + ', '.join(failed)}", flush=True)
    return 1 if failed else 0
