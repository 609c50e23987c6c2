"""Stands for a type that is still being made, so that a dataclass may hold its own kind."""

from collections.abc import Callable
from typing import Any

from strawberry.types.lazy_type import LazyType


class Later(LazyType[Any, Any]):
    """A type that is looked up when the schema is built.

    Args:
        name: that the type will have.
        find: gives the type once it is made.
    """

    def __init__(self, name: str, find: Callable[[], Any]) -> None:
        super().__init__(name, __name__)
        object.__setattr__(self, "_find", find)

    def resolve_type(self) -> type[Any]:
        """Give the type."""
        found: type[Any] = object.__getattribute__(self, "_find")()
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Later) and self.resolve_type() is other.resolve_type()

    def __hash__(self) -> int:
        return hash(Later)
