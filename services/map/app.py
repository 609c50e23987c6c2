"""Puts the map service together."""

import secrets

from starlette.types import ASGIApp

from services.map.batches import Batches
from services.map.charging import Charging
from services.map.door import Door
from services.map.drawing import MEMORY, PROCESSES, SECONDS, warm
from services.map.files import file_routes
from services.map.generation.kind import MAX_SEED
from services.map.graphql.context import MapUseCases
from services.map.graphql.schema import SCHEMA
from services.map.importing import Importing
from services.map.leading import HANDLED, Leading
from services.map.messages import JobMessages
from services.map.models import CURSORS, OUTBOX
from services.map.readying import warm_up
from services.map.service import MapService
from services.map.showing import Showing
from services.map.table import Table
from services.shared.access import CampaignAccess
from services.shared.consumer import Consumer
from services.shared.parts import assemble
from services.shared.settings import Settings
from services.shared.storage import FolderStorage
from services.shared.workers import Workers


def create_app(settings: Settings) -> ASGIApp:
    """Build the map service's ASGI application."""
    parts = assemble("map", settings, OUTBOX)
    database, clock = parts.database, parts.clock
    campaigns, storage, messages = (
        parts.peer("campaign"),
        FolderStorage(settings.files_dir),
        JobMessages(settings),
    )
    door = Door(CampaignAccess(campaigns))
    workers = Workers(warm, count=PROCESSES, seconds=SECONDS, memory=MEMORY)

    def draw_seed() -> int:
        return secrets.randbelow(MAX_SEED + 1)

    maps = MapService(database, clock, door, storage, messages.send, draw_seed)
    batches = Batches(database, clock, door, storage, messages.send, draw_seed)
    charging = Charging(parts.meter)
    table = Table(database, clock, door, parts.wakes, charging)
    showing = Showing(database, door, storage, workers, charging)
    importing = Importing(database, clock, door, storage, workers, charging)
    use_cases = MapUseCases(maps, batches, table, charging, parts.wakes, settings.public_url.rstrip("/"))

    async def get_ready() -> None:
        await warm_up(workers)

    files = file_routes(parts.signer, maps, showing, batches, importing)
    return parts.app(
        [*parts.graphql_routes(SCHEMA, use_cases), *files],
        checks={"storage": storage.ping},
        consumers=[Consumer(database, CURSORS, parts.redis, campaigns, Leading(clock), kinds=HANDLED)],
        background=[get_ready],
        closing=[workers.close, campaigns.close, messages.close],
    )
