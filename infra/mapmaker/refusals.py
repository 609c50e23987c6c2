"""Why nothing, or not everything, was made.

Refusal              carries every issue; the program ends with ``exit_code``
├── OrderRefused     2   the order is not sound, or does not fit the folder: nothing was begun
└── WorkFailed       1   something went wrong on the way: what was made is kept, the same command goes on

An issue has a stable code, a plain sentence, the path to what it concerns (``map.dungeon.width``), the value
found there and what is allowed.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Self

from services.shared.problems import Issue


class Refusal(Exception):
    """Base of what ends a run before all is made.

    Attributes:
        issues: what is wrong; never empty.
        exit_code: of the program.
    """

    exit_code = 1

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = list(issues)
        super().__init__("; ".join(line(issue) for issue in self.issues))

    @classmethod
    def of(
        cls, code: str, message: str, *path: str, found: str | None = None, allowed: str | None = None
    ) -> Self:
        """Refuse for one reason."""
        return cls([Issue(code=code, message=message, path=list(path), found=found, allowed=allowed)])

    def __reduce__(self) -> tuple[Any, ...]:
        # It has to come whole out of the process that raised it.
        return type(self), (self.issues,)


class OrderRefused(Refusal):
    """The order is not sound, or does not fit the folder: nothing was begun."""

    exit_code = 2


class WorkFailed(Refusal):
    """Something went wrong on the way; what was made is kept."""


def line(issue: Issue) -> str:
    """Write an issue for the person at the terminal: ``CODE at path: message (found X, allowed Y)``."""
    where = f" at {path_text(issue.path)}" if issue.path else ""
    values = [
        f"{name} {value}"
        for name, value in (("found", issue.found), ("allowed", issue.allowed))
        if value is not None
    ]
    told = f" ({', '.join(values)})" if values else ""
    return f"{issue.code}{where}: {issue.message}{told}"


def path_text(path: Sequence[str]) -> str:
    """Write a path the way people read it: ``map.forgebornRealm.dice[3].face``."""
    text = ""
    for step in path:
        text += f"[{step}]" if step.isdecimal() else f".{step}" if text else step
    return text
