"""How the loops over cells are compiled, with their types kept for the type checker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compiles a loop at its first call and keeps the machine code on disk beside its file."""
    return cast(Function, njit(cache=True)(function))
