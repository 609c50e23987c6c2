"""Sight on a map: the cells one sees, whether one sees a cell, and what covers it.

The visible cells are a field of view (tcod's symmetric shadow-casting): what is shown to a player. A line of
sight, from middle to middle, is what the games ask for; it is stricter, for a wall's corner in the way stops
it. Whoever is in line of sight is in a visible cell, but not the other way round. Both are the same from
either end, for cells that can be seen through, and neither ever passes a shut wall, thick or thin.
"""

from __future__ import annotations

import numpy as np
import tcod.constants
import tcod.map

from services.map.generation.grid.model import Cell
from services.map.ground.cover import Between
from services.map.ground.kernels import narrow
from services.map.ground.lines import sees_along
from services.map.ground.model import U8, Bools, MapGround
from services.rules.engine.ground.cover import Cover
from services.rules.engine.ground.footprint import Footprint


def visible(ground: MapGround, at: Cell, radius: int | None = None) -> Bools:
    """The cells one sees from a cell, whatever the light; of walls those that show a face to such a cell.

    Args:
        ground: The ground.
        at: From where.
        radius: How many cells far, counted as paces are; None for as far as the map goes.

    Returns:
        `[y, x]`.

    Raises:
        ValueError: The cell is not on the map, or the radius is negative.
    """
    left, top, seen = field_of_view(ground, at, radius)
    found = np.zeros((ground.height, ground.width), np.bool_)
    found[top : top + seen.shape[0], left : left + seen.shape[1]] = seen
    return found


def field_of_view(ground: MapGround, at: Cell, radius: int | None = None) -> tuple[int, int, Bools]:
    """The same as `visible`, of the part of the map within the radius alone.

    Returns:
        The part's left column, its top row, and its cells, `[y, x]`.

    Raises:
        ValueError: The cell is not on the map, or the radius is negative.
    """
    ground.require(at)
    far = max(ground.width, ground.height) if radius is None else radius
    if far < 0:
        raise ValueError("a radius is not negative")
    x, y = at
    left, top = max(0, x - far), max(0, y - far)
    opaque = ground.opaque[top : y + far + 1, left : x + far + 1]
    seen = np.ascontiguousarray(
        tcod.map.compute_fov(~opaque, (y - top, x - left), algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST)
    )
    # Who looks out of a wall has its other cells right beside them: those may meet at a corner alone.
    thin = ground.thin or bool(ground.opaque[y, x])
    narrow(seen, left, top, ground.opaque, ground.east, ground.south, x, y, thin)
    return left, top, seen


def seen_by(ground: MapGround, at: Cell, levels: U8, radius: int | None = None, darkvision: int = 0) -> Bools:
    """The cells that are seen in this light: those that are visible and not dark, or near enough to see so.

    Args:
        ground: The ground.
        at: Where they are; their own cell is always seen.
        levels: From `light.light_levels`.
        radius: How many cells far they see at all; None for as far as the map goes.
        darkvision: How many cells far they see in the dark.

    Returns:
        `[y, x]`.

    Raises:
        ValueError: The cell is not on the map, or a distance is negative.
    """
    if darkvision < 0:
        raise ValueError("darkvision is not negative")
    x, y = at
    lit = levels > 0
    lit[max(0, y - darkvision) : y + darkvision + 1, max(0, x - darkvision) : x + darkvision + 1] = True
    seen: Bools = visible(ground, at, radius) & lit
    return seen


def sees(ground: MapGround, one: Footprint, other: Footprint) -> bool:
    """Whether there is a line of sight between two footprints: `engine.ground.sight.in_sight`.

    Raises:
        ValueError: A cell of theirs is not on the map.
    """
    (x, y), (to_x, to_y) = (one.at.x, one.at.y), (other.at.x, other.at.y)
    if one.size == other.size == 1 and not one.altitude and not other.altitude:
        ground.require((x, y), (to_x, to_y))
        return sees_along(ground.tops, ground.heights, ground.east, ground.south, x, y, to_x, to_y)
    _require(ground, one, other)
    return Between.of(ground, one, other).seen()


def cover(ground: MapGround, attacker: Footprint, target: Footprint) -> Cover:
    """What protects a target from an attacker: `engine.ground.cover.cover`.

    Raises:
        ValueError: A cell of theirs is not on the map.
    """
    _require(ground, attacker, target)
    return Between.of(ground, attacker, target).cover()


def _require(ground: MapGround, *footprints: Footprint) -> None:
    for one in footprints:
        ground.require_block((one.at.x, one.at.y), one.size)
