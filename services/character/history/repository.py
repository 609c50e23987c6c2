"""All SQL about histories, and about what scenes have changed."""

from collections.abc import Sequence

from sqlalchemy import delete, func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.history.models import CharacterVersionRow, SceneChangeRow
from services.character.packs.models import PackUseRow


class History:
    """What characters were. Who may see it is for the caller to say.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, row: CharacterVersionRow, *, kept: int) -> None:
        """Write a line, and forget those of the same character that came longer ago than ``kept``."""
        self._session.add(row)
        for pack in row.packs:
            use = {"pack": pack["id"], "pack_version": pack["version"]}
            self._session.add(PackUseRow(character=row.character, version=row.version, **use))
        if row.version > kept:
            for table in (CharacterVersionRow, PackUseRow):
                old = (col(table.character) == row.character, col(table.version) <= row.version - kept)
                await self._session.execute(delete(table).where(*old))

    async def remove(self, character: str) -> set[str]:
        """Forget a character's whole history; returns the ids of the packs that it was built under."""
        of_character = col(PackUseRow.character) == character
        used = set((await self._session.exec(select(PackUseRow.pack).where(of_character).distinct())).all())
        await self._session.execute(delete(PackUseRow).where(of_character))
        lines = col(CharacterVersionRow.character) == character
        await self._session.execute(delete(CharacterVersionRow).where(lines))
        return used

    async def page(self, character: str, *, limit: int, below: int | None) -> Sequence[CharacterVersionRow]:
        """Read lines, newest first.

        Args:
            character: whose.
            limit: how many.
            below: version of the last line that was seen.
        """
        version = col(CharacterVersionRow.version)
        query = select(CharacterVersionRow).where(CharacterVersionRow.character == character)
        if below is not None:
            query = query.where(version < below)
        return (await self._session.exec(query.order_by(version.desc()).limit(limit))).all()

    async def oldest(self, character: str) -> int | None:
        """Read the oldest version that is still kept."""
        query = select(func.min(CharacterVersionRow.version)).where(
            CharacterVersionRow.character == character
        )
        return (await self._session.exec(query)).one()

    async def line(self, character: str, version: int) -> CharacterVersionRow | None:
        """Read one line."""
        return await self._session.get(CharacterVersionRow, (character, version))


class SceneChanges:
    """What scenes have changed about characters. Who may know which is for the caller to say.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def unsettled(self, characters: Sequence[str]) -> Sequence[SceneChangeRow]:
        """Read what is not the characters' own yet, in the order in which the scenes began."""
        query = select(SceneChangeRow).where(
            col(SceneChangeRow.character).in_(characters), col(SceneChangeRow.settled).is_(False)
        )
        return (await self._session.exec(query.order_by(col(SceneChangeRow.scene)))).all()

    async def of(self, character: str, scene: str) -> SceneChangeRow | None:
        """Read what is kept of one scene about one character."""
        return await self._session.get(SceneChangeRow, (character, scene))

    async def remove(self, character: str) -> None:
        """Forget all that scenes have changed about a character."""
        await self._session.execute(delete(SceneChangeRow).where(col(SceneChangeRow.character) == character))

    async def drop(self, *, scene: str | None = None, campaign: str | None = None) -> set[str]:
        """Forget what a scene, or every scene of a campaign, has changed so far and had not ended with.

        Returns:
            Ids of the characters.
        """
        there = (
            col(SceneChangeRow.scene) == scene
            if campaign is None
            else col(SceneChangeRow.campaign) == campaign
        )
        running = (there, col(SceneChangeRow.ended).is_(False))
        found = set((await self._session.exec(select(SceneChangeRow.character).where(*running))).all())
        await self._session.execute(delete(SceneChangeRow).where(*running))
        return found

    def add(self, row: SceneChangeRow) -> None:
        """Add what is told of a scene for the first time."""
        self._session.add(row)
