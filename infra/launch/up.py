"""``infra/up``: from a data folder to a product that is ready, and to its end."""

import argparse
import asyncio
import os
import shlex
import signal
import sys
import time
from pathlib import Path

from infra.launch.bootstrap import ROOT
from infra.launch.data_folder import (
    DataFolder,
    Running,
    default_path,
    held,
    keep_keys,
    keep_secrets,
    open_folder,
    socket_folder,
    write_running,
)
from infra.launch.environment import (
    address,
    choose_ports,
    compose,
    for_process,
    outside,
    outside_databases,
    reached_from_outside,
)
from infra.launch.failure import Failure, FolderFailure, ServerFailure, StartFailure
from infra.launch.forkserver import ForkServer, available
from infra.launch.guard import Warden, running_warden
from infra.launch.logs import Console
from infra.launch.ports import check_public, is_free
from infra.launch.processes import product
from infra.launch.servers import Postgres, prepare_postgres
from infra.launch.supervisor import Process, Supervisor
from services.shared.settings import SERVICES

PATIENCE = 120.0  # seconds until everything must be ready
PORT_TRIES = 3
MOST_REPLICAS = 8
INTERRUPTED = 130
OPEN_TO_ALL = (
    "  WARNING: whoever reaches this address may open an account; "
    "--sign-up invitation (with infra/key --invite) or --sign-up closed restricts it"
)
# Seconds. Runners such as timeout and npm pass on a Ctrl-C that the terminal has already sent to us.
SAME_KEYSTROKE = 1.0


