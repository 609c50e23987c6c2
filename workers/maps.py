"""The tasks that make maps: one, or a part of a batch."""

import asyncio
from collections.abc import Mapping
from typing import Any

import structlog
from celery import shared_task
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from services.map.generation.kind import Made, make
from services.map.kinds import KINDS
from services.map.outputs import OutputRequest, Studio
from services.map.render.legibility import inspect as inspect_words
from services.map.work import MAP_TASK, PART_TASK, MadeMap, MapWork, teller
from services.rules.engine.codec import CodecError
from services.rules.engine.problem import Problems
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.jobs import Job
from services.shared.loops import end
from services.shared.outbox import Relay
from services.shared.settings import Settings
from services.shared.storage import FolderStorage
from services.shared.telemetry import JOBS_ENDED
from services.shared.valkey import connect
from workers.batches import part_steps
from workers.carrying import Content, MakeSteps, Product, Refused, Steps, carry_out, produced

PUBLISH_SECONDS = 2.0

log = structlog.get_logger(__name__)


def map_steps(params: Mapping[str, Any]) -> Steps:
    """Make a map: the model, which has passed every gate, then its picture."""
    kind = KINDS.get(params["kind"])
    if kind is None:
        raise Refused("UNKNOWN_KIND", "There is no such kind of map.")
    try:
        parameters = kind.codec.load(params["parameters"])
    except CodecError as error:
        raise Refused("PARAMETERS_UNREADABLE", str(error)) from error
    yield 0.1
    made: Made[Any] | Problems = make(kind, parameters, int(params["seed"]), inspect_words)
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


async def perform(job_id: str, make_steps: MakeSteps, settings: Settings) -> Job | None:
    """Make one attempt at a map job with resources of its own, and tell those who watch as it goes on."""
    database = Database(settings.database_url("map"))  # its pool lives and ends with this event loop
    redis = connect(settings.redis_url)
    relay = teller(database, redis, system_clock)
    database.after_commit.append(relay.poke)
    telling = asyncio.create_task(relay.run())
    try:
        job = await carry_out(
            MapWork(database, system_clock), FolderStorage(settings.files_dir), make_steps, job_id
        )
    finally:
        await end([telling])
        await _tell_the_rest(relay)
        await redis.aclose()
        await database.close()
    if job is not None and job.state.ended:
        JOBS_ENDED.labels(job.kind, job.state).inc()
        log.info("job_ended", job=job.id, kind=job.kind, state=job.state, attempt=job.attempt)
    return job


async def _tell_the_rest(relay: Relay) -> None:
    # What cannot be told now is told by the map service's own relay.
    try:
        async with asyncio.timeout(PUBLISH_SECONDS):
            while await relay.relay_once():
                pass
    except (TimeoutError, RedisError, OSError, SQLAlchemyError) as error:
        log.warning("events_left_to_the_service", error=str(error))


@shared_task(name=MAP_TASK)  # type: ignore[untyped-decorator]
def generate(job_id: str) -> None:
    """Make the map that a job asks for."""
    asyncio.run(perform(job_id, map_steps, Settings()))


@shared_task(name=PART_TASK)  # type: ignore[untyped-decorator]
def generate_part(job_id: str) -> None:
    """Make the maps of one part of a batch."""
    asyncio.run(perform(job_id, part_steps, Settings()))
