"""Why a text, or an expression, cannot be rolled.

ValueError
├── NotationError             text that is no dice notation: where, what was found, what is expected
│   ├── NotationLimitError    it asks for too much: which limit, how much is allowed
│   └── ArgumentError         a game's own roll is asked for with an argument it does not take
└── UnknownVariableError      variables without a value: all of them
"""

from __future__ import annotations


class NotationError(ValueError):
    """Text that is no dice notation, or asks for what can never be rolled.

    Attributes:
        text: The whole text; where an expression was checked without one, the expression as it is rendered.
        position: Where it goes wrong, counted from 0; the text's length at its end.
        found: What stands there, or "end of text".
        expected: What could stand there instead.
    """

    def __init__(self, text: str, position: int, found: str, expected: tuple[str, ...]) -> None:
        self.text = text
        self.position = position
        self.found = found
        self.expected = expected
        super().__init__(f"at {position}: found {found}, expected {' or '.join(expected)}")

    @property
    def caret(self) -> str:
        """The text, and below it a caret at the position; fit for a fixed-width font."""
        shown = "".join(sign if sign.isprintable() else " " for sign in self.text)
        return f"{shown}\n{' ' * self.position}^"


class NotationLimitError(NotationError):
    """Notation that asks for too much.

    Attributes:
        limit: Name of the limit, as in `Limits`.
        allowed: The most it may be.
    """

    def __init__(self, text: str, position: int, found: str, limit: str, allowed: int) -> None:
        self.limit = limit
        self.allowed = allowed
        super().__init__(text, position, found, (f"at most {allowed} ({limit})",))


class ArgumentError(NotationError):
    """A game's own roll asked for with an argument it does not take.

    Attributes:
        parameter: Name of the parameter; of the roll itself where there are too many arguments.
        allowed: What it takes, in words.
    """

    def __init__(self, text: str, position: int, found: str, parameter: str, allowed: str) -> None:
        self.parameter = parameter
        self.allowed = allowed
        super().__init__(text, position, found, (f"{allowed} ({parameter})",))


class UnknownVariableError(ValueError):
    """Variables without a value.

    Attributes:
        names: All of them, in the order of the expression, each once.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__("no value for " + ", ".join(f"@{name}" for name in names))
