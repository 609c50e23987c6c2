"""The variables of the processes. What the person set outside is honoured before anything of ours.

Each process is given those that it reads and no other's: no secret lies where it is not used.
"""

import ipaddress
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, urlsplit

from infra.launch.bootstrap import ROOT
from infra.launch.data_folder import DataFolder, Secrets
from infra.launch.ports import free_ports
from infra.launch.servers import Postgres
from services.shared.process_keys import public_keys_of
from services.shared.settings import EVERY_VARIABLE, SERVICES, STORAGE_VARIABLES, variables

NODE_CACHE = Path(sys.prefix) / "node-cache"
"""Where Node keeps what it has compiled: with it the gateway takes a quarter less of a processor to start."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where each process listens; all but the public one on 127.0.0.1.

    Attributes:
        public: the gateway's.
        admin: the gateway's private one for /metrics, /healthz and /readyz.
        services: by the names of the services' processes: ``dice``, and ``dice-2`` of its second replica.
    """

    public: int
    admin: int
    services: Mapping[str, int]

    def table(self) -> dict[str, int]:
        """Give all of them by name."""
        return {"public": self.public, "admin": self.admin, **self.services}

    @property
    def replicas(self) -> int:
        """Return how many processes of each service there are."""
        return len(self.services) // len(SERVICES)

    def addresses(self, service: str) -> list[str]:
        """Return the addresses of a service's replicas."""
        names = replica_names(service, self.replicas)
        return [f"http://127.0.0.1:{self.services[name]}" for name in names]


def replica_names(process: str, replicas: int) -> list[str]:
    """Name the processes of a part that runs several times: ``dice``, ``dice-2``, ``dice-3``."""
    return [process, *(f"{process}-{number}" for number in range(2, replicas + 1))]


def choose_ports(public: int, replicas: int = 1) -> Ports:
    """Choose free private ports, and a free public one, too, when ``public`` is 0.

    Args:
        public: the port of the gateway.
        replicas: how many processes of each service run.
    """
    names = [name for service in SERVICES for name in replica_names(service, replicas)]
    spare, admin, *rest = free_ports(2 + len(names))
    return Ports(public or spare, admin, dict(zip(names, rest, strict=True)))


def address(host: str, port: int) -> str:
    """Give the address under which this machine reaches a listener on ``host``."""
    local = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{local}]:{port}" if ":" in local else f"http://{local}:{port}"


def reached_from_outside(host: str) -> bool:
    """Whether others than this machine reach what listens on ``host``, or what a public address leads to."""
    public = urlsplit(outside("HEARTHFORGE_PUBLIC_URL") or "").hostname
    return not (_is_loopback(host) and (public is None or _is_loopback(public)))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def outside(name: str) -> str | None:
    """Give a variable that the person set; None also when it is empty."""
    return os.environ.get(name) or None


def outside_databases() -> Mapping[str, str]:
    """Give the databases whose addresses the person set, by service."""
    return {service: url for service in SERVICES if (url := outside(f"DATABASE_URL_{service.upper()}"))}


def compose(
    folder: DataFolder, secrets: Secrets, ports: Ports, host: str, sockets: Path, postgres: Postgres | None
) -> dict[str, str]:
    """Give the variables of one running product, but for the keys of its processes.

    Args:
        folder: the data folder.
        secrets: of the same folder.
        ports: where everything listens.
        host: the public interface.
        sockets: where Valkey's socket is, unless REDIS_URL is set.
        postgres: the server started here; None = SQLite files in the data folder.
    """
    known = outside_databases()
    databases = {
        service: known.get(service)
        or (postgres.url(service) if postgres else f"sqlite:///{quote(str(folder.database(service)))}")
        for service in SERVICES
    }
    return {
        "HEARTHFORGE_DATA_DIR": str(folder.path),
        **{name: value for name in STORAGE_VARIABLES if (value := outside(name))},
        "HEARTHFORGE_KEY_PEPPER": outside("HEARTHFORGE_KEY_PEPPER") or secrets.key_pepper,
        "HEARTHFORGE_DICE_SECRET": outside("HEARTHFORGE_DICE_SECRET") or secrets.dice_secret,
        "REDIS_URL": outside("REDIS_URL") or f"unix://{valkey_socket(sockets)}?db=0",
        **{f"DATABASE_URL_{service.upper()}": url for service, url in databases.items()},
        **{f"HEARTHFORGE_{service.upper()}_URL": ",".join(ports.addresses(service)) for service in SERVICES},
        "HEARTHFORGE_PUBLIC_URL": outside("HEARTHFORGE_PUBLIC_URL") or address(host, ports.public),
        "HEARTHFORGE_HOST": host,
        "HEARTHFORGE_PORT": str(ports.public),
        "HEARTHFORGE_GATEWAY_ADMIN_PORT": str(ports.admin),
    }


def valkey_socket(sockets: Path) -> Path:
    """Give the path of Valkey's socket."""
    return sockets / "valkey.sock"


def for_process(
    name: str, own: Mapping[str, str], private_keys: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Give the environment of a process: what it reads of the product's variables, PATH, locale and the like.

    Args:
        name: of the process, as in ``services.shared.settings.PROCESSES``; another one reads nothing of ours.
        own: the product's variables.
        private_keys: of all processes that sign.
    """
    known = {**own, **signing(name, private_keys)}
    reads = variables(name)
    return {
        "NODE_COMPILE_CACHE": str(NODE_CACHE),
        **{variable: value for variable, value in os.environ.items() if variable not in EVERY_VARIABLE},
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "NODE_ENV": "production",
        **{variable: value for variable, value in {**os.environ, **known}.items() if variable in reads},
    }


def signing(name: str, private_keys: Mapping[str, str]) -> dict[str, str]:
    """Return the variables by which a process signs and knows the others; none for one that does not sign."""
    if name not in private_keys:
        return {}
    public = json.dumps(public_keys_of(private_keys), separators=(",", ":"))
    return {"HEARTHFORGE_PRIVATE_KEY": private_keys[name], "HEARTHFORGE_PUBLIC_KEYS": public}


def python(*words: str) -> tuple[str, ...]:
    """Give the command that runs a module under the Python that runs this."""
    return (sys.executable, "-m", *words)
