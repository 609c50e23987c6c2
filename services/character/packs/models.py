"""What is kept of packs of a table's own content, and which of their versions characters were built under."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, Column, Index, Integer
from sqlmodel import Field

from services.character.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import WithOwner, state_lives

_VERSION = Column("version", Integer, nullable=False)


class PackUseRow(Base, table=True):
    """A version of a pack that a line of a history was built under; while there is one, it is kept."""

    __tablename__ = "pack_use"
    __table_args__ = (Index("ix_pack_use_pack", "pack", "pack_version"),)

    character: str = Field(primary_key=True, max_length=40)
    version: int = Field(primary_key=True)
    pack: str = Field(primary_key=True, max_length=40)
    pack_version: int


class PackRow(Base, table=True):
    """A pack of a table's own content; its documents are kept by version.

    ``campaign`` is the table that it is shared with. ``version`` counts the edits by itself, from 1. A
    deleted pack stays as a tombstone, and so do the versions that characters are built under, as long as
    these are there. ``field_versions`` are as ``merging`` has them.
    """

    __tablename__ = "pack"
    __table_args__ = (Index("ix_pack_owner", "owner", "id"), Index("ix_pack_campaign", "campaign", "id"))
    __mapper_args__: ClassVar[dict[str, Any]] = {"version_id_col": _VERSION}

    id: str = Field(primary_key=True, max_length=40)
    owner: str = Field(max_length=40)
    campaign: str | None = Field(default=None, max_length=40)
    system: str = Field(max_length=40)
    name: str = Field(max_length=120)
    description: str = Field(max_length=2000)
    field_versions: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    version: int = Field(default=0, sa_column=_VERSION)
    created_at: datetime = Field(sa_type=Utc)
    updated_at: datetime = Field(sa_type=Utc)
    deleted_at: datetime | None = Field(default=None, sa_type=Utc)


class PackVersionRow(Base, table=True):
    """What a pack held, from one edit to the next; ``document`` is one of the system's codec for packs."""

    __tablename__ = "pack_version"

    pack: str = Field(primary_key=True, max_length=40)
    version: int = Field(primary_key=True)
    document: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=Utc)


_LIFE = WithOwner("the pack, or the characters that are built under it")
state_lives(
    METADATA,
    pack_use=WithOwner("the character"),
    pack=_LIFE,
    pack_version=_LIFE,
)
