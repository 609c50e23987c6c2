"""Puts the character service together."""

from starlette.types import ASGIApp

from services.character.context import CharacterUseCases
from services.character.erasure import Erasure
from services.character.history.scene_events import SceneEvents
from services.character.internal import internal_routes
from services.character.packs.games import own_games
from services.character.packs.readying import ready_library
from services.character.portraits.files import portrait_routes
from services.character.portraits.service import PortraitService, portrait_pool
from services.character.schema import SCHEMA
from services.character.tables import CURSORS, OUTBOX
from services.rules.engine.registry import systems
from services.shared.access import CampaignAccess
from services.shared.knowing import workers_knowing
from services.shared.parts import assemble
from services.shared.quotas import CharacterQuotas
from services.shared.reckoning import Reckoner
from services.shared.settings import CharacterSettings
from services.shared.storage import open_storage


def create_app(settings: CharacterSettings) -> ASGIApp:
    """Build the character service's ASGI application."""
    parts = assemble("character", settings, OUTBOX)
    campaigns, dice = parts.peers("campaign", "dice")
    workers = workers_knowing(own_games, loaded=["services.rules.engine.loaded"], name="games")
    reckoner = Reckoner(own_games(), parts.meter, workers)
    access = CampaignAccess(campaigns)
    quotas = CharacterQuotas.of(settings)
    public_url = settings.public_url.rstrip("/")
    use_cases = CharacterUseCases.over(
        parts.database, parts.clock, access, systems(), reckoner, quotas, parts.wakes, dice, public_url
    )
    storage, readers = open_storage(settings), portrait_pool()
    portraits = PortraitService(parts.database, parts.clock, use_cases.characters, storage, readers)
    scenes = SceneEvents(parts.clock, use_cases.editions)
    erasure = Erasure(parts.clock, scenes)
    return parts.app(
        [
            *parts.graphql_routes(SCHEMA, use_cases),
            *internal_routes(use_cases, parts.signer),
            *portrait_routes(portraits, parts.signer),
        ],
        checks={"storage": storage.ping},
        consumers=[parts.reader(CURSORS, campaigns, scenes.handlers, erasure.handlers)],
        background=[reckoner.keep_warm, ready_library],
        closing=[reckoner.close, readers.close, campaigns.close, dice.close],
    )
