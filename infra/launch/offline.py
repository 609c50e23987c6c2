"""``infra/migrate`` and ``infra/key``: one command in the environment of a data folder.

Where the product runs, the command gets the environment written in ``run.json``. Where it does not, the
folder is held for the command, its PostgreSQL is started when it has one, and the migrations run first.
"""

import argparse
import asyncio
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

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
from infra.launch.environment import choose_ports, compose, for_process, python
from infra.launch.failure import Failure, FolderInUse, StartFailure
from infra.launch.guard import Warden, running_warden
from infra.launch.logs import Console
from infra.launch.processes import preparation
from infra.launch.servers import prepare_postgres
from infra.launch.supervisor import Supervisor

PATIENCE = 60.0  # seconds for the databases to be ready
UNSERVED = (
    "changed {folder}, which no running product serves; start one with infra/up --data {folder}, "
    "or give --data DIR of the one that runs"
)


def migrate(arguments: list[str] | None = None) -> int:
    """Bring the databases to their newest migration; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="infra/migrate", description="Migrate the databases of a data folder."
    )
    _add_data(parser)
    options = parser.parse_args(arguments)
    return _with_databases(parser.prog, options.data, "migrate", python("services.shared.migrate"))


def key(arguments: list[str] | None = None) -> int:
    """Make an API key or an invitation to sign up, and print it, this once; or delete an account.

    Returns:
        the exit code.
    """
    parser = _key_parser()
    options = parser.parse_args(arguments)
    given = {"--days": options.days}
    if options.delete:
        if options.name or options.invite or options.scope or options.account:
            parser.error("--delete takes an account and nothing else")
        words = ["delete", options.delete]
    elif options.invite:
        if options.scope or options.account:
            parser.error("an invitation has no scopes and no account")
        given["--uses"] = options.uses
        words = ["invite", *([options.name] if options.name else [])]
    elif options.name is None:
        parser.error("name the key, or make an invitation with --invite")
    elif options.uses is not None:
        parser.error("--uses belongs to --invite")
    else:
        given["--account"] = options.account
        scopes = [word for scope in options.scope or ("read", "write") for word in ("--scope", scope)]
        words = ["create", options.name, *scopes]
    rest = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    command = python("services.gateway.keys", *words, *rest)
    return _with_databases(parser.prog, options.data, "key", command, UNSERVED)


def _key_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="infra/key",
        description="Make an API key, or an invitation to sign up with; it is shown only once. Or delete an "
        "account.",
    )
    parser.add_argument("name", nargs="?", help="what the key is for, such as the device it will live on")
    parser.add_argument(
        "--scope",
        action="append",
        metavar="SCOPE",
        help="what the key may do: read, write or admin; repeat for several (default: read and write)",
    )
    parser.add_argument(
        "--account", metavar="ID", help="whose it will be (default: a new account of that name)"
    )
    parser.add_argument(
        "--days",
        type=int,
        metavar="N",
        help="how long it holds (default: a key until it is revoked, an invitation for a week)",
    )
    parser.add_argument("--invite", action="store_true", help="make an invitation instead of a key")
    parser.add_argument(
        "--uses", type=int, metavar="N", help="how many accounts the invitation may open (default: one)"
    )
    parser.add_argument(
        "--delete", metavar="ACC_ID", help="delete this account for good, and all that is its own, instead"
    )
    _add_data(parser)
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data folder, as given to infra/up")


def _with_databases(
    program: str, data: Path | None, process: str, command: tuple[str, ...], unserved: str = ""
) -> int:
    """Run a command in the environment of a data folder.

    Args:
        program: how it is called in messages.
        data: the folder; None = the default one.
        process: whose variables the command gets.
        command: program and arguments.
        unserved: said after it has succeeded on a folder that no product runs on; names ``{folder}``.

    Returns:
        the exit code.
    """
    try:
        folder = open_folder(data or default_path(ROOT))
        try:
            with held(folder, patience=PATIENCE) as lock, running_warden([lock]) as warden:
                code = asyncio.run(_alone(folder, warden, process, command))
            if code == 0 and unserved:
                told = unserved.format(folder=shlex.quote(str(folder.path)))
                print(f"{Path(program).name}: {told}", file=sys.stderr)
            return code
        except FolderInUse:
            running = read_running(folder)
            if running is None:
                raise
            return _call(process, command, running.environment)
    except StartFailure as failure:
        print(*failure.tail, f"{Path(program).name}: {failure}", sep="\n", file=sys.stderr)
    except Failure as failure:
        print(f"{Path(program).name}: {failure}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


async def _alone(folder: DataFolder, warden: Warden, process: str, command: tuple[str, ...]) -> int:
    """Run the command on a folder that no product runs on."""
    with socket_folder(folder) as sockets:
        has_cluster = (folder.postgres / "PG_VERSION").exists()
        postgres = prepare_postgres(folder.postgres, sockets) if has_cluster else None
        own = compose(folder, keep_secrets(folder), choose_ports(0), "127.0.0.1", sockets, postgres)
        table = preparation(own, postgres)
        console = Console([process.name for process in table], output=2, quiet=True)
        supervisor = Supervisor(table, folder.logs, console, warden)
        try:
            await supervisor.start(PATIENCE)
            return await asyncio.to_thread(_call, process, command, own)
        finally:
            await supervisor.stop()
            console.close()


def _call(process: str, command: tuple[str, ...], own: Mapping[str, str]) -> int:
    environment = for_process(process, own)
    return subprocess.run(command, check=False, env=environment, cwd=ROOT, umask=0o077).returncode
