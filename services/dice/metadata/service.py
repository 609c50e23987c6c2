"""Who writes metadata beside rolls: whoever plays at the table and sees the roll, or rolled it alone."""

from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.metadata.requests import SetRollMetadata
from services.dice.rolls.repository import Rolls
from services.dice.rolls.service import RollService
from services.shared.auth import Viewer
from services.shared.metadata.requests import Metadata
from services.shared.metadata.service import MetadataService
from services.shared.policy import Right, demand
from services.shared.problems import NotFound


class RollMetadata:
    """The use case of writing metadata beside a roll.

    Args:
        bags: the bags of this service.
        rolls: knows which rolls a viewer may see.

    Attributes:
        bags: likewise, for who reads them beside what is shown.
    """

    def __init__(self, bags: MetadataService, rolls: RollService) -> None:
        self.bags = bags
        self._rolls = rolls

    async def of_roll(self, viewer: Viewer, asked: SetRollMetadata, key: str | None) -> Metadata | None:
        """Write metadata beside a roll: one's own, or as GM or player one at the table; a secret one as GM.

        Raises:
            Unavailable: nobody knows whether the viewer plays there.
            Problem: as ``MetadataService.write``.
        """
        access = await self._rolls.access_to(viewer, [asked.id])

        async def hold(session: AsyncSession) -> None:
            row = await Rolls(session, access).for_change(asked.id)
            if row is None:
                raise NotFound.of("roll", "id")
            if row.campaign is not None:
                demand(access.roles.get(row.campaign), Right.WRITE, "id")

        return await self.bags.write(viewer, asked, key, hold)
