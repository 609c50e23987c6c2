"""What can be done through the map service."""

from typing import Annotated, Any

import strawberry

from services.map.batches import NewBatch
from services.map.graphql.batch_types import MapBatch
from services.map.graphql.context import MapInfo
from services.map.graphql.play_types import MapEditInput, edit_of
from services.map.graphql.types import Job, Map
from services.map.graphql.wishes import MapFormat, MapWishInput, wish_of
from services.map.looking import Look
from services.map.play.state import FogMode
from services.map.service import NewMap
from services.map.table import Edited, NewEdit, Refusal, Stale
from services.shared import jobs
from services.shared.idempotency import checked_key
from services.shared.mirror import mirror
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Problem,
    Unavailable,
)

MapSharing: Any = mirror(FogMode)


@strawberry.input(description="A map to be made.")
class GenerateMapInput:
    """What, and for whom."""

    map: MapWishInput
    seed: str | None = strawberry.field(
        default=None,
        description="A whole number from 0 to 9223372036854775807, as text; drawn without. The same seed, "
        "parameters and generator version give the same map.",
    )
    campaign_id: strawberry.ID | None = strawberry.field(
        default=None, description="For whose table, as its GM or player; without one the map is yours alone."
    )
    sharing: MapSharing | None = strawberry.field(
        default=None,
        description="What the players of the campaign see of it. Without, a GM's map with secrets is hidden, "
        "any other is open.",
    )
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same job for 24 hours."
    )


@strawberry.input(description="Many maps to be made.")
class GenerateMapsInput:
    """What, how many, and for whom."""

    map: MapWishInput
    count: int | None = strawberry.field(
        default=None, description="How many, 1 to 10,000; as many as there are seeds without."
    )
    seeds: list[str] = strawberry.field(default_factory=list, description="One for each map; drawn without.")
    seed: str | None = strawberry.field(
        default=None, description="What the maps' seeds are drawn from, where they are not named."
    )
    formats: list[MapFormat] = strawberry.field(
        default_factory=list, description="The files that each map is to have besides its JSON."
    )
    campaign_id: strawberry.ID | None = None
    idempotency_key: str | None = None


@strawberry.input(description="Something to be done on a map.")
class EditMapInput:
    """What, and to which map."""

    map_id: strawberry.ID
    edit: MapEditInput
    revision: str | None = strawberry.field(
        default=None, description="The `revision` that you saw; refused when you would see another one now."
    )
    idempotency_key: str | None = None


@strawberry.type(description="The job is in the queue: watch it with `jobProgress`.")
class MapJobQueued:
    """The answer of ``generateMap``."""

    job: Job


@strawberry.type(description="The batch is begun: watch its job with `jobProgress`.")
class MapBatchQueued:
    """The answer of ``generateMaps``."""

    job: Job

    @strawberry.field(description="The batch as it stands.")
    async def batch(self, info: MapInfo) -> MapBatch | None:
        """Read the batch."""
        viewer = info.context.signed_in()
        found = await info.context.service.batches.batch(viewer, str(self.job.id))
        return None if found is None else MapBatch.of(found)


@strawberry.type(description="Here is the job as it is now: cancelled, unless it had ended before.")
class JobCancelled:
    """The answer of ``cancelJob``."""

    job: Job


@strawberry.type(description="The map is kept as one of its own.")
class MapKept:
    """The answer of ``keepMap``."""

    map: Map


@strawberry.type(description="It is done.")
class MapEdited:
    """The answer of ``editMap`` and ``undoMapEdit``."""

    map: Map = strawberry.field(description="The map after it, as you may know it.")
    thing: strawberry.ID | None = strawberry.field(
        description="Id of what was put, moved, changed or removed; null for what has none."
    )


@strawberry.type(description="The map is not as you saw it: look again.")
class MapChanged(Problem):
    """Nothing was changed."""

    expected_revision: str = strawberry.field(default="", description="The revision that the request named.")
    current_revision: str = strawberry.field(default="", description="The one that you would see now.")


GenerateMapResult = Annotated[
    MapJobQueued | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("GenerateMapResult"),
]
GenerateMapsResult = Annotated[
    MapBatchQueued | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("GenerateMapsResult"),
]
KeepMapResult = Annotated[
    MapKept | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("KeepMapResult"),
]
EditMapResult = Annotated[
    MapEdited | InvalidInput | NotFound | Forbidden | MapChanged | IdempotencyConflict | Unavailable,
    strawberry.union("EditMapResult"),
]
CancelJobResult = Annotated[
    JobCancelled | NotFound | Forbidden | Unavailable, strawberry.union("CancelJobResult")
]


