"""Look-ups of packs, gathered into one query per request."""

from typing import Any

from strawberry.dataloader import DataLoader

from services.character.context import CharacterInfo
from services.character.packs.service import PackVersion


def pack_contents(info: CharacterInfo) -> "DataLoader[PackVersion, Any]":
    """Load what packs hold; nothing for what their games cannot read any more."""
    context = info.context

    async def load(packs: list[PackVersion]) -> list[Any]:
        found = await context.service.packs.contents(packs)
        return [found.get(pack) for pack in packs]

    return context.loader("pack contents", load)


def newest_packs(info: CharacterInfo) -> "DataLoader[str, int | None]":
    """Load the newest versions of packs by id; none for those that are deleted."""
    context = info.context

    async def load(ids: list[str]) -> list[int | None]:
        found = await context.service.packs.newest(ids)
        return [found.get(pack) for pack in ids]

    return context.loader("newest packs", load)
