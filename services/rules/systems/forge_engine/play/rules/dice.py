"""Rolls of a fight: pools that are known to those alone who know of who rolls them."""

from __future__ import annotations

from services.rules.engine.explain import Explained
from services.rules.engine.play import EVERYONE, Roll
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.secrecy import known_to
from services.rules.systems.forge_engine.rolls import SIDES, PoolReading, against_pool, against_target


def pool(turn: FightTurn, name: str, who: str, label: str, dice: Explained, odds: str = "") -> Roll:
    """A pool as a roll; its id counts what happened before, so that no two of a move are alike."""
    return Roll(
        id=f"{name}:{who}:{len(turn.happened)}",
        actor=who,
        label=label,
        dice=dice,
        sides=SIDES,
        audience=known_to(turn.state, who) or EVERYONE,
        odds=odds,
    )


def read_target(turn: FightTurn, faces: tuple[int, ...], target: int) -> PoolReading:
    """Reads a pool against a difficulty, by the table's rule for critical failures (A5)."""
    found = against_target(faces, target)
    return PoolReading(found.successes, found.critical_failure and turn.state.critical)


def read_pool(turn: FightTurn, faces: tuple[int, ...], against: tuple[int, ...]) -> PoolReading:
    """Reads a pool against another, by the table's rule for critical failures (A5)."""
    found = against_pool(faces, against)
    return PoolReading(found.successes, found.critical_failure and turn.state.critical)
