"""The tables of the campaign service."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import JSON, Column, Index, Text, UniqueConstraint
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from services.shared.access import Role
from services.shared.consumer import cursor_table
from services.shared.database import Utc
from services.shared.idempotency import idempotency_table
from services.shared.outbox import outbox_table
from services.shared.retention import After, WithOwner, state_lives
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
    expires_at: datetime = Field(sa_type=Utc, index=True)

    def is_open(self, moment: datetime) -> bool:
        """Whether it can be joined by."""
        return self.uses_left > 0 and self.expires_at > moment


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


class Scene(Base, table=True):
    """One run of a game's rules: where it began, where it stands, and what is being done just now.

    ``seq`` counts the moves that everybody at the table may know of, ``secret_seq`` those that are hidden
    from some; ``number`` counts all of them, the void ones too, and orders them.

    Attributes:
        cast: ids of the players' characters that take part.
        opening: document of the state it began with.
        state: document of the state it is in.
        state_hash: hash of that state.
        pending: a move that was let in and whose dice may have fallen already; see ``scenes.history``.
        waiting: a move that waits for answers; see ``scenes.places``.
        deadlines: until when each open question waits for its answer, in ISO 8601, by the question's id.
        due_at: the first of them.
        map: id of the stored map that it is set on, if any.
        begun_from: id of the campaign's own scene that it was begun from, if any; and under which name there.
        inbox: what scenes that were begun from it hand over while a move of its own waits.
        changes: what was told last of what it has changed about characters; see ``scenes.changes``.
        ended_at: when it was over.
    """

    __tablename__ = "scene"
    __table_args__ = (
        Index("ix_scene_campaign", "campaign", "id"),
        Index("ix_scene_due", "due_at"),
        Index("ix_scene_map", "map"),
    )

    id: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(foreign_key="campaign.id", max_length=40)
    system: str = Field(max_length=40)
    title: str = Field(max_length=120)
    started_by: str = Field(max_length=40)
    cast: list[str] = Field(sa_column=Column(JSON, nullable=False))
    seq: int = Field(default=0)
    secret_seq: int = Field(default=0)
    number: int = Field(default=0)
    opening: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    state: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    state_hash: str = Field(max_length=64)
    pending: dict[str, Any] | None = Field(
        default=None, sa_column=Column(JSON(none_as_null=True), nullable=True)
    )
    waiting: dict[str, Any] | None = Field(
        default=None, sa_column=Column(JSON(none_as_null=True), nullable=True)
    )
    deadlines: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    due_at: datetime | None = Field(default=None, sa_type=Utc)
    map: str | None = Field(default=None, max_length=40)
    begun_from: str | None = Field(default=None, max_length=40)
    begun_as: str | None = Field(default=None, max_length=120)
    inbox: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    changes: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=Utc)
    ended_at: datetime | None = Field(default=None, sa_type=Utc)


class SceneMove(Base, table=True):
    """A move of a scene; written once, but for ``undone_by``.

    Attributes:
        number: its place among all moves of the scene, from 1.
        part_of: of an answer, the number of the move that waited for it; null for a move of its own.
        kind: ``move``, ``undo``, or ``void`` for one that came to nothing after its dice had fallen.
        seq: its number among the moves that everybody may know of; null for the others.
        secret_seq: its number among those.
        since: the newest ``seq`` at that time, its own included.
        actor: who moved.
        known_to: who may know that it was them: an audience in its JSON form.
        account: who sent it.
        by_gm: whether that was a GM.
        lapsed: whether the table's clock made it, for somebody who did not answer in time.
        move: document of the move; null for an undo.
        rolls: its dice, a roll, its faces and its id each; see ``scenes.history``.
        events: documents of what happened.
        told: what happened in plain words, for each pair of eyes; see ``scenes.telling``.
        heard: who beside GMs may know of it, as far as that is quickly told; see ``scenes.telling.heard_by``.
        heard_from: of what a scene handed over, the scene and the number of its row: ``scn_...:12``.
        undoes: number of the move that an undo takes back, with all answers to it.
        undone_by: number of the undo that took it back.
        state_hash: hash of the state behind it.
    """

    __tablename__ = "scene_move"
    __table_args__ = (
        UniqueConstraint("scene", "seq"),
        Index("ix_scene_move_since", "scene", "since", "number"),
    )

    scene: str = Field(primary_key=True, foreign_key="scene.id", max_length=40)
    number: int = Field(primary_key=True)
    part_of: int | None = Field(default=None)
    kind: str = Field(max_length=12)
    seq: int | None = Field(default=None)
    secret_seq: int | None = Field(default=None)
    since: int
    actor: str = Field(sa_column=Column(Text, nullable=False))
    known_to: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    account: str = Field(max_length=40)
    by_gm: bool
    lapsed: bool = Field(default=False)
    move: dict[str, Any] | None = Field(
        default=None, sa_column=Column(JSON(none_as_null=True), nullable=True)
    )
    rolls: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    events: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    told: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    heard: str = Field(sa_column=Column(Text, nullable=False))
    heard_from: str | None = Field(default=None, max_length=60)
    undoes: int | None = Field(default=None)
    undone_by: int | None = Field(default=None)
    state_hash: str = Field(max_length=64)
    created_at: datetime = Field(sa_type=Utc)


_CAMPAIGN = WithOwner("the campaign")
_SCENE = WithOwner("the scene, which replays from its first move")
state_lives(
    METADATA,
    campaign=WithOwner("its game masters"),
    member=_CAMPAIGN,
    seat=_CAMPAIGN,
    invitation=After(
        timedelta(days=30), ("expires_at",), "A GM sees for a month that a code was good, and is no more."
    ),
    log_entry=_CAMPAIGN,
    scene=_CAMPAIGN,
    scene_move=_SCENE,
)
