"""Request bodies, measured while they arrive."""

from typing import Any

from starlette.types import Message, Receive, Scope

from services.shared.graphql.errors import Refused
from services.shared.limits.values import TOO_MANY_VALUES, Values, count_values, describe, details

MAX_BODY = 256 * 1024
MAX_NESTING = 64


async def read_body(scope: Scope, receive: Receive, *, most: int = MAX_BODY) -> tuple[Receive, Values]:
    """Read a request's body whole; return a ``receive`` that hands it out once, and how many values it holds.

    Raises:
        Refused: 413 ``BODY_TOO_LARGE``, as soon as it is longer than ``most`` bytes.
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value[:12]) > most:
            raise Refused(413, "BODY_TOO_LARGE", f"A body may have {most} bytes at the most.")
    body = b""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise Refused(413, "BODY_TOO_LARGE", f"A body may have {most} bytes at the most.")
    values = count_values(body)
    handed_out = False

    async def again() -> Message:
        nonlocal handed_out
        if handed_out:
            return await receive()
        handed_out = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again, values


def refuse_beyond(found: Values, allowed: Values) -> None:
    """Refuse an operation whose request holds more values than it may.

    Raises:
        Refused: 413 ``TOO_MANY_VALUES``, with the number that is too large and the most that it may be.
    """
    excess = found.beyond(allowed)
    if excess is not None:
        raise Refused(413, TOO_MANY_VALUES, describe(*excess), **details(*excess))


def too_deep(value: Any, *, most: int = MAX_NESTING) -> bool:
    """Tell whether JSON is nested deeper than ``most`` levels.

    The JSON reader stops at a thousand levels only; whatever walks the value by recursion later, the JSON
    writer among them, gives up long before.
    """
    level = [value]
    for _ in range(most):
        deeper: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                deeper.extend(item.values())
            elif isinstance(item, list):
                deeper.extend(item)
        if not deeper:
            return False
        level = deeper
    return any(isinstance(item, dict | list) for item in level)


def holds_nul(value: Any) -> bool:
    """Tell whether a text within JSON, which must not be ``too_deep``, holds the character NUL."""
    match value:
        case str():
            return "\0" in value
        case dict():
            return any(holds_nul(key) or holds_nul(item) for key, item in value.items())
        case list():
            return any(holds_nul(item) for item in value)
        case _:
            return False
