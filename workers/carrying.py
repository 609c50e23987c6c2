"""One attempt at one job: begun, reported step by step, and ended in one of the ways a job can end.

The steps of a job are a generator: between two steps it yields how far it is, and it returns what it has
made. They run in a process of their own (``making``), while this one keeps the lease and looks whether the
job is still wanted: when it is not, the maker is killed, and the worker free.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import structlog

from services.map.formats import Output, OutputRequest
from services.map.outputs import Studio
from services.map.work import MadeFile, MadeMap, MadePart, MapWork, map_id
from services.rules.engine.problem import Problems
from services.shared.jobs import LEASE, Job, LostLease
from services.shared.quotas import CODE as QUOTA_CODE
from services.shared.quotas import QuotaExceeded
from services.shared.storage import Storage, storing
from workers.making import Broken, Made, Maker, Refused

HOLD_SECONDS = LEASE.total_seconds() / 3
LOOK_SECONDS = 0.4
"""How long a cancelled job may go on."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Content:
    """One file of what was made, not stored yet."""

    name: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Product:
    """What the steps have made."""

    map: MadeMap
    files: Sequence[Content]


@dataclass(frozen=True, slots=True)
class PartProduct:
    """What the steps of one part of a batch have made.

    Attributes:
        first: number of its first map in the batch.
        summaries: of each of its maps.
        content: all their files, as one ZIP.
    """

    first: int
    summaries: Sequence[dict[str, object]]
    content: bytes


AnyProduct = Product | PartProduct


def produced(studio: Studio, request: OutputRequest) -> Output:
    """Make an output of a map.

    Raises:
        Refused: the map has no such output.
    """
    output = studio.give(request)
    if isinstance(output, Problems):
        problem = next(iter(output))
        raise Refused(problem.code, problem.message)
    return output


async def carry_out(work: MapWork, storage: Storage, maker: Maker, job: Job) -> Job | None:
    """Make one attempt at a job that was begun.

    Returns:
        The job as the attempt left it; None when it was taken away meanwhile.
    """
    try:
        return await _attempt(work, storage, maker, job)
    except LostLease:
        maker.kill()
        log.info("job_taken_away", job=job.id, attempt=job.attempt)
        return None


async def _attempt(work: MapWork, storage: Storage, maker: Maker, job: Job) -> Job:
    try:
        product = await _make(work, maker, job)
        return await _keep(work, storage, job, product)
    except LostLease:
        raise
    except Refused as error:
        return await work.refuse(job, error.code, str(error))
    except QuotaExceeded as error:
        return await work.refuse(job, QUOTA_CODE, str(error))
    except Broken as error:
        log.warning("attempt_failed", job=job.id, attempt=job.attempt, error=str(error))
        return await work.fail(job, "ATTEMPT_FAILED", str(error))
    except Exception as error:
        log.exception("attempt_failed", job=job.id, attempt=job.attempt)
        return await work.fail(
            job, "ATTEMPT_FAILED", f"An unexpected error stopped the work ({type(error).__name__})."
        )


async def _keep(work: MapWork, storage: Storage, job: Job, product: AnyProduct) -> Job:
    """Store what was made, and commit it with the end of its job; what is not committed is not kept."""
    if isinstance(product, PartProduct):
        key = f"batches/{job.whole}/{job.id}/{job.attempt}.zip"
        made = MadePart(product.first, product.summaries, key, product.content)
        async with storing(storage, {key: product.content}, lambda: work.named(job)):
            return await work.complete_part(job, made)
    files = [
        # A folder for each attempt: a worker that was given up cannot overwrite its successor's files.
        MadeFile(file.name, f"maps/{map_id(job)}/{job.attempt}/{file.name}", file.content_type, file.content)
        for file in product.files
    ]
    async with storing(storage, {file.key: file.content for file in files}, lambda: work.named(job)):
        return await work.complete(job, product.map, files)


async def _make(work: MapWork, maker: Maker, job: Job) -> AnyProduct:
    await maker.begin(job.kind, job.params)
    while True:
        outcome = await watched(work, maker, job)
        if isinstance(outcome, Made):
            product: AnyProduct = outcome.product
            return product
        await work.advance(job, outcome)


class Leases(Protocol):
    """Keeps the lease of a job."""

    async def look(self, job: Job) -> None:
        """See whether the job is still this worker's."""

    async def hold(self, job: Job) -> None:
        """Keep the lease during a long step."""


async def watched(work: Leases, maker: Maker, job: Job) -> Any | Made:
    """Wait for the maker; keep the lease meanwhile, and see to it that the job is still this worker's.

    Raises:
        LostLease: it is not; the maker is killed.
        Refused, Broken: see ``Maker.outcome``.
    """
    waiting = asyncio.create_task(maker.outcome())
    held = time.monotonic()
    try:
        while not (await asyncio.wait({waiting}, timeout=LOOK_SECONDS))[0]:
            if maker.overdue:
                maker.kill()
            if time.monotonic() - held >= HOLD_SECONDS:
                await work.hold(job)
                held = time.monotonic()
            else:
                await work.look(job)
    except BaseException:
        maker.kill()  # which ends the waiting, too
        await asyncio.gather(waiting, return_exceptions=True)
        raise
    return waiting.result()
