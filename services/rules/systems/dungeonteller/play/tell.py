"""One plain sentence for everything that happens; empty where there is nothing to say."""

from __future__ import annotations

from services.rules.engine.ground.fog_by_hand import TOLD
from services.rules.engine.wording import counted, listed
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play import facts
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.facts import Event
from services.rules.systems.dungeonteller.play.sentences import causes, filled, sentence_of, with_stop
from services.rules.systems.dungeonteller.play.state import Ending, Scene

ENDINGS = {
    Ending.HEROES_OUT: "All heroes are knocked out.",
    Ending.NOBODY_LEFT: "Nobody is left standing.",
    Ending.FLOWN_AWAY: "All heroes have flown away.",
    Ending.GAME_MASTER: "The scene is over.",
}


def tell(catalog: Catalog, scene: Scene, event: Event) -> str:
    """Returns one plain sentence for an event.

    Args:
        catalog: The content.
        scene: Before the event.
        event: As its reader may know it.
    """
    match event:
        case facts.Happened():
            return _happened(catalog, scene, event)
        case facts.Rolled():
            dice = counted(len(event.faces), "die", "dice")
            return f"{event.label}: {dice}, {counted(event.successes, 'success', 'successes')}."
        case facts.LuckChanged():
            verb = "gets" if event.change > 0 else "loses"
            what = f"{name_of(scene, event.being)} {verb} {abs(event.change)} Luck"
            return f"{what} ({_cause(catalog, scene, event)})."
        case facts.Ended():
            return ending_text(event.why, event.words)
        case facts.Arrived():
            return "" if event.being.leader else f"{event.being.name} comes into the scene."
        case facts.DoorSet():
            return f"{event.name.capitalize()} is {event.state.value} now."
        case facts.FogChanged():
            return TOLD[event.known]
        case facts.Overruled():
            why = f": {event.words.strip()}" if event.words.strip() else ""
            return with_stop(f"The game master decides about {name_of(scene, event.being)}{why}")
        case _:
            return _of_beings(scene, event)


def ending_text(why: Ending, words: str) -> str:
    """Returns why a scene is over, in plain words."""
    return with_stop(words) if words.strip() else ENDINGS[why]


def name_of(scene: Scene, what: str) -> str:
    """Returns the name of a being, thing or job; its id, where the scene holds nothing of this id."""
    being = scene.being(what)
    if being is not None:
        return being.name
    thing = scene.thing(what)
    if thing is not None:
        return thing.name
    for job in scene.jobs:
        if job.id == what:
            return job.name
    area = next((area for area in scene.areas if area.id == what), None)
    return what if area is None else area.kind.replace("_", " ")


def _happened(catalog: Catalog, scene: Scene, event: facts.Happened) -> str:
    power = catalog.powers.get(event.power)
    return filled(
        sentence_of(event.code),
        by=name_of(scene, event.by),
        targets=tuple(name_of(scene, target) for target in event.targets),
        power="" if power is None else power.name,
        successes=event.successes,
        number=event.number,
        words=event.words,
    )


def _cause(catalog: Catalog, scene: Scene, event: facts.LuckChanged) -> str:
    item = catalog.powers.get(event.cause) or catalog.item(event.cause)
    named = zone_rules().get(event.cause) or item
    text = event.words or (causes()[event.cause] if named is None else named.name)
    by = name_of(scene, event.by)
    return text.replace("{by}", by) if "{by}" in text else f"{by}'s {text}" if by else text


def _of_beings(scene: Scene, event: Event) -> str:
    match event:
        case facts.Walked():
            return f"{name_of(scene, event.being)} goes {counted(event.paces, 'pace')}."
        case facts.Left():
            return f"{name_of(scene, event.being)} is gone."
        case facts.KnockedOut():
            return f"{name_of(scene, event.being)} is knocked out for this scene."
        case facts.Hid():
            return f"{name_of(scene, event.being)} hides."
        case facts.Noticed():
            return f"{name_of(scene, event.by)} notices {name_of(scene, event.being)}."
        case facts.ThingFound():
            return f"{name_of(scene, event.by)} finds {name_of(scene, event.thing)}."
        case facts.Warmed():
            return f"{name_of(scene, event.being)} warms up."
        case facts.StanceTaken():
            return f"{name_of(scene, event.being)} is ready."
        case facts.Wielded():
            being = scene.being(event.being)
            arms = () if being is None else being.arms
            names = listed([arm.name for arm in arms if not arm.natural and arm.id in event.held])
            return f"{name_of(scene, event.being)} now holds {names or 'nothing'}."
        case _:
            return ""
