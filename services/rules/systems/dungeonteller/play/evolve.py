"""Folds an event into a scene. Total: every event fits every scene."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from services.rules.systems.dungeonteller.play.facts import (
    AreaSet,
    BeingSet,
    ClimbSet,
    EffectSet,
    Ended,
    Event,
    FieldSet,
    Gone,
    Happened,
    JobSet,
    LuckChanged,
    Rolled,
    ThingSet,
    TurnSet,
)
from services.rules.systems.dungeonteller.play.state import Scene

CLIMB = "climb:"
_NUMBER = re.compile(r"-(s?)([0-9]+)$")


def evolve(scene: Scene, event: Event) -> Scene:
    """The scene after one event."""
    match event:
        case Rolled() | Happened():
            return scene
        case LuckChanged():
            being = scene.being(event.being)
            return scene if being is None else _kept(scene, "beings", replace(being, luck=event.luck))
        case BeingSet():
            return _kept(scene, "beings", event.being)
        case EffectSet():
            return _kept(scene, "effects", event.effect)
        case AreaSet():
            return _kept(scene, "areas", event.area)
        case JobSet():
            return _kept(scene, "jobs", event.job)
        case ThingSet():
            return _kept(scene, "things", event.thing)
        case ClimbSet():
            others = tuple(climb for climb in scene.climbs if climb.being != event.climb.being)
            return replace(scene, climbs=(*others, event.climb))
        case Gone():
            return _without(scene, event.id)
        case TurnSet():
            return replace(scene, turn=event.turn)
        case FieldSet():
            return replace(scene, field=event.field)
        case Ended():
            return replace(scene, ended=event.why, winners=event.winners)


def _kept(scene: Scene, shelf: str, value: Any) -> Scene:
    """The scene with a value in the place of the one with its id, or behind all others."""
    found = getattr(scene, shelf)
    changes: dict[str, Any] = _counted(scene, value.id)
    if any(other.id == value.id for other in found):
        changes[shelf] = tuple(value if other.id == value.id else other for other in found)
    else:
        changes[shelf] = (*found, value)
    return replace(scene, **changes)


def _counted(scene: Scene, new: str) -> dict[str, Any]:
    """The last number given, in the series of the open or the secret ids."""
    found = _NUMBER.search(new)
    if found is None:
        return {}
    series = "secrets" if found[1] else "counter"
    return {series: max(getattr(scene, series), int(found[2]))}


def _without(scene: Scene, gone: str) -> Scene:
    """The scene without something, and without the effects that hung on it."""
    return replace(
        scene,
        beings=tuple(item for item in scene.beings if item.id != gone),
        effects=tuple(item for item in scene.effects if gone not in (item.id, item.bearer, item.about)),
        areas=tuple(item for item in scene.areas if item.id != gone),
        jobs=tuple(item for item in scene.jobs if gone not in (item.id, item.door)),
        things=tuple(item for item in scene.things if item.id != gone),
        climbs=tuple(climb for climb in scene.climbs if gone not in (climb.being, CLIMB + climb.being)),
    )
