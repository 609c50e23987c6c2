"""What the character service answers to other services."""

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from services.character.context import CharacterUseCases
from services.shared.app import internal
from services.shared.auth import Signer, Viewer


def internal_routes(use_cases: CharacterUseCases, signer: Signer) -> list[Route]:
    """Make the ``/internal`` paths: whose a character is, its sheet as a viewer may see it, and
    the packs of a campaign.

    The sheet comes as its codec reads it, alone or with what it is built from, as it is published, or as the
    numbers in it that dice notation can name.
    """

    async def character(request: Request, _viewer: Viewer) -> Response:
        row = await use_cases.characters.existing(request.path_params["character"])
        if row is None:
            return _absent()
        return JSONResponse({"id": row.id, "owner": row.owner, "name": row.name, "system": row.system})

    async def packs(request: Request, viewer: Viewer) -> Response:
        given = request.path_params
        return Response(
            orjson.dumps(await use_cases.packs.shared(viewer, given["campaign"], given["system"])),
            media_type="application/json",
        )

    async def sheet(request: Request, viewer: Viewer) -> Response:
        found = await use_cases.sheets.stored_of(viewer, request.path_params["character"])
        return _absent() if found is None else _document(found)

    async def build(request: Request, viewer: Viewer) -> Response:
        given = request.path_params
        without = given.get("scenes", "").split(",")
        found = await use_cases.sheets.build_of(viewer, given["character"], without)
        return _absent() if found is None else _document(found)

    async def published(request: Request, viewer: Viewer) -> Response:
        held = request.headers.get("if-none-match")
        found = await use_cases.sheets.document_of(viewer, request.path_params["character"], held)
        if found is None:
            return _absent()
        headers = {"ETag": found.etag}
        if found.document is None:
            return Response(None, 304, headers)
        return _document(found.document, headers)

    async def variables(request: Request, viewer: Viewer) -> Response:
        found = await use_cases.sheets.variables_of(viewer, request.path_params["character"])
        return _absent() if found is None else JSONResponse(found)

    return [
        Route("/internal/campaigns/{campaign}/packs/{system}", internal(signer, packs)),
        Route("/internal/characters/{character}", internal(signer, character)),
        Route("/internal/characters/{character}/build", internal(signer, build)),
        Route("/internal/characters/{character}/build/without/{scenes}", internal(signer, build)),
        Route("/internal/characters/{character}/sheet", internal(signer, sheet)),
        Route("/internal/characters/{character}/sheet/published", internal(signer, published)),
        Route("/internal/characters/{character}/variables", internal(signer, variables)),
    ]


def _document(document: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    return Response(orjson.dumps(dict(document)), media_type="application/json", headers=headers)


def _absent() -> Response:
    return JSONResponse({"code": "NOT_FOUND", "message": "There is no such character."}, 404)
