"""The folder that keeps everything: databases, files, secrets, logs.

::

    secrets.json   made once, mode 0600: the pepper of stored API keys, the key under which seeds of rolls
                   and signing keys are sealed
    keys/          one file a process, made once, mode 0600: the private key that it signs its calls with
    passwords/     one file a server, made once, mode 0600: only for a deployment (infra/deploy/secrets.py)
    lock           held (flock) by whoever uses the folder; the kernel lets go of it with the process
    run.json       mode 0600, only while the product runs: pid, address, the environment of its processes
    logs/          one file a process
    *.db           SQLite databases            postgres/  the PostgreSQL cluster, with --postgres
    valkey/        append-only file of Valkey  files/     maps and other results
"""

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TextIO

from infra.launch.failure import FolderFailure, FolderInUse
from services.shared.callers import SIGNING
from services.shared.process_keys import KeyMalformed, new_private_key, public_key_of

# A unix socket's address holds 104 bytes on macOS and 108 on Linux, the final zero included. The longest
# name that is made in the folder is PostgreSQL's lock file, ".s.PGSQL.5432.lock".
_LONGEST_SOCKET_FOLDER = 103 - len("/.s.PGSQL.5432.lock")


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must never leave the data folder."""

    key_pepper: str = field(repr=False)
    dice_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Running:
    """What ``run.json`` says about the product that runs on a data folder."""

    pid: int
    address: str
    environment: Mapping[str, str] = field(repr=False)
    ports: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A data folder that exists and can be written."""

    path: Path

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"

    @property
    def valkey(self) -> Path:
        return self.path / "valkey"

    @property
    def run_file(self) -> Path:
        return self.path / "run.json"

    def database(self, service: str) -> Path:
        return self.path / f"{service}.db"


def default_path(root: Path) -> Path:
    """Choose the user's data folder; ``.hearthforge`` in the repository when home cannot be written.

    Args:
        root: the repository.
    """
    if chosen := os.environ.get("HEARTHFORGE_DATA_DIR"):
        return Path(chosen)
    if sys.platform == "darwin":
        base, name = Path.home() / "Library" / "Application Support", "Hearthforge"
    else:
        xdg = os.environ.get("XDG_DATA_HOME", "")
        base, name = Path(xdg) if Path(xdg).is_absolute() else Path.home() / ".local" / "share", "hearthforge"
    usual = base / name
    if usual.exists():  # even when it cannot be written: what it keeps must not seem to have vanished
        return usual
    nearest = next(folder for folder in usual.parents if folder.exists())
    return usual if os.access(nearest, os.W_OK | os.X_OK) else root / ".hearthforge"


def open_folder(path: Path) -> DataFolder:
    """Create the folder where needed and make sure that it can be written.

    Raises:
        FolderFailure: it cannot.
    """
    folder = DataFolder(path.expanduser().absolute())
    try:
        folder.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.logs.mkdir(exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder.path):
            pass
    except OSError as error:
        raise FolderFailure(
            f"cannot write to the data folder {folder.path} ({error.strerror}); "
            "choose another with --data DIR"
        ) from None
    return folder


def keep_secrets(folder: DataFolder) -> Secrets:
    """Read the folder's secrets, making them the first time. Call it while holding the folder.

    A folder from before rolls were verifiable gets the secret for them, and keeps the others.

    Raises:
        FolderFailure: the file is there and cannot be read, or is not what was written.
    """
    file = folder.path / "secrets.json"
    if not file.exists():
        fresh = Secrets(*(secrets.token_hex(32) for _ in range(2)))
        _write_json(file, asdict(fresh))
        return fresh
    try:
        found = json.loads(file.read_text())
        known = Secrets(found["key_pepper"], found.get("dice_secret") or "")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        # Never made anew by itself: every stored API key hangs on the pepper, every seed on the dice secret.
        raise FolderFailure(f"cannot use {file} ({error}); put back the copy from your backup") from None
    if not known.dice_secret:
        known = replace(known, dice_secret=secrets.token_hex(32))
        _write_json(file, asdict(known))
    return known


