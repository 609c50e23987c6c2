"""Values of the notation's `@variables`, as they are sent along with rolls and saved with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from services.shared.problems import Issue

MAX_VARIABLES = 50
MAX_NAME = 80
MAX_VALUE = 1_000_000
"""The value of a variable is from minus to plus so much."""

NAME = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*")


@dataclass(frozen=True, slots=True)
class Variable:
    """The value of one `@variable` of dice notation.

    Attributes:
        name: Without its `@`: `muscle`. Small and large letters are the same.
        value: From -1,000,000 to 1,000,000.
    """

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class MacroVariable:
    """What a variable of a saved roll is where nothing else says so.

    Attributes:
        name: As in the expression; the `@` may be left out.
        value: From -1,000,000 to 1,000,000.
    """

    name: str
    value: int


Variables = Sequence[Variable] | Sequence[MacroVariable]


def plain_name(name: str) -> str:
    """Return a variable's name as the notation knows it: in small letters, without its `@`."""
    return name.removeprefix("@").lower()


def values_of(variables: Variables) -> dict[str, int]:
    """Return the values by plain name."""
    return {plain_name(variable.name): variable.value for variable in variables}


def variable_issues(variables: Variables) -> list[Issue]:
    """Find names that are none, names that come twice, and values out of bounds; of 50 variables at most."""
    issues: list[Issue] = []
    for variable in variables[:MAX_VARIABLES]:
        name = plain_name(variable.name)
        path = path_of(name)
        if len(name) > MAX_NAME or NAME.fullmatch(name) is None:
            issues.append(
                Issue(
                    code="NAME",
                    message="A variable's name has letters a to z, digits, `_` and `.`.",
                    path=path,
                    found=ascii(name[:MAX_NAME]),
                    allowed=NAME.pattern,
                )
            )
        if not -MAX_VALUE <= variable.value <= MAX_VALUE:
            issues.append(
                Issue(
                    code="OUT_OF_RANGE",
                    message=f"A variable is from -{MAX_VALUE:,} to {MAX_VALUE:,}.",
                    path=path,
                    found=str(variable.value)[:40],
                    allowed=f"-{MAX_VALUE}..{MAX_VALUE}",
                )
            )
    counts = Counter(plain_name(variable.name) for variable in variables)
    if any(often > 1 for often in counts.values()):
        issues.append(Issue("TWICE", "A variable is given twice.", ["variables"]))
    return issues


def path_of(name: str) -> list[str]:
    """Return where in a request a variable stands: by its name."""
    return ["variables", ascii(name[:MAX_NAME])[1:-1]]
