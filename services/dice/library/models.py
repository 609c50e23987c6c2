"""The tables of a table's own words."""

from datetime import datetime

from sqlalchemy import JSON, Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from services.dice.tables import METADATA, Base
from services.shared.database import Utc
from services.shared.retention import WithOwner, state_lives


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
    """A saved roll: of an account, or shared at a table; ``field_versions`` are as ``merging`` has them."""

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
    field_versions: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=Utc)


class TableSettingsRow(Base, table=True):
    """What a table has chosen about its dice."""

    __tablename__ = "table_settings"

    place: str = Field(primary_key=True, max_length=40)
    dialect: str = Field(default="HEARTHFORGE", max_length=20)
    version: int = 1


_TABLE = WithOwner("the campaign or the account whose words they are")
state_lives(METADATA, table_die=_TABLE, macro=_TABLE, table_settings=_TABLE)
