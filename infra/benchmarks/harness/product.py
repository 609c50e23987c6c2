"""A product of one's own for the time of a benchmark: started by ``infra/up``, gone afterwards."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from infra.benchmarks.harness.cases import BenchFailure
from infra.launch import warden
from infra.launch.bootstrap import ROOT
from infra.launch.data_folder import DataFolder, keep_keys, read_running
from infra.launch.guard import running_warden

START_SECONDS = 90.0
STOP_SECONDS = 30.0
# The person's own databases and servers are not to be measured, let alone loaded.
_THEIRS = ("HEARTHFORGE_", "DATABASE_URL_", "REDIS_URL", "OTEL_")
_OURS = "HEARTHFORGE_VENV"


@dataclass(frozen=True, slots=True)
class Product:
    """A product that runs.

    Attributes:
        address: of its public door.
        ports: where each part listens on 127.0.0.1, by name; the public one is ``public``.
        environment: of its processes, secrets included.
        private_keys: of the processes that sign.
        pid: of the process that has started all others.
    """

    address: str
    ports: Mapping[str, int]
    environment: Mapping[str, str] = field(repr=False)
    private_keys: Mapping[str, str] = field(repr=False)
    pid: int = 0


@contextmanager
def own_product() -> Iterator[Product]:
    """Start a product on free ports with a data folder that is thrown away; stop it at the end.

    A warden stops it even if this process is killed.

    Raises:
        BenchFailure: it does not start.
    """
    with (
        tempfile.TemporaryDirectory(prefix="hearthforge-bench-") as name,
        running_warden(grace=STOP_SECONDS) as guard,
    ):
        folder = DataFolder(Path(name) / "data")
        said = Path(name) / "said.txt"
        with said.open("wb") as out:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", str(Path(warden.__file__)), "tether", str(guard.pipe)),
                    *(sys.executable, str(ROOT / "infra" / "up"), "--port", "0", "--quiet"),
                    *("--data", str(folder.path)),
                ],
                env=clean_environment(os.environ),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                pass_fds=(guard.pipe,),
                start_new_session=True,
            )
        try:
            yield _wait_ready(process, folder, said)
        finally:
            _stop(process)
            guard.ended(process.pid)


def clean_environment(outside: Mapping[str, str]) -> dict[str, str]:
    """Leave out the settings by which a person tells ``infra/up`` to use servers of theirs."""
    return {name: value for name, value in outside.items() if name == _OURS or not name.startswith(_THEIRS)}


def _wait_ready(process: "subprocess.Popen[bytes]", folder: DataFolder, said: Path) -> Product:
    deadline = time.monotonic() + START_SECONDS
    while (running := read_running(folder)) is None:
        words = said.read_text(errors="replace").strip().splitlines()
        if process.poll() is not None:
            raise BenchFailure(f"infra/up did not start: {words[-1] if words else 'it said nothing'}")
        if time.monotonic() > deadline:
            raise BenchFailure(f"infra/up was not ready after {START_SECONDS:.0f} s")
        time.sleep(0.05)
    return Product(running.address, running.ports, running.environment, keep_keys(folder), running.pid)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()  # its own warden ends what it leaves
        process.wait()
