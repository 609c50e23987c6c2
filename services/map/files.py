"""The files of maps and batches, for the gateway: ``/internal/maps/...``, ``/internal/batches/...``."""

import asyncio
import hashlib
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from services.map.batches import Batches
from services.map.formats import FORMATS, Audience, OutputRequest
from services.map.importing import Importing
from services.map.play.state import Extent, FogMode
from services.map.ranges import ZIP, archived
from services.map.requests import ImportMap
from services.map.scene_site import site_document
from services.map.service import MapService
from services.map.showing import Showing, Shown
from services.shared.app import internal
from services.shared.auth import Signer, Viewer
from services.shared.idempotency import checked_key
from services.shared.map_extent import EXTENT_HEADER
from services.shared.problems import InvalidInput, Problem, Unavailable

BATCH_FILES = {"maps.zip": ZIP, "maps.ndjson": "application/x-ndjson"}


def file_routes(
    signer: Signer, maps: MapService, showing: Showing, batches: Batches, importing: Importing
) -> list[BaseRoute]:
    """Make the paths."""

    async def file(request: Request, viewer: Viewer) -> Response:
        found = await maps.file(viewer, request.path_params["map"], request.path_params["name"])
        if found is None:
            return _not_found("file")
        return Response(found.content, media_type=found.content_type, headers={"ETag": f'"{found.sha256}"'})

    async def output(request: Request, viewer: Viewer) -> Response:
        wanted = _wanted(request.path_params["format"], request.query_params)
        held = request.headers.get("if-none-match")
        try:
            linked = request.query_params.get("redirect") == "true"
            found = await showing.output(viewer, request.path_params["map"], wanted, held, linked=linked)
        except Problem as problem:
            return _refused(problem)
        match found:
            case Shown(tag=tag, extent=extent, link=str(link)):
                told = {"ETag": f'"{tag}"', EXTENT_HEADER: _told(extent), "Location": link}
                return Response(None, 307, told)
            case Shown(None, _, tag, extent):
                return Response(None, 304, {"ETag": f'"{tag}"', EXTENT_HEADER: _told(extent)})
            case Shown(content, content_type, tag, extent):
                headers = {"ETag": f'"{tag}"', EXTENT_HEADER: _told(extent)}
                return Response(content, 200, headers, content_type)
            case None:
                return _not_found("map")

    async def site(request: Request, viewer: Viewer) -> Response:
        look = await maps.map(viewer, request.path_params["map"])
        if look is None or not look.whole:
            return _not_found("map")
        found = await asyncio.to_thread(site_document, look.row.kind, look.board)
        return _not_found("map") if found is None else JSONResponse(found)

    async def batch(request: Request, viewer: Viewer) -> Response:
        name = request.path_params["name"]
        found = await batches.batch(viewer, request.path_params["batch"]) if name in BATCH_FILES else None
        if found is None:
            return _not_found("batch")
        if name == "maps.zip":
            return archived(await batches.archive(found), request.headers)
        after = int(request.query_params.get("after", -1))
        return StreamingResponse(batches.lines(found, after), media_type=BATCH_FILES[name])

    async def batch_file(request: Request, viewer: Viewer) -> Response:
        asked = request.path_params
        found = await batches.batch(viewer, asked["batch"])
        content = None if found is None else await batches.file(found, asked["number"], asked["format"])
        if content is None:
            return _not_found("map")
        tag = hashlib.sha256(content).hexdigest()
        return Response(content, 200, {"ETag": f'"{tag}"'}, FORMATS[asked["format"]].content_type)

    async def bring(request: Request, viewer: Viewer) -> Response:
        query = request.query_params
        asked = ImportMap(
            content=await request.body(),
            title=query.get("title"),
            sharing=FogMode(query["sharing"].lower()) if "sharing" in query else None,
            campaign_id=query.get("campaign"),
        )
        try:
            found = await importing.bring(viewer, asked, checked_key(query.get("key")))
        except Problem as problem:
            return _refused(problem)
        return JSONResponse({"id": found.row.id})

    return [
        Route("/internal/maps/import", internal(signer, bring), methods=["POST"]),
        Route("/internal/maps/{map}/files/{name}", internal(signer, file)),
        Route("/internal/maps/{map}/site", internal(signer, site)),
        Route("/internal/maps/{map}/outputs/{format}", internal(signer, output)),
        Route("/internal/batches/{batch}/maps/{number:int}/{format}", internal(signer, batch_file)),
        Route("/internal/batches/{batch}/{name}", internal(signer, batch)),
    ]


def _wanted(name: str, query: QueryParams) -> OutputRequest:
    """Read what the gateway asks for; it has checked the types."""

    def number(field: str) -> int | None:
        return int(query[field]) if field in query else None

    tile = tuple(int(query[part]) for part in ("z", "x", "y")) if "z" in query else None
    return OutputRequest(
        format=name,
        audience=Audience.PLAYERS if query.get("view") == "players" else Audience.GM,
        pixels=number("px"),
        style=query.get("style"),
        grid=query.get("grid", "true") == "true",
        legend=query.get("legend", "true") == "true",
        tokens=query.get("tokens") == "true",
        longest=number("size"),
        tile=tile if tile is None else (tile[0], tile[1], tile[2]),
    )


def _told(extent: Extent) -> str:
    """Write an extent as a dictionary of RFC 8941."""
    return f"x={extent.x:g}, y={extent.y:g}, width={extent.width:g}, height={extent.height:g}"


def _not_found(what: str) -> Response:
    return JSONResponse({"code": "NOT_FOUND", "message": f"There is no such {what}."}, 404)


def _refused(problem: Problem) -> Response:
    body: dict[str, Any] = {"code": problem.code, "message": problem.message, "path": problem.path}
    if isinstance(problem, InvalidInput):
        body["issues"] = [
            {
                "code": issue.code,
                "message": issue.message,
                "path": issue.path,
                "rule": issue.rule,
                "found": issue.found,
                "allowed": issue.allowed,
            }
            for issue in problem.issues
        ]
    return JSONResponse(body, 503 if isinstance(problem, Unavailable) else 422)
