"""Rests between the scenes of a day: those that a game has, and what it says of a day without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from services.rules.engine.play import AnyPlay
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.engine.wording import counted

RULE = "rests between scenes"


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRest:
    """A rest that heroes can take between two scenes of a day.

    Attributes:
        key: Stable within the game: `short`.
        name: What a heading says: "Short rest".
        text: What it restores, in plain words.
        source: The section of the book.
        most: How often a day has it at most; null for as often as one likes.
        scene: The setup of the scene in which it is played, with dice that fall; None for one that is not
            played. What happens there is counted among no figures.
    """

    key: str
    name: str
    text: str
    source: str
    most: int | None = None
    scene: Any = None


@runtime_checkable
class RestsBetweenScenes(Protocol):
    """Play of which the heroes of a day stay as a scene has left them, until they rest."""

    @property
    def rests(self) -> tuple[DayRest, ...]:
        """Its rests, the slightest first."""

    def opening_after(self, opening: Any, before: Any, rest: str | None) -> Any | None:
        """Return the opening of a day's next scene, with its heroes as the scene before has left them.

        Args:
            opening: The opening, with what the scene before has changed about the choices of its cast.
            before: How the scene before ended.
            rest: Key of the rest in between; None for none.

        Returns:
            The opening; None where nobody is left who could go on, so that the day is over.
        """


def rests_of(play: AnyPlay) -> tuple[DayRest, ...]:
    """Return the rests of a game, the slightest first; none where its rules have none."""
    return play.rests if isinstance(play, RestsBetweenScenes) else ()


def rest_problems(play: AnyPlay, rests: Sequence[object], paths: Sequence[KeyPath]) -> Iterator[RuleProblem]:
    """Yield what is wrong with the rests of a day.

    Args:
        play: The game.
        rests: Of each scene, the key of the rest before it; None for none.
        paths: Where each of them stands in the request.
    """
    known = {rest.key: rest for rest in rests_of(play)}
    taken: Counter[str] = Counter()
    for place, (key, path) in enumerate(zip(rests, paths, strict=True)):
        if key is None:
            continue
        if not isinstance(key, str) or key not in known:
            text = "The game has no such rest." if known else "The rules of this game have no rests."
            yield RuleProblem("rest_unknown", text, RULE, path, str(key)[:80], tuple(known))
        elif place == 0:
            yield RuleProblem("rest_before_day", "A day begins with a scene.", RULE, path, key)
        else:
            rest = known[key]
            taken[key] += 1
            if rest.most is not None and taken[key] > rest.most:
                text = f"A day has this rest at most {counted(rest.most, 'time')}."
                yield RuleProblem("rest_too_often", text, rest.source, path, taken[key], rest.most)
