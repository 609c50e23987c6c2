"""Puts the campaign service together."""

from sqlmodel.ext.asyncio.session import AsyncSession
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from services.campaign.graphql.context import CampaignUseCases
from services.campaign.graphql.schema import SCHEMA
from services.campaign.models import CURSORS, OUTBOX
from services.campaign.repository import Campaigns
from services.campaign.service import CampaignService
from services.campaign.table import Table
from services.shared.app import internal
from services.shared.auth import Viewer
from services.shared.consumer import Consumer
from services.shared.outbox import Event
from services.shared.parts import assemble
from services.shared.settings import Settings


def create_app(settings: Settings) -> ASGIApp:
    """Build the campaign service's ASGI application."""
    parts = assemble("campaign", settings, OUTBOX)
    characters = parts.peer("character")
    peers = (characters, parts.peer("dice"), parts.peer("map"))
    campaigns = CampaignService(parts.database, parts.clock)
    table = Table(parts.database, parts.clock, characters)

    async def access(request: Request, _viewer: Viewer) -> Response:
        roles, seated = await campaigns.access(request.path_params["account"])
        return JSONResponse({"roles": roles, "characters": seated})

    async def record(session: AsyncSession, event: Event) -> None:
        await campaigns.record(Campaigns(session), event)

    return parts.app(
        [
            *parts.graphql_routes(SCHEMA, CampaignUseCases(campaigns, table, parts.wakes)),
            Route("/internal/access/{account}", internal(parts.signer, access)),
        ],
        consumers=[Consumer(parts.database, CURSORS, parts.redis, peer, record) for peer in peers],
        closing=[peer.close for peer in peers],
    )
