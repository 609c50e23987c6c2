"""Loops that run as long as the process: patient with what is away, obedient when told to end."""

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog

PAUSE_SECONDS = 1.0

log = structlog.get_logger(__name__)


async def repeat(
    step: Callable[[], Awaitable[None]], *, name: str, patient_with: tuple[type[Exception], ...]
) -> None:
    """Take a step again and again until cancelled.

    Args:
        step: one round of the work; takes a pause of its own when there is nothing to do.
        name: for the log.
        patient_with: errors after which the step is tried again, a moment later.
    """
    while True:
        try:
            await step()
        except patient_with as error:
            # A database driver may answer a cancellation with an error of its own ("query cancelled").
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise asyncio.CancelledError from error
            log.warning("waiting", work=name, error=f"{type(error).__name__}: {error}"[:300])
            await asyncio.sleep(PAUSE_SECONDS)


async def end(tasks: Collection["asyncio.Task[None]"]) -> None:
    """Cancel tasks and wait until they have ended.

    A cancellation may be swallowed on its way (``asyncio.wait_for``, through which the Redis client sends,
    does so at times on Python 3.11), hence it is said until it is heard.
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.2)
