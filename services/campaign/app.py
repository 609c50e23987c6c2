"""Puts the campaign service together."""

import secrets
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
from services.campaign.scenes.clock import Timekeeper
from services.campaign.scenes.deletion import SceneDeletion
from services.campaign.scenes.feed import SceneFeed
from services.campaign.scenes.games import games
from services.campaign.scenes.moves import Moves
from services.campaign.scenes.reader import SceneReader
from services.campaign.scenes.service import SceneService
from services.campaign.scenes.start import SceneStart
from services.campaign.schema import SCHEMA
from services.campaign.simulations.service import SimulationService
from services.campaign.tables import CURSORS, OUTBOX
from services.shared.job_messages import JobMessages
from services.shared.knowing import workers_knowing
from services.shared.parts import assemble
from services.shared.reckoning import Reckoner
from services.shared.settings import CampaignSettings


def create_app(settings: CampaignSettings) -> ASGIApp:
    """Build the campaign service's ASGI application."""
    parts = assemble("campaign", settings, OUTBOX)
    database, clock, wakes, known = parts.database, parts.clock, parts.wakes, games()
    accounts, characters, dice, maps = peers = parts.peers("account", "character", "dice", "map")
    reckoner = Reckoner(known, parts.meter, workers_knowing(games, loaded=["services.rules.engine.loaded"]))
    moves = Moves(database, clock, dice, known, secrets.randbelow, reckoner)
    reader, deletion = SceneReader(database, moves, known), SceneDeletion(database, clock, known, moves)
    start, feed = SceneStart(database, clock, characters, maps, known), SceneFeed(reader, wakes)
    scenes = SceneService(known, start, moves, reader, feed, deletion, settings.public_url.rstrip("/"))
    campaigns, invitations = CampaignService(database, clock), Invitations(database, clock)
    messages, members = JobMessages(settings), Members(database, clock, known)
    simulations = SimulationService(database, clock, known, characters, maps, reckoner, wakes, messages.send)
    seats, log = Seats(database, clock, characters, known), LogService(database, clock, wakes)
    use_cases = CampaignUseCases(campaigns, invitations, members, seats, log, scenes, simulations)
    timekeeper = Timekeeper(database, clock, moves, known)
    database.after_commit.append(timekeeper.poke)
    listen = partial(parts.reader, CURSORS)
    things = listen(characters, seats.handlers), listen(dice, log.handlers)
    places = listen(maps, log.handlers, deletion.handlers), listen(accounts, Erasure(clock, known).handlers)
    return parts.app(
        [*parts.graphql_routes(SCHEMA, use_cases), *internal_routes(parts.signer, use_cases)],
        background=[timekeeper.run, reckoner.keep_warm],
        consumers=[*things, *places],
        closing=[reckoner.close, messages.close, *(peer.close for peer in peers)],
    )
