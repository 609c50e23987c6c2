"""The portraits of characters, for other services: ``/internal/characters/{character}/portrait``, and
``/internal/portraits`` for several."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.character.building.models import CharacterRow
from services.character.portraits.keys import SIZES
from services.character.portraits.service import PortraitService
from services.shared.app import internal
from services.shared.auth import Signer, Viewer
from services.shared.problems import InvalidInput, NotFound, Problem, Unavailable

MOST_VERSIONS = 100
"""Characters whose portraits are told of at once."""


def portrait_routes(portraits: PortraitService, signer: Signer) -> list[Route]:
    """Make the paths: what is sent is set, ``removal`` removes, and reading takes ``size`` and ``format``.

    ``/internal/portraits?characters=`` tells the versions of several, whose ids are parted by commas.
    """

    async def read(request: Request, viewer: Viewer) -> Response:
        query = request.query_params
        name = f"{query.get('size', SIZES[-1])}.{query.get('format', 'webp')}"
        held = request.headers.get("if-none-match")
        linked = query.get("redirect") == "true"
        found = await portraits.read(viewer, request.path_params["character"], name, held, linked=linked)
        if found is None:
            return JSONResponse({"code": "NOT_FOUND", "message": "There is no such portrait."}, 404)
        headers = {"ETag": f'"{found.tag}"'}
        if found.link is not None:
            return Response(None, 307, {**headers, "Location": found.link})
        if found.content is None:
            return Response(None, 304, headers)
        return Response(found.content, 200, headers, f"image/{name.rpartition('.')[2]}")

    async def put(request: Request, viewer: Viewer) -> Response:
        content = await request.body()
        try:
            return _told(await portraits.put(viewer, request.path_params["character"], content))
        except Problem as problem:
            return _refused(problem)

    async def remove(request: Request, viewer: Viewer) -> Response:
        try:
            return _told(await portraits.remove(viewer, request.path_params["character"]))
        except Problem as problem:
            return _refused(problem)

    async def versions(request: Request, viewer: Viewer) -> Response:
        asked = request.query_params.get("characters", "").split(",")[:MOST_VERSIONS]
        return JSONResponse({"portraits": await portraits.versions(viewer, asked)})

    path = "/internal/characters/{character}/portrait"
    return [
        Route("/internal/portraits", internal(signer, versions)),
        Route(path, internal(signer, read)),
        Route(path, internal(signer, put), methods=["POST"]),
        Route(f"{path}/removal", internal(signer, remove), methods=["POST"]),
    ]


def _told(row: CharacterRow) -> Response:
    return JSONResponse({"id": row.id, "portrait": row.portrait})


def _refused(problem: Problem) -> Response:
    if isinstance(problem, Unavailable):
        raise problem
    body: dict[str, Any] = {"code": problem.code, "message": problem.message, "path": problem.path}
    if isinstance(problem, InvalidInput):
        body["issues"] = [
            {
                "code": issue.code,
                "message": issue.message,
                "path": issue.path,
                "found": issue.found,
                "allowed": issue.allowed,
            }
            for issue in problem.issues
        ]
    return JSONResponse(body, 404 if isinstance(problem, NotFound) else 422)
