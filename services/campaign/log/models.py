"""What has happened in campaigns."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, text
from sqlmodel import Field

from services.campaign.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import WithOwner, state_lives


class LogEntry(Base, table=True):
    """Something that happened in a campaign; written once, never changed but for a note that is deleted.

    Attributes:
        external_author: for whom a bot did it that posts for people without an account; forgotten with the
            account of the bot.
    """

    __tablename__ = "log_entry"
    __table_args__ = (
        Index(
            "ix_log_entry_external",
            "account",
            sqlite_where=text("external_author IS NOT NULL"),
            postgresql_where=text("external_author IS NOT NULL"),
        ),
    )

    campaign: str = Field(primary_key=True, foreign_key="campaign.id", max_length=40)
    seq: int = Field(primary_key=True)
    kind: str = Field(max_length=40)
    account: str | None = Field(default=None, max_length=40)
    subject: str | None = Field(default=None, max_length=40)
    external_author: str | None = Field(default=None, max_length=80)
    text: str = Field(sa_column=Column(Text, nullable=False))
    created_at: datetime = Field(sa_type=Utc)


state_lives(METADATA, log_entry=WithOwner("the campaign"))
