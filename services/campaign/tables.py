"""The registry of this service's tables, and those that the kit keeps in each database."""

from datetime import timedelta

from sqlalchemy.orm import registry
from sqlmodel import SQLModel

from services.shared.consumer import cursor_table
from services.shared.idempotency import idempotency_table
from services.shared.job_turns import shares_table
from services.shared.jobs import jobs_table
from services.shared.metadata.bags import bags_table
from services.shared.outbox import outbox_table
from services.shared.retention import After, state_life
from services.shared.sequence import sequence_table
from services.shared.updates import updates_table


class Base(SQLModel, registry=registry()):
    """The tables of this service alone."""


METADATA = Base.metadata
OUTBOX = outbox_table(METADATA)
SEQUENCE = sequence_table(METADATA)
IDEMPOTENCY = idempotency_table(METADATA)
CURSORS = cursor_table(METADATA)
UPDATES = updates_table(METADATA)
JOBS = state_life(
    jobs_table(METADATA),
    After(timedelta(days=30), ("ended_at",), "Who asked for it reads for a month what was found out."),
)
SHARES = shares_table(METADATA)
BAGS = bags_table(METADATA)
