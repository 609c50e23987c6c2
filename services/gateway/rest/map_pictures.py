"""Pictures and exports of maps, and maps brought along: ``/v1/maps/{id}/...``, ``/v1/maps/import``."""

from dataclasses import dataclass
from functools import partial

from starlette.responses import Response

from services.gateway.rest.answers import made
from services.gateway.rest.asked import idempotency_key
from services.gateway.rest.endpoint import JSON, Answer, Body, Call, Endpoint, Handle, Parameter, Schema
from services.gateway.rest.files import (
    BINARY,
    OBJECT,
    PICTURE_SVG_POLICY,
    REDIRECT,
    SVG,
    TEXT,
    file_answer,
    given_out,
    path_id,
    query,
    text,
    whole,
)
from services.gateway.rest.shapes import enum_of
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import FILE, PICTURE, UPLOAD
from services.shared.auth import KeyScope
from services.shared.map_extent import EXTENT_HEADER

MAP = path_id("map_id", "Id of the map.")
VIEW = query(
    "view",
    {"type": "string", "enum": ["gm", "players"]},
    "`players` for what players see, also if you are the GM; else all that you may see.",
)
PIXELS = query("px", whole(8, 200), "To a cell of a grid map; by format without.", 70)
STYLE = query(
    "style",
    {"type": "string", "enum": ["flat", "ink", "parchment", "painted", "blueprint"]},
    "How a grid map is drawn; `flat` takes the least time. By kind without.",
)
YES: Schema = {"type": "boolean", "default": True}
GRID = query("grid", YES, "Whether the floor of a grid map shows the lines of its cells.")
LEGEND = query("legend", YES, "Whether a drawn grid map has a frame, a title and its keyed legend.")
TOKENS = query(
    "tokens",
    {"type": "boolean", "default": False},
    "Whether a grid map shows the tokens that you may see on it. Up to 40 characters that you may see are "
    "drawn with their portraits, all else with letters. Over a flat picture lies the light of lamps too; "
    "over the one that a map was imported with, the doors as they stand and the light that play has brought.",
)
PNG, WEBP, GEOJSON, OCTETS = "image/png", "image/webp", "application/geo+json", "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Output:
    """One form in which a map is given out.

    Attributes:
        file: its name behind the map's own path.
        id: of the endpoint.
        summary: a few words.
        format: as the map service calls it.
        media_type: of the content.
        schema: of the content.
    """

    file: str
    id: str
    summary: str
    format: str
    media_type: str
    schema: Schema


PICTURES = (
    Output("map.svg", "getMapSvg", "Read a map's picture", "svg", SVG, TEXT),
    Output("map.png", "getMapPng", "Read a map's picture as PNG", "png", PNG, BINARY),
    Output("map.webp", "getMapWebp", "Read a map's picture as WebP", "webp", WEBP, BINARY),
    Output("map.uvtt", "exportMapUvtt", "Export a map to Universal VTT", "uvtt", JSON, OBJECT),
)
EXPORTS = (
    Output("map.json", "getMapJson", "Read a map's own file", "json", JSON, OBJECT),
    Output(
        "map.lines.uvtt",
        "exportMapUvttLines",
        "Export a map to Universal VTT, without its picture",
        "uvtt-lines",
        JSON,
        OBJECT,
    ),
    Output(
        "map.foundry-v13.json",
        "exportMapFoundry13",
        "Export a map to Foundry VTT 13",
        "foundry-v13",
        JSON,
        OBJECT,
    ),
    Output(
        "map.foundry-v14.json",
        "exportMapFoundry14",
        "Export a map to Foundry VTT 14",
        "foundry-v14",
        JSON,
        OBJECT,
    ),
    Output(
        "map.foundry-journal.json",
        "exportMapFoundryJournal",
        "Export a map's notes as a journal of Foundry VTT",
        "foundry-journal",
        JSON,
        OBJECT,
    ),
    Output(
        "map.terrain.png",
        "exportMapTiledTerrain",
        "Export the tiles of a map for Tiled",
        "tiled-terrain",
        PNG,
        BINARY,
    ),
    Output("map.tmj", "exportMapTiled", "Export a map to Tiled", "tiled", JSON, OBJECT),
    Output("map.owlbear.json", "exportMapOwlbear", "Export a map to Owlbear Rodeo", "owlbear", JSON, OBJECT),
    Output("map.geojson", "exportMapGeojson", "Export a map as GeoJSON", "geojson", GEOJSON, OBJECT),
)
WEBP_OUTPUT, PNG_OUTPUT = PICTURES[2], PICTURES[1]


