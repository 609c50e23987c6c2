"""From a player's choices to a sheet, or to every rule they break, told in the words of the API."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import camel, clipped, finding, strange_signs, unwritable

MAX_NAME = 120
MAX_CHOICES_BYTES = 16 * 1024
MAX_ISSUES = 100

TOO_LARGE = f"The choices of a character fit into {MAX_CHOICES_BYTES:,} bytes."


@dataclass(frozen=True, slots=True)
class Build:
    """What a player wants a character to be.

    Attributes:
        system: slug of the game system.
        choices: the system's own choices.
    """

    system: str
    choices: Any


@dataclass(frozen=True, slots=True)
class PackRef:
    """A version of a pack.

    Attributes:
        id: of the pack.
        version: which one.
        name: what it was called then.
    """

    id: str
    version: int
    name: str

    def document(self) -> dict[str, Any]:
        """Give what is kept of it."""
        return {"id": self.id, "version": self.version, "name": self.name}


@dataclass(frozen=True, slots=True)
class Built:
    """What the rules made of it.

    Attributes:
        system: slug of the game system.
        name: the character's name, 1 to 120 characters on one line.
        choices: document of the choices.
        sheet: document of the sheet.
        packs: those that the system's content was extended by, in order.
    """

    system: str
    name: str
    choices: dict[str, Any]
    sheet: dict[str, Any]
    packs: tuple[PackRef, ...] = ()


def build(systems: Mapping[str, AnySystem], wanted: Build) -> Built:
    """Build a character by the rules of its game.

    Raises:
        InvalidInput: there is no such game, or the choices break rules; every broken one is named at once.
    """
    system = systems.get(wanted.system)
    if system is None:
        raise unknown_system(systems, wanted.system, "build")
    base = ["build", camel(system.slug)]
    choices: dict[str, Any] = system.choices_codec.dump(wanted.choices)
    InvalidInput.check(
        *islice(document_issues(choices["data"], MAX_CHOICES_BYTES, TOO_LARGE, base), MAX_ISSUES)
    )
    made = system.build(wanted.choices, system.content)
    if isinstance(made, Problems):
        raise broken_rules(made, base)
    InvalidInput.check(*_name_issues(made.name, [*base, "name"]))
    return Built(system.slug, made.name, choices, system.sheet_codec.dump(made))


def unknown_system(systems: Mapping[str, AnySystem], slug: str, *path: str) -> InvalidInput:
    """Make the problem that there is no such game."""
    text = "There is no such game system."
    return InvalidInput.single("SYSTEM_UNKNOWN", text, *path, found=clipped(slug), allowed=", ".join(systems))


def broken_rules(problems: Problems, base: list[str]) -> InvalidInput:
    """Make the problem that rules are broken; the paths continue ``base`` in the spelling of the API."""
    return InvalidInput([issue(problem, base) for problem in problems.items[:MAX_ISSUES]])


def issue(problem: RuleProblem, base: list[str]) -> Issue:
    """Tell a broken rule; its path continues ``base`` in the spelling of the API."""
    return Issue(
        code=problem.code,
        message=problem.message,
        path=[*base, *(str(step) if isinstance(step, int) else camel(step) for step in problem.path)],
        rule=problem.rule,
        found=finding(problem.found),
        allowed=finding(problem.allowed),
    )


def document_issues(data: Any, most: int, message: str, path: list[str]) -> Iterator[Issue]:
    """Find text that could not be written, and whether a document is too large.

    Such text goes no further: neither JSON, nor a database, nor a client could carry it.

    Args:
        data: the document.
        most: bytes it may have.
        message: says what fits.
        path: where it was sent.
    """
    yield from unwritable(data, path)
    try:
        size = len(orjson.dumps(data))
    except orjson.JSONEncodeError:
        return  # Half a surrogate pair; told as such.
    if size > most:
        yield Issue(code="TOO_LARGE", message=message, path=path, found=str(size), allowed=str(most))


def line_issues(name: str, path: list[str]) -> Iterator[Issue]:
    """Find whether a name takes more than a line, or holds what cannot be seen."""
    if len(name.splitlines()) > 1:
        yield Issue(code="ONE_LINE", message="A name stands on one line.", path=path, found=clipped(name))
        return
    strange = strange_signs(name)
    if strange:
        yield Issue(
            code="UNPRINTABLE",
            message="A name must not hold control characters, line breaks or marks of direction.",
            path=path,
            found=", ".join(strange[:5]),
            allowed="printable characters of one line",
        )


def _name_issues(name: str, path: list[str]) -> Iterator[Issue]:
    if not 1 <= len(name) <= MAX_NAME:
        yield Issue(
            code="LENGTH",
            message=f"A name must have 1 to {MAX_NAME} characters.",
            path=path,
            found=str(len(name)),
            allowed=f"1..{MAX_NAME}",
        )
    yield from line_issues(name, path)
