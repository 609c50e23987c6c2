"""The place that a scene happens in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.rules.engine.grid import Grid, Square
from services.rules.engine.ground.explored import Explored
from services.rules.engine.ground.kinds import Barrier, Door
from services.rules.systems.dungeonteller.hazards import Climate
from services.rules.systems.dungeonteller.powers import Light


@dataclass(frozen=True, slots=True, kw_only=True)
class MapDoor:
    """A door of the stored map that a scene is set on.

    Attributes:
        door: The door as it stood when the scene began.
        name: What it is called.
        secret: Whether it is wall to the scene until it is found.
        under: What is on each of its edges beside it.
    """

    door: Door
    name: str
    secret: bool = False
    under: tuple[Barrier, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The place.

    Attributes:
        grid: The squares, with walls and what else is drawn on them.
        light: How bright it is where nothing shines.
        climate: How cold it is.
        flammable: Squares on which fire goes on burning.
        stone: Whether its ground and walls are solid stone, for runes.
        situations: Content ids of what holds for everybody: `situation/woods`.
        notes: The game master's notes on it.
        fog: Whether players know of it only what their heroes have seen; off in a view, which is cut already.
        explored: The cells that all of them have seen, under fog: a set of `engine.ground.fog`, as text.
        shared: Whether what one of them sees is seen by all.
        explored_by: The cells that one hero alone has seen, by the hero's id, where sight is not shared.
        doors: Ids of the stored map's doors that were shut when the scene began, secret ones left out, or
            were set since; none in a view.
        map_doors: All doors of the stored map; none in a view.
    """

    grid: Grid
    light: Light = Light.BRIGHT
    climate: Climate = Climate.MILD
    flammable: tuple[Square, ...] = ()
    stone: bool = True
    situations: tuple[str, ...] = ()
    notes: str = ""
    fog: bool = False
    explored: str = ""
    shared: bool = True
    explored_by: Mapping[str, str] = field(default_factory=dict)
    doors: tuple[str, ...] = ()
    map_doors: tuple[MapDoor, ...] = ()

    @property
    def known(self) -> Explored:
        """What the players know of the place."""
        return Explored(cells=self.explored, shared=self.shared, own=self.explored_by)
