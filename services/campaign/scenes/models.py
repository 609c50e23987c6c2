"""Scenes, and the moves that were made in them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from services.campaign.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import WithOwner, state_lives


class Scene(Base, table=True):
    """One run of a game's rules: where it began, where it stands, and what is being done just now.

    ``seq`` counts the moves that everybody at the table may know of, ``secret_seq`` those that are hidden
    from some; ``number`` counts all of them, the void ones too, and orders them.

    Attributes:
        cast: ids of the players' characters that take part.
        opening: document of the state it began with.
        state: document of the state it is in.
        state_hash: hash of that state.
        pending: a move that was let in and whose dice may have fallen already; see ``history``.
        waiting: a move that waits for answers; see ``positions``.
        deadlines: until when each open question waits for its answer, in ISO 8601, by the question's id.
        due_at: the first of them.
        map: id of the stored map that it is set on, if any.
        begun_from: id of the campaign's own scene that it was begun from, if any; and under which name there.
        inbox: what scenes that were begun from it hand over while a move of its own waits.
        packs: id, version and name of each pack that it is played with, as it was when it began.
        pack_documents: what these hold, in order, as JSON; empty for the book alone.
        changes: what was told last of what it has changed about characters; see ``changes``.
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
    packs: list[dict[str, Any]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    pack_documents: str = Field(default="", sa_column=Column(Text, nullable=False))
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
        lapsed: whether the table's clock made it, for one who did not answer in time.
        move: document of the move; null for an undo.
        rolls: its dice, a roll, its faces and its id each; see ``history``.
        events: documents of what happened.
        told: what happened in plain words, for each pair of eyes; see ``narration``.
        heard: who beside GMs may know of it, as far as that is quickly told; see ``narration.heard_by``.
        heard_from: of what a scene handed over, the scene and the number of its row: ``scn_...:12``.
        undoes: number of the move that an undo takes back, with all answers to it.
        undone_by: number of the undo that took it back.
        sealed: of an answer, whether nobody but who sent it may ever read it.
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
    sealed: bool = Field(default=False)
    state_hash: str = Field(max_length=64)
    created_at: datetime = Field(sa_type=Utc)


state_lives(
    METADATA,
    scene=WithOwner("the campaign"),
    scene_move=WithOwner("the scene, which replays from its first move"),
)