def endpoints(graphs: Subgraphs, map_schema: Schema) -> list[Endpoint]:
    """Makes the endpoints.

    Args:
        graphs: the services.
        map_schema: of a map, as one that is read by itself is shown.
    """
    drawn = (
        "Drawn when it is asked for, as you may know the map now, and as far as you know it: `x-map-extent` "
        "tells which columns and rows of the whole map it shows."
    )
    told = (
        "The map as you may know it now, with doors and lights as they are. A picture that it names is "
        "`map.webp` or `map.png` of this map, with `style=flat` and the same `px`."
    )
    looks = (PIXELS, STYLE, GRID, LEGEND, TOKENS, VIEW)
    pictures = [_output(graphs, one, drawn, PICTURE, looks) for one in PICTURES]
    exports = [_output(graphs, one, told, FILE, (PIXELS, VIEW)) for one in EXPORTS]
    return [*pictures, *exports, *_small(graphs), _import(graphs, map_schema)]


def _output(
    graphs: Subgraphs, output: Output, description: str, price: int, parameters: tuple[Parameter, ...]
) -> Endpoint:
    path, handle = f"/v1/maps/{{map_id}}/{output.file}", partial(_given, graphs, output)
    linked = output.format != "json" and output.media_type != SVG
    answer = file_answer(output.media_type, output.schema, headers=(EXTENT_HEADER,), linked=linked)
    parameters = (*parameters, REDIRECT) if linked else parameters
    return _reading(output.id, path, output.summary, description, price, answer, parameters, handle)


def _small(graphs: Subgraphs) -> list[Endpoint]:
    size = query("size", whole(64, 512, default=256), "Pixels along the longer side.")
    zoom = Parameter("z", "path", whole(0, 30), "Zoom; 0 shows the whole map in one tile.", required=True)
    column = Parameter("x", "path", whole(0, 1_000_000), "Column.", required=True)
    row = Parameter("y", "path", whole(0, 1_000_000), "Row.", required=True)
    return [
        _reading(
            "getMapThumbnail",
            "/v1/maps/{map_id}/thumbnail.webp",
            "Read a map's thumbnail",
            "A small picture for lists.",
            PICTURE,
            file_answer(WEBP, BINARY, "The picture.", (EXTENT_HEADER,)),
            (size, VIEW),
            partial(_given, graphs, WEBP_OUTPUT),
        ),
        _reading(
            "getMapTile",
            "/v1/maps/{map_id}/tiles/{z}/{x}/{y}.png",
            "Read a tile of a map",
            "A large picture in pieces, as map viewers ask for them.",
            FILE,
            file_answer(PNG, BINARY, "256 by 256 pixels.", (EXTENT_HEADER,)),
            (zoom, column, row, PIXELS, STYLE, VIEW),
            partial(_given, graphs, PNG_OUTPUT),
        ),
    ]


def _reading(
    name: str,
    path: str,
    summary: str,
    description: str,
    price: int,
    answer: Answer,
    parameters: tuple[Parameter, ...],
    handle: Handle,
) -> Endpoint:
    return Endpoint(
        id=name,
        method="GET",
        path=path,
        tag="maps",
        summary=summary,
        description=description,
        price=price,
        answer=answer,
        handle=handle,
        problems=frozenset((404, 422)),
        checked=True,
        parameters=(MAP, *parameters),
    )


async def _given(graphs: Subgraphs, output: Output, call: Call) -> Response:
    asked = {name: value for name, value in call.given.items() if name != MAP.name}
    place = ("maps", call.given[MAP.name], "outputs", output.format)
    policy = PICTURE_SVG_POLICY if output.media_type == SVG else None
    return await given_out(
        call,
        graphs,
        *place,
        service="map",
        kind="map",
        media_type=output.media_type,
        policy=policy,
        query=asked,
        name=call.request.url.path.rpartition("/")[2],
        passed=(EXTENT_HEADER,),
    )


def _import(graphs: Subgraphs, map_schema: Schema) -> Endpoint:
    return Endpoint(
        id="importMap",
        method="POST",
        path="/v1/maps/import",
        tag="maps",
        summary="Bring a map along",
        description="Keep the map of a Universal VTT file (`.dd2vtt`, `.uvtt`), or of a map file of this "
        "house. A single odd door or light is left out: the gate `file` of `gates` names its path in it.",
        price=UPLOAD,
        answer=Answer(201, "The map is kept.", {JSON: map_schema}, ("location",)),
        handle=partial(_brought, graphs),
        problems=frozenset((404, 409, 422)),
        scope=KeyScope.WRITE,
        checked=True,
        parameters=(
            query("title", text(80), "Name of the map."),
            query("campaign", text(40), "For which campaign, if any."),
            query("sharing", enum_of("map", "MapSharing"), "What its players see of the map."),
            idempotency_key(),
        ),
        body=Body({JSON: OBJECT, OCTETS: BINARY}, "The file, up to 64 MiB."),
    )


async def _brought(graphs: Subgraphs, call: Call) -> Response:
    names = {"title": "title", "campaign": "campaign", "sharing": "sharing", "Idempotency-Key": "key"}
    asked = {names[name]: value for name, value in call.given.items()}
    content = await call.request.body()
    brought = await graphs.upload(call.viewer, "map", "maps", "import", content=content, query=asked)
    found = await graphs.run(call.viewer, "map.map", id=brought["id"])
    return made(found, location=f"/v1/maps/{brought['id']}")
