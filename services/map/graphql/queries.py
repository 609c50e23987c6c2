"""What can be asked of the map service."""

from typing import Annotated

import strawberry

from services.map.graphql import loaders
from services.map.graphql.batch_types import MapBatch
from services.map.graphql.context import MapInfo
from services.map.graphql.types import Job, Map, MapKindInfo, page_of_maps
from services.map.registry import GENERATORS
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.graphql.updates import SinceCursor, Updates, shown_updates
from services.shared.pagination import DEFAULT_PAGE, decode_cursor, page_size


@strawberry.type
class Query:
    """Root of the queries."""

    @strawberry.field(description="The kinds of maps that can be made, and what they are made from.")
    def map_kinds(self) -> list[MapKindInfo]:
        """Give every kind."""
        return [MapKindInfo.of(slug) for slug in GENERATORS]

    @strawberry.field(description="A map that you may see.")
    async def map(
        self, info: MapInfo, id: Annotated[strawberry.ID, strawberry.argument(description="The map.")]
    ) -> Map | None:
        """Give one map."""
        info.context.signed_in()
        row = await loaders.maps(info).load(str(id))
        return None if row is None else Map.of(row)

    @strawberry.field(
        description="The maps of a campaign, newest first; without one, your own that belong to none. "
        "Null for a campaign that you are no member of."
    )
    async def maps(
        self,
        info: MapInfo,
        campaign_id: Annotated[strawberry.ID | None, strawberry.argument(description="The campaign.")] = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[Map] | None:
        """Give a page of maps."""
        info.context.signed_in()
        return await page_of_maps(info, campaign_id, first, after)

    @strawberry.field(
        description="What has changed among the maps of a campaign, or among your own that belong to none, "
        "deletions too: a map has changed when it was made, shared otherwise or led by another scene; what "
        "is played on it is told by `mapChanges`. Null for a campaign that you are no member of."
    )
    async def map_updates(
        self,
        info: MapInfo,
        campaign_id: Annotated[strawberry.ID | None, strawberry.argument(description="The campaign.")] = None,
        first: First = DEFAULT_PAGE,
        since: SinceCursor = None,
    ) -> Updates[Map] | None:
        """Return a page of changes."""
        viewer, maps = info.context.signed_in(), info.context.service.maps
        told = await maps.updates(viewer, campaign_id, since, first=page_size(first))
        return None if told is None else shown_updates(told, Map.of)

    @strawberry.field(description="A batch of maps that you asked for, or, as GM, that your table has.")
    async def map_batch(
        self,
        info: MapInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="The batch: the id of its job.")],
    ) -> MapBatch | None:
        """Give one batch, by the id of its job."""
        batch = await info.context.service.batches.batch(info.context.signed_in(), str(id))
        return None if batch is None else MapBatch.of(batch)

    @strawberry.field(description="The jobs that you asked for, newest first; a batch is one of them.")
    async def jobs(self, info: MapInfo, first: First = DEFAULT_PAGE, after: After = None) -> Connection[Job]:
        """Return a page of the viewer's jobs."""
        page = await info.context.service.maps.jobs(
            info.context.signed_in(),
            first=page_size(first),
            after=decode_cursor(after, "job") if after is not None else None,
        )
        return connect(page, lambda job: job.id, Job.of)

    @strawberry.field(description="A job that you may see.")
    async def job(
        self, info: MapInfo, id: Annotated[strawberry.ID, strawberry.argument(description="The job.")]
    ) -> Job | None:
        """Give one job."""
        job = await info.context.service.maps.job(info.context.signed_in(), str(id))
        return None if job is None else Job.of(job)
