"""Drives moves from beginning to end: lets their dice fall and has their questions answered.

Bots, matches, simulations and case files go straight through, with a stream of faces and an answerer. A live
table stops where people are asked (`engine.position`), and runs the same rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from services.rules.dice.stream import FaceStream
from services.rules.engine.play import AnyPlay, Faces, Roll
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask, Happened, Refused, Results, RuleFault, Run

Thrower = Callable[[Roll], tuple[int, ...]]
"""Lets the dice of a roll fall; returns their faces."""

Answerer = Callable[[Any, Ask], Any]
"""Answers a question; takes the whole state that it is asked in."""


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was made.

    Attributes:
        move: The move.
        rolls: Its dice, in the order in which they fell.
        faces: How they fell.
        happened: What happened, and to which states.
        state: Where the scene stands now.
        results: What met its needs, step by step.
    """

    move: Any
    rolls: tuple[Roll, ...]
    faces: Faces
    happened: tuple[Happened, ...]
    state: Any
    results: tuple[Results, ...] = ()

    @property
    def events(self) -> tuple[Any, ...]:
        """What happened."""
        return tuple(each.event for each in self.happened)


def unanswered(_state: Any, ask: Ask) -> Any:
    """The answer of those who say nothing.

    Raises:
        RuleFault: The table would wait for them for ever.
    """
    if ask.silence is None:
        raise RuleFault(f"{ask.actor} is asked {ask.id!r}, and silence is not an answer")
    return ask.silence


def make(
    play: AnyPlay, state: Any, move: Any, throw: Thrower, answer: Answerer = unanswered
) -> Made | Problems:
    """Makes a move from beginning to end, or names every rule it breaks; then no die has fallen.

    Raises:
        RuleFault: Its rule went wrong, or faces are not those of its dice.
    """
    try:
        run = Run(play, state, move)
    except Refused as refused:
        return refused.problems
    rolls, faces = let_fall(run, throw)
    while asks := run.asks:
        run.go_on(tuple(answer(run.state, ask) for ask in asks))
        more, fallen = let_fall(run, throw)
        rolls, faces = rolls + more, faces + fallen
    return Made(move, rolls, faces, run.happened, run.state, tuple(run.results))


def let_fall(run: Run, throw: Thrower) -> tuple[tuple[Roll, ...], Faces]:
    """Lets the dice of a move fall until it asks a question or is done.

    Returns:
        The dice that fell, in their order, and how.

    Raises:
        RuleFault: Its rule went wrong, or faces are not those of its dice.
    """
    rolls: list[Roll] = []
    faces: list[tuple[int, ...]] = []
    while wanted := run.rolls:
        fallen = tuple(throw(roll) for roll in wanted)
        rolls += wanted
        faces += fallen
        run.go_on(fallen)
    return tuple(rolls), tuple(faces)


def thrower(stream: FaceStream) -> Thrower:
    """Lets dice fall from a stream."""
    return lambda roll: tuple(stream.draw_many(roll.sides, roll.dice.value))


def scripted(faces: Iterable[tuple[int, ...]]) -> Thrower:
    """Lets dice fall as they are told to, roll by roll.

    Raises:
        RuleFault: (when it throws) There are more rolls than that.
    """
    fallen = iter(faces)

    def throw(roll: Roll) -> tuple[int, ...]:
        for found in fallen:
            return found
        raise RuleFault(f"no faces are left for {roll.id}")

    return throw


def fold(play: AnyPlay, state: Any, events: Iterable[Any]) -> Any:
    """The state after these events."""
    for event in events:
        state = play.evolve(state, event)
    return state


def state_hash(play: AnyPlay, state: Any) -> str:
    """SHA-256 of a state's JSON form with sorted keys and no spaces, in hexadecimal."""
    return hash_of(play.state_codec.dump(state))


def hash_of(document: object) -> str:
    """SHA-256 of a JSON document with sorted keys and no spaces, in hexadecimal."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()
