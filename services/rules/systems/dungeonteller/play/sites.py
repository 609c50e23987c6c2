"""Scenes on stored maps: what of a map matters to this game.

Walls, thin ones too, heights, lamps, and where everybody starts come from the map; what burns or freezes does
not. The book knows no rough ground: every step is a pace. A shut door is a solid thing, or a thing beside the
edge that it hangs on; the game master takes it away when it is opened, or it is forced. A secret one is wall
as long as nobody has found it.
"""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.grid import MAX_SIDE, Square
from services.rules.engine.ground.kinds import FLOOR, WALLED, Door, DoorState
from services.rules.engine.ground.measure import PACES
from services.rules.engine.ground.model import Ground
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.site import Site
from services.rules.systems.dungeonteller.play.fog import LOCKED_WORDS
from services.rules.systems.dungeonteller.play.setup.document import Setup
from services.rules.systems.dungeonteller.play.state import DOOR_TAG, LOCKED, Thing
from services.rules.systems.dungeonteller.powers import Light


def laid_out(setup: Setup, site: Site, *, fog: bool = True) -> Setup | Problems:
    """The setup with a map as its place; `site_too_large` where it does not fit on a scene's grid.

    Args:
        setup: What the game master decides beside the place.
        site: The map.
        fog: Whether the fog of a map counts: players know of it only what their heroes have seen.
    """
    ground = site.ground
    found = max(ground.width, ground.height)
    if found > MAX_SIDE:
        message = f"A scene has up to {MAX_SIDE} paces a side."
        return Problems((RuleProblem("site_too_large", message, "Moving", ("map",), found, MAX_SIDE),))
    told = {door.id: door for door in site.doors}
    shut = [door for door in ground.doors if door.state is not DoorState.OPEN]
    secret = [door for door in shut if told[door.id].secret]
    walls = tuple(square for door in secret for square in door.squares)
    place = replace(
        setup.place,
        width=ground.width,
        height=ground.height,
        # In the order of the map: who reads it finds no secret door behind the walls.
        solid=tuple(sorted({*site.solid, *walls}, key=lambda square: (square.y, square.x))),
        light=Light(ground.ambient.value),
        flammable=(),
        ground=_walked(site.walled_up()),
        heroes_at=site.heroes,
        creatures_at=site.foes,
        fog=fog and site.fog,
        explored=site.explored,
        shared=site.shared,
        explored_by=site.explored_by,
    )
    doors = tuple(
        thing for door in shut if not told[door.id].secret for thing in _things(door, told[door.id].name)
    )
    # Squares of the setup's own place mean nothing on the map.
    return replace(
        setup,
        place=place,
        creatures=tuple(replace(group, at=()) for group in setup.creatures),
        heroes=tuple(replace(start, at=None) for start in setup.heroes),
        jobs=tuple(replace(job, at=None) for job in setup.jobs),
        things=(
            *(thing if thing.at is None else replace(thing, at=place_of(site)) for thing in setup.things),
            *doors,
        ),
    )


def place_of(site: Site) -> Square:
    """Where things lie that the setup had somewhere else: where the heroes are to find them."""
    return (site.foes or site.heroes or (Square(0, 0),))[0]


def _walked(ground: Ground) -> Ground:
    """A ground without secret doors as this game walks it: in paces, without rough squares.

    Squares that doors fill are floor: the things in them stop whoever comes.
    """
    cells = list(ground.cells)
    for door in ground.doors:
        for square in door.squares:
            cells[square.y * ground.width + square.x] = FLOOR.sign
    terrains = tuple(replace(kind, cost=min(kind.cost, 1)) for kind in ground.terrains)
    return replace(
        ground,
        cells="".join(cells),
        terrains=(*terrains, *(kind for kind in (FLOOR, WALLED) if kind not in terrains)),
        barriers=tuple(replace(kind, rough=False) for kind in ground.barriers),
        doors=tuple(door for door in ground.doors if door.edges),
        measure=PACES,
    )


def _things(door: Door, name: str) -> tuple[Thing, ...]:
    is_locked = door.state is DoorState.LOCKED
    places = door.squares or tuple(one for one, _ in door.edges)
    return tuple(
        Thing(
            id=f"{door.id}-{number}" if len(places) > 1 else door.id,
            name=f"{name}{LOCKED_WORDS}" if is_locked else name,
            at=square,
            solid=bool(door.squares),
            luck=3,
            tags=(f"{DOOR_TAG}:{door.id}", *((LOCKED,) if is_locked else ())),
        )
        for number, square in enumerate(places, 1)
    )
