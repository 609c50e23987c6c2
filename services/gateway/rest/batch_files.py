"""All files of a batch of maps, piece by piece: ``/v1/batches/{batch}/maps.zip``, ``.../maps.ndjson``."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial

from starlette.responses import Response

from services.gateway.rest.endpoint import Answer, Call, Endpoint
from services.gateway.rest.files import BINARY, STREAMED, path_id
from services.gateway.rest.streaming import StreamedAnswer, StreamPlaces
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DOWNLOAD, Doorkeeper

BYTES_PER_POINT = 128 * 1024
"""What reading, packing and passing on for a point's worth of processor time comes to."""

FILES = (
    ("maps.zip", "downloadBatch", "Download all files of a batch", "application/zip"),
    ("maps.ndjson", "streamBatch", "Read the maps of a batch as lines of JSON", "application/x-ndjson"),
)


def endpoints(door: Doorkeeper, graphs: Subgraphs, places: StreamPlaces) -> list[Endpoint]:
    """Makes the endpoints."""
    return [
        Endpoint(
            id=name,
            method="GET",
            path=f"/v1/batches/{{batch}}/{file}",
            tag="maps",
            summary=summary,
            description="What was made so far, whole.",
            price=DOWNLOAD,
            answer=Answer(200, "The file, as far as it has grown.", {kind: BINARY}, STREAMED),
            handle=partial(_download, door, graphs, places, file, kind),
            problems=frozenset((404,)),
            checked=True,
            parameters=(path_id("batch", "Id of the batch: that of its job."),),
        )
        for file, name, summary, kind in FILES
    ]


async def _download(
    door: Doorkeeper, graphs: Subgraphs, places: StreamPlaces, file: str, kind: str, call: Call
) -> Response:
    async with AsyncExitStack() as ending:
        ending.enter_context(places.held(call.viewer))
        pieces = graphs.stream(call.viewer, "map", "batch", "batches", call.given["batch"], file)
        ending.push_async_callback(pieces.aclose)
        # The first piece tells whether there is such a batch, while it can still be answered otherwise.
        first = await anext(pieces, b"")
        pay = partial(door.paced, call.viewer)
        return StreamedAnswer(_paid(first, pieces, pay), kind, ending.pop_all())


async def _paid(
    first: bytes, rest: AsyncIterator[bytes], pay: Callable[[int], Awaitable[None]]
) -> AsyncIterator[bytes]:
    """Pass a file on, each part of it when it is paid for: as fast as the account can pay."""
    yield first
    owed = len(first)
    async for piece in rest:
        owed += len(piece)
        if owed >= BYTES_PER_POINT:
            points, owed = divmod(owed, BYTES_PER_POINT)
            await pay(points)
        yield piece
