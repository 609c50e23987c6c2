"""The game master's own moves: at any time, and whatever they change is seen to be changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from services.rules.engine.content import slug_of
from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.hazards import CLIMB_ACTIONS, FEET_PER_PACE, fall_dice
from services.rules.systems.dungeonteller.play.arrivals import monster_being
from services.rules.systems.dungeonteller.play.conditions import takes_turns
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import (
    ClimbSet,
    Ended,
    Gone,
    JobSet,
    LuckChanged,
    ThingSet,
)
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
from services.rules.systems.dungeonteller.play.pools import POISON, as_roll, reaction
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.action import finds
from services.rules.systems.dungeonteller.play.rules.falls import falls
from services.rules.systems.dungeonteller.play.rules.harm import LOSSES, poison, save_roll, toughness
from services.rules.systems.dungeonteller.play.rules.stuff import hand_over
from services.rules.systems.dungeonteller.play.secrecy import audience_of, sentence
from services.rules.systems.dungeonteller.play.setup.problems import MOST_CREATURES
from services.rules.systems.dungeonteller.play.squares import free_square
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

MASTER = "Actions / the game master decides"
DANGERS = {"fall": "the fall", "fire": "the fire", "luck": "bad luck", "poison": "poison"}
"""What may happen to somebody, and what it is called where nothing else is said."""
MOST_FEET = 500
MOST = 1_000


def add_job(desk: Desk, move: AddJob) -> None:
    """Set a job: an action and the successes it takes, shown or not."""
    scene = desk.scene
    if not move.id or any(job.id == move.id for job in scene.jobs):
        raise refused(RuleProblem("id_taken", "Every job has an id of its own.", MASTER, ("id",), move.id))
    if not 1 <= move.needed <= MOST:
        raise refused(_range("needed", move.needed, 1, MOST))
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
    desk.do(JobSet(job=job, audience=job.audience))
    desk.say("job.set", f"There is something to do: {job.name}.", targets=(job.id,), audience=job.audience)


def add_creature(desk: Desk, move: AddCreature) -> None:
    """Bring a creature into the scene, in plain view or hidden."""
    scene, catalog = desk.scene, desk.catalog
    monster = catalog.monsters.get(move.monster)
    if monster is None:
        text = "There is no such creature."
        raise refused(
            RuleProblem("monster_unknown", text, "bestiary", ("monster",), move.monster, catalog.monsters.ids)
        )
    sides = tuple(side.value for side in Side)
    if move.side not in sides:
        raise refused(
            RuleProblem("side_unknown", "There is no such side.", MASTER, ("side",), move.side, sides)
        )
    if len(scene.beings) >= MOST_CREATURES * 2:
        raise refused(_range("creatures", len(scene.beings), 0, MOST_CREATURES * 2))
    grid = scene.field.grid
    at = move.at or free_square(grid, list(scene.beings), Square(grid.width - 1, grid.height // 2))
    refuse_if(_square(scene, at, "at"))
    secret = move.hidden is not None
    word = "hidden" if secret else slug_of(monster.id)
    plain = monster_being(
        desk.number(word, secret=secret), monster, catalog, at, name=move.name, side=Side(move.side)
    )
    being = replace(plain, hidden=move.hidden, surprised=move.surprised)
    desk.set(being)
    text = f"{being.name} comes into the scene."
    desk.say("came", text, targets=(being.id,), audience=audience_of(desk.scene, being))


def add_thing(desk: Desk, move: AddThing) -> None:
    """Put a thing into the scene: treasure, a door, something lying about."""
    scene, catalog = desk.scene, desk.catalog
    if move.at is None and not move.holder:
        raise refused(RuleProblem("place_missing", "Say where it is, or who has it.", MASTER, ("at",)))
    if move.at is not None:
        refuse_if(None if scene.field.grid.holds(move.at) else _square(scene, move.at, "at"))
    if move.holder and scene.being(move.holder) is None:
        raise refused(_unknown("holder", move.holder))
    if move.item and catalog.item(move.item) is None:
        raise refused(RuleProblem("item_unknown", "There is no such thing.", "Stuff", ("item",), move.item))
    if not (1 <= move.count <= MOST and 0 <= move.gold <= MOST * MOST):
        raise refused(_range("count", move.count, 1, MOST))
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


def remove(desk: Desk, move: Remove) -> None:
    """Take something out of the scene."""
    scene = desk.scene
    being = scene.being(move.what)
    others: tuple[Effect | Area | Job | Thing, ...] = (
        *scene.effects,
        *scene.areas,
        *scene.jobs,
        *scene.things,
    )
    found = next((other for other in others if other.id == move.what), None)
    if being is None and found is None:
        raise refused(_unknown("what", move.what))
    if being is not None and being.hero:
        text = "A hero stays; overrule what happens to them."
        raise refused(RuleProblem("hero_stays", text, MASTER, ("what",), move.what))
    hidden = getattr(being or found, "hidden", None) is not None
    audience: Audience = GM_ONLY if hidden else getattr(found, "audience", EVERYONE)
    if being is not None and (being.leader or not hidden):
        desk.vanish(being.id)
    elif being is not None:
        desk.leave_order(being.id)
        desk.do(Gone(id=being.id, audience=GM_ONLY))
    else:
        desk.do(Gone(id=move.what, audience=audience))
    text = sentence(move.why) if move.why.strip() else "The game master takes something away."
    desk.say("removed", text, targets=(move.what,), rule=MASTER, audience=audience)


def overrule(desk: Desk, move: Overrule) -> None:
    """Set something by hand. It is told to everybody who may know of the one it concerns."""
    scene = desk.scene
    being = scene.being(move.being)
    if being is None:
        raise refused(_unknown("being", move.being))
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
    refuse_if(Problems(tuple(found)) if found else None)
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
            LuckChanged(being=now.id, luck=move.luck, change=change, why="the game master", audience=audience)
        )
    why = sentence(f": {move.why.strip()}" if move.why.strip() else "")
    text = f"The game master decides about {now.name}{why}"
    desk.say("overruled", text, targets=(now.id,), rule=MASTER, audience=audience)


def look_out(desk: Desk, move: LookOut) -> Steps:
    """Roll somebody's Notice in secret: nobody learns of it unless there is something to find (Notice)."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.being)
    if being is None:
        raise refused(_unknown("being", move.being))
    dice = reaction(scene, catalog, being, (Action.NOTICE,), situations=move.situations)

    roll = as_roll(scene, "notice", being, f"Notice of {being.name}", dice, audience=GM_ONLY)
    yield from desk.roll(roll)
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


