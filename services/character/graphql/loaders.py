"""Look-ups gathered into one query per request."""

from strawberry.dataloader import DataLoader

from services.character.graphql.context import CharacterInfo
from services.character.models import CharacterRow


def characters(info: CharacterInfo) -> "DataLoader[str, CharacterRow | None]":
    """Load characters by id, as far as the viewer may see them."""
    context = info.context

    async def load(ids: list[str]) -> list[CharacterRow | None]:
        if not context.viewer.may("read"):
            return [None] * len(ids)
        found = await context.service.characters.characters(context.viewer, ids)
        return [found.get(character) for character in ids]

    return context.loader("characters", load)
