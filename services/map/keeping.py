"""Keeping a map that is at hand as one of its own, once for each idempotency key."""

from collections.abc import Mapping
from typing import Any

from services.map.events import made
from services.map.looking import Look
from services.map.models import IDEMPOTENCY, MapRow
from services.map.play.state import FogMode
from services.map.quotas import QuotaExceeded, Quotas
from services.map.repository import Maps, Records
from services.map.sharing import standing
from services.shared.access import Access
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.problems import IdempotencyConflict, InvalidInput, NotFound


async def keep_map(
    database: Database,
    quotas: Quotas,
    access: Access,
    row: MapRow,
    request: Mapping[str, Any],
    key: str | None,
    *,
    beside: int = 0,
) -> Look | IdempotencyConflict | NotFound | InvalidInput:
    """Keep a map in a unit of work of its own, and publish it unless it is hidden.

    Args:
        database: where maps are kept.
        quotas: what accounts may have.
        access: of who keeps it, the map's owner.
        row: the map, made at this moment.
        request: what was asked for, as JSON-able data.
        key: idempotency key of who asks, if any: the same gives the map that was kept under it.
        beside: bytes of what was stored beside it, such as its picture.

    Returns:
        The map, or why it is not kept: `QUOTA_EXCEEDED` among the issues when the account has enough.
    """
    try:
        return await _kept(database, quotas, access, row, request, key, beside)
    except QuotaExceeded as exceeded:
        return exceeded.problem


async def _kept(
    database: Database,
    quotas: Quotas,
    access: Access,
    row: MapRow,
    request: Mapping[str, Any],
    key: str | None,
    beside: int,
) -> Look | IdempotencyConflict | NotFound:
    async with database.write() as session:
        claimed = await claim(session, IDEMPOTENCY, row.owner, key, request, row.created_at)
        if isinstance(claimed, Conflict):
            return IdempotencyConflict.of()
        if isinstance(claimed, Replay):
            known = await Maps(session, access).one(claimed.answer)
            return Look(known, standing(access, known)) if known else NotFound.of("map", "idempotencyKey")
        await quotas.count(session, row.owner, maps=1, size=len(row.model.encode()) + beside)
        fact = None if row.sharing == FogMode.HIDDEN else made(row)
        await Records(session).add_map(row, [], fact, row.created_at)
        await remember(session, IDEMPOTENCY, row.owner, key, row.id)
    return Look(row, standing(access, row))
