"""Gates that are tests already: run by pytest in a process of its own, with a product of its own."""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping, Sequence
from os import environ
from pathlib import Path

from infra.gates.frame.figures import Figure, GateFailure, Wanted
from infra.launch.bootstrap import ROOT

MOST_SECONDS = 1_800
AT_LENGTH = {"HEARTHFORGE_AT_LENGTH": "1"}
"""The setting under which tests prove the whole, not the part that the suite has time for."""


def tests(
    gate: str, paths: Sequence[str], *, least: int, settings: Mapping[str, str] | None = None
) -> Iterator[Figure]:
    """Runs tests; yields how many there were and how many failed.

    Args:
        gate: name of the gate.
        paths: of the tests, from the root of the project.
        least: how many tests must have been run: none that were skipped count.
        settings: environment variables that lengthen them.

    Raises:
        GateFailure: pytest did not come to its end.
    """
    with tempfile.TemporaryDirectory(prefix="hf-gate-") as name:
        report = Path(name) / "report.xml"
        told = ("-q", "-p", "no:cacheprovider", *_unhurried(), f"--junitxml={report}")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *told, *paths],
            cwd=ROOT,
            env={**environ, **(settings or {})},
            capture_output=True,
            text=True,
            check=False,
            timeout=MOST_SECONDS,
        )
        if not report.is_file():
            raise GateFailure(f"{gate}: pytest ended with {done.returncode}: {done.stdout[-800:]}")
        cases = list(ElementTree.parse(report).iter("testcase"))
    skipped = [case for case in cases if case.find("skipped") is not None]
    failed = [_told(case) for case in cases if _broken(case) is not None]
    yield Figure(f"{gate}.tests", len(cases) - len(skipped), "tests", least, Wanted.AT_LEAST)
    yield Figure(f"{gate}.failed", len(failed), "tests", 0, findings=tuple(failed))


def _unhurried() -> Iterator[str]:
    """Let one test take as long as the gate, where in the suite it would have been ended long ago."""
    for setting in ("timeout", "faulthandler_timeout"):
        yield from ("-o", f"{setting}={MOST_SECONDS}")


def _broken(case: ElementTree.Element) -> ElementTree.Element | None:
    failure = case.find("failure")
    return case.find("error") if failure is None else failure


def _told(case: ElementTree.Element) -> str:
    broken = _broken(case)
    said = "" if broken is None else (broken.get("message") or "")[:300]
    return f"{case.get('name')}: {said}"
