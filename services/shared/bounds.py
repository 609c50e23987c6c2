"""The bounds of a request's members, written where the member is: ``name: Annotated[str, Line(120)]``.

From this one place come the check (``check``), the words in the schema's descriptions, and the directive
``@constraint`` by which the REST face describes the same bounds.
"""

import dataclasses
import typing
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, Protocol, runtime_checkable

from services.shared.problems import InvalidInput, Issue
from services.shared.wording import camel, line_issues, prose_issues


@runtime_checkable
class Bound(Protocol):
    """What a value must keep to."""

    @property
    def words(self) -> str:
        """The bound as a sentence for the schema."""

    @property
    def constraint(self) -> Mapping[str, int]:
        """The bound in the words of JSON Schema: ``minLength``, ``maximum``, ..."""

    def issues(self, value: Any, *path: str) -> list[Issue]:
        """Find how a value breaks the bound."""


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A label or name of one line, blanks at its ends not counted.

    Attributes:
        most: characters.
        least: characters; 0 where an empty one takes something away.
    """

    most: int
    least: Literal[0, 1] = 1

    @property
    def words(self) -> str:
        """Return the number of characters."""
        return f"1 to {self.most:,} characters." if self.least else f"Up to {self.most:,} characters."

    @property
    def constraint(self) -> Mapping[str, int]:
        """Return the lengths."""
        return {"minLength": 1, "maxLength": self.most} if self.least else {"maxLength": self.most}

    def issues(self, value: str, *path: str) -> list[Issue]:
        """Find a wrong length, and what cannot be printed in a line."""
        if not self.least and not value.strip():
            return []
        return line_issues(value, *path, most=self.most)


@dataclasses.dataclass(frozen=True, slots=True)
class Prose:
    """A text of several lines.

    Attributes:
        most: characters.
        least: characters, blanks at its ends not counted.
    """

    most: int
    least: int = 0

    @property
    def words(self) -> str:
        """Return the number of characters."""
        return (
            f"{self.least} to {self.most:,} characters." if self.least else f"Up to {self.most:,} characters."
        )

    @property
    def constraint(self) -> Mapping[str, int]:
        """Return the lengths."""
        return {"minLength": self.least, "maxLength": self.most} if self.least else {"maxLength": self.most}

    def issues(self, value: str, *path: str) -> list[Issue]:
        """Find a wrong length, and what a text must not hold."""
        if self.least <= len(value.strip()) and len(value) <= self.most:
            return prose_issues(value, *path)
        return [
            Issue(
                "LENGTH",
                f"`{path[-1]}` must have {self.least} to {self.most:,} characters.",
                list(path),
                found=str(len(value.strip())),
                allowed=f"{self.least}..{self.most}",
            )
        ]


@dataclasses.dataclass(frozen=True, slots=True)
class Between:
    """A whole number within bounds, both included."""

    least: int
    most: int

    @property
    def words(self) -> str:
        """Return the bounds."""
        return f"{self.least:,} to {self.most:,}."

    @property
    def constraint(self) -> Mapping[str, int]:
        """Return the bounds."""
        return {"minimum": self.least, "maximum": self.most}

    def issues(self, value: int, *path: str) -> list[Issue]:
        """Find a number outside."""
        if self.least <= value <= self.most:
            return []
        return [
            Issue(
                "OUT_OF_RANGE",
                f"`{path[-1]}` must be from {self.least} to {self.most}.",
                list(path),
                found=str(value)[:40],
                allowed=f"{self.least}..{self.most}",
            )
        ]


@dataclasses.dataclass(frozen=True, slots=True)
class Count:
    """How many a list may hold."""

    least: int
    most: int

    @property
    def words(self) -> str:
        """Return the bounds."""
        return f"{self.least:,} to {self.most:,} of them." if self.least else f"Up to {self.most:,}."

    @property
    def constraint(self) -> Mapping[str, int]:
        """Return the bounds."""
        return {"minItems": self.least, "maxItems": self.most}

    def issues(self, value: typing.Sized, *path: str) -> list[Issue]:
        """Find too few or too many."""
        if self.least <= len(value) <= self.most:
            return []
        return [
            Issue(
                "COUNT",
                f"`{path[-1]}` must hold {self.least} to {self.most}.",
                list(path),
                found=str(len(value)),
                allowed=f"{self.least}..{self.most}",
            )
        ]


def bounds_in(hint: Any) -> tuple[Bound, ...]:
    """Return the bounds in a type hint, those beside ``None`` too."""
    if typing.get_origin(hint) is typing.Annotated:
        return tuple(mark for mark in typing.get_args(hint)[1:] if isinstance(mark, Bound))
    return tuple(bound for one in typing.get_args(hint) for bound in bounds_in(one) if _plain(hint))


def broken(asked: Any, *path: str) -> list[Issue]:
    """Find every bound that a request breaks.

    Args:
        asked: a dataclass whose members may carry bounds, and hold further such dataclasses.
        path: where it stands.
    """
    found: list[Issue] = []
    cls: Any = type(asked)
    for name, bounds in _members(cls):
        value = getattr(asked, name)
        if value is None:
            continue
        here = (*path, camel(name))
        found += [issue for bound in bounds for issue in bound.issues(value, *here)]
        for inner, place in _inside(value, here):
            found += broken(inner, *place)
    return found


def check(asked: Any, *further: Issue) -> None:
    """Raise if a request breaks its bounds, or there are further issues.

    Raises:
        InvalidInput: naming all of them.
    """
    InvalidInput.check(*broken(asked), *further)


def _plain(hint: Any) -> bool:
    """Whether the hint is an optional one, whose bounds are those of its other member."""
    return type(None) in typing.get_args(hint)


def _inside(value: Any, path: tuple[str, ...]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    if dataclasses.is_dataclass(value):
        yield value, path
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if dataclasses.is_dataclass(item):
                yield item, (*path, str(index))


@cache
def _members(cls: type) -> tuple[tuple[str, tuple[Bound, ...]], ...]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return tuple((field.name, bounds_in(hints[field.name])) for field in dataclasses.fields(cls))
