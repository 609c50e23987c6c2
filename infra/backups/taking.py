"""Databases, files and secrets of an installation into a folder, as they were at one moment.

A file is stored before the row that names it, and never changes; one that nothing names any more may be
removed at any time. So the files that are named now are copied first, which takes longest; then the moment is
chosen, and what is named at it and was not copied yet follows. Where one of these has just been removed, its
row has gone, too, and another moment is chosen.
"""

import asyncio
import json
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from infra.backups.failure import BackupFailure
from infra.backups.manifest import FILES, MANIFEST, SECRETS, Manifest, SavedDatabase, files_of
from infra.backups.snapshots import Snapshot, at_one_moment
from infra.backups.transfer import transfer
from infra.launch.bootstrap import ROOT
from infra.launch.servers import postgres_programs
from services.character.portraits.keys import NAMED_PORTRAITS, SINCE
from services.map.models import NAMED_FILES
from services.shared.settings import SERVICES, BackupSettings, ServiceName
from services.shared.storage import Storage, open_storage

MOMENTS = 3
"""How many moments are tried before a file that is named and not there counts as lost."""

REVISION = "SELECT version_num FROM alembic_version"
SUFFIXES = {"sqlite": "db", "postgres": "pgdump"}

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Installation:
    """Where everything is that an installation keeps.

    Attributes:
        databases: addresses by service.
        kind: of all databases, ``sqlite`` or ``postgres``.
        files: where the stored files are.
        secrets: as the data folder's ``secrets.json`` holds them.
        programs: folder of PostgreSQL's programs; None where it is not used.
    """

    databases: Mapping[ServiceName, str]
    kind: str
    files: Storage
    secrets: dict[str, str]
    programs: Path | None

    @classmethod
    def of(cls, settings: BackupSettings) -> "Installation":
        """Describes what the settings of its processes lead to.

        Raises:
            BackupFailure: some databases are SQLite files and some are not.
            ServerFailure: PostgreSQL's programs are not on this machine.
        """
        databases = {name: settings.database_url(name) for name in SERVICES}
        files = [url.startswith("sqlite") for url in databases.values()]
        if any(files) != all(files):
            raise BackupFailure("some databases are SQLite files and some are not; back them up by hand")
        kind = "sqlite" if all(files) else "postgres"
        # The processes' own keys are made anew: they sign for a minute at a time.
        secrets = {"key_pepper": settings.key_pepper, "dice_secret": settings.dice_secret}
        programs = postgres_programs(settings.data_dir / "postgres") if kind == "postgres" else None
        return cls(databases, kind, open_storage(settings), secrets, programs)


async def take(installation: Installation, target: Path, say: Say) -> Manifest:
    """Backs an installation up, also while it runs.

    Args:
        installation: where everything is.
        target: an empty folder.
        say: is told, in a line, what goes on.

    Returns:
        What the backup holds, as its manifest says.

    Raises:
        BackupFailure: it cannot be taken; the folder then holds a part of it.
        StorageUnavailable: nor can it where the stored files cannot be read.
    """
    files = _Files(installation.files, target / FILES)
    known = installation.databases
    naming: dict[ServiceName, str] = {"map": known["map"], "character": known["character"]}
    async with at_one_moment(naming, installation.programs) as first:
        named = await _named(first)
    say(f"copying {len(named):,} stored files")
    await files.copy(named)
    for left in reversed(range(MOMENTS)):
        async with at_one_moment(installation.databases, installation.programs) as snapshots:
            moment = datetime.now(UTC)
            named = await _named(snapshots)
            missing = await files.copy(named)
            if missing and left:
                continue
            files.keep_only(named)
            say(f"saving {len(snapshots)} databases as of {moment:%Y-%m-%d %H:%M:%S} UTC")
            databases = await _save(snapshots, installation.kind, target)
        break
    (target / SECRETS).write_text(json.dumps(installation.secrets, indent=1))
    manifest = Manifest(_version(), moment, databases, files_of(target), tuple(sorted(missing)))
    (target / MANIFEST).write_bytes(manifest.to_bytes())
    return manifest


async def _named(snapshots: Mapping[ServiceName, Snapshot]) -> list[str]:
    """Return the keys of all stored files that rows name."""
    named = await snapshots["map"].column(NAMED_FILES)
    (revision,) = await snapshots["character"].column(REVISION)
    return named if revision < SINCE else named + await snapshots["character"].column(NAMED_PORTRAITS)


async def _save(
    snapshots: Mapping[ServiceName, Snapshot], kind: str, target: Path
) -> dict[str, SavedDatabase]:
    saved: dict[str, SavedDatabase] = {}
    (target / "databases").mkdir()
    for name, snapshot in snapshots.items():
        file = f"databases/{name}.{SUFFIXES[kind]}"
        (revision,) = await snapshot.column(REVISION)
        await snapshot.save(target / file)
        saved[name] = SavedDatabase(kind, file, revision)
    return saved


class _Files:
    """The stored files that were copied so far.

    Args:
        source: where they are stored.
        target: folder of the copies.
    """

    def __init__(self, source: Storage, target: Path) -> None:
        self._source = source
        self._target = target
        self._copied: set[str] = set()

    async def copy(self, named: Collection[str]) -> set[str]:
        """Copy those that were not copied yet; return the keys of those that are not there."""
        missing = set()

        async def one(key: str) -> None:
            content = await self._source.get(key)
            if content is None:
                missing.add(key)
                return
            await asyncio.to_thread(_write, self._target / key, content)
            self._copied.add(key)

        await transfer(sorted(set(named) - self._copied), one)
        return missing

    def keep_only(self, named: Collection[str]) -> None:
        """Removes the copies of all others."""
        for key in self._copied.difference(named):
            (self._target / key).unlink()


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def _version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])
