"""The rows that are deleted, and those that are handed on. What may be thousands goes in steps, each in a
unit of work of its own: an account with ten thousand maps holds nobody up longer than one with a hundred."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import orjson
from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.cancelling import cancel_next
from services.map.events import deleted, edited
from services.map.leading import write
from services.map.led import released
from services.map.models import (
    BAGS,
    IDEMPOTENCY,
    JOB_CHANGES,
    JOBS,
    METADATA,
    OUTBOX,
    SHARES,
    UPDATES,
    BatchPart,
    MapEdit,
    MapFile,
    MapRow,
    SceneBoard,
)
from services.map.play.state import STATE_CODEC
from services.map.pricing import points_not_begun
from services.map.repository import PARTS, Usages
from services.map.updates import Listed, note_gone, note_listed
from services.shared.jobs import JobState, ended, json_text
from services.shared.metadata.bags import Bags
from services.shared.outbox import publish_all
from services.shared.pruning import remove_step
from services.shared.updates import PlaceUpdates

STEP = 200
"""Maps or jobs that one step deletes or hands on."""

NOBODY = ""
"""The owner of a batch that is being deleted: whoever asks for it finds none."""


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

    async def batch(self, batch: str, owner: str) -> int:
        """Deletes a batch with its jobs, which nobody sees from then on, as far as one step comes.

        Of a long one the rest is removed by ``next_of_batch``: its whole is nobody's until it goes, last.

        Returns:
            The points that were charged for the parts which were cancelled here and had not been begun.
        """
        points, more = await self.next_of_batch(batch, owner)
        if more:
            withdrawn = {"owner": NOBODY, "campaign": None, "params": json_text({"owner": owner})}
            await self._session.execute(
                update(JOBS)
                .where(JOBS.c.id == batch)
                .values(**withdrawn, **ended(JobState.CANCELLED, self._moment))
            )
        return points

    async def withdrawn(self) -> tuple[str, str] | None:
        """Reads a batch of which something is left, and whose it was."""
        query = select(JOBS.c.id, JOBS.c.params).where(JOBS.c.owner == NOBODY, JOBS.c.whole.is_(None))
        found = (await self._session.execute(query.limit(1))).first()
        return None if found is None else (found.id, str(orjson.loads(found.params)["owner"]))

    async def next_of_batch(self, batch: str, owner: str) -> tuple[int, bool]:
        """Takes a step of deleting a batch: first its parts end, then what they made goes off its owner's
        usage, then the jobs go.

        Returns:
            The points to be given back, and whether another step is to be taken.
        """
        cancelled = await PARTS.cancel(self._session, batch, self._moment, limit=STEP)
        points = points_not_begun(cancelled)
        if len(cancelled) == STEP:
            return points, True
        usage = await Usages(self._session).held(owner)
        query = select(col(BatchPart.job), col(BatchPart.bytes)).where(col(BatchPart.batch) == batch)
        made = (await self._session.execute(query.limit(STEP))).all()
        await self._session.execute(
            delete(BatchPart).where(col(BatchPart.job).in_([row.job for row in made]))
        )
        if usage.erased_at is None:
            usage.bytes -= sum(row.bytes for row in made)
        if len(made) == STEP:
            return points, True
        ids = select(JOBS.c.id).where(or_(JOBS.c.whole == batch, JOBS.c.id == batch))
        more = await remove_step(
            self._session,
            (JOB_CHANGES, JOB_CHANGES.c.job.in_(ids)),
            (JOBS, JOBS.c.whole == batch),
            (JOBS, JOBS.c.id == batch),
        )
        return points, more

    # What follows where others delete

    async def free(self, scenes: Collection[str]) -> None:
        """Frees the maps that scenes lead: they stay as they look, and tokens are handed back."""
        query = select(MapRow).where(col(MapRow.scene).in_(scenes)).order_by(col(MapRow.id)).with_for_update()
        for row in (await self._session.execute(query)).scalars().all():
            scene, row.scene = str(row.scene), None
            await note_listed(self._session, [row])
            state = None if row.state is None else STATE_CODEC.load(orjson.loads(row.state))
            handed_back = None if state is None else released(state)
            if state is not None and handed_back is not None and handed_back != state:
                await write(self._session, row, (state, handed_back), scene, self._moment)
            else:
                await publish_all(self._session, OUTBOX, [edited(row.id)], self._moment)

    async def leave(self, campaign: str) -> bool:
        """Makes the next maps, jobs and batches of a campaign their owners'; tells whether more wait."""
        for own in (JOBS.c.whole.is_not(None), JOBS.c.whole.is_(None)):
            query = select(JOBS.c.id).where(JOBS.c.campaign == campaign, own).limit(STEP)
            jobs = (await self._session.execute(query)).scalars().all()
            await self._session.execute(update(JOBS).where(JOBS.c.id.in_(jobs)).values(campaign=None))
            if len(jobs) == STEP:
                return True
        maps = await self._next_maps(col(MapRow.campaign) == campaign)
        await self._session.execute(update(MapRow).where(col(MapRow.id).in_(maps)).values(campaign=None))
        await self._listed_anew(maps)
        if len(maps) == STEP:
            return True
        await PlaceUpdates(self._session, UPDATES).forget(campaign)
        return False

    async def cancel_orders(self, owner: str, campaign: str) -> tuple[int, bool]:
        """Take a step of cancelling the jobs and batches that an account has ordered for a campaign.

        Returns:
            The points that were charged for the parts which were cancelled here and had not been begun, and
            whether another step is to be taken.
        """
        open_orders = select(JOBS.c.id).where(
            JOBS.c.owner == owner,
            JOBS.c.campaign == campaign,
            JOBS.c.whole.is_(None),
            JOBS.c.line.is_not(None),
        )
        job = (await self._session.execute(open_orders.limit(1))).scalar_one_or_none()
        if job is None:
            return 0, False
        return (await cancel_next(self._session, job, self._moment)).points, True

    async def jobs_of(self, owner: str) -> bool:
        """Ends the jobs and batches of an account, so that nobody adds to them any more, and deletes them.

        Returns:
            Whether there may be more, and another step is to be taken.
        """
        own = JOBS.c.owner == owner
        for which in (JOBS.c.whole.is_not(None), JOBS.c.whole.is_(None)):
            query = select(JOBS.c.id).where(own, which, JOBS.c.line.is_not(None)).limit(STEP)
            jobs = (await self._session.execute(query)).scalars().all()
            over = update(JOBS).where(JOBS.c.id.in_(jobs), JOBS.c.line.is_not(None))
            await self._session.execute(over.values(**ended(JobState.CANCELLED, self._moment)))
            if len(jobs) == STEP:
                return True
        ids = select(JOBS.c.id).where(own)
        parts = METADATA.tables["batch_part"]
        return await remove_step(
            self._session,
            (JOB_CHANGES, JOB_CHANGES.c.job.in_(ids)),
            (parts, parts.c.batch.in_(ids)),
            (JOBS, own & JOBS.c.whole.is_not(None)),
            (JOBS, own),
        )

    async def close(self, owner: str) -> None:
        """Takes everything off an account's usage, and lets nothing be added for it any more."""
        usage = await Usages(self._session).held(owner)
        usage.maps = usage.bytes = 0
        usage.erased_at = self._moment
        for table in (SHARES, IDEMPOTENCY):
            await self._session.execute(delete(table).where(table.c.owner == owner))
        await PlaceUpdates(self._session, UPDATES).forget(owner)

    async def hand_on(self, owner: str, campaign: str, heir: str) -> bool:
        """Makes an account's next maps of a campaign those of another, whatever the quota of that one is.

        Returns:
            Whether there may be more, and another step is to be taken.
        """
        maps = await self._next_maps(col(MapRow.owner) == owner, col(MapRow.campaign) == campaign)
        if maps:
            theirs = col(MapRow.id).in_(maps)
            size = (await self._session.execute(select(func.sum(MapRow.bytes)).where(theirs))).scalar_one()
            await Usages(self._session).add(heir, maps=len(maps), size=int(size))
            await self._session.execute(update(MapRow).where(theirs).values(owner=heir))
            await self._listed_anew(maps)
        return len(maps) == STEP

    async def maps_of(self, owner: str, *, keep: Collection[str] = ()) -> bool:
        """Delete the next maps of an account whose usage is closed, and publish each.

        Args:
            owner: the account.
            keep: ids of the campaigns whose maps stay.

        Returns:
            Whether there may be more, and another step is to be taken.
        """
        gone = or_(col(MapRow.campaign).is_(None), col(MapRow.campaign).not_in(keep))
        query = select(col(MapRow.id), col(MapRow.campaign)).where(col(MapRow.owner) == owner, gone)
        found = (await self._session.execute(query.limit(STEP))).all()
        await self._maps({row.id: row.campaign for row in found})
        return len(found) == STEP

    async def _next_maps(self, *which: ColumnElement[bool]) -> Sequence[str]:
        return (await self._session.execute(select(col(MapRow.id)).where(*which).limit(STEP))).scalars().all()

    async def _listed_anew(self, maps: Sequence[str]) -> None:
        """Tell of maps in the list that they are in now; the one where they were is read by nobody."""
        query = select(col(MapRow.id), col(MapRow.owner), col(MapRow.campaign), col(MapRow.sharing))
        found = (await self._session.execute(query.where(col(MapRow.id).in_(maps)))).all()
        await note_listed(self._session, [Listed(*row) for row in found])

    async def _maps(self, campaigns: Mapping[str, str | None]) -> None:
        """Deletes maps, by id with their campaigns, and tells of each."""
        for row in (MapEdit, MapFile, SceneBoard):
            await self._session.execute(delete(row).where(col(row.map).in_(campaigns)))
        await Bags(self._session, BAGS).remove_beside(campaigns)
        await self._session.execute(delete(MapRow).where(col(MapRow.id).in_(campaigns)))
        await note_gone(self._session, campaigns)
        facts = [deleted(one, campaign) for one, campaign in campaigns.items()]
        await publish_all(self._session, OUTBOX, facts, self._moment)
