"""What characters name of the files of portraits."""

from collections.abc import Collection

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.models import CharacterRow
from services.character.portraits.keys import keys_of


async def named_files(session: AsyncSession, characters: Collection[str]) -> set[str]:
    """Returns the keys of the files that characters name, by the ids of these."""
    if not characters:
        return set()
    rows = await session.exec(select(CharacterRow).where(col(CharacterRow.id).in_(characters)))
    return {key for row in rows for key in keys_of(row)}
