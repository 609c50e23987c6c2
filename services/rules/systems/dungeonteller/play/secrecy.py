"""Who may know of what: whoever may know of all that a roll or an event concerns (Actions / Notice, Sneak).

What something concerns is told by ids, never by the names in its words: several may bear one name.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.play import EVERYONE, Audience
from services.rules.systems.dungeonteller.play.evolve import CLIMB
from services.rules.systems.dungeonteller.play.facts import (
    AreaSet,
    ClimbSet,
    EffectSet,
    Event,
    Gone,
    Happened,
    LuckChanged,
    Rolled,
    ThingSet,
)
from services.rules.systems.dungeonteller.play.state import Being, Scene, Thing


def audience_of(scene: Scene, being: Being) -> Audience:
    """Who may know of somebody: all, or for one who hides their own side and those who found them."""
    if being.hidden is None:
        return EVERYONE
    knowing = tuple(
        one.id
        for one in scene.beings
        if one.hero and (one.side is being.side or one.id in being.found_by or one.id == being.leader)
    )
    return Audience(everyone=False, actors=knowing)


def audience_of_thing(thing: Thing) -> Audience:
    """Who may know of a thing: all, or of a hidden one those who found it."""
    return EVERYONE if thing.hidden is None else Audience(everyone=False, actors=thing.found_by)


def known_to(scene: Scene, ids: tuple[str, ...]) -> Audience:
    """Those who may know of all these beings and things; an id of anything else keeps nobody out."""
    found = EVERYONE
    for being in scene.beings:
        if being.hidden is not None and being.id in ids:
            found = found & audience_of(scene, being)
    for thing in scene.things:
        if thing.hidden is not None and thing.id in ids:
            found = found & audience_of_thing(thing)
    return found


def kept_close(scene: Scene, event: Event) -> Audience:
    """The audience of an event as it happens: of those it is meant for, whoever may know all it concerns."""
    found = event.audience & known_to(scene, concerned(scene, event))
    return (found & audience_of_thing(event.thing)) if isinstance(event, ThingSet) else found


def concerned(scene: Scene, event: Event) -> tuple[str, ...]:
    """Ids of all that an event shows: who did it, to whom, on whom it lasts.

    Somebody who is set (`BeingSet`) is known by what they are from then on, and `Desk.set` sees to it.
    """
    match event:
        case Rolled() | LuckChanged():
            return (event.being,)
        case Happened():
            return (event.by, *event.targets)
        case EffectSet():
            effect = event.effect
            return (effect.bearer, effect.source, effect.about, effect.lasts.of)
        case AreaSet():
            return (event.area.source, event.area.bearer, event.area.lasts.of)
        case ThingSet():
            return (event.thing.holder,)
        case ClimbSet():
            return (event.climb.being,)
        case Gone():
            return (event.id.removeprefix(CLIMB), *_bearers(scene, event.id))
        case _:
            return ()


def _bearers(scene: Scene, gone: str) -> Iterator[str]:
    """Ids of those who have what goes, as far as it is unknown with them."""
    yield from (effect.bearer for effect in scene.effects if effect.id == gone)
    yield from (area.bearer for area in scene.areas if area.id == gone)
    yield from (thing.holder for thing in scene.things if thing.id == gone)


def sentence(words: str) -> str:
    """What a player wrote, with a full stop where it ends in nothing."""
    text = words.strip()
    return text if text.endswith((".", "!", "?", '"')) else f"{text}."
