"""An attribute that is worked out when it is first asked for.

Unlike `functools.cached_property` of Python 3.11 it takes no lock. Of those there is one for all objects of a
class: one large map would keep everybody else's waiting. Two threads may work the same thing out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # like property
    """Decorates the method that works the attribute out; the object needs a ``__dict__``."""

    def __init__(self, method: Callable[[Any], T]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the attribute's name."""
        self._name = name

    @overload
    def __get__(self, holder: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, holder: object, owner: type) -> T: ...

    def __get__(self, holder: object | None, owner: type) -> lazy[T] | T:
        """Work it out; from then on the object's own dictionary answers."""
        if holder is None:
            return self
        value = self._method(holder)
        holder.__dict__[self._name] = value
        return value
