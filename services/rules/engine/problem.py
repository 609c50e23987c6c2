"""How a broken rule is told, and what this package raises.

A broken rule is a VALUE, returned, because a player breaking a rule is ordinary:

    Problems                      never empty; every rule broken by one request, in reading order
    └── RuleProblem               stable code, plain message, the rule, where, what was found, what is allowed

A broken program or a broken file is an EXCEPTION:

    Exception
    └── RulesError                everything the engine raises
        ├── ContentError          a content file is malformed (file, key path)       engine.content
        ├── CodecError            a stored or sent value does not fit (path)         engine.codec
        ├── RegistryError         two systems claim one slug, or SYSTEM is not one   engine.registry
        └── PlaythroughError      a golden playthrough cannot be read (line)         engine.playthrough_text
    ValueError
    ├── NotationError             text cannot be read as dice (position, caret)      dice.notation
    │   └── NotationLimitError    notation that asks for too much                    dice.notation
    └── StreamError               a stream has no face left                          dice.stream
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Scalar = str | int | bool | None
"""One plain JSON value."""

Finding = Scalar | tuple[Scalar, ...]
"""A value found in a request, or the value(s) a rule allows in its place."""

KeyPath = tuple[str | int, ...]
"""Where in a request something stands: ("buys", 0, "item")."""


class RulesError(Exception):
    """Base of every exception the engine raises; see the tree in the module docstring."""


def path_text(path: KeyPath) -> str:
    """Writes a path the way people read it: ("buys", 0, "item") is `buys[0].item`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """One broken rule.

    Attributes:
        code: Stable name for programs, in snake case: `armor_needs_muscle`.
        message: One plain sentence for people.
        rule: Where the rule stands: a book section, or a ruling id such as `P17`.
        path: The part of the request it concerns; empty when it concerns the whole.
        found: The value found there.
        allowed: The value, limit or list of values that would be legal.
    """

    code: str
    message: str
    rule: str
    path: KeyPath = ()
    found: Finding = None
    allowed: Finding = None

    def __str__(self) -> str:
        where = f" at {path_text(self.path)}" if self.path else ""
        return f"{self.code}{where}: {self.message} ({self.rule})"


@dataclass(frozen=True, slots=True)
class Problems:
    """Every rule one request breaks.

    Raises:
        ValueError: There is no problem in it; no problems is not a `Problems`.
    """

    items: tuple[RuleProblem, ...]

    def __post_init__(self) -> None:
        if not self.items:
            raise ValueError("Problems holds at least one problem")

    def __iter__(self) -> Iterator[RuleProblem]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes, in the order of the problems."""
        return tuple(problem.code for problem in self.items)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.items)
