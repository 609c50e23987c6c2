"""Looking through the content of games by words and by fields, told in the spelling of the API."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from services.character.building.builds import MAX_ISSUES, broken_rules
from services.rules.engine import library
from services.rules.engine.content import Content
from services.rules.engine.forms import spelled
from services.rules.engine.library import Condition, Found, Wanted
from services.rules.engine.problem import Problems
from services.rules.engine.spelling import PUBLISHED
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import camel, unwritable

MAX_SEARCH = 200
MAX_CONDITIONS = 20
MAX_VALUES = 100


def form(value: Any, *, properties: bool = True) -> Any:
    """Write a value of the rules as JSON, in the words of the graph.

    Args:
        value: a dataclass.
        properties: whether what follows from its fields is written too; not for what may be sent back.
    """
    return spelled(type(value), value, PUBLISHED, properties=properties)


def search(content: Content, wanted: Wanted) -> Found:
    """Look through a content.

    Raises:
        InvalidInput: everything that is wrong with the question is named at once.
    """
    InvalidInput.check(*islice(_issues(wanted), MAX_ISSUES))
    found = library.search(content, wanted, PUBLISHED)
    if isinstance(found, Problems):
        raise broken_rules(found, [])
    return found


def kinds(content: Content) -> tuple[library.ContentKind, ...]:
    """Give the kinds of a content, and what each can be filtered by."""
    return library.kinds(content, PUBLISHED)


def _issues(wanted: Wanted) -> Iterator[Issue]:
    yield from _text_issues(wanted.search, ["search"])
    yield from _text_issues(wanted.kind or "", ["kind"])
    yield from _text_issues(wanted.order, ["orderBy"])
    if len(wanted.where) > MAX_CONDITIONS:
        yield _too_many(len(wanted.where), MAX_CONDITIONS, ["where"])
    for condition in wanted.where:
        yield from _condition_issues(condition)


def _condition_issues(condition: Condition) -> Iterator[Issue]:
    base = [str(step) for step in condition.path]
    here = [*base, camel(condition.relation.value)]
    yield from _text_issues(condition.field, [*base, "field"])
    if not condition.values:
        text = "A condition names what its field must say."
        yield Issue(code="NO_VALUES", message=text, path=here, found="0", allowed=f"1..{MAX_VALUES}")
    if len(condition.values) > MAX_VALUES:
        yield _too_many(len(condition.values), MAX_VALUES, here)
    for value in condition.values:
        yield from _text_issues(value, here)


def _text_issues(text: str, path: list[str]) -> Iterator[Issue]:
    yield from unwritable(text, path)
    if len(text) > MAX_SEARCH:
        yield Issue(
            code="LENGTH",
            message=f"A text to look for has at most {MAX_SEARCH} characters.",
            path=path,
            found=str(len(text)),
            allowed=f"0..{MAX_SEARCH}",
        )


def _too_many(found: int, most: int, path: list[str]) -> Issue:
    return Issue(
        code="TOO_MANY",
        message=f"There may be {most} at most.",
        path=path,
        found=str(found),
        allowed=f"0..{most}",
    )
