"""Signs of life of a worker, given by its main process while its child works.

``Lease`` keeps the messages that this worker holds from being given to others, and ``Heartbeat`` tells the
readiness check that there is a worker. When the process dies both stop: the message is delivered again after
the visibility timeout, however long its task may take in a worker that lives.
"""

import time
from typing import Any

import redis
import structlog
from celery import bootsteps

WORKER_KEY = "hf:alive:worker"
ALIVE_SECONDS = 10
VISIBILITY_SECONDS = 12
BEAT_SECONDS = 3.0

log = structlog.get_logger(__name__)


class Lease(bootsteps.StartStopStep):  # type: ignore[misc]
    """Renews the visibility timeout of the messages held, three times within it."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **_options: Any) -> None:
        self._timer: Any = None

    def start(self, consumer: Any) -> None:
        """Begin with a consumer whose connection is up."""
        channel = consumer.task_consumer.channel
        if hasattr(channel, "unacked_index_key"):  # only the Redis transport has visibility timeouts
            every = channel.visibility_timeout / 3
            self._timer = consumer.timer.call_repeatedly(every, renew, (channel,))

    def stop(self, consumer: Any) -> None:
        """End with the connection."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def renew(channel: Any) -> None:
    """Count the visibility timeout of each message that ``channel`` has not acknowledged from now on."""
    # Celery offers no public list of the messages held; a test pins this name of kombu's.
    tags = list(channel.qos._delivered)
    if tags:
        now = time.time()
        with channel.conn_or_acquire() as client:
            client.zadd(channel.unacked_index_key, dict.fromkeys(tags, now), xx=True)


class Heartbeat(bootsteps.StartStopStep):  # type: ignore[misc]
    """Keeps a key with a short life in Redis as long as a worker listens for messages."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **_options: Any) -> None:
        self._timer: Any = None

    def start(self, consumer: Any) -> None:
        """Begin with a consumer whose connection is up."""
        channel = consumer.task_consumer.channel
        if hasattr(channel, "unacked_index_key"):
            beat(channel)
            self._timer = consumer.timer.call_repeatedly(BEAT_SECONDS, beat, (channel,))

    def stop(self, consumer: Any) -> None:
        """End with the connection."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def beat(channel: Any) -> None:
    """Say that a worker lives.

    Raises:
        redis.ConnectionError: it lives but hears nothing; the event loop lets this error through, and the
            consumer starts anew.
    """
    if getattr(channel, "deaf", False):
        raise redis.ConnectionError("the connection was lost while a message was acknowledged")
    try:
        with channel.conn_or_acquire() as client:
            client.set(WORKER_KEY, b"1", ex=ALIVE_SECONDS)
    except redis.RedisError as error:
        # The consumer notices a broken connection by itself; the key runs out meanwhile, as it should.
        log.warning("heartbeat_unsent", error=str(error))
