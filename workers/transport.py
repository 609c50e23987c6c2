"""The Redis transport of Celery, made to survive messages that are none.

Anybody who can write to the broker, an older release included, can leave something there that is no message
of ours. Stock kombu and Celery end the worker over some of these, connect anew for ever over others, and over
others still go on without ever starting another task. Here a message is read for two things alone, the name
of its task and the id of its job; everything else that Celery is handed is written anew. What has not these
two is logged and thrown away: if it stood for a job, the sweeper sends a sound message.
"""

import base64
import uuid
from queue import Empty
from typing import Any

import orjson
import structlog
from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError

from services.shared.ids import is_id

SHOWN = 200

log = structlog.get_logger(__name__)


class Unusable(ValueError):
    """What came out of a queue is no message of ours."""


class DeliveryBroken(RuntimeError):
    """Celery itself failed over a sound message: it must start anew, for it may be left in any state."""


class Held(redis.QoS):
    """The messages held, each until it is acknowledged."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message; a connection that fails over it is noted, since Celery only logs that.

        The failure has taken the channel out of the event loop: without a fresh start nothing would be
        delivered any more, and nothing else would ever tell.
        """
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        except ConnectionError:
            self.channel.deaf = True
            raise


class Channel(redis.Channel):
    """Reads from the queues.

    Attributes:
        deaf: whether nothing is delivered any more, until the consumer starts anew.
    """

    QoS = Held
    deaf = False

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]
        except (ValueError, RecursionError) as error:
            log.error("message_thrown_away", error=f"{type(error).__name__}: {error}"[:SHOWN])
            raise Empty from error


class Transport(redis.Transport):
    """Hands messages to the worker."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str) -> None:
        if queue in self.Channel._fanout_queues:  # workers talking among themselves, not tasks
            super()._deliver(message, queue)  # type: ignore[no-untyped-call]
            return
        sound = rewritten(message, queue)
        try:
            super()._deliver(sound, queue)  # type: ignore[no-untyped-call]
        except self._broken_connection:
            raise
        except Exception as error:
            self._forget(sound["properties"]["delivery_tag"])
            raise DeliveryBroken(f"{type(error).__name__}: {error}") from error

    @property
    def _broken_connection(self) -> tuple[type[Exception], ...]:
        # A KeyError counts as one with kombu, which is how a message can make it connect anew for ever.
        return tuple(error for error in self.connection_errors if error is not KeyError)

    def _forget(self, tag: str) -> None:
        """Give up a message that is already noted as held, lest it comes back and does the same again."""
        for channel in self.channels:
            if tag in channel.qos._delivered:
                channel.qos.reject(tag)


def rewritten(message: Any, queue: str) -> dict[str, Any]:
    """Write a message anew from its task's name and its job's id.

    Args:
        message: what came out of the queue.
        queue: the queue's name.

    Raises:
        Unusable: one of the two is missing.
    """
    try:
        task = message["headers"]["task"]
        (job,), *_ = orjson.loads(base64.b64decode(message["body"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unusable(f"{type(error).__name__} in {message!r:.{SHOWN}}") from error
    if not (isinstance(task, str) and isinstance(job, str) and is_id(job, "job")):
        raise Unusable(f"no task, or no job, in {message!r:.{SHOWN}}")
    ident = str(uuid.uuid4())
    arguments = [[job], {}, {"callbacks": None, "errbacks": None, "chain": None, "chord": None}]
    return {
        "body": base64.b64encode(orjson.dumps(arguments)).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {
            "lang": "py",
            "task": task,
            "id": ident,
            "root_id": ident,
            "retries": 0,
            "eta": None,
            "expires": None,
            "timelimit": [None, None],
            "argsrepr": f"({job!r},)",
            "kwargsrepr": "{}",
        },
        "properties": {
            "correlation_id": ident,
            "reply_to": "",
            "delivery_mode": 2,
            "delivery_info": {"exchange": "", "routing_key": queue},
            "delivery_tag": ident,
            "body_encoding": "base64",
            "priority": 0,
        },
    }


def guard_against_poison() -> None:
    """Use this transport wherever a broker's address says ``redis``."""
    TRANSPORT_ALIASES["redis"] = f"{__name__}:Transport"
