"""Look-ups gathered into one query per request."""

from typing import Any

from strawberry.dataloader import DataLoader

from services.character.building.models import CharacterRow
from services.character.building.sheets import Changes
from services.character.context import CharacterInfo
from services.character.packs.requests import PackVersion


def characters(info: CharacterInfo) -> "DataLoader[str, CharacterRow | None]":
    """Load characters by id, as far as the viewer may see them."""
    context = info.context

    async def load(ids: list[str]) -> list[CharacterRow | None]:
        if not context.viewer.may("read"):
            return [None] * len(ids)
        found = await context.service.characters.characters(context.viewer, ids)
        return [found.get(character) for character in ids]

    return context.loader("characters", load)


def scene_changes(info: CharacterInfo) -> "DataLoader[tuple[str, str], Changes | None]":
    """Load what running scenes have changed about characters, by id and owner of each."""
    context = info.context

    async def load(characters: list[tuple[str, str]]) -> list[Changes | None]:
        found = await context.service.characters.sheets.changes(context.viewer, dict(characters))
        return [found.get(character) for character, _ in characters]

    return context.loader("scene changes", load)


def pack_contents(info: CharacterInfo) -> "DataLoader[PackVersion, Any]":
    """Load what packs hold; nothing for what their games cannot read any more."""
    context = info.context

    async def load(packs: list[PackVersion]) -> list[Any]:
        found = await context.service.characters.packs.contents(packs)
        return [found.get(pack) for pack in packs]

    return context.loader("pack contents", load)


def newest_packs(info: CharacterInfo) -> "DataLoader[str, int | None]":
    """Load the newest versions of packs by id; none for those that are deleted."""
    context = info.context

    async def load(ids: list[str]) -> list[int | None]:
        found = await context.service.characters.packs.newest(ids)
        return [found.get(pack) for pack in ids]

    return context.loader("newest packs", load)
