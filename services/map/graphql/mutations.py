"""What can be done through the map service."""

from typing import Any

import strawberry

from services.map.app_metadata import SetMapMetadata
from services.map.graphql.batch_types import MapBatch
from services.map.graphql.context import MapInfo, MapUseCases
from services.map.graphql.play_types import MapEditInput, edit_of
from services.map.graphql.types import Job, Map
from services.map.graphql.wishes import MapFormat, MapWishInput, wish_of
from services.map.play.state import FogMode
from services.map.requests import (
    BATCH_COUNT,
    MAX_BATCH,
    CancelJob,
    ContinueMapBatch,
    DeleteMap,
    DeleteMapBatch,
    EditMap,
    GenerateMap,
    GenerateMaps,
    KeepMap,
    UndoMapEdit,
)
from services.map.revisions import MapChanged
from services.map.table import Edited
from services.shared.bounds import Count
from services.shared.graphql.changes import Call, change
from services.shared.graphql.constraint import constraint
from services.shared.graphql.inputs import KEY_WORDS
from services.shared.metadata.graphql import MetadataSaved
from services.shared.mirror import mirror
from services.shared.problems import VersionConflict

MapSharing: Any = mirror(FogMode)
SEEDS = Count(0, MAX_BATCH)
WISHED = "What to make a map of, and how."
SEED = (
    "A whole number from 0 to 9223372036854775807, as text; drawn without. The same seed, parameters and "
    "generator version give the same map."
)
FOR_WHOM = "For whose table, as its GM or player; without one the map is yours alone."


def _key() -> Any:
    return strawberry.field(default=None, description=KEY_WORDS)


@strawberry.input(description="A map to be made.")
class GenerateMapInput:
    """What, and for whom."""

    map: MapWishInput = strawberry.field(description=WISHED)
    seed: str | None = strawberry.field(default=None, description=SEED)
    campaign_id: strawberry.ID | None = strawberry.field(default=None, description=FOR_WHOM)
    sharing: MapSharing | None = strawberry.field(
        default=None,
        description="What the players of the campaign see of it. Without, a GM's map with secrets is hidden, "
        "any other is open.",
    )
    idempotency_key: str | None = _key()

    def request(self) -> GenerateMap:
        """Return what the use case takes."""
        return GenerateMap(wish_of(self.map, self.seed), self.sharing, self.campaign_id)


@strawberry.input(description="Many maps to be made.")
class GenerateMapsInput:
    """What, how many, and for whom."""

    map: MapWishInput = strawberry.field(description=WISHED)
    count: int | None = strawberry.field(
        default=None,
        description=f"How many; as many as there are seeds without. {BATCH_COUNT.words}",
        directives=[constraint([BATCH_COUNT])],
    )
    seeds: list[str] = strawberry.field(
        default_factory=list,
        description=f"One for each map; drawn without. {SEEDS.words}",
        directives=[constraint([SEEDS])],
    )
    seed: str | None = strawberry.field(
        default=None, description="What the maps' seeds are drawn from, where they are not named."
    )
    formats: list[MapFormat] = strawberry.field(
        default_factory=list, description="The files that each map is to have besides its JSON."
    )
    campaign_id: strawberry.ID | None = strawberry.field(
        default=None, description="For whose table, as its GM or player; without one they are yours alone."
    )
    idempotency_key: str | None = _key()

    def request(self) -> GenerateMaps:
        """Return what the use case takes."""
        return GenerateMaps(
            wish=wish_of(self.map, self.seed),
            count=self.count,
            seeds=tuple(self.seeds),
            formats=tuple(one.value for one in self.formats),
            campaign_id=self.campaign_id,
        )


@strawberry.input(description="Something to be done on a map.")
class EditMapInput:
    """What, and to which map."""

    map_id: strawberry.ID = strawberry.field(description="The map.")
    edit: MapEditInput = strawberry.field(description="What to do.")
    revision: str | None = strawberry.field(
        default=None,
        description="The `revision` that you saw: refused when what the edit changes was changed since, and "
        "when you saw it replaced more than two minutes ago. Without it, the edit is made on whatever is "
        "there.",
    )
    idempotency_key: str | None = _key()

    def request(self) -> EditMap:
        """Return what the use case takes."""
        return EditMap(str(self.map_id), *edit_of(self.edit), self.revision)


@strawberry.type(description="The job is in the queue: watch it with `jobProgress`.")
class MapJobQueued:
    """The answer of ``generateMap``."""

    job: Job = strawberry.field(description="The job that makes the map.")


@strawberry.type(description="The batch is begun: watch its job with `jobProgress`.")
class MapBatchQueued:
    """The answer of ``generateMaps``."""

    job: Job = strawberry.field(description="The job that makes the maps.")

    @strawberry.field(description="The batch as it stands.")
    async def batch(self, info: MapInfo) -> MapBatch | None:
        """Read the batch."""
        viewer = info.context.signed_in()
        found = await info.context.service.batches.batch(viewer, str(self.job.id))
        return None if found is None else MapBatch.of(found)


@strawberry.type(description="Here is the job as it is now: cancelled, unless it had ended before.")
class JobCancelled:
    """The answer of ``cancelJob``."""

    job: Job = strawberry.field(description="The job.")


