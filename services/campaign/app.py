"""Puts the campaign service together."""

from sqlmodel.ext.asyncio.session import AsyncSession
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from services.campaign.graphql.context import CampaignUseCases, SceneUseCases
from services.campaign.graphql.schema import SCHEMA
from services.campaign.models import CURSORS, OUTBOX
from services.campaign.repository import Campaigns
from services.campaign.scenes.playing import Playing
from services.campaign.scenes.reading import Reading
from services.campaign.scenes.starting import Starting
from services.campaign.scenes.watching import Watching
from services.campaign.service import CampaignService
from services.campaign.table import Table
from services.rules.engine.registry import systems
from services.shared.app import internal
from services.shared.auth import Viewer
from services.shared.consumer import Consumer
from services.shared.outbox import Event
from services.shared.parts import assemble
from services.shared.settings import Settings


def create_app(settings: Settings) -> ASGIApp:
    """Build the campaign service's ASGI application."""
    parts = assemble("campaign", settings, OUTBOX)
    database, clock = parts.database, parts.clock
    characters, dice = parts.peer("character"), parts.peer("dice")
    maps = parts.peer("map")
    peers = (characters, dice, maps)
    campaigns = CampaignService(database, clock)
    table = Table(database, clock, characters)
    playing = Playing(database, clock, dice, systems())
    reading = Reading(database, playing, systems())
    watching = Watching(reading, parts.wakes)
    scenes = SceneUseCases(Starting(database, clock, characters, maps, systems()), playing, reading, watching)

    async def access(request: Request, _viewer: Viewer) -> Response:
        roles, seated = await campaigns.access(request.path_params["account"])
        return JSONResponse({"roles": roles, "characters": seated})

    async def record(session: AsyncSession, event: Event) -> None:
        await campaigns.record(Campaigns(session), event)

    return parts.app(
        [
            *parts.graphql_routes(SCHEMA, CampaignUseCases(campaigns, table, scenes, parts.wakes)),
            Route("/internal/access/{account}", internal(parts.signer, access)),
        ],
        consumers=[Consumer(database, CURSORS, parts.redis, peer, record) for peer in peers],
        closing=[peer.close for peer in peers],
    )
