"""Simulations, and blocks of theirs that are being played."""

from datetime import datetime

from sqlalchemy import Column, Index, Text
from sqlmodel import Field

from services.campaign.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import WithOwner, state_lives


class Simulation(Base, table=True):
    """A question and what is known of its answer; whether it is answered is told by its job.

    Attributes:
        job: id of its job, a whole whose parts are lanes.
        owner: account that asked.
        campaign: id of the campaign it was asked for, if any.
        network: where it was asked from, which pays too; null once it has ended.
        asked: the question as it was asked, JSON.
        request: the same with all that it names, as it is played, JSON.
        question: hash of that without how many runs and how exact.
        rules: hash of the rules it is played by.
        cases: how many cases it has.
        most_blocks: blocks that answer it in any case.
        blocks: how many blocks from the first one on are known, without a gap.
        first_block: blocks that were known when it was asked.
        next_block: the first block that no lane was ever given.
        runs: runs of each case in the known blocks.
        tally: what those came to, JSON.
        report: the answer so far, as it was told last, JSON.
        processor_ms: processor time that was used, in milliseconds.
        owed: points of it that are not paid yet; less than 0 where more was paid.
        waits_until: when the account can pay again, where it could not.
        version: grows with each change that is told.
        told_at: when the last one was.
    """

    __tablename__ = "simulation"
    __table_args__ = (
        Index("ix_simulation_owner", "owner", "id"),
        Index("ix_simulation_campaign", "campaign", "id"),
        Index("ix_simulation_question", "question"),
    )

    id: str = Field(primary_key=True, max_length=40)
    job: str = Field(max_length=40, unique=True)
    owner: str = Field(max_length=40)
    campaign: str | None = Field(default=None, max_length=40)
    network: str | None = Field(default=None, max_length=80)
    system: str = Field(max_length=40)
    asked: str = Field(sa_column=Column(Text, nullable=False))
    request: str = Field(sa_column=Column(Text, nullable=False))
    question: str = Field(max_length=64)
    rules: str = Field(max_length=64)
    cases: int
    most_blocks: int
    blocks: int = Field(default=0)
    first_block: int = Field(default=0)
    next_block: int = Field(default=0)
    runs: int = Field(default=0)
    tally: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    report: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    processor_ms: float = Field(default=0.0)
    owed: int = Field(default=0)
    waits_until: datetime | None = Field(default=None, sa_type=Utc)
    version: int = Field(default=1)
    told_at: datetime = Field(sa_type=Utc)
    created_at: datetime = Field(sa_type=Utc)


class SimulationBlock(Base, table=True):
    """A block that was given to a lane and is not among the known ones yet.

    Attributes:
        job: id of the simulation's job.
        block: its number, from 0.
        lane: id of the job that plays it; null where that had its turn and others may go on.
        done: whether it was played whole.
        tally: what its runs so far came to, JSON.
    """

    __tablename__ = "simulation_block"

    job: str = Field(primary_key=True, max_length=40)
    block: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    lane: str | None = Field(default=None, max_length=40)
    done: bool = Field(default=False)
    tally: str | None = Field(default=None, sa_column=Column(Text, nullable=True))


state_lives(
    METADATA,
    simulation=WithOwner("its job", "job", "job"),
    simulation_block=WithOwner("the job of the simulation", "job", "job"),
)
