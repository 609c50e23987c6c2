"""The game master's own moves: at any time, and whatever they change is seen to be changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from services.rules.engine.content import slug_of
from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.hazards import CLIMB_ACTIONS, FEET_PER_PACE, fall_dice
from services.rules.systems.dungeonteller.play.aiming import one
from services.rules.systems.dungeonteller.play.arriving import monster_being
from services.rules.systems.dungeonteller.play.begin import MOST_CREATURES
from services.rules.systems.dungeonteller.play.carrying import hand_over
from services.rules.systems.dungeonteller.play.conditions import takes_turns
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.discretion import audience_of, sentence
from services.rules.systems.dungeonteller.play.events import (
    ClimbSet,
    Ended,
    Gone,
    JobSet,
    LuckChanged,
    ThingSet,
)
from services.rules.systems.dungeonteller.play.falls import fall_rolls, falls
from services.rules.systems.dungeonteller.play.harm import LOSSES, poison, save_roll, toughness
from services.rules.systems.dungeonteller.play.moves import (
    AddCreature,
    AddJob,
    AddThing,
    Danger,
    EndScene,
    LookOut,
    Overrule,
    Remove,
    SetWall,
    Tell,
)
from services.rules.systems.dungeonteller.play.placing import free_square
from services.rules.systems.dungeonteller.play.pools import POISON, as_roll, reaction
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Climb,
    Effect,
    EffectKind,
    Job,
    Scene,
    Side,
    Thing,
)
from services.rules.systems.dungeonteller.play.trying import finds

MASTER = "Actions / the game master decides"
DANGERS = ("fall", "fire", "luck", "poison")
MOST_FEET = 500
MOST = 1_000


def plan_job(scene: Scene, _catalog: Catalog, move: AddJob) -> Plan | Problems:
    """Set a job: an action and the successes it takes, shown or not."""
    if not move.id or any(job.id == move.id for job in scene.jobs):
        return one(RuleProblem("id_taken", "Every job has an id of its own.", MASTER, ("id",), move.id))
    if not 1 <= move.needed <= MOST:
        return one(_range("needed", move.needed, 1, MOST))
    job = Job(
        id=move.id,
        name=move.name or move.id,
        action=move.action,
        needed=move.needed,
        shown=move.shown,
        situations=move.situations,
        at=move.at,
        audience=GM_ONLY if move.secret else EVERYONE,
    )

    def resolve(desk: Desk) -> None:
        desk.do(JobSet(job=job, audience=job.audience))
        desk.say(
            "job.set", f"There is something to do: {job.name}.", targets=(job.id,), audience=job.audience
        )

    return Plan((), resolve)


def plan_creature(scene: Scene, catalog: Catalog, move: AddCreature) -> Plan | Problems:
    """Bring a creature into the scene, in plain view or hidden."""
    monster = catalog.monsters.get(move.monster)
    if monster is None:
        text = "There is no such creature."
        return one(
            RuleProblem("monster_unknown", text, "bestiary", ("monster",), move.monster, catalog.monsters.ids)
        )
    sides = tuple(side.value for side in Side)
    if move.side not in sides:
        return one(RuleProblem("side_unknown", "There is no such side.", MASTER, ("side",), move.side, sides))
    if len(scene.beings) >= MOST_CREATURES * 2:
        return one(_range("creatures", len(scene.beings), 0, MOST_CREATURES * 2))
    grid = scene.field.grid
    at = move.at or free_square(grid, list(scene.beings), Square(grid.width - 1, grid.height // 2))
    problem = _square(scene, at, "at")
    if problem is not None:
        return one(problem)

    def resolve(desk: Desk) -> None:
        secret = move.hidden is not None
        word = "hidden" if secret else slug_of(monster.id)
        being = monster_being(
            desk.number(word, secret=secret),
            monster,
            catalog,
            at,
            name=move.name,
            side=Side(move.side),
            hidden=move.hidden,
            surprised=move.surprised,
        )
        desk.set(being)
        text = f"{being.name} comes into the scene."
        desk.say("came", text, targets=(being.id,), audience=audience_of(desk.scene, being))

    return Plan((), resolve)


def plan_thing(scene: Scene, catalog: Catalog, move: AddThing) -> Plan | Problems:
    """Put a thing into the scene: treasure, a door, something lying about."""
    if move.at is None and not move.holder:
        return one(RuleProblem("place_missing", "Say where it is, or who has it.", MASTER, ("at",)))
    if move.at is not None:
        problem = None if scene.field.grid.holds(move.at) else _square(scene, move.at, "at")
        if problem is not None:
            return one(problem)
    if move.holder and scene.being(move.holder) is None:
        return one(_unknown("holder", move.holder))
    if move.item and catalog.item(move.item) is None:
        return one(RuleProblem("item_unknown", "There is no such thing.", "Stuff", ("item",), move.item))
    if not (1 <= move.count <= MOST and 0 <= move.gold <= MOST * MOST):
        return one(_range("count", move.count, 1, MOST))

    def resolve(desk: Desk) -> None:
        thing = Thing(
            id=desk.number("thing", secret=move.hidden is not None),
            name=move.name,
            item=move.item,
            count=move.count,
            gold=move.gold,
            value=move.value,
            appraise=move.appraise,
            luck=move.luck,
            magical=move.magical,
            at=move.at,
            solid=move.solid,
            tags=move.tags,
            hidden=move.hidden,
        )
        audience = EVERYONE if move.hidden is None else GM_ONLY
        if move.holder:
            hand_over(desk, replace(thing, at=None), move.holder, catalog)
            text = f"{desk.being(move.holder).name} gets {thing.name}."
        else:
            desk.do(ThingSet(thing=thing, audience=audience))
            text = f"There is {thing.name}."
        desk.say("thing.set", text, targets=(thing.id, *filter(None, (move.holder,))), audience=audience)

    return Plan((), resolve)


def plan_remove(scene: Scene, _catalog: Catalog, move: Remove) -> Plan | Problems:
    """Take something out of the scene."""
    being = scene.being(move.what)
    others: tuple[Effect | Area | Job | Thing, ...] = (
        *scene.effects,
        *scene.areas,
        *scene.jobs,
        *scene.things,
    )
    found = next((other for other in others if other.id == move.what), None)
    if being is None and found is None:
        return one(_unknown("what", move.what))
    if being is not None and being.hero:
        text = "A hero stays; overrule what happens to them."
        return one(RuleProblem("hero_stays", text, MASTER, ("what",), move.what))
    hidden = getattr(being or found, "hidden", None) is not None
    audience: Audience = GM_ONLY if hidden else getattr(found, "audience", EVERYONE)

    def resolve(desk: Desk) -> None:
        if being is not None and (being.leader or not hidden):
            desk.vanish(being.id)
        elif being is not None:
            desk.leave_order(being.id)
            desk.do(Gone(id=being.id, audience=GM_ONLY))
        else:
            desk.do(Gone(id=move.what, audience=audience))
        text = sentence(move.why) if move.why.strip() else "The game master takes something away."
        desk.say("removed", text, targets=(move.what,), rule=MASTER, audience=audience)

    return Plan((), resolve)


def plan_overrule(scene: Scene, _catalog: Catalog, move: Overrule) -> Plan | Problems:
    """Set something by hand. It is told to everybody who may know of the one it concerns."""
    being = scene.being(move.being)
    if being is None:
        return one(_unknown("being", move.being))
    found = []
    if move.luck is not None and (being.luck is None or not 0 <= move.luck <= MOST):
        found.append(_range("luck", move.luck, 0, MOST))
    if move.max_luck is not None and not 0 <= move.max_luck <= MOST:
        found.append(_range("max_luck", move.max_luck, 0, MOST))
    if move.armor is not None and not 0 <= move.armor <= MOST:
        found.append(_range("armor", move.armor, 0, MOST))
    if move.at is not None and not scene.field.grid.open(move.at):
        found.append(_range("at", (move.at.x, move.at.y), 0, 0))
    sides = tuple(side.value for side in Side)
    if move.side is not None and move.side not in sides:
        found.append(
            RuleProblem("side_unknown", "There is no such side.", MASTER, ("side",), move.side, sides)
        )
    if found:
        return Problems(tuple(found))

    def resolve(desk: Desk) -> None:
        now = desk.being(being.id)
        shown = bool(move.shown)
        changed = replace(
            now,
            max_luck=now.max_luck if move.max_luck is None else move.max_luck,
            at=move.at or now.at,
            out=now.out if move.out is None else move.out,
            armor=now.armor if move.armor is None else move.armor,
            side=now.side if move.side is None else Side(move.side),
            hidden=None if shown else now.hidden,
            found_by=() if shown else now.found_by,
        )
        if changed != now:
            desk.set(changed)
        audience = audience_of(desk.scene, changed)
        if move.luck is not None and now.luck is not None and move.luck != now.luck:
            change = move.luck - now.luck
            desk.do(
                LuckChanged(
                    being=now.id, luck=move.luck, change=change, why="the game master", audience=audience
                )
            )
        why = sentence(f": {move.why.strip()}" if move.why.strip() else "")
        text = f"The game master decides about {now.name}{why}"
        desk.say("overruled", text, targets=(now.id,), rule=MASTER, audience=audience)

    return Plan((), resolve)


def plan_look_out(scene: Scene, catalog: Catalog, move: LookOut) -> Plan | Problems:
    """Roll somebody's Notice in secret: nobody learns of it unless there is something to find (Notice)."""
    being = scene.being(move.being)
    if being is None:
        return one(_unknown("being", move.being))
    dice = reaction(scene, catalog, being, (Action.NOTICE,), situations=move.situations)

    def resolve(desk: Desk) -> None:
        successes = desk.successes("notice")
        desk.say(
            "looked_out",
            f"{being.name}'s Notice: {successes}.",
            targets=(being.id,),
            successes=successes,
            rule="Actions / Notice",
            audience=GM_ONLY,
        )
        finds(desk, being.id, successes, (move.what,) if move.what else ())

    roll = as_roll(scene, "notice", being, f"Notice of {being.name}", dice, audience=GM_ONLY)
    return Plan((roll,), resolve)


