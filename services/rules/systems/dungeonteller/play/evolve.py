"""Folds a fact into a scene. Total: every fact fits every scene."""

from __future__ import annotations

import re
from typing import Any, assert_never

from services.rules.engine.frozen import replace
from services.rules.engine.ground.fog import cells_of
from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.plain import with_one
from services.rules.systems.dungeonteller.play import facts
from services.rules.systems.dungeonteller.play.doors import with_door
from services.rules.systems.dungeonteller.play.equipment import carried_items
from services.rules.systems.dungeonteller.play.facts import Event
from services.rules.systems.dungeonteller.play.fog import looked_around
from services.rules.systems.dungeonteller.play.state import (
    DOOR_TAG,
    Being,
    Creature,
    Departure,
    Load,
    Scene,
    Turn,
)

_NUMBER = re.compile(r"-(s?)([0-9]+)$")
_IN_VIEW: dict[str, Any] = {"hidden": None, "found_by": ()}


def evolve(scene: Scene, event: Event) -> Scene:
    """Returns the scene after one event, and under fog with what the party sees from then on."""
    then = _folded(scene, event)
    seen_anew = (
        then.beings is not scene.beings or then.things is not scene.things or then.field is not scene.field
    )
    return looked_around(then) if then.field.fog and seen_anew else then


def _folded(scene: Scene, event: Event) -> Scene:
    match event:
        case facts.Rolled() | facts.Happened():
            return scene
        case (
            facts.TurnBegan()
            | facts.Walked()
            | facts.PaceLimited()
            | facts.ActionUsed()
            | facts.SpellWorkedUp()
            | facts.Suffered()
            | facts.OrderJoined()
            | facts.OrderMoved()
            | facts.OrderLeft()
        ):
            return replace(scene, turn=_turn(scene.turn, event))
        case facts.LuckChanged():
            return _being(scene, event.being, luck=event.luck)
        case facts.Moved():
            return _being(scene, event.being, at=event.at, height=event.height)
        case facts.Ended():
            return replace(scene, ended=event.why, ended_words=event.words, winners=event.winners)
        case facts.Arrived():
            return _added(scene, "beings", event.being)
        case facts.Left():
            return _left(scene, event)
        case facts.Hid():
            return _being(scene, event.being, hidden=event.needed, found_by=event.found_by)
        case facts.CameIntoView():
            return _being(scene, event.being, **_IN_VIEW)
        case facts.Noticed():
            found = scene.being(event.being)
            by = () if found is None else (*found.found_by, event.by)
            return _being(scene, event.being, found_by=by)
        case facts.Alerted():
            return _being(scene, event.being, surprised=False)
        case facts.KnockedOut():
            return _being(scene, event.being, out=True, height=0, **_IN_VIEW)
        case facts.Warmed():
            return _being(scene, event.being, cold=0)
        case facts.StanceTaken():
            return _being(scene, event.being, reflex=event.reflex)
        case (
            facts.Restored()
            | facts.MaximumLowered()
            | facts.Helped()
            | facts.BurdenLifted()
            | facts.Tamed()
            | facts.Overruled()
        ):
            return _changed(scene, event)
        case facts.Wielded() | facts.ArmGained() | facts.ArmLost() | facts.ArmorLost() | facts.GoldGained():
            return _equipped(scene, event)
        case (
            facts.ThingAdded()
            | facts.ThingTaken()
            | facts.ThingLaidDown()
            | facts.ThingFound()
            | facts.ThingUsed()
            | facts.ThingSpent()
            | facts.ThingDamaged()
            | facts.ThingGone()
            | facts.DoorOpened()
        ):
            return _of_things(scene, event)
        case facts.DoorSet():
            return with_door(scene, event.door, event.state)
        case facts.FogChanged():
            return _with_fog(scene, event)
        case facts.JobAdded():
            return _added(scene, "jobs", event.job)
        case facts.JobAdvanced():
            return replace(scene, jobs=with_one(scene.jobs, event.job, total=event.total))
        case facts.JobHardened():
            return replace(scene, jobs=with_one(scene.jobs, event.job, needed=event.needed))
        case facts.JobRemoved():
            return replace(scene, jobs=_without(scene.jobs, event.job))
        case facts.ClimbBegan():
            others = tuple(climb for climb in scene.climbs if climb.being != event.climb.being)
            return replace(scene, climbs=(*others, event.climb))
        case facts.Climbed():
            climbs = (
                replace(climb, at=event.at) if climb.being == event.being else climb for climb in scene.climbs
            )
            return replace(scene, climbs=tuple(climbs))
        case facts.ClimbEnded():
            return replace(scene, climbs=tuple(one for one in scene.climbs if one.being != event.being))
        case (
            facts.EffectBegan()
            | facts.EffectCounted()
            | facts.EffectShortened()
            | facts.EffectEnded()
            | facts.AreaLaid()
            | facts.AreaShrunk()
            | facts.AreaHurt()
            | facts.AreaShortened()
            | facts.AreaEnded()
        ):
            return _of_what_lasts(scene, event)
        case _:
            assert_never(event)


