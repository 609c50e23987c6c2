"""Bring the databases of all services, or of one, to their newest migration.

``python -m services.shared.migrate [service ...]`` reads the addresses from the environment;
``--make MESSAGE`` writes a new migration from the difference between a database and the code; ``--wait``
leaves the migrations to another process, and ends when they are done. Each service keeps a history of its own
in ``services/<service>/migrations`` and names its tables in ``models.py``; this module is
the one Alembic environment they share.
"""

import argparse
import asyncio
import importlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from alembic.autogenerate import compare_metadata, produce_migrations, render_python_code
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel.sql.sqltypes import AutoString

from services.shared.database import Utc, engine
from services.shared.settings import SERVICES, MigrationSettings, ServiceName
from services.shared.tables import PACKAGES, metadata

TEMPLATES = Path(__file__).parent / "migrations"
MIGRATION_LOCK = 0x4846_4D49_4752
"""The number of the advisory lock under which a PostgreSQL database is migrated, by one process at a time."""

WAIT_SECONDS = 1.0
"""Between two looks at a database that is not migrated yet."""


def configuration(service: ServiceName) -> Config:
    """Point Alembic at the shared template and the service's own history."""
    package = importlib.import_module(PACKAGES[service])
    config = Config()
    config.set_main_option("path_separator", "os")
    config.set_main_option("script_location", str(TEMPLATES))
    config.set_main_option("version_locations", str(Path(str(package.__file__)).parent / "migrations"))
    return config


def revisions(service: ServiceName) -> frozenset[str]:
    """Returns the ids of all migrations of a service."""
    history = ScriptDirectory.from_config(configuration(service))
    return frozenset(script.revision for script in history.walk_revisions())


async def upgrade(service: ServiceName, url: str, to: str = "head") -> None:
    """Run the migrations that a database still lacks, in one transaction; who comes second waits for it.

    Args:
        service: whose database it is.
        url: its address.
        to: the migration to end with.

    Raises:
        RuntimeError: rows would be left that refer to rows which are not there; nothing was changed.
    """
    await _with_connection(url, lambda connection: _upgrade(service, connection, to))


async def is_migrated(service: ServiceName, url: str) -> bool:
    """Whether a database has the newest migration of the code, or one that only newer code knows.

    False also for a database that cannot be reached.
    """
    found: set[str] = set()

    def read(connection: Connection) -> None:
        found.update(MigrationContext.configure(connection).get_current_heads())

    try:
        await _with_connection(url, read)
    except (OSError, SQLAlchemyError):
        return False
    head = ScriptDirectory.from_config(configuration(service)).get_current_head()
    return bool(found) and not found & (revisions(service) - {head})


async def wait(urls: Mapping[ServiceName, str]) -> None:
    """Return once the databases at ``urls`` are migrated, each asked again after a second."""
    for service, url in urls.items():
        told = False
        while not await is_migrated(service, url):
            if not told:
                print(f"waiting for the migrations of {service}", file=sys.stderr, flush=True)
                told = True
            await asyncio.sleep(WAIT_SECONDS)


async def drift(service: ServiceName, url: str) -> list[object]:
    """List the differences between a migrated database and the tables in the code; empty when they agree."""
    found: list[object] = []

    def compare(connection: Connection) -> None:
        found.extend(compare_metadata(MigrationContext.configure(connection), metadata(service)))

    await _with_connection(url, compare)
    return found


async def make(service: ServiceName, url: str, message: str) -> None:
    """Write a migration that turns the database at ``url`` into what the code expects."""

    def write(connection: Connection) -> None:
        history = ScriptDirectory.from_config(configuration(service))
        context = MigrationContext.configure(connection, opts={"render_item": _plain})
        changes = produce_migrations(context, metadata(service))
        if changes.upgrade_ops is None or changes.upgrade_ops.is_empty() or changes.downgrade_ops is None:
            return
        number = len(list(history.walk_revisions())) + 1
        history.generate_revision(
            f"{service}_{number:04}",
            message,
            head="head" if number > 1 else "base",
            version_path=history.version_locations[0],
            file_template="",
            imports="",
            upgrades=render_python_code(changes.upgrade_ops, render_item=_plain),
            downgrades=render_python_code(changes.downgrade_ops, render_item=_plain),
        )

    await _with_connection(url, write)


def _plain(kind: str, item: object, _context: object) -> str | Literal[False]:
    """Write column types as SQLAlchemy's own, so that a migration needs nothing of today's code."""
    match item:
        case AutoString(length=length) if kind == "type":
            return f"sa.String(length={length})"
        case Utc() if kind == "type":
            return "sa.DateTime(timezone=True)"
    return False


async def _with_connection(url: str, work: Callable[[Connection], None]) -> None:
    made = engine(url, begin="BEGIN IMMEDIATE")
    if made.dialect.name == "sqlite":
        event.listen(made.sync_engine, "connect", _let_tables_be_made_anew)
    try:
        async with made.begin() as connection:
            await connection.run_sync(work)
    finally:
        await made.dispose()


def _let_tables_be_made_anew(connection: Any, _record: Any) -> None:
    # SQLite alters a table by making it anew, and would not drop the old one while rows refer to it.
    connection.execute("PRAGMA foreign_keys=OFF")


def _upgrade(service: ServiceName, connection: Connection, to: str) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
    config = configuration(service)
    history = ScriptDirectory.from_config(config)

    def steps(revision: object, _context: object) -> list[object]:
        return history._upgrade_revs(to, revision)  # type: ignore[arg-type, return-value]

    with EnvironmentContext(config, history, fn=steps) as environment:
        environment.configure(connection=connection, target_metadata=metadata(service))
        with environment.begin_transaction():
            environment.run_migrations()
    if connection.dialect.name == "sqlite":
        lost = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if lost:
            raise RuntimeError(f"{service}: {len(lost)} rows refer to rows that are not there: {lost[:5]}")


def main(arguments: list[str] | None = None) -> int:
    """Migrate the services named on the command line, or all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "services", nargs="*", metavar="service", help=f"of {', '.join(SERVICES)}; all when omitted"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--make", metavar="MESSAGE", help="write a new migration instead")
    instead.add_argument("--wait", action="store_true", help="end when another process has migrated them")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.services if name not in SERVICES]
    if unknown:
        parser.error(f"unknown service {unknown[0]}; known: {', '.join(SERVICES)}")
    settings = MigrationSettings()
    try:
        urls = {service: settings.database_url(service) for service in options.services or SERVICES}
    except LookupError as error:
        parser.error(str(error))

    async def run() -> None:
        if options.wait:
            await wait(urls)
            return
        for service, url in urls.items():
            await upgrade(service, url)
            if options.make:
                await make(service, url, options.make)

    asyncio.run(run())
    return 0


if __name__ == "__main__":
    sys.exit(main())
