"""The grounds of maps that were asked for lately: who looks at a map once looks again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.map.generation.grid.model import DoorState, GridMap
from services.map.ground.building import ground_of
from services.map.ground.light import light_levels
from services.map.ground.model import U8, MapGround
from services.map.lazy import lazy
from services.shared.recent import Recent

ROOM = 64 * 2**20
_BYTES_A_CELL = 64


@dataclass(frozen=True)
class LitGround:
    """A map's ground, its doors standing as they do, with its own lights.

    Attributes:
        model: The map.
        ground: Its ground.
    """

    model: GridMap
    ground: MapGround

    @lazy
    def levels(self) -> U8:
        """How bright each cell is, by the lights of the map itself."""
        levels = light_levels(self.ground, self.model.lights, self.model.ambient)
        levels.setflags(write=False)
        return levels

    @property
    def lit(self) -> bool:
        """Whether `levels` have been worked out."""
        return "levels" in self.__dict__


_Doors = frozenset[tuple[str, DoorState]]

# By the identity of the model: each entry holds its model, so that no other can come to have the same.
_GROUNDS: Recent[tuple[int, _Doors], LitGround] = Recent(ROOM)


def known_ground(model: GridMap, doors: Mapping[str, DoorState]) -> LitGround | None:
    """Returns the ground of a map if it is at hand."""
    return _GROUNDS.get((id(model), frozenset(doors.items())))


def ground_at_hand(model: GridMap, doors: Mapping[str, DoorState]) -> LitGround:
    """Returns the ground of a map, made only when it is not at hand.

    Args:
        model: The map.
        doors: How doors stand now, by id, where that is not as the map has them.
    """
    known = known_ground(model, doors)
    if known is None:
        known = LitGround(model, ground_of(model, doors))
        _GROUNDS.put((id(model), frozenset(doors.items())), known, _BYTES_A_CELL * model.width * model.height)
    return known
