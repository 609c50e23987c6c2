"""Look-ups of characters, gathered into one query per request."""

from strawberry.dataloader import DataLoader

from services.character.building.models import CharacterRow
from services.character.building.sheets import Changes
from services.character.context import CharacterInfo
from services.shared.auth import KeyScope
from services.shared.problems import Unavailable


def characters(info: CharacterInfo) -> "DataLoader[str, CharacterRow | None]":
    """Load characters by id, as far as the viewer may see them."""
    context = info.context

    async def load(ids: list[str]) -> list[CharacterRow | Unavailable | None]:
        if not context.viewer.may(KeyScope.READ):
            return [None] * len(ids)
        found = await context.service.characters.characters(context.viewer, ids)
        return [found.get(character) for character in ids]

    return context.loader("characters", load)


def campaigns(info: CharacterInfo) -> "DataLoader[str, str | None]":
    """Load at whose table characters sit, by id, as far as the viewer is there."""
    context = info.context

    async def load(ids: list[str]) -> list[str | None]:
        found = await context.service.characters.campaigns(context.viewer, ids)
        return [found.get(character) for character in ids]

    return context.loader("campaigns of characters", load)


def scene_changes(info: CharacterInfo) -> "DataLoader[tuple[str, str], Changes | None]":
    """Load what running scenes have changed about characters, by id and owner of each."""
    context = info.context

    async def load(characters: list[tuple[str, str]]) -> list[Changes | None]:
        found = await context.service.sheets.changes(context.viewer, dict(characters))
        return [found.get(character) for character, _ in characters]

    return context.loader("scene changes", load)
