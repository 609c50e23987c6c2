"""What is kept of what became of characters: a line for each edit, and what scenes have changed."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field

from services.character.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import WithOwner, state_lives


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


state_lives(
    METADATA,
    character_version=WithOwner("the character"),
    scene_change=WithOwner("the character"),
)
