"""All SQL about a table's own words: its dice, its saved rolls, its settings.

Whoever changes the words of a place takes its turn first: names stay unique, and numbers of words within
their bounds, without a clash that only the database would notice.
"""

from __future__ import annotations

from sqlalchemy import delete, func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.library.models import MacroRow, TableDieRow, TableSettingsRow
from services.shared.pagination import Page, read_page
from services.shared.sequence import take_turns

Word = TableDieRow | MacroRow


class Words:
    """The words of one database, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def take_turn(self, place: str) -> None:
        """Wait until nobody else changes the words of a place, and keep others waiting."""
        await take_turns(self._session, f"words:{place}")

    def add(self, row: Word | TableSettingsRow) -> None:
        """Add something new, or note that it was changed."""
        self._session.add(row)

    async def remove(self, row: Word) -> None:
        """Delete a word."""
        await self._session.delete(row)

    async def remove_all(self, place: str) -> None:
        """Delete all words and settings of a place."""
        for table in (TableDieRow, MacroRow, TableSettingsRow):
            await self._session.execute(delete(table).where(col(table.place) == place))

    # Dice

    async def die(self, die: str) -> TableDieRow | None:
        """Read a die by id, whoever may see it."""
        return await self._session.get(TableDieRow, die)

    async def dice(self, place: str) -> list[TableDieRow]:
        """Read the dice of a place, by name."""
        query = select(TableDieRow).where(TableDieRow.place == place).order_by(col(TableDieRow.name))
        return list((await self._session.exec(query)).all())

    # Saved rolls

    async def macro(self, macro: str) -> MacroRow | None:
        """Read a saved roll by id, whoever may see it."""
        return await self._session.get(MacroRow, macro)

    async def macros(self, place: str, *, first: int, after: str | None) -> Page[MacroRow]:
        """Read a page of the saved rolls of a place, in the order they were made."""
        query = select(MacroRow).where(MacroRow.place == place)
        return await read_page(
            self._session, query, MacroRow.id, first=first, after=after, newest_first=False
        )

    async def macro_count(self, place: str) -> int:
        """Count the saved rolls of a place."""
        return int((await self._session.exec(select(func.count()).where(MacroRow.place == place))).one())

    async def macro_named(self, place: str, name: str) -> MacroRow | None:
        """Read a saved roll by name."""
        query = select(MacroRow).where(MacroRow.place == place, MacroRow.name == name)
        return (await self._session.exec(query)).first()

    # Settings

    async def settings(self, place: str) -> TableSettingsRow | None:
        """Read the settings of a place; None while they were never changed."""
        return await self._session.get(TableSettingsRow, place)
