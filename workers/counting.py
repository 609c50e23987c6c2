"""What a worker counts of its attempts, and hands over at the end of each.

Whether a lease was lost or its job only cancelled, the jobs table tells.
"""

import structlog
from redis.asyncio import Redis
from sqlalchemy import MetaData

from services.shared.database import Database
from services.shared.jobs import Job, JobBook, jobs_table
from services.shared.metrics import JOB_ATTEMPTS, JOBS_ENDED, LEASES_LOST
from services.shared.worker_counts import hand_over

# Every service that has jobs has them in the same form.
BOOK = JobBook(jobs_table(MetaData()))

log = structlog.get_logger(__name__)


async def count_attempt(database: Database, redis: Redis, begun: Job | None, left: Job | None) -> None:
    """Count an attempt that is over.

    Args:
        database: where the job is.
        redis: through which counts are handed over.
        begun: the job as the attempt began it; None where there was nothing to do.
        left: as the attempt left it; None where it was taken away meanwhile.
    """
    if begun is None:
        return
    if not begun.state.ended:
        JOB_ATTEMPTS.labels(begun.kind, begun.attempt).inc()
    if left is None and await _is_lost(database, begun):
        LEASES_LOST.labels(begun.kind).inc()
    if left is not None and left.state.ended:
        JOBS_ENDED.labels(left.kind, left.state).inc()
    await hand_over(redis)


async def _is_lost(database: Database, job: Job) -> bool:
    """Tell whether another worker has the job: one that has ended was cancelled."""
    try:
        async with database.read() as session:
            found = await BOOK.get(session, job.id)
    except Exception as error:  # counting fails no task
        log.warning("lease_uncounted", job=job.id, error=f"{type(error).__name__}: {error}"[:200])
        return False
    return found is None or not found.state.ended
