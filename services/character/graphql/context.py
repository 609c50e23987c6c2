"""What the resolvers of the character service are handed."""

from strawberry.types import Info

from services.character.service import CharacterService
from services.shared.context import Context

CharacterInfo = Info[Context[CharacterService], None]
