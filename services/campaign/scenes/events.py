"""The facts that scenes publish."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.campaign.scenes.models import Scene
from services.rules.engine.play import Change
from services.shared.outbox import Event


def scene_topic(scene: str, eyes: str | None = None) -> str:
    """Name what subscriptions to a scene wait for: its open moves, or those for the eyes of ``eyes`` alone.

    Args:
        scene: id of the scene.
        eyes: ``gm``, or the id of a character whose player may know more than others.
    """
    return f"scene:{scene}" if eyes is None else f"scene:{scene}:{eyes}"


def scene_moved(scene: Scene) -> Event:
    """Tell that something happened in a scene that everybody may know of."""
    payload = {"scene": scene.id, "campaign": scene.campaign, "seq": scene.seq}
    return Event("scene.moved", scene_topic(scene.id), payload)


def scene_stirred(scene: Scene, eyes: str) -> Event:
    """Tell those who may know it, and nobody else, that something happened in a scene."""
    return Event("scene.stirred", scene_topic(scene.id, eyes), {"scene": scene.id})


def scene_board(scene: Scene, site: Mapping[str, Any], leading: bool, owners: Mapping[str, str]) -> Event:
    """Tell how the stored map stands that a scene is set on and leads.

    It has a topic of its own: what changes on the map may be hidden from those who follow the scene.

    Args:
        scene: the scene; its number grows with each of these events.
        site: the map, as the document that maps of its kind follow.
        leading: whether the scene goes on; false in the last one.
        owners: ids of the accounts whose characters take part, by the character's id.
    """
    return Event(
        "scene.board",
        scene_topic(scene.id, "board"),
        {
            "scene": scene.id,
            "campaign": scene.campaign,
            "map": scene.map,
            "number": scene.number,
            "site": dict(site),
            "leading": leading,
            "owners": dict(owners),
        },
    )


def scene_changed(scene: Scene, before: Mapping[str, Any]) -> Event:
    """Tell what a running scene has changed so far about each of its characters: all of it, not what is new.

    It has a topic of its own: what changes may be hidden from those who follow the scene.

    Args:
        scene: the scene; of two of these events about a character, the one with the greater number holds.
        before: what was told last. A character that is in it, and not changed any more, is told as such.
    """
    characters = dict.fromkeys((*before, *scene.changes))
    return Event(
        "scene.changed",
        scene_topic(scene.id, "changes"),
        {
            "scene": scene.id,
            "campaign": scene.campaign,
            "system": scene.system,
            "number": scene.number,
            "changes": [
                {"character": character, **scene.changes.get(character, {"own": None, "open": None})}
                for character in characters
            ],
        },
    )


def scene_ended(scene: Scene, changes: Sequence[Change], text: str) -> Event:
    """Tell that a scene is over, and what it changes for good about the characters that took part."""
    return Event(
        "scene.ended",
        scene_topic(scene.id),
        {
            "scene": scene.id,
            "campaign": scene.campaign,
            "system": scene.system,
            "text": text,
            "characters": list(scene.cast),
            "changes": [
                {"character": change.character, "data": dict(change.data), "text": change.text}
                for change in changes
            ],
        },
    )


def scene_deleted(scene: Scene) -> Event:
    """Tell that a scene is gone with its moves.

    Where it still ran, it is as though it had never been: what it had changed about characters so far does
    not hold, and the map that it led is free. Of one that was over (``scene.ended`` came before) only the
    record is gone. The payload::

        {"scene": "scn_...", "campaign": "cmp_...",
         "map": "map_..." or null,
         "characters": ["chr_...", ...]}

    Args:
        scene: the scene; ``characters`` are those of its players that took part.
    """
    return Event(
        "scene.deleted",
        scene_topic(scene.id),
        {
            "scene": scene.id,
            "campaign": scene.campaign,
            "map": scene.map,
            "characters": list(scene.cast),
        },
    )
