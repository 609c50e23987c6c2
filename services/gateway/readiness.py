"""Whether the whole product is ready: what the public ``/readyz`` asks of every part."""

from collections.abc import Sequence

from prometheus_client.core import GaugeMetricFamily, Metric
from redis.asyncio import Redis

from services.shared.app import Check
from services.shared.http_client import HttpClient
from services.shared.peers import Peer, ready_but
from services.shared.storage import Storage
from services.shared.worker_counts import handed_over

BESIDE = ("worker", "sweeper")
DOOR_SECONDS = 2.0


def alive_key(process: str) -> str:
    """Name the Redis key that a process without a port of its own renews while it lives."""
    return f"hf:alive:{process}"


def product_checks(
    redis: Redis, peers: Sequence[Peer], storage: Storage, doors: HttpClient | None
) -> dict[str, Check]:
    """Give the checks of every part but this process's own database and Redis.

    Args:
        redis: where the worker and the sweeper show that they live.
        peers: the other subgraphs.
        storage: where files are kept.
        doors: client for the federation gateway's private port; None when no federation gateway belongs to
            this installation.
    """
    checks: dict[str, Check] = {peer.name: peer.ready for peer in peers}
    checks["storage"] = storage.ping
    for process in BESIDE:
        checks[process] = _alive(redis, process)
    if doors is not None:
        checks["gateway"] = _reaches_all(doors)
    return checks


async def figures_beside(redis: Redis) -> Sequence[Metric]:
    """Return what Prometheus is told of the processes without a port: whether they live, what they counted.

    Raises:
        RedisError: Valkey is away.
    """
    alive = GaugeMetricFamily(
        "hearthforge_process_alive", "1 if a process of this name has shown itself lately", labels=["process"]
    )
    for process in BESIDE:
        alive.add_metric([process], await redis.exists(alive_key(process)))
    return [alive, *await handed_over(redis)]


def _alive(redis: Redis, process: str) -> Check:
    async def check() -> None:
        if not await redis.exists(alive_key(process)):
            raise ConnectionError(f"no sign of life from the {process}")

    return check


def _reaches_all(client: HttpClient) -> Check:
    """Make the check of the federation gateway, which asks each subgraph over the connections of clients."""

    async def check() -> str:
        answer = await client.request("GET", "/readyz", seconds=DOOR_SECONDS)
        broken = {name: word for name, word in answer.json()["checks"].items() if word != "ok"}
        if answer.status != 200:
            raise ConnectionError(f"not ready: {broken}")
        return ready_but(broken)

    return check
