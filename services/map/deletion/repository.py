"""The rows that are deleted, and those that are handed on: by statements over all of them, or in steps, so
that an account with ten thousand maps takes no more memory than one with a hundred."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, func, or_, select, update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.events import deleted, edited
from services.map.models import (
    IDEMPOTENCY,
    JOB_CHANGES,
    JOBS,
    OUTBOX,
    SHARES,
    BatchPart,
    MapEdit,
    MapFile,
    MapRow,
    SceneBoard,
)
from services.map.repository import BOOK, PARTS, Records, Usages
from services.shared.jobs import JobState, ended
from services.shared.outbox import publish_all

STEP = 500
"""Maps that are deleted at once."""


class Removals:
    """Deletes rows and hands them on.

    Args:
        session: a unit of work.
        moment: now.
    """

    def __init__(self, session: AsyncSession, moment: datetime) -> None:
        self._session = session
        self._moment = moment

    # What one deletes

    async def map(self, row: MapRow) -> None:
        """Deletes a map that is held, takes it off its owner's usage, and tells of it."""
        await Usages(self._session).add(row.owner, maps=-1, size=-row.bytes)
        await self._maps({row.id: row.campaign})

    async def batch(self, batch: str, owner: str) -> None:
        """Deletes a batch whose parts have all ended, with its jobs, and takes it off its owner's usage."""
        usages = Usages(self._session)
        await usages.held(owner)
        gone = delete(BatchPart).where(col(BatchPart.batch) == batch).returning(col(BatchPart.bytes))
        await usages.add(owner, size=-sum((await self._session.execute(gone)).scalars()))
        for own in (JOBS.c.whole == batch, JOBS.c.id == batch):
            await self._session.execute(
                delete(JOB_CHANGES).where(JOB_CHANGES.c.job.in_(select(JOBS.c.id).where(own)))
            )
            await self._session.execute(delete(JOBS).where(own))

    # What follows where others delete

    async def free(self, scenes: Collection[str]) -> None:
        """Frees the maps that scenes lead; they stay as they look."""
        freed = (
            update(MapRow).where(col(MapRow.scene).in_(scenes)).values(scene=None).returning(col(MapRow.id))
        )
        ids = (await self._session.execute(freed)).scalars().all()
        await publish_all(self._session, OUTBOX, [edited(one) for one in ids], self._moment)

    async def leave(self, campaign: str) -> None:
        """Makes the maps, jobs and batches of a campaign their owners' alone."""
        for own in (JOBS.c.whole.is_not(None), JOBS.c.whole.is_(None)):
            await self._session.execute(
                update(JOBS).where(JOBS.c.campaign == campaign, own).values(campaign=None)
            )
        await self._session.execute(
            update(MapRow).where(col(MapRow.campaign) == campaign).values(campaign=None)
        )

    async def cancel_orders(self, owner: str, campaign: str) -> None:
        """Cancel the jobs and batches that an account has ordered for a campaign and that have not ended."""
        open_orders = select(JOBS.c.id).where(
            JOBS.c.owner == owner,
            JOBS.c.campaign == campaign,
            JOBS.c.whole.is_(None),
            JOBS.c.line.is_not(None),
        )
        records = Records(self._session)
        for job in (await self._session.execute(open_orders)).scalars().all():
            # Its parts first: who ends one of them holds it, and then waits for the whole.
            parts = await PARTS.cancel(self._session, job, self._moment)
            cancelled = await BOOK.cancel(self._session, job, self._moment)
            await records.note_all(parts if cancelled is None else [*parts, cancelled], self._moment)

    async def jobs_of(self, owner: str) -> None:
        """Ends all jobs and batches of an account, so that nobody adds to them any more, and deletes them."""
        own = JOBS.c.owner == owner
        for which in (JOBS.c.whole.is_not(None), JOBS.c.whole.is_(None)):
            over = update(JOBS).where(own, which, JOBS.c.line.is_not(None))
            await self._session.execute(over.values(**ended(JobState.CANCELLED, self._moment)))
        ids = select(JOBS.c.id).where(own)
        await self._session.execute(delete(JOB_CHANGES).where(JOB_CHANGES.c.job.in_(ids)))
        await self._session.execute(delete(BatchPart).where(col(BatchPart.batch).in_(ids)))
        await self._session.execute(delete(JOBS).where(own))

    async def close(self, owner: str) -> None:
        """Takes everything off an account's usage, and lets nothing be added for it any more."""
        usage = await Usages(self._session).held(owner)
        usage.maps = usage.bytes = 0
        usage.erased_at = self._moment
        for table in (SHARES, IDEMPOTENCY):
            await self._session.execute(delete(table).where(table.c.owner == owner))

    async def hand_on(self, owner: str, campaign: str, heir: str) -> None:
        """Makes an account's maps of a campaign those of another, whatever the quota of that one is."""
        theirs = col(MapRow.owner) == owner, col(MapRow.campaign) == campaign
        query = select(func.count(), func.sum(MapRow.bytes)).where(*theirs)
        maps, size = (await self._session.execute(query)).one()
        if maps:
            await Usages(self._session).add(heir, maps=maps, size=int(size))
            await self._session.execute(update(MapRow).where(*theirs).values(owner=heir))

    async def maps_of(self, owner: str, *, keep: Collection[str] = ()) -> None:
        """Delete all maps of an account whose usage is closed, and publish each.

        Args:
            owner: the account.
            keep: ids of the campaigns whose maps stay.
        """
        gone = or_(col(MapRow.campaign).is_(None), col(MapRow.campaign).not_in(keep))
        query = select(col(MapRow.id), col(MapRow.campaign)).where(col(MapRow.owner) == owner, gone)
        query = query.limit(STEP)
        while found := (await self._session.execute(query)).all():
            await self._maps({row.id: row.campaign for row in found})

    async def _maps(self, campaigns: dict[str, str | None]) -> None:
        """Deletes maps, by id with their campaigns, and tells of each."""
        for row in (MapEdit, MapFile, SceneBoard):
            await self._session.execute(delete(row).where(col(row.map).in_(campaigns)))
        await self._session.execute(delete(MapRow).where(col(MapRow.id).in_(campaigns)))
        facts = [deleted(one, campaign) for one, campaign in campaigns.items()]
        await publish_all(self._session, OUTBOX, facts, self._moment)
