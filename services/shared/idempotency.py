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
from services.shared.graphql.errors import PublicError
from services.shared.problems import IdempotencyConflict
from services.shared.retention import After, state_life

MAX_KEY = 255
KEPT = timedelta(hours=24)
LIFE = After(KEPT, ("created_at",), "The same request gets the same answer for a day.")


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


@dataclass(slots=True)
class Once:
    """A request that is carried out once.

    Attributes:
        answer: what names its effect, an id as a rule: known where the request was carried out before under
            the same key, and then there is nothing to do but to answer it again; to be set otherwise.
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
    match await claim(session, _USED, viewer.account, key, request, moment):
        case Conflict():
            raise IdempotencyConflict.of()
        case Replay(answer):
            yield Once(answer, before=True)
        case Fresh():
            done = Once()
            yield done
            if done.answer is not None:
                await remember(session, _USED, viewer.account, key, done.answer)


async def answered(
    session: AsyncSession, viewer: Viewer, key: str | None, request: Any, moment: datetime
) -> str | None:
    """Return what ``once`` would answer again, without claiming the key: before work that a replay is spared.

    Raises:
        IdempotencyConflict: the key was used for another request.
    """
    match await look_up(session, _USED, viewer.account, key, request, moment):
        case Conflict():
            raise IdempotencyConflict.of()
        case Replay(answer):
            return answer
    return None


class KeyLocks:
    """Lets requests under one key in one at a time: only the first pays and works, the rest find its answer.

    What has one effect is decided by ``claim``, in the database; this spares one process the work that its
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


async def claim(
    session: AsyncSession,
    table: Any,
    owner: str,
    key: str | None,
    request: Any,
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
    fingerprint = fingerprint_of(request)
    await session.execute(
        delete(table).where(table.c.owner == owner, table.c.key == key, table.c.created_at < moment - KEPT)
    )
    claimed = await session.execute(
        insert_once(
            session, table, owner=owner, key=key, fingerprint=fingerprint, created_at=moment
        ).returning(table.c.key)
    )
    if claimed.first() is not None:
        return Fresh()
    return await look_up(session, table, owner, key, request, moment)


async def look_up(
    session: AsyncSession,
    table: Any,
    owner: str,
    key: str | None,
    request: Any,
    moment: datetime,
) -> Fresh | Replay | Conflict:
    """Looks what ``claim`` would say, without claiming anything: before work that a replay must not pay for.

    Args:
        session: any.
        table: the service's table of used keys.
        owner: account id of the caller.
        key: the caller's idempotency key, if any.
        request: what is asked for, as for ``claim``.
        moment: the present moment.
    """
    query = select(table.c.fingerprint, table.c.answer).where(
        table.c.owner == owner, table.c.key == key, table.c.created_at >= moment - KEPT
    )
    row = None if key is None else (await session.execute(query)).first()
    if row is None:
        return Fresh()
    if row.fingerprint != fingerprint_of(request):
        return Conflict()
    # A claim without an answer was committed by a use case that ended in a problem: nothing was done.
    return Fresh() if row.answer is None else Replay(row.answer)


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


async def remember(session: AsyncSession, table: Any, owner: str, key: str | None, answer: str) -> None:
    """Store the answer of a request carried out under a fresh key."""
    if key is not None:
        await session.execute(
            update(table).where(table.c.owner == owner, table.c.key == key).values(answer=answer)
        )
