"""Maps, and the jobs that make them: ``/v1/maps``, ``/v1/jobs``."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import FOR_EVER, made, page, shown, tagged
from services.gateway.rest.contract import (
    After,
    Asked,
    First,
    IdempotencyKey,
    Int32,
    Listed,
    Ref,
    Shown,
    changing,
    id_path,
    reading,
    refusals,
)
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import FILE, LIST, LOOK, WRITE, Doorkeeper, require
from services.shared.auth import Viewer

# A map is a picture, also where a browser opens it by itself: it runs nothing and loads nothing.
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
FILES: Mapping[str, tuple[str, str, dict[str, Any]]] = {
    "map.svg": ("image/svg+xml", "getMapSvg", {"type": "string"}),
    "map.json": ("application/json", "getMapJson", {"type": "object", "additionalProperties": True}),
}


class Die(Asked):
    """One dropped die: where it lies, in units east and south of the sheet's north-west corner."""

    sides: Int32
    face: Int32
    x: float
    y: float


class PlaceName(Asked):
    """The name that a place is to have."""

    place: str = Field(description="Id of the place: `citadel`, `city`, `village-1`, `lair`, `forest`, ...")
    name: str = Field(description="1 to 32 characters.")


class ForgebornRealm(Asked):
    """A Forgeborn realm to be made; what is left out is drawn, or as the game has it."""

    seed: str | None = Field(None, description="0 to 2^63 - 1 in decimal digits; the same makes the same.")
    dice: list[Die] | None = Field(
        None, description="The fifteen dice of a real drop instead of a drawn one."
    )
    width: Int32 | None = Field(None, description="Of the sheet, 80 to 200 units.")
    height: Int32 | None = Field(None, description="Of the sheet, 60 to 160 units.")
    dragon_minimum: Int32 | None = Field(None, description="Least Power of the Dragon, 8 to 24.")
    too_far_percent: Int32 | None = Field(
        None, description="Longest unforced Trail, as a share of the sheet's diagonal, 10 to 100."
    )
    title: str | None = Field(None, description="Name of the realm instead of a made one.")
    names: list[PlaceName] | None = Field(None, description="Names of places instead of made ones.")


class NewMap(Asked):
    """A map to be made."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"forgebornRealm": {"seed": "20", "width": 120, "height": 90}}]}
    )

    campaign_id: str | None = Field(None, description="For which campaign, if any.")
    forgeborn_realm: ForgebornRealm


class JobError(Shown):
    """Why a job did not succeed, or what stopped its latest attempt."""

    code: str
    message: str


class Job(Shown):
    """Long work that was asked for."""

    id: str
    kind: str
    state: Literal["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "DEAD"]
    progress: float = Field(description="0 to 1.")
    version: int = Field(description="Grows by one with each change.")
    error: JobError | None
    map: Ref | None = Field(description="The map that came of it.")
    created_at: datetime
    ended_at: datetime | None


class MapFile(Shown):
    """A file of a map; its address never changes, nor does its content."""

    name: str
    url: str
    content_type: str
    bytes: int


class Map(Shown):
    """A finished map; it never changes."""

    id: str
    kind: str
    name: str
    seed: str
    created_at: datetime
    campaign: Ref | None
    files: list[MapFile]


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of maps and jobs."""
    router = APIRouter()
    _add_maps(router, door, graphs)
    for name in FILES:
        _add_file(router, door, graphs, name)
    _add_jobs(router, door, graphs)
    return router


def _add_maps(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/v1/maps",
        operation_id="generateMap",
        summary="Have a map made",
        tags=["maps"],
        status_code=202,
        responses=changing(
            Job, 404, 409, status=202, description="The job is queued; look at `Location`.", located=True
        ),
    )
    async def generate(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewMap, key: IdempotencyKey = None
    ) -> Response:
        """Have a map made, for yourself or (GMs and players) for a campaign. It takes some seconds."""
        given = body.model_dump(by_alias=True, exclude_none=True)
        job = await graphs.change(viewer, "map.generateMap", wrapper="map", idempotencyKey=key, **given)
        return made(job, status=202, location=f"/v1/jobs/{job['id']}")

    @router.get(
        "/v1/maps",
        operation_id="listMaps",
        summary="List maps",
        tags=["maps"],
        responses=reading(Listed[Map], 404, 422, description="A page, newest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        campaign: Annotated[
            str | None, Query(max_length=40, description="The maps of this one; else your own.")
        ] = None,
        first: First = 20,
        after: After = None,
    ) -> Response:
        """The maps of a campaign of yours, or your own that belong to none."""
        found = await graphs.read(
            viewer, "map.maps", "campaign", campaignId=campaign, first=first, after=after
        )
        return shown(request, page(found))

    @router.get(
        "/v1/maps/{map_id}",
        operation_id="getMap",
        summary="Read a map",
        tags=["maps"],
        responses=reading(Map, 404),
    )
    async def one(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LOOK))],
        map_id: Annotated[str, id_path("map", "Id of the map.")],
    ) -> Response:
        """A map of yours or of your campaigns, with the addresses of its files."""
        return shown(request, await graphs.read(viewer, "map.map", "map", id=map_id))


def _add_file(router: APIRouter, door: Doorkeeper, graphs: Subgraphs, name: str) -> None:
    media_type, operation, schema = FILES[name]

    @router.get(
        f"/v1/maps/{{map_id}}/{name}",
        operation_id=operation,
        summary=f"Read {name}",
        tags=["maps"],
        responses=reading(schema, 404, description="The file.", media_type=media_type),
    )
    async def file(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(FILE))],
        map_id: Annotated[str, id_path("map", "Id of the map.")],
    ) -> Response:
        """A file of a map. It never changes: keep it for as long as you like."""
        require(viewer, "read")
        content, etag = await graphs.file(viewer, "map", "file", "maps", map_id, "files", name)
        policy = {"content-security-policy": SVG_POLICY} if name.endswith(".svg") else {}
        return tagged(request, content, media_type, cache=FOR_EVER, etag=etag, headers=policy)


def _add_jobs(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/jobs/{job}",
        operation_id="getJob",
        summary="Look at a job",
        tags=["jobs"],
        responses=reading(Job, 404),
    )
    async def one(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LOOK))],
        job: Annotated[str, id_path("job", "Id of the job.")],
    ) -> Response:
        """How far a job has come, and what came of it."""
        return shown(request, await graphs.read(viewer, "map.job", "job", id=job))

    @router.delete(
        "/v1/jobs/{job}",
        operation_id="cancelJob",
        summary="Cancel a job",
        tags=["jobs"],
        responses={
            200: {"model": Job, "description": "The job as it is now."},
            **refusals(400, 401, 403, 404, 429, 500, 503),
        },
    )
    async def cancel(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        job: Annotated[str, id_path("job", "Id of the job.")],
    ) -> Response:
        """End a job of yours, or as GM any of the campaign; one that has ended stays as it is."""
        return made(await graphs.change(viewer, "map.cancelJob", id=job), status=200)
