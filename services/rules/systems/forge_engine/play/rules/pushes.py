"""Pushing, pulling and stepping: straight on, as far as there is room (Combat Movement)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.ground.squares import Square
from services.rules.systems.forge_engine.play.facts import Displaced, Neared
from services.rules.systems.forge_engine.play.ground import apart, free
from services.rules.systems.forge_engine.play.mounts import carrier_of
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight

TOWARDS, AWAY = -1, 1


def push(turn: FightTurn, source: str, who: str, feet: int, way: int = AWAY) -> int:
    """Moves a combatant straight away from another, or towards it, until something is in the way.

    Returns:
        Feet that it moved.
    """
    fight = turn.state
    one, other = fight.find(source), fight.find(who)
    if fight.ground is None or one.at is None or other.at is None:
        one, other = carrier_of(fight, source) or one, carrier_of(fight, who) or other
        if one.id == other.id:
            return 0
        now = apart(fight, one, other)
        moved = feet if way == AWAY else max(0, min(feet, now - CELL))
        if moved:
            turn.happen(Neared(one=one.id, other=other.id, feet=now + way * moved))
        return moved
    at, moved = other.at, 0
    across, down = way * _sign(at.x - one.at.x), way * _sign(at.y - one.at.y)
    while moved < feet and (across or down):
        to = Square(at.x + across, at.y + down)
        if not free(fight, other, to):
            break
        at, moved = to, moved + CELL
    if moved:
        turn.happen(Displaced(who=who, to=at))
    return moved


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def steps(fight: Fight, one: Combatant) -> Iterator[Square]:
    """The free squares beside where a combatant stands."""
    if fight.ground is None or one.at is None:
        return
    for across in (-1, 0, 1):
        for down in (-1, 0, 1):
            to = Square(one.at.x + across, one.at.y + down)
            if (across or down) and to.x >= 0 and to.y >= 0 and free(fight, one, to):
                yield to
