"""Gap-free counters inside a service's database.

``next_value`` locks its scope's row until the surrounding transaction ends, so numbers become visible in the
order in which they were given out, and a rolled-back transaction gives its number back. That is what lets a
subscription resume "after 41" without missing or doubling anything.
"""

from collections.abc import Collection

from sqlalchemy import Column, Integer, MetaData, String, Table, bindparam, text
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.database import is_sqlite
from services.shared.retention import WithOwner, state_life

_NEXT = text(
    "INSERT INTO sequence (scope, value) VALUES (:scope, :count) "
    "ON CONFLICT (scope) DO UPDATE SET value = sequence.value + :count RETURNING value"
)
_FORGET = text("DELETE FROM sequence WHERE scope IN :scopes").bindparams(
    bindparam("scopes", expanding=True, type_=String)
)


def sequence_table(metadata: MetaData) -> Table:
    """Add the table of counters to a service's tables."""
    table = Table(
        "sequence",
        metadata,
        Column("scope", String(80), primary_key=True),
        Column("value", Integer, nullable=False),
    )
    return state_life(table, WithOwner("what it numbers"))


async def next_value(session: AsyncSession, scope: str, *, count: int = 1) -> int:
    """Count ``scope`` up and give the new value; the first is 1.

    Args:
        session: a unit of work.
        scope: what is counted, for instance ``log:cmp_...``.
        count: how many numbers to take; the last of them is returned.
    """
    result = await session.execute(_NEXT, {"scope": scope, "count": count})
    return int(result.scalar_one())


async def take_turns(session: AsyncSession, scope: str) -> None:
    """Hold ``scope`` until the transaction ends; units of work that name it run one after another.

    On SQLite all of them do, whatever they name.
    """
    if not is_sqlite(session):
        await next_value(session, scope, count=0)


async def forget(session: AsyncSession, scopes: Collection[str]) -> None:
    """Delete the counters and turns of what is gone; whoever waits for one of them counts from 1 again."""
    await session.execute(_FORGET, {"scopes": list(scopes)})
