"""What a game master decides before a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.rules.engine.grid import Square
from services.rules.engine.ground.model import Ground
from services.rules.systems.dungeonteller.hazards import Climate
from services.rules.systems.dungeonteller.play.field import MapDoor
from services.rules.systems.dungeonteller.play.state import Job, Reflex, Side, Thing
from services.rules.systems.dungeonteller.powers import Light

WIDTH, HEIGHT = 20, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a scene is set.

    Attributes:
        width: Paces from left to right.
        height: Paces from top to bottom.
        solid: Squares nobody can stand in or see through.
        light: How bright it is where nothing shines.
        climate: How cold it is.
        flammable: Squares on which fire goes on burning.
        stone: Whether it is solid stone, for runes.
        situations: Content ids of what holds for everybody: `situation/woods`.
        notes: The game master's own notes.
        ground: The ground of a stored map, as large as the place; None for plain floor.
        heroes_at: Squares where heroes start, the first ones first; the left side when empty.
        creatures_at: Squares where creatures start; the right side when empty.
        fog: Whether players know of the place only what their heroes have seen.
        explored: Cells that they know from the beginning, under fog: a set of `engine.ground.fog`, as text.
        shared: Whether what one of them sees is seen by all.
        explored_by: Cells that one hero's player knows beside that, by the hero's id, where sight is not
            shared.
        doors: Ids of the stored map's doors that are shut, secret ones left out.
        map_doors: All doors of the stored map.
    """

    width: int = WIDTH
    height: int = HEIGHT
    solid: tuple[Square, ...] = ()
    light: Light = Light.BRIGHT
    climate: Climate = Climate.MILD
    flammable: tuple[Square, ...] = ()
    stone: bool = True
    situations: tuple[str, ...] = ()
    notes: str = ""
    ground: Ground | None = None
    heroes_at: tuple[Square, ...] = ()
    creatures_at: tuple[Square, ...] = ()
    fog: bool = False
    explored: str = ""
    shared: bool = True
    explored_by: Mapping[str, str] = field(default_factory=dict)
    doors: tuple[str, ...] = ()
    map_doors: tuple[MapDoor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Creatures:
    """Creatures of one kind.

    Attributes:
        monster: Content id.
        count: How many.
        name: Their name, with a number where there are several; empty for the creature's own.
        at: Where they stand; creatures beyond this list stand on the far side.
        side: Whose side they are on.
        hidden: Notice successes it takes to find them; None for plain view.
        surprised: They have not seen the heroes yet.
    """

    monster: str
    count: int = 1
    name: str = ""
    at: tuple[Square, ...] = ()
    side: Side = Side.FOES
    hidden: int | None = None
    surprised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroStart:
    """Where a hero starts, and whether they dodge by themselves."""

    hero: str
    at: Square | None = None
    reflex: Reflex = Reflex.ASK


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a game master decides before a scene.

    Attributes:
        order: Ids of heroes in the order they agreed on; those left out follow as they come (ruling P15).
        cold_days: Days the heroes have spent in this climate already (Hazards / Cold and Freezing).
        answer_seconds: How long questions wait; None for as long as it takes.
        answers_open_to_gm: Whether the game master reads who dodges before all who were asked have answered.
    """

    title: str
    place: Place = Place()
    creatures: tuple[Creatures, ...] = ()
    heroes: tuple[HeroStart, ...] = ()
    order: tuple[str, ...] = ()
    jobs: tuple[Job, ...] = ()
    things: tuple[Thing, ...] = ()
    cold_days: int = 0
    answer_seconds: int | None = None
    answers_open_to_gm: bool = False
