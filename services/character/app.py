"""Puts the character service together."""

from starlette.types import ASGIApp

from services.character.building.service import CharacterService
from services.character.context import CharacterUseCases
from services.character.history.scene_events import HANDLED, TakingIn
from services.character.history.service import Undoing
from services.character.internal import internal_routes
from services.character.packs.games import own_games
from services.character.rewards.service import Advancing
from services.character.schema import SCHEMA
from services.character.seats import Seats
from services.character.tables import CURSORS, OUTBOX
from services.rules.engine.registry import systems
from services.shared.access import CampaignAccess
from services.shared.consumer import Consumer
from services.shared.parts import assemble
from services.shared.reckoning import Reckoner, workers_knowing
from services.shared.settings import Settings


def create_app(settings: Settings) -> ASGIApp:
    """Build the character service's ASGI application."""
    parts = assemble("character", settings, OUTBOX)
    campaigns = parts.peer("campaign")
    database, clock, access = parts.database, parts.clock, CampaignAccess(campaigns)
    reckoner = Reckoner(own_games(), parts.meter, workers_knowing(own_games))
    characters = CharacterService(database, clock, access, systems(), reckoner=reckoner)
    use_cases = CharacterUseCases(
        characters=characters,
        advancing=Advancing(database, clock, Seats(access), characters),
        undoing=Undoing(database, clock, Seats(access), characters),
    )
    taking_in = TakingIn(clock, characters.editions)
    return parts.app(
        [*parts.graphql_routes(SCHEMA, use_cases), *internal_routes(characters, parts.signer)],
        consumers=[Consumer(database, CURSORS, parts.redis, campaigns, taking_in, kinds=HANDLED)],
        background=[reckoner.keep_warm],
        closing=[reckoner.close, campaigns.close],
    )
