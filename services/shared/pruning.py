"""Removes rows in small steps: those whose time is over, and those of what is deleted. Each step is a short
unit of work that holds nobody up.

Every step finds its rows by an index and removes at most ``STEP`` of them. Any number of processes may do so
at once, and a step that is lost is taken again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, MetaData, Table, delete, select, text, tuple_
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.retention import LIFE, After, OnceRead, WithOwner

STEP = 500
"""The most rows that one step removes, those that belong to them not counted."""


async def prune_expired(session: AsyncSession, table: Table, moment: datetime) -> int:
    """Removes rows whose time is over, and what belongs to them.

    Args:
        session: a unit of work.
        table: a table whose rows live for some time after a moment.
        moment: now.

    Returns:
        How many rows of the table were removed; ``STEP`` where there may be more.
    """
    life = table.info[LIFE]
    assert isinstance(life, After)
    found: dict[tuple[object, ...], None] = {}
    for name in life.since:
        if len(found) < STEP:
            found |= dict.fromkeys(await _due(session, table, life, name, moment, STEP - len(found)))
    if keys := [*found]:
        for child, column in _belonging(table):
            await session.execute(delete(child).where(column.in_([key for (key,) in keys])))
        await session.execute(delete(table).where(_one_of(table, keys)))
    return len(keys)


async def prune_read(session: AsyncSession, outbox: Table, moment: datetime, read: int | None) -> int:
    """Removes published events that nobody needs any more.

    Args:
        session: a unit of work.
        outbox: the table of events.
        moment: now.
        read: the position up to which every reader has read; None where there is no reader.

    Returns:
        How many were removed; ``STEP`` where there may be more.
    """
    life = outbox.info[LIFE]
    assert isinstance(life, OnceRead)
    query = select(outbox.c.id).where(outbox.c.published_at < moment - life.kept)
    if read is not None:
        query = query.where(outbox.c.position <= read)
    ids = (await session.execute(query.order_by(outbox.c.published_at).limit(STEP))).scalars().all()
    if ids:
        await session.execute(delete(outbox).where(outbox.c.id.in_(ids)))
    return len(ids)


async def remove_step(
    session: AsyncSession, *doomed: tuple[Table, ColumnElement[bool]], limit: int = STEP
) -> bool:
    """Remove at most ``limit`` rows of tables, those of the first table before those of the next.

    Args:
        session: a unit of work.
        doomed: tables, each with the condition of the rows to be removed, in an order in which no row goes
            before those that point at it.
        limit: the most rows.

    Returns:
        Whether there may be more, and another step is to be taken.
    """
    for table, condition in doomed:
        query = select(*table.primary_key.columns).where(condition).limit(limit)
        keys = [tuple(row) for row in await session.execute(query)]
        if keys:
            await session.execute(delete(table).where(_one_of(table, keys)))
        limit -= len(keys)
        if limit <= 0:
            return True
    return False


async def _due(
    session: AsyncSession, table: Table, life: After, since: str, moment: datetime, limit: int
) -> list[tuple[object, ...]]:
    """Reads the keys of rows whose time is over, those first for which it has been so the longest."""
    column = table.c[since]
    query = (
        select(*table.primary_key.columns).where(column < moment - life.kept).order_by(column).limit(limit)
    )
    if life.unless is not None:
        query = query.where(text(f"NOT ({life.unless})"))
    return [tuple(row) for row in await session.execute(query.order_by(column).limit(limit))]


def _one_of(table: Table, keys: Sequence[tuple[object, ...]]) -> ColumnElement[bool]:
    columns = [*table.primary_key.columns]
    if len(columns) == 1:
        return col(columns[0]).in_([key for (key,) in keys])
    return tuple_(*columns).in_(keys)


def _belonging(table: Table) -> list[tuple[Table, Column[Any]]]:
    """Lists the tables whose rows go with the rows of a table, each with the column that names these."""
    metadata: MetaData = table.metadata
    found = []
    for child in metadata.tables.values():
        life = child.info.get(LIFE)
        if isinstance(life, WithOwner) and life.table == table.name and life.column is not None:
            found.append((child, child.c[life.column]))
    return found
