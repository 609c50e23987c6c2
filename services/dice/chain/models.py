"""The tables of verifiable rolls."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from services.dice.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import ForEver, WithOwner, state_lives


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


_CHECKED = ForEver(
    "Players check the chain of receipts from its first roll to its last, also of a campaign that was "
    "deleted; only the rolls that an account made for itself go with it."
)
state_lives(
    METADATA,
    signing_key=_CHECKED,
    epoch=_CHECKED,
    receipt=_CHECKED,
    reservation=WithOwner("the request whose rolls are being evaluated, by this process or the next"),
)
