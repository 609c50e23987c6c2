"""What can be done through the map service."""

from typing import Annotated

import strawberry

from services.map.graphql.context import MapInfo
from services.map.graphql.types import ForgebornRealmInput, Job
from services.map.service import NewMap
from services.shared import jobs
from services.shared.idempotency import checked_key
from services.shared.mirror import chosen, one_of, to_domain
from services.shared.problems import Forbidden, IdempotencyConflict, InvalidInput, NotFound, Unavailable

MapWishInput = one_of(
    "MapWishInput",
    {"forgeborn_realm": ForgebornRealmInput},
    description="What to make a map of: one field for each kind.",
)


@strawberry.input(description="A map to be made.")
class GenerateMapInput:
    """What, and for whom."""

    map: MapWishInput  # type: ignore[valid-type]
    campaign_id: strawberry.ID | None = strawberry.field(
        default=None, description="For whose table, as its GM or player; without one the map is yours alone."
    )
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same job for 24 hours."
    )


@strawberry.type(description="The job is in the queue: watch it with `jobProgress`.")
class MapJobQueued:
    """The answer of ``generateMap``."""

    job: Job


@strawberry.type(description="Here is the job as it is now: cancelled, unless it had ended before.")
class JobCancelled:
    """The answer of ``cancelJob``."""

    job: Job


GenerateMapResult = Annotated[
    MapJobQueued | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("GenerateMapResult"),
]
CancelJobResult = Annotated[
    JobCancelled | NotFound | Forbidden | Unavailable, strawberry.union("CancelJobResult")
]


@strawberry.type
class Mutation:
    """Root of the mutations."""

    @strawberry.mutation(description="Have a map made; the answer is a job, which takes about a second.")
    async def generate_map(self, info: MapInfo, input: GenerateMapInput) -> GenerateMapResult:
        """Queue a map."""
        viewer = info.context.signed_in("write")
        _, wish = chosen(input.map)
        new = NewMap(to_domain(wish), input.campaign_id, checked_key(input.idempotency_key))
        outcome = await info.context.service.maps.generate(viewer, new)
        return MapJobQueued(job=Job.of(outcome)) if isinstance(outcome, jobs.Job) else outcome

    @strawberry.mutation(description="Stop a job: your own, or as GM any of the campaign.")
    async def cancel_job(self, info: MapInfo, id: strawberry.ID) -> CancelJobResult:
        """Cancel a job."""
        outcome = await info.context.service.maps.cancel(info.context.signed_in("write"), str(id))
        return JobCancelled(job=Job.of(outcome)) if isinstance(outcome, jobs.Job) else outcome
