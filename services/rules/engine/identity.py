"""Values told from others by being the very same, however much is in them: keys of small memories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

ValueT = TypeVar("ValueT")


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
