"""Puts the map service together."""

from starlette.types import ASGIApp

from services.map.app_metadata import MapMetadata
from services.map.batches import Batches
from services.map.charging import Charging
from services.map.deletion.batches import BatchLeftovers
from services.map.deletion.service import Deletion
from services.map.erasure import Erasure
from services.map.files import file_routes
from services.map.graphql.context import MapUseCases
from services.map.graphql.schema import SCHEMA
from services.map.importing import Importing
from services.map.leading import Leading
from services.map.models import CURSORS, OUTBOX
from services.map.ordering import Ordering
from services.map.pools import drawing_pool, reading_pool
from services.map.quotas import Quotas
from services.map.readying import Warming
from services.map.service import MapService
from services.map.showing import Showing
from services.map.table import Table
from services.map.wishes import draw_seed
from services.shared.access import CampaignAccess
from services.shared.job_messages import JobMessages
from services.shared.parts import assemble
from services.shared.policy import Policy
from services.shared.portraits import Portraits
from services.shared.settings import MapSettings
from services.shared.storage import open_storage


def create_app(settings: MapSettings) -> ASGIApp:
    """Build the map service's ASGI application."""
    parts = assemble("map", settings, OUTBOX)
    database, clock = parts.database, parts.clock
    (campaigns, characters), messages = parts.peers("campaign", "character"), JobMessages(settings)
    storage, policy = open_storage(settings), Policy(CampaignAccess(campaigns))
    drawers, readers = drawing_pool(), reading_pool()
    quotas, charging = Quotas.of(settings), Charging(parts.meter)
    ordering = Ordering(database, clock, quotas, messages.send)
    maps = MapService(database, clock, policy, storage, ordering, parts.meter, parts.background, draw_seed)
    batches = Batches(database, clock, policy, storage, ordering, parts.background, quotas, draw_seed)
    table = Table(database, clock, policy, parts.wakes, charging)
    showing = Showing(database, policy, storage, drawers, charging, Portraits(characters))
    importing = Importing(database, clock, policy, storage, readers, quotas, charging)
    deletion = Deletion(database, clock, policy, charging, parts.background)
    erasure = Erasure(clock, parts.background)
    public_url = settings.public_url.rstrip("/")
    metadata = MapMetadata(database, clock, policy, maps, charging)
    use_cases = MapUseCases(maps, batches, table, deletion, charging, metadata, parts.wakes, public_url)
    files = file_routes(parts.signer, maps, showing, batches, importing)
    return parts.app(
        [*parts.graphql_routes(SCHEMA, use_cases), *files],
        checks={"storage": storage.ping},
        consumers=[parts.reader(CURSORS, campaigns, Leading(clock).handlers, erasure.handlers)],
        background=[Warming(drawers, readers).run, BatchLeftovers(database, clock, parts.background).run],
        closing=[drawers.close, readers.close, campaigns.close, characters.close, messages.close],
    )
