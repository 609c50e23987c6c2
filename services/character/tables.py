"""The registry of this service's tables, and those that the kit keeps in each database."""

from sqlalchemy.orm import registry
from sqlmodel import SQLModel

from services.shared.consumer import cursor_table
from services.shared.idempotency import idempotency_table
from services.shared.metadata.bags import bags_table
from services.shared.outbox import outbox_table
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
BAGS = bags_table(METADATA)
