"""The rows of accounts, their keys, and invitations to open one."""

from datetime import date, datetime, timedelta

from sqlmodel import Field

from services.gateway.tables import Base
from services.shared.database import Utc
from services.shared.retention import After, ForEver, state_lives

DELETED = "Deleted account"
"""What an account, and each of its keys, is called once it is deleted."""


class AccountRow(Base, table=True):
    """A person who plays, or a program; the owner of keys, campaigns, characters, rolls and maps.

    One that was deleted keeps its row, for what others rely on still names it: by ``DELETED`` alone.
    """

    __tablename__ = "account"

    id: str = Field(primary_key=True, max_length=40)
    name: str = Field(max_length=120)
    created_at: datetime = Field(sa_type=Utc)
    version: int = Field(default=1)
    deleted_at: datetime | None = Field(default=None, sa_type=Utc)


class InvitationRow(Base, table=True):
    """The operator's leave to open a number of accounts; its code is kept only as a keyed hash."""

    __tablename__ = "invitation"

    id: str = Field(primary_key=True, max_length=40)
    digest: str = Field(max_length=64, unique=True)
    note: str = Field(max_length=120)
    uses: int
    used: int = Field(default=0)
    created_at: datetime = Field(sa_type=Utc)
    expires_at: datetime = Field(sa_type=Utc, index=True)
    revoked_at: datetime | None = Field(default=None, sa_type=Utc)


class ApiKeyRow(Base, table=True):
    """An API key: its id and the keyed hash of its secret, never the secret.

    ``capacity`` and ``refill_per_second`` are the points of its own bucket; both null where it has none.
    ``scopes`` are words in alphabetical order, apart by spaces. ``last_used_on`` is a day, not a moment, so
    that a busy key costs one write a day.
    """

    __tablename__ = "api_key"

    id: str = Field(primary_key=True, max_length=40)
    account: str = Field(foreign_key="account.id", max_length=40, index=True)
    name: str = Field(max_length=120)
    digest: str = Field(max_length=64)
    scopes: str = Field(max_length=40)
    created_at: datetime = Field(sa_type=Utc)
    expires_at: datetime | None = Field(default=None, sa_type=Utc, index=True)
    revoked_at: datetime | None = Field(default=None, sa_type=Utc, index=True)
    last_used_on: date | None = Field(default=None)
    capacity: int | None = Field(default=None)
    refill_per_second: int | None = Field(default=None)

    @property
    def limit(self) -> tuple[int, int] | None:
        """Capacity and refill per second of the key's own bucket; None without one."""
        if self.capacity is None or self.refill_per_second is None:
            return None
        return self.capacity, self.refill_per_second

    @property
    def scope_set(self) -> frozenset[str]:
        """Give the scopes as a set."""
        return frozenset(self.scopes.split())

    def usable(self, moment: datetime) -> bool:
        """Tell whether the key opens anything at ``moment``."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > moment)


state_lives(
    Base.metadata,
    account=ForEver("Rolls and logs of others name it; one that was deleted holds nothing of whose it was."),
    invitation=After(
        timedelta(days=30), ("expires_at",), "The operator sees for a month who came by one that has expired."
    ),
    api_key=After(
        timedelta(days=90),
        ("expires_at", "revoked_at"),
        "Its owner sees for three months that it opens nothing any more, and when it was used last.",
    ),
)
