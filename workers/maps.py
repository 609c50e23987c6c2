"""The task that makes maps."""

import asyncio
from collections.abc import Mapping
from typing import Any

import structlog
from celery import shared_task
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from services.map.generation.canonical import canonical_bytes
from services.map.generation.realm import generate as generate_realm
from services.map.render.realm_svg import render
from services.map.service import FORGEBORN_REALM, REALM_PARAMETERS, TASK, MadeMap, MapWork, teller
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
from workers.carrying import Content, MakeSteps, Product, Refused, Steps, carry_out

PUBLISH_SECONDS = 2.0

log = structlog.get_logger(__name__)


def realm_steps(params: Mapping[str, Any]) -> Steps:
    """Make a Forgeborn realm: the model, which has passed every gate, then its picture."""
    if params["kind"] != FORGEBORN_REALM:
        raise Refused("UNKNOWN_KIND", "There is no such kind of map.")
    parameters = REALM_PARAMETERS.load(params["parameters"])
    yield 0.1
    generated = generate_realm(parameters)
    if isinstance(generated, Problems):
        first = next(iter(generated))
        raise Refused(first.code, first.message)
    yield 0.5
    picture = render(generated.model).encode()
    yield 0.9
    model = canonical_bytes(generated.model)
    return Product(
        MadeMap(
            kind=FORGEBORN_REALM,
            name=generated.model.title,
            seed=str(generated.model.seed),
            model=model.decode(),
            generator_version=generated.model.generator_version,
            gates=[(gate.name, list(gate.faults)) for gate in generated.report.gates],
            attempts=generated.attempts,
        ),
        [
            Content("map.json", "application/json", model),
            Content("map.svg", "image/svg+xml", picture),
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


@shared_task(name=TASK)  # type: ignore[untyped-decorator]
def generate(job_id: str) -> None:
    """Make the map that a job asks for."""
    asyncio.run(perform(job_id, realm_steps, Settings()))
