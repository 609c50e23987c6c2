"""Doors: wedged with an iron spike, and forced with Muscle (Stuff / Gear)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.play import GM_ONLY
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog, Gear
from services.rules.systems.dungeonteller.checks import pace_problem
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.doors import is_found, map_door
from services.rules.systems.dungeonteller.play.facts import DoorOpened, DoorSet, JobAdded, JobHardened
from services.rules.systems.dungeonteller.play.field import MapDoor
from services.rules.systems.dungeonteller.play.fog import Known, seeing
from services.rules.systems.dungeonteller.play.moves import SetDoor, Wedge
from services.rules.systems.dungeonteller.play.pools import pace_of
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.battle import show_oneself
from services.rules.systems.dungeonteller.play.rules.gear import RULE, carried, use_one
from services.rules.systems.dungeonteller.play.state import DOOR_TAG, LOCKED, Being, Job, Scene, Thing
from services.rules.systems.dungeonteller.play.targeting import thing_called, touch_problem

DOOR = "dungeonteller:situation/door"
"""What holds for a job that is about moving a door."""


def wedge(desk: Desk, move: Wedge) -> None:
    """Wedge a door, open or shut, with an iron spike: more Muscle successes move it, and the spike is gone.

    It takes the action and no roll; like all making, it is done standing still. A shut door that took no
    Muscle so far takes what the spike adds.
    """
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.actor)
    assert being is not None
    wedge = _wedge_of(scene, catalog, being)
    door = _job_about(scene, being, move.door)
    problem = next((found for found in (wedge, door) if isinstance(found, RuleProblem)), None)
    refuse_if(problem or pace_problem(pace_of(scene, being), Action.MAKE))
    assert isinstance(wedge, Gear) and isinstance(door, Job)
    desk.spend_action(still=True)
    show_oneself(desk, being.id)
    use_one(desk, being.id, wedge.id)
    needed = door.needed + wedge.wedges
    job = door if door.id else replace(door, id=desk.number("door"), needed=needed)
    desk.do(JobHardened(job=job.id, needed=needed) if door.id else JobAdded(job=job))
    desk.say("wedged", by=being.id, targets=(job.id,), successes=wedge.wedges)


def _wedge_of(scene: Scene, catalog: Catalog, being: Being) -> Gear | RuleProblem:
    """What a being carries to wedge a door with."""
    gear = (catalog.gear[item] for item in carried(scene, being) if item in catalog.gear)
    found = next((item for item in gear if item.wedges), None)
    if found is not None:
        return found
    fit = tuple(item.id for item in catalog.gear if item.wedges)
    text = f"{being.name} has nothing to wedge a door with."
    return RuleProblem("item_not_owned", text, "Stuff", ("actor",), being.id, fit)


def _job_about(scene: Scene, being: Being, door: str) -> Job | RuleProblem:
    """The job of moving a door, without an id where nobody has had to so far; or why it is another thing."""
    thing = thing_called(scene, being, door)
    about = door if thing is None else next((job.id for job in scene.jobs if job.door == thing.id), "")
    for job in scene.jobs:
        if job.id != about or not job.audience.everyone or not moves_a_door(job):
            continue
        if job.total >= job.needed > 0:
            return RuleProblem("job_done", f"{job.name} is done.", RULE, ("door",), door)
        far = None if job.at is None else touch_problem(being, job.at, job.name, ("door",))
        return far or job
    if thing is None or thing.at is None or thing.hidden is not None or not is_shut_door(scene, thing):
        return RuleProblem("door_unknown", "There is no such door.", RULE, ("door",), door)
    far = touch_problem(being, thing.at, thing.name, ("door",))
    new = Job(
        id="",
        name=f"force {thing.name}",
        action=Action.MUSCLE,
        needed=0,
        situations=(DOOR,),
        at=thing.at,
        door=thing.id,
    )
    return far or new


def moves_a_door(job: Job) -> bool:
    """Whether a job is about moving a door with Muscle."""
    return job.action is Action.MUSCLE and DOOR in job.situations


def is_shut_door(scene: Scene, thing: Thing) -> bool:
    """Whether a thing is a door that stands in the way, in its squares or on edges of the ground."""
    named = [tag.partition(":") for tag in thing.tags]
    if thing.solid:
        return any(kind == DOOR_TAG for kind, _, _ in named)
    base = scene.field.grid.base
    shut = () if base is None else (door.id for door in base.doors if door.flags)
    return not {door for kind, _, door in named if kind == DOOR_TAG and door}.isdisjoint(shut)


def open_door(desk: Desk, job: Job) -> None:
    """A door that a job was about is forced: it stands in nobody's way any more, with all its leaves."""
    door = desk.scene.thing(job.door)
    if door is None:
        return
    names = {tag for tag in door.tags if tag.startswith(f"{DOOR_TAG}:")}
    for thing in desk.scene.things:
        if is_shut_door(desk.scene, thing) and (thing.id == door.id or not names.isdisjoint(thing.tags)):
            desk.do(DoorOpened(thing=thing.id))


def set_door(desk: Desk, move: SetDoor) -> None:
    """Set a door of the stored map. That a shut one is locked or unlocked is for the game master alone."""
    scene = desk.scene
    found = map_door(scene.field, move.door)
    if found is None:
        ids = tuple(each.door.id for each in scene.field.map_doors)
        raise refused(RuleProblem("door_unknown", "There is no such door.", RULE, ("door",), move.door, ids))
    secret, now = not is_found(scene.field, found), state_of(scene, found)
    if now is move.state and not secret:
        text = f"The door is {now.value} already."
        raise refused(RuleProblem("door_stands_so", text, RULE, ("state",), now.value))
    if move.state is not DoorState.OPEN and any(being.at in found.door.squares for being in scene.beings):
        text = "A being stands in the door."
        raise refused(RuleProblem("door_blocked", text, RULE, ("door",), move.door))
    known = seeing(scene, lambda heroes: Known(scene.field, heroes).door(found.door))
    if move.state is DoorState.LOCKED and (secret or now is DoorState.OPEN):
        desk.do(DoorSet(door=move.door, name=found.name, state=DoorState.CLOSED, audience=known))
        known = GM_ONLY
    elif not secret and DoorState.OPEN not in (now, move.state):
        known = GM_ONLY
    desk.do(DoorSet(door=move.door, name=found.name, state=move.state, audience=known))


def state_of(scene: Scene, found: MapDoor) -> DoorState:
    """How a door of the stored map stands in the scene."""
    if not is_found(scene.field, found):
        return found.door.state
    name = f"{DOOR_TAG}:{found.door.id}"
    shut = [thing for thing in scene.things if name in thing.tags and is_shut_door(scene, thing)]
    if not shut:
        return DoorState.OPEN
    return DoorState.LOCKED if any(LOCKED in thing.tags for thing in shut) else DoorState.CLOSED
