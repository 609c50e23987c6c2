"""What can be answered exactly: a duel of two, until one falls or for so many moves."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.engine.play import Roll
from services.rules.systems.dungeonteller.play.state import Scene

MOST_BEINGS = 2

MOST_WORK = 1_000
"""Moves times the Luck of all: how many positions there may be follows from both."""


def is_enumerable(scene: Scene, moves: int) -> bool:
    """Whether few enough dice fall from a position on, within so many moves."""
    plain = not (scene.areas or scene.effects or scene.jobs or scene.things)
    luck = sum(being.luck or 0 for being in scene.beings)
    return plain and len(scene.beings) <= MOST_BEINGS and moves * luck <= MOST_WORK


def kinds_of(roll: Roll, lucky_faces: Sequence[int]) -> Sequence[tuple[int, int]]:
    """Return a face that succeeds and one that fails, with how many faces do."""
    faces = range(1, roll.sides + 1)
    lucky = [face for face in faces if face in lucky_faces]
    others = [face for face in faces if face not in lucky_faces]
    return tuple((alike[0], len(alike)) for alike in (lucky, others) if alike)
