"""One attempt at one job: begun, reported step by step, and ended in one of the ways a job can end.

The steps are a generator: between two steps it yields how far it is, and it returns what it has made. Each
step runs in a thread, so that the lease is kept and a cancelled job is noticed however long the step takes.
"""

import asyncio
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from services.map.outputs import Output, OutputRequest, Studio
from services.map.work import MadeFile, MadeMap, MadePart, MapWork, map_id
from services.rules.engine.problem import Problems
from services.shared.jobs import LEASE, Job, LostLease
from services.shared.storage import Storage

HOLD_SECONDS = LEASE.total_seconds() / 3

log = structlog.get_logger(__name__)


class Refused(Exception):
    """The input can never work, however often it is tried.

    Attributes:
        code: stable, for programs.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


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


Progress = float
AnyProduct = Product | PartProduct
Steps = Generator[Progress, None, AnyProduct]
MakeSteps = Callable[[Mapping[str, Any]], Steps]


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


async def carry_out(work: MapWork, storage: Storage, make_steps: MakeSteps, job_id: str) -> Job | None:
    """Make one attempt at a job.

    Returns:
        The job as the attempt left it; None when there was nothing to do, or it was taken away meanwhile.
    """
    job = await work.begin(job_id)
    if job is None or job.state.ended:
        return job
    try:
        return await _attempt(work, storage, make_steps, job)
    except LostLease:
        log.info("job_taken_away", job=job.id, attempt=job.attempt)
        return None


async def _attempt(work: MapWork, storage: Storage, make_steps: MakeSteps, job: Job) -> Job:
    try:
        product = await _run_steps(work, make_steps(job.params), job)
        if isinstance(product, PartProduct):
            key = f"batches/{job.whole}/{job.id}/{job.attempt}.zip"
            await storage.put(key, product.content)
            made = MadePart(product.first, product.summaries, key, product.content)
            return await work.complete_part(job, made)
        files = [
            # A folder for each attempt: a worker that was given up cannot overwrite its successor's files.
            MadeFile(
                file.name, f"maps/{map_id(job)}/{job.attempt}/{file.name}", file.content_type, file.content
            )
            for file in product.files
        ]
        for file in files:
            await storage.put(file.key, file.content)
        return await work.complete(job, product.map, files)
    except LostLease:
        raise
    except Refused as error:
        return await work.refuse(job, error.code, str(error))
    except Exception as error:
        log.exception("attempt_failed", job=job.id, attempt=job.attempt)
        return await work.fail(
            job, "ATTEMPT_FAILED", f"An unexpected error stopped the work ({type(error).__name__})."
        )


async def _run_steps(work: MapWork, steps: Steps, job: Job) -> AnyProduct:
    while True:
        step = asyncio.get_running_loop().run_in_executor(None, _next, steps)
        while not (await asyncio.wait({step}, timeout=HOLD_SECONDS))[0]:
            await work.hold(job)
        outcome = step.result()
        if not isinstance(outcome, Progress):
            return outcome
        await work.advance(job, outcome)


def _next(steps: Steps) -> Progress | AnyProduct:
    # A StopIteration cannot pass through a future.
    try:
        return next(steps)
    except StopIteration as end:
        product: AnyProduct = end.value
        return product
