"""The connection to Valkey or Redis."""

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff


def connect(url: str) -> Redis:
    """Open a pool of connections that answer in bytes and give up on a silent server after some seconds.

    Args:
        url: ``redis://host:port/0`` or ``unix:///path?db=0``.
    """
    # The second version of the protocol: its stream answers have one shape in every release of the client.
    return Redis.from_url(
        url,
        protocol=2,
        socket_connect_timeout=3,
        socket_timeout=10,
        health_check_interval=15,
        retry=Retry(ExponentialBackoff(cap=1, base=0.05), retries=2),
    )
