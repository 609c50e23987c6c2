"""The tables of the campaign service."""

from datetime import datetime

from sqlalchemy import Column, Text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from services.shared.access import Role
from services.shared.consumer import cursor_table
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
CURSORS = cursor_table(METADATA)


class Campaign(Base, table=True):
    """A group of people who play together over many evenings."""

    __tablename__ = "campaign"

    id: str = Field(primary_key=True, max_length=40)
    name: str = Field(max_length=120)
    description: str = Field(default="", max_length=2000)
    created_by: str = Field(max_length=40)
    created_at: datetime = Field(sa_type=Utc)
    version: int = Field(default=1)


class Member(Base, table=True):
    """One account's place in a campaign."""

    __tablename__ = "member"

    campaign: str = Field(primary_key=True, foreign_key="campaign.id", max_length=40)
    account: str = Field(primary_key=True, max_length=40, index=True)
    role: str = Field(max_length=12)
    joined_at: datetime = Field(sa_type=Utc)

    @property
    def rank(self) -> Role:
        """Give the role as an enum."""
        return Role(self.role)


class Seat(Base, table=True):
    """A character that plays in a campaign; a character sits at one table at a time."""

    __tablename__ = "seat"

    character: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(foreign_key="campaign.id", max_length=40, index=True)
    account: str = Field(max_length=40)
    seated_at: datetime = Field(sa_type=Utc)


class Invitation(Base, table=True):
    """A code that lets others join."""

    __tablename__ = "invitation"

    id: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(foreign_key="campaign.id", max_length=40, index=True)
    code: str = Field(max_length=20, unique=True)
    role: str = Field(max_length=12)
    uses_left: int
    created_by: str = Field(max_length=40)
    created_at: datetime = Field(sa_type=Utc)
    expires_at: datetime = Field(sa_type=Utc)


class LogEntry(Base, table=True):
    """Something that happened in a campaign; written once, never changed."""

    __tablename__ = "log_entry"

    campaign: str = Field(primary_key=True, foreign_key="campaign.id", max_length=40)
    seq: int = Field(primary_key=True)
    kind: str = Field(max_length=40)
    account: str | None = Field(default=None, max_length=40)
    subject: str | None = Field(default=None, max_length=40)
    text: str = Field(sa_column=Column(Text, nullable=False))
    created_at: datetime = Field(sa_type=Utc)
