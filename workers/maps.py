"""The tasks that make maps: one, or a part of a batch.

A message of either says that there is work. Whoever gets it makes the job whose turn it is, and sees to it
that there is another message as long as more is to be done: so one message keeps a worker busy for as long
as there are jobs, and calls other workers to help.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import structlog
from celery import current_app, shared_task

from services.map.formats import OutputRequest
from services.map.generation.kind import Made, make
from services.map.outputs import Studio, words_gate
from services.map.quotas import Quotas
from services.map.registry import GENERATORS
from services.map.work import BATCH, MAP_TASK, PART_TASK, MadeMap, MapWork, teller
from services.rules.engine.codec import CodecError
from services.rules.engine.problem import Problems
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.jobs import Job
from services.shared.loops import end
from services.shared.settings import WorkerSettings
from services.shared.storage import open_storage
from services.shared.valkey import connect
from workers.batches import part_steps
from workers.carrying import Content, Product, carry_out, produced
from workers.counting import count_attempt
from workers.making import Maker, MakeSteps, Refused, Steps, maker
from workers.messages import Send, call_others, tell_the_rest

log = structlog.get_logger(__name__)


def map_steps(params: Mapping[str, Any]) -> Steps:
    """Make a map: the model, which has passed every gate, then its picture."""
    kind = GENERATORS.get(params["kind"])
    if kind is None:
        raise Refused("UNKNOWN_KIND", "There is no such kind of map.")
    try:
        parameters = kind.codec.load(params["parameters"])
    except CodecError as error:
        raise Refused("PARAMETERS_UNREADABLE", str(error)) from error
    yield 0.1
    made: Made[Any] | Problems = make(kind, parameters, int(params["seed"]), words_gate(kind.slug))
    if isinstance(made, Problems):
        first = next(iter(made))
        raise Refused(first.code, first.message)
    yield 0.5
    file = kind.to_bytes(made.model)
    picture = produced(Studio(kind.slug, file, made.model), OutputRequest("svg"))
    yield 0.9
    return Product(
        MadeMap(
            kind=kind.slug,
            name=kind.title(made.model),
            seed=params["seed"],
            model=file.decode(),
            generator_version=kind.generator_version,
            gates=[(gate.name, list(gate.faults)) for gate in made.report.gates],
            figures=made.report.figures,
            attempts=made.attempts,
        ),
        [
            Content("map.json", "application/json", file),
            Content("map.svg", picture.content_type, picture.content),
        ],
    )


STEPS: dict[str, MakeSteps] = {MAP_TASK: map_steps, PART_TASK: part_steps}
"""How jobs of each kind are made."""


def perform(settings: WorkerSettings, job_id: str | None = None, send: Send | None = None) -> Job | None:
    """Make one attempt at the job whose turn it is.

    Args:
        settings: of the installation.
        job_id: take this job instead, whoever's turn it is.
        send: sends a message that there is work; without it nobody is called to help.

    Returns:
        The job as the attempt left it; None when there was nothing to do, or it was taken away meanwhile.
    """
    # Forked before there are threads and connections, which a child must not share.
    with maker(STEPS) as made:
        return asyncio.run(_performed(made, settings, job_id, send))


async def _performed(
    made: Maker, settings: WorkerSettings, job_id: str | None, send: Send | None
) -> Job | None:
    """Make an attempt with resources of its own, and tell those who watch as it goes on."""
    database = Database(settings.database_url("map"))  # its pool lives and ends with this event loop
    redis = connect(settings.redis_url)
    relay = teller(database, redis, system_clock)
    database.after_commit.append(relay.poke)
    telling = asyncio.create_task(relay.run())
    work = MapWork(database, system_clock, Quotas.of(settings))
    begun = job = None
    try:
        begun = job = await work.begin(job_id)
        if job is not None and send is not None:
            await call_others(work, redis, send)
        if job is not None and not job.state.ended:
            job = await carry_out(work, open_storage(settings), made, job)
    finally:
        await end([telling])
        await tell_the_rest(relay)
        await count_attempt(database, redis, begun, job)
        await redis.aclose()
        await database.close()
    if job is not None and job.state.ended:
        log.info("job_ended", job=job.id, kind=job.kind, state=job.state, attempt=job.attempt)
    return job


def _send(job: Job) -> None:
    current_app.send_task(job.kind, args=[job.id], queue=job.queue)


def work_on(_job_id: str | None = None) -> None:
    """Does what a message calls for: the next job, whichever the message named."""
    perform(WorkerSettings(), send=_send)


for _kind in (MAP_TASK, BATCH, PART_TASK):
    shared_task(name=_kind)(work_on)
