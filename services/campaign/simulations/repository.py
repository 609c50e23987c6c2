"""All SQL of simulations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, and_, delete, func, or_, update
from sqlalchemy.orm import defer
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.membership.models import Member
from services.campaign.simulations.events import simulation_changed
from services.campaign.simulations.models import Simulation, SimulationBlock
from services.campaign.tables import JOBS, METADATA, OUTBOX, SHARES
from services.shared.access import Role
from services.shared.database import insert_once
from services.shared.job_parts import PartBook
from services.shared.job_turns import JobTurns
from services.shared.jobs import Job, JobBook, JobState, job_of
from services.shared.outbox import publish
from services.shared.pagination import Page, read_page

BOOK = JobBook(JOBS)
PARTS = PartBook(JOBS)
TURNS = JobTurns(JOBS, SHARES)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a simulation is: what changes with each block.

    Attributes:
        id: of the simulation.
        blocks: the blocks that are known.
        next_block: the first block that no lane was ever given.
        most_blocks: blocks that answer it in any case.
        owed: points that are not paid yet.
        told_at: when its last change was told.
    """

    id: str
    blocks: int
    next_block: int
    most_blocks: int
    owed: int
    told_at: datetime


@dataclass(frozen=True, slots=True)
class Claim:
    """A block that a lane is to play.

    Attributes:
        block: its number.
        tally: what the runs of it came to that were played before, JSON.
    """

    block: int
    tally: str | None


