"""All SQL about packs. Every query that answers a viewer is cut to what the viewer may see: their own, and
those of campaigns they are members of; whatever is read otherwise is for the rules alone."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, func, or_, tuple_, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.packs.models import PackRow, PackUseRow, PackVersionRow
from services.shared.access import Access
from services.shared.pagination import Page, read_page
from services.shared.sequence import take_turns


class Packs:
    """The packs of one database as one viewer sees them, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
        access: the viewer's.
    """

    def __init__(self, session: AsyncSession, access: Access) -> None:
        self._session = session
        self._access = access

    async def by_id(self, ids: Sequence[str]) -> dict[str, PackRow]:
        """Read packs by id."""
        query = select(PackRow).where(col(PackRow.id).in_(ids), self._visible, _there())
        return {row.id: row for row in (await self._session.exec(query)).all()}

    async def page(
        self, campaign: str | None, system: str | None, *, first: int, after: str | None
    ) -> Page[PackRow]:
        """Read a page of the packs of a campaign, or of the viewer's own, newest first."""
        query = select(PackRow).where(self._visible, _there())
        query = query.where(self._own if campaign is None else PackRow.campaign == campaign)
        if system is not None:
            query = query.where(PackRow.system == system)
        return await read_page(self._session, query, PackRow.id, first=first, after=after)

    async def to_edit(self, pack: str) -> PackRow | None:
        """Read a pack and hold it until the unit of work ends."""
        query = select(PackRow).where(PackRow.id == pack, self._visible, _there()).with_for_update()
        return (await self._session.exec(query)).first()

    async def take_turn(self) -> None:
        """Let the viewer's units of work that count their packs run one after another."""
        await take_turns(self._session, f"packs:{self._access.account}")

    async def count(self) -> int:
        """Count the viewer's own packs."""
        query = select(func.count()).select_from(PackRow).where(self._own, _there())
        return (await self._session.exec(query)).one()

    def add(self, row: PackRow | PackVersionRow) -> None:
        """Add a new pack, or a version of one."""
        self._session.add(row)

    async def forget_unused(self, pack: str, *, below: int) -> None:
        """Forget the versions before one that no character was built under."""
        table, use = PackVersionRow, PackUseRow
        used = exists().where(col(use.pack) == pack, col(use.pack_version) == col(table.version))
        old = (col(table.pack) == pack, col(table.version) < below, ~used)
        await self._session.execute(delete(table).where(*old))

    @property
    def _own(self) -> ColumnElement[bool]:
        return col(PackRow.owner) == self._access.account

    @property
    def _visible(self) -> ColumnElement[bool]:
        return or_(self._own, col(PackRow.campaign).in_(list(self._access.roles)))


async def tables_of(session: AsyncSession, packs: Sequence[str]) -> set[str]:
    """Read at which tables packs are shared, to ask whether somebody sits there."""
    query = select(PackRow.campaign).where(
        col(PackRow.id).in_(packs), col(PackRow.campaign).is_not(None), _there()
    )
    return {campaign for campaign in (await session.exec(query)).all() if campaign is not None}


async def newest_versions(session: AsyncSession, packs: Sequence[str]) -> dict[str, int]:
    """Read the newest versions of packs that are not deleted, whoever may see them."""
    query = select(PackRow.id, PackRow.version).where(col(PackRow.id).in_(packs), _there())
    return dict((await session.exec(query)).all())


async def documents(
    session: AsyncSession, wanted: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], dict[str, Any]]:
    """Read what versions of packs hold, for the rules, whoever may see them."""
    key = tuple_(col(PackVersionRow.pack), col(PackVersionRow.version))
    rows = (await session.exec(select(PackVersionRow).where(key.in_(wanted)))).all()
    return {(row.pack, row.version): row.document for row in rows}


def bury(row: PackRow, moment: datetime) -> None:
    """Leave a tombstone where a pack was, without its name and what was said of it."""
    row.deleted_at = row.updated_at = moment
    row.name = row.description = ""


async def bury_next(
    session: AsyncSession, owner: str, moment: datetime, *, limit: int, keep: Collection[str] = ()
) -> bool:
    """Leave tombstones where an account's next packs were, and forget the versions of them under which no
    character is built; tell whether there may be more.

    Args:
        session: the unit of work.
        owner: the account.
        moment: the present moment.
        limit: how many packs.
        keep: ids of the campaigns whose packs stay.
    """
    gone = or_(col(PackRow.campaign).is_(None), col(PackRow.campaign).not_in(keep))
    query = select(PackRow.id).where(PackRow.owner == owner, gone, _there()).limit(limit)
    packs = (await session.exec(query)).all()
    emptied = {"name": "", "description": "", "version": PackRow.version + 1}
    await session.execute(
        update(PackRow)
        .where(col(PackRow.id).in_(packs))
        .values(deleted_at=moment, updated_at=moment, **emptied),
        execution_options={"synchronize_session": False},
    )
    await forget_versions_of_deleted(session, packs)
    return len(packs) == limit


async def unshare(session: AsyncSession, campaign: str) -> None:
    """Leave the packs of a campaign to their owners alone."""
    await session.execute(update(PackRow).where(col(PackRow.campaign) == campaign).values(campaign=None))


async def hand_over(session: AsyncSession, owner: str, heir: str, campaign: str) -> None:
    """Make the packs that an account shares with a campaign those of another account."""
    shared = (col(PackRow.owner) == owner, col(PackRow.campaign) == campaign, _there())
    await session.execute(update(PackRow).where(*shared).values(owner=heir))


async def forget_versions_of_deleted(session: AsyncSession, packs: Collection[str]) -> None:
    """Forget the versions of packs that are deleted under which no character is built any more."""
    if packs:
        deleted = select(PackRow.id).where(col(PackRow.id).in_(packs), ~_there())
        used = exists().where(
            col(PackUseRow.pack) == col(PackVersionRow.pack),
            col(PackUseRow.pack_version) == col(PackVersionRow.version),
        )
        await session.execute(delete(PackVersionRow).where(col(PackVersionRow.pack).in_(deleted), ~used))


def _there() -> ColumnElement[bool]:
    return col(PackRow.deleted_at).is_(None)
