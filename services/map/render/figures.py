"""Who stands on a map, as its picture needs to know them."""

from __future__ import annotations

from dataclasses import dataclass

LETTERS = 3
"""Letters that the sign of a figure has room for."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure on a map that is a sheet.

    Attributes:
        name: What they are called.
        label: A few letters for their sign; those the name begins with when empty.
        color: As "#rrggbb".
        x: Units east of the sheet's north-west corner.
        y: Units south of it.
        size: On a grid map, where x and y are the top left cell: cells along one side.
        on_turn: Whether it is their turn in a scene.
        portrait: A square picture of them, as a `data:` URI of WebP, that a grid map shows instead of the
            letters; empty without one.
    """

    name: str
    label: str
    color: str
    x: float
    y: float
    size: int = 1
    on_turn: bool = False
    portrait: str = ""

    @property
    def letters(self) -> str:
        """The letters on the sign."""
        return (self.label or "".join(word[0] for word in self.name.split()[:2]))[:LETTERS]
