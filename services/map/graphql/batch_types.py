"""The types of batches."""

from functools import partial

import strawberry
from strawberry.scalars import JSON

from services.map import batches
from services.map.formats import FORMATS, file_name
from services.map.graphql.context import MapInfo
from services.map.graphql.file_types import MapFigure
from services.map.graphql.types import Job
from services.map.graphql.wishes import MapFormat, MapKind
from services.map.wishes import Order
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.pagination import DEFAULT_PAGE, Page, number_of_cursor, page_size


@strawberry.type(description="A file of a map of a batch.")
class MapBatchFile:
    """Where it is read."""

    format: MapFormat = strawberry.field(description="Its format.")
    url: str = strawberry.field(description="Where it is; read it with a key.")
    content_type: str = strawberry.field(description="Media type.")


@strawberry.type(description="A finished map of a batch.")
class MapBatchEntry:
    """Keep it with ``keepMap`` to play on it."""

    number: int = strawberry.field(description="Its place in the batch, from 0.")
    seed: str = strawberry.field(description="What it was made from, in decimal digits.")
    name: str = strawberry.field(description="Its title, for people.")
    attempts: int = strawberry.field(description="How many it took to pass every gate.")
    figures: list[MapFigure] = strawberry.field(description="What its gates measured.")
    batch: strawberry.Private[batches.Batch]

    @strawberry.field(description="Its files, one in each format of the batch.")
    def files(self, info: MapInfo) -> list[MapBatchFile]:
        """List them, with their addresses."""
        folder = f"{info.context.service.public_url}/v1/batches/{self.batch.job.id}/maps/{self.number}"
        return [
            MapBatchFile(
                format=MapFormat(name),
                url=f"{folder}/{file_name(name)}",
                content_type=FORMATS[name].content_type,
            )
            for name in self.batch.formats
        ]

    @classmethod
    def of(cls, batch: batches.Batch, entry: batches.Entry) -> "MapBatchEntry":
        """Show an entry."""
        figures = [MapFigure(name=name, value=value) for name, value in entry.figures.items()]
        return cls(
            number=entry.number,
            seed=entry.seed,
            name=entry.name,
            attempts=entry.attempts,
            figures=figures,
            batch=batch,
        )


@strawberry.type(description="Many maps, made as one job.")
class MapBatch:
    """Seen by who asked for it, and by the GMs of its campaign: its maps are whole, secrets included."""

    id: strawberry.ID = strawberry.field(description="That of its job.")
    job: "Job" = strawberry.field(description="The job; its progress is the batch's.")
    kind: MapKind = strawberry.field(description="What its maps are maps of.")
    count: int = strawberry.field(description="Maps asked for.")
    done: int = strawberry.field(description="Maps made so far.")
    bytes: float = strawberry.field(description="Size of their files so far.")
    formats: list[MapFormat] = strawberry.field(description="The files that each map has.")
    seed: str = strawberry.field(
        description="What the maps' seeds were drawn from, in decimal digits, where they were not named."
    )
    parameters: JSON = strawberry.field(
        description="What each map was made by, with all that was not named: as its field of `MapWishInput`."
    )
    batch: strawberry.Private[batches.Batch]

    @strawberry.field(description="All files of what was made so far, as one ZIP.")
    def zip_url(self, info: MapInfo) -> str:
        """Give the address."""
        return f"{info.context.service.public_url}/v1/batches/{self.job.id}/maps.zip"

    @strawberry.field(description="The maps made so far, a line of JSON each.")
    def ndjson_url(self, info: MapInfo) -> str:
        """Give the address."""
        return f"{info.context.service.public_url}/v1/batches/{self.job.id}/maps.ndjson"

    @strawberry.field(description="The maps made so far, in the order of their numbers.")
    def maps(self, first: First = DEFAULT_PAGE, after: After = None) -> Connection[MapBatchEntry]:
        """Give a page of what was made."""
        size, last = page_size(first), -1 if after is None else number_of_cursor(after)
        parts = [part for part in self.batch.parts if part.first + part.count > last + 1]
        found = [entry for entry in batches.entries(parts[: size + 1]) if entry.number > last]
        page = Page(found[:size], has_next=len(found) > size, has_previous=after is not None)
        return connect(page, lambda entry: f"#{entry.number}", partial(MapBatchEntry.of, self.batch))

    @classmethod
    def of(cls, batch: batches.Batch) -> "MapBatch":
        """Show a batch."""
        return cls(
            id=strawberry.ID(batch.job.id),
            job=Job.of(batch.job),
            kind=MapKind(batch.kind),
            count=batch.count,
            done=batch.done,
            bytes=float(batch.bytes),
            formats=[MapFormat(one) for one in batch.formats],
            seed=batch.job.params["seed"],
            parameters=JSON(Order.load(batch.job.params).asked),
            batch=batch,
        )
