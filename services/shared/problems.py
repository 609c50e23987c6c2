"""What can go wrong with a request, as exceptions that undo its unit of work.

::

    Problem                       code                   what it says
    |-- NotFound                  NOT_FOUND              no such thing, or not yours to know of
    |-- Forbidden                 FORBIDDEN              yours to see, not yours to do
    |-- InvalidInput              INVALID_INPUT          the request breaks rules; every broken one is named
    |-- VersionConflict           VERSION_CONFLICT       it was changed since you looked
    |-- IdempotencyConflict       IDEMPOTENCY_CONFLICT   the key was used before for another request
    `-- Unavailable               UNAVAILABLE            a part of the house does not answer; try again

A use case raises them; ``services.shared.graphql.changes`` answers with them in the unions of mutations, and
a caller without GraphQL catches ``Problem``. What concerns the request and not the thing asked for, such as a
missing key or a cursor of another list, is a ``PublicError``: it stands among the errors of an answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from services.shared.ids import mistaken_kind

MAX_DIFFERING = 100
"""The most fields that a conflict names."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One broken rule of a request.

    Attributes:
        code: Stable, for programs; in capitals.
        message: A sentence for people.
        path: Where in the request.
        rule: Book section or ruling that asks for it.
        found: What stands there.
        allowed: What may stand there.
    """

    code: str
    message: str
    path: list[str]
    rule: str | None = None
    found: str | None = None
    allowed: str | None = None

    def __post_init__(self) -> None:
        """Spell the code in capitals; the rules of the games write theirs in small letters."""
        object.__setattr__(self, "code", self.code.upper())


class Problem(Exception):
    """Why a request was not carried out.

    Attributes:
        code: Stable, for programs.
        message: A sentence for people.
        path: The part of the input it concerns; empty for the whole.
    """

    code: str
    message: str
    path: list[str]

    def __init__(self, code: str, message: str, path: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code, self.message, self.path = code, message, list(path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes it again on its way from a worker process: by its members, not its arguments."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class PublicError(Exception):
    """An error of a request whose message is meant for the client.

    Args:
        code: stable, for programs.
        message: for people.
        details: further members of ``extensions``.

    Attributes:
        message: for people.
        extensions: the code and the details, as an answer of GraphQL has them.
    """

    message: str
    extensions: dict[str, Any]

    def __init__(self, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.message, self.extensions = message, {"code": code, **details}

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes it again on its way from a worker process: by its members, not its arguments."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class NotFound(Problem):
    """There is no such thing, or you may not know of it: the two are deliberately the same."""

    _noun = ""

    @classmethod
    def of(cls, kind: str, *path: str) -> "NotFound":
        """Make the problem that no such ``kind`` is to be found, for instance ``campaign``."""
        made = cls("NOT_FOUND", f"There is no such {kind}, or you may not see it.", path)
        made._noun = kind
        return made

    def explain(self, sent: object) -> None:
        """Say so where what was sent is the id of another kind of thing.

        Args:
            sent: what stood at the problem's path.
        """
        self.message = mistaken_kind(sent, self._noun) or self.message


class Forbidden(Problem):
    """You may see it, but you may not do this."""

    @classmethod
    def because(cls, message: str, *path: str) -> "Forbidden":
        """Make the refusal, with the reason in plain words."""
        return cls("FORBIDDEN", message, path)


class InvalidInput(Problem):
    """The request breaks rules; all of them are listed.

    Attributes:
        issues: Every broken rule.
    """

    issues: list[Issue]

    def __init__(self, issues: Sequence[Issue]) -> None:
        first = issues[0] if issues else Issue("INVALID_INPUT", "The request is not valid.", [])
        super().__init__("INVALID_INPUT", first.message, first.path)
        self.issues = list(issues)

    @classmethod
    def of(cls, issues: Sequence[Issue]) -> "InvalidInput":
        """Gather broken rules; the first one's message and path are the problem's."""
        return cls(issues)

    @classmethod
    def single(
        cls, code: str, message: str, *path: str, found: str | None = None, allowed: str | None = None
    ) -> "InvalidInput":
        """Report one broken rule."""
        return cls([Issue(code, message, list(path), found=found, allowed=allowed)])

    @classmethod
    def check(cls, *issues: Issue) -> None:
        """Raise if there are any issues.

        Raises:
            InvalidInput: with all of them.
        """
        if issues:
            raise cls(issues)


@dataclass(frozen=True, slots=True)
class DifferingField:
    """A field that a request and the edits since the version it names would change to different values.

    Attributes:
        path: Where in the request; of an edit of a map, where in its `play`.
        yours: The value that the request asks for; null where it takes the field away.
        theirs: The value there is now; null where there is none.
        base: The value in the version that you named; null where there was none, or where it is not kept.
    """

    path: list[str]
    yours: object | None
    theirs: object | None
    base: object | None = None


class VersionConflict(Problem):
    """It was changed since you looked; nothing of the request was carried out.

    Attributes:
        expected_version: The version the request named.
        current_version: The version there is now.
        differing: The fields that were changed since to other values than the request asks for, up to 100;
            none where the request is about the thing as a whole, as a deletion is.
    """

    expected_version: int
    current_version: int
    differing: list[DifferingField]

    def __init__(
        self,
        expected: int,
        current: int,
        path: Sequence[str] = (),
        differing: Sequence[DifferingField] = (),
    ) -> None:
        super().__init__(
            "VERSION_CONFLICT",
            f"This was changed meanwhile: version {current} has replaced {expected}.",
            path,
        )
        self.expected_version, self.current_version = expected, current
        self.differing = list(differing)[:MAX_DIFFERING]

    @classmethod
    def between(cls, expected: int, current: int, *path: str) -> "VersionConflict":
        """Report the version asked for and the one there is."""
        return cls(expected, current, path)

    @classmethod
    def check(cls, expected: int, current: int, *path: str) -> None:
        """Raise unless the version asked for is the one there is.

        Raises:
            VersionConflict: it is another.
        """
        if expected != current:
            raise cls(expected, current, path or ("version",))


class IdempotencyConflict(Problem):
    """The idempotency key was used before, for another request."""

    @classmethod
    def of(cls, *path: str) -> "IdempotencyConflict":
        """Report that the key belongs to another request."""
        message = "This idempotency key was already used for another request."
        return cls("IDEMPOTENCY_CONFLICT", message, path or ("idempotencyKey",))


class Unavailable(Problem):
    """A part of the house does not answer; nothing was changed; try again."""

    @classmethod
    def of(cls, part: str) -> "Unavailable":
        """Name the part that does not answer."""
        return cls("UNAVAILABLE", f"The {part} service does not answer; try again.")
