"""Keeping a map that is at hand as one of its own, once for each idempotency key."""

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.events import made
from services.map.looking import Look
from services.map.models import MapRow
from services.map.play.state import FogMode
from services.map.quotas import Quotas
from services.map.repository import Maps, Records
from services.map.requests import ImportMap, KeepMap
from services.map.sharing import access_at, editor_of
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.policy import Seat
from services.shared.problems import NotFound


async def keep_map(
    database: Database,
    quotas: Quotas,
    viewer: Viewer,
    seat: Seat,
    row: MapRow,
    asked: KeepMap | ImportMap,
    key: str | None,
    *,
    beside: int = 0,
) -> Look:
    """Keeps a map in a unit of work of its own, and publishes it unless it is hidden.

    Args:
        database: where maps are kept.
        quotas: what accounts may have.
        viewer: who keeps it, the map's owner.
        seat: theirs, at the table it is for.
        row: the map, made at this moment.
        asked: the request.
        key: idempotency key of who asks, if any: the same has the map that was kept under it.
        beside: bytes of what was stored beside it, such as its picture.

    Raises:
        QuotaExceeded: the account has enough.
        IdempotencyConflict: the key was used for another request.
        NotFound: what was kept under the key is not theirs to see any more.
    """
    access = access_at(seat)
    async with database.write() as session, once(session, viewer, key, asked, row.created_at) as done:
        if done.answer is not None:
            return await _known(session, access, done.answer)
        row.bytes = len(row.model.encode()) + beside
        await quotas.count(session, row.owner, maps=1, size=row.bytes)
        fact = None if row.sharing == FogMode.HIDDEN else made(row)
        await Records(session).add_map(row, [], fact, row.created_at)
        done.answer = row.id
    return Look(row, editor_of(access, row))


async def kept_before(
    database: Database,
    viewer: Viewer,
    seat: Seat,
    asked: KeepMap | ImportMap,
    key: str | None,
    moment: datetime,
) -> Look | None:
    """Returns the map that was kept under a key, before work that it makes needless; None if there is none.

    Raises:
        IdempotencyConflict: the key was used for another request.
        NotFound: what was kept under the key is not theirs to see any more.
    """
    async with database.read() as session:
        known = await answered(session, viewer, key, asked, moment)
        return None if known is None else await _known(session, access_at(seat), known)


async def _known(session: AsyncSession, access: Access, map_id: str) -> Look:
    row = await Maps(session, access).one(map_id)
    if row is None:
        raise NotFound.of("map", "idempotencyKey")
    return Look(row, editor_of(access, row))
