"""The same request twice has one effect and one answer.

A mutation with an idempotency key claims the key in the transaction of its own effect. Whoever comes second,
a retry or a parallel double, waits for that transaction and then gets the answer of the first; another
request under the same key is a conflict. Keys belong to an account and are forgotten after a day.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, is_dataclass
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

import orjson
from sqlalchemy import Column, MetaData, String, Table, column, delete, select, table, update
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.auth import Viewer
from services.shared.database import Utc, insert_once
from services.shared.problems import IdempotencyConflict, PublicError
from services.shared.retention import After, state_life

MAX_KEY = 255
KEPT = timedelta(hours=24)
LIFE = After(KEPT, ("created_at",), "The same request gets the same answer for a day.")


@dataclass(slots=True)
class Once:
    """A request that is carried out once.

    Attributes:
        answer: what names its effect, an id as a rule: known where the request was carried out before under
            the same key, and then there is nothing to do but to answer it again; to be set otherwise. It is
            stored as it is, so it never holds a secret.
        before: whether it was carried out before.
    """

    answer: str | None = None
    before: bool = False


_USED = table(
    "idempotency",
    column("owner", String),
    column("key", String),
    column("fingerprint", String),
    column("answer", String),
    column("created_at", Utc),
)
"""The table as each service has it; see ``idempotency_table``."""


@asynccontextmanager
async def once(
    session: AsyncSession, viewer: Viewer, key: str | None, request: Any, moment: datetime
) -> AsyncIterator[Once]:
    """Carry a request out once, inside the unit of work that carries it out.

    The key is claimed in the transaction of the effect and forgotten with it: a request that ends in a
    problem leaves its key fresh. A parallel double waits for that transaction. ::

        async with database.write() as session, once(session, viewer, key, asked, moment) as done:
            if not done.before:
                ...
                done.answer = row.id
            return await things.one(done.answer)

    Args:
        session: the unit of work.
        viewer: who asks; keys belong to their account.
        key: the caller's idempotency key; without one nothing is claimed and nothing remembered.
        request: what is asked for: a dataclass or JSON-able data, compared by hash.
        moment: the present moment.

    Raises:
        IdempotencyConflict: the key was used for another request.
    """
    if key is None:
        yield Once()
        return
    mine = _USED.c.owner == viewer.account, _USED.c.key == key
    await session.execute(delete(_USED).where(*mine, _USED.c.created_at < moment - KEPT))
    claim = insert_once(
        session,
        _USED,
        owner=viewer.account,
        key=key,
        fingerprint=fingerprint_of(request),
        created_at=moment,
    )
    claimed = await session.execute(claim.returning(_USED.c.key))
    known = None if claimed.first() is not None else await answered(session, viewer, key, request, moment)
    done = Once(known, before=known is not None)
    yield done
    if not done.before and done.answer is not None:
        await session.execute(update(_USED).where(*mine).values(answer=done.answer))


async def answered(
    session: AsyncSession, viewer: Viewer, key: str | None, request: Any, moment: datetime
) -> str | None:
    """Return what ``once`` would answer again, without claiming the key: before work that a replay is spared.

    Returns:
        None too where the key was claimed and its request had no effect.

    Raises:
        IdempotencyConflict: the key was used for another request.
    """
    if key is None:
        return None
    query = select(_USED.c.fingerprint, _USED.c.answer).where(
        _USED.c.owner == viewer.account, _USED.c.key == key, _USED.c.created_at >= moment - KEPT
    )
    row = (await session.execute(query)).first()
    if row is None:
        return None
    if row.fingerprint != fingerprint_of(request):
        raise IdempotencyConflict.of()
    answer: str | None = row.answer
    return answer


class KeyLocks:
    """Lets requests under one key in one at a time: only the first pays and works, the rest find its answer.

    What has one effect is decided by ``once``, in the database; this spares one process the work that its
    transaction would then throw away.
    """

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def held(self, owner: str, key: str | None) -> AsyncIterator[None]:
        """Waits until no other request of the owner has the key; requests without one never wait."""
        if key is None:
            yield
            return
        lock = self._locks.setdefault((owner, key), asyncio.Lock())
        async with lock:
            yield


def idempotency_table(metadata: MetaData) -> Table:
    """Add the table of used keys to a service's tables."""
    used = Table(
        "idempotency",
        metadata,
        Column("owner", String(40), primary_key=True),
        Column("key", String(MAX_KEY), primary_key=True),
        Column("fingerprint", String(64), nullable=False),
        Column("answer", String(400), nullable=True),
        Column("created_at", Utc, nullable=False, index=True),
    )
    return state_life(used, LIFE)


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


def fingerprint_of(request: Any) -> str:
    """Computes the hash by which requests are compared; of a dataclass, its name counts too."""
    named = [type(request).__name__, request] if is_dataclass(request) else request
    return hashlib.sha256(orjson.dumps(named, default=_spelled, option=_SPELLING)).hexdigest()


_SPELLING = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS


def _spelled(value: Any) -> Any:
    """Spell what JSON has no word for: sets in order, all else as Python writes it."""
    return (
        sorted(value)
        if isinstance(value, set | frozenset)
        else dict(value)
        if isinstance(value, Mapping)
        else repr(value)
    )
