"""Maps, and the jobs that make them: ``/v1/maps``, ``/v1/jobs``."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import made, page, shown
from services.gateway.rest.contract import (
    After,
    First,
    IdempotencyKey,
    Listed,
    changing,
    id_path,
    reading,
    refusals,
)
from services.gateway.rest.map_kinds import member
from services.gateway.rest.map_shapes import (
    Edited,
    Job,
    Map,
    MapEdit,
    MapKinds,
    MapLine,
    MapState,
    MapUndo,
    NewMap,
    Wanted,
)
from services.gateway.rest.problems import Refusal
from services.gateway.rest.subgraphs import Subgraphs, Wrapper
from services.gateway.rest.visitor import LIST, LOOK, WRITE, Doorkeeper, paged
from services.shared.auth import Viewer

MapId = Annotated[str, id_path("map", "Id of the map.")]


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of maps and jobs."""
    router = APIRouter()
    _add_maps(router, door, graphs)
    _add_table(router, door, graphs)
    _add_jobs(router, door, graphs)
    return router


def wish(wanted: Wanted) -> tuple[dict[str, Any], Wrapper]:
    """Read what a map is to be: the graph's form of it, and how problems with it are told.

    Raises:
        Refusal: nothing is named, or more than one thing.
    """
    if (wanted.forgeborn_realm is None) == (wanted.kind is None):
        message = "Name either `forgebornRealm` or `kind`."
        issue = {"code": "KIND_MISSING", "message": message, "path": ["kind"]}
        raise Refusal("INVALID_INPUT", message, path=["kind"], issues=[issue])
    if wanted.forgeborn_realm is not None:
        realm = wanted.forgeborn_realm.model_dump(by_alias=True, exclude_none=True)
        return {"forgebornRealm": realm}, "map"
    kind = member(str(wanted.kind))
    return {kind: wanted.parameters or {}}, (("map", kind), ("parameters",))


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
        """Have a map made, for yourself or (GMs and players) for a campaign. It takes some seconds.

        It costs the points of the processor time that a map of its kind and size takes (`points`), beside the
        price of the request. `QUOTA_EXCEEDED` among the issues names the quota of yours that is used up.
        """
        wanted, wrapper = wish(body)
        given = {
            "map": wanted,
            "seed": body.seed,
            "campaignId": body.campaign_id,
            "sharing": body.sharing,
            "idempotencyKey": key,
        }
        job = await graphs.change(viewer, "map.generateMap", wrapper=wrapper, input=_without_none(given))
        return made(job, status=202, location=f"/v1/jobs/{job['id']}")

    @router.get(
        "/v1/maps",
        operation_id="listMaps",
        summary="List maps",
        tags=["maps"],
        responses=reading(Listed[MapLine], 404, 422, description="A page, newest first."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
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
        "/v1/maps/kinds",
        operation_id="listMapKinds",
        summary="List the kinds of maps",
        tags=["maps"],
        responses=reading(MapKinds),
    )
    async def kinds(request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LIST))]) -> Response:
        """The kinds of maps that can be made, their formats, and a JSON Schema of their parameters."""
        return shown(request, {"items": await graphs.read(viewer, "map.mapKinds", "kind")})

    @router.get(
        "/v1/maps/{map_id}",
        operation_id="getMap",
        summary="Read a map",
        tags=["maps"],
        responses=reading(Map, 404),
    )
    async def one(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], map_id: MapId
    ) -> Response:
        """A map of yours or of your campaigns, with the addresses of its files, pictures and exports."""
        return shown(request, await graphs.read(viewer, "map.map", "map", id=map_id))


def _add_table(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/v1/maps/{map_id}/play",
        operation_id="getMapPlay",
        summary="Look at what lies on a map",
        tags=["maps"],
        responses=reading(MapState, 404),
    )
    async def play(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LIST))], map_id: MapId
    ) -> Response:
        """Tokens, markers, notes, doors, drawings and the fog, as far as you may know."""
        return shown(request, await graphs.read(viewer, "map.mapPlay", "map", id=map_id))

    @router.post(
        "/v1/maps/{map_id}/edits",
        operation_id="editMap",
        summary="Do something on a map",
        tags=["maps"],
        responses=changing(Edited, 404, 409, description="It is done."),
        status_code=201,
    )
    async def edit(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        map_id: MapId,
        body: MapEdit,
        key: IdempotencyKey = None,
    ) -> Response:
        """Move a token, open a door, lift the fog, draw: GMs may do all, players what is theirs."""
        given = {"mapId": map_id, "edit": body.edit, "revision": body.revision, "idempotencyKey": key}
        return made(await graphs.change(viewer, "map.editMap", input=_without_none(given)))

    @router.post(
        "/v1/maps/{map_id}/undo",
        operation_id="undoMapEdit",
        summary="Take an edit back",
        tags=["maps"],
        responses=changing(Edited, 404, 409, description="It is taken back."),
        status_code=201,
    )
    async def undo(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        map_id: MapId,
        body: MapUndo,
        key: IdempotencyKey = None,
    ) -> Response:
        """Take back the last edit that stands, or another one that nothing has changed since (GM)."""
        given = {"mapId": map_id, "number": body.number, "idempotencyKey": key}
        return made(await graphs.change(viewer, "map.undoMapEdit", input=_without_none(given)))


def _without_none(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


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
        return made(await graphs.change(viewer, "map.cancelJob", input={"id": job}), status=200)
