"""Long work that is never lost and never done twice: the jobs table is the truth, the broker only a hint.

A job is a row of the service that owns its result. A message in Celery only says that there is work, and may
be lost or doubled freely: which job is next is the table's to say (``services.shared.job_turns``), and
``claim`` hands it to one worker at a time, under a lease that the worker keeps renewing. The result is
committed together with the state, if the lease is still the worker's own (``attempt`` is the fencing number).
One message is enough for any number of jobs: a worker that begins one sees to it that there is a message as
long as there is more to do, and the sweeper does so when a message was lost or a worker died. After
``MAX_ATTEMPTS`` a job is dead, with the reason.

States::

    queued --claim--> running --finish--> succeeded
       |                 |----fail------> queued again (later), or dead after the last attempt
       |                 |----refuse----> failed (the input can never work)
       `----cancel-------'--------------> cancelled
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import orjson
from sqlalchemy import (
    Column,
    ColumnElement,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    and_,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.database import Utc

LEASE = timedelta(seconds=10)
MAX_ATTEMPTS = 4
BACKOFF = timedelta(seconds=2)


LONGEST_WAIT = timedelta(minutes=1)
"""More than any lease or pause lasts. A job of workers that is to wait longer was written by a clock that was
set back since: it is due, or everything would stand still until the old time returns."""


class JobState(StrEnum):
    """Where a job stands.

    Attributes:
        QUEUED: It waits for a worker, for the first time or again after a failed attempt.
        RUNNING: A worker does it.
        SUCCEEDED: It is done.
        FAILED: It can never be done as it was asked for; `error` says why.
        CANCELLED: Somebody stopped it.
        DEAD: Its last attempt failed; `error` says why.
    """

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DEAD = "dead"

    @property
    def ended(self) -> bool:
        """Tell whether nothing more will happen to the job."""
        return self not in (JobState.QUEUED, JobState.RUNNING)


class Line(StrEnum):
    """Where a job that has not ended stands in line."""

    SINGLE = "single"
    """Somebody waits for it."""

    PART = "part"
    """A part of a whole: background work."""

    WHOLE = "whole"
    """No worker takes it; its parts move it on."""


WORKED_AT = (Line.SINGLE, Line.PART)
"""The lines that workers take jobs from."""


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of long work.

    Attributes:
        id: ``job_...``.
        kind: name of the task that does it.
        owner: account id of the one who asked.
        campaign: id of the campaign it belongs to, if any.
        whole: id of the job it is a part of, if any; see ``services.shared.job_parts``.
        params: what was asked for.
        points: what it was charged, which is what it may cost.
        state: where it stands.
        progress: 0 to 1.
        version: grows with each change; what subscriptions resume after.
        attempt: how often it was begun.
        result: what came of it (ids and storage keys, never content).
        error: code and message, when it failed.
        created_at: when it was asked for.
        ended_at: when it reached its end.
    """

    id: str
    kind: str
    owner: str
    campaign: str | None
    whole: str | None
    params: Mapping[str, Any]
    points: int
    state: JobState
    progress: float
    version: int
    attempt: int
    result: Mapping[str, Any] | None
    error: Mapping[str, Any] | None
    created_at: datetime
    ended_at: datetime | None

    @property
    def queue(self) -> str:
        """Name the broker's queue for its message: the part of the task's name before the dot."""
        return self.kind.partition(".")[0]


def jobs_table(metadata: MetaData) -> Table:
    """Add the jobs table to a service's tables."""
    return Table(
        "job",
        metadata,
        Column("id", String(40), primary_key=True),
        Column("kind", String(60), nullable=False),
        Column("owner", String(40), nullable=False, index=True),
        Column("campaign", String(40), nullable=True, index=True),
        Column("whole", String(40), nullable=True, index=True),
        Column("params", Text, nullable=False),
        Column("points", Integer, nullable=False),
        # None once it has ended: the index below holds those that wait, by whose they are, oldest first.
        Column("line", String(8), nullable=True),
        Column("state", String(12), nullable=False),
        Column("progress", Float, nullable=False),
        Column("version", Integer, nullable=False),
        Column("attempt", Integer, nullable=False),
        Column("result", Text, nullable=True),
        Column("error", Text, nullable=True),
        Column("created_at", Utc, nullable=False),
        # When it may be worked at: at once, after a failure later; with a worker at it, when its lease ends.
        Column("due_at", Utc, nullable=False),
        Column("ended_at", Utc, nullable=True),
        Index("ix_job_line", "line", "owner", "due_at", "id"),
        Index("ix_job_ended", "ended_at"),
    )