def plan_danger(scene: Scene, catalog: Catalog, move: Danger) -> Plan | Problems:
    """A danger of the place: a fall from so many feet, fire, poison, or plain bad luck (Hazards)."""
    being = scene.being(move.being)
    if being is None:
        return one(_unknown("being", move.being))
    why = move.why or {"fall": "the fall", "fire": "the fire", "poison": "poison"}.get(
        move.danger, "bad luck"
    )
    match move.danger:
        case "fall":
            if not 1 <= move.feet <= MOST_FEET:
                return one(_range("feet", move.feet, 1, MOST_FEET))
            rolls = fall_rolls(scene, catalog, being, fall_dice(move.feet))
        case "fire":
            rolls = (save_roll(scene, catalog, being, AreaKind.FIRE, "save"),)
        case "poison":
            dice = reaction(scene, catalog, being, (Action.MUSCLE,), situations=(POISON,))
            rolls = (
                as_roll(scene, "save", being, "Muscle against poison", dice, needed=max(1, move.amount)),
            )
        case "luck":
            if not 1 <= move.amount <= MOST:
                return one(_range("amount", move.amount, 1, MOST))
            rolls = ()
        case _:
            return one(
                RuleProblem("danger_unknown", "No such danger.", MASTER, ("danger",), move.danger, DANGERS)
            )

    def resolve(desk: Desk) -> None:
        desk.say("danger", f"{being.name} meets {why}.", targets=(being.id,), rule="Hazards")
        if move.danger == "fall":
            falls(desk, being.id)
        elif move.danger == "fire":
            kept = desk.successes("save") + toughness(desk.scene, being, AreaKind.FIRE)
            desk.lose(being.id, LOSSES[AreaKind.FIRE] - kept, why)
        elif move.danger == "luck":
            desk.lose(being.id, move.amount, why)
        elif desk.successes("save") < max(1, move.amount):
            poison(desk, being.id, "", "")

    return Plan(rolls, resolve)