def _being(scene: Scene, being: str, **changes: Any) -> Scene:
    return replace(scene, beings=with_one(scene.beings, being, **changes))


def _added(scene: Scene, shelf: str, value: Any) -> Scene:
    """The scene with a value on one of its shelves, and the last number in its series of ids.

    A value of the same id is replaced.
    """
    found = getattr(scene, shelf)
    there = any(one.id == value.id for one in found)
    added = tuple(value if one.id == value.id else one for one in found) if there else (*found, value)
    changes: dict[str, Any] = {shelf: added}
    number = _NUMBER.search(value.id)
    if number is not None:
        series = "secrets" if number[1] else "counter"
        changes[series] = max(getattr(scene, series), int(number[2]))
    return replace(scene, **changes)


def _without(values: tuple[Any, ...], gone: str) -> tuple[Any, ...]:
    return tuple(value for value in values if value.id != gone)


def _left(scene: Scene, event: facts.Left) -> Scene:
    """The scene without a being, and without what hung on it; what goes home with it is remembered."""
    gone = event.being
    leaving = scene.being(gone)
    if event.home and leaving is not None:
        carried = carried_items(leaving, scene.things)
        loads = tuple(Load(item=item, count=count) for item, count in sorted(carried.items()))
        scene = replace(
            scene,
            departed=(*scene.departed, Departure(being=leaving, carried=loads)),
            things=tuple(thing for thing in scene.things if thing.holder != gone),
        )
    return replace(
        scene,
        beings=_without(scene.beings, gone),
        effects=tuple(effect for effect in scene.effects if gone not in (effect.bearer, effect.about)),
        climbs=tuple(climb for climb in scene.climbs if climb.being != gone),
    )


def _changed(
    scene: Scene,
    event: facts.Restored
    | facts.MaximumLowered
    | facts.Helped
    | facts.BurdenLifted
    | facts.Tamed
    | facts.Overruled,
) -> Scene:
    """The scene with a being that is another one in more than its place."""
    being = scene.being(event.being)
    if being is None:
        return scene
    match event:
        case facts.Restored():
            return _being(scene, being.id, tags=tuple(tag for tag in being.tags if tag != event.tag))
        case facts.MaximumLowered():
            return _being(scene, being.id, max_luck=max(0, being.max_luck - event.by))
        case facts.Helped():
            bonuses, powers = (*being.bonuses, *event.bonuses), (*being.powers, *event.powers)
            return _being(scene, being.id, bonuses=bonuses, powers=powers)
        case facts.BurdenLifted():
            return _unburdened(scene, being, event.companion)
        case facts.Tamed():
            owner = scene.being(event.owner)
            side = being.side if owner is None else owner.side
            pet = {"side": side, "leader": event.owner, "creature": Creature.PET, "surprised": False}
            return _being(scene, being.id, **pet, **_IN_VIEW)
        case facts.Overruled():
            wanted = {name: getattr(event, name) for name in ("max_luck", "armor", "at", "out", "side")}
            changes = {name: value for name, value in wanted.items() if value is not None}
            return _being(scene, being.id, **changes, **(_IN_VIEW if event.shown else {}))


def _unburdened(scene: Scene, owner: Being, companion: str) -> Scene:
    gone = scene.being(companion)
    if gone is None:
        return scene
    freed = _being(
        scene,
        owner.id,
        max_luck=owner.max_luck + gone.burden,
        bonuses=tuple(bonus for bonus in owner.bonuses if bonus.rule != companion),
        powers=tuple(power for power in owner.powers if power not in gone.lends),
    )
    return _being(freed, companion, burden=0)


def _equipped(
    scene: Scene,
    event: facts.Wielded | facts.ArmGained | facts.ArmLost | facts.ArmorLost | facts.GoldGained,
) -> Scene:
    """The scene with a being that has, holds or wears something else."""
    being = scene.being(event.being)
    if being is None:
        return scene
    match event:
        case facts.Wielded():
            arms = tuple(
                arm if arm.natural else replace(arm, held=arm.id in event.held) for arm in being.arms
            )
            return _being(scene, being.id, arms=arms, shield=event.shield, armor=event.armor)
        case facts.ArmGained():
            return _being(scene, being.id, arms=(*being.arms, event.arm))
        case facts.ArmLost():
            arms = _without(being.arms, event.arm)
            return _being(scene, being.id, arms=arms, shield=event.shield, armor=event.armor)
        case facts.ArmorLost():
            return _being(scene, being.id, worn="", armor=event.armor)
        case facts.GoldGained():
            return _being(scene, being.id, gold=being.gold + event.gold)


def _with_fog(scene: Scene, event: facts.FogChanged) -> Scene:
    cells = cells_of(scene.field.grid.ground, event.squares)
    known = scene.field.known.changed(cells, known=event.known)
    return replace(scene, field=replace(scene.field, explored=known.cells, explored_by=known.own))