class LostLease(Exception):
    """The job was taken from this worker (it was silent too long, or the job was cancelled)."""


class JobBook:
    """Reads and changes the jobs of one service, each call inside a caller's unit of work.

    Args:
        table: the service's jobs table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    async def add(
        self,
        session: AsyncSession,
        job_id: str,
        kind: str,
        params: Mapping[str, Any],
        *,
        owner: str,
        campaign: str | None,
        moment: datetime,
        points: int = 0,
    ) -> Job:
        """Queue a job; a message is sent after the commit, and by the sweeper if that is lost.

        Args:
            session: the unit of work.
            job_id: its id.
            kind: name of the task that does it.
            params: what is asked for.
            owner: account of who asks.
            campaign: for whose table, if any.
            moment: now.
            points: what it was charged.
        """
        await session.execute(
            insert(self._table).values(
                id=job_id,
                kind=kind,
                owner=owner,
                campaign=campaign,
                whole=None,
                params=orjson.dumps(dict(params)).decode(),
                points=points,
                line=Line.SINGLE,
                state=JobState.QUEUED,
                progress=0.0,
                version=1,
                attempt=0,
                created_at=moment,
                due_at=moment,
            )
        )
        job = await self.get(session, job_id)
        assert job is not None
        return job

    async def get(self, session: AsyncSession, job_id: str) -> Job | None:
        """Read a job."""
        row = (await session.execute(select(self._table).where(self._table.c.id == job_id))).first()
        return None if row is None else job_of(row)

    async def waiting(self, session: AsyncSession, moment: datetime) -> Job | None:
        """Reads any job that is due for work and that nobody works at; None when there is none."""
        table = self._table
        row = (
            await session.execute(
                select(table).where(table.c.line.in_(WORKED_AT), is_due(table, moment)).limit(1)
            )
        ).first()
        return None if row is None else job_of(row)

    async def count_open(self, session: AsyncSession, owner: str, line: Line) -> int:
        """Counts the jobs of an account in a line that have not ended."""
        table = self._table
        query = select(func.count()).where(table.c.line == line, table.c.owner == owner)
        return int((await session.execute(query)).scalar_one())

    async def bury(self, session: AsyncSession, job_id: str, moment: datetime) -> Job | None:
        """Declare a job dead whose worker died at its last attempt; None when it is not such a one."""
        table = self._table
        buried = await session.execute(
            update(table)
            .where(
                table.c.id == job_id,
                table.c.state == JobState.RUNNING,
                is_due(table, moment),
                table.c.attempt >= MAX_ATTEMPTS,
            )
            .values(
                **ended(JobState.DEAD, moment),
                version=table.c.version + 1,
                error=json_text({"code": "WORKER_LOST", "message": "The worker died at each attempt."}),
            )
            .returning(table)
        )
        row = buried.first()
        return None if row is None else job_of(row)

    async def claim(self, session: AsyncSession, job_id: str, moment: datetime) -> Job | None:
        """Take a job that is due for work; None when it is somebody else's, ended, or out of attempts."""
        table = self._table
        taken = await session.execute(
            update(table)
            .where(
                table.c.id == job_id,
                table.c.state.in_([JobState.QUEUED, JobState.RUNNING]),
                is_due(table, moment),
                table.c.attempt < MAX_ATTEMPTS,
            )
            .values(
                state=JobState.RUNNING,
                attempt=table.c.attempt + 1,
                version=table.c.version + 1,
                due_at=moment + LEASE,
            )
            .returning(table)
        )
        row = taken.first()
        return None if row is None else job_of(row)

    async def renew(self, session: AsyncSession, job: Job, progress: float, moment: datetime) -> Job:
        """Report progress and keep the lease.

        Raises:
            LostLease: the job is no longer this worker's, or its end was asked for.
        """
        return await self._own(session, job, progress=max(job.progress, progress), due_at=moment + LEASE)

    async def hold(self, session: AsyncSession, job: Job, moment: datetime) -> None:
        """Keep the lease during a long step, with nothing to report.

        Raises:
            LostLease: the job is no longer this worker's, or its end was asked for.
        """
        table = self._table
        held = await session.execute(
            update(table).where(self._is_own(job)).values(due_at=moment + LEASE).returning(table.c.id)
        )
        if held.first() is None:
            raise LostLease(job.id)

    async def look(self, session: AsyncSession, job: Job) -> None:
        """Look whether a job is still its worker's, without writing anything.

        Raises:
            LostLease: it is not, or its end was asked for.
        """
        found = await session.execute(select(self._table.c.id).where(self._is_own(job)))
        if found.first() is None:
            raise LostLease(job.id)

    async def finish(
        self, session: AsyncSession, job: Job, result: Mapping[str, Any], moment: datetime
    ) -> Job:
        """Commit success, in the same unit of work as the result itself.

        Raises:
            LostLease: the job is no longer this worker's; the unit of work must be given up.
        """
        return await self._own(
            session,
            job,
            **ended(JobState.SUCCEEDED, moment),
            progress=1.0,
            result=json_text(result),
            error=None,
        )

    async def fail(self, session: AsyncSession, job: Job, error: Mapping[str, Any], moment: datetime) -> Job:
        """Note a failed attempt: the job is due again after a pause, or dead after its last attempt."""
        if job.attempt >= MAX_ATTEMPTS:
            return await self._own(session, job, **ended(JobState.DEAD, moment), error=json_text(error))
        again = moment + BACKOFF * 2 ** (job.attempt - 1)
        return await self._own(session, job, state=JobState.QUEUED, due_at=again, error=json_text(error))

    async def refuse(
        self, session: AsyncSession, job: Job, error: Mapping[str, Any], moment: datetime
    ) -> Job:
        """End a job whose input can never work."""
        return await self._own(session, job, **ended(JobState.FAILED, moment), error=json_text(error))

    async def give_turn_back(self, session: AsyncSession, job: Job, new_id: str, due_at: datetime) -> Job:
        """Queue a job again that got on well and has more to do, so that others have their turn.

        It goes on under a new id, with all attempts before it: to its worker of before, should that one come
        back to life, it is gone.

        Args:
            session: the unit of work.
            job: the job, which a worker has.
            new_id: its id from now on.
            due_at: when it may go on.

        Raises:
            LostLease: the job is no longer this worker's, or its end was asked for.
        """
        return await self._own(
            session, job, id=new_id, state=JobState.QUEUED, attempt=0, due_at=due_at, error=None
        )

    async def begin_anew(self, session: AsyncSession, job: Job, new_id: str) -> Job:
        """Count the attempt at a job that has got on as its first one again.

        It goes on under a new id: to its worker of an earlier attempt it is gone.

        Args:
            session: the unit of work.
            job: the job, which a worker has.
            new_id: its id from now on.

        Raises:
            LostLease: the job is no longer this worker's, or its end was asked for.
        """
        return await self._own(session, job, id=new_id, attempt=1)

    async def cancel(self, session: AsyncSession, job_id: str, moment: datetime) -> Job | None:
        """End a job that has not ended; a worker that is at it finds its lease gone and stops."""
        table = self._table
        changed = await session.execute(
            update(table)
            .where(table.c.id == job_id, table.c.state.in_([JobState.QUEUED, JobState.RUNNING]))
            .values(**ended(JobState.CANCELLED, moment), version=table.c.version + 1)
            .returning(table)
        )
        row = changed.first()
        return None if row is None else job_of(row)

    async def _own(self, session: AsyncSession, job: Job, **values: Any) -> Job:
        table = self._table
        changed = await session.execute(
            update(table)
            .where(self._is_own(job))
            .values(**values, version=table.c.version + 1)
            .returning(table)
        )
        row = changed.first()
        if row is None:
            raise LostLease(job.id)
        return job_of(row)

    def _is_own(self, job: Job) -> ColumnElement[bool]:
        table = self._table
        return and_(table.c.id == job.id, table.c.state == JobState.RUNNING, table.c.attempt == job.attempt)


def is_due(table: Table, moment: datetime) -> ColumnElement[bool]:
    """Make the condition that a job may be worked at, whichever way the clock has jumped meanwhile."""
    late = and_(table.c.line.in_(WORKED_AT), table.c.due_at > moment + LONGEST_WAIT)
    return or_(table.c.due_at <= moment, late)


def ended(state: JobState, moment: datetime) -> dict[str, Any]:
    """Computes the columns of a job that has come to its end."""
    return {"state": state, "ended_at": moment, "due_at": moment, "line": None}


def json_text(value: Mapping[str, Any]) -> str:
    """Write down what a job's column holds as JSON."""
    return orjson.dumps(dict(value)).decode()


def job_of(row: Any) -> Job:
    """Read a row of a jobs table."""
    return Job(
        id=row.id,
        kind=row.kind,
        owner=row.owner,
        campaign=row.campaign,
        whole=row.whole,
        params=orjson.loads(row.params),
        points=row.points,
        state=JobState(row.state),
        progress=row.progress,
        version=row.version,
        attempt=row.attempt,
        result=orjson.loads(row.result) if row.result else None,
        error=orjson.loads(row.error) if row.error else None,
        created_at=row.created_at,
        ended_at=row.ended_at,
    )
