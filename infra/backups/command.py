"""``infra/backup`` and ``infra/restore``."""

import argparse
import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from infra.backups.failure import BackupFailure, TargetInUse, Unfit
from infra.backups.manifest import Manifest
from infra.backups.packing import is_free, packed
from infra.backups.restoring import (
    check_free,
    check_secrets,
    forget_streams,
    migrate,
    put_files,
    put_postgres,
    put_secrets,
    put_sqlite,
    unpacked,
)
from infra.backups.taking import Installation, take
from infra.launch.bootstrap import ROOT
from infra.launch.data_folder import (
    DataFolder,
    default_path,
    held,
    keep_secrets,
    open_folder,
    read_running,
    socket_folder,
)
from infra.launch.environment import choose_ports, compose, outside, outside_databases
from infra.launch.failure import Failure, FolderInUse, StartFailure
from infra.launch.guard import Warden, running_warden
from infra.launch.logs import Console
from infra.launch.processes import preparation
from infra.launch.servers import postgres_programs, prepare_postgres
from infra.launch.supervisor import Supervisor
from services.shared.outages import StorageUnavailable
from services.shared.settings import SERVICES, BackupSettings, FileSettings
from services.shared.storage import open_storage

PATIENCE = 60.0  # seconds for PostgreSQL to be ready
INTERRUPTED = 130
T = TypeVar("T")
SECRETS = ("key_pepper", "dice_secret")


def backup(arguments: list[str] | None = None) -> int:
    """Backs a data folder up; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="infra/backup",
        description="Back everything up that an installation keeps, also while it runs. "
        "The backup holds the installation's secrets: keep it where nobody else can read it.",
    )
    parser.add_argument(
        "target", type=Path, help="a folder that is not there yet, or an archive: NAME.tar, NAME.tar.gz"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder, as given to infra/up")
    options = parser.parse_args(arguments)
    data = (options.data or default_path(ROOT)).expanduser().absolute()
    return _run(parser.prog, lambda: _backup(options.target.absolute(), data))


def restore(arguments: list[str] | None = None) -> int:
    """Restores a backup into an empty data folder; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="infra/restore", description="Make an empty data folder the installation that was backed up."
    )
    parser.add_argument("source", type=Path, metavar="FROM", help="what infra/backup made")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        required=True,
        help="a data folder that is empty, or not there yet",
    )
    options = parser.parse_args(arguments)
    data = options.data.expanduser().absolute()
    return _run(parser.prog, lambda: _restore(options.source.absolute(), data))


def _run(program: str, work: Callable[[], None]) -> int:
    os.umask(0o077)
    try:
        work()
    except StartFailure as failure:
        print(*failure.tail, f"{Path(program).name}: {failure}", sep="\n", file=sys.stderr)
    except (Failure, StorageUnavailable, OSError) as failure:
        print(f"{Path(program).name}: {failure}", file=sys.stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    else:
        return 0
    return 1


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


# Backing up


def _backup(target: Path, data: Path) -> None:
    if not data.is_dir():
        raise BackupFailure(f"there is no data folder {data}; name it with --data DIR")
    folder = open_folder(data)
    with packed(target) as whole:
        try:
            with held(folder) as lock, running_warden([lock]) as warden, socket_folder(folder) as sockets:
                found = _with_servers(folder, sockets, warden, lambda own: _take(own, whole))
        except FolderInUse:
            running = read_running(folder)
            if running is None:
                raise
            found = asyncio.run(_take(running.environment, whole))
    print(f"{target} holds everything as of {found.moment:%Y-%m-%d %H:%M:%S} UTC, secrets included")
    if found.missing:
        _say(f"warning: {len(found.missing)} stored files were lost before, such as {found.missing[0]}")


async def _take(own: Mapping[str, str], whole: Path) -> Manifest:
    return await take(Installation.of(BackupSettings.model_validate(dict(own))), whole, _say)


# Restoring


def _restore(source: Path, data: Path) -> None:
    if not is_free(data):
        raise TargetInUse(f"{data} is not empty; name a data folder that is, or that is not there yet")
    if not source.exists():
        raise BackupFailure(f"there is no backup {source}")
    folder = open_folder(data)
    with (
        held(folder) as lock,
        _all_or_nothing(folder),
        running_warden([lock]) as warden,
        socket_folder(folder) as sockets,
        unpacked(source, folder) as (staging, manifest),
    ):
        check_secrets(
            staging, {name: value for name in SECRETS if (value := outside(f"HEARTHFORGE_{name.upper()}"))}
        )
        _check_databases(manifest)
        put_secrets(staging, folder)
        if manifest.kind == "sqlite":
            put_sqlite(staging, manifest, folder)
        elif not outside_databases():
            prepare_postgres(folder.postgres, sockets)

        async def fill(own: Mapping[str, str]) -> None:
            files = FileSettings.model_validate(dict(own))
            await check_free(open_storage(files))
            databases = {name: own[f"DATABASE_URL_{name.upper()}"] for name in SERVICES}
            if manifest.kind == "postgres":
                await put_postgres(staging, manifest, databases, postgres_programs(folder.postgres))
            await migrate(databases)
            await put_files(staging, files)

        _with_servers(folder, sockets, warden, fill)
        if url := outside("REDIS_URL"):
            forget_streams(url)
    print(f"{folder.path} is the installation as of {manifest.moment:%Y-%m-%d %H:%M:%S} UTC")


def _check_databases(manifest: Manifest) -> None:
    named = outside_databases()
    if manifest.kind == "sqlite" and named:
        raise Unfit("the backup holds SQLite databases; unset DATABASE_URL_ACCOUNT and the like")
    if named and set(named) != set(SERVICES):
        raise Unfit(
            "some databases are named by DATABASE_URL_... and some are not; name all of them, or none"
        )


@contextmanager
def _all_or_nothing(folder: DataFolder) -> Iterator[None]:
    """Empties a folder that is held again where something fails.

    Raises:
        TargetInUse: somebody else was quicker, and it is not empty any more.
    """
    if {entry.name for entry in folder.path.iterdir()} - {"lock", folder.logs.name}:
        raise TargetInUse(f"{folder.path} is not empty any more; name a data folder that is")
    try:
        yield
    except BaseException:
        for entry in folder.path.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink()
        raise


# With the servers of a folder that no product runs on


def _with_servers(
    folder: DataFolder,
    sockets: Path,
    warden: Warden,
    work: Callable[[Mapping[str, str]], Coroutine[Any, Any, T]],
) -> T:
    """Does some work in the environment of a folder, beside its PostgreSQL where it has one."""

    async def run() -> T:
        async with _environment(folder, sockets, warden) as own:
            return await work(own)

    return asyncio.run(run())


@asynccontextmanager
async def _environment(folder: DataFolder, sockets: Path, warden: Warden) -> AsyncIterator[Mapping[str, str]]:
    has_cluster = (folder.postgres / "PG_VERSION").exists()
    postgres = prepare_postgres(folder.postgres, sockets) if has_cluster else None
    own = compose(folder, keep_secrets(folder), choose_ports(0), "127.0.0.1", sockets, postgres)
    # Without the migrations: what is backed up before a new version is started stays as it is.
    servers = [process for process in preparation(own, postgres) if process.name != "migrate"]
    console = Console([process.name for process in servers], output=2, quiet=True)
    supervisor = Supervisor(servers, folder.logs, console, warden)
    try:
        await supervisor.start(PATIENCE)
        yield own
    finally:
        await supervisor.stop()
        console.close()
