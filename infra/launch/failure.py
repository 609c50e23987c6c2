"""What stops a start. Every failure is one line: what is wrong, then the mend.

Failure
├── BootstrapFailure     the virtual environment or the Node packages could not be made
├── KernelFailure        the kernels of maps could not be compiled
├── FolderFailure        the data folder cannot be used
│   └── FolderInUse      another process holds it
├── PortFailure          the public port cannot be had
├── ServerFailure        Valkey or PostgreSQL cannot be started here
└── StartFailure         a part did not become ready; names the part and keeps its last log lines

Standard library only: ``bootstrap`` raises these before anything is installed.
"""

from collections.abc import Sequence
from pathlib import Path


class Failure(Exception):
    """A start that cannot go on; ``str()`` is the one line for the person at the terminal."""


class BootstrapFailure(Failure):
    """The virtual environment or the Node packages could not be made."""


class KernelFailure(Failure):
    """The kernels of maps could not be compiled."""


class FolderFailure(Failure):
    """The data folder cannot be created, written or used."""


class FolderInUse(FolderFailure):
    """Another process holds the data folder."""


class PortFailure(Failure):
    """The public address cannot be had."""


class ServerFailure(Failure):
    """Valkey or PostgreSQL cannot be started on this machine."""


class StartFailure(Failure):
    """A part did not become ready.

    Attributes:
        part: name of the process in the table of processes.
        log: file with everything that the likely culprit said; the part itself or one that it waits for.
        tail: its last lines, oldest first.
    """

    def __init__(self, part: str, reason: str, log: Path, tail: Sequence[str]) -> None:
        super().__init__(f"{part} {reason}")
        self.part = part
        self.log = log
        self.tail = tuple(tail)
