"""Encounters of Fortunate Blades that are played for tests, at random from what is offered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import shake_256
from io import BytesIO
from typing import Any

from services.rules.dice.stream import ByteStream
from services.rules.engine.driver import thrower
from services.rules.engine.play import GM, CastMember, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.sampling import complete
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.play.scene import FortunateBladesPlay
from services.rules.systems.fortunate_blades.play.setup import EncounterSetup
from services.rules.systems.fortunate_blades.play.state import Encounter

PLAY = FortunateBladesPlay(SYSTEM.content)
ALL = Viewer(gm=True)
STREAM_BYTES = 1 << 15


def stream(*name: object) -> ByteStream:
    """Numbers that look like chance, always the same for a name."""
    return ByteStream(BytesIO(shake_256(repr(name).encode()).digest(STREAM_BYTES)).read)


@cache
def party(heroes: int) -> tuple[CastMember, ...]:
    """So many of the examples."""
    names = list(SYSTEM.examples)[:heroes]
    return tuple(
        CastMember(id=f"chr-{name}", sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content))
        for name in names
    )


def opening(setup: str | EncounterSetup, heroes: int = 3) -> Encounter:
    """The opening position of a setup."""
    found = PLAY.begin(PLAY.setups[setup] if isinstance(setup, str) else setup, party(heroes))
    assert not isinstance(found, Problems), str(found)
    return found


@dataclass(frozen=True)
class Encountered:
    """An encounter that was played: where it stood before each move or answer, and what became of it."""

    steps: tuple[tuple[Position, Taken], ...]
    at: Position

    def states(self) -> Iterator[Encounter]:
        """Every state, the opening first."""
        for before, _ in self.steps:
            yield before.state
        yield self.at.state


@cache
def at_random(setup: str | EncounterSetup, seed: int, moves: int = 40, master_seldom: int = 6) -> Encountered:
    """An encounter of offers filled in at random; the game master's moves of their own come seldom."""
    chance, throw = stream("choices", setup, seed), thrower(stream("dice", setup, seed))
    at = Position(PLAY, opening(setup, 1 + seed % 3))
    steps: list[tuple[Position, Taken]] = []
    while len(steps) < moves and not PLAY.outcome(at.state).ended:
        actors = [each.id for each in PLAY.card(at.state).actors]
        offers: dict[str, Any] = {who: at.legal(who, ALL) for who in (*actors, GM)}
        able = [who for who in actors if offers[who]]
        if offers[GM] and (not able or chance.draw(master_seldom) == 1):
            able = [GM]
        found = [each for each in offers[able[chance.draw(len(able)) - 1]] if each.id != "end"]
        offer = found[chance.draw(len(found)) - 1]
        move = PLAY.move_codec.read(complete(offer, lambda n: chance.draw(n) - 1))
        taken = at.take(move, len(steps) + 1, throw)
        assert isinstance(taken, Taken), f"{offer.id} was offered and refused: {taken}"
        steps.append((at, taken))
        at = taken.position
    return Encountered(tuple(steps), at)
