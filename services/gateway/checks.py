"""Checks that several use cases of the account service share."""

from collections.abc import Collection
from enum import StrEnum

from services.shared.problems import Issue
from services.shared.wording import line_issues

MAX_NAME = 120
MAX_DAYS = 3650


class KeyScope(StrEnum):
    """What a key allows."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


SCOPES: tuple[str, ...] = tuple(KeyScope)


def name_issues(name: str) -> list[Issue]:
    """Check the name of an account or key: 1 to 120 characters of one line."""
    return line_issues(name, "name", most=MAX_NAME)


def scope_issues(wanted: Collection[str], own: Collection[str]) -> list[Issue]:
    """Check the scopes of a new key: at least one, all known, none beyond those of the key that asks."""
    if not wanted:
        return [
            Issue(
                code="NO_SCOPE",
                message="A key needs at least one scope.",
                path=["scopes"],
                found="none",
                allowed=", ".join(scope for scope in SCOPES if scope in own),
            )
        ]
    unknown = sorted(set(wanted) - set(SCOPES))
    if unknown:
        return [
            Issue(
                code="UNKNOWN_SCOPE",
                message=f"There is no scope {unknown[0][:40]!r}.",
                path=["scopes"],
                found=", ".join(unknown)[:200],
                allowed=", ".join(SCOPES),
            )
        ]
    beyond = sorted(set(wanted) - set(own))
    if beyond:
        return [
            Issue(
                code="SCOPE_BEYOND_OWN",
                message="A key can hand on only scopes of its own.",
                path=["scopes"],
                found=", ".join(beyond),
                allowed=", ".join(scope for scope in SCOPES if scope in own),
            )
        ]
    return []


def days_issues(days: int | None) -> list[Issue]:
    """Check for how long a key is to hold; none is for ever."""
    if days is None or 1 <= days <= MAX_DAYS:
        return []
    return [
        Issue(
            code="OUT_OF_RANGE",
            message=f"`expiresInDays` must be from 1 to {MAX_DAYS}.",
            path=["expiresInDays"],
            found=str(days)[:40],
            allowed=f"1..{MAX_DAYS}",
        )
    ]


def sign_up_key_issues(key: str | None) -> list[Issue]:
    """Check the idempotency key of a sign-up; as nobody known asks, it must not be guessable."""
    if key is None or 32 <= len(key) <= 255:
        return []
    return [
        Issue(
            code="LENGTH",
            message="The idempotency key of a sign-up must have 32 to 255 characters, best a random UUID: "
            "whoever knows it can ask for the answer again.",
            path=["idempotencyKey"],
            found=str(len(key)),
            allowed="32..255",
        )
    ]
