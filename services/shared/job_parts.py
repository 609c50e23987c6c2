"""Long work in parts: one job that people watch, done by many that workers carry out.

The whole is a row like any job's, but no worker ever takes it: it runs from the moment it is asked for, is
never due, and each part that ends moves it on in its own unit of work. Its parts are ordinary jobs, with
leases and attempts of their own, in a line of their own: background work. When the last part has ended, the
whole has: it succeeded when every part did. Cancelling the whole cancels what has not ended of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Table, func, insert, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.jobs import Job, JobState, Line, ended, job_of, json_text

NEVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When a whole is due for work."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part to be queued.

    Attributes:
        id: of its job.
        kind: name of the task that does it.
        params: what it is to do.
        points: its share of what the whole was charged.
    """

    id: str
    kind: str
    params: Mapping[str, Any]
    points: int = 0


class PartBook:
    """Reads and changes wholes and their parts, each call inside a caller's unit of work.

    Args:
        table: the service's jobs table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    async def add(
        self,
        session: AsyncSession,
        whole_id: str,
        kind: str,
        params: Mapping[str, Any],
        parts: Sequence[Part],
        *,
        points: int = 0,
        owner: str,
        campaign: str | None,
        moment: datetime,
    ) -> Job:
        """Add a whole, and queue its parts.

        Args:
            session: the unit of work.
            whole_id: of the whole.
            kind: of the whole; no task has this name.
            params: of the whole.
            parts: at least one.
            points: what the whole was charged.
            owner: account of who asked.
            campaign: for whose table, if any.
            moment: now.
        """
        mine = {"owner": owner, "campaign": campaign, "created_at": moment, "attempt": 0}
        rows = [
            {
                **mine,
                "id": part.id,
                "kind": part.kind,
                "whole": whole_id,
                "params": json_text(part.params),
                "points": part.points,
                "line": Line.PART,
                "state": JobState.QUEUED,
                "progress": 0.0,
                "version": 1,
                "due_at": moment,
            }
            for part in parts
        ]
        whole = {
            **mine,
            "id": whole_id,
            "kind": kind,
            "whole": None,
            "params": json_text(params),
            "points": points,
            "line": Line.WHOLE,
            "state": JobState.RUNNING,
            "progress": 0.0,
            "version": 1,
            "due_at": NEVER,
        }
        added = await session.execute(insert(self._table).values(whole).returning(self._table))
        job = job_of(added.one())
        await session.execute(insert(self._table), rows)
        return job

    async def parts(self, session: AsyncSession, whole_id: str) -> list[Job]:
        """Read the parts of a whole, in the order of their ids."""
        table = self._table
        rows = await session.execute(select(table).where(table.c.whole == whole_id).order_by(table.c.id))
        return [job_of(row) for row in rows]

    async def moved(self, session: AsyncSession, whole_id: str, moment: datetime) -> Job | None:
        """Move a whole on after one of its parts has ended, in the unit of work that ended it.

        Gives None when the whole had come to its end before.
        """
        table = self._table
        # The whole's row first: whoever ends another part meanwhile waits here, and then counts this one too.
        held = await session.execute(
            update(table)
            .where(table.c.id == whole_id, table.c.state == JobState.RUNNING)
            .values(version=table.c.version + 1)
            .returning(table.c.id)
        )
        if held.first() is None:
            return None
        counted = await session.execute(
            select(table.c.state, func.count()).where(table.c.whole == whole_id).group_by(table.c.state)
        )
        counts = {JobState(state): int(count) for state, count in counted}
        total = sum(counts.values())
        over = sum(count for state, count in counts.items() if state.ended)
        good = counts.get(JobState.SUCCEEDED, 0)
        values: dict[str, Any] = {"progress": over / total}
        if over == total and good == total:
            values |= {**ended(JobState.SUCCEEDED, moment), "result": json_text({"parts": total})}
        elif over == total:
            error = {"code": "PARTS_FAILED", "message": f"{total - good} of {total} parts could not be made."}
            values |= {**ended(JobState.FAILED, moment), "error": json_text(error)}
        moved = await session.execute(
            update(table).where(table.c.id == whole_id).values(**values).returning(table)
        )
        return job_of(moved.one())

    async def cancel(
        self, session: AsyncSession, whole_id: str, moment: datetime, *, limit: int | None = None
    ) -> list[Job]:
        """Cancel the parts of a whole that have not ended, the first ones of them; return those."""
        table = self._table
        going_on = (table.c.whole == whole_id, table.c.state.in_([JobState.QUEUED, JobState.RUNNING]))
        which = select(table.c.id).where(*going_on).order_by(table.c.id).limit(limit)
        rows = await session.execute(
            update(table)
            .where(table.c.id.in_(which), *going_on)
            .values(**ended(JobState.CANCELLED, moment), version=table.c.version + 1)
            .returning(table)
        )
        return [job_of(row) for row in rows]

    async def end(
        self,
        session: AsyncSession,
        whole_id: str,
        state: JobState,
        moment: datetime,
        error: Mapping[str, Any] | None = None,
    ) -> Job | None:
        """End a whole that is answered, or never will be, whatever its parts are at: those are cancelled.

        Args:
            session: the unit of work.
            whole_id: of the whole.
            state: what it ends as.
            moment: now.
            error: code and message, where it failed.

        Returns:
            The whole; None when it had come to its end before.
        """
        table = self._table
        values = ended(state, moment)
        if state is JobState.SUCCEEDED:
            values["progress"] = 1.0
        changed = await session.execute(
            update(table)
            .where(table.c.id == whole_id, table.c.state == JobState.RUNNING)
            .values(**values, version=table.c.version + 1, error=None if error is None else json_text(error))
            .returning(table)
        )
        row = changed.first()
        if row is None:
            return None
        await self.cancel(session, whole_id, moment)
        return job_of(row)
