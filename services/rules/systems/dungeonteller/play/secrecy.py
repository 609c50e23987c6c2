"""Who may know of what: hidden beings and things, secret jobs, unseen runes (Actions / Notice, Sneak).

It is decided by ids, never by names: several may bear one name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from services.rules.engine.play import EVERYONE, Audience
from services.rules.systems.dungeonteller.play.fog import Known, seeing, sees_being
from services.rules.systems.dungeonteller.play.state import Area, Being, Job, Scene, Thing


def audience_of(scene: Scene, being: Being) -> Audience:
    """Who may know of a being: all, or of one that hides its own side and those who found it.

    Under fog, of one that is out of the party's sight nobody but the game master.
    """
    seen = seeing(scene, partial(sees_being, scene, being))
    if being.hidden is None:
        return seen
    knowing = tuple(
        one.id
        for one in scene.beings
        if one.hero and (one.side is being.side or one.id in being.found_by or one.id == being.leader)
    )
    return seen & Audience(everyone=False, actors=knowing)


def audience_of_thing(scene: Scene, thing: Thing) -> Audience:
    """Who may know of a thing: all, or of a hidden one those who found it; under fog, of what lies in known
    cells.
    """
    seen = seeing(scene, partial(_knows_thing, scene, thing))
    return seen if thing.hidden is None else seen & Audience(everyone=False, actors=thing.found_by)


def known_to(scene: Scene, what: str) -> Audience | None:
    """Who may know of what has an id.

    Args:
        scene: Where.
        what: Id of a being, thing, job, area or effect.

    Returns:
        Those who may know of it, and of who has it or has it on them; None where nothing has this id.
    """
    being = scene.being(what)
    if being is not None:
        return audience_of(scene, being)
    thing = scene.thing(what)
    if thing is not None:
        return audience_of_thing(scene, thing) & known_to_all(scene, (thing.holder,))
    for job in scene.jobs:
        if job.id == what:
            return job.audience & seeing(scene, partial(_knows_job, scene, job))
    for area in scene.areas:
        if area.id == what:
            known = area.audience & known_to_all(scene, (area.bearer,))
            return known & seeing(scene, partial(_knows_area, scene, area))
    for effect in scene.effects:
        if effect.id == what:
            return effect.audience & known_to_all(scene, (effect.bearer,))
    return None


def _knows_thing(scene: Scene, thing: Thing, heroes: Collection[str]) -> bool:
    return Known(scene.field, heroes).thing(thing)


def _knows_job(scene: Scene, job: Job, heroes: Collection[str]) -> bool:
    return Known(scene.field, heroes).job(job)


def _knows_area(scene: Scene, area: Area, heroes: Collection[str]) -> bool:
    return Known(scene.field, heroes).area(area)


def known_to_all(scene: Scene, ids: Iterable[str]) -> Audience:
    """Those who may know of all that these ids name; an id of nothing in the scene keeps nobody out."""
    found = EVERYONE
    for one in ids:
        known = known_to(scene, one) if one else None
        found = found if known is None else found & known
    return found
