"""What waits in a service's database: jobs for workers, events for the relay; asked for at each scrape.

At most ``MOST_COUNTED`` rows of a sort are looked at: more is as bad as that, and on SQLite a statement holds
the event loop. The queues of the broker say less: one message there may stand for any number of jobs.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import Table, case, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.jobs import WORKED_AT, JobState, Line, is_due

MOST_COUNTED = 10_000

DUE, DELAYED, RUNNING, ABANDONED = "due", "delayed", "running", "abandoned"
"""Where a job stands: it may be begun now, or later; a worker has it, or had it and is silent."""


class Backlog:
    """Counts what waits in one service's database.

    Args:
        service: its name.
        database: its database.
        outbox: its table of events to publish.
        jobs: its table of jobs; None where it has none.
        clock: the present moment.
    """

    def __init__(
        self, service: str, database: Database, outbox: Table, jobs: Table | None, clock: Clock
    ) -> None:
        self._service = service
        self._database = database
        self._outbox = outbox
        self._jobs = jobs
        self._clock = clock

    async def figures(self) -> Sequence[Metric]:
        """Return the gauges of outbox and jobs.

        Raises:
            DatabaseUnavailable: the database is away.
        """
        async with self._database.read() as session:
            found = await self._events(session)
            return found if self._jobs is None else [*found, *await self._waiting_jobs(session, self._jobs)]

    async def _events(self, session: AsyncSession) -> list[Metric]:
        unsent = GaugeMetricFamily(
            "hearthforge_outbox_unsent",
            f"Events that are committed and not yet on the stream, at most {MOST_COUNTED}",
            labels=["service"],
        )
        age = GaugeMetricFamily(
            "hearthforge_outbox_oldest_unsent_seconds",
            "Age of the oldest event that is not yet on the stream; 0 without any",
            labels=["service"],
        )
        table = self._outbox
        waiting = select(table.c.id, table.c.created_at).where(table.c.published_at.is_(None))
        oldest = (await session.execute(waiting.order_by(table.c.id).limit(1))).first()
        count = select(func.count()).select_from(waiting.limit(MOST_COUNTED).subquery())
        unsent.add_metric([self._service], (await session.execute(count)).scalar_one())
        age.add_metric([self._service], 0.0 if oldest is None else self._age(oldest.created_at))
        return [unsent, age]

    async def _waiting_jobs(self, session: AsyncSession, jobs: Table) -> list[Metric]:
        numbers = GaugeMetricFamily(
            "hearthforge_jobs",
            f"Jobs that have not ended, at most {MOST_COUNTED} of a line, by where they stand",
            labels=["service", "kind", "state"],
        )
        ages = GaugeMetricFamily(
            "hearthforge_job_oldest_due_seconds",
            "For how long the job has been due that has waited longest for a worker",
            labels=["service", "kind"],
        )
        counted, longest = Counter[tuple[str, str]](), dict[str, float]()
        for line in WORKED_AT:
            for kind, state, count, since in await self._line(session, jobs, line):
                counted[kind, state] += count
                if state in (DUE, ABANDONED):
                    longest[kind] = max(longest.get(kind, 0.0), self._age(since))
        for (kind, state), count in sorted(counted.items()):
            numbers.add_metric([self._service, kind, state], count)
        for kind, seconds in sorted(longest.items()):
            ages.add_metric([self._service, kind], seconds)
        return [numbers, ages]

    async def _line(
        self, session: AsyncSession, jobs: Table, line: Line
    ) -> Sequence[tuple[str, str, int, datetime]]:
        """Count the jobs of a line by kind and by where they stand, with the earliest time of being due."""
        running, due = jobs.c.state == JobState.RUNNING, is_due(jobs, self._clock())
        stands = case((running & due, ABANDONED), (running, RUNNING), (due, DUE), else_=DELAYED)
        rows = (
            select(jobs.c.kind, stands.label("stands"), jobs.c.due_at)
            .where(jobs.c.line == line)
            .limit(MOST_COUNTED)
            .subquery()
        )
        query = select(rows.c.kind, rows.c.stands, func.count(), func.min(rows.c.due_at))
        found = await session.execute(query.group_by(rows.c.kind, rows.c.stands))
        return [(row[0], row[1], row[2], row[3]) for row in found]

    def _age(self, since: datetime) -> float:
        return max(0.0, (self._clock() - since).total_seconds())
