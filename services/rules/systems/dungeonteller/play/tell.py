"""One plain sentence for everything that happens."""

from __future__ import annotations

from services.rules.systems.dungeonteller.play.facts import Ended, Event, Happened, LuckChanged, Rolled
from services.rules.systems.dungeonteller.play.state import Scene


def tell(scene: Scene, event: Event) -> str:
    """One plain sentence for an event; empty where there is nothing to say.

    Args:
        scene: Before the event.
        event: As its reader may know it.
    """
    match event:
        case Happened():
            return event.text
        case Rolled():
            count = "1 success" if event.successes == 1 else f"{event.successes} successes"
            dice = "1 die" if len(event.faces) == 1 else f"{len(event.faces)} dice"
            return f"{event.label}: {dice}, {count}."
        case LuckChanged():
            being = scene.being(event.being)
            name = event.being if being is None else being.name
            verb = "gets" if event.change > 0 else "loses"
            return f"{name} {verb} {abs(event.change)} Luck ({event.why})."
        case Ended():
            return event.why
        case _:
            return ""