class Simulations:
    """The simulations of one database, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    # For who asks

    async def seen(self, account: str, simulation: str) -> tuple[Simulation, Job] | None:
        """Read a simulation that an account may see, with its job."""
        query = select(Simulation).where(Simulation.id == simulation, _visible(account)).options(_SHOWN)
        row = (await self._session.exec(query)).first()
        if row is None:
            return None
        job = await BOOK.get(self._session, row.job)
        return None if job is None else (row, job)

    async def page_of(
        self, account: str, campaign: str | None, *, first: int, after: str | None
    ) -> Page[Simulation]:
        """Read a page of the simulations of a campaign, or of an account's own, newest first."""
        of = col(Simulation.campaign).is_(None) if campaign is None else col(Simulation.campaign) == campaign
        query = select(Simulation).where(_visible(account), of).options(_SHOWN)
        return await read_page(self._session, query, Simulation.id, first=first, after=after)

    async def jobs(self, ids: Sequence[str]) -> dict[str, Job]:
        """Read jobs by their ids."""
        rows = await self._session.execute(sqlalchemy.select(JOBS).where(JOBS.c.id.in_(ids)))
        return {row.id: job_of(row) for row in rows}

    async def known(self, question: str, rules: str, account: str, campaign: str | None) -> Simulation | None:
        """Read the simulation of the same question of which most is known, of the same table or account."""
        same = and_(col(Simulation.owner) == account, col(Simulation.campaign).is_(None))
        query = (
            select(Simulation)
            .where(
                Simulation.question == question,
                Simulation.rules == rules,
                Simulation.blocks > 0,
                same if campaign is None else Simulation.campaign == campaign,
            )
            .order_by(col(Simulation.blocks).desc())
            .limit(1)
        )
        return (await self._session.exec(query)).first()

    async def count(self, account: str) -> int:
        """Count the simulations of an account that are kept."""
        query = select(func.count()).where(Simulation.owner == account)
        return int((await self._session.exec(query)).one())

    async def add(self, row: Simulation, moment: datetime) -> None:
        """Add a simulation, and publish that there is one."""
        self._session.add(row)
        await self._session.flush()
        await publish(self._session, OUTBOX, simulation_changed(row.id, row.version), moment)

    # For workers

    async def of_job(self, job: str) -> Simulation | None:
        """Read a simulation by its job."""
        return (await self._session.exec(select(Simulation).where(Simulation.job == job))).first()

    async def held(self, job: str) -> Standing | None:
        """Hold a simulation, and return how far it is; other lanes wait until the unit of work ends."""
        row = METADATA.tables["simulation"].c
        query = (
            sqlalchemy.select(row.id, row.blocks, row.next_block, row.most_blocks, row.owed, row.told_at)
            .where(row.job == job)
            .with_for_update()
        )
        found = (await self._session.execute(query)).first()
        return None if found is None else Standing(*found)

    async def tally(self, job: str) -> str | None:
        """Read what the known blocks came to."""
        return (await self._session.exec(select(Simulation.tally).where(Simulation.job == job))).first()

    async def set(self, job: str, **values: Any) -> None:
        """Write columns of a simulation that is held."""
        await self._session.execute(
            update(Simulation)
            .where(col(Simulation.job) == job)
            .values(**values)
            .execution_options(synchronize_session=False)
        )

    async def use(self, job: str, milliseconds: float) -> None:
        """Add processor time to what a simulation has used."""
        await self.set(job, processor_ms=col(Simulation.processor_ms) + milliseconds)

    async def tell(self, standing: Standing, job: str, moment: datetime) -> None:
        """Publish that a simulation that is held has changed."""
        changed = await self._session.execute(
            update(Simulation)
            .where(col(Simulation.job) == job)
            .values(version=col(Simulation.version) + 1, told_at=moment)
            .returning(col(Simulation.version))
            .execution_options(synchronize_session=False)
        )
        version = changed.scalar_one()
        await publish(self._session, OUTBOX, simulation_changed(standing.id, version), moment)

    async def begun_blocks(self, job: str, lane: str, most: int, moment: datetime) -> list[Claim]:
        """Take blocks that nobody plays: those put back, and those of lanes whose worker is silent."""
        block = SimulationBlock
        playing = sqlalchemy.select(JOBS.c.id).where(
            JOBS.c.whole == job, JOBS.c.state == JobState.RUNNING, JOBS.c.due_at > moment, JOBS.c.id != lane
        )
        query = (
            select(block.block, block.tally)
            .where(
                block.job == job,
                col(block.done).is_(False),
                or_(col(block.lane).is_(None), col(block.lane).not_in(playing)),
            )
            .order_by(col(block.block))
            .limit(most)
        )
        found = [Claim(number, tally) for number, tally in (await self._session.exec(query)).all()]
        if found:
            await self._write_blocks(
                job, col(block.block).in_([claim.block for claim in found]), {"lane": lane}
            )
        return found

    async def new_blocks(self, job: str, lane: str, blocks: range) -> list[Claim]:
        """Hand a lane blocks that were never handed out before."""
        for number in blocks:
            await self._session.execute(
                insert_once(
                    self._session,
                    METADATA.tables["simulation_block"],
                    job=job,
                    block=number,
                    lane=lane,
                    done=False,
                )
            )
        return [Claim(number, None) for number in blocks]

    async def put_back(self, job: str, lane: str) -> None:
        """Let others play what a lane has begun, or was to begin."""
        await self._write_blocks(
            job, and_(col(SimulationBlock.lane) == lane, col(SimulationBlock.done).is_(False)), {"lane": None}
        )

    async def hand_over(self, job: str, lane: str, heir: str) -> None:
        """Let a lane's blocks be another's that goes on in its place."""
        await self._write_blocks(job, col(SimulationBlock.lane) == lane, {"lane": heir})

    async def keep_block(self, job: str, lane: str, block: int, tally: str, *, done: bool) -> bool:
        """Keep what a lane has played of a block; false where the block is not the lane's."""
        own = and_(
            col(SimulationBlock.block) == block,
            col(SimulationBlock.lane) == lane,
            col(SimulationBlock.done).is_(False),
        )
        return await self._write_blocks(job, own, {"tally": tally, "done": done}) == 1

    async def done_block(self, job: str, block: int) -> str | None:
        """Take out a block that was played whole, and return what it came to."""
        gone = await self._session.execute(
            delete(SimulationBlock)
            .where(
                col(SimulationBlock.job) == job,
                col(SimulationBlock.block) == block,
                col(SimulationBlock.done).is_(True),
            )
            .returning(col(SimulationBlock.tally))
            .execution_options(synchronize_session=False)
        )
        tally: str | None = gone.scalar_one_or_none()
        return tally

    async def clear_blocks(self, job: str) -> None:
        """Delete the blocks of a simulation that has ended."""
        await self._session.execute(
            delete(SimulationBlock)
            .where(col(SimulationBlock.job) == job)
            .execution_options(synchronize_session=False)
        )

    async def _write_blocks(self, job: str, which: ColumnElement[bool], values: dict[str, Any]) -> int:
        written = await self._session.execute(
            update(SimulationBlock)
            .where(col(SimulationBlock.job) == job, which)
            .values(**values)
            .returning(col(SimulationBlock.block))
            .execution_options(synchronize_session=False)
        )
        return len(written.all())

    # When what they belong to goes

    async def running_of(self, account: str) -> list[Simulation]:
        """Read the simulations of an account that have not ended."""
        query = (
            select(Simulation)
            .join(JOBS, JOBS.c.id == col(Simulation.job))
            .where(Simulation.owner == account, JOBS.c.ended_at.is_(None))
        )
        return list((await self._session.exec(query)).all())

    async def delete(self, simulation: str) -> None:
        """Delete a simulation."""
        await self._delete(col(Simulation.id) == simulation)

    async def delete_in(self, campaign: str) -> None:
        """Delete the simulations of a campaign."""
        await self._delete(col(Simulation.campaign) == campaign)

    async def delete_of(self, account: str) -> None:
        """Delete what an account asked for itself; what it asked for at tables is these tables'."""
        await self._delete(and_(col(Simulation.owner) == account, col(Simulation.campaign).is_(None)))
        await self._session.execute(delete(SHARES).where(SHARES.c.owner == account))

    async def _delete(self, which: ColumnElement[bool]) -> None:
        jobs = list((await self._session.exec(select(Simulation.job).where(which))).all())
        for statement in (
            delete(SimulationBlock).where(col(SimulationBlock.job).in_(jobs)),
            delete(Simulation).where(which),
            delete(JOBS).where(or_(JOBS.c.id.in_(jobs), JOBS.c.whole.in_(jobs))),
        ):
            await self._session.execute(statement, execution_options={"synchronize_session": False})


_SHOWN = defer(Simulation.tally, raiseload=True)  # type: ignore[arg-type]
"""What is read of simulations that are shown: all but what only workers need."""


def _visible(account: str) -> ColumnElement[bool]:
    """Write the condition under which an account may see a simulation: its own, or of its tables."""
    runs = select(Member.campaign).where(Member.account == account, Member.role == Role.GM)
    return or_(
        and_(col(Simulation.campaign).is_(None), col(Simulation.owner) == account),
        col(Simulation.campaign).in_(runs),
    )