def danger(desk: Desk, move: Danger) -> Steps:
    """A danger of the place: a fall from so many feet, fire, poison, or plain bad luck (Hazards)."""
    being = desk.scene.being(move.being)
    if being is None:
        raise refused(_unknown("being", move.being))
    if move.danger not in DANGERS:
        text = "No such danger."
        raise refused(RuleProblem("danger_unknown", text, MASTER, ("danger",), move.danger, tuple(DANGERS)))
    if move.danger == "fall" and not 1 <= move.feet <= MOST_FEET:
        raise refused(_range("feet", move.feet, 1, MOST_FEET))
    if move.danger == "luck" and not 1 <= move.amount <= MOST:
        raise refused(_range("amount", move.amount, 1, MOST))
    why = move.why or DANGERS[move.danger]
    met = f"{being.name} meets {why}."
    match move.danger:
        case "fall":
            desk.say("danger", met, targets=(being.id,), rule="Hazards")
            yield from falls(desk, being.id, fall_dice(move.feet))
        case "fire":
            (saved,) = yield from desk.roll(save_roll(desk.scene, desk.catalog, being, AreaKind.FIRE, "save"))
            desk.say("danger", met, targets=(being.id,), rule="Hazards")
            kept = saved + toughness(desk.scene, being, AreaKind.FIRE)
            desk.lose(being.id, LOSSES[AreaKind.FIRE] - kept, why)
        case "poison":
            strength = max(1, move.amount)
            dice = reaction(desk.scene, desk.catalog, being, (Action.MUSCLE,), situations=(POISON,))
            roll = as_roll(desk.scene, "save", being, "Muscle against poison", dice, needed=strength)
            (saved,) = yield from desk.roll(roll)
            desk.say("danger", met, targets=(being.id,), rule="Hazards")
            if saved < strength:
                poison(desk, being.id, "", "")
        case _:
            desk.say("danger", met, targets=(being.id,), rule="Hazards")
            desk.lose(being.id, move.amount, why)


