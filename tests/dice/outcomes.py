"""What becomes of a request: its answer, or the problem that it ends in."""

from collections.abc import Awaitable
from typing import Any, TypeVar

import pytest

from services.shared.problems import InvalidInput, Problem

P = TypeVar("P", bound=Problem)


async def ending(asked: Awaitable[Any]) -> Any:
    """Return what a request answers, or the problem that it raises."""
    try:
        return await asked
    except Problem as problem:
        return problem


async def refused(asked: Awaitable[Any], kind: type[P]) -> P:
    """Return the problem of one kind that a request must end in."""
    with pytest.raises(kind) as caught:
        await asked
    return caught.value


def codes(ending: object) -> list[tuple[str, ...]]:
    """Return the code and the path of every issue of a request that broke rules."""
    assert isinstance(ending, InvalidInput), ending
    return [(issue.code, *issue.path) for issue in ending.issues]
