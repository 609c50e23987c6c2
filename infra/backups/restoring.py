"""An empty data folder becomes the installation that was backed up, or stays empty.

Everything is unpacked and checked before anything is put in its place; databases of an older version of the
product are then migrated.
"""

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import redis
from sqlalchemy import inspect
from sqlalchemy.engine import make_url

from infra.backups.failure import NewerBackup, TargetInUse, Unfit
from infra.backups.manifest import FILES, SECRETS, Manifest
from infra.backups.packing import unpack
from infra.backups.snapshots import call_postgres
from infra.backups.transfer import transfer
from infra.launch.data_folder import DataFolder
from services.shared.database import engine
from services.shared.migrate import revisions, upgrade
from services.shared.outages import StorageUnavailable
from services.shared.outbox import stream_key
from services.shared.settings import SERVICES, FileSettings, ServiceName
from services.shared.storage import Storage, open_storage


@contextmanager
def unpacked(source: Path, folder: DataFolder) -> Iterator[tuple[Path, Manifest]]:
    """Unpacks a backup inside a data folder; yields where, and what it holds.

    Raises:
        BackupFailure: it cannot be used, or is of a newer version of the product.
    """
    staging = Path(tempfile.mkdtemp(dir=folder.path, prefix=".restoring-"))
    try:
        manifest = unpack(source, staging)
        for service in SERVICES:
            saved = manifest.databases[service]
            if saved.revision not in revisions(service):
                raise NewerBackup(
                    f"the {service} database of the backup, written by version {manifest.product}, has the "
                    f"migration {saved.revision}, which this version lacks; restore it with a newer version"
                )
        yield staging, manifest
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def put_secrets(staging: Path, folder: DataFolder) -> None:
    """Puts the secrets in their place."""
    (staging / SECRETS).chmod(0o600)
    (staging / SECRETS).rename(folder.path / SECRETS)


async def check_free(storage: Storage) -> None:
    """Refuses a storage that holds files already.

    Raises:
        TargetInUse: it does.
        StorageUnavailable: nobody knows.
    """
    async for key, _ in storage.stored(datetime.now(UTC)):
        raise TargetInUse(
            f"the bucket holds {key} already; name a place in HEARTHFORGE_STORAGE_URL that is empty"
        )


async def put_files(staging: Path, settings: FileSettings) -> None:
    """Puts the stored files in the folder or the bucket that is named; all of them, or none.

    Raises:
        StorageUnavailable: they cannot be stored.
    """
    source = staging / FILES
    if not source.exists():
        return
    if settings.storage_url is None:
        source.rename(settings.files_dir)
        return
    storage = open_storage(settings)
    keys = [str(file.relative_to(source)) for file in source.rglob("*") if file.is_file()]

    async def one(key: str) -> None:
        await storage.put(key, await asyncio.to_thread((source / key).read_bytes))

    try:
        await transfer(keys, one)
    except BaseException:
        with contextlib.suppress(StorageUnavailable):
            await transfer(keys, storage.delete)
        raise


def put_sqlite(staging: Path, manifest: Manifest, folder: DataFolder) -> None:
    """Puts the database files in their places."""
    for service, saved in manifest.databases.items():
        (staging / saved.file).rename(folder.database(service))


async def put_postgres(
    staging: Path, manifest: Manifest, databases: Mapping[ServiceName, str], programs: Path
) -> None:
    """Fills the databases of a server.

    Args:
        staging: folder of the unpacked backup.
        manifest: of the backup.
        databases: addresses by service.
        programs: folder of PostgreSQL's programs.

    Raises:
        TargetInUse: one of them has tables already.
        ToolFailure: one could not be filled.
    """
    for service, url in databases.items():
        if await _has_tables(url):
            raise TargetInUse(f"the {service} database has tables already; name an empty one")
    for service, url in databases.items():
        await call_postgres(
            programs / "pg_restore",
            url,
            *("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"),
            *(f"--dbname={make_url(url).database}", str(staging / manifest.databases[service].file)),
        )


async def _has_tables(url: str) -> bool:
    made = engine(url, begin="BEGIN")
    try:
        async with made.connect() as connection:
            return bool(await connection.run_sync(lambda plain: inspect(plain).get_table_names()))
    finally:
        await made.dispose()


async def migrate(databases: Mapping[ServiceName, str]) -> None:
    """Brings restored databases to the newest migrations of this version."""
    for service in SERVICES:
        await upgrade(service, databases[service])


def check_secrets(staging: Path, named: Mapping[str, str]) -> None:
    """Refuses secrets of the environment under which what is restored could not be read.

    Args:
        staging: folder of the unpacked backup.
        named: those that the environment names, by their names in the data folder's file.

    Raises:
        Unfit: one is another than the backup's.
    """
    kept = json.loads((staging / SECRETS).read_text())
    for name, value in named.items():
        if kept.get(name) != value:
            raise Unfit(
                f"HEARTHFORGE_{name.upper()} is set and is another than the backup's; "
                "unset it, or set it to that of the installation that was backed up"
            )


def forget_streams(url: str) -> None:
    """Empties the streams of events in a Valkey that is used again.

    Their positions are those of the time after the backup: new events would come after what never was.

    Args:
        url: its address.
    """
    with redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3) as client:
        client.delete(*(stream_key(service) for service in SERVICES))
