"""Placing an order for a map or a batch: charged once, within the account's quotas, once for each key."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.quotas import Quotas
from services.map.repository import BOOK, Records
from services.map.requests import ContinueMapBatch, GenerateMap, GenerateMaps
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import KeyLocks, answered, once
from services.shared.jobs import Job, Line
from services.shared.limits.meter import Meter
from services.shared.problems import NotFound

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Placing:
    """An order that was found sound.

    Attributes:
        asked: the request.
        key: idempotency key of who asks, if any: the same has the job that was ordered under it.
        points: what it costs.
        meter: what it is paid from.
        line: `SINGLE` for a map, `WHOLE` for a batch.
        add: adds the job, with all its parts, in a unit of work.
    """

    asked: GenerateMap | GenerateMaps | ContinueMapBatch
    key: str | None
    points: int
    meter: Meter
    line: Line
    add: Callable[[AsyncSession, datetime], Awaitable[Job]]


class Ordering:
    """Places orders.

    Args:
        database: where jobs are kept.
        clock: the present moment.
        quotas: what accounts may have.
        send: sends a job's message; whatever it cannot send, the sweeper sends later.
    """

    def __init__(
        self, database: Database, clock: Clock, quotas: Quotas, send: Callable[[Job], Awaitable[None]]
    ) -> None:
        self._database = database
        self._clock = clock
        self._quotas = quotas
        self._send = send
        self._keys = KeyLocks()

    async def place(self, viewer: Viewer, placing: Placing) -> Job:
        """Places an order: charges for it, queues it, and calls a worker.

        Raises:
            QuotaExceeded: the account has enough.
            IdempotencyConflict: the key was used for another request.
            TooExpensive: it costs more than any order may.
            RateLimited: the account cannot pay for it now.
        """
        async with self._keys.held(viewer.account, placing.key):
            known = await self._known(viewer, placing)
            if known is not None:
                return known
            # Outside of any transaction, which would hold up all others while the meter answers.
            await placing.meter.charge(viewer, placing.points)
            new = False
            try:
                job, new = await self._added(viewer, placing)
            finally:
                if not new:
                    await placing.meter.give_back(viewer.account, placing.points)
        if new:
            await self._try_to_send(job)
        return job

    async def _added(self, viewer: Viewer, placing: Placing) -> tuple[Job, bool]:
        """Adds the job, unless it was added under the same key; tells whether it was added now."""
        moment = self._clock()
        async with (
            self._database.write() as session,
            once(session, viewer, placing.key, placing.asked, moment) as done,
        ):
            if done.answer is not None:
                return await _ordered(session, done.answer), False
            await self._quotas.check_order(session, viewer.account, placing.line)
            job = await placing.add(session, moment)
            await Records(session).note(job, moment)
            done.answer = job.id
        return job, True

    async def _known(self, viewer: Viewer, placing: Placing) -> Job | None:
        """Looks whether the order was placed before: then it costs nothing."""
        async with self._database.read() as session:
            known = await answered(session, viewer, placing.key, placing.asked, self._clock())
            return None if known is None else await _ordered(session, known)

    async def _try_to_send(self, job: Job) -> None:
        try:
            await self._send(job)
        except Exception as error:  # the job is safe in its table, whatever became of the message
            log.warning("message_unsent", job=job.id, reason=f"{type(error).__name__}: {error}")


async def _ordered(session: AsyncSession, job_id: str) -> Job:
    """Reads the job that was ordered under a key.

    Raises:
        NotFound: it is gone.
    """
    known = await BOOK.get(session, job_id)
    if known is None:
        raise NotFound.of("job", "idempotencyKey")
    return known
