"""Portraits in the graph; the field stands with the character."""

from enum import Enum
from typing import Annotated

import strawberry

from services.character.building.models import CharacterRow
from services.character.context import CharacterInfo
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.features import Feature


class PortraitSize(Enum):
    """How large a portrait is given out.

    Attributes:
        PX_64: 64 pixels a side.
        PX_128: 128 pixels a side.
        PX_256: 256 pixels a side.
        PX_512: 512 pixels a side.
    """

    PX_64 = 64
    PX_128 = 128
    PX_256 = 256
    PX_512 = 512


PortraitSizeType = mirror_enum(PortraitSize, "CharacterPortraitSize")
Size = Annotated[PortraitSizeType, strawberry.argument(description="How large.")]  # type: ignore[valid-type]


@strawberry.type(description="The picture of a character, cropped to a square.")
class CharacterPortrait:
    """Set and removed by its player, over ``PUT`` and ``DELETE /v1/characters/{character}/portrait``."""

    version: str = strawberry.field(description="Another one with each picture.")
    character: strawberry.Private[str]

    @strawberry.field(
        description="Where it is read, with your API key or a ticket, as WebP or, where `Accept` asks for "
        "it, as PNG."
    )
    def url(self, info: CharacterInfo, size: Size = PortraitSize.PX_256) -> str:
        """Return the address."""
        public_url = info.context.service.public_url
        return f"{public_url}/v1/characters/{self.character}/portrait?size={PortraitSize(size).value}"

    @classmethod
    def of(cls, row: CharacterRow) -> "CharacterPortrait | None":
        """Show the portrait of a character; None where it has none."""
        return None if row.portrait is None else cls(version=row.portrait, character=row.id)


FEATURE = Feature()
"""Nothing is asked about portraits alone."""
