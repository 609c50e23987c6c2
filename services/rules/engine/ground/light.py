"""How bright it is: by what is all around, and by the lamps in whose light a square lies.

Light falls along lines of sight: who stands in a lamp's light sees the lamp, and walls, shut doors, edges and
heights stop the one as the other. What stops sight itself is lit by the faces that it shows to lit squares.
How far a lamp shines is counted in the ground's own measure, from square to square on the plan.

The books name radii alone (DungeonTeller, Hearth Rune, Starlight, Will o' the Wisp; Forge Engine, Light) and
leave open what stops light. Forge Engine's radius is an area of effect, and areas stop where lines of sight
do.
"""

from __future__ import annotations

from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import Lamp, Level
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import clear, faces, sees
from services.rules.engine.ground.squares import Square


def light_at(ground: Ground, square: Square) -> Level:
    """How bright a square is: the brightest of all that reaches it."""
    level = ground.ambient.level
    for lamp in ground.lamps:
        shone = shone_by(ground, lamp, square)
        if shone > level and _falls(ground, lamp, square):
            level = shone
    return level


def light_on(ground: Ground, footprint: Footprint) -> Level:
    """How bright it is on a footprint: as on its brightest square."""
    return max(light_at(ground, square) for square in footprint.squares())


def shone_by(ground: Ground, lamp: Lamp, square: Square) -> Level:
    """How bright a lamp makes a square that lies as far away, if nothing stops its light."""
    far = ground.measure.distance(lamp.at.x - square.x, lamp.at.y - square.y)
    if lamp.bright and far <= lamp.bright * ground.measure.units:
        return Level.BRIGHT
    return Level.DIM if far <= lamp.dim * ground.measure.units else Level.DARK


def _falls(ground: Ground, lamp: Lamp, square: Square) -> bool:
    if sees(ground, lamp.at, square):
        return True
    if clear(ground, square):
        return False
    return any(shone_by(ground, lamp, near) and sees(ground, lamp.at, near) for near in faces(ground, square))
