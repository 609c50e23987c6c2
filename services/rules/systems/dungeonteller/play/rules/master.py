"""The game master's own moves: at any time, and whatever they change is seen to be changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from services.rules.engine.content import slug_of
from services.rules.engine.grid import Square, distance
from services.rules.engine.ground.fog_by_hand import changing
from services.rules.engine.play import EVERYONE, GM_ONLY, Audience
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.hazards import CLIMB_ACTIONS, FEET_PER_PACE, fall_dice
from services.rules.systems.dungeonteller.play.arrivals import monster_being
from services.rules.systems.dungeonteller.play.conditions import takes_turns
from services.rules.systems.dungeonteller.play.desk import MADE_BY_MAGIC, Desk
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.facts import (
    AreaEnded,
    ClimbBegan,
    EffectEnded,
    Ended,
    Event,
    FogChanged,
    JobAdded,
    JobRemoved,
    LuckChanged,
    Overruled,
    ThingAdded,
    ThingGone,
)
from services.rules.systems.dungeonteller.play.moves import (
    AddCreature,
    AddJob,
    AddThing,
    ChangeFog,
    Danger,
    EndScene,
    LookOut,
    Overrule,
    Remove,
    SetDoor,
    SetWall,
    Tell,
)
from services.rules.systems.dungeonteller.play.pools import POISON, as_roll, reaction
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.action import finds
from services.rules.systems.dungeonteller.play.rules.doors import set_door
from services.rules.systems.dungeonteller.play.rules.falls import falls
from services.rules.systems.dungeonteller.play.rules.harm import poison, save_roll, toughness
from services.rules.systems.dungeonteller.play.rules.stuff import hand_over
from services.rules.systems.dungeonteller.play.sentences import causes, with_stop
from services.rules.systems.dungeonteller.play.setup.problems import MOST_CREATURES
from services.rules.systems.dungeonteller.play.squares import free_square
from services.rules.systems.dungeonteller.play.state import (
    AreaKind,
    Climb,
    Effect,
    EffectKind,
    Ending,
    Job,
    Scene,
    Side,
    Thing,
)
from services.rules.systems.dungeonteller.play.targeting import TOUCH

MASTER = "Actions / the game master decides"
DANGERS = ("fall", "fire", "luck", "poison")
"""What may happen to a being: causes of `content/sentences.toml`."""
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
    desk.do(JobAdded(job=job))
    desk.say("job.set", targets=(job.id,))


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
    desk.arrive(being)


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
    if move.holder:
        audience = EVERYONE if move.hidden is None else GM_ONLY
        hand_over(desk, replace(thing, at=None), move.holder, catalog)
        desk.say("thing.got", targets=(move.holder,), words=thing.name, audience=audience)
    else:
        desk.do(ThingAdded(thing=thing))
        desk.say("thing.set", targets=(thing.id,))


def remove(desk: Desk, move: Remove) -> None:
    """Take something out of the scene."""
    scene = desk.scene
    being = scene.being(move.what)
    gone = None if being is not None else _removal(scene, move.what)
    if being is None and gone is None:
        raise refused(_unknown("what", move.what))
    if being is not None and being.hero:
        text = "A hero stays; overrule what happens to them."
        raise refused(RuleProblem("hero_stays", text, MASTER, ("what",), move.what))
    hidden = getattr(being or scene.thing(move.what), "hidden", None) is not None
    code = "removed.because" if move.why.strip() else "removed"
    audience = GM_ONLY if hidden else EVERYONE
    desk.say(code, targets=(move.what,), words=move.why, audience=audience)
    if being is None:
        assert gone is not None
        desk.do(replace(gone, audience=audience))
    elif being.leader or not hidden:
        desk.vanish(being.id)
    else:
        desk.leave(being.id)


def _removal(scene: Scene, what: str) -> Event | None:
    """What happens where something other than a being is taken out of the scene; None for nothing there."""
    if any(effect.id == what for effect in scene.effects):
        return EffectEnded(effect=what)
    if any(area.id == what for area in scene.areas):
        return AreaEnded(area=what)
    if any(job.id == what for job in scene.jobs):
        return JobRemoved(job=what)
    return None if scene.thing(what) is None else ThingGone(thing=what)


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
    decision = Overruled(
        being=being.id,
        max_luck=move.max_luck,
        armor=move.armor,
        at=move.at,
        out=move.out,
        side=None if move.side is None else Side(move.side),
        shown=bool(move.shown),
        words=move.why,
    )
    desk.do(decision)
    desk.join_order(being.id)
    _tear_apart(desk, being.id)
    if move.luck is not None and being.luck is not None and move.luck != being.luck:
        change = move.luck - being.luck
        desk.do(LuckChanged(being=being.id, luck=move.luck, change=change, cause="game-master"))
    if move.out and not being.out:
        desk.come_down(being.id)
        desk.fallen(being.id)
    elif move.luck == 0 and being.creature in MADE_BY_MAGIC:
        desk.vanish(being.id)


def _tear_apart(desk: Desk, being_id: str) -> None:
    """Holds end whose holder and held are out of each other's reach."""
    for effect in desk.scene.effects:
        if effect.kind == EffectKind.PINNED and being_id in (effect.source, effect.bearer):
            holder, held = desk.scene.being(effect.source), desk.scene.being(effect.bearer)
            if holder is None or held is None or distance(holder.at, held.at) > TOUCH:
                desk.lift(effect)


