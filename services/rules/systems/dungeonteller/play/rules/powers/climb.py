"""Powers of a strong and nimble body: climbing, jumping, a feat of strength."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.grid import Square, distance, is_way
from services.rules.engine.play import Roll
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller import hazards
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.conditions import move_problem, solid_grid, taken_squares
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import ClimbBegan, Climbed, ClimbEnded
from services.rules.systems.dungeonteller.play.knowledge import in_the_way
from services.rules.systems.dungeonteller.play.moves import Try
from services.rules.systems.dungeonteller.play.pools import ActionRoll, as_roll, moment_of, reaction
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.action import job_of, work_on
from services.rules.systems.dungeonteller.play.rules.falls import landing_rolls, loses_to_fall
from services.rules.systems.dungeonteller.play.rules.feat import feat_problem
from services.rules.systems.dungeonteller.play.rules.gear import served, use_one
from services.rules.systems.dungeonteller.play.rules.moving import Leg, get_along, kept_away
from services.rules.systems.dungeonteller.play.rules.power import Use, cast, failed, handles, tell
from services.rules.systems.dungeonteller.play.rules.powers.knockback import met_at
from services.rules.systems.dungeonteller.play.state import Climb

CLIMBING = "dungeonteller:situation/climb"
SHAKY = "shaky"


@handles("climb")
def climb(desk: Desk, use: Use) -> Steps:
    """Climb: a step for each success of the action it asks for; a Stunt step without one is a fall.

    A rope helps whenever it is carried; a spike only when the move names the thing, for it is used up then
    (Powers for Everyone; Stuff / Gear; ruling P8). Who has a climb speed needs no dice.
    """
    refuse_if(move_problem(use.scene, use.being))
    known = next((found for found in use.scene.climbs if found.being == use.being.id), None)
    if known is None:
        raise use.refused("no_wall", f"{use.being.name} is at no wall to climb.", ("actor",), use.being.id)
    wall = hazards.Climb(known.track, known.at)
    if wall.done:
        raise use.refused("climb_done", "There is nothing left to climb.", ("actor",), wall.at)
    needed = wall.track[wall.at]
    gear = _climbing_gear(use, needed)
    helping, used_up = gear
    easy = use.being.climb is not None

    falling = needed is Action.STUNT and wall.at > 0 and not easy
    successes = yield from cast(
        desk,
        use,
        own=ActionRoll(() if easy else (needed,), situations=(CLIMBING,), gear=helping),
        also=landing_rolls(use.scene, use.catalog, use.being) if falling else (),
    )
    for item in used_up:
        use_one(desk, use.being.id, item)
    if easy:
        _reach(desk, use, wall, len(wall.track))
        return
    turn = hazards.climb(wall, needed, successes)
    assert not isinstance(turn, RuleProblem)
    if turn.fell:
        tell(desk, use, 0, number=wall.at)
        desk.do(ClimbBegan(climb=Climb(being=use.being.id, track=wall.track)))
        loses_to_fall(desk, use.being.id, turn.luck_lost)
    elif turn.climb.at == wall.at:
        tell(desk, use, 0, outcome="failed.no-hold")
    else:
        _reach(desk, use, wall, turn.climb.at)


def _reach(desk: Desk, use: Use, wall: hazards.Climb, at: int) -> None:
    gone = at - wall.at
    if at >= len(wall.track):
        desk.do(ClimbEnded(being=use.being.id))
        tell(desk, use, gone, outcome="done")
        return
    desk.do(Climbed(being=use.being.id, at=at))
    tell(desk, use, gone, number=len(wall.track) - at)


def _climbing_gear(use: Use, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Content ids of the gear that helps a step, and of what of it is used up."""
    carried = {thing.id: thing.item for thing in use.scene.things if thing.holder == use.being.id}
    wanted = []
    for index, thing in enumerate(use.move.targets):
        if thing not in carried:
            text = f"{use.being.name} does not have that."
            raise use.refused("item_not_owned", text, ("targets", index), thing, tuple(carried))
        wanted.append(carried[thing])
    helping: list[str] = []
    used_up: list[str] = []
    moment = moment_of(use.scene, use.being, action, situations=(CLIMBING,))
    for item in dict.fromkeys(carried.values()):
        dice = served(use.catalog, item, action, moment)
        once = any(bonus.once for bonus in dice)
        if dice and (item in wanted or not once):
            helping.append(item)
            used_up += [item] * once
    return tuple(helping), tuple(used_up)


