"""`infra/conformance`: what it prints and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RIGHT = {
    "id": "right",
    "area": "successes",
    "given": {"dice": [5, 1]},
    "expect": {"successes": 1},
    "source": "Luck",
}
WRONG = {**RIGHT, "id": "wrong", "expect": {"successes": 2}}
FALSE_KIND = {**RIGHT, "id": "kind", "expect": {"successes": True}}
MISSING = {**RIGHT, "id": "missing", "expect": {"hits": 1}}
FOREIGN = {**RIGHT, "id": "foreign", "area": "juggling"}
BROKEN = {**RIGHT, "id": "broken", "given": {"dice": 5}}


def run(folder: Path, system: str, *cases: object) -> subprocess.CompletedProcess[str]:
    file = folder / "cases.jsonl"
    lines = [case if isinstance(case, str) else json.dumps(case) for case in cases]
    file.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    # -S and -I leave out every installed package: the executable needs the standard library only.
    command = [sys.executable, "-I", "-S", str(ROOT / "infra" / "conformance"), system, str(file)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_the_executable_can_be_executed() -> None:
    assert (ROOT / "infra" / "conformance").stat().st_mode & 0o111


def test_cases_are_counted_and_only_failures_end_with_one(tmp_path: Path) -> None:
    done = run(tmp_path, "dungeonteller", RIGHT, FOREIGN)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed, 1 unsupported"


def test_each_failure_is_told_with_what_was_expected(tmp_path: Path) -> None:
    done = run(tmp_path, "dungeonteller", RIGHT, WRONG, FALSE_KIND, MISSING, BROKEN)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "FAILED wrong (Luck): successes: expected 2, got 1" in lines
    assert "FAILED kind (Luck): successes: expected true, got 1" in lines
    assert "FAILED missing (Luck): hits: expected 1, got nothing" in lines
    assert any(line.startswith("FAILED broken (Luck): TypeError") for line in lines)
    assert lines[-1] == "1 passed, 4 failed, 0 unsupported"


def test_a_system_or_file_that_cannot_be_used_ends_with_two(tmp_path: Path) -> None:
    assert run(tmp_path, "bridge", RIGHT).returncode == 2
    assert run(tmp_path, "../dungeonteller", RIGHT).returncode == 2
    for broken in ("{", "[]", '{"id": "x"}'):
        done = run(tmp_path, "dungeonteller", RIGHT, broken)
        assert done.returncode == 2
        assert "cases.jsonl:2" in done.stderr
