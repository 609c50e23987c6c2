"""Pictures and exports of maps, and maps brought along: ``/v1/maps/{id}/...``, ``/v1/maps/import``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import REVALIDATE, made, tagged
from services.gateway.rest.contract import IdempotencyKey, changing, reading
from services.gateway.rest.map_shapes import Map, Sharing
from services.gateway.rest.maps import MapId
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import FILE, Doorkeeper, require
from services.shared.auth import Viewer

# A map is a picture, also where a browser opens it by itself: it runs nothing and loads nothing.
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
DRAW = 20
"""What a picture costs that has to be drawn."""

UPLOAD = 100
SECONDS = 25.0

View = Annotated[
    Literal["gm", "players"] | None,
    Query(description="`players` for what players see, also if you are the GM; else all that you may see."),
]
Pixels = Annotated[
    int | None, Query(ge=8, le=200, description="To a cell of a grid map; by format without.", examples=[70])
]
StyleName = Annotated[
    Literal["flat", "ink", "parchment", "painted", "blueprint"] | None,
    Query(description="How a grid map is drawn; `flat` takes the least time. By kind without."),
]
GridLines = Annotated[
    bool, Query(description="Whether the floor of a grid map shows the lines of its cells.")
]
Furniture = Annotated[
    bool, Query(description="Whether a drawn grid map has a frame, a title and its keyed legend.")
]
BINARY: Mapping[str, Any] = {"type": "string", "format": "binary"}
TEXT: Mapping[str, Any] = {"type": "string"}
OBJECT: Mapping[str, Any] = {"type": "object", "additionalProperties": True}


@dataclass(frozen=True, slots=True)
class Export:
    """One path that gives a map out.

    Attributes:
        path: behind the map's own.
        operation: id of the operation.
        summary: for the description.
        format: as the map service calls it.
        media_type: of the content.
        schema: of the content.
    """

    path: str
    operation: str
    summary: str
    format: str
    media_type: str
    schema: Mapping[str, Any]


PICTURES = (
    Export("map.svg", "getMapSvg", "Read a map's picture", "svg", "image/svg+xml", TEXT),
    Export("map.png", "getMapPng", "Read a map's picture as PNG", "png", "image/png", BINARY),
    Export("map.webp", "getMapWebp", "Read a map's picture as WebP", "webp", "image/webp", BINARY),
    Export("map.uvtt", "exportMapUvtt", "Export a map to Universal VTT", "uvtt", "application/json", OBJECT),
)
EXPORTS = (
    Export("map.json", "getMapJson", "Read a map's own file", "json", "application/json", OBJECT),
    Export(
        "map.lines.uvtt",
        "exportMapUvttLines",
        "Export a map to Universal VTT, without its picture",
        "uvtt-lines",
        "application/json",
        OBJECT,
    ),
    Export(
        "map.foundry-v13.json",
        "exportMapFoundry13",
        "Export a map to Foundry VTT 13",
        "foundry-v13",
        "application/json",
        OBJECT,
    ),
    Export(
        "map.foundry-v14.json",
        "exportMapFoundry14",
        "Export a map to Foundry VTT 14",
        "foundry-v14",
        "application/json",
        OBJECT,
    ),
    Export(
        "map.foundry-journal.json",
        "exportMapFoundryJournal",
        "Export a map's notes as a journal of Foundry VTT",
        "foundry-journal",
        "application/json",
        OBJECT,
    ),
    Export(
        "map.terrain.png",
        "exportMapTiledTerrain",
        "Export the tiles of a map for Tiled",
        "tiled-terrain",
        "image/png",
        BINARY,
    ),
    Export("map.tmj", "exportMapTiled", "Export a map to Tiled", "tiled", "application/json", OBJECT),
    Export(
        "map.owlbear.json",
        "exportMapOwlbear",
        "Export a map to Owlbear Rodeo",
        "owlbear",
        "application/json",
        OBJECT,
    ),
    Export(
        "map.geojson",
        "exportMapGeojson",
        "Export a map as GeoJSON",
        "geojson",
        "application/geo+json",
        OBJECT,
    ),
)


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths; they come before those of single maps, which would take `import` for an id."""
    router = APIRouter(tags=["maps"])
    _add_import(router, door, graphs)
    for export in PICTURES:
        _add_picture(router, door, graphs, export)
    for export in EXPORTS:
        _add_export(router, door, graphs, export)
    _add_small(router, door, graphs)
    return router


