"""Which job is next: accounts take turns, and who waits for one job goes before background work.

There are two lines. A single job, for which somebody waits, goes before the parts of wholes; a part still
goes first when single jobs of ``PASSING`` points have passed it, so that they never starve it. Within a line
the account is next that has used the least lately, by the points of what was begun for it, and of its jobs
the oldest. So a batch of thousands, or twenty of them, holds up somebody else's single job by one part.

What an account has used fades with a half-life: see ``services.shared.limits.decay``.
"""

from datetime import datetime

from sqlalchemy import Column, Float, Integer, MetaData, String, Table, case, exists, func, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.database import insert_once
from services.shared.jobs import Job, Line, is_due
from services.shared.limits.decay import highest_rank, rank_after
from services.shared.retention import WithOwner, state_life

PASSING = 2_000
"""Points of single jobs that go before a waiting part: four times what a part costs, so that background work
has a fifth of the time however many single jobs there are, on fast machines and on slow ones."""

MOST_OWNERS = 100
"""Accounts that are looked at in one turn; more only matter to workers that all begin at once."""


def shares_table(metadata: MetaData) -> Table:
    """Adds the table of what accounts have used lately to a service's tables."""
    table = Table(
        "job_share",
        metadata,
        Column("owner", String(40), primary_key=True),
        Column("rank", Float, nullable=False),
        # In the row of the line of parts alone: points of the single jobs begun since its last part.
        Column("passed", Integer, nullable=False),
    )
    return state_life(table, WithOwner("the account"))


class JobTurns:
    """Chooses jobs, each call inside a caller's unit of work.

    Args:
        jobs: the service's jobs table.
        shares: its table of shares.
    """

    def __init__(self, jobs: Table, shares: Table) -> None:
        self._jobs = jobs
        self._shares = shares

    async def next(self, session: AsyncSession, moment: datetime) -> str | None:
        """Chooses the job that is next, and keeps other workers from it until the unit of work ends.

        Returns:
            Its id; None when nothing is due, or others are just taking what is.
        """
        for line in await self._lines(session):
            for owner in await self._owners(session, line, moment):
                chosen = await self._oldest(session, line, owner, moment)
                if chosen is not None:
                    return chosen
        return None

    async def begun(self, session: AsyncSession, job: Job, moment: datetime) -> None:
        """Notes that a job was begun for its account, whenever that has been."""
        await self._use(session, job.owner, job.points, moment)
        shares = self._shares
        passed = 0 if job.whole is not None else shares.c.passed + job.points
        await session.execute(insert_once(session, shares, owner=Line.PART, rank=0.0, passed=0))
        await session.execute(update(shares).where(shares.c.owner == Line.PART).values(passed=passed))

    async def used(self, session: AsyncSession, job: Job, points: int, moment: datetime) -> None:
        """Notes what a job has used of whose cost nothing was known when it was begun."""
        await self._use(session, job.owner, points, moment)

    async def _lines(self, session: AsyncSession) -> tuple[Line, Line]:
        query = select(self._shares.c.passed).where(self._shares.c.owner == Line.PART)
        passed = (await session.execute(query)).scalar_one_or_none() or 0
        return (Line.PART, Line.SINGLE) if passed >= PASSING else (Line.SINGLE, Line.PART)

    async def _owners(self, session: AsyncSession, line: Line, moment: datetime) -> list[str]:
        """Reads whose jobs are due, who has used least first.

        The recursive query jumps from account to account in the index: its cost grows with the accounts that
        wait and not with their jobs.
        """
        jobs, shares = self._jobs, self._shares
        found = select(func.min(jobs.c.owner).label("owner")).where(jobs.c.line == line)
        waiting = found.cte("waiting", recursive=True)
        following = (
            select(func.min(jobs.c.owner))
            .where(jobs.c.line == line, jobs.c.owner > waiting.c.owner)
            .correlate(waiting)
            .scalar_subquery()
        )
        waiting = waiting.union_all(select(following).where(waiting.c.owner.is_not(None)))
        due = exists().where(jobs.c.line == line, jobs.c.owner == waiting.c.owner, is_due(jobs, moment))
        # A rank of a clock that has been set back since counts as none.
        rank = case((shares.c.rank <= highest_rank(moment.timestamp()), shares.c.rank))
        query = (
            select(waiting.c.owner)
            .outerjoin(shares, shares.c.owner == waiting.c.owner)
            .where(waiting.c.owner.is_not(None), due)
            .order_by(rank.asc().nulls_first(), waiting.c.owner)
            .limit(MOST_OWNERS)
        )
        return list((await session.execute(query)).scalars())

    async def _oldest(self, session: AsyncSession, line: Line, owner: str, moment: datetime) -> str | None:
        jobs = self._jobs
        query = (
            select(jobs.c.id)
            .where(jobs.c.line == line, jobs.c.owner == owner, is_due(jobs, moment))
            .order_by(jobs.c.due_at, jobs.c.id)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        chosen: str | None = (await session.execute(query)).scalar_one_or_none()
        return chosen

    async def _use(self, session: AsyncSession, owner: str, points: int, moment: datetime) -> None:
        shares = self._shares
        query = select(shares.c.rank).where(shares.c.owner == owner).with_for_update()
        before = (await session.execute(query)).scalar_one_or_none()
        rank = rank_after(before, points, moment.timestamp())
        if before is None:
            await session.execute(insert_once(session, shares, owner=owner, rank=rank, passed=0))
        else:
            await session.execute(update(shares).where(shares.c.owner == owner).values(rank=rank))
