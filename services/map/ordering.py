"""Placing an order for a map or a batch: charged once, within the account's quotas, once for each key."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.models import IDEMPOTENCY
from services.map.quotas import QuotaExceeded, Quotas
from services.map.repository import BOOK, Records
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, KeyLocks, Replay, claim, look_up, remember
from services.shared.jobs import Job, Line
from services.shared.limits.meter import Meter
from services.shared.problems import IdempotencyConflict, InvalidInput, NotFound

log = structlog.get_logger(__name__)

Refused = InvalidInput | NotFound | IdempotencyConflict


@dataclass(frozen=True, slots=True)
class Placing:
    """An order that was found sound.

    Attributes:
        request: what is asked for, as JSON-able data.
        key: idempotency key of who asks, if any: the same has the job that was ordered under it.
        points: what it costs.
        meter: what it is paid from.
        line: `SINGLE` for a map, `WHOLE` for a batch.
        add: adds the job, with all its parts, in a unit of work.
    """

    request: Mapping[str, Any]
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

    async def place(self, viewer: Viewer, placing: Placing) -> Job | Refused:
        """Places an order: charges for it, queues it, and calls a worker.

        Raises:
            TooExpensive: it costs more than any order may.
            RateLimited: the account cannot pay for it now.
        """
        async with self._keys.held(viewer.account, placing.key):
            known = await self._known(viewer, placing)
            if known is not None:
                return known
            # Outside of any transaction, which would hold up all others while the meter answers.
            await placing.meter.charge(viewer, placing.points)
            job: Job | Refused | None = None
            new = False
            try:
                job, new = await self._added(viewer, placing)
            finally:
                if not new:
                    await placing.meter.give_back(viewer.account, placing.points)
        if new and isinstance(job, Job):
            await self._try_to_send(job)
        return job

    async def _added(self, viewer: Viewer, placing: Placing) -> tuple[Job | Refused, bool]:
        """Adds the job, unless something is in the way; tells whether it was added."""
        moment = self._clock()
        try:
            async with self._database.write() as session:
                claimed = await claim(
                    session, IDEMPOTENCY, viewer.account, placing.key, placing.request, moment
                )
                if not isinstance(claimed, Conflict | Replay):
                    await self._quotas.check_order(session, viewer.account, placing.line)
                    job = await placing.add(session, moment)
                    await Records(session).note(job, moment)
                    await remember(session, IDEMPOTENCY, viewer.account, placing.key, job.id)
                    return job, True
                return await _answer(session, claimed), False
        except QuotaExceeded as exceeded:
            return exceeded.problem, False

    async def _known(self, viewer: Viewer, placing: Placing) -> Job | Refused | None:
        """Looks whether the order was placed before: then it costs nothing."""
        if placing.key is None:
            return None
        async with self._database.read() as session:
            found = await look_up(
                session, IDEMPOTENCY, viewer.account, placing.key, placing.request, self._clock()
            )
            return await _answer(session, found) if isinstance(found, Conflict | Replay) else None

    async def _try_to_send(self, job: Job) -> None:
        try:
            await self._send(job)
        except Exception as error:  # the job is safe in its table, whatever became of the message
            log.warning("message_unsent", job=job.id, reason=f"{type(error).__name__}: {error}")


async def _answer(session: AsyncSession, found: Conflict | Replay) -> Job | Refused:
    if isinstance(found, Conflict):
        return IdempotencyConflict.of()
    known = await BOOK.get(session, found.answer)
    return known or NotFound.of("job", "idempotencyKey")
