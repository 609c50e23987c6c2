"""The table of processes: what runs, what it waits for, how one sees that it is ready, when it is stopped."""

import signal
from collections.abc import Mapping
from pathlib import Path

from infra.launch.bootstrap import FEDERATION, ROOT, node_binary
from infra.launch.data_folder import DataFolder
from infra.launch.environment import (
    Ports,
    address,
    for_process,
    outside,
    python,
    replica_names,
    valkey_socket,
)
from infra.launch.probes import CommandReady, HttpReady, ValkeyReady
from infra.launch.servers import POSTGRES_USER, Postgres, valkey_command
from infra.launch.supervisor import Process
from services.shared.settings import SERVICES

APPS = {
    "account": "services.gateway.app:create_app",
    "dice": "services.dice.app:create_app",
    "character": "services.character.app:create_app",
    "campaign": "services.campaign.app:create_app",
    "map": "services.map.app:create_app",
}
GATEWAY, SERVICE, WORKER, SERVER = range(4)  # ranks in which they are stopped


def preparation(own: Mapping[str, str], postgres: Postgres | None) -> list[Process]:
    """List what a command on the databases needs: PostgreSQL where it is used, and the migrations."""
    plain = for_process("postgres", own)
    table = []
    if postgres is not None:
        table += [
            Process(
                "postgres",
                postgres.command,
                plain,
                ROOT,
                ready=CommandReady(postgres.is_ready, "takes no connections yet"),
                stop_rank=SERVER,
                stop_signal=signal.SIGINT,  # its fast stop; SIGTERM would wait for every client to leave
                grace=20.0,
            ),
            Process(
                "databases",
                python("infra.launch.databases", str(postgres.sockets), POSTGRES_USER, *SERVICES),
                plain,
                ROOT,
                depends=("postgres",),
                once=True,
            ),
        ]
    migrate = Process(
        "migrate",
        python("services.shared.migrate"),
        for_process("migrate", own),
        ROOT,
        depends=("databases",) if postgres is not None else (),
        once=True,
    )
    return [*table, migrate]


CELERY = (
    *("celery", "--quiet", "-A", "workers.app", "worker", "--without-gossip", "--without-mingle"),
    *("--loglevel", "warning"),
)

WORKERS = (
    ("worker", "maps", "HEARTHFORGE_MAP_WORKERS"),
    ("player", "simulations", "HEARTHFORGE_SIMULATION_WORKERS"),
)
"""The workers: the name of their process, the queue that they take work from, and how many work at once."""


def product(
    own: Mapping[str, str],
    private_keys: Mapping[str, str],
    folder: DataFolder,
    ports: Ports,
    host: str,
    sockets: Path,
    postgres: Postgres | None,
) -> list[Process]:
    """List everything that ``infra/up`` runs."""
    public = address(host, ports.public)
    table = preparation(own, postgres)
    if outside("REDIS_URL") is None:
        socket = valkey_socket(sockets)
        table.append(
            Process(
                "valkey",
                valkey_command(folder.valkey, socket),
                for_process("valkey", own),
                ROOT,
                ready=ValkeyReady(socket),
                stop_rank=SERVER,
            )
        )
    servers = tuple(process.name for process in table if process.name == "valkey")
    table += [
        Process(
            name,
            python("services.shared.serve", app, "--port", str(ports.services[name])),
            for_process(service, own, private_keys),
            ROOT,
            depends=("migrate", *servers),
            ready=HttpReady(f"http://127.0.0.1:{ports.services[name]}/healthz"),
            stop_rank=SERVICE,
            port=ports.services[name],
            forked=True,
        )
        for service, app in APPS.items()
        for name in replica_names(service, ports.replicas)
    ]
    table += [
        Process(
            "gateway",
            (str(node_binary()), str(FEDERATION / "gateway.mjs")),
            for_process("gateway", own, private_keys),
            FEDERATION,
            depends=servers,  # it needs no database: it starts beside the migrations
            # Green only when every part is, worker and sweeper included.
            ready=HttpReady(f"{public}/readyz"),
            ask_after=tuple(ports.services),
            stop_rank=GATEWAY,
            port=ports.public,
            listen=(host, ports.public),
        ),
        *(
            Process(
                name,
                python(
                    *CELERY,
                    "--concurrency",
                    outside(variable) or "1",
                    "--queues",
                    queue,
                    "--hostname",
                    f"{hostname}@%h",
                ),
                for_process(part, own),
                ROOT,
                depends=("migrate", *servers),
                stop_rank=WORKER,
                forked=True,
            )
            for part, queue, variable in WORKERS
            for name, hostname in zip(
                replica_names(part, ports.replicas), replica_names(queue, ports.replicas), strict=True
            )
        ),
        *(
            Process(
                name,
                python("workers.sweeper"),
                for_process("sweeper", own),
                ROOT,
                depends=("migrate", *servers),
                stop_rank=WORKER,
                forked=True,
            )
            for name in replica_names("sweeper", ports.replicas)
        ),
    ]
    return table
