"""All paths for other services, beside the graph: ``/internal/access/...``, ``/internal/campaigns/...``,
``/internal/scenes/...`` and ``/internal/simulations/...``."""

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from services.campaign.context import CampaignUseCases
from services.campaign.scenes.chronicle import Search
from services.campaign.scenes.chronicle_markdown import chronicle_markdown
from services.shared.access import named_in
from services.shared.app import internal
from services.shared.auth import Signer, Viewer
from services.shared.entity_tags import matches


def internal_routes(signer: Signer, use_cases: CampaignUseCases) -> list[BaseRoute]:
    """Make the paths: who may see what, scenes drawn and chronicles told as their viewer may know them,
    answers as tables.
    """
    campaigns, reader = use_cases.campaigns, use_cases.scenes.reader

    async def access(request: Request, _viewer: Viewer) -> Response:
        named = named_in(request.query_params)
        found = await campaigns.access(request.path_params["account"], *(named or ()))
        return JSONResponse({"roles": found.roles, "characters": found.characters, "past": found.past})

    async def board(request: Request, viewer: Viewer) -> Response:
        scene = request.path_params["scene"]
        look = (await reader.scenes(viewer, [scene])).get(scene)
        drawn = None if look is None else await reader.picture(viewer, look)
        if drawn is None:
            return JSONResponse({"code": "NOT_FOUND", "message": "There is no such picture."}, 404)
        return _tagged(request, drawn, "image/svg+xml")

    async def chronicle(request: Request, viewer: Viewer) -> Response:
        given = request.query_params
        chronicles = use_cases.scenes.chronicles
        look = await chronicles.find(viewer, request.path_params["campaign"], given.get("system", ""))
        if look is None:
            return JSONResponse({"code": "NOT_FOUND", "message": "There is no such chronicle."}, 404)
        entries = await chronicles.entries(look, Search(given.get("text", ""), given.get("about", "")))
        return _tagged(request, chronicle_markdown(look.row.title, entries), "text/markdown")

    async def answer(request: Request, viewer: Viewer) -> Response:
        found = await use_cases.simulations.csv(viewer, request.path_params["simulation"])
        if found is None:
            return JSONResponse({"code": "NOT_FOUND", "message": "There is no such simulation."}, 404)
        return _tagged(request, found, "text/csv")

    return [
        Route("/internal/access/{account}", internal(signer, access)),
        Route("/internal/scenes/{scene}/board.svg", internal(signer, board)),
        Route("/internal/campaigns/{campaign}/chronicle.md", internal(signer, chronicle)),
        Route("/internal/simulations/{simulation}/report.csv", internal(signer, answer)),
    ]


def _tagged(request: Request, text: str, media_type: str) -> Response:
    """Return a text with its entity tag, or that the caller has it already."""
    content = text.encode()
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    if matches(request.headers.get("if-none-match"), tag):
        return Response(None, 304, {"ETag": tag})
    return Response(content, 200, {"ETag": tag}, media_type)
