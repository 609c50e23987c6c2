"""Drives a scene: asks for the dice of a move, hands over the faces, folds the events.

Both a live table (whose faces come from the dice service) and a simulation (whose faces come from a stream)
play through here, so that a move means the same for both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from services.rules.dice.stream import FaceStream
from services.rules.engine.play import AnyPlay, Check, Faces, Roll
from services.rules.engine.problem import Problems, RuleProblem

Thrower = Callable[[Roll], tuple[int, ...]]
"""Lets the dice of a roll fall and gives their faces."""


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was made.

    Attributes:
        move: The move.
        check: Its dice.
        faces: How they fell.
        events: What happened.
        state: Where the scene stands now.
    """

    move: Any
    check: Check
    faces: Faces
    events: tuple[Any, ...]
    state: Any


def make(play: AnyPlay, state: Any, move: Any, throw: Thrower) -> Made | Problems:
    """Makes a move, or names every rule it breaks; then no die has fallen."""
    check = play.check(state, move)
    if isinstance(check, Problems):
        return check
    return settle(play, state, move, check, tuple(throw(roll) for roll in check.rolls))


def settle(play: AnyPlay, state: Any, move: Any, check: Check, faces: Faces) -> Made | Problems:
    """Makes a move whose dice have fallen already."""
    wrong = misfit(check, faces)
    if wrong is not None:
        return Problems((wrong,))
    events = play.decide(state, move, faces)
    if isinstance(events, Problems):
        return events
    return Made(move, check, faces, events, fold(play, state, events))


def misfit(check: Check, faces: Faces) -> RuleProblem | None:
    """Why faces are not those of a check: another number of rolls or dice, or a face no die has."""
    wanted = tuple(roll.dice.value for roll in check.rolls)
    found = tuple(len(fallen) for fallen in faces)
    if found != wanted:
        return RuleProblem(
            "faces_do_not_fit", "These are not the dice of this move.", "dice", ("faces",), found, wanted
        )
    for index, (roll, fallen) in enumerate(zip(check.rolls, faces, strict=True)):
        for face in fallen:
            if not 1 <= face <= roll.sides:
                return RuleProblem(
                    "face_unknown",
                    f"No d{roll.sides} shows {face}.",
                    "dice",
                    ("faces", index),
                    face,
                    (1, roll.sides),
                )
    return None


def fold(play: AnyPlay, state: Any, events: Iterable[Any]) -> Any:
    """The state after these events."""
    for event in events:
        state = play.evolve(state, event)
    return state


def thrower(stream: FaceStream) -> Thrower:
    """Lets dice fall from a stream."""
    return lambda roll: tuple(stream.draw_many(roll.sides, roll.dice.value))


def state_hash(play: AnyPlay, state: Any) -> str:
    """SHA-256 of a state's JSON form with sorted keys and no spaces, in hexadecimal."""
    text = json.dumps(play.state_codec.dump(state), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()