def look_out(desk: Desk, move: LookOut) -> Steps:
    """Roll a being's Notice in secret: nobody learns of it unless there is something to find (Notice)."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.being)
    if being is None:
        raise refused(_unknown("being", move.being))
    dice = reaction(scene, catalog, being, (Action.NOTICE,), situations=move.situations)

    roll = as_roll(scene, "notice", being, f"Notice of {being.name}", dice, audience=GM_ONLY)
    yield from desk.roll(roll)
    successes = desk.successes("notice")
    desk.say("looked_out", targets=(being.id,), successes=successes, audience=GM_ONLY)
    finds(desk, being.id, successes, (move.what,) if move.what else ())


def danger(desk: Desk, move: Danger) -> Steps:
    """A danger of the place: a fall from so many feet, fire, poison, or plain bad luck (Hazards)."""
    being = desk.scene.being(move.being)
    if being is None:
        raise refused(_unknown("being", move.being))
    if move.danger not in DANGERS:
        text = "No such danger."
        raise refused(RuleProblem("danger_unknown", text, MASTER, ("danger",), move.danger, DANGERS))
    if move.danger == "fall" and not 1 <= move.feet <= MOST_FEET:
        raise refused(_range("feet", move.feet, 1, MOST_FEET))
    if move.danger == "luck" and not 1 <= move.amount <= MOST:
        raise refused(_range("amount", move.amount, 1, MOST))

    def met() -> None:
        desk.say("danger", targets=(being.id,), words=move.why or causes()[move.danger])

    match move.danger:
        case "fall":
            met()
            yield from falls(desk, being.id, fall_dice(move.feet))
        case "fire":
            (saved,) = yield from desk.roll(save_roll(desk.scene, desk.catalog, being, AreaKind.FIRE, "save"))
            met()
            kept = saved + toughness(desk.scene, being, AreaKind.FIRE)
            desk.lose(being.id, zone_rules()[AreaKind.FIRE].luck - kept, move.danger, words=move.why)
        case "poison":
            strength = max(1, move.amount)
            dice = reaction(desk.scene, desk.catalog, being, (Action.MUSCLE,), situations=(POISON,))
            roll = as_roll(desk.scene, "save", being, "Muscle against poison", dice, needed=strength)
            (saved,) = yield from desk.roll(roll)
            met()
            if saved < strength:
                poison(desk, being.id, "", "")
        case _:
            met()
            desk.lose(being.id, move.amount, move.danger, words=move.why)


def set_wall(desk: Desk, move: SetWall) -> None:
    """Put a being in front of a wall: a series of Muscle and Stunt steps (Powers for Everyone / Climb)."""
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
    desk.do(ClimbBegan(climb=Climb(being=being.id, track=move.track)))
    desk.say("wall", targets=(being.id,), number=len(move.track))


def change_fog(desk: Desk, move: ChangeFog) -> None:
    """Uncover squares of the place, or cover them; what a hero alone knew of them is told to nobody else."""
    field = desk.scene.field
    known = field.known if field.fog else None
    squares = changing(known, field.grid.ground, move.squares, known=move.known)
    if isinstance(squares, RuleProblem):
        raise refused(squares)
    audience = EVERYONE if move.known or field.shared else GM_ONLY
    desk.do(FogChanged(squares=squares, known=move.known, audience=audience))


def tell(desk: Desk, move: Tell) -> None:
    """Say something, to everybody, to some, or to oneself."""
    scene = desk.scene
    if not move.text.strip():
        raise refused(RuleProblem("text_missing", "Say something.", MASTER, ("text",), move.text))
    for index, listener in enumerate(move.to):
        if scene.being(listener) is None:
            raise refused(replace(_unknown("to", listener), path=("to", index)))
    audience = GM_ONLY if move.secret else Audience(everyone=not move.to, actors=move.to)
    text = with_stop(move.text)
    desk.say("told", targets=move.to, words=text, audience=audience)
    if move.secret:
        desk.put(Effect(id="", kind=EffectKind.NOTE, bearer="", amount=0, words=text, audience=GM_ONLY))


def end_scene(desk: Desk, move: EndScene) -> None:
    """The scene is over."""
    standing = {being.side for being in desk.scene.beings if not being.out and takes_turns(being)}
    fought = {being.side for being in desk.scene.beings}
    winners = tuple(
        side.value
        for side, other in ((Side.HEROES, Side.FOES), (Side.FOES, Side.HEROES))
        if other in fought and side in standing and other not in standing
    )
    desk.do(Ended(why=Ending.GAME_MASTER, words=move.why, winners=winners))


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
    SetDoor: set_door,
    ChangeFog: change_fog,
    Tell: tell,
    EndScene: end_scene,
}
"""The rules of the game master's moves."""
