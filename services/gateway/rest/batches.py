"""Many maps at once: ``/v1/batches``."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from services.gateway.rest.answers import NEVER, made, shown
from services.gateway.rest.contract import (
    IdempotencyKey,
    Ref,
    Responses,
    changing,
    id_path,
    reading,
    refusals,
)
from services.gateway.rest.map_shapes import Batch, Job, Keeping, NewBatch
from services.gateway.rest.maps import wish
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LOOK, Doorkeeper, require
from services.shared.auth import Viewer

ORDER, DOWNLOAD, KEEP = 100, 50, 10
DOWNLOADED_PER_POINT = 128 * 1024
"""What reading, packing and passing on for a point's worth of processor time comes to."""

FILES = (
    ("maps.zip", "downloadBatch", "Download all files of a batch", "application/zip"),
    ("maps.ndjson", "streamBatch", "Read the maps of a batch as lines of JSON", "application/x-ndjson"),
)
BatchId = Annotated[str, id_path("job", "Id of the batch: that of its job.")]


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of batches."""
    router = APIRouter(tags=["maps"])

    @router.post(
        "/v1/batches",
        operation_id="generateMaps",
        summary="Have many maps made",
        status_code=202,
        responses=changing(
            Job, 404, 409, status=202, description="The batch is begun; look at `Location`.", located=True
        ),
    )
    async def generate(
        viewer: Annotated[Viewer, Depends(door.keyed(ORDER))], body: NewBatch, key: IdempotencyKey = None
    ) -> Response:
        """Have up to 10,000 maps made by all workers there are; read what they have made as it grows.

        The whole batch is charged when it is ordered (`points`, 3 ms of estimated processor time each), from
        a bucket for background work alone: 429 says when that will hold enough, 400 `QUERY_TOO_EXPENSIVE`
        that it never will. Cancelling gives back what was not begun. `QUOTA_EXCEEDED` among the issues names
        the quota of your account that is used up.
        """
        wanted, wrapper = wish(body)
        given: dict[str, Any] = {
            "map": wanted,
            "seed": body.seed,
            "count": body.count,
            "seeds": body.seeds,
            "formats": body.formats,
            "campaignId": body.campaign_id,
            "idempotencyKey": key,
        }
        job = await graphs.change(
            viewer,
            "map.generateMaps",
            wrapper=wrapper,
            input={name: value for name, value in given.items() if value is not None},
        )
        return made(job, status=202, location=f"/v1/batches/{job['id']}")

    @router.get(
        "/v1/batches/{batch}",
        operation_id="getBatch",
        summary="Look at a batch",
        responses=reading(Batch, 404),
    )
    async def one(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], batch: BatchId
    ) -> Response:
        """How far a batch has come."""
        return shown(request, await graphs.read(viewer, "map.mapBatch", "batch", id=batch))

    @router.post(
        "/v1/batches/{batch}/maps/{number}",
        operation_id="keepMap",
        summary="Keep a map of a batch",
        status_code=201,
        responses=changing(Ref, 404, 409, description="The map is one of its own now.", located=True),
    )
    async def keep(
        viewer: Annotated[Viewer, Depends(door.keyed(KEEP))],
        batch: BatchId,
        number: Annotated[int, Path(ge=0, le=9_999, description="Its place in the batch, from 0.")],
        body: Keeping,
        key: IdempotencyKey = None,
    ) -> Response:
        """Keep one map of a batch as a map of its own, to play on it."""
        given = {
            "batchId": batch,
            "number": number,
            "campaignId": body.campaign_id,
            "sharing": body.sharing,
            "idempotencyKey": key,
        }
        found = await graphs.change(
            viewer,
            "map.keepMap",
            input={name: value for name, value in given.items() if value is not None},
        )
        return made(found, location=f"/v1/maps/{found['id']}")

    for file in FILES:
        _add_file(router, door, graphs, *file)
    return router


def _add_file(
    router: APIRouter, door: Doorkeeper, graphs: Subgraphs, name: str, operation: str, summary: str, kind: str
) -> None:
    answers: Responses = {
        200: {
            "description": "The file, as far as it has grown.",
            "headers": {each: {"$ref": f"#/components/headers/{each}"} for each in HEADERS},
            "content": {kind: {"schema": {"type": "string", "format": "binary"}}},
        },
        **refusals(400, 401, 403, 404, 429, 500, 503),
    }

    @router.get(
        f"/v1/batches/{{batch}}/{name}",
        operation_id=operation,
        summary=summary,
        response_class=StreamingResponse,
        responses=answers,
    )
    async def download(viewer: Annotated[Viewer, Depends(door.keyed(DOWNLOAD))], batch: BatchId) -> Response:
        """What was made so far, whole."""
        require(viewer, "read")
        pieces = graphs.stream(viewer, "map", "batch", "batches", batch, name)
        # The first piece tells whether there is such a batch, while it can still be answered otherwise.
        first = await anext(pieces, b"")
        pay = partial(door.paced, viewer)
        return StreamingResponse(_paid(first, pieces, pay), 200, {"cache-control": NEVER}, kind)


HEADERS = ("cache-control", "x-request-id", "x-ratelimit-remaining")


async def _paid(
    first: bytes, rest: AsyncIterator[bytes], pay: Callable[[int], Awaitable[None]]
) -> AsyncIterator[bytes]:
    """Pass a file on, each part of it when it is paid for: as fast as the account can pay."""
    yield first
    owed = len(first)
    async for piece in rest:
        owed += len(piece)
        if owed >= DOWNLOADED_PER_POINT:
            points, owed = divmod(owed, DOWNLOADED_PER_POINT)
            await pay(points)
        yield piece
