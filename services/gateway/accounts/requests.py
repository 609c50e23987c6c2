"""What is asked of the account service, with its bounds."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, NewType

from services.shared.auth import KeyScope
from services.shared.bounds import Between, Count, Line
from services.shared.limits.purses import CAPACITY, REFILL_PER_SECOND
from services.shared.problems import Issue
from services.shared.wording import clipped

SCOPES: tuple[KeyScope, ...] = tuple(KeyScope)
NAME = Line(120)
AccountId = NewType("AccountId", str)


@dataclass(frozen=True, slots=True)
class SignUp:
    """An account to be opened.

    Attributes:
        name: Those you play with see it; need not be unique.
    """

    name: Annotated[str, NAME]


@dataclass(frozen=True, slots=True)
class Rename:
    """Another name for your account.

    Attributes:
        version: The version you saw.
        name: Those you play with see it.
    """

    version: int
    name: Annotated[str, NAME]


@dataclass(frozen=True, slots=True)
class DeleteAccount:
    """Your account, which is to be deleted for good.

    Attributes:
        confirm: Its id once more, so that nobody deletes it by a slip.
    """

    confirm: AccountId


@dataclass(frozen=True, slots=True)
class NewKey:
    """An API key to be made, one for each device or program; it can do no more than the key that asks.

    Attributes:
        name: What it is for: the device or program that holds it.
        scopes: What it allows.
        expires_in_days: Left out, the key holds until it is revoked.
        capacity: Points that the key can save up, beside the bucket of the account. Left out together with
            `refillPerSecond`, the key has no limit of its own; left out alone, it is that of the account.
        refill_per_second: Points that the key gains each second, likewise.
    """

    name: Annotated[str, NAME]
    scopes: Annotated[tuple[KeyScope, ...], Count(0, 10)]
    expires_in_days: Annotated[int, Between(1, 3650)] | None = None
    capacity: Annotated[int, Between(1, CAPACITY)] | None = None
    refill_per_second: Annotated[int, Between(1, REFILL_PER_SECOND)] | None = None

    @property
    def limit(self) -> tuple[int, int] | None:
        """Capacity and refill per second of the key's own bucket; None without one."""
        if self.capacity is None and self.refill_per_second is None:
            return None
        return self.capacity or CAPACITY, self.refill_per_second or REFILL_PER_SECOND


@dataclass(frozen=True, slots=True)
class RevokeKey:
    """A key that is to open nothing any more.

    Attributes:
        id: Of the key.
    """

    id: str


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """An invitation to sign up, made by the operator.

    Attributes:
        note: Whom or what it is for.
        uses: How many accounts it may open.
        days: How long it holds.
    """

    note: Annotated[str, NAME]
    uses: Annotated[int, Between(1, 10_000)] = 1
    days: Annotated[int, Between(1, 365)] = 7


def scope_issues(wanted: Collection[KeyScope], own: Collection[str]) -> list[Issue]:
    """Check the scopes of a new key: at least one, none beyond those of the key that asks."""
    allowed = ", ".join(scope.name for scope in SCOPES if scope in own)
    if not wanted:
        message = "A key needs at least one scope."
        return [Issue("NO_SCOPE", message, ["scopes"], found="none", allowed=allowed)]
    beyond = [scope.name for scope in SCOPES if scope in wanted and scope not in own]
    if beyond:
        message = "A key can hand on only scopes of its own."
        return [Issue("SCOPE_BEYOND_OWN", message, ["scopes"], found=", ".join(beyond), allowed=allowed)]
    return []


def limit_issues(asked: NewKey, own: tuple[int, int] | None) -> list[Issue]:
    """Check the limit of a new key: it is no wider than that of the key that asks."""
    if own is None:
        return []
    wanted = asked.limit or (CAPACITY, REFILL_PER_SECOND)
    message = "A key can hand on no wider limit than its own."
    return [
        Issue("LIMIT_BEYOND_OWN", message, [name], found=str(found), allowed=f"1..{most}")
        for name, found, most in zip(("capacity", "refillPerSecond"), wanted, own, strict=True)
        if found > most
    ]


def confirmation_issues(asked: DeleteAccount, account: str) -> list[Issue]:
    """Check that it is the asker's own account that is confirmed to be deleted."""
    if asked.confirm == account:
        return []
    message = "Name the id of your account, to confirm that it is to be deleted."
    return [Issue("NOT_CONFIRMED", message, ["confirm"], found=clipped(asked.confirm), allowed=account)]


def sign_up_key_issues(key: str | None) -> list[Issue]:
    """Check the idempotency key of a sign-up: all visitors share one space of keys, so it must be long."""
    if key is None or 32 <= len(key) <= 255:
        return []
    message = (
        "The idempotency key of a sign-up must have 32 to 255 characters, best a random UUID: "
        "no other visitor may come upon the same."
    )
    return [Issue("LENGTH", message, ["idempotencyKey"], found=str(len(key)), allowed="32..255")]
