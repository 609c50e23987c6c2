"""Values of a JSON document replaced by RFC 6901 pointers."""

from __future__ import annotations

from typing import Any, cast

from services.rules.engine.codec import Json
from services.rules.engine.problem import RuleProblem, RulesError

RULE = "pointers into a request (RFC 6901)"
SOURCE = "changed for the simulation"


class UnknownPointer(RulesError):
    """A pointer leads nowhere, or to what cannot be changed in this way.

    Attributes:
        pointer: The pointer.
        reason: Why, in plain words.
    """

    def __init__(self, pointer: str, reason: str) -> None:
        self.pointer = pointer
        self.reason = reason
        super().__init__(f"{pointer}: {reason}")

    def problem(self, *path: str | int) -> RuleProblem:
        """Return it as a problem of a request."""
        return RuleProblem("pointer_unknown", self.reason, RULE, path, self.pointer)


def steps_of(pointer: str) -> tuple[str, ...]:
    """Return the keys and places that a pointer leads through.

    Raises:
        UnknownPointer: It is empty, or does not begin with a slash.
    """
    if not pointer.startswith("/"):
        raise UnknownPointer(pointer, "A pointer begins with a slash: /scenes/0/setup/title.")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/"))


def value_at(document: Json, pointer: str) -> Json:
    """Return the value that a pointer leads to.

    Raises:
        UnknownPointer: There is none.
    """
    for step in steps_of(pointer):
        document = _inside(document, step, pointer)
    return document


def put_at(document: Json, pointer: str, value: Json) -> None:
    """Replace the value that a pointer leads to; the last key of an object may be new.

    A number in place of a number with its reasons (`{"value", "parts"}`) keeps them, and has one more.

    Raises:
        UnknownPointer: The way there does not exist.
    """
    *way, last = steps_of(pointer)
    for step in way:
        document = _inside(document, step, pointer)
    if isinstance(document, dict):
        document[last] = _explained(document.get(last), value)
    elif isinstance(document, list):
        document[_place(document, last, pointer)] = value
    else:
        raise UnknownPointer(pointer, "There is nothing at this place.")


def items_on_the_way(document: Json, pointer: str) -> tuple[int, ...]:
    """Return how many items each list has that a pointer leads through.

    Raises:
        UnknownPointer: The way there does not exist.
    """
    found = []
    for step in steps_of(pointer):
        if isinstance(document, list):
            found.append(len(document))
        document = _inside(document, step, pointer)
    return tuple(found)


def number_at(document: Json, pointer: str) -> int:
    """Return the whole number that a pointer leads to; of a number with its reasons, the number.

    Raises:
        UnknownPointer: No whole number stands there.
    """
    found = value_at(document, pointer)
    if _has_reasons(found):
        found = cast(dict[str, Json], found)["value"]
    if isinstance(found, bool) or not isinstance(found, int):
        raise UnknownPointer(pointer, "What one more is worth can be asked of whole numbers only.")
    return found


def _inside(document: Json, step: str, pointer: str) -> Json:
    if isinstance(document, dict):
        if step not in document:
            raise UnknownPointer(pointer, f"There is no {step[:40]!r} at this place.")
        return document[step]
    if isinstance(document, list):
        return document[_place(document, step, pointer)]
    raise UnknownPointer(pointer, f"There is nothing inside a plain value: {step[:40]!r}.")


def _place(items: list[Json], step: str, pointer: str) -> int:
    if not step.isascii() or not step.isdigit() or len(step) > 6 or int(step) >= len(items):
        raise UnknownPointer(pointer, f"The list has {len(items)} items, counted from 0.")
    return int(step)


def _has_reasons(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"value", "parts"}


def _explained(before: Json, value: Json) -> Json:
    if not _has_reasons(before) or isinstance(value, bool) or not isinstance(value, int):
        return value
    known = cast(dict[str, Any], before)
    part: Json = {"value": value - known["value"], "source": SOURCE, "rule": RULE}
    return {"value": value, "parts": [*known["parts"], part]}
