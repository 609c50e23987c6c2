"""The tables of the map service."""

from datetime import datetime, timedelta

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, Text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from services.shared.consumer import cursor_table
from services.shared.database import Utc
from services.shared.idempotency import idempotency_table
from services.shared.job_turns import shares_table
from services.shared.jobs import jobs_table
from services.shared.metadata.bags import bags_table
from services.shared.outbox import outbox_table
from services.shared.retention import After, WithOwner, state_lives
from services.shared.sequence import sequence_table
from services.shared.updates import updates_table


class Base(SQLModel, registry=registry()):
    """The tables of this service alone."""


METADATA = Base.metadata
OUTBOX = outbox_table(METADATA)
SEQUENCE = sequence_table(METADATA)
IDEMPOTENCY = idempotency_table(METADATA)
JOBS = jobs_table(METADATA)
SHARES = shares_table(METADATA)
CURSORS = cursor_table(METADATA)
UPDATES = updates_table(METADATA)
BAGS = bags_table(METADATA)

# Every version of every job: what a subscriber that was away is told, step by step.
JOB_CHANGES = Table(
    "job_change",
    METADATA,
    Column("job", String(40), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("snapshot", Text, nullable=False),
)


class MapUsage(Base, table=True):
    """What an account keeps here, counted in the units of work that add to it.

    ``bytes`` are those of its files and map files, the parts of its batches included. Whoever holds the row
    is alone in adding something for the account. Nothing is added for an account that was erased.
    """

    __tablename__ = "map_usage"
    __table_args__ = (Index("ix_map_usage_erased", "erased_at"),)

    owner: str = Field(primary_key=True, max_length=40)
    maps: int
    bytes: int = Field(sa_type=BigInteger)
    erased_at: datetime | None = Field(default=None, sa_type=Utc)


class MapRow(Base, table=True):
    """One map: its canonical model, what it was made from and by, and what was done with it since.

    ``version`` grows with each edit; ``state`` is the play on it, none as long as nobody has touched it. A
    map whose ``sharing`` is hidden is its owner's and the GMs'. While a ``scene`` leads a map, map and scene
    are one. ``bytes`` is what it counts in its owner's usage, with its files: as much as when it was added.
    """

    __tablename__ = "map"
    __table_args__ = (
        Index("ix_map_campaign", "campaign", "id"),
        Index("ix_map_owner", "owner", "id"),
        Index("ix_map_scene", "scene"),
    )

    id: str = Field(primary_key=True, max_length=40)
    kind: str = Field(max_length=40)
    name: str = Field(max_length=120)
    seed: str = Field(max_length=20)
    params: str = Field(sa_column=Column(Text, nullable=False))
    model: str = Field(sa_column=Column(Text, nullable=False))
    generator_version: int
    gates: str = Field(sa_column=Column(Text, nullable=False))
    figures: str = Field(default="[]", sa_column=Column(Text, nullable=False))
    attempts: int
    owner: str = Field(max_length=40)
    campaign: str | None = Field(default=None, max_length=40)
    job: str | None = Field(default=None, max_length=40, unique=True)
    image: str | None = Field(default=None, max_length=200)
    created_at: datetime = Field(sa_type=Utc)
    sharing: str = Field(default="open", max_length=10)
    state: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    version: int = Field(default=1)
    scene: str | None = Field(default=None, max_length=40)
    bytes: int = Field(default=0)


class SceneBoard(Base, table=True):
    """What a scene has told last of the map that it leads, or led."""

    __tablename__ = "scene_board"

    scene: str = Field(primary_key=True, max_length=40)
    map: str = Field(foreign_key="map.id", index=True, max_length=40)
    number: int


class MapEdit(Base, table=True):
    """One edit of a map; it is never changed but by being taken back.

    ``changes`` hold each changed entity before and after, and ``side_changes`` those that undoing it leaves:
    what was explored by it, and what taking another edit back has changed; ``model_before`` the model, where
    the map itself has grown. An edit that takes back another one names it in ``undoes``. What a game has done
    to a map names the ``scene`` and no account; no edit takes it back.
    """

    __tablename__ = "map_edit"

    map: str = Field(primary_key=True, foreign_key="map.id", max_length=40)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    account: str | None = Field(default=None, max_length=40)
    scene: str | None = Field(default=None, max_length=40)
    sort: str = Field(max_length=40)
    changes: str = Field(sa_column=Column(Text, nullable=False))
    side_changes: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    model_before: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    undoes: int | None = None
    undone: bool = False
    made_at: datetime = Field(sa_type=Utc)


class MapFile(Base, table=True):
    """One file of a map; its content lies in the storage under ``key``."""

    __tablename__ = "map_file"

    map: str = Field(primary_key=True, foreign_key="map.id", max_length=40)
    name: str = Field(primary_key=True, max_length=40)
    key: str = Field(max_length=200)
    content_type: str = Field(max_length=80)
    bytes: int
    sha256: str = Field(max_length=64)


class BatchPart(Base, table=True):
    """The maps that one part of a batch has made: which, and where they lie in the storage."""

    __tablename__ = "batch_part"

    job: str = Field(primary_key=True, max_length=40)
    batch: str = Field(index=True, max_length=40)
    first: int
    count: int
    key: str = Field(max_length=200)
    bytes: int
    sha256: str = Field(max_length=64)
    summary: str = Field(sa_column=Column(Text, nullable=False))


_MAP = WithOwner("the map")
state_lives(
    METADATA,
    job=After(
        timedelta(days=30),
        ("ended_at",),
        "Who ordered it sees for a month how it ended.",
        unless="EXISTS (SELECT 1 FROM batch_part WHERE batch_part.batch = job.id)"
        " OR EXISTS (SELECT 1 FROM job AS batch WHERE batch.id = job.whole AND batch.ended_at IS NULL)",
    ),
    job_change=WithOwner("the job", "job", "job"),
    map_usage=After(
        timedelta(days=1),
        ("erased_at",),
        "It counts while the account is there; then it keeps out what was under way when that was erased.",
    ),
    map=WithOwner("its owner, who may hand it on to a GM of the campaign"),
    scene_board=_MAP,
    map_edit=_MAP,
    map_file=_MAP,
    batch_part=WithOwner("the batch, which is its owner's"),
)

NAMED_FILES = """
SELECT key FROM map_file UNION SELECT key FROM batch_part UNION SELECT image FROM map WHERE image IS NOT NULL
"""
"""The query for the keys of all stored files that rows name."""
