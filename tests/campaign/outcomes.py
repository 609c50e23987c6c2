"""What comes out of a use case: its answer, or the problem that it raises, to be looked at like one."""

from collections.abc import Awaitable
from typing import TypeVar

from services.shared.problems import Problem

T = TypeVar("T")


async def outcome(asked: Awaitable[T]) -> T | Problem:
    """Return what a use case returns, or the problem that it raises."""
    try:
        return await asked
    except Problem as refused:
        return refused
