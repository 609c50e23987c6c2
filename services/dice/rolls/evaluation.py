"""Evaluates rolls: here where it is little work, in a worker process where it is much.

What a roll comes to follows from its expression and its stream alone, so whoever evaluates it, and however
often, finds the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from services.dice.rolls.replay import stored_plan
from services.dice.rolls.transcript import Transcript
from services.rules.dice.casting import cast
from services.rules.dice.result import NodeResult, RollResult
from services.rules.dice.stream import ByteStream
from services.rules.dice.vr1 import Vr1Bytes
from services.rules.engine.registry import mechanics

STORED = 500
"""Draws of a roll from which on what is told of it is stored."""

OUT_OF_TIME = "OUT_OF_TIME"
"""Why a roll is void whose evaluation was ended."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Names the faces of one roll.

    Attributes:
        seed: s_number; a secret until it is recorded.
        epoch: the epoch's 16 bytes.
        number: of the roll in it.
        client: the client entropy.
    """

    seed: bytes
    epoch: bytes
    number: int
    client: bytes

    def faces(self) -> ByteStream:
        """Returns the faces, from the first one on."""
        return ByteStream(Vr1Bytes(self.seed, self.epoch, self.number, self.client).read)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What a roll came to, in the form in which it is kept.

    Attributes:
        faces: as JSON, in the order drawn.
        told: what is told of it.
        stored: the same as it is stored; None where it is quickly read out again.
        outcome: the word of a game's own roll, or ``void``.
    """

    faces: str
    told: Transcript
    stored: bytes | None
    outcome: str | None

    @classmethod
    def of(cls, result: RollResult) -> Evaluated:
        """Bring a result into the form in which it is kept."""
        faces = result.faces
        long = len(faces) >= STORED
        told = Transcript.of(result, tree=long)
        stored = told.write() if long else None
        return cls(orjson.dumps(faces).decode(), told, stored, result.outcome)


def evaluate(expression: str, definitions: str | None, stream: Stream) -> Evaluated:
    """Evaluate a roll.

    Args:
        expression: as it is stored.
        definitions: the named dice in it, as they are stored.
        stream: where its faces come from.
    """
    return Evaluated.of(cast(stored_plan(expression, definitions), stream.faces, mechanics()))


def evaluate_all(rolls: Sequence[tuple[str, str | None, Stream]]) -> list[Evaluated]:
    """Evaluate several rolls; see ``evaluate``."""
    return [evaluate(*roll) for roll in rolls]


def given_up(expression: str, definitions: str | None) -> Evaluated:
    """Returns the void of a roll whose evaluation took too long; its faces are not known."""
    known = stored_plan(expression, definitions).expression
    return Evaluated.of(RollResult(known, NodeResult(known.node, 0), OUT_OF_TIME))


def prepare() -> None:
    """Make a worker process ready."""
    mechanics()
