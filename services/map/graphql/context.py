"""What the resolvers of the map service are handed."""

from dataclasses import dataclass

from strawberry.types import Info

from services.map.service import MapService
from services.shared.context import Context
from services.shared.stream import Wakes


@dataclass(frozen=True, slots=True)
class MapUseCases:
    """All that can be done with maps.

    Attributes:
        maps: making, reading, cancelling.
        wakes: signals of changed jobs.
        public_url: address that clients use, without a slash at its end.
    """

    maps: MapService
    wakes: Wakes
    public_url: str


MapInfo = Info[Context[MapUseCases], None]
