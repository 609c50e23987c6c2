"""How much an account may have: the one problem that refuses more, and what an installation allows."""

from dataclasses import dataclass
from typing import Protocol

from services.shared.problems import InvalidInput, Issue

CODE = "QUOTA_EXCEEDED"

MAX_CAMPAIGNS, MAX_SEATS = 500, 500
MAX_CHARACTERS, MAX_PACKS = 2_000, 100


class QuotaExceeded(InvalidInput):
    """An account has as much as it may have; the issue's path names the quota.

    Args:
        quota: its name.
        kind: what it counts, in plain words.
        found: what the account has, or would have.
        allowed: the most it may have.
    """

    def __init__(self, quota: str, kind: str, found: int, allowed: int) -> None:
        message = f"Your quota of {kind} is used up: {found:,} of {allowed:,}."
        super().__init__([Issue(CODE, message, [quota], found=str(found), allowed=str(allowed))])


class TableLimits(Protocol):
    """The settings that ``TableQuotas`` are read from."""

    max_campaigns: int
    max_seats: int


class CharacterLimits(Protocol):
    """The settings that ``CharacterQuotas`` are read from."""

    max_characters: int
    max_packs: int


@dataclass(frozen=True, slots=True)
class TableQuotas:
    """The most that one account may have at tables.

    Attributes:
        campaigns: that it is a member of, founded or joined.
        seats: characters of its own that sit at tables.
    """

    campaigns: int = MAX_CAMPAIGNS
    seats: int = MAX_SEATS

    @classmethod
    def of(cls, settings: TableLimits) -> "TableQuotas":
        """Read them from the settings of the installation."""
        return cls(settings.max_campaigns, settings.max_seats)

    def check_campaigns(self, found: int) -> None:
        """Check that an account in so many campaigns may be in one more.

        Raises:
            QuotaExceeded: it may not.
        """
        if found >= self.campaigns:
            raise QuotaExceeded("campaigns", "campaigns", found, self.campaigns)

    def check_seats(self, found: int) -> None:
        """Check that an account with so many seats may take one more; raises likewise."""
        if found >= self.seats:
            raise QuotaExceeded("seats", "characters at tables", found, self.seats)


TABLE_DEFAULTS = TableQuotas()


@dataclass(frozen=True, slots=True)
class CharacterQuotas:
    """The most that one account may have of its own.

    Attributes:
        characters: those that are not deleted.
        packs: likewise.
    """

    characters: int = MAX_CHARACTERS
    packs: int = MAX_PACKS

    @classmethod
    def of(cls, settings: CharacterLimits) -> "CharacterQuotas":
        """Read them from the settings of the installation."""
        return cls(settings.max_characters, settings.max_packs)

    def check_characters(self, found: int) -> None:
        """Check that an account with so many characters may have one more.

        Raises:
            QuotaExceeded: it may not.
        """
        if found >= self.characters:
            raise QuotaExceeded("characters", "characters", found, self.characters)

    def check_packs(self, found: int) -> None:
        """Check that an account with so many packs may have one more; raises likewise."""
        if found >= self.packs:
            raise QuotaExceeded("packs", "content packs", found, self.packs)


CHARACTER_DEFAULTS = CharacterQuotas()
