"""The table of bags of metadata, which each service with metadata has, and all SQL about it."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Index,
    Integer,
    MetaData,
    Row,
    String,
    Table,
    Text,
    and_,
    delete,
    func,
    insert,
    select,
    text,
    tuple_,
    update,
)
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.database import Utc
from services.shared.metadata.requests import MAX_NAMESPACE
from services.shared.pruning import remove_step
from services.shared.retention import WithOwner, state_life

THE_TABLE = ""
"""The reader of bags that everybody reads who sees their thing."""

Thing = tuple[str, str]
"""What bags lie beside: the id of a thing, and the key of its part, empty for the whole."""


def bags_table(metadata: MetaData) -> Table:
    """Add the table of bags to a service's tables.

    ``reader`` is the account that alone reads a bag, or ``THE_TABLE``: a bag that is an app's own is in
    nobody's way.
    """
    app_alone = text("reader <> ''")
    table = Table(
        "metadata_bag",
        metadata,
        Column("thing", String(40), primary_key=True),
        Column("part", String(40), primary_key=True),
        Column("reader", String(40), primary_key=True),
        Column("namespace", String(MAX_NAMESPACE), primary_key=True),
        Column("data", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("updated_at", Utc, nullable=False),
        Index("ix_metadata_bag_reader", "reader", sqlite_where=app_alone, postgresql_where=app_alone),
    )
    return state_life(table, WithOwner("its thing; what an app alone reads goes with the app's account too"))


class Bags:
    """The bags of one database, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
        table: where they are kept.
    """

    def __init__(self, session: AsyncSession, table: Table) -> None:
        self._session = session
        self._table = table

    async def read_by(self, account: str, things: Sequence[Thing]) -> Sequence[Row[Any]]:
        """Read the bags beside things that an account may read if it sees them, by namespace, those of the
        table before its own.
        """
        bag = self._table.c
        beside = tuple_(bag.thing, bag.part).in_(things)
        query = select(self._table).where(beside, bag.reader.in_([THE_TABLE, account]))
        return (await self._session.execute(query.order_by(bag.namespace, bag.reader))).all()

    async def one(self, thing: Thing, reader: str, namespace: str) -> Row[Any] | None:
        """Read a bag."""
        query = select(self._table).where(self._key(thing, reader), self._table.c.namespace == namespace)
        return (await self._session.execute(query)).first()

    async def count(self, thing: Thing, reader: str) -> int:
        """Count the bags beside a thing that have the same reader."""
        query = select(func.count()).select_from(self._table).where(self._key(thing, reader))
        return int((await self._session.execute(query)).scalar_one())

    async def add(self, thing: Thing, reader: str, namespace: str, data: str, moment: datetime) -> None:
        """Add a bag."""
        key = {"thing": thing[0], "part": thing[1], "reader": reader, "namespace": namespace}
        await self._session.execute(
            insert(self._table).values(**key, data=data, version=1, updated_at=moment)
        )

    async def replace(self, thing: Thing, reader: str, namespace: str, data: str, moment: datetime) -> None:
        """Write a bag that is there anew."""
        bag = self._table.c
        query = update(self._table).where(self._key(thing, reader), bag.namespace == namespace)
        await self._session.execute(query.values(data=data, version=bag.version + 1, updated_at=moment))

    async def remove(self, thing: Thing, reader: str, namespace: str) -> None:
        """Remove a bag."""
        bag = self._table.c
        await self._session.execute(
            delete(self._table).where(self._key(thing, reader), bag.namespace == namespace)
        )

    def _key(self, thing: Thing, reader: str) -> ColumnElement[bool]:
        bag = self._table.c
        return and_(bag.thing == thing[0], bag.part == thing[1], bag.reader == reader)

    async def remove_beside(self, things: Collection[str]) -> None:
        """Remove all bags beside things that are deleted, and beside their parts."""
        await self._session.execute(delete(self._table).where(self._table.c.thing.in_(things)))

    async def remove_parts(self, thing: str, parts: Collection[str]) -> None:
        """Remove all bags beside parts of a thing that are deleted."""
        bag = self._table.c
        await self._session.execute(delete(self._table).where(bag.thing == thing, bag.part.in_(parts)))

    async def forget(self, account: str) -> bool:
        """Take a step of removing what an account that is deleted alone has read; tell whether more waits."""
        return await remove_step(self._session, (self._table, self._table.c.reader == account))
