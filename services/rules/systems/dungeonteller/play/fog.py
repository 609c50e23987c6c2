"""What the heroes' side sees of a place under fog, and remembers of it.

The party shares its sight, unless the table has decided otherwise for the map: what one hero sees, or a
pet, an eye or a familiar that a hero leads, every player and spectator sees, or that hero's player alone.
Only what is solid stops it; darkness does not. Cells that were seen once stay known; beings are known while
they are seen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from services.rules.engine.frozen import replace
from services.rules.engine.grid import Grid, Square
from services.rules.engine.ground import fog
from services.rules.engine.ground.kinds import Door
from services.rules.engine.ground.sight import sees
from services.rules.engine.identity import remembered
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience
from services.rules.systems.dungeonteller.play.conditions import solid_grid
from services.rules.systems.dungeonteller.play.state import (
    DOOR_TAG,
    LOCKED,
    Area,
    Being,
    Creature,
    Field,
    Job,
    Scene,
    Thing,
)

EYELESS = (Creature.WISP, Creature.PHANTOM)
"""Creatures of magic that nobody sees through."""


def of_the_party(scene: Scene, being: Being) -> bool:
    """Whether a being is a hero, or led by one: its players always know of it."""
    if being.hero:
        return True
    leader = scene.being(being.leader) if being.leader else None
    return leader is not None and leader.hero


def eyes(scene: Scene) -> tuple[Being, ...]:
    """The beings that the party sees through."""
    return tuple(
        being for being in scene.beings if being.creature not in EYELESS and of_the_party(scene, being)
    )


def sees_being(scene: Scene, being: Being, heroes: Collection[str]) -> bool:
    """Whether who plays some heroes sees where a being stands; everybody does where there is no fog."""
    if not scene.field.fog or of_the_party(scene, being):
        return True
    ground, shared = solid_grid(scene).ground, scene.field.shared
    own = (eye for eye in eyes(scene) if shared or eye.player in heroes)
    return any(eye.at == being.at or sees(ground, eye.at, being.at) for eye in own)


def seeing(scene: Scene, told: Callable[[Collection[str]], bool]) -> Audience:
    """Who knows of what is seen, or is known to lie in cells that were: all, or some heroes' players.

    Args:
        scene: Where.
        told: Tells whether who plays some heroes knows of it.
    """
    if not scene.field.fog or told(()):
        return EVERYONE
    if scene.field.shared:
        return GM_ONLY
    knowing = tuple(being.id for being in scene.beings if being.hero and told((being.id,)))
    return Audience(everyone=False, actors=knowing) if knowing else GM_ONLY


def looked_around(scene: Scene) -> Scene:
    """The scene with what the party sees from where it stands among the cells that it knows."""
    if not scene.field.fog:
        return scene
    ground = solid_grid(scene).ground
    before = known = scene.field.known
    for eye in eyes(scene):
        cells = fog.seen_from(ground, eye.at)
        for being in scene.beings:
            if sees(ground, eye.at, being.at):
                cells |= fog.line_between(ground, eye.at, being.at)
        known = known.seen(eye.player, cells)
    if known is before:
        return scene
    return replace(scene, field=replace(scene.field, explored=known.cells, explored_by=known.own))


class Known:
    """What is known of a place to who plays some heroes; without heroes, what everyone knows.

    Args:
        field: The place, under fog or not.
        heroes: Their ids.
    """

    def __init__(self, field: Field, heroes: Collection[str]) -> None:
        self._field = field
        self._fog = field.fog
        self._cells = field.known.known(heroes) if self._fog else 0

    def square(self, at: Square | None) -> bool:
        """Whether a square is known; what lies nowhere keeps no secret of the place."""
        if not self._fog or at is None:
            return True
        grid = self._field.grid
        return grid.holds(at) and bool(self._cells >> (at.y * grid.width + at.x) & 1)

    def squares(self, squares: tuple[Square, ...]) -> tuple[Square, ...]:
        """Those of some squares that are known."""
        return tuple(square for square in squares if self.square(square)) if self._fog else squares

    def thing(self, thing: Thing) -> bool:
        """Whether the place of a thing is known; of a door, one of the cells that it can be seen in."""
        base = self._field.grid.base
        if self.square(thing.at) or base is None:
            return self.square(thing.at)
        doors = {tag.removeprefix(f"{DOOR_TAG}:") for tag in thing.tags if tag.startswith(f"{DOOR_TAG}:")}
        return any(fog.touches(base, door, self._cells) for door in base.doors if door.id in doors)

    def door(self, door: Door) -> bool:
        """Whether any place in which a door of the map can be seen is known."""
        return not self._fog or fog.touches(self._field.grid.ground, door, self._cells)

    def area(self, area: Area) -> bool:
        """Whether any square of an area is known."""
        return not area.squares or bool(self.squares(area.squares))

    def job(self, job: Job) -> bool:
        """Whether the place of a job is known."""
        return self.square(job.at)

    def field(self) -> Field:
        """The place without what is not known of it. It counts as one without fog: nothing is left to cut."""
        field = _untold(self._field)
        if not self._fog:
            return field
        grid = self._field.grid
        base = grid.base
        if base is None:
            # Squares beyond are solid to whoever does not know them.
            open_ground = replace(grid, solid=()).ground
            cut = fog.cut(open_ground, self._cells)
        else:
            cut = fog.cut(base, self._cells)
        return replace(
            field,
            grid=Grid(grid.width, grid.height, self.squares(grid.solid), cut),
            flammable=self.squares(field.flammable),
            explored="",
            explored_by={},
            fog=False,
        )


@remembered(16)
def _untold(field: Field) -> Field:
    """The place without the game master's notes, and without what tells a locked door from a closed one."""
    grid = field.grid
    if grid.base is not None:
        grid = replace(grid, base=fog.unlocked(grid.base))
    return replace(field, notes="", doors=(), map_doors=(), grid=grid)


def without_lock(thing: Thing) -> Thing:
    """A thing without what tells that it is a locked door: that is found out by trying."""
    if LOCKED not in thing.tags:
        return thing
    tags = tuple(tag for tag in thing.tags if tag != LOCKED)
    return replace(thing, tags=tags, name=thing.name.removesuffix(LOCKED_WORDS))


LOCKED_WORDS = f", {LOCKED}"
"""What the name of a locked door ends with, for the game master."""
