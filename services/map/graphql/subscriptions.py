"""What the map service tells as it happens."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated

import strawberry

from services.map.events import job_topic
from services.map.graphql.context import MapInfo
from services.map.graphql.types import Job, Map
from services.shared import jobs
from services.shared.pagination import number_of_cursor, text_of_cursor
from services.shared.problems import NotFound
from services.shared.stream import follow


@strawberry.type
class Subscription:
    """Root of the subscriptions."""

    @strawberry.subscription(
        description="A map as it is now, then each time that you would see another. With `after`, the first "
        "is left out while you would see what you have. What you do not see never shows here, not even as a "
        "sign."
    )
    async def map_changes(
        self,
        info: MapInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="The map.")],
        after: Annotated[
            str | None, strawberry.argument(description="The `cursor` of the map as you have it.")
        ] = None,
    ) -> AsyncIterator[Map]:
        """Follow a map; the viewer's rights are checked again with each change."""
        viewer = info.context.signed_in()
        seen = None if after is None else text_of_cursor(after)
        async for look in info.context.service.table.follow(viewer, str(id), seen):
            if look is None:
                raise NotFound.of("map", "id")
            yield Map.of(look)

    @strawberry.subscription(
        description="A job as it is now, then each change, once and in order, up to its end. With `after`, "
        "every change behind that one instead: what you missed, then what comes."
    )
    async def job_progress(
        self,
        info: MapInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="The job.")],
        after: Annotated[
            str | None, strawberry.argument(description="The `cursor` of the last change that you have.")
        ] = None,
    ) -> AsyncIterator[Job]:
        """Follow a job; the viewer's rights are checked again with each change."""
        viewer = info.context.signed_in()
        service = info.context.service
        seen = 0 if after is None else number_of_cursor(after)

        async def fetch(last: int) -> Sequence[jobs.Job]:
            found = await service.maps.job_changes(viewer, str(id), last)
            if found is None:
                raise NotFound.of("job", "id")
            return found

        present = await service.maps.job(viewer, str(id))
        if present is not None and present.state.ended and seen >= present.version:
            return  # the subscriber has seen the end
        behind = min(seen, present.version) if present is not None else 0
        changes = follow(service.wakes, job_topic(str(id)), fetch, lambda job: job.version, after=behind)
        async for job in changes:
            yield Job.of(job)
            if job.state.ended:
                return
