"""Who writes metadata beside characters: its player, and whoever plays at the table where it sits."""

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.edits import held
from services.character.building.service import CharacterService
from services.character.metadata.requests import SetCharacterMetadata
from services.shared.auth import Viewer
from services.shared.metadata.requests import Metadata
from services.shared.metadata.service import MetadataService
from services.shared.policy import Policy, Right, demand


class CharacterMetadata:
    """The use case of writing metadata beside a character.

    Args:
        bags: the bags of this service.
        characters: knows which characters a viewer may see.
        policy: knows at which tables a viewer plays.

    Attributes:
        bags: likewise, for who reads them beside what is shown.
    """

    def __init__(self, bags: MetadataService, characters: CharacterService, policy: Policy) -> None:
        self.bags = bags
        self._characters = characters
        self._policy = policy

    async def of_character(
        self, viewer: Viewer, asked: SetCharacterMetadata, key: str | None
    ) -> Metadata | None:
        """Write metadata beside a character: one's own, or as GM or player one that sits at the table.

        Raises:
            Unavailable: it is another's, and nobody knows whether the viewer plays there.
            Problem: as ``MetadataService.write``.
        """
        seen = await self._characters.seen(viewer, asked.id, "id")
        if seen.owner != viewer.account:
            access = await self._policy.access(viewer, characters=[asked.id])
            demand(access.roles.get(access.characters.get(asked.id, "")), Right.WRITE, "id")

        async def hold(session: AsyncSession) -> None:
            await held(session, seen, "id")

        return await self.bags.write(viewer, asked, key, hold)
