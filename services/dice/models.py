"""The tables of the dice service."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from services.shared.database import Utc
from services.shared.idempotency import idempotency_table
from services.shared.outbox import outbox_table
from services.shared.sequence import sequence_table


class Base(SQLModel, registry=registry()):
    """The tables of this service alone."""


METADATA = Base.metadata
OUTBOX = outbox_table(METADATA)
SEQUENCE = sequence_table(METADATA)
IDEMPOTENCY = idempotency_table(METADATA)


class RollRow(Base, table=True):
    """One roll; written once, never changed.

    ``place`` is where it was made, the campaign or else the account, and ``seq`` its number there. The
    expression and the faces, in the order drawn, are the whole roll: everything else is read out of them.
    """

    __tablename__ = "roll"
    __table_args__ = (
        UniqueConstraint("place", "seq"),
        Index("ix_roll_campaign", "campaign", "id"),
        Index("ix_roll_account", "account", "id"),
        Index("ix_roll_character", "character", "id"),
    )

    id: str = Field(primary_key=True, max_length=40)
    place: str = Field(max_length=40)
    seq: int
    account: str = Field(max_length=40)
    campaign: str | None = Field(default=None, max_length=40)
    character: str | None = Field(default=None, max_length=40)
    label: str | None = Field(default=None, max_length=120)
    expression: str = Field(sa_column=Column(Text, nullable=False))
    faces: str = Field(sa_column=Column(Text, nullable=False))
    total: int
    created_at: datetime = Field(sa_type=Utc)
