"""Scenes on stored maps: what of a map matters to this game.

Walls, thin ones too, heights, lamps, and where everybody starts come from the map; what burns or freezes does
not. The book knows no rough ground: every step is a pace. A shut door is a solid thing, or a thing beside the
edge that it hangs on; the game master sets it, or it is forced. A secret one is wall until it is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from services.rules.engine.grid import MAX_SIDE, Square
from services.rules.engine.ground.kinds import FLOOR, WALLED, Door, DoorState, Lamp
from services.rules.engine.ground.measure import PACES
from services.rules.engine.ground.model import Ground
from services.rules.engine.map_now import GroundNow
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.site import Site, SiteToken
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.doors import door_things
from services.rules.systems.dungeonteller.play.field import MapDoor
from services.rules.systems.dungeonteller.play.rules.doors import is_shut_door
from services.rules.systems.dungeonteller.play.setup.document import Creatures, HeroStart, Setup
from services.rules.systems.dungeonteller.play.state import DOOR_TAG, LOCKED, Area, Scene, Thing
from services.rules.systems.dungeonteller.powers import Light

HIDDEN_TOKEN = 2
"""Notice successes that it takes to find who stands on a map as a token that players do not see (P37)."""


def laid_out(setup: Setup, site: Site, catalog: Catalog) -> Setup | Problems:
    """The setup with a map as its place; `site_too_large` where it does not fit on a scene's grid.

    Args:
        setup: What the game master decides beside the place.
        site: The map, with tokens on it.
        catalog: The content, with its settings: whether the fog of a map counts.
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
        fog=catalog.settings.fog_on_maps and site.fog,
        explored=site.explored,
        shared=site.shared,
        explored_by=site.explored_by,
        doors=tuple(door.id for door in shut if not told[door.id].secret),
        map_doors=tuple(_map_doors(site)),
    )
    doors = tuple(
        thing for door in shut if not told[door.id].secret for thing in door_things(door, told[door.id].name)
    )
    # Squares of the setup's own place mean nothing on the map.
    return replace(
        setup,
        place=place,
        creatures=_creatures(setup, site, catalog),
        heroes=_heroes(setup, site),
        jobs=tuple(replace(job, at=None) for job in setup.jobs),
        things=(
            *(thing if thing.at is None else replace(thing, at=place_of(site)) for thing in setup.things),
            *doors,
        ),
    )


def _map_doors(site: Site) -> Iterator[MapDoor]:
    told = {door.id: door for door in site.doors}
    for door in site.ground.doors:
        if door.shut.flags:
            yield MapDoor(
                door=door,
                name=told[door.id].name,
                secret=told[door.id].secret and door.state is not DoorState.OPEN,
                under=tuple(replace(site.ground.barrier_on(side), rough=False) for side in door.edges),
            )


def _heroes(setup: Setup, site: Site) -> tuple[HeroStart, ...]:
    """How heroes start: who has a token on the map, where it stands."""
    stands = {token.character: token.at.at for token in site.standing if token.character}
    named = tuple(replace(start, at=stands.pop(start.hero, None)) for start in setup.heroes)
    return (*named, *(HeroStart(hero=hero, at=at) for hero, at in stands.items()))


def _creatures(setup: Setup, site: Site, catalog: Catalog) -> tuple[Creatures, ...]:
    """The setup's creatures where tokens of their kind stand, and one more for each further token."""
    tokens = [token for token in site.standing if token.creature in catalog.monsters]
    placed: list[Creatures] = []
    for group in setup.creatures:
        own = [token for token in tokens if token.creature == group.monster][: max(group.count, 0)]
        tokens = [token for token in tokens if token not in own]
        placed.append(replace(group, at=tuple(token.at.at for token in own)))
    return (*placed, *(_creature(token) for token in tokens))


def _creature(token: SiteToken) -> Creatures:
    hidden = HIDDEN_TOKEN if token.hidden else None
    return Creatures(monster=token.creature, name=token.name, at=(token.at.at,), hidden=hidden)


def ground_now(scene: Scene) -> GroundNow:
    """The place of a scene, or of a view, as it is now: its doors, and the lights that powers have made."""
    field = scene.field
    ground = field.grid.ground
    shut = {door: locked for thing in scene.things for door, locked in _shut_by(scene, thing)}
    hung = {door.id for door in ground.doors}
    # Doors that fill squares are things in the scene; those that are gone or forced stand open.
    squares = {
        door: tuple(thing.at for thing in scene.things if thing.at and f"{DOOR_TAG}:{door}" in thing.tags)
        for door in dict.fromkeys((*field.doors, *shut))
        if door not in hung
    }
    doors = (
        *(replace(door, state=_state(door.id, shut, door.state)) for door in ground.doors),
        *(Door(door, at, state=_state(door, shut)) for door, at in squares.items()),
    )
    lights = tuple(
        _lamp(scene, area, area.light)
        for area in scene.areas
        if area.light is not None and area.squares and area.audience.everyone
    )
    known = field.known if field.fog else None
    return GroundNow(ground=replace(ground, doors=doors), lights=lights, explored=known)


def _state(door: str, shut: Mapping[str, bool], hung: DoorState = DoorState.OPEN) -> DoorState:
    if door not in shut:
        return hung
    return DoorState.LOCKED if shut[door] else DoorState.CLOSED


def _shut_by(scene: Scene, thing: Thing) -> Iterator[tuple[str, bool]]:
    """The doors of the map that a thing keeps shut, and whether they are locked."""
    if is_shut_door(scene, thing):
        for tag in thing.tags:
            if tag.startswith(f"{DOOR_TAG}:"):
                yield tag.removeprefix(f"{DOOR_TAG}:"), LOCKED in thing.tags


def _lamp(scene: Scene, area: Area, light: Light) -> Lamp:
    bearer = scene.being(area.bearer) if area.bearer else None
    at = area.squares[0] if bearer is None else bearer.at
    bright = area.radius if light is Light.BRIGHT else 0
    return Lamp(area.id if bearer is None else bearer.id, at, bright, area.radius)


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
