"""Who writes metadata beside maps and their tokens: whoever plays at the table and sees them."""

import asyncio
from dataclasses import dataclass

from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.charging import Charging
from services.map.looking import Look
from services.map.membership import Membership
from services.map.models import BAGS
from services.map.play.rights import Role
from services.map.repository import Maps
from services.map.service import MapService
from services.map.sharing import editor_of
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.metadata.requests import Metadata, SetMetadata
from services.shared.metadata.service import MetadataService
from services.shared.policy import Policy
from services.shared.problems import Forbidden, NotFound, Unavailable


@dataclass(frozen=True, slots=True)
class SetMapMetadata(SetMetadata):
    """Metadata of a map or of a token on it, to be written or taken away.

    Attributes:
        id: Of the map.
        token_key: The key of a token on it, if it is beside that.
    """

    token_key: str | None = None


class MapMetadata:
    """The use case of writing metadata beside a map, or a token on it.

    Args:
        database: where maps and metadata are kept.
        clock: the present moment.
        policy: knows what viewers may do.
        maps: knows which maps a viewer may see.
        charging: looks at maps for who pays.

    Attributes:
        bags: the bags of this service, for who reads them beside what is shown.
    """

    def __init__(
        self, database: Database, clock: Clock, policy: Policy, maps: MapService, charging: Charging
    ) -> None:
        self.bags = MetadataService(database, clock, BAGS)
        self._maps = maps
        self._membership = Membership(database, policy)
        self._charging = charging

    async def of_map(self, viewer: Viewer, asked: SetMapMetadata, key: str | None) -> Metadata | None:
        """Write metadata beside a map that the viewer sees: one's own, or as GM or player one at the table;
        or beside a token on it that they see.

        Raises:
            Unavailable: nobody knows whether the viewer plays there.
            LimitReached: to look for the token costs more than may be spent.
            Problem: as ``MetadataService.write``.
        """
        access = await self._membership.of_maps(viewer, [asked.id])
        if asked.token_key is not None:
            # Before the unit of work, which keeps all others from writing.
            seen = (await self._maps.maps(viewer, [asked.id])).get(asked.id)
            if isinstance(seen, Unavailable):
                raise seen
            if seen is not None:
                await self._charging.state(viewer, seen)

        async def hold(session: AsyncSession) -> None:
            row = await Maps(session, access).held(asked.id)
            if row is None:
                raise NotFound.of("map", "id")
            look = Look(row, editor_of(access, row))
            if look.viewer.role is Role.SPECTATOR:
                raise Forbidden.because("Spectators watch; ask the GM to make you a player.", "id")
            if asked.token_key is not None and not await asyncio.to_thread(_shows, look, asked.token_key):
                raise NotFound.of("token", "tokenKey")

        return await self.bags.write(viewer, asked, key, hold, asked.token_key or "")


def _shows(look: Look, token: str) -> bool:
    """Tell whether a viewer sees a token."""
    return any(shown.id == token for shown in look.state.tokens)
