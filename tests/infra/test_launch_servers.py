"""The wheels' servers, started for real: on awkward paths, as root and as an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infra.launch.servers import NOBODY, prepare_postgres

ROOT = Path(__file__).resolve().parents[2]

# Starts a server under the supervisor, as infra/up does, asks it something, stops it, prints the answers.
VALKEY = """
import asyncio, json, os, stat, sys
from pathlib import Path
import redis
from infra.launch.data_folder import open_folder, socket_folder
from infra.launch.environment import valkey_socket
from infra.launch.logs import Console
from infra.launch.probes import ValkeyReady
from infra.launch.servers import valkey_command
from infra.launch.supervisor import Process, Supervisor
from infra.launch.guard import running_warden
folder = open_folder(Path(sys.argv[1]))
async def main(warden, socket):
    command = valkey_command(folder.valkey, socket)
    table = [Process("valkey", command, dict(os.environ), folder.path, ready=ValkeyReady(socket))]
    supervisor = Supervisor(table, folder.logs, Console([], quiet=True), warden)
    try:
        await supervisor.start(30)
        client = redis.Redis.from_url(f"unix://{socket}?db=0")
        before = client.incr("starts")
        print(json.dumps({"starts": before, "port": client.config_get("port")["port"],
                          "mode": stat.S_IMODE(socket.stat().st_mode)}))
    finally:
        await supervisor.stop()
with running_warden() as warden, socket_folder(folder) as sockets:
    asyncio.run(main(warden, valkey_socket(sockets)))
"""
POSTGRES = """
import asyncio, json, os, sys
from pathlib import Path
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from infra.launch.data_folder import open_folder, socket_folder
from infra.launch.logs import Console
from infra.launch.processes import preparation
from infra.launch.servers import prepare_postgres
from infra.launch.supervisor import Supervisor
from infra.launch.guard import running_warden
folder = open_folder(Path(sys.argv[1]))
async def main(warden, sockets):
    postgres = prepare_postgres(folder.postgres, sockets)
    table = [process for process in preparation({}, postgres) if process.name != "migrate"]
    supervisor = Supervisor(table, folder.logs, Console([], quiet=True), warden)
    try:
        await supervisor.start(60)
        engine = create_async_engine(postgres.url("campaign"))
        async with engine.begin() as connection:
            await connection.execute(text("CREATE TABLE IF NOT EXISTS visits (at serial)"))
            await connection.execute(text("INSERT INTO visits DEFAULT VALUES"))
            visits = (await connection.execute(text("SELECT count(*) FROM visits"))).scalar()
            listens = (await connection.execute(text("SHOW listen_addresses"))).scalar()
            names = set(await connection.scalars(text("SELECT datname FROM pg_database")))
        await engine.dispose()
        print(json.dumps({"visits": visits, "listens": listens, "names": sorted(names), "uid": os.geteuid()}))
    finally:
        await supervisor.stop()
with running_warden() as warden, socket_folder(folder) as sockets:
    asyncio.run(main(warden, sockets))
"""
# An ordinary user who may still pass closed folders: Python itself can live under /root.
ORDINARY = (
    *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
    *("--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--"),
)
IS_ROOT = os.geteuid() == 0


def answers(
    program: str, folder: Path, prefix: tuple[str, ...] = (), path: str = os.environ["PATH"]
) -> dict[str, object]:
    done = subprocess.run(
        [*prefix, sys.executable, "-c", program, str(folder)],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", ["data", "long" * 40, "with a space"])
def test_valkey_starts_on_any_path_and_remembers(tmp_path: Path, name: str) -> None:
    first = answers(VALKEY, tmp_path / name)
    assert first == {"starts": 1, "port": "0", "mode": 0o700}
    assert answers(VALKEY, tmp_path / name)["starts"] == 2


def check_postgres(folder: Path, prefix: tuple[str, ...] = (), path: str = os.environ["PATH"]) -> object:
    first, second = (answers(POSTGRES, folder, prefix, path) for _ in range(2))
    assert (first["visits"], second["visits"]) == (1, 2)
    assert first["listens"] == ""
    assert {"account", "dice", "character", "campaign", "map"} <= set(first["names"])  # type: ignore[call-overload]
    return first["uid"]


@pytest.mark.skipif(not IS_ROOT, reason="needs root: PostgreSQL refuses it and gets another user")
def test_postgres_starts_for_root(tmp_path: Path) -> None:
    assert check_postgres(tmp_path / "data") == 0


@pytest.mark.skipif(not IS_ROOT, reason="needs root")
@pytest.mark.skipif(
    shutil.which("setpriv") is None, reason="needs setpriv of util-linux, which this machine lacks"
)
def test_postgres_starts_for_root_where_user_namespaces_are_forbidden(tmp_path: Path) -> None:
    """As in most containers. A folder that only root may pass, such as /root, stays usable."""
    forbidden = tmp_path / "bin" / "unshare"
    forbidden.parent.mkdir()
    forbidden.write_text("#!/bin/sh\necho 'unshare: Operation not permitted' >&2\nexit 1\n")
    forbidden.chmod(0o755)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    check_postgres(closed / "data", path=f"{forbidden.parent}:{os.environ['PATH']}")
    assert (closed / "data" / "postgres").stat().st_uid == NOBODY
    # The same folder where namespaces are allowed again: it changes hands.
    assert answers(POSTGRES, closed / "data")["visits"] == 3
    assert (closed / "data" / "postgres").stat().st_uid == 0


@pytest.mark.skipif(
    IS_ROOT and shutil.which("setpriv") is None, reason="run by root, and no setpriv to become someone else"
)
def test_postgres_starts_for_an_ordinary_user(tmp_path: Path) -> None:
    if IS_ROOT:
        os.chown(tmp_path, NOBODY, NOBODY)
    assert check_postgres(tmp_path / "data", ORDINARY if IS_ROOT else ()) != 0


def test_a_cluster_that_was_being_made_when_the_power_went_is_made_again(tmp_path: Path) -> None:
    half = tmp_path / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    sockets = tmp_path / "run"
    sockets.mkdir(mode=0o700)
    prepare_postgres(tmp_path / "postgres", sockets)
    assert (tmp_path / "postgres" / "global" / "pg_control").exists()
    assert not half.exists()


def test_a_lock_file_whose_number_now_belongs_to_another_program_is_forgotten(tmp_path: Path) -> None:
    """After a container's restart the numbers begin anew: PostgreSQL would take a stranger for itself."""
    sockets = tmp_path / "run"
    sockets.mkdir(mode=0o700)
    prepare_postgres(tmp_path / "postgres", sockets)
    lock = tmp_path / "postgres" / "postmaster.pid"
    lock.write_text(f"{os.getpid()}\n{tmp_path / 'postgres'}\n")
    prepare_postgres(tmp_path / "postgres", sockets)
    assert not lock.exists()
