"""What is kept of characters."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, Column, Index, Integer
from sqlmodel import Field

from services.character.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import WithOwner, state_lives

_VERSION = Column("version", Integer, nullable=False)


class CharacterRow(Base, table=True):
    """A character: what its player chose, and the sheet the rules made of that.

    ``choices`` and ``sheet`` are documents of the system's codecs, with their versions. ``version`` counts
    the edits by itself, from 1 when first kept. ``packs`` are those that its content was extended by, in
    order: id, version and name of each. ``portrait`` is the version of its picture, whose files
    ``services.character.portraits`` names; null for none. A deleted character stays as a tombstone, without a
    name, a sheet or a portrait.
    """

    __tablename__ = "character"
    __table_args__ = (Index("ix_character_owner", "owner", "id"),)
    __mapper_args__: ClassVar[dict[str, Any]] = {"version_id_col": _VERSION}

    id: str = Field(primary_key=True, max_length=40)
    owner: str = Field(max_length=40)
    system: str = Field(max_length=40)
    name: str = Field(max_length=120)
    choices: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    sheet: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    packs: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    portrait: str | None = Field(default=None, max_length=40)
    version: int = Field(default=0, sa_column=_VERSION)
    created_at: datetime = Field(sa_type=Utc)
    updated_at: datetime = Field(sa_type=Utc)
    deleted_at: datetime | None = Field(default=None, sa_type=Utc)


state_lives(
    METADATA,
    character=WithOwner("the account; a deleted one stays as a tombstone, for who was away meanwhile"),
)
