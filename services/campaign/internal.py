"""All paths for other services, beside the graph: ``/internal/access/...``, ``/internal/campaigns/...``,
``/internal/scenes/...`` and ``/internal/simulations/...``."""

from collections.abc import Awaitable, Callable
from dataclasses import astuple
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from services.campaign.context import CampaignUseCases
from services.campaign.scenes.chronicle import Search
from services.campaign.scenes.chronicle_markdown import chronicle_markdown
from services.campaign.scenes.participant import Participant
from services.shared.access import named_in
from services.shared.app import internal
from services.shared.auth import Signer, Viewer
from services.shared.entity_tags import RememberedTags, matches, tag_of


def internal_routes(signer: Signer, use_cases: CampaignUseCases) -> list[BaseRoute]:
    """Make the paths: who may see what, scenes drawn and chronicles told as their viewer may know them,
    answers as tables.
    """
    campaigns, reader = use_cases.campaigns, use_cases.scenes.reader
    tags = RememberedTags()

    async def answered(
        request: Request, source: list[Any], make: Callable[[], Awaitable[str]], media_type: str
    ) -> Response:
        """Return a text with its entity tag, or that the caller has it already; see ``RememberedTags``."""
        known = request.headers.get("if-none-match")
        if (same := tags.matched(known, source)) is not None:
            return Response(None, 304, {"ETag": same})
        content = (await make()).encode()
        tag = tag_of(content)
        tags.keep(source, tag)
        if matches(known, tag):
            return Response(None, 304, {"ETag": tag})
        return Response(content, 200, {"ETag": tag}, media_type)

    async def access(request: Request, _viewer: Viewer) -> Response:
        named = named_in(request.query_params)
        found = await campaigns.access(request.path_params["account"], *(named or ()))
        return JSONResponse({"roles": found.roles, "characters": found.characters, "past": found.past})

    async def board(request: Request, viewer: Viewer) -> Response:
        scene = request.path_params["scene"]
        look = (await reader.scenes(viewer, [scene])).get(scene)
        if look is None or not look.pictured or look.state is None:
            return JSONResponse({"code": "NOT_FOUND", "message": "There is no such picture."}, 404)
        portraits = await reader.portraits(viewer, look)
        source = ["board", scene, look.documents.hash, *_eyes(look.who), portraits]
        return await answered(request, source, lambda: reader.picture(look, portraits), "image/svg+xml")

    async def chronicle(request: Request, viewer: Viewer) -> Response:
        given = request.query_params
        chronicles = use_cases.scenes.chronicles
        look = await chronicles.find(viewer, request.path_params["campaign"], given.get("system", ""))
        if look is None:
            return JSONResponse({"code": "NOT_FOUND", "message": "There is no such chronicle."}, 404)
        search = Search(given.get("text", ""), given.get("about", ""))

        async def markdown() -> str:
            return chronicle_markdown(look.row.title, await chronicles.entries(look, search))

        row, who = look.row, look.who
        # Each move counts, whoever knows of it, and so does each that is taken back.
        source = ["chronicle", row.id, row.number, row.title, who.account, *_eyes(who), *astuple(search)]
        return await answered(request, source, markdown, "text/markdown")

    async def answer(request: Request, viewer: Viewer) -> Response:
        simulations = use_cases.simulations
        found = await simulations.simulation(viewer, request.path_params["simulation"])
        report = None if found is None else found.row.report
        if report is None:
            return JSONResponse({"code": "NOT_FOUND", "message": "There is no such simulation."}, 404)
        return await answered(request, ["csv", report], lambda: simulations.csv(viewer, report), "text/csv")

    return [
        Route("/internal/access/{account}", internal(signer, access)),
        Route("/internal/scenes/{scene}/board.svg", internal(signer, board)),
        Route("/internal/campaigns/{campaign}/chronicle.md", internal(signer, chronicle)),
        Route("/internal/simulations/{simulation}/report.csv", internal(signer, answer)),
    ]


def _eyes(who: Participant) -> tuple[bool, list[str]]:
    """What decides what a member may know of a scene, in values of JSON."""
    return who.eyes.gm, sorted(who.eyes.actors)
