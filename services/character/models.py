"""The tables of the character service."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, Column, Index, Integer
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from services.shared.consumer import cursor_table
from services.shared.database import Utc
from services.shared.idempotency import idempotency_table
from services.shared.outbox import outbox_table
from services.shared.retention import WithOwner, state_lives
from services.shared.sequence import sequence_table


class Base(SQLModel, registry=registry()):
    """The tables of this service alone."""


METADATA = Base.metadata
OUTBOX = outbox_table(METADATA)
SEQUENCE = sequence_table(METADATA)
IDEMPOTENCY = idempotency_table(METADATA)
CURSORS = cursor_table(METADATA)

_VERSION = Column("version", Integer, nullable=False)
_PACK_VERSION = Column("version", Integer, nullable=False)


class CharacterRow(Base, table=True):
    """A character: what its player chose, and the sheet the rules made of that.

    ``choices`` and ``sheet`` are documents of the system's codecs, with their versions. ``version`` counts
    the edits by itself, from 1 when first kept. ``packs`` are those that its content was extended by, in
    order: id, version and name of each. A deleted character stays as a tombstone.
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
    version: int = Field(default=0, sa_column=_VERSION)
    created_at: datetime = Field(sa_type=Utc)
    updated_at: datetime = Field(sa_type=Utc)
    deleted_at: datetime | None = Field(default=None, sa_type=Utc)


class CharacterVersionRow(Base, table=True):
    """What a character was, from one edit to the next: a line of its history.

    ``account`` made the edit; nobody did where a scene changed the character, or where the history begins.
    """

    __tablename__ = "character_version"

    character: str = Field(primary_key=True, max_length=40)
    version: int = Field(primary_key=True)
    what: str = Field(max_length=20)
    note: str = Field(max_length=400)
    account: str | None = Field(default=None, max_length=40)
    name: str = Field(max_length=120)
    choices: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    packs: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=Utc)


class SceneChangeRow(Base, table=True):
    """What a scene has changed about a character: while it runs, what was told of its last move.

    ``system`` is the scene's: the character's own, or that of its campaigns. ``number`` orders what is told.
    ``own`` is the change as the character's player and the GMs may know it, ``shown`` as everybody at the
    table may: ``data`` and ``text`` each, null for none. Nothing told later changes it once the scene has
    ``ended``; once it is ``settled`` it is the character's own, or nothing, and only the row stays.
    """

    __tablename__ = "scene_change"

    character: str = Field(primary_key=True, max_length=40)
    scene: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(max_length=40)
    system: str = Field(max_length=60)
    number: int
    own: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    shown: dict[str, Any] | None = Field(
        default=None, sa_column=Column(JSON(none_as_null=True), nullable=True)
    )
    ended: bool = Field(default=False)
    settled: bool = Field(default=False)


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
    deleted pack stays as a tombstone, and so do the versions that characters are built under.
    """

    __tablename__ = "pack"
    __table_args__ = (Index("ix_pack_owner", "owner", "id"), Index("ix_pack_campaign", "campaign", "id"))
    __mapper_args__: ClassVar[dict[str, Any]] = {"version_id_col": _PACK_VERSION}

    id: str = Field(primary_key=True, max_length=40)
    owner: str = Field(max_length=40)
    campaign: str | None = Field(default=None, max_length=40)
    system: str = Field(max_length=40)
    name: str = Field(max_length=120)
    description: str = Field(max_length=2000)
    version: int = Field(default=0, sa_column=_PACK_VERSION)
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


_CHARACTER = WithOwner("the character")
_PACK = WithOwner("the pack, or the characters that are built under it")
state_lives(
    METADATA,
    character=WithOwner("the account; a deleted one stays as a tombstone, for who was away meanwhile"),
    character_version=_CHARACTER,
    scene_change=_CHARACTER,
    pack_use=_CHARACTER,
    pack=_PACK,
    pack_version=_PACK,
)
