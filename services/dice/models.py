"""The tables of the dice service."""

from datetime import datetime

from sqlalchemy import Column, Index, LargeBinary, Text, UniqueConstraint
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from services.shared.database import Utc
from services.shared.idempotency import idempotency_table
from services.shared.outbox import outbox_table
from services.shared.retention import ForEver, WithOwner, state_lives
from services.shared.sequence import sequence_table


class Base(SQLModel, registry=registry()):
    """The tables of this service alone."""


METADATA = Base.metadata
OUTBOX = outbox_table(METADATA)
SEQUENCE = sequence_table(METADATA)
IDEMPOTENCY = idempotency_table(METADATA)


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
        batch: names the request it was part of; the same scene and move always give the same name.
        batch_place: its place among the rolls of that request, from 0.
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
    created_at: datetime = Field(sa_type=Utc)
    revealed_at: datetime | None = Field(default=None, sa_type=Utc)

    @property
    def draws(self) -> int:
        """How many dice were drawn."""
        return self.faces.count(",") + (self.faces != "[]")


class SigningKeyRow(Base, table=True):
    """A key under which commitments and receipts are signed; the newest one that is not retired signs.

    Attributes:
        public: the Ed25519 public key, 32 bytes in hexadecimal.
        sealed: the private key, sealed.
    """

    __tablename__ = "signing_key"

    id: str = Field(primary_key=True, max_length=40)
    public: str = Field(max_length=64)
    sealed: str = Field(max_length=400)
    created_at: datetime = Field(sa_type=Utc)
    retired_at: datetime | None = Field(default=None, sa_type=Utc)


class EpochRow(Base, table=True):
    """One epoch of verifiable rolls at one place: a chain of seeds, committed to before the first roll.

    ``live`` names the chain, "open" or "secret", while it is in use, and is null once it is closed, so that a
    place has one live epoch of each kind.

    Attributes:
        id: the epoch's 16 bytes in hexadecimal.
        chain: "open", or "secret" for the GM's rolls.
        ordinal: 1, 2, 3, ... among the epochs of this chain at this place.
        length: how many rolls it is good for.
        used: how many numbers are used up, voids included.
        head: hash of the newest statement: commitment or receipt.
        sealed: the last seed of the chain, sealed.
        commitment, closing: the signed statements, as they are published.
    """

    __tablename__ = "epoch"
    __table_args__ = (UniqueConstraint("place", "live"), UniqueConstraint("place", "chain", "ordinal"))

    id: str = Field(primary_key=True, max_length=40)
    place: str = Field(max_length=40)
    chain: str = Field(max_length=10)
    live: str | None = Field(default=None, max_length=10)
    ordinal: int
    length: int
    used: int = 0
    head: str = Field(max_length=64)
    sealed: str = Field(max_length=400)
    commitment: str = Field(sa_column=Column(Text, nullable=False))
    closing: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    created_at: datetime = Field(sa_type=Utc)
    closed_at: datetime | None = Field(default=None, sa_type=Utc)


class ReceiptRow(Base, table=True):
    """The receipt of one number of an epoch; ``statement`` is it as it is published.

    The oldest voids have no roll.
    """

    __tablename__ = "receipt"
    __table_args__ = (Index("ix_receipt_roll", "roll", unique=True),)

    epoch: str = Field(primary_key=True, max_length=40)
    number: int = Field(primary_key=True)
    roll: str | None = Field(default=None, max_length=40)
    hidden: bool = False
    statement: str = Field(sa_column=Column(Text, nullable=False))
    created_at: datetime = Field(sa_type=Utc)


class ReservationRow(Base, table=True):
    """Numbers of a place's chains that are taken by rolls which are being evaluated; at most one at a place.

    What the rolls come to is fixed with it: expression, number and client entropy. Whoever evaluates them,
    now or after a crash, finds the same, and nobody else draws there before they are kept.

    Attributes:
        batch: names the request.
        rolls: what is to be kept of each roll and the number it has, as JSON.
        lease_until: when others may take the evaluation over.
    """

    __tablename__ = "reservation"

    place: str = Field(primary_key=True, max_length=40)
    batch: str = Field(max_length=40)
    account: str = Field(max_length=40)
    rolls: str = Field(sa_column=Column(Text, nullable=False))
    lease_until: datetime = Field(sa_type=Utc, index=True)
    created_at: datetime = Field(sa_type=Utc)


class FaceTallyRow(Base, table=True):
    """How often one player's dice of one kind showed one face at one place; secret rolls count when revealed.

    Attributes:
        die: "d6", "dF"; of a die of the table's own, its name and the beginning of a hash of its faces.
        faces: how many faces such a die has.
    """

    __tablename__ = "face_tally"

    place: str = Field(primary_key=True, max_length=40)
    account: str = Field(primary_key=True, max_length=40)
    die: str = Field(primary_key=True, max_length=80)
    face: int = Field(primary_key=True)
    faces: int
    count: int


class TotalTallyRow(Base, table=True):
    """How often one player's rolls of one expression came to one total at one place."""

    __tablename__ = "total_tally"

    place: str = Field(primary_key=True, max_length=40)
    account: str = Field(primary_key=True, max_length=40)
    digest: str = Field(primary_key=True, max_length=64)
    total: int = Field(primary_key=True)
    expression: str = Field(sa_column=Column(Text, nullable=False))
    definitions: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    count: int


class TableDieRow(Base, table=True):
    """A die of a table's own: faces by name."""

    __tablename__ = "table_die"
    __table_args__ = (UniqueConstraint("place", "name"),)

    id: str = Field(primary_key=True, max_length=40)
    place: str = Field(max_length=40)
    name: str = Field(max_length=40)
    faces: str = Field(sa_column=Column(Text, nullable=False))
    version: int = 1
    created_by: str = Field(max_length=40)
    created_at: datetime = Field(sa_type=Utc)


class MacroRow(Base, table=True):
    """A saved roll: of an account, or shared at a table."""

    __tablename__ = "macro"
    __table_args__ = (UniqueConstraint("place", "name"), Index("ix_macro_place", "place", "id"))

    id: str = Field(primary_key=True, max_length=40)
    place: str = Field(max_length=40)
    account: str = Field(max_length=40)
    campaign: str | None = Field(default=None, max_length=40)
    name: str = Field(max_length=80)
    expression: str = Field(sa_column=Column(Text, nullable=False))
    variables: str = Field(default="{}", sa_column=Column(Text, nullable=False))
    label: str | None = Field(default=None, max_length=120)
    dialect: str = Field(default="HEARTHFORGE", max_length=20)
    version: int = 1
    created_at: datetime = Field(sa_type=Utc)


class TableSettingsRow(Base, table=True):
    """What a table has chosen about its dice."""

    __tablename__ = "table_settings"

    place: str = Field(primary_key=True, max_length=40)
    dialect: str = Field(default="HEARTHFORGE", max_length=20)
    version: int = 1


_CHECKED = ForEver("Players check the chain of receipts from its first roll to its last.")
_TABLE = WithOwner("the campaign or the account whose dice they are")
state_lives(
    METADATA,
    roll=_CHECKED,
    receipt=_CHECKED,
    epoch=_CHECKED,
    signing_key=_CHECKED,
    reservation=WithOwner("the request whose rolls are being evaluated, by this process or the next"),
    face_tally=_TABLE,
    total_tally=_TABLE,
    table_die=_TABLE,
    macro=_TABLE,
    table_settings=_TABLE,
)
