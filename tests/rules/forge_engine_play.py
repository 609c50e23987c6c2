"""Plays single moves of Forge Engine's fights, with dice and answers as a test says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.rules.engine.driver import Made, make
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import Fight
from tests.conformance.forge_engine.stage import club, profile
from tests.conformance.forge_engine.stage import thrower as faces_of

Answers = Mapping[str, Sequence[Any]]


def played(
    state: Fight, move: Any, faces: Mapping[str, Sequence[int]], answers: Answers | None = None
) -> Made:
    """A move; each combatant gives its answers in turn, and says nothing after the last."""
    waiting = {who: list(said) for who, said in (answers or {}).items()}

    def answer(_state: Fight, ask: Ask) -> Any:
        said = waiting.get(ask.actor, [])
        return said.pop(0) if said else ask.silence

    found = make(PLAY, state, move, faces_of(faces), answer)
    assert isinstance(found, Made), str(found)
    return found


def refused(state: Fight, move: Any) -> list[str]:
    found = make(PLAY, state, move, faces_of({}), lambda _state, ask: ask.silence)
    assert isinstance(found, Problems)
    return [problem.code for problem in found]


def returning(state: Fight, who: str) -> Fight:
    """The fight where one has passed and may act again."""
    found = (replace(one, passed=one.passed or one.id == who) for one in state.combatants)
    return replace(state, combatants=tuple(found))


def pool(made: Made, name: str) -> int:
    """Dice of the roll whose id begins so."""
    return next(roll.dice.value for roll in made.rolls if roll.id.startswith(name))


def facts_of(made: Made, kind: type[Any]) -> list[Any]:
    return [event for event in made.events if isinstance(event, kind)]


def armed(cost: int = 2, rating: int = 3, **more: Any) -> Any:
    """A profile with a weapon and some skill with its hands."""
    figures = {"attributes": Attributes(strength=3, agility=3), "weapons": (club(rating, cost),), **more}
    return profile(**figures)