def plan_wall(scene: Scene, _catalog: Catalog, move: SetWall) -> Plan | Problems:
    """Put somebody in front of a wall: a series of Muscle and Stunt steps (Powers for Everyone / Climb)."""
    being = scene.being(move.being)
    if being is None:
        return one(_unknown("being", move.being))
    if not 1 <= len(move.track) <= MOST_FEET // FEET_PER_PACE:
        return one(_range("track", len(move.track), 1, MOST_FEET // FEET_PER_PACE))
    for index, step in enumerate(move.track):
        if step not in CLIMB_ACTIONS:
            allowed = tuple(action.value for action in CLIMB_ACTIONS)
            text = "A wall is made of Muscle and Stunt steps."
            return one(RuleProblem("wrong_action", text, "Climb", ("track", index), step.value, allowed))

    def resolve(desk: Desk) -> None:
        desk.do(ClimbSet(climb=Climb(being=being.id, track=move.track)))
        desk.say(
            "wall", f"{being.name} stands before a wall of {len(move.track)} steps.", targets=(being.id,)
        )

    return Plan((), resolve)


def plan_tell(scene: Scene, _catalog: Catalog, move: Tell) -> Plan | Problems:
    """Say something, to everybody, to some, or to oneself."""
    if not move.text.strip():
        return one(RuleProblem("text_missing", "Say something.", MASTER, ("text",), move.text))
    for index, listener in enumerate(move.to):
        if scene.being(listener) is None:
            return one(replace(_unknown("to", listener), path=("to", index)))
    audience = GM_ONLY if move.secret else Audience(everyone=not move.to, actors=move.to)
    text = sentence(move.text)

    def resolve(desk: Desk) -> None:
        desk.say("told", text, targets=move.to, audience=audience)
        if move.secret:
            desk.put(EffectKind.NOTE, "", words=text, audience=GM_ONLY)

    return Plan((), resolve)


def plan_end_scene(_scene: Scene, _catalog: Catalog, move: EndScene) -> Plan | Problems:
    """The scene is over."""

    def resolve(desk: Desk) -> None:
        standing = {being.side for being in desk.scene.beings if not being.out and takes_turns(being)}
        fought = {being.side for being in desk.scene.beings}
        winners = tuple(
            side.value
            for side, other in ((Side.HEROES, Side.FOES), (Side.FOES, Side.HEROES))
            if other in fought and side in standing and other not in standing
        )
        desk.do(Ended(why=sentence(move.why or "The scene is over"), winners=winners))

    return Plan((), resolve)


def _unknown(field: str, found: str) -> RuleProblem:
    return RuleProblem("target_unknown", "There is nothing like that here.", MASTER, (field,), found)


def _range(field: str, found: int | tuple[int, int], least: int, most: int) -> RuleProblem:
    return RuleProblem("out_of_range", "That is out of range.", MASTER, (field,), found, (least, most))


def _square(scene: Scene, at: Square, field: str) -> RuleProblem | None:
    taken = any(being.at == at and not being.out for being in scene.beings)
    if scene.field.grid.open(at) and not taken:
        return None
    return RuleProblem("square_not_free", "Nobody can stand there.", "Moving", (field,), (at.x, at.y))


MASTERS: dict[type, Callable[[Scene, Catalog, Any], Plan | Problems]] = {
    AddJob: plan_job,
    AddCreature: plan_creature,
    AddThing: plan_thing,
    Remove: plan_remove,
    Overrule: plan_overrule,
    LookOut: plan_look_out,
    Danger: plan_danger,
    SetWall: plan_wall,
    Tell: plan_tell,
    EndScene: plan_end_scene,
}
"""The game master's moves and their plans."""
