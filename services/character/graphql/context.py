"""What the resolvers of the character service are handed."""

from dataclasses import dataclass

from strawberry.types import Info

from services.character.advancing import Advancing
from services.character.service import CharacterService
from services.shared.context import Context


@dataclass(frozen=True, slots=True)
class CharacterUseCases:
    """All that can be done with characters.

    Attributes:
        characters: reading, making, editing.
        advancing: rewards.
    """

    characters: CharacterService
    advancing: Advancing


CharacterInfo = Info[Context[CharacterUseCases], None]
