"""The table of rolls."""

from datetime import datetime

from sqlalchemy import Column, Index, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field

from services.dice.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import ForEver, state_lives


class RollRow(Base, table=True):
    """One roll; written once. Only a secret one changes, once, when it is revealed.

    ``place`` is where it was made, the campaign or else the account. ``seq`` is its number among the open
    rolls there, and ``secret_seq`` among the secret ones: a roll that was never revealed has no ``seq``, so
    that nobody can count it. The expression, what its words meant and the faces, in the order drawn, are the
    whole roll: everything else is read out of them.

    Attributes:
        definitions: the table's own dice that the expression names, as JSON: faces by name; null for none.
        exact: the total as a fraction, "7/2", where it is not a whole number; ``total`` is then rounded down.
        outcome: the word of a game's own roll: ``critical_failure``; null for plain dice.
        epoch: the epoch of verifiable rolls that its faces were drawn in; null for rolls from before them.
        number: its number in that epoch.
        void: why the dice came to nothing, ``DIVISION_BY_ZERO``; null where they came to a total. A void has
            the outcome ``void`` and the total 0.
        told: what is read out of a roll of many draws, as ``told`` stores it; null where it is quickly done.
        batch: names the request it was part of; the same scene and move always have the same name.
        batch_place: its place among the rolls of that request, from 0.
        external_author: who asked a bot for it elsewhere, by name; null where none did.
        external_message: the id of their message there.
        external_platform: where that is, if it was said.
    """

    __tablename__ = "roll"
    __table_args__ = (
        UniqueConstraint("place", "seq"),
        Index("ix_roll_place", "place", "id"),
        Index("ix_roll_account", "account", "id"),
        Index("ix_roll_character", "character", "id"),
        Index("ix_roll_scene", "scene", "id"),
        Index("ix_roll_secret", "place", "secret_seq", unique=True),
        Index("ix_roll_batch", "batch", "batch_place"),
        Index("ix_roll_external", "place", "external_message"),
        Index(
            "ix_roll_external_account",
            "account",
            sqlite_where=text("external_message IS NOT NULL"),
            postgresql_where=text("external_message IS NOT NULL"),
        ),
    )

    id: str = Field(primary_key=True, max_length=40)
    place: str = Field(max_length=40)
    seq: int | None = Field(default=None)
    secret_seq: int | None = Field(default=None)
    account: str = Field(max_length=40)
    campaign: str | None = Field(default=None, max_length=40)
    character: str | None = Field(default=None, max_length=40)
    scene: str | None = Field(default=None, max_length=40)
    label: str | None = Field(default=None, max_length=120)
    expression: str = Field(sa_column=Column(Text, nullable=False))
    definitions: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    faces: str = Field(sa_column=Column(Text, nullable=False))
    total: int
    exact: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    outcome: str | None = Field(default=None, max_length=60)
    epoch: str | None = Field(default=None, max_length=40)
    number: int | None = Field(default=None)
    void: str | None = Field(default=None, max_length=40)
    told: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    batch: str = Field(max_length=40)
    batch_place: int = 0
    external_author: str | None = Field(default=None, max_length=80)
    external_message: str | None = Field(default=None, max_length=120)
    external_platform: str | None = Field(default=None, max_length=40)
    created_at: datetime = Field(sa_type=Utc)
    revealed_at: datetime | None = Field(default=None, sa_type=Utc)

    @property
    def draws(self) -> int:
        """How many dice were drawn."""
        return self.faces.count(",") + (self.faces != "[]")


state_lives(
    METADATA,
    roll=ForEver(
        "Receipts tell of it, and players check them from the first to the last; only the rolls that an "
        "account made for itself go with it."
    ),
)