async def _given(
    request: Request, viewer: Viewer, graphs: Subgraphs, map_id: str, export: Export, **query: Any
) -> Response:
    require(viewer, "read")
    content, etag = await graphs.file(
        viewer,
        "map",
        "map",
        "maps",
        map_id,
        "outputs",
        export.format,
        held=request.headers.get("if-none-match"),
        query=query,
        seconds=SECONDS,
    )
    policy = {"content-security-policy": SVG_POLICY} if export.format == "svg" else {}
    return tagged(request, content, export.media_type, cache=REVALIDATE, etag=etag, headers=policy)


def _add_picture(router: APIRouter, door: Doorkeeper, graphs: Subgraphs, export: Export) -> None:
    @router.get(
        f"/v1/maps/{{map_id}}/{export.path}",
        operation_id=export.operation,
        summary=export.summary,
        responses=reading(
            dict(export.schema), 404, 422, description="The file.", media_type=export.media_type
        ),
    )
    async def picture(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(DRAW))],
        map_id: MapId,
        px: Pixels = None,
        style: StyleName = None,
        grid: GridLines = True,
        legend: Furniture = True,
        view: View = None,
    ) -> Response:
        """Drawn when it is asked for, as you may know the map now."""
        return await _given(
            request, viewer, graphs, map_id, export, px=px, style=style, grid=grid, legend=legend, view=view
        )


def _add_export(router: APIRouter, door: Doorkeeper, graphs: Subgraphs, export: Export) -> None:
    @router.get(
        f"/v1/maps/{{map_id}}/{export.path}",
        operation_id=export.operation,
        summary=export.summary,
        responses=reading(
            dict(export.schema), 404, 422, description="The file.", media_type=export.media_type
        ),
    )
    async def file(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(FILE))],
        map_id: MapId,
        px: Pixels = None,
        view: View = None,
    ) -> Response:
        """The map as you may know it now, with doors and lights as they are."""
        return await _given(request, viewer, graphs, map_id, export, px=px, view=view)


def _add_small(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/maps/{map_id}/thumbnail.webp",
        operation_id="getMapThumbnail",
        summary="Read a map's thumbnail",
        responses=reading(dict(BINARY), 404, 422, description="The picture.", media_type="image/webp"),
    )
    async def thumbnail(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(DRAW))],
        map_id: MapId,
        size: Annotated[int, Query(ge=64, le=512, description="Pixels along the longer side.")] = 256,
        view: View = None,
    ) -> Response:
        """A small picture for lists."""
        return await _given(request, viewer, graphs, map_id, PICTURES[2], size=size, view=view)

    @router.get(
        "/v1/maps/{map_id}/tiles/{z}/{x}/{y}.png",
        operation_id="getMapTile",
        summary="Read a tile of a map",
        responses=reading(dict(BINARY), 404, 422, description="256 by 256 pixels.", media_type="image/png"),
    )
    async def tile(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(FILE))],
        map_id: MapId,
        z: Annotated[int, Path(ge=0, le=30, description="Zoom; 0 shows the whole map in one tile.")],
        x: Annotated[int, Path(ge=0, le=1_000_000, description="Column.")],
        y: Annotated[int, Path(ge=0, le=1_000_000, description="Row.")],
        px: Pixels = None,
        style: StyleName = None,
        view: View = None,
    ) -> Response:
        """A large picture in pieces, as map viewers ask for them."""
        return await _given(
            request, viewer, graphs, map_id, PICTURES[1], z=z, x=x, y=y, px=px, style=style, view=view
        )


def _add_import(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/v1/maps/import",
        operation_id="importMap",
        summary="Bring a map along",
        status_code=201,
        responses=changing(Map, 404, 409, description="The map is kept.", located=True),
        openapi_extra={
            "requestBody": {
                "required": True,
                "description": "The file, up to 64 MiB.",
                "content": {
                    "application/json": {"schema": dict(OBJECT)},
                    "application/octet-stream": {"schema": dict(BINARY)},
                },
            }
        },
    )
    async def bring(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(UPLOAD))],
        title: Annotated[str | None, Query(max_length=80, description="Name of the map.")] = None,
        campaign: Annotated[
            str | None, Query(max_length=40, description="For which campaign, if any.")
        ] = None,
        sharing: Annotated[Sharing | None, Query(description="What its players see of the map.")] = None,
        key: IdempotencyKey = None,
    ) -> Response:
        """Keep the map of a Universal VTT file (`.dd2vtt`, `.uvtt`), or of a map file of this house."""
        require(viewer, "write")
        query = {"title": title, "campaign": campaign, "sharing": sharing, "key": key}
        brought = await graphs.upload(
            viewer,
            "map",
            "maps",
            "import",
            content=await request.body(),
            query={name: value for name, value in query.items() if value is not None},
        )
        found = await graphs.read(viewer, "map.map", "map", id=brought["id"])
        return made(found, location=f"/v1/maps/{brought['id']}")
