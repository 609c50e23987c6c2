"""Checks that several use cases of the account service share."""

from collections.abc import Collection
from enum import StrEnum

from services.shared.problems import Issue
from services.shared.wording import line_issues

MAX_NAME = 120
MAX_DAYS = 3650
MAX_INVITATION_USES = 10_000
MAX_INVITATION_DAYS = 365


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
    return [] if days is None else _range_issues(days, "expiresInDays", MAX_DAYS)


def invitation_issues(note: str, uses: int, days: int) -> list[Issue]:
    """Check what an invitation is for, how many accounts it may open, and for how many days it holds."""
    return (
        line_issues(note, "note", most=MAX_NAME)
        + _range_issues(uses, "uses", MAX_INVITATION_USES)
        + _range_issues(days, "days", MAX_INVITATION_DAYS)
    )


def _range_issues(found: int, name: str, most: int) -> list[Issue]:
    if 1 <= found <= most:
        return []
    return [
        Issue(
            code="OUT_OF_RANGE",
            message=f"`{name}` must be from 1 to {most}.",
            path=[name],
            found=str(found)[:40],
            allowed=f"1..{most}",
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
