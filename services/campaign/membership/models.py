"""Campaigns, and who is at their tables."""

from datetime import datetime, timedelta

from sqlalchemy import JSON, Column
from sqlmodel import Field

from services.campaign.tables import METADATA, Base
from services.shared.access import Role
from services.shared.database import Utc
from services.shared.retention import After, WithOwner, state_lives


class Campaign(Base, table=True):
    """A group of people who play together over many evenings.

    ``vacant_since`` is when it lost its last GM; none while it has one. ``edited_at`` is when its name or
    description was edited last, none while neither was; ``field_versions`` are as ``merging`` has them.
    """

    __tablename__ = "campaign"

    id: str = Field(primary_key=True, max_length=40)
    name: str = Field(max_length=120)
    description: str = Field(default="", max_length=2000)
    created_by: str = Field(max_length=40)
    created_at: datetime = Field(sa_type=Utc)
    version: int = Field(default=1)
    edited_at: datetime | None = Field(default=None, sa_type=Utc)
    field_versions: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    vacant_since: datetime | None = Field(default=None, sa_type=Utc)


class Member(Base, table=True):
    """One account's place in a campaign; ``declined`` where it was asked to run the game, and will not."""

    __tablename__ = "member"

    campaign: str = Field(primary_key=True, foreign_key="campaign.id", max_length=40)
    account: str = Field(primary_key=True, max_length=40, index=True)
    role: str = Field(max_length=12)
    joined_at: datetime = Field(sa_type=Utc)
    declined: bool = Field(default=False)

    @property
    def rank(self) -> Role:
        """Return the role as an enum."""
        return Role(self.role)


class PastMember(Base, table=True):
    """What an account was in a campaign that was deleted: its rolls there are still theirs to check."""

    __tablename__ = "past_member"

    account: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(primary_key=True, max_length=40)
    role: str = Field(max_length=12)


class Estate(Base, table=True):
    """What a deleted account shared with a campaign that has no GM: it is kept for the next one."""

    __tablename__ = "estate"

    account: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(primary_key=True, foreign_key="campaign.id", max_length=40, index=True)


class Seat(Base, table=True):
    """A character that plays in a campaign; a character sits at one table at a time."""

    __tablename__ = "seat"

    character: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(foreign_key="campaign.id", max_length=40, index=True)
    account: str = Field(max_length=40)
    seated_at: datetime = Field(sa_type=Utc)


class Invitation(Base, table=True):
    """A code that lets others join, as long as its issuer has the right to issue it.

    ``revoked_at`` is when the issuer lost that right; it does not come back with the right.
    """

    __tablename__ = "invitation"

    id: str = Field(primary_key=True, max_length=40)
    campaign: str = Field(foreign_key="campaign.id", max_length=40, index=True)
    code: str = Field(max_length=20, unique=True)
    role: str = Field(max_length=12)
    uses_left: int
    created_by: str = Field(max_length=40)
    created_at: datetime = Field(sa_type=Utc)
    expires_at: datetime = Field(sa_type=Utc, index=True)
    revoked_at: datetime | None = Field(default=None, sa_type=Utc)


_CAMPAIGN = WithOwner("the campaign")
state_lives(
    METADATA,
    campaign=WithOwner("its game masters, and its last member"),
    member=_CAMPAIGN,
    past_member=WithOwner("the account"),
    estate=_CAMPAIGN,
    seat=_CAMPAIGN,
    invitation=After(
        timedelta(days=30), ("expires_at",), "A GM sees for a month that a code was good, and is no more."
    ),
)
