"""The same request twice has one effect and one answer.

A mutation with an idempotency key claims the key in the transaction of its own effect. Whoever comes second,
a retry or a parallel double, waits for that transaction and then gets the answer of the first; another
request under the same key is a conflict. Keys belong to an account and are forgotten after a day.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import Column, MetaData, String, Table, delete, select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.database import Utc
from services.shared.graphql.errors import PublicError

MAX_KEY = 255
KEPT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Fresh:
    """The key is new: carry the request out, then ``remember`` its answer."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The request was carried out before; ``answer`` is what was remembered (an id, as a rule)."""

    answer: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """The key was used for another request."""


def idempotency_table(metadata: MetaData) -> Table:
    """Add the table of used keys to a service's tables."""
    return Table(
        "idempotency",
        metadata,
        Column("owner", String(40), primary_key=True),
        Column("key", String(MAX_KEY), primary_key=True),
        Column("fingerprint", String(64), nullable=False),
        Column("answer", String(400), nullable=True),
        Column("created_at", Utc, nullable=False, index=True),
    )


def checked_key(key: str | None) -> str | None:
    """Check a caller's key.

    Raises:
        PublicError: ``BAD_IDEMPOTENCY_KEY`` outside 1 to 255 characters, or with one that cannot be printed.
    """
    if key is not None and not (1 <= len(key) <= MAX_KEY and key.isprintable()):
        raise PublicError(
            "BAD_IDEMPOTENCY_KEY", f"`idempotencyKey` must have 1 to {MAX_KEY} printable characters."
        )
    return key


async def claim(
    session: AsyncSession,
    table: Table,
    owner: str,
    key: str | None,
    request: Mapping[str, Any],
    moment: datetime,
) -> Fresh | Replay | Conflict:
    """Claim a key for a request, inside the unit of work that will carry the request out.

    Args:
        session: the unit of work.
        table: the service's table of used keys.
        owner: account id of the caller.
        key: the caller's idempotency key; none claims nothing and is always fresh.
        request: what is asked for, as JSON-able data; compared by hash.
        moment: the present moment.
    """
    if key is None:
        return Fresh()
    fingerprint = hashlib.sha256(orjson.dumps(dict(request), option=orjson.OPT_SORT_KEYS)).hexdigest()
    await session.execute(
        delete(table).where(table.c.owner == owner, table.c.key == key, table.c.created_at < moment - KEPT)
    )
    insert = sqlite_insert if session.get_bind().dialect.name == "sqlite" else postgresql_insert
    claimed = await session.execute(
        insert(table)
        .values(owner=owner, key=key, fingerprint=fingerprint, created_at=moment)
        .on_conflict_do_nothing()
        .returning(table.c.key)
    )
    if claimed.first() is not None:
        return Fresh()
    row = (
        await session.execute(
            select(table.c.fingerprint, table.c.answer).where(table.c.owner == owner, table.c.key == key)
        )
    ).one()
    if row.fingerprint != fingerprint:
        return Conflict()
    # A claim without an answer was committed by a use case that ended in a problem: nothing was done.
    return Fresh() if row.answer is None else Replay(row.answer)


async def was_claimed(session: AsyncSession, table: Table, owner: str, key: str | None) -> bool:
    """Tell whether a request was carried out under a key already."""
    if key is None:
        return False
    query = select(table.c.answer).where(table.c.owner == owner, table.c.key == key)
    return (await session.execute(query)).scalar() is not None


async def remember(session: AsyncSession, table: Table, owner: str, key: str | None, answer: str) -> None:
    """Store the answer of a request carried out under a fresh key."""
    if key is not None:
        await session.execute(
            update(table).where(table.c.owner == owner, table.c.key == key).values(answer=answer)
        )


async def forget_old(session: AsyncSession, table: Table, moment: datetime) -> None:
    """Delete the keys that are older than a day."""
    await session.execute(delete(table).where(table.c.created_at < moment - KEPT))
