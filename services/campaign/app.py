"""Puts the campaign service together."""

import secrets

from starlette.types import ASGIApp

from services.campaign.graphql.context import CampaignUseCases, SceneUseCases
from services.campaign.graphql.schema import SCHEMA
from services.campaign.models import CURSORS, OUTBOX
from services.campaign.paths import internal_routes
from services.campaign.scenes.games import games
from services.campaign.scenes.playing import Playing
from services.campaign.scenes.reading import Reading
from services.campaign.scenes.starting import Starting
from services.campaign.scenes.timekeeping import Timekeeper
from services.campaign.scenes.watching import Watching
from services.campaign.service import RECORDED, CampaignService
from services.campaign.table import Table
from services.shared.consumer import Consumer
from services.shared.parts import assemble
from services.shared.reckoning import Reckoner, workers_knowing
from services.shared.settings import CampaignSettings


def create_app(settings: CampaignSettings) -> ASGIApp:
    """Build the campaign service's ASGI application."""
    parts = assemble("campaign", settings, OUTBOX)
    database, clock = parts.database, parts.clock
    characters, dice = parts.peer("character"), parts.peer("dice")
    maps = parts.peer("map")
    peers = (characters, dice, maps)
    campaigns = CampaignService(database, clock, games())
    table = Table(database, clock, characters, games())
    reckoner = Reckoner(games(), parts.meter, workers_knowing(games))
    playing = Playing(database, clock, dice, games(), secrets.randbelow, reckoner)
    reading = Reading(database, playing, games())
    watching = Watching(reading, parts.wakes)
    starting = Starting(database, clock, characters, maps, games())
    scenes = SceneUseCases(starting, playing, reading, watching, settings.public_url.rstrip("/"))
    timekeeper = Timekeeper(database, clock, playing, games())
    database.after_commit.append(timekeeper.poke)

    return parts.app(
        [
            *parts.graphql_routes(SCHEMA, CampaignUseCases(campaigns, table, scenes, parts.wakes)),
            *internal_routes(parts.signer, campaigns, reading),
        ],
        background=[timekeeper.run, reckoner.keep_warm],
        consumers=[
            Consumer(database, CURSORS, parts.redis, peer, campaigns.record, kinds=RECORDED) for peer in peers
        ],
        closing=[reckoner.close, *(peer.close for peer in peers)],
    )