def _of_things(
    scene: Scene,
    event: facts.ThingAdded
    | facts.ThingTaken
    | facts.ThingLaidDown
    | facts.ThingFound
    | facts.ThingUsed
    | facts.ThingSpent
    | facts.ThingDamaged
    | facts.ThingGone
    | facts.DoorOpened,
) -> Scene:
    match event:
        case facts.ThingAdded():
            return _added(scene, "things", event.thing)
        case facts.ThingGone():
            effects = tuple(one for one in scene.effects if event.thing not in (one.bearer, one.about))
            jobs = tuple(job for job in scene.jobs if job.door != event.thing)
            opened = _opened(scene, event.thing)
            return replace(opened, things=_without(scene.things, event.thing), effects=effects, jobs=jobs)
        case facts.ThingTaken():
            changes: dict[str, Any] = {"holder": event.by, "at": None, **_IN_VIEW}
        case facts.ThingLaidDown():
            changes = {"holder": "", "at": event.at}
        case facts.ThingFound():
            found = scene.thing(event.thing)
            changes = {"found_by": (*(found.found_by if found else ()), event.by)}
        case facts.ThingUsed():
            changes = {"used": event.used}
        case facts.ThingSpent():
            changes = {"count": event.left, "used": 0}
        case facts.ThingDamaged():
            changes = {"luck": event.luck}
        case facts.DoorOpened():
            scene = _opened(scene, event.thing)
            changes = {"solid": False}
    return replace(scene, things=with_one(scene.things, event.thing, **changes))


def _opened(scene: Scene, thing: str) -> Scene:
    """The scene with the doors of its ground open that a thing stands for."""
    base = scene.field.grid.base
    found = scene.thing(thing)
    tags = found.tags if found else ()
    doors = {tag.removeprefix(f"{DOOR_TAG}:") for tag in tags if tag.startswith(f"{DOOR_TAG}:")}
    if base is None or doors.isdisjoint(door.id for door in base.doors if door.flags):
        return scene
    for door in doors:
        base = base.with_door(door, DoorState.OPEN)
    return replace(scene, field=replace(scene.field, grid=replace(scene.field.grid, base=base)))


def _of_what_lasts(
    scene: Scene,
    event: facts.EffectBegan
    | facts.EffectCounted
    | facts.EffectShortened
    | facts.EffectEnded
    | facts.AreaLaid
    | facts.AreaShrunk
    | facts.AreaHurt
    | facts.AreaShortened
    | facts.AreaEnded,
) -> Scene:
    match event:
        case facts.EffectBegan():
            return _added(scene, "effects", event.effect)
        case facts.EffectCounted():
            return replace(scene, effects=with_one(scene.effects, event.effect, amount=event.amount))
        case facts.EffectShortened():
            return replace(scene, effects=with_one(scene.effects, event.effect, lasts=event.lasts))
        case facts.EffectEnded():
            gone = event.effect
            return replace(
                scene, effects=tuple(one for one in scene.effects if gone not in (one.id, one.about))
            )
        case facts.AreaLaid():
            return _added(scene, "areas", event.area)
        case facts.AreaShrunk():
            return replace(scene, areas=with_one(scene.areas, event.area, squares=event.squares))
        case facts.AreaHurt():
            return replace(scene, areas=with_one(scene.areas, event.area, luck=event.luck))
        case facts.AreaShortened():
            return replace(scene, areas=with_one(scene.areas, event.area, lasts=event.lasts))
        case facts.AreaEnded():
            effects = tuple(effect for effect in scene.effects if effect.about != event.area)
            return replace(scene, areas=_without(scene.areas, event.area), effects=effects)


def _turn(
    turn: Turn,
    event: facts.TurnBegan
    | facts.Walked
    | facts.PaceLimited
    | facts.ActionUsed
    | facts.SpellWorkedUp
    | facts.Suffered
    | facts.OrderJoined
    | facts.OrderMoved
    | facts.OrderLeft,
) -> Turn:
    match event:
        case facts.TurnBegan():
            if event.being not in turn.order:
                return turn
            return Turn(order=turn.order, place=turn.order.index(event.being), round=event.round)
        case facts.Walked():
            return replace(turn, paces=turn.paces + event.paces)
        case facts.PaceLimited():
            return replace(turn, limit=event.limit)
        case facts.ActionUsed():
            return replace(turn, acted=True, limit=event.limit)
        case facts.SpellWorkedUp():
            return replace(turn, worked_up=True)
        case facts.Suffered():
            return replace(turn, suffered=(*turn.suffered, event.area))
        case facts.OrderJoined():
            return turn if event.being in turn.order else turn.with_actor(event.being, event.place)
        case facts.OrderMoved():
            return turn.moved(event.being, event.place) if event.being in turn.order else turn
        case facts.OrderLeft():
            return turn.without(event.being)
