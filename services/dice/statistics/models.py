"""The tables of what is counted of rolls."""

from sqlalchemy import Column, Text
from sqlmodel import Field

from services.dice.tables import METADATA, Base
from services.shared.retention import WithOwner, state_lives


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


_TABLE = WithOwner("the rolls that they count")
state_lives(METADATA, face_tally=_TABLE, total_tally=_TABLE)
