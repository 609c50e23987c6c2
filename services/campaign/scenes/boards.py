"""The stored map that a scene leads: while it runs, map and scene are one, and the map follows the scene."""

from typing import Any

from services.campaign.scenes.models import Scene
from services.rules.engine.play import AnyPlay
from services.rules.engine.site import LeadsMaps, PlayedOnSites


def leads(play: AnyPlay | None) -> bool:
    """Tell whether a game changes the maps that it is set on."""
    return isinstance(play, LeadsMaps) and isinstance(play, PlayedOnSites)


def leading(play: AnyPlay | None, scene: Scene) -> bool:
    """Tell whether a scene changes the stored map that it is set on."""
    return scene.map is not None and leads(play)


def board(play: AnyPlay, state: Any, before: Any | None = None) -> dict[str, Any] | None:
    """Return the map as it is now, as the document that its game is set on maps with.

    Args:
        play: the game.
        state: where the scene stands.
        before: where it stood, if only a map that has changed since is wanted.

    Returns:
        None without a map, and where it is as it was before.
    """
    if not isinstance(play, LeadsMaps) or not isinstance(play, PlayedOnSites):
        return None
    found = play.on_map(state)
    if found is None or (before is not None and found == play.on_map(before)):
        return None
    return play.site_codec.dump(found)