def keep_keys(folder: DataFolder) -> dict[str, str]:
    """Read the private keys of the processes that sign, making those that are missing.

    A key that is taken away is made anew at the next start: that is how it is rotated. Call it while holding
    the folder.

    Raises:
        FolderFailure: a file is there and cannot be read, or holds no key.
    """
    kept = folder.path / "keys"
    kept.mkdir(exist_ok=True, mode=0o700)
    return {name: _kept_key(kept / f"{name}.key") for name in SIGNING}


def _kept(file: Path, make: Callable[[], str]) -> str:
    try:
        return file.read_text().strip()
    except FileNotFoundError:
        made = make()
        write_private(file, made)
        return made
    except OSError as error:
        raise FolderFailure(f"cannot read {file} ({error.strerror})") from None


def _kept_key(file: Path) -> str:
    known = _kept(file, new_private_key)
    try:
        public_key_of(known)
    except KeyMalformed as error:
        raise FolderFailure(f"cannot use {file} ({error}); take it away, and another is made") from None
    return known


def keep_passwords(folder: DataFolder, servers: Iterable[str]) -> dict[str, str]:
    """Read the passwords of servers, making those that are missing. Call it while holding the folder.

    Raises:
        FolderFailure: a file is there and cannot be read.
    """
    kept = folder.path / "passwords"
    kept.mkdir(exist_ok=True, mode=0o700)
    return {name: _kept(kept / name, partial(secrets.token_hex, 24)) for name in servers}


@contextlib.contextmanager
def held(folder: DataFolder, *, patience: float = 10.0) -> Iterator[TextIO]:
    """Hold the folder for this process alone; yields the lock file, which a child may inherit.

    Args:
        patience: seconds to wait for a holder that is only passing through (``infra/key``, a stop under way).

    Raises:
        FolderInUse: another process holds it; says where the product answers when it runs there.
    """
    deadline = time.monotonic() + patience
    # Not "w": the file must keep the holder's words until this process holds the folder itself.
    with (folder.path / "lock").open("a+") as lock:
        while not _take(lock):
            if running := read_running(folder):
                raise FolderInUse(
                    f"{folder.path} is in use: Hearthforge runs there at {running.address} "
                    f"(pid {running.pid}); stop it, or choose another folder with --data DIR"
                )
            if time.monotonic() > deadline:
                raise FolderInUse(
                    f"{folder.path} is in use by another start; wait for it, "
                    "or choose another folder with --data DIR"
                )
            time.sleep(0.1)
        folder.run_file.unlink(missing_ok=True)  # left behind by a process that was killed
        yield lock


def write_running(folder: DataFolder, running: Running) -> None:
    """Tell the other executables how to reach the product that is starting."""
    _write_json(folder.run_file, asdict(running))


def read_running(folder: DataFolder) -> Running | None:
    """Give what runs on the folder; None when nothing does, even if ``run.json`` was left behind."""
    try:
        running = Running(**json.loads(folder.run_file.read_text()))
    except (OSError, ValueError, TypeError):
        return None
    try:
        os.kill(running.pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:  # alive, and another user's
        pass
    return running


@contextlib.contextmanager
def socket_folder(folder: DataFolder) -> Iterator[Path]:
    """Give a private folder for unix sockets whose path every client can use.

    Normally ``run/`` in the data folder. When that path is too long for a socket address, or holds
    characters that would have to be escaped in a URL, a short folder in the temporary directory that is
    removed at the end.
    """
    usual = folder.path / "run"
    plain = (
        all(character.isalnum() or character in "/._-" for character in str(usual)) and str(usual).isascii()
    )
    if plain and len(str(usual)) <= _LONGEST_SOCKET_FOLDER:
        usual.mkdir(exist_ok=True, mode=0o700)
        yield usual
        return
    base = tempfile.gettempdir()
    if len(base) + len("/hearthforge-12345678") > _LONGEST_SOCKET_FOLDER:
        base = "/tmp"
    short = Path(tempfile.mkdtemp(prefix="hearthforge-", dir=base))
    try:
        yield short
    finally:
        shutil.rmtree(short, ignore_errors=True)


def _take(lock: TextIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write_json(file: Path, content: Mapping[str, object]) -> None:
    write_private(file, json.dumps(content, indent=1))


def write_private(file: Path, text: str) -> None:
    """Replace a file in one step; nobody but its owner can read it at any moment."""
    fresh = file.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
