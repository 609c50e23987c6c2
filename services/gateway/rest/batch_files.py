"""Files of a batch of maps: all of them as one ZIP or as lines of JSON, piece by piece, and each by itself.

A ZIP that broke off is read on by ``Range``, lines by the number of the last map that one has.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial

from starlette.responses import Response

from services.gateway.rest.endpoint import JSON, Answer, Call, Endpoint, Parameter
from services.gateway.rest.files import (
    BINARY,
    OBJECT,
    PICTURE_SVG_POLICY,
    STREAMED,
    SVG,
    TEXT,
    given_out,
    path_id,
    query,
    whole,
)
from services.gateway.rest.map_pictures import EXPORTS, GEOJSON, PICTURES, PNG, WEBP
from services.gateway.rest.streaming import StreamedAnswer, StreamPlaces
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DOWNLOAD, FILE, Doorkeeper
from services.shared.http_client import Streamed

BYTES_PER_POINT = 128 * 1024
"""What reading, packing and passing on for a point's worth of processor time comes to."""

ZIP, LINES = "application/zip", "application/x-ndjson"
MOST = 9_999
"""The highest number of a map in a batch."""

BATCH = path_id("batch", "Id of the batch: that of its job.")
RANGES = (
    Parameter("Range", "header", {"type": "string"}, "One range of bytes, such as `bytes=1000-`."),
    Parameter(
        "If-Range",
        "header",
        {"type": "string"},
        "The `ETag` of the file that the range is to be of: where it has grown since, it is sent whole.",
    ),
)
TOLD = ("accept-ranges", "content-length", "content-range", "etag")
"""What is passed on of the headers of an answer that is streamed."""

FORMATS = {one.file: one for one in (*PICTURES, *EXPORTS)}


def endpoints(door: Doorkeeper, graphs: Subgraphs, places: StreamPlaces) -> list[Endpoint]:
    """Makes the endpoints."""
    streamed = partial(_streamed, door, graphs, places)
    after = query("after", whole(0, MOST), "Number of the last map that you have; what follows it is sent.")
    return [
        streamed("maps.zip", "downloadBatch", "Download all files of a batch", ZIP, RANGES),
        streamed("maps.ndjson", "streamBatch", "Read the maps of a batch as lines of JSON", LINES, (after,)),
        _single(graphs),
    ]


def _streamed(
    door: Doorkeeper,
    graphs: Subgraphs,
    places: StreamPlaces,
    file: str,
    name: str,
    summary: str,
    kind: str,
    parameters: tuple[Parameter, ...],
) -> Endpoint:
    return Endpoint(
        id=name,
        method="GET",
        path=f"/v1/batches/{{batch}}/{file}",
        tag="maps",
        summary=summary,
        description="What was made so far, whole or from where you left off.",
        price=DOWNLOAD,
        answer=Answer(200, "The file, as far as it has grown.", {kind: BINARY}, STREAMED),
        handle=partial(_download, door, graphs, places, file, kind),
        problems=frozenset((404,)),
        checked=True,
        parameters=(BATCH, *parameters),
    )


def _single(graphs: Subgraphs) -> Endpoint:
    file = {"type": "string", "enum": sorted(FORMATS)}
    return Endpoint(
        id="getBatchFile",
        method="GET",
        path="/v1/batches/{batch}/maps/{number}/{file}",
        tag="maps",
        summary="Read a file of one map of a batch",
        description="In one of the formats that the batch was ordered in; its own file is `map.json`.",
        price=FILE,
        answer=Answer(
            200,
            "The file.",
            {JSON: OBJECT, SVG: TEXT, PNG: BINARY, WEBP: BINARY, GEOJSON: OBJECT},
            kept=True,
        ),
        handle=partial(_given, graphs),
        problems=frozenset((404,)),
        checked=True,
        parameters=(
            BATCH,
            Parameter("number", "path", whole(0, MOST), "Of the map in the batch.", required=True),
            Parameter("file", "path", file, "Which file.", required=True),
        ),
    )


async def _given(graphs: Subgraphs, call: Call) -> Response:
    output, number = FORMATS[call.given["file"]], str(call.given["number"])
    return await given_out(
        call,
        graphs,
        *("batches", call.given["batch"], "maps", number, output.format),
        service="map",
        kind="map",
        media_type=output.media_type,
        policy=PICTURE_SVG_POLICY if output.media_type == SVG else None,
    )


async def _download(
    door: Doorkeeper, graphs: Subgraphs, places: StreamPlaces, file: str, kind: str, call: Call
) -> Response:
    ranges = {one.name: call.given[one.name] for one in RANGES if one.name in call.given}
    async with AsyncExitStack() as ending:
        ending.enter_context(places.held(call.viewer))
        opened = await ending.enter_async_context(
            graphs.opened(
                call.viewer,
                "map",
                "batch",
                *("batches", call.given["batch"], file),
                headers=ranges,
                query={"after": call.given.get("after")},
            )
        )
        pay = partial(door.paced, call.viewer)
        return StreamedAnswer(_paid(opened, pay), kind, ending.pop_all(), _told(opened), opened.status)


def _told(opened: Streamed) -> Mapping[str, str]:
    return {name: opened.headers[name] for name in TOLD if name in opened.headers}


async def _paid(opened: Streamed, pay: Callable[[int], Awaitable[None]]) -> AsyncIterator[bytes]:
    """Pass a file on, each part of it when it is paid for: as fast as the account can pay."""
    owed = 0
    async for piece in opened.pieces():
        owed += len(piece)
        if owed >= BYTES_PER_POINT:
            points, owed = divmod(owed, BYTES_PER_POINT)
            await pay(points)
        yield piece
