"""What the processes of a product hold: sockets, open files, memory. Linux only, read from /proc."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.product import MARKS, Product

PROC = Path("/proc")
ESTABLISHED = "01"
WATCHED = ("gateway", "account", "dice", "character", "campaign", "map", "worker", "sweeper")


@dataclass(frozen=True, slots=True)
class Holding:
    """What one process holds.

    Attributes:
        sockets: established connections over TCP.
        files: open files, sockets included.
        memory: resident, in MiB.
    """

    sockets: int
    files: int
    memory: float


def holdings(product: Product) -> Mapping[str, Holding]:
    """Returns what each part of a product holds, by its name; parts that do not run are left out."""
    connected = _established()
    found = {}
    for name in WATCHED:
        assert name in MARKS
        pid = product.pid(name)
        if pid is not None:
            found[name] = _held(pid, connected)
    return found


def _held(pid: int, connected: frozenset[str]) -> Holding:
    links = []
    for entry in (PROC / str(pid) / "fd").iterdir():
        try:
            links.append(str(entry.readlink()))
        except OSError:
            continue  # closed in the meantime
    resident = next(
        int(line.split()[1])
        for line in (PROC / str(pid) / "status").read_text().splitlines()
        if line.startswith("VmRSS:")
    )
    return Holding(sum(link in connected for link in links), len(links), resident / 1024)


def _established() -> frozenset[str]:
    """Returns the established connections of this machine in the form of a link in /proc/<pid>/fd."""
    found = set()
    for table in ("tcp", "tcp6"):
        for line in (PROC / "net" / table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == ESTABLISHED:
                found.add(f"socket:[{fields[9]}]")
    return frozenset(found)
