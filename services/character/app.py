"""Puts the character service together."""

from starlette.types import ASGIApp

from services.character.advancing import Advancing
from services.character.graphql.context import CharacterUseCases
from services.character.graphql.schema import SCHEMA
from services.character.internal import internal_routes
from services.character.models import CURSORS, OUTBOX
from services.character.seats import Seats
from services.character.service import CharacterService
from services.character.taking_in import HANDLED, TakingIn
from services.character.tasks import own_games
from services.character.undoing import Undoing
from services.rules.engine.registry import systems
from services.shared.access import CampaignAccess
from services.shared.consumer import Consumer
from services.shared.parts import assemble
from services.shared.reckoning import Reckoner, workers_knowing
from services.shared.settings import CharacterSettings


def create_app(settings: CharacterSettings) -> ASGIApp:
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
