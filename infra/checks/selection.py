"""Which tests ``infra/test`` runs, and how: its arguments turned into those of pytest."""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from infra.launch.bootstrap import ROOT

MOST_WORKERS = 8
MEMORY_FOLDER = Path("/dev/shm")
ROOM = 6 << 30
"""Bytes that must be free for what tests write to lie in memory: several times what a whole run writes."""
QUICK = (
    "tests/architecture",
    *("tests/rules/dice/test_*.py", "tests/rules/test_engine_*.py", "tests/rules/test_*conformance.py"),
    "tests/e2e/test_rest_evening.py",
)
"""What proves most in a short time: who may import whom; dice, the engine, what holds for every game; and
that all parts play together."""


def pytest_arguments(given: Sequence[str], *, processors: int | None = None, root: Path = ROOT) -> list[str]:
    """Returns the arguments for pytest.

    Args:
        given: to ``infra/test``.
        processors: of the machine; counted without it.
        root: what paths are relative to.
    """
    # Two workers more than there are processors, since a test that waits for a process leaves its own idle.
    workers = min((processors or os.cpu_count() or 1) + 2, MOST_WORKERS)
    # Group by group (tests/groups.py), in the order of the collection, which begins with what takes longest.
    side_by_side = ["-n", str(workers), "--dist", "loadscope", "--no-loadscope-reorder"]
    arguments = [one for one in given if one not in ("--", "--quick")]
    if "--quick" in given:
        quick = [str(path.relative_to(root)) for one in QUICK for path in sorted(root.glob(one))]
        return [*side_by_side, *quick, *arguments]
    if any(_is_path(one, root) for one in arguments) or "--help" in arguments:
        return arguments
    return [*side_by_side, "--durations", "10", *arguments]


def memory_folder(folder: Path = MEMORY_FOLDER, room: int = ROOM) -> Path | None:
    """Returns the folder in memory where tests keep their databases; None where there is none with room.

    To open a database, to close it, or to make a cluster of PostgreSQL takes long on a disk.

    Args:
        folder: that lies in memory.
        room: bytes that must be free, in the folder and in the memory of the machine.
    """
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return None
    # Tests write programs, and run them.
    if os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0):
        return None
    free = min(shutil.disk_usage(folder).free, _available_memory())
    return folder if free >= room else None


def _available_memory() -> int:
    """Returns the bytes that programs may still take; 0 where the system does not tell."""
    told = Path("/proc/meminfo")
    found = re.search(r"^MemAvailable:\s+(\d+) kB$", told.read_text() if told.is_file() else "", re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def _is_path(argument: str, root: Path) -> bool:
    return not argument.startswith("-") and (root / argument.partition("::")[0]).exists()
