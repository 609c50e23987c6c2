"""What the resolvers of the character service are handed."""

from dataclasses import dataclass

from strawberry.types import Info

from services.character.building.service import CharacterService
from services.character.history.service import Undoing
from services.character.rewards.service import Advancing
from services.shared.context import Context


@dataclass(frozen=True, slots=True)
class CharacterUseCases:
    """All that can be done with characters.

    Attributes:
        characters: reading, making, editing; packs of content.
        advancing: rewards.
        undoing: histories.
    """

    characters: CharacterService
    advancing: Advancing
    undoing: Undoing


CharacterInfo = Info[Context[CharacterUseCases], None]
