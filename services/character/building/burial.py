"""How all characters of an account are deleted: some at a time, by statements over all of these."""

from datetime import datetime

from sqlalchemy import update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.events import deleted
from services.character.building.models import CharacterRow
from services.character.building.repository import next_of_owner
from services.character.packs.models import PackUseRow
from services.character.packs.repository import forget_versions_of_deleted
from services.character.tables import METADATA, OUTBOX
from services.shared.outbox import publish_all
from services.shared.pruning import remove_step


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
    gone = await next_of_owner(session, owner, limit)
    ids = [row.id for row in gone]
    if await _forget(session, ids):
        return True
    facts = [deleted(CharacterRow(**{**row._mapping, "version": row.version + 1}), row.name) for row in gone]
    emptied = {"name": "", "choices": {}, "sheet": {}, "packs": [], "version": CharacterRow.version + 1}
    await session.execute(
        update(CharacterRow)
        .where(col(CharacterRow.id).in_(ids))
        .values(deleted_at=moment, updated_at=moment, **emptied),
        execution_options={"synchronize_session": False},
    )
    await publish_all(session, OUTBOX, facts, moment)
    return len(gone) == limit


async def _forget(session: AsyncSession, characters: list[str]) -> bool:
    """Take a step of removing what belongs to characters; tell whether more waits."""
    theirs = [METADATA.tables[name] for name in ("scene_change", "character_version", "pack_use")]
    query = select(PackUseRow.pack).where(col(PackUseRow.character).in_(characters)).distinct()
    packs = (await session.exec(query)).all()
    more = await remove_step(session, *((table, table.c.character.in_(characters)) for table in theirs))
    await forget_versions_of_deleted(session, packs)
    return more
