"""What a mover knows decides what they may try; what they do not know decides what becomes of it.

One rule for all moves (ruling P36): a move is refused by the scene as its player knows it. What only the true
scene has against it, a hidden being, a secret door, a fear of who is not seen, never refuses it: the move is
paid for, and then stopped.
"""

from __future__ import annotations

from functools import lru_cache

from services.rules.engine.grid import Square
from services.rules.engine.identity import Same
from services.rules.engine.play import GM, Viewer
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.conditions import fills_its_square, taken_squares
from services.rules.systems.dungeonteller.play.state import Being, Scene
from services.rules.systems.dungeonteller.play.targeting import player_of
from services.rules.systems.dungeonteller.play.view import knows_being, view


def as_known(scene: Scene, actor: str) -> Scene:
    """The scene as the player of an actor knows it through this actor alone.

    Returns:
        The very scene where nothing in it is hidden from them, and for actors of the game master.
    """
    player = player_of(scene, actor)
    return scene if player == GM else _as_known(Same(scene), player)


@lru_cache(maxsize=4)
def _as_known(true: Same[Scene], player: str) -> Scene:
    """The same for a player; the parts of one move ask for it several times, one after the other."""
    viewer = _eyes_of(player)
    return view(true.value, viewer) if hides(true.value, viewer) else true.value


@lru_cache(maxsize=64)
def _eyes_of(player: str) -> Viewer:
    """A player as a viewer, the very same each time."""
    return Viewer(actors=frozenset({player}))


def hides(scene: Scene, viewer: Viewer) -> bool:
    """Whether anything that moves could meet is hidden from a viewer."""
    audiences = (one.audience for shelf in (scene.areas, scene.effects, scene.jobs) for one in shelf)
    return (
        scene.field.fog
        or any(
            thing.hidden is not None and viewer.actors.isdisjoint(thing.found_by) for thing in scene.things
        )
        or any(not knows_being(scene, viewer, being) for being in scene.beings)
        or not all(viewer.may_know(audience) for audience in audiences)
    )


def in_the_way(scene: Scene, catalog: Catalog, mover: Being) -> frozenset[Square]:
    """Squares of beings that stop a mover: those that it knows of, others by the table's setting (P36)."""
    if not catalog.settings.hidden_take_squares:
        return taken_squares(scene, mover)
    others = (being for being in scene.beings if being.id != mover.id and fills_its_square(being))
    return frozenset(being.at for being in others)