@strawberry.type(description="The map is kept as one of its own.")
class MapKept:
    """The answer of ``keepMap``."""

    map: Map = strawberry.field(description="The map that was kept.")


@strawberry.type(description="The map is gone.")
class MapDeleted:
    """The answer of ``deleteMap``."""

    id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.type(description="The batch is gone.")
class MapBatchDeleted:
    """The answer of ``deleteMapBatch``."""

    id: strawberry.ID = strawberry.field(description="Its id: that of its job.")


@strawberry.type(description="It is done.")
class MapEdited:
    """The answer of ``editMap`` and ``undoMapEdit``."""

    map: Map = strawberry.field(description="The map after it, as you may know it.")
    thing: strawberry.ID | None = strawberry.field(
        description="Id of what was put, moved, changed or removed; null for what has none."
    )

    @classmethod
    def of(cls, edited: Edited) -> "MapEdited":
        """Show an edit that was made."""
        thing = None if edited.thing is None else strawberry.ID(edited.thing)
        return cls(map=Map.of(edited.look), thing=thing)


@strawberry.type
class Mutation:
    """Root of the mutations."""

    @change(
        description="Have a map made; the answer is a job, which takes about a second. It costs the points "
        "of the processor time that a map of its kind and size takes, 3 ms each, and counts towards the "
        "quotas of your account: `QUOTA_EXCEEDED` among the issues names which one is used up."
    )
    async def generate_map(call: Call[MapUseCases], asked: GenerateMapInput) -> MapJobQueued:
        """Queue a map."""
        job = await call.service.maps.generate(call.viewer, asked.request(), call.key)
        return MapJobQueued(job=Job.of(job))

    @change(
        description="Have up to 10,000 maps made as one job, by all workers; what they have made can "
        "be read as it grows. The whole batch is charged when it is ordered, 3 ms of estimated processor "
        "time a point, from a bucket for background work alone: `RATE_LIMITED` says when that will hold "
        "enough, `QUERY_TOO_EXPENSIVE` that it never will. Cancelling gives back what was not begun. "
        "Quotas of your account as for `generateMap`."
    )
    async def generate_maps(call: Call[MapUseCases], asked: GenerateMapsInput) -> MapBatchQueued:
        """Queue a batch."""
        job = await call.service.batches.generate(call.viewer, asked.request(), call.key)
        return MapBatchQueued(job=Job.of(job))

    @change()
    async def continue_map_batch(call: Call[MapUseCases], asked: ContinueMapBatch) -> MapBatchQueued:
        """Have the maps made that a batch has ended without, because it was cancelled or a part of it failed:
        a batch of their own, in which each has the number and the seed that it was to have. Charged like a
        batch of so many."""
        return MapBatchQueued(job=Job.of(await call.service.batches.go_on(call.viewer, asked, call.key)))

    @change()
    async def keep_map(call: Call[MapUseCases], asked: KeepMap) -> MapKept:
        """Keep one map of a batch as a map of its own, to play on it."""
        return MapKept(map=Map.of(await call.service.batches.keep(call.viewer, asked, call.key)))

    @change(MapChanged)
    async def edit_map(call: Call[MapUseCases], asked: EditMapInput) -> MapEdited:
        """Do something on a map: move a token, open a door, lift the fog, draw. GMs may do all, players what
        is theirs."""
        return MapEdited.of(await call.service.table.edit(call.viewer, asked.request(), call.key))

    @change()
    async def undo_map_edit(call: Call[MapUseCases], asked: UndoMapEdit) -> MapEdited:
        """Take an edit of a map back: the last that stands, or the one of that number (GM)."""
        return MapEdited.of(await call.service.table.undo(call.viewer, asked, call.key))

    @change(MapChanged)
    async def delete_map(call: Call[MapUseCases], asked: DeleteMap) -> MapDeleted:
        """Delete a map with all that was done on it: your own, or as GM any of the campaign. Refused while a
        scene that runs leads it (`MAP_IN_USE`)."""
        return MapDeleted(id=strawberry.ID(await call.service.deletion.map(call.viewer, asked, call.key)))

    @change()
    async def delete_map_batch(call: Call[MapUseCases], asked: DeleteMapBatch) -> MapBatchDeleted:
        """Delete a batch with its job and its files: your own, or as GM any of the campaign. One that is
        still made ends as by `cancelJob`; maps that were kept of it stay."""
        gone = await call.service.deletion.batch(call.viewer, asked, call.key)
        return MapBatchDeleted(id=strawberry.ID(gone))

    @change(VersionConflict)
    async def set_map_metadata(call: Call[MapUseCases], asked: SetMapMetadata) -> MetadataSaved:
        """Write what your app keeps beside a map or a token on it that you see, or take it away: your own, or
        as GM or player one of the table."""
        written = await call.service.metadata.of_map(call.viewer, asked, call.key)
        return MetadataSaved(metadata=written)

    @change()
    async def cancel_job(call: Call[MapUseCases], asked: CancelJob) -> JobCancelled:
        """Stop a job at once: your own, or as GM any of the campaign. The points of what a batch had not
        begun are given back to who ordered it."""
        return JobCancelled(job=Job.of(await call.service.maps.cancel(call.viewer, asked, call.key)))
