"""Why a roll that was begun comes to nothing. What can be known beforehand is refused beforehand."""

from __future__ import annotations


class RollError(ValueError):
    """The dice fell so that the expression means nothing.

    Attributes:
        code: `DIVISION_BY_ZERO`, `NO_WHOLE_NUMBER`, `TOO_MANY_DICE` or `TOO_LARGE`.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)
