"""How dangerous a book calls a scene before it is played, beside what simulations find out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from services.rules.engine.play import AnyPlay


@dataclass(frozen=True, slots=True, kw_only=True)
class DangerGrade:
    """The grade that the book's own rule comes to for a scene as it is opened.

    Attributes:
        scene: The scene's place in its day, from 0.
        key: Stable within the game: `hard`.
        name: What a heading says: "Hard".
        text: What it follows from, in plain words, with the numbers.
        source: The section of the book.
    """

    scene: int = 0
    key: str
    name: str
    text: str
    source: str


@runtime_checkable
class GradesDanger(Protocol):
    """Play of a book that says how dangerous a scene is."""

    def danger(self, opening: Any) -> DangerGrade | None:
        """Return the grade of an opening; None for a scene that the book's rule says nothing of."""


def grades_of(play: AnyPlay, openings: Iterable[Any]) -> Iterator[DangerGrade]:
    """Yield the grades of a day's scenes, each with its place; none in a game whose book has none.

    Args:
        play: The game.
        openings: Those of the scenes, in their order, with the cast as the request has it.
    """
    if isinstance(play, GradesDanger):
        for place, opening in enumerate(openings):
            found = play.danger(opening)
            if found is not None:
                yield replace(found, scene=place)
