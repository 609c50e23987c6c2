"""Values told from others by being the very same, however much is in them: keys of small memories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Generic, TypeVar, TypeVarTuple

ValueT = TypeVar("ValueT")
Values = TypeVarTuple("Values")


@dataclass(frozen=True, slots=True, eq=False)
class Same(Generic[ValueT]):
    """A value as a key; it equals keys of the very same value alone, and keeps it from going away.

    Attributes:
        value: The value.
    """

    value: ValueT

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def remembered(most: int) -> Callable[[Callable[[*Values], ValueT]], Callable[[*Values], ValueT]]:
    """Let a pure function remember its answers by the very same values, without hashing what is in them.

    States share the parts that a move leaves as they were, so that the parts are met again and again. The
    values are kept from going away as long as they are remembered.

    Args:
        most: How many answers are remembered; then it begins anew.

    Returns:
        A decorator of functions that take their values by place.
    """

    def decorate(function: Callable[[*Values], ValueT]) -> Callable[[*Values], ValueT]:
        memory: dict[tuple[int, ...], tuple[tuple[*Values], ValueT]] = {}

        @wraps(function)
        def remember(*values: *Values) -> ValueT:
            key = tuple(map(id, values))
            known = memory.get(key)
            if known is not None:
                return known[1]
            found = function(*values)
            if len(memory) >= most:
                memory.clear()
            memory[key] = (values, found)
            return found

        return remember

    return decorate