def main(arguments: list[str] | None = None) -> int:
    """Run the product until it is told to stop.

    Returns:
        0 after an ordered stop, 1 when it could not start, 130 when it was interrupted before it was ready.
    """
    options = _parser().parse_args(arguments)
    os.environ["HEARTHFORGE_LOG_FORMAT"] = options.log_format
    os.environ["HEARTHFORGE_SIGN_UP"] = options.sign_up
    try:
        folder = open_folder(options.data or default_path(ROOT))
        with (
            held(folder) as lock,
            socket_folder(folder) as sockets,
            running_warden([lock]) as warden,
        ):
            if options.port:
                check_public(options.host, options.port)
            _check_redis()
            postgres = _postgres(folder, sockets, options.postgres, options.replicas)
            _check_replicas(options.replicas, postgres)
            return asyncio.run(_run(options, folder, sockets, postgres, warden))
    except StartFailure as failure:
        if failure.tail:
            print(f"--- the end of {failure.log}", *failure.tail, "---", sep="\n", file=sys.stderr)
        print(f"up: {failure}", file=sys.stderr)
    except Failure as failure:
        print(f"up: {failure}", file=sys.stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 1


async def _run(
    options: argparse.Namespace, folder: DataFolder, sockets: Path, postgres: Postgres | None, warden: Warden
) -> int:
    """Run the product; with new private ports when somebody snatched one away before its service had it."""
    for tries_left in reversed(range(PORT_TRIES)):
        ports = choose_ports(options.port, options.replicas)
        own = compose(folder, keep_secrets(folder), ports, options.host, sockets, postgres)
        table = product(own, keep_keys(folder), folder, ports, options.host, sockets, postgres)
        try:
            running = Running(os.getpid(), address(options.host, ports.public), own, ports.table())
            return await _run_once(table, running, folder, warden, options)
        except StartFailure as failure:
            port = ports.services.get(failure.part)
            if not tries_left or port is None or is_free(port):
                raise
            print(f"another program took port {port} meanwhile; starting again with other ports", flush=True)
    raise AssertionError("the last try returns or raises")


async def _run_once(
    table: list[Process], running: Running, folder: DataFolder, warden: Warden, options: argparse.Namespace
) -> int:
    """Start the table, say where it answers, wait for the stop, stop."""
    console = Console([process.name for process in table], quiet=not options.verbose)
    forks = ForkServer(for_process("forkserver", running.environment), ROOT) if available() else None
    began, width = time.monotonic(), max(len(process.name) for process in table)

    def tell_ready(name: str) -> None:
        console.say(f"  {name:<{width}} ready after {time.monotonic() - began:.1f} s")

    on_ready = None if options.quiet else tell_ready
    supervisor = Supervisor(table, folder.logs, console, warden, forks, on_ready)
    if not options.quiet:
        console.say(f"starting; each part's log is {folder.logs}{os.sep}PART.log")
    told_to_stop = _listen_for_the_end(supervisor, console)
    try:
        starting = asyncio.create_task(supervisor.start(PATIENCE))
        waiting = asyncio.create_task(told_to_stop.wait())
        await asyncio.wait((starting, waiting), return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            return INTERRUPTED
        starting.result()
        write_running(folder, running)  # not earlier: whoever reads it may use the databases
        where = f" --data {shlex.quote(str(folder.path))}" if options.data else ""
        console.say(f"ready {running.address}")
        console.say(f"  GraphiQL {running.address}/graphql   REST documentation {running.address}/docs")
        if reached_from_outside(options.host) and options.sign_up == "open":
            console.say(OPEN_TO_ALL)
        console.say(f"  make a key: infra/key my-laptop{where}")
        await waiting
        return 0
    finally:
        await supervisor.stop()
        folder.run_file.unlink(missing_ok=True)
        console.close()


def _listen_for_the_end(supervisor: Supervisor, console: Console) -> asyncio.Event:
    """Ctrl-C and its like: the first asks for an ordered stop, a later one kills."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    asked_at = 0.0

    def on_signal() -> None:
        nonlocal asked_at
        if not asked.is_set():
            console.say("stopping; once more kills")
            asked_at = loop.time()
            asked.set()
        elif loop.time() - asked_at > SAME_KEYSTROKE:
            console.say("killing everything")
            supervisor.kill()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, on_signal)
    return asked


def _postgres(folder: DataFolder, sockets: Path, asked: bool, replicas: int) -> Postgres | None:
    """Decide where the databases are. A folder stays with what it was first started with.

    Raises:
        FolderFailure: the folder holds SQLite databases and PostgreSQL was asked for.
    """
    if set(outside_databases()) == set(SERVICES):
        return None
    has_cluster = (folder.postgres / "PG_VERSION").exists()
    if asked and not has_cluster and any(folder.database(service).exists() for service in SERVICES):
        raise FolderFailure(
            f"{folder.path} holds SQLite databases, which PostgreSQL would not see; "
            "choose another folder with --data DIR, or start without --postgres"
        )
    return prepare_postgres(folder.postgres, sockets, replicas) if asked or has_cluster else None


def _check_replicas(replicas: int, postgres: Postgres | None) -> None:
    """Refuse several processes of a service on a database that one process at a time writes.

    Raises:
        FolderFailure: a database is SQLite's.
    """
    known = outside_databases()
    urls = [known.get(service, "sqlite" if postgres is None else "") for service in SERVICES]
    if replicas > 1 and any(url.startswith("sqlite") for url in urls):
        raise FolderFailure(
            "SQLite serves one process a service; start with --postgres on a new data folder, "
            "or name PostgreSQL databases in DATABASE_URL_*"
        )


def _check_redis() -> None:
    """Ask a server that the person named, before everything else would wait for it in vain.

    Raises:
        ServerFailure: it does not answer.
    """
    url = outside("REDIS_URL")
    if url is None:
        return
    import redis

    try:
        with redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise ServerFailure(
            f"REDIS_URL does not answer ({error}); mend it, or unset it to use the own server"
        ) from None


def port_number(text: str) -> int:
    """Read a port; argparse names this function when it is none."""
    number = int(text)
    if not 0 <= number <= 65_535:
        raise ValueError(text)
    return number


def replica_count(text: str) -> int:
    """Read how many processes of each service are to run; argparse names this function when it is none."""
    number = int(text)
    if not 1 <= number <= MOST_REPLICAS:
        raise ValueError(text)
    return number


def sign_up_mode(text: str) -> str:
    """Read who may sign up; argparse names this function when it is none of the three."""
    if text not in ("open", "invitation", "closed"):
        raise ValueError(text)
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="infra/up", description="Start Hearthforge; Ctrl-C stops it.")
    parser.add_argument(
        "--port",
        type=port_number,
        default=outside("HEARTHFORGE_PORT") or "4000",
        help="public port (default %(default)s; 0 chooses a free one)",
    )
    parser.add_argument(
        "--host",
        default=outside("HEARTHFORGE_HOST") or "127.0.0.1",
        help="public interface (default %(default)s)",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder that keeps everything")
    parser.add_argument("--postgres", action="store_true", help="use PostgreSQL instead of SQLite files")
    parser.add_argument(
        "--replicas",
        type=replica_count,
        default=1,
        metavar="N",
        help=f"processes of each service, worker and sweeper, 1 to {MOST_REPLICAS}; more than one needs "
        "PostgreSQL (default %(default)s)",
    )
    parser.add_argument(
        "--sign-up",
        type=sign_up_mode,
        metavar="{open,invitation,closed}",
        default=outside("HEARTHFORGE_SIGN_UP") or "open",
        help="who may open an account over HTTP (default %(default)s)",
    )
    parser.add_argument(
        "--log-format",
        choices=("json", "console"),
        default=outside("HEARTHFORGE_LOG_FORMAT") or "console",
        help="how the processes write their lines (default %(default)s)",
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--verbose", action="store_true", help="show the parts' log lines, too")
    output.add_argument("--quiet", action="store_true", help="show no line for each part that is ready")
    return parser
