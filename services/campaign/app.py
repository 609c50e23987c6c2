"""Puts the campaign service together."""

from functools import partial

from starlette.types import ASGIApp

from services.campaign.context import CampaignUseCases
from services.campaign.internal import internal_routes
from services.campaign.log.service import LogService
from services.campaign.membership.erasure import Erasure
from services.campaign.membership.invitations import Invitations
from services.campaign.membership.members import Members
from services.campaign.membership.seats import Seats
from services.campaign.membership.service import CampaignService
from services.campaign.membership.succession import Succession
from services.campaign.metadata.service import TableMetadata
from services.campaign.scenes.assembly import scene_parts
from services.campaign.scenes.games import games
from services.campaign.schema import SCHEMA
from services.campaign.simulations.drawing import SimulationDrawing
from services.campaign.simulations.service import SimulationService
from services.campaign.tables import BAGS, CURSORS, OUTBOX
from services.shared.job_messages import JobMessages
from services.shared.knowing import workers_knowing
from services.shared.metadata.service import MetadataService
from services.shared.parts import assemble
from services.shared.quotas import TableQuotas
from services.shared.reckoning import Reckoner
from services.shared.settings import CampaignSettings


def create_app(settings: CampaignSettings) -> ASGIApp:
    """Build the campaign service's ASGI application."""
    parts = assemble("campaign", settings, OUTBOX)
    database, clock, wakes, known = parts.database, parts.clock, parts.wakes, games()
    accounts, characters, dice, maps = peers = parts.peers("account", "character", "dice", "map")
    quotas, messages = TableQuotas.of(settings), JobMessages(settings)
    workers = workers_knowing(games, loaded=["services.rules.engine.loaded"], name="games")
    reckoner = Reckoner(known, parts.meter, workers)
    scenes = scene_parts(parts, settings.public_url.rstrip("/"), characters, dice, maps, known, reckoner)
    simulations = SimulationService(database, clock, known, characters, maps, reckoner, wakes, messages.send)
    campaigns, invitations = CampaignService(database, clock, quotas), Invitations(database, clock, quotas)
    seats, log = Seats(database, clock, characters, known, quotas), LogService(database, clock, wakes)
    tables = campaigns, invitations, Members(database, clock, known), Succession(database, clock), seats, log
    drawing, metadata = SimulationDrawing(simulations, reckoner), MetadataService(database, clock, BAGS)
    use_cases = CampaignUseCases(*tables, scenes.service, simulations, drawing, TableMetadata(metadata))
    listen = partial(parts.reader, CURSORS)
    things = listen(characters, seats.handlers), listen(dice, log.handlers)
    places = listen(maps, log.handlers, scenes.deletion.handlers)
    return parts.app(
        [*parts.graphql_routes(SCHEMA, use_cases), *internal_routes(parts.signer, use_cases)],
        background=[scenes.timekeeper.run, reckoner.keep_warm, campaigns.remove_deleted],
        consumers=[*things, places, listen(accounts, Erasure(clock, known).handlers)],
        closing=[reckoner.close, messages.close, *(peer.close for peer in peers)],
    )
