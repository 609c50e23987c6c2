"""What can go wrong, as typed answers.

::

    Problem (GraphQL interface: code, message, path)
    |-- NotFound              NOT_FOUND              no such thing, or not yours to know of
    |-- Forbidden             FORBIDDEN              yours to see, not yours to do
    |-- InvalidInput          INVALID_INPUT          the request breaks rules; every broken one is named
    |-- VersionConflict       VERSION_CONFLICT       somebody changed it since you looked
    |-- IdempotencyConflict   IDEMPOTENCY_CONFLICT   the key was used before for another request
    `-- Unavailable           UNAVAILABLE            a part of the house does not answer; try again

Mutations answer with unions of a success type and these; queries give null for what is not there. Only a
missing or insufficient key is a GraphQL error instead (``UNAUTHENTICATED``, ``FORBIDDEN``): it concerns the
request and not the thing asked for.
"""

import strawberry
from strawberry.federation import type as federated_type

from services.shared.mirror import mirror
from services.shared.problem import Issue as Issue


@strawberry.interface(description="Why a request was not carried out.")
class Problem:
    """A stable code for programs, a plain sentence for people, and the part of the input it concerns."""

    code: str = strawberry.field(description="Stable, for programs.")
    message: str = strawberry.field(description="A sentence for people.")
    path: list[str] = strawberry.field(description="The part of the input it concerns; empty for the whole.")


@federated_type(shareable=True, description="There is no such thing, or you may not know of it.")
class NotFound(Problem):
    """Unknown id, or one that the viewer may not see: the two are deliberately the same."""

    @classmethod
    def of(cls, kind: str, *path: str) -> "NotFound":
        """Say that no such ``kind`` is to be found, for instance ``campaign``."""
        return cls(
            code="NOT_FOUND", message=f"There is no such {kind}, or you may not see it.", path=list(path)
        )


@federated_type(shareable=True, description="You may see it, but you may not do this.")
class Forbidden(Problem):
    """The viewer's role or key does not allow the action."""

    @classmethod
    def because(cls, message: str, *path: str) -> "Forbidden":
        """Refuse, with the reason in plain words."""
        return cls(code="FORBIDDEN", message=message, path=list(path))


IssueType = mirror(Issue, shareable=True)


@federated_type(shareable=True, description="The request breaks rules; all of them are listed.")
class InvalidInput(Problem):
    """Nothing was changed; ``issues`` names every broken rule at once."""

    issues: list[Issue] = strawberry.field(
        default_factory=list,
        description="Every broken rule.",
        graphql_type=list[IssueType],  # type: ignore[valid-type]
    )

    @classmethod
    def of(cls, issues: list[Issue]) -> "InvalidInput":
        """Gather broken rules; the first gives the message."""
        return cls(
            code="INVALID_INPUT",
            message=issues[0].message if issues else "The request is not valid.",
            path=issues[0].path if issues else [],
            issues=issues,
        )

    @classmethod
    def single(
        cls, code: str, message: str, *path: str, found: str | None = None, allowed: str | None = None
    ) -> "InvalidInput":
        """Report one broken rule."""
        return cls.of([Issue(code=code, message=message, path=list(path), found=found, allowed=allowed)])


@federated_type(shareable=True, description="Somebody changed it since you looked.")
class VersionConflict(Problem):
    """Edits carry the version they saw; this one is no longer the newest."""

    expected_version: int = strawberry.field(default=0, description="The version the request named.")
    current_version: int = strawberry.field(default=0, description="The version there is now.")

    @classmethod
    def between(cls, expected: int, current: int, *path: str) -> "VersionConflict":
        """Report the version asked for and the one there is."""
        return cls(
            code="VERSION_CONFLICT",
            message=f"This was changed meanwhile: version {current} has replaced {expected}.",
            path=list(path),
            expected_version=expected,
            current_version=current,
        )


@federated_type(shareable=True, description="The idempotency key was used before, for another request.")
class IdempotencyConflict(Problem):
    """Repeat the very same request to get its answer again, or use a fresh key."""

    @classmethod
    def of(cls, *path: str) -> "IdempotencyConflict":
        """Report that the key belongs to another request."""
        return cls(
            code="IDEMPOTENCY_CONFLICT",
            message="This idempotency key was already used for another request.",
            path=list(path) or ["idempotencyKey"],
        )


@federated_type(shareable=True, description="A part of the house does not answer; try again.")
class Unavailable(Problem):
    """Nothing was changed."""

    @classmethod
    def of(cls, part: str) -> "Unavailable":
        """Name the part that does not answer."""
        return cls(code="UNAVAILABLE", message=f"The {part} service does not answer; try again.", path=[])
