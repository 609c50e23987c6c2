"""How bright it is: by what is all around, and by the lamps in whose light a square lies."""

from __future__ import annotations

from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import Lamp, Level
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import sees
from services.rules.engine.ground.squares import Square, distance


def light_at(ground: Ground, square: Square) -> Level:
    """How bright a square is: the brightest of all that reaches it.

    A lamp reaches what is in line of sight of its square, as far as its radius goes, counted in steps.
    """
    level = ground.ambient.level
    for lamp in ground.lamps:
        shone = _shone(lamp, distance(lamp.at, square))
        if shone > level and sees(ground, lamp.at, square):
            level = shone
    return level


def light_on(ground: Ground, footprint: Footprint) -> Level:
    """How bright it is on a footprint: as on its brightest square."""
    return max(light_at(ground, square) for square in footprint.squares())


def _shone(lamp: Lamp, far: int) -> Level:
    if lamp.bright and far <= lamp.bright:
        return Level.BRIGHT
    return Level.DIM if far <= lamp.dim else Level.DARK
