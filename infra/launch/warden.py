"""No process survives its supervisor, not even one that was killed with -9. Standard library only.

Two small programs share this file, because both must start in milliseconds (``python -I -S warden.py``):

``tether FD COMMAND...`` starts every process of the product: it writes its own process id to the pipe FD,
closes it, and becomes COMMAND. The supervisor gave it a session of its own, so its id names the whole process
group, children such as Celery's pool included.

``watch SECONDS`` reads those ids from standard input (``+ID`` began, ``-ID`` was stopped) until the pipe
ends. The write end is held by the supervisor and, for their first milliseconds, by tethers: it ends when the
supervisor is gone, however that came about. What is still listed then gets SIGTERM, and SIGKILL after
SECONDS. The supervisor starts another one when it is killed itself (see ``guard``).

This works the same on Linux and macOS and reaches grandchildren; Linux's PR_SET_PDEATHSIG does neither, and
is forgotten when a process changes its user, as PostgreSQL does here under root. A tether sets it all the
same, for the moments in which no warden runs.
"""

import contextlib
import os
import signal
import sys
import time

PR_SET_PDEATHSIG = 1


def tether(pipe: int, command: list[str]) -> None:
    """Make this process known to the warden, then become ``command``."""
    with contextlib.suppress(
        BrokenPipeError
    ):  # somebody killed the warden: better unguarded than not running
        os.write(pipe, b"+%d\n" % os.getpid())
    os.close(pipe)
    _end_with_parent()
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error.strerror}")


def _end_with_parent() -> None:
    """Have Linux send this process, whatever it becomes, SIGTERM when its parent ends."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))


def watch(grace: float) -> None:
    """Wait for the supervisor's end, then end what it left."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin.buffer:
        group = int(line[1:])
        (groups.add if line[:1] == b"+" else groups.discard)(group)
    end(groups, grace)


def end(groups: set[int], grace: float) -> None:
    """Send SIGTERM to process groups, and SIGKILL to those that are still there after ``grace`` seconds."""
    deadline = time.monotonic() + grace
    _signal(groups, signal.SIGTERM)
    while groups and time.monotonic() < deadline:
        time.sleep(0.05)
        _signal(groups, 0)
    _signal(groups, signal.SIGKILL)


def _signal(groups: set[int], number: int) -> None:
    """Signal every group; forget those that are gone."""
    for group in tuple(groups):
        try:
            os.killpg(group, number)
        except ProcessLookupError:
            groups.discard(group)
        except PermissionError:  # macOS says so of a group that only has zombies left
            groups.discard(group)


if __name__ == "__main__":
    if sys.argv[1] == "tether":
        tether(int(sys.argv[2]), sys.argv[3:])
    else:
        watch(float(sys.argv[2]))
