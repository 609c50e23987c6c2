"""The compiled kernels of maps: made once, kept beside the code, made anew when it changes.

Without this the first map of each kind would wait for its kernels for up to half a minute, and two processes
that begin at once would compile them twice.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from infra.launch.bootstrap import LOCKS, ROOT
from infra.launch.failure import KernelFailure

STAMP = ".hearthforge-kernels"
SHARES = (("dungeon",), ("--but", "dungeon"))
"""What is compiled side by side: dungeons take about as long as all else."""


def compile_kernels() -> None:
    """See to it that the kernels are compiled; under the virtual environment's Python.

    Raises:
        KernelFailure: with the last line of what went wrong.
    """
    stamp, wanted = Path(sys.prefix) / STAMP, _fingerprint()
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print("compiling kernels of maps (once)", file=sys.stderr, flush=True)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "services.map.compiling", *share],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for share in SHARES
    ]
    try:
        said = [process.communicate()[1] for process in running]
    except BaseException:
        for process in running:
            process.kill()
            process.wait()
        raise
    for process, words in zip(running, said, strict=True):
        if process.returncode != 0:
            reason = (words.strip() or "no reason given").splitlines()[-1]
            raise KernelFailure(f"could not compile the kernels of maps: {reason}")
    temporary = stamp.with_name(f"{STAMP}.{os.getpid()}")
    temporary.write_text(wanted)
    temporary.replace(stamp)


def prepare() -> None:
    """The same for a program's start: a failure, Ctrl-C included, ends it with one line."""
    try:
        compile_kernels()
    except KeyboardInterrupt:
        sys.exit(130)
    except KernelFailure as failure:
        sys.exit(f"{Path(sys.argv[0]).name}: {failure}")


def _fingerprint() -> str:
    """Tell one state of the code and its libraries from another, without reading the code."""
    digest = hashlib.sha256(LOCKS["runtime"].read_bytes())
    for path in sorted((ROOT / "services" / "map").rglob("*.py")):
        found = path.stat()
        digest.update(f"{path.relative_to(ROOT)} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