def set_wall(desk: Desk, move: SetWall) -> None:
    """Put somebody in front of a wall: a series of Muscle and Stunt steps (Powers for Everyone / Climb)."""
    scene = desk.scene
    being = scene.being(move.being)
    if being is None:
        raise refused(_unknown("being", move.being))
    if not 1 <= len(move.track) <= MOST_FEET // FEET_PER_PACE:
        raise refused(_range("track", len(move.track), 1, MOST_FEET // FEET_PER_PACE))
    for index, step in enumerate(move.track):
        if step not in CLIMB_ACTIONS:
            allowed = tuple(action.value for action in CLIMB_ACTIONS)
            text = "A wall is made of Muscle and Stunt steps."
            raise refused(RuleProblem("wrong_action", text, "Climb", ("track", index), step.value, allowed))
    desk.do(ClimbSet(climb=Climb(being=being.id, track=move.track)))
    desk.say("wall", f"{being.name} stands before a wall of {len(move.track)} steps.", targets=(being.id,))


def tell(desk: Desk, move: Tell) -> None:
    """Say something, to everybody, to some, or to oneself."""
    scene = desk.scene
    if not move.text.strip():
        raise refused(RuleProblem("text_missing", "Say something.", MASTER, ("text",), move.text))
    for index, listener in enumerate(move.to):
        if scene.being(listener) is None:
            raise refused(replace(_unknown("to", listener), path=("to", index)))
    audience = GM_ONLY if move.secret else Audience(everyone=not move.to, actors=move.to)
    text = sentence(move.text)
    desk.say("told", text, targets=move.to, audience=audience)
    if move.secret:
        desk.put(EffectKind.NOTE, "", words=text, audience=GM_ONLY)


def end_scene(desk: Desk, move: EndScene) -> None:
    """The scene is over."""
    standing = {being.side for being in desk.scene.beings if not being.out and takes_turns(being)}
    fought = {being.side for being in desk.scene.beings}
    winners = tuple(
        side.value
        for side, other in ((Side.HEROES, Side.FOES), (Side.FOES, Side.HEROES))
        if other in fought and side in standing and other not in standing
    )
    desk.do(Ended(why=sentence(move.why or "The scene is over"), winners=winners))


def _unknown(field: str, found: str) -> RuleProblem:
    return RuleProblem("unknown_target", "There is nothing like that here.", MASTER, (field,), found)


def _range(field: str, found: int | tuple[int, int], least: int, most: int) -> RuleProblem:
    return RuleProblem("out_of_range", "That is out of range.", MASTER, (field,), found, (least, most))


def _square(scene: Scene, at: Square, field: str) -> RuleProblem | None:
    taken = any(being.at == at and not being.out for being in scene.beings)
    if scene.field.grid.open(at) and not taken:
        return None
    return RuleProblem("square_not_free", "Nobody can stand there.", "Moving", (field,), (at.x, at.y))


MASTERS: dict[type, Callable[[Desk, Any], Steps | None]] = {
    AddJob: add_job,
    AddCreature: add_creature,
    AddThing: add_thing,
    Remove: remove,
    Overrule: overrule,
    LookOut: look_out,
    Danger: danger,
    SetWall: set_wall,
    Tell: tell,
    EndScene: end_scene,
}
"""The rules of the game master's moves."""
