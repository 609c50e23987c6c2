"""What the resolvers of the map service are handed."""

from dataclasses import dataclass

from strawberry.types import Info

from services.map.app_metadata import MapMetadata
from services.map.batches import Batches
from services.map.charging import Charging
from services.map.deletion.service import Deletion
from services.map.service import MapService
from services.map.table import Table
from services.shared.context import Context
from services.shared.stream import Wakes


@dataclass(frozen=True, slots=True)
class MapUseCases:
    """All that can be done with maps.

    Attributes:
        maps: making, reading, cancelling.
        batches: many maps at once.
        table: playing on maps.
        deletion: deleting maps and batches.
        charging: looking at maps.
        metadata: what apps keep beside maps and tokens.
        wakes: signals of changed jobs.
        public_url: address that clients use, without a slash at its end.
    """

    maps: MapService
    batches: Batches
    table: Table
    deletion: Deletion
    charging: Charging
    metadata: MapMetadata
    wakes: Wakes
    public_url: str


MapInfo = Info[Context[MapUseCases], None]
