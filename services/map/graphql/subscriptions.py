"""What the map service tells as it happens."""

from collections.abc import AsyncIterator, Sequence

import strawberry

from services.map.events import job_topic
from services.map.graphql.context import MapInfo
from services.map.graphql.types import Job, Map
from services.shared import jobs
from services.shared.graphql.errors import PublicError
from services.shared.peers import PeerUnavailable
from services.shared.stream import follow


@strawberry.type
class Subscription:
    """Root of the subscriptions."""

    @strawberry.subscription(
        description="A map as it is now, then each time that you would see another. With `revision`, the one "
        "you have, nothing before it has changed. What you do not see never shows here, not even as a sign."
    )
    async def map_changes(
        self, info: MapInfo, id: strawberry.ID, revision: str | None = None
    ) -> AsyncIterator[Map]:
        """Follow a map; the viewer's rights are checked again with each change."""
        viewer = info.context.signed_in()
        try:
            async for look in info.context.service.table.follow(viewer, str(id), revision):
                if look is None:
                    raise PublicError("NOT_FOUND", "There is no such map, or you may not see it.")
                yield Map.of(look)
        except PeerUnavailable as error:
            raise PublicError("UNAVAILABLE", f"The {error.peer} service does not answer.") from error

    @strawberry.subscription(
        description="A job as it is now, then each change, once and in order, up to its end. With `after`, "
        "every change behind that version instead: what you missed, then what comes."
    )
    async def job_progress(self, info: MapInfo, id: strawberry.ID, after: int = 0) -> AsyncIterator[Job]:
        """Follow a job; the viewer's rights are checked again with each change."""
        viewer = info.context.signed_in()
        service = info.context.service

        async def fetch(last: int) -> Sequence[jobs.Job]:
            try:
                found = await service.maps.job_changes(viewer, str(id), last)
            except PeerUnavailable as error:
                raise PublicError("UNAVAILABLE", f"The {error.peer} service does not answer.") from error
            if found is None:
                raise PublicError("NOT_FOUND", "There is no such job, or you may not see it.")
            return found

        present = await service.maps.job(viewer, str(id))
        if present is not None and present.state.ended and after >= present.version:
            return  # the subscriber has seen the end
        behind = min(after, present.version) if present is not None else 0
        changes = follow(service.wakes, job_topic(str(id)), fetch, lambda job: job.version, after=behind)
        async for job in changes:
            yield Job.of(job)
            if job.state.ended:
                return
