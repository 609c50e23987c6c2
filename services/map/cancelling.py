"""Cancelling jobs: the parts of a batch end some at a time, each time in a unit of work of its own."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.pricing import points_not_begun
from services.map.repository import BOOK, PARTS, Records
from services.shared.jobs import Job

STEP = 200
"""Parts that end in one unit of work."""


@dataclass(frozen=True, slots=True)
class CancelStep:
    """What one step of cancelling a job has done.

    Attributes:
        job: the job as it is now, where this step ended it.
        points: what was charged for the parts that this step ended and no worker had begun.
        more: whether parts are left for another step.
    """

    job: Job | None
    points: int
    more: bool


async def cancel_next(session: AsyncSession, job: str, moment: datetime) -> CancelStep:
    """End the next parts of a job that have not ended, and with the last of them the job; publish each end.

    Whoever stops between two steps leaves a batch that runs on with the parts it has left, and may be
    cancelled again.
    """
    # Its parts first: who ends one of them holds it, and then waits for the whole.
    parts = await PARTS.cancel(session, job, moment, limit=STEP)
    more = len(parts) == STEP
    whole = None if more else await BOOK.cancel(session, job, moment)
    await Records(session).note_all(parts if whole is None else [*parts, whole], moment)
    return CancelStep(whole, points_not_begun(parts), more)
