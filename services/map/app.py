"""Puts the map service together."""

import secrets

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from services.map.generation.realm import MAX_SEED
from services.map.graphql.context import MapUseCases
from services.map.graphql.schema import SCHEMA
from services.map.messages import JobMessages
from services.map.models import OUTBOX
from services.map.service import MapService
from services.shared.access import CampaignAccess
from services.shared.app import internal
from services.shared.auth import Viewer
from services.shared.parts import assemble
from services.shared.settings import Settings
from services.shared.storage import FolderStorage


def create_app(settings: Settings) -> ASGIApp:
    """Build the map service's ASGI application."""
    parts = assemble("map", settings, OUTBOX)
    campaigns, storage, messages = (
        parts.peer("campaign"),
        FolderStorage(settings.files_dir),
        JobMessages(settings),
    )
    service = MapService(
        parts.database,
        parts.clock,
        CampaignAccess(campaigns),
        storage,
        messages.send,
        lambda: secrets.randbelow(MAX_SEED + 1),
    )

    async def file(request: Request, viewer: Viewer) -> Response:
        found = await service.file(viewer, request.path_params["map"], request.path_params["name"])
        if found is None:
            return JSONResponse({"code": "NOT_FOUND", "message": "There is no such file."}, 404)
        return Response(found.content, media_type=found.content_type, headers={"ETag": f'"{found.sha256}"'})

    return parts.app(
        [
            *parts.graphql_routes(SCHEMA, MapUseCases(service, parts.wakes, settings.public_url.rstrip("/"))),
            Route("/internal/maps/{map}/files/{name}", internal(parts.signer, file)),
        ],
        checks={"storage": storage.ping},
        closing=[campaigns.close, messages.close],
    )
