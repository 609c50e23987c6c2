"""All SQL about characters. Every query that answers a viewer is cut to what the viewer may see: their own,
and those of campaigns they are members of; whatever is read otherwise is for the rules alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, func, or_, update
from sqlalchemy import select as select_columns
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.events import deleted
from services.character.building.models import CharacterRow
from services.character.packs.models import PackUseRow
from services.character.packs.repository import forget_versions_of_deleted
from services.character.tables import BAGS, METADATA, OUTBOX, UPDATES
from services.shared.access import Access
from services.shared.outbox import publish_all
from services.shared.pagination import Page, read_page
from services.shared.pruning import remove_step
from services.shared.sequence import forget, take_turns
from services.shared.updates import PlaceUpdates


@dataclass(frozen=True, slots=True)
class CharacterHead:
    """Which version of which character there is.

    Attributes:
        id: of the character.
        owner: the account whose it is.
        system: its game.
        version: grows with each edit.
    """

    id: str
    owner: str
    system: str
    version: int


class Characters:
    """The characters of one database as one viewer sees them, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
        access: the viewer's.
    """

    def __init__(self, session: AsyncSession, access: Access) -> None:
        self._session = session
        self._access = access

    async def by_id(self, ids: Sequence[str]) -> dict[str, CharacterRow]:
        """Read characters by id."""
        query = select(CharacterRow).where(self._visible(ids), _living())
        return {row.id: row for row in (await self._session.exec(query)).all()}

    async def heads(self, ids: Sequence[str]) -> dict[str, CharacterHead]:
        """Read what tells whether characters have changed, and not what they are built from."""
        table = CharacterRow
        columns = map(col, (table.id, table.owner, table.system))
        query = select_columns(*columns, col(table.version)).where(self._visible(ids), _living())
        return {row.id: CharacterHead(*row) for row in (await self._session.execute(query)).all()}

    async def own_page(self, *, first: int, after: str | None) -> Page[CharacterRow]:
        """Read a page of the viewer's own characters, newest first."""
        query = select(CharacterRow).where(self._own, _living())
        return await read_page(self._session, query, CharacterRow.id, first=first, after=after)

    async def page(self, characters: Sequence[str], *, first: int, after: str | None) -> Page[CharacterRow]:
        """Read a page of those of these characters that the viewer sees, newest first."""
        query = select(CharacterRow).where(self._visible(characters), _living())
        return await read_page(self._session, query, CharacterRow.id, first=first, after=after)

    async def count_own(self) -> int:
        """Count the viewer's own characters, for which this unit of work takes turns with their others."""
        await take_turns(self._session, f"characters:{self._access.account}")
        query = select(func.count()).select_from(CharacterRow).where(self._own, _living())
        return (await self._session.exec(query)).one()

    async def to_edit(self, character: str) -> CharacterRow | None:
        """Read one of the viewer's own characters and hold it until the unit of work ends."""
        query = (
            select(CharacterRow).where(CharacterRow.id == character, self._own, _living()).with_for_update()
        )
        return (await self._session.exec(query)).first()

    def add(self, row: CharacterRow) -> None:
        """Add a new character."""
        self._session.add(row)

    def _visible(self, ids: Sequence[str]) -> ColumnElement[bool]:
        """The condition for those of these characters that the viewer may see."""
        shared = [character for character in ids if character in self._access.characters]
        return col(CharacterRow.id).in_(ids) & or_(self._own, col(CharacterRow.id).in_(shared))

    @property
    def _own(self) -> ColumnElement[bool]:
        return col(CharacterRow.owner) == self._access.account


async def living(session: AsyncSession, character: str) -> CharacterRow | None:
    """Read a character for another service, whoever may see it."""
    query = select(CharacterRow).where(CharacterRow.id == character, _living())
    return (await session.exec(query)).first()


async def _next_of_owner(session: AsyncSession, owner: str, limit: int) -> Sequence[Row[Any]]:
    """Read what some of an account's characters are called by: id, owner, system, name and version."""
    table = CharacterRow
    names = (table.id, table.owner, table.system, table.name)
    query = select_columns(*map(col, names), col(table.version))
    query = query.where(col(table.owner) == owner, _living()).limit(limit)
    return (await session.execute(query)).all()


async def bury_next(session: AsyncSession, owner: str, moment: datetime, *, limit: int) -> bool:
    """Leave tombstones where an account's next characters were, as ``edits.bury`` does, and tell of each.

    Their histories, which may be hundreds of rows each, go first, in as many steps as these take.

    Args:
        session: a unit of work.
        owner: the account.
        moment: now.
        limit: the most characters.

    Returns:
        Whether there may be more, and another step is to be taken.
    """
    gone = await _next_of_owner(session, owner, limit)
    ids = [row.id for row in gone]
    if await _forget(session, ids):
        return True
    facts = [deleted(CharacterRow(**{**row._mapping, "version": row.version + 1}), row.name) for row in gone]
    emptied: dict[str, Any] = {
        "name": "",
        "choices": {},
        "sheet": {},
        "packs": [],
        "portrait": None,
        "version": CharacterRow.version + 1,
    }
    await session.execute(
        update(CharacterRow)
        .where(col(CharacterRow.id).in_(ids))
        .values(deleted_at=moment, updated_at=moment, **emptied),
        execution_options={"synchronize_session": False},
    )
    await publish_all(session, OUTBOX, facts, moment)
    await PlaceUpdates(session, UPDATES).withdraw(ids)
    return len(gone) == limit


async def _forget(session: AsyncSession, characters: list[str]) -> bool:
    """Take a step of removing what belongs to characters; tell whether more waits."""
    theirs = [METADATA.tables[name] for name in ("scene_change", "character_version", "pack_use")]
    query = select(PackUseRow.pack).where(col(PackUseRow.character).in_(characters)).distinct()
    packs = (await session.exec(query)).all()
    more = await remove_step(
        session,
        (BAGS, BAGS.c.thing.in_(characters)),
        *((table, table.c.character.in_(characters)) for table in theirs),
    )
    await forget_versions_of_deleted(session, packs)
    return more


async def forget_turns(session: AsyncSession, owner: str) -> None:
    """Forget that an account which is deleted took turns over its characters and packs, and its list."""
    await forget(session, [f"characters:{owner}", f"packs:{owner}"])
    await PlaceUpdates(session, UPDATES).forget(owner)


def _living() -> ColumnElement[bool]:
    return col(CharacterRow.deleted_at).is_(None)