@handles("jump")
def jump(desk: Desk, use: Use) -> Steps:
    """Jump: a pace for each success, straight towards a square, over whatever lies between.

    A being who stands there, or a wall, leaves no room to land. A shaky landing needs a Stunt success for
    staying on one's feet; the dice for it fall together with the others (Powers for Everyone).
    """
    if use.move.sort not in ("", SHAKY):
        text = "The landing is firm or shaky."
        raise use.refused("kind_unknown", text, ("sort",), use.move.sort, ("", SHAKY))
    refuse_if(move_problem(use.scene, use.being))
    being, way = use.being, _line_of(use)
    shaky = use.move.sort == SHAKY
    landing: tuple[Roll, ...] = ()
    if shaky:
        feet = reaction(use.scene, use.catalog, being, (Action.STUNT,))
        landing = (as_roll(use.scene, "feet", being, "Land on your feet", feet),)
    successes = yield from cast(desk, use, also=landing)
    leap = hazards.jump(successes, desk.successes("feet") if shaky else None)
    taken = in_the_way(desk.scene, desk.catalog, being)
    free = [index for index, square in enumerate(way[: leap.paces]) if square not in taken]
    far = free[-1] + 1 if free else 0
    paces = far if way else leap.paces
    if not paces:
        failed(desk, use)
        return
    tell(desk, use, paces, outcome="" if leap.on_feet else "fell")
    if far:
        desk.let_go(being.id)
        to = way[far - 1]
        met = met_at(desk.scene, desk.catalog, desk.being(being.id), to)
        yield from get_along(desk, being.id, Leg((to,), met))


def _line_of(use: Use) -> tuple[Square, ...]:
    """The squares of a jump, in a straight line; none where only the paces matter."""
    if not use.move.squares:
        return ()
    here, to = use.being.at, use.move.squares[0]
    dx, dy = to.x - here.x, to.y - here.y
    paces = distance(here, to)
    shown = (to.x, to.y)
    if paces == 0 or not (dx == 0 or dy == 0 or abs(dx) == abs(dy)):
        raise use.refused("not_in_line", "Jump in a straight line.", ("squares", 0), shown)
    way = tuple(
        Square(here.x + dx // paces * step, here.y + dy // paces * step) for step in range(1, paces + 1)
    )
    grid = solid_grid(use.scene)
    if not grid.open(to) or to in taken_squares(use.scene, use.being):
        raise use.refused("square_not_free", "There is no room to land.", ("squares", 0), shown)
    if not is_way(grid, here, way):
        raise use.refused("no_way", "Something solid is in the way.", ("squares", 0), shown)
    refuse_if(kept_away(use.scene, use.catalog, use.being, (to,)))
    return way


@handles("feat-of-strength")
def feat(desk: Desk, use: Use) -> Steps:
    """Feat of Strength by itself: a Muscle roll for a job, or for whatever the words say (Warrior).

    With any other Muscle roll of one's own it goes as that move's `feat`.
    """
    least, spent = use.power.luck_cost, use.move.luck
    if spent < least or use.move.feat:
        text = f"Spend {least} Luck or more, as `luck`."
        raise use.refused("luck_out_of_range", text, ("luck",), spent, least)
    problem = feat_problem(use.catalog, use.being, spent, use.power.roll)
    if problem is not None:
        raise refused(replace(problem, path=("luck",)))
    job = job_of(use.scene, use.being, Try(actor=use.being.id, action=Action.MUSCLE, job=use.move.job))
    if isinstance(job, RuleProblem):
        raise refused(job)

    situations = job.situations if job is not None else ()
    helped = replace(use, move=replace(use.move, feat=spent))
    successes = yield from cast(desk, helped, own=ActionRoll(use.power.roll, situations=situations))
    tell(desk, use, successes, words=use.move.words or use.power.name)
    if job is not None:
        work_on(desk, use.being, job, successes)
