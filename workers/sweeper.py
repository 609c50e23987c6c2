"""Sees to it that there is a message as long as there is a job to be done, and that nothing is kept too long.

A message says that there is work, whichever job it names. So where a job is due and the queue is empty,
since messages were lost or their worker has died, one message is sent, however many jobs are due. Rows and
files whose time is over are removed in small steps, see ``pruning``. ``python -m workers.sweeper`` runs
until SIGTERM. Any number of sweepers may run: a message too many does no harm. A database or a broker that
is away is asked again after a growing pause; the others are looked after meanwhile.
"""

import asyncio
import signal
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog
from celery import Celery
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy import Connection, MetaData, inspect

from services.character.portraits.leftovers import PortraitLeftovers
from services.map.leftovers import Leftovers
from services.shared.clock import Clock, system_clock
from services.shared.database import Database
from services.shared.jobs import Job, JobBook, jobs_table
from services.shared.metrics import MESSAGES_RESENT
from services.shared.settings import SERVICES, BrokerSettings, ServiceName, SweeperSettings
from services.shared.storage import open_storage
from services.shared.telemetry import configure_logging
from services.shared.valkey import connect
from services.shared.worker_counts import hand_over
from workers.pruning import Prunes, RowPruner

SWEEPER_KEY = "hf:alive:sweeper"
ALIVE_SECONDS = 10
EVERY_SECONDS = 2.0
PATIENCE_SECONDS = 5.0
PRUNE_SECONDS = 2.0
"""A step of each sort; with ``PATIENCE_SECONDS`` a round stays below ``ALIVE_SECONDS``."""
MAX_PAUSE_SECONDS = 30.0
PRUNE_EVERY = timedelta(minutes=10)

# Every service that has jobs has them in the same form.
BOOK = JobBook(jobs_table(MetaData()))

log = structlog.get_logger(__name__)


class Broom:
    """Looks after one service's database.

    Args:
        service: its name.
        database: its database.
        redis: the broker, where the queues are.
        send: sends a job's message.
        pruners: remove what has outlived its time.
        clock: the present moment.
    """

    def __init__(
        self,
        service: ServiceName,
        database: Database,
        redis: Redis,
        send: Callable[[Job], None],
        pruners: Sequence[Prunes],
        clock: Clock,
    ) -> None:
        self._service = service
        self._database = database
        self._redis = redis
        self._send = send
        self._clock = clock
        self._pruners = pruners
        self._has_jobs = False
        self._prune_at = clock()
        self._pause = 0.0
        self._not_before = clock()

    async def sweep(self) -> None:
        """Make one round, unless the database or the broker has just been found away."""
        if self._waits(self._not_before):
            return
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._call_to_work()
            self._pause = 0.0
        except Exception as error:
            self._pause = min(max(2 * self._pause, EVERY_SECONDS), MAX_PAUSE_SECONDS)
            self._not_before = self._clock() + timedelta(seconds=self._pause)
            log.warning(
                "sweep_failed",
                database=self._service,
                error=f"{type(error).__name__}: {error}",
                again_in=self._pause,
            )

    async def close(self) -> None:
        """Close the connections."""
        await self._database.close()

    async def prune(self) -> None:
        """Take one step of removing what has outlived its time; the next at once where more is left."""
        if self._waits(self._prune_at) or self._waits(self._not_before):
            return
        more = False
        for pruner in self._pruners:
            try:
                async with asyncio.timeout(PRUNE_SECONDS):
                    more |= await pruner.prune()
            except Exception as error:  # tried again with the next steps
                log.warning("prune_failed", database=self._service, error=f"{type(error).__name__}: {error}")
        if not more:
            self._prune_at = self._clock() + PRUNE_EVERY

    def _waits(self, until: datetime) -> bool:
        """Tell whether a moment is to come; one beyond every pause is of a clock that was set back since."""
        return timedelta(0) < until - self._clock() <= PRUNE_EVERY

    async def _call_to_work(self) -> None:
        async with self._database.read() as session:
            if not self._has_jobs:
                tables = await (await session.connection()).run_sync(_table_names)
                self._has_jobs = "job" in tables
            if not self._has_jobs:
                return
            job = await BOOK.waiting(session, self._clock())
        if job is not None and not await self._redis.llen(job.queue):
            await asyncio.to_thread(self._send, job)
            MESSAGES_RESENT.labels(job.kind).inc()
            log.info("message_resent", job=job.id, kind=job.kind, state=job.state, attempt=job.attempt)


def _table_names(connection: Connection) -> list[str]:
    return inspect(connection).get_table_names()


class Sweeper:
    """Goes round all databases until told to stop.

    Args:
        settings: of the installation.
        send: sends a job's message, or raises.
        clock: the present moment.
    """

    def __init__(
        self, settings: SweeperSettings, send: Callable[[Job], None], clock: Clock = system_clock
    ) -> None:
        self._redis: Redis = connect(settings.redis_url)
        databases = {service: Database(settings.database_url(service)) for service in SERVICES}
        pruners: dict[ServiceName, list[Prunes]] = {
            service: [RowPruner(service, databases, clock)] for service in SERVICES
        }
        storage = open_storage(settings)
        pruners["map"].append(Leftovers(databases["map"], storage, clock))
        pruners["character"].append(PortraitLeftovers(databases["character"], storage, clock))
        self._brooms = [
            Broom(service, database, self._redis, send, pruners[service], clock)
            for service, database in databases.items()
        ]

    async def run(self, stop: asyncio.Event) -> None:
        """Sweep every two seconds until ``stop`` is set."""
        while not stop.is_set():
            await self.sweep()
            try:
                async with asyncio.timeout(EVERY_SECONDS):
                    await stop.wait()
            except TimeoutError:
                pass
        await self._redis.aclose()
        for broom in self._brooms:
            await broom.close()

    async def sweep(self) -> None:
        """Make one round; without the broker there is nobody to send to, and the round is left out."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._redis.set(SWEEPER_KEY, b"1", ex=ALIVE_SECONDS)
        except (TimeoutError, RedisError, OSError) as error:
            log.warning("broker_away", error=f"{type(error).__name__}: {error}")
            return
        await asyncio.gather(*(broom.sweep() for broom in self._brooms))
        await asyncio.gather(*(broom.prune() for broom in self._brooms))
        await hand_over(self._redis)


def messages(settings: BrokerSettings) -> Callable[[Job], None]:
    """Make the function that sends a job's message."""
    celery = Celery(broker=settings.broker_url, set_as_current=False)
    celery.conf.update(
        task_serializer="json",
        task_ignore_result=True,
        task_publish_retry=False,
        broker_transport_options={"socket_timeout": 2, "socket_connect_timeout": 1},
    )

    def send(job: Job) -> None:
        celery.send_task(job.kind, args=[job.id], queue=job.queue)

    return send


async def main() -> None:
    """Run the sweeper until SIGTERM or Ctrl-C."""
    settings = SweeperSettings()
    configure_logging("sweeper", settings)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    log.info("sweeper_started", databases=SERVICES)
    await Sweeper(settings, messages(settings)).run(stop)
    log.info("sweeper_stopped")


if __name__ == "__main__":
    asyncio.run(main())