@strawberry.type
class Mutation:
    """Root of the mutations."""

    @strawberry.mutation(
        description="Have a map made; the answer is a job, which takes about a second. It costs the points "
        "of the processor time that a map of its kind and size takes, 3 ms each, and counts towards the "
        "quotas of your account: `QUOTA_EXCEEDED` among the issues names which one is used up."
    )
    async def generate_map(self, info: MapInfo, input: GenerateMapInput) -> GenerateMapResult:
        """Queue a map."""
        viewer = info.context.signed_in("write")
        new = NewMap(
            wish=wish_of(input.map, input.seed),
            sharing=input.sharing,
            campaign=input.campaign_id,
            idempotency_key=checked_key(input.idempotency_key),
        )
        outcome = await info.context.service.maps.generate(viewer, new)
        return MapJobQueued(job=Job.of(outcome)) if isinstance(outcome, jobs.Job) else outcome

    @strawberry.mutation(
        description="Have up to 10,000 maps made as one job, by all workers; what they have made can "
        "be read as it grows. The whole batch is charged when it is ordered, 3 ms of estimated processor "
        "time a point, from a bucket for background work alone: `RATE_LIMITED` says when that will hold "
        "enough, `QUERY_TOO_EXPENSIVE` that it never will. Cancelling gives back what was not begun. "
        "Quotas of your account as for `generateMap`."
    )
    async def generate_maps(self, info: MapInfo, input: GenerateMapsInput) -> GenerateMapsResult:
        """Queue a batch."""
        viewer = info.context.signed_in("write")
        new = NewBatch(
            wish=wish_of(input.map, input.seed),
            count=input.count,
            seeds=tuple(input.seeds),
            formats=tuple(one.value for one in input.formats),
            campaign=input.campaign_id,
            idempotency_key=checked_key(input.idempotency_key),
        )
        outcome = await info.context.service.batches.generate(viewer, new)
        return MapBatchQueued(job=Job.of(outcome)) if isinstance(outcome, jobs.Job) else outcome

    @strawberry.mutation(description="Keep one map of a batch as a map of its own, to play on it.")
    async def keep_map(
        self,
        info: MapInfo,
        batch_id: strawberry.ID,
        number: int,
        campaign_id: strawberry.ID | None = None,
        sharing: MapSharing | None = None,
        idempotency_key: str | None = None,
    ) -> KeepMapResult:
        """Keep a map."""
        outcome = await info.context.service.batches.keep(
            info.context.signed_in("write"),
            str(batch_id),
            number,
            campaign=campaign_id,
            sharing=sharing,
            idempotency_key=checked_key(idempotency_key),
        )
        return outcome if not isinstance(outcome, Look) else MapKept(map=Map.of(outcome))

    @strawberry.mutation(
        description="Do something on a map: move a token, open a door, lift the fog, draw. GMs may do all, "
        "players what is theirs."
    )
    async def edit_map(self, info: MapInfo, input: EditMapInput) -> EditMapResult:
        """Edit a map."""
        sort, edit = edit_of(input.edit)
        new = NewEdit(str(input.map_id), sort, edit, input.revision, checked_key(input.idempotency_key))
        return shown(await info.context.service.table.edit(info.context.signed_in("write"), new))

    @strawberry.mutation(
        description="Take an edit of a map back: the last that stands, or the one of that number (GM)."
    )
    async def undo_map_edit(
        self,
        info: MapInfo,
        map_id: strawberry.ID,
        number: int | None = None,
        idempotency_key: str | None = None,
    ) -> EditMapResult:
        """Undo an edit."""
        viewer = info.context.signed_in("write")
        key = checked_key(idempotency_key)
        return shown(await info.context.service.table.undo(viewer, str(map_id), number, key))

    @strawberry.mutation(
        description="Stop a job at once: your own, or as GM any of the campaign. The points of what a batch "
        "had not begun are given back to who ordered it."
    )
    async def cancel_job(self, info: MapInfo, id: strawberry.ID) -> CancelJobResult:
        """Cancel a job."""
        outcome = await info.context.service.maps.cancel(info.context.signed_in("write"), str(id))
        return JobCancelled(job=Job.of(outcome)) if isinstance(outcome, jobs.Job) else outcome


def shown(outcome: Edited | Refusal) -> EditMapResult:
    """Show what came of an edit."""
    match outcome:
        case Edited(look, thing):
            return MapEdited(map=Map.of(look), thing=None if thing is None else strawberry.ID(thing))
        case Stale(expected, current):
            return MapChanged(
                code="MAP_CHANGED",
                message="You would see another revision of the map now.",
                path=["revision"],
                expected_revision=expected,
                current_revision=current,
            )
        case _:
            return outcome
