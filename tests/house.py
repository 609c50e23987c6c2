"""A house of services for tests: real processes on free ports, called as the gateway would call them."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.ids import new_id
from services.shared.settings import SERVICES, ServiceName, Settings

ROOT = Path(__file__).resolve().parent.parent
FACTORIES: dict[ServiceName, str] = {
    "account": "services.gateway.app:create_app",
    "dice": "services.dice.app:create_app",
    "character": "services.character.app:create_app",
    "campaign": "services.campaign.app:create_app",
    "map": "services.map.app:create_app",
}
EVERYTHING = frozenset({"read", "write", "admin"})


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def installation(
    data_dir: Path, valkey_url: str, databases: Mapping[ServiceName, str], ports: Mapping[ServiceName, int]
) -> Settings:
    """Make the settings of an installation; what is not given leads nowhere."""
    return Settings(
        data_dir=data_dir,
        internal_secret="test-" * 10,
        key_pepper="pepper-" * 10,
        dice_secret="dice-" * 10,
        redis_url=valkey_url,
        public_url="http://127.0.0.1:4000",
        **{f"database_url_{name}": databases.get(name, "sqlite://") for name in SERVICES},
        **{f"{name}_url": f"http://127.0.0.1:{ports.get(name, 1)}" for name in SERVICES},
    )


def environment(settings: Settings) -> dict[str, str]:
    """Write settings as the environment of a process."""
    own = {
        str(field.validation_alias): str(value)
        for name, field in Settings.model_fields.items()
        if (value := getattr(settings, name)) is not None
    }
    return {**os.environ, **own, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


class House:
    """Running services, and signed calls to them."""

    def __init__(self, folder: Path, valkey_url: str, databases: Mapping[ServiceName, str]) -> None:
        self.ports = {name: free_port() for name in SERVICES}
        self.folder = folder
        self.settings = installation(folder, valkey_url, databases, self.ports)
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._gateway = Signer(self.settings.internal_secret, "gateway")
        self._client = httpx.Client(timeout=20, trust_env=False)

    def start(self) -> None:
        """Start everything and wait until each service is ready."""
        for name in SERVICES:
            self.start_service(name)
        self.start_worker()
        self._spawn("sweeper", "workers.sweeper")
        # The account service is ready only when the whole product is, the gateway in front included.
        self.wait_ready("account", "/healthz")
        for name in SERVICES[1:]:
            self.wait_ready(name)

    def start_service(self, name: ServiceName) -> None:
        """Start one service."""
        self._spawn(name, "services.shared.serve", FACTORIES[name], "--port", str(self.ports[name]))

    def start_worker(self) -> None:
        """Start the Celery worker."""
        self._spawn(
            "worker", "celery", "-A", "workers.app", "worker", "--concurrency", "1", "--loglevel", "warning"
        )

    def _spawn(self, name: str, *module: str) -> None:
        log = (self.folder / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(
            [sys.executable, "-m", *module],
            cwd=ROOT,
            env=environment(self.settings),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )

    def wait_ready(self, name: ServiceName, path: str = "/readyz", seconds: float = 40) -> None:
        """Wait until a service says that it is ready."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self._client.get(f"http://127.0.0.1:{self.ports[name]}{path}").status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            log = (self.folder / f"{name}.log").read_text(errors="replace")[-2000:]
            assert self.processes[name].poll() is None, f"{name} ended:\n{log}"
            assert time.monotonic() < end, f"{name} is not ready:\n{log}"
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop everything that was started."""
        for process in self.processes.values():
            if process.poll() is None:
                process.terminate()
        for process in self.processes.values():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
        self._client.close()

    def player(self) -> "Player":
        """Give a fresh account with a key of every scope."""
        return Player(self, Viewer(new_id("acc"), EVERYTHING))

    def anonymous(self) -> "Player":
        """Give somebody without a key."""
        return Player(self, Viewer())

    def token(self, service: str, viewer: Viewer, *, between_services: bool = False) -> dict[str, str]:
        """Give the header that the gateway would send."""
        return {TOKEN_HEADER: self._gateway.sign(service, viewer, service=between_services)}

    def post(self, service: ServiceName, headers: Mapping[str, str], **options: Any) -> httpx.Response:
        """Post to a service's GraphQL endpoint."""
        return self._client.post(
            f"http://127.0.0.1:{self.ports[service]}/graphql", headers=dict(headers), **options
        )

    def get(
        self, service: ServiceName, path: str, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Get a path of a service."""
        return self._client.get(f"http://127.0.0.1:{self.ports[service]}{path}", headers=dict(headers or {}))


class Player:
    """Somebody at the table."""

    def __init__(self, house: House, viewer: Viewer) -> None:
        self.house = house
        self.viewer = viewer

    @property
    def id(self) -> str:
        """Give the account id."""
        return self.viewer.account

    def answer(self, service: ServiceName, query: str, **variables: Any) -> dict[str, Any]:
        """Run an operation and give the whole answer."""
        response = self.house.post(
            service,
            {**self.house.token(service, self.viewer), "accept": "application/json"},
            json={"query": query, "variables": variables},
        )
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def ask(self, service: ServiceName, query: str, **variables: Any) -> Any:
        """Run an operation that must succeed and give its data."""
        answer = self.answer(service, query, **variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]
