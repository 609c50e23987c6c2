"""The stored map that a scene leads: while it runs, map and scene are one, and the map follows the scene.

Scenes on squares lead their maps in every game; those on a map of the game's own kind where the game has it.
"""

from collections.abc import Mapping
from typing import Any

from services.campaign.scenes.models import Scene
from services.rules.engine.map_now import MAP_NOW_CODEC, OnGround, map_now
from services.rules.engine.play import AnyPlay
from services.rules.engine.site import LeadsMaps, PlayedOnSites


def leads(play: AnyPlay | None) -> bool:
    """Tell whether a game changes the maps that it is set on."""
    return isinstance(play, PlayedOnSites) and isinstance(play, LeadsMaps | OnGround)


def leading(play: AnyPlay | None, scene: Scene) -> bool:
    """Tell whether a scene changes the stored map that it is set on."""
    return scene.map is not None and leads(play)


def board(play: AnyPlay, state: Any, before: Any | None = None) -> Mapping[str, Any] | None:
    """Return the map as it is now, as the document that maps of its kind follow.

    Args:
        play: the game.
        state: where the scene stands.
        before: where it stood, if only a map that has changed since is wanted.

    Returns:
        None without a map, and where it is as it was before.
    """
    found = _map_of(play, state)
    if found is None or (before is not None and found == _map_of(play, before)):
        return None
    if isinstance(play, LeadsMaps) and isinstance(play, PlayedOnSites):
        return play.site_codec.dump(found)
    return MAP_NOW_CODEC.dump(found)


def _map_of(play: AnyPlay, state: Any) -> Any | None:
    return play.on_map(state) if isinstance(play, LeadsMaps) else map_now(play, state)
