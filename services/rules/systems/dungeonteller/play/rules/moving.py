"""Going somewhere: on foot, running, flying; what is met on the way (Moving)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.rules.engine.frozen import replace
from services.rules.engine.grid import Grid, Square, distance, is_way
from services.rules.engine.identity import remembered
from services.rules.engine.play import Audience
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Steps
from services.rules.engine.ways import reach, way
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.movement import Mover, pace_for
from services.rules.systems.dungeonteller.play.conditions import (
    areas_at,
    fills_its_square,
    in_sight,
    knows_of,
    move_problem,
    solid_grid,
    taken_squares,
)
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.facts import AreaEnded, PaceLimited, ThingFound, Walked
from services.rules.systems.dungeonteller.play.knowledge import as_known, in_the_way
from services.rules.systems.dungeonteller.play.moves import Go, Steer
from services.rules.systems.dungeonteller.play.pools import ActionRoll, as_roll, pool
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.feat import feat_parts, feat_problem, pay_feat
from services.rules.systems.dungeonteller.play.rules.harm import harms, meet
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Creature,
    EffectKind,
    Scene,
)

RUN = (Action.MUSCLE, Action.STUNT)
"""Actions rolled together in a run (Moving / Run)."""

KEEP_AWAY = "dungeonteller:power/fear"


@dataclass(frozen=True, slots=True)
class Leg:
    """A way as far as it goes before something stops it.

    Attributes:
        way: The squares, without the first.
        harm: What is met on the last of them.
        bump: The square behind them where what the mover does not know of is in the way.
    """

    way: tuple[Square, ...]
    harm: tuple[Area, ...] = ()
    bump: Square | None = None


def go(desk: Desk, move: Go) -> Steps:
    """Move on the grid. What does harm on the way stops the mover; the paces left stay."""
    being = desk.being(move.actor)
    refuse_if(move_problem(desk.scene, being) or _on_a_wall(desk.scene, being))
    refuse_if(feat_problem(desk.catalog, being, move.feat, RUN if move.run and not move.fly else ()))
    if move.fly:
        yield from _fly(desk, being, move)
    elif move.run:
        yield from _run(desk, being, _steps(desk.scene, desk.catalog, being, move), move.feat)
    else:
        yield from _walk(desk, being.id, walk(desk.scene, desk.catalog, being, move))


def walk(scene: Scene, catalog: Catalog, being: Being, move: Go) -> Leg:
    """The way of a being who walks, as far as it goes; one that is too long, or barred, is refused."""
    refuse_if(move_problem(scene, being) or _on_a_wall(scene, being))
    steps = _steps(scene, catalog, being, move)
    refuse_if(_too_fast(scene, being, len(steps)))
    return _leg(scene, catalog, being, steps)


def _steps(scene: Scene, catalog: Catalog, being: Being, move: Go) -> tuple[Square, ...]:
    """The squares of a way on the ground, as a being knows the ground and dares to go it."""
    return _known_steps(as_known(scene, being.id), catalog, being, move)


@remembered(16)
def _known_steps(known: Scene, catalog: Catalog, being: Being, move: Go) -> tuple[Square, ...]:
    """The same in the scene as the being knows it."""
    steps = _way_of(known, being, move)
    if isinstance(steps, RuleProblem):
        raise refused(steps)
    refuse_if(kept_away(known, catalog, being, steps) or _afloat(known, being))
    return steps


def _on_a_wall(scene: Scene, being: Being) -> RuleProblem | None:
    """Why a being half-way up a wall cannot walk: they climb, or they fall."""
    for climb in scene.climbs:
        if climb.being == being.id and 0 < climb.at < len(climb.track):
            return RuleProblem(
                "on_a_wall",
                f"{being.name} is {climb.at} steps up a wall.",
                "Powers for Everyone / Climb",
                ("actor",),
                climb.at,
                0,
            )
    return None


def ground(scene: Scene, being: Being) -> Grid:
    """What is solid to a being: mist seeps under doors."""
    return scene.field.grid if scene.has(being.id, EffectKind.MIST) else solid_grid(scene)


def _way_of(scene: Scene, being: Being, move: Go) -> tuple[Square, ...] | RuleProblem:
    grid, taken = ground(scene, being), taken_squares(scene, being)
    if move.way:
        if move.way[-1] == move.to and is_way(grid, being.at, move.way, taken):
            return move.way
        return RuleProblem("no_way", "Nobody can walk like that.", "Moving", ("way",), (move.to.x, move.to.y))
    avoid = frozenset(
        square
        for area in scene.areas
        if area.audience.everyone and (rule := zone_rules().get(area.kind)) is not None and rule.harmful
        for square in area.squares
    )
    found = way(grid, being.at, move.to, taken, avoid)
    if not found:
        text = "You are there already." if move.to == being.at else "There is no way there."
        return RuleProblem("no_way", text, "Moving", ("to",), (move.to.x, move.to.y))
    return found


def allowed_paces(scene: Scene, being: Being) -> int:
    """Paces a being may still go this turn without running."""
    turn = scene.turn
    most = being.move * (2 if being.can_double_move else 1)
    limit = most if turn.limit is None else min(most, turn.limit)
    return max(0, limit - turn.paces)


def _too_fast(scene: Scene, being: Being, paces: int) -> RuleProblem | None:
    total = scene.turn.paces + paces
    if paces <= allowed_paces(scene, being):
        return None
    if scene.turn.limit is not None and total > scene.turn.limit:
        return RuleProblem(
            "too_far_after_action",
            f"After the action you may go {scene.turn.limit} paces in all.",
            "Moving",
            ("to",),
            total,
            scene.turn.limit,
        )
    mover = Mover(move=being.move, can_double_move=being.can_double_move, can_run=being.can_run)
    found = pace_for(total, mover)
    if isinstance(found, RuleProblem):
        return replace(found, path=("to",))
    return RuleProblem(
        "too_far", f"That is {total} paces. Run to go so far.", "Moving / Run", ("to",), total, 2 * being.move
    )


def kept_away(scene: Scene, catalog: Catalog, being: Being, steps: tuple[Square, ...]) -> RuleProblem | None:
    """Why a being may not go there: afraid, or driven away (Fear; Drive Away Undead)."""
    for effect in scene.effects_on(being.id, EffectKind.AFRAID, EffectKind.DRIVEN_AWAY):
        feared = scene.being(effect.source)
        if feared is None:
            continue
        here = being.at
        near = (
            (catalog.powers[KEEP_AWAY].figures.keep_away_paces or 0)
            if effect.kind == EffectKind.AFRAID
            else None
        )
        for square in steps:
            closer = distance(square, feared.at) < distance(here, feared.at)
            if closer and (near is None or distance(square, feared.at) < near):
                text = f"{being.name} does not dare to come nearer to {feared.name}."
                return RuleProblem(
                    "kept_away", text, catalog.powers[effect.cause].source, ("to",), (square.x, square.y)
                )
            here = square
    return None


def _afloat(scene: Scene, being: Being) -> RuleProblem | None:
    """Why a being who floats cannot move: nothing solid to pull themselves along (Wizard / Float)."""
    if not scene.has(being.id, EffectKind.FLOATING):
        return None
    grid = solid_grid(scene)
    near = (Square(being.at.x + x, being.at.y + y) for x in (-1, 0, 1) for y in (-1, 0, 1))
    if any(not grid.open(square) for square in near):
        return None
    return RuleProblem("floating", "There is no wall to pull yourself along.", "Wizard / Float", ("to",))


@remembered(16)
def _leg(scene: Scene, catalog: Catalog, being: Being, steps: tuple[Square, ...]) -> Leg:
    spared = {*scene.turn.suffered, *(area.id for area in areas_at(scene, being.at))}
    stopped = stops(scene, catalog, being)
    here = being.at
    for index, square in enumerate(steps):
        if stopped(here, square):
            return Leg(steps[:index], bump=square)
        found = harms(scene, catalog, being, square, spared=spared)
        if found:
            return Leg(steps[: index + 1], found)
        here = square
    return Leg(steps)


def stops(scene: Scene, catalog: Catalog, being: Being) -> Callable[[Square, Square], bool]:
    """What tells whether something is truly in the way of a being's step, known to it or not (P36).

    Who flies passes over whoever stands there.
    """
    grid = ground(scene, being)
    taken = frozenset() if being.height else in_the_way(scene, catalog, being)
    keeps_away = scene.has(being.id, EffectKind.AFRAID, EffectKind.DRIVEN_AWAY)

    def stopped(here: Square, to: Square) -> bool:
        if keeps_away and kept_away(scene, catalog, replace(being, at=here), (to,)) is not None:
            return True
        return not is_way(grid, here, (to,), taken)

    return stopped


def _walk(desk: Desk, being_id: str, leg: Leg) -> Steps:
    """A being goes its way; the step against what it did not know of counts as a pace, too."""
    desk.do(Walked(being=being_id, paces=len(leg.way) + (leg.bump is not None)))
    desk.uncloak(being_id)
    desk.let_go(being_id)
    yield from get_along(desk, being_id, leg)


def get_along(desk: Desk, being_id: str, leg: Leg, height: int = 0) -> Steps:
    """A being gets along a way, by themselves or pushed: a familiar comes along, runes warn, harm is met."""
    being = desk.being(being_id)
    desk.place(being_id, leg.way[-1] if leg.way else being.at, height)
    _bring_along(desk, being_id)
    for square in leg.way:
        for area in _sentinels(desk.scene, being, square):
            _warn(desk, being, area)
    if leg.bump is not None:
        find_at(desk, being_id, leg.bump)
    yield from meet(desk, being_id, leg.harm)


def find_at(desk: Desk, being_id: str, square: Square) -> None:
    """A being comes upon what it did not know of on a square, and knows of it from then on (ruling P36)."""
    being = desk.being(being_id)
    told = Audience(everyone=False, actors=(being_id,))
    desk.say("bumped", by=being_id)
    for other in desk.scene.beings:
        if other.at == square and not knows_of(being, other) and fills_its_square(other):
            desk.notice(other.id, being_id)
    for thing in desk.scene.things:
        unknown = thing.hidden is not None and being_id not in thing.found_by
        if thing.at == square and thing.solid and unknown:
            desk.do(ThingFound(thing=thing.id, by=being_id, audience=told))


def arrive(desk: Desk, being_id: str, at: Square) -> None:
    """A being appears on a square without having gone there; a sentinel rune feels them all the same."""
    desk.place(being_id, at)
    _bring_along(desk, being_id)
    being = desk.being(being_id)
    for area in _sentinels(desk.scene, being, at):
        _warn(desk, being, area)


def _sentinels(scene: Scene, being: Being, square: Square) -> list[Area]:
    """Sentinel runes that a being sets off on a square: a living creature within their reach."""
    if "living" not in being.tags:
        return []
    return [
        area
        for area in scene.areas
        if area.kind == AreaKind.SENTINEL_RUNE
        and area.source != being.id
        and distance(area.squares[0], square) <= area.radius
    ]


def _warn(desk: Desk, being: Being, area: Area) -> None:
    desk.say("sentinel.warned", targets=(being.id,), power=area.cause, audience=area.audience)
    desk.do(AreaEnded(area=area.id))


def _bring_along(desk: Desk, leader_id: str) -> None:
    """A familiar sits with its owner."""
    leader = desk.being(leader_id)
    for being in desk.scene.beings:
        if being.creature is Creature.FAMILIAR and being.leader == leader_id:
            desk.place(being.id, leader.at)


def _run(desk: Desk, being: Being, steps: tuple[Square, ...], feat: int) -> Steps:
    """Run: no action; twice the move and one pace for each success, and 1 Luck without a success."""
    scene, catalog = desk.scene, desk.catalog
    turn = scene.turn
    if not being.can_run:
        raise refused(RuleProblem("cannot_run", f"{being.name} cannot run.", "Moving", ("run",), True, False))
    if turn.acted or turn.paces:
        raise refused(
            RuleProblem("run_takes_the_turn", "Running takes the whole turn.", "Moving / Run", ("run",))
        )
    dice = pool(scene, catalog, being, ActionRoll(RUN, extra=feat_parts(catalog, feat)))
    if isinstance(dice, RuleProblem):
        raise refused(dice)
    sure = 2 * being.move
    leg = _leg(scene, catalog, being, steps)
    (successes,) = yield from desk.roll(as_roll(scene, "run", being, "Run", dice))
    pay_feat(desk, being.id, feat)
    desk.spend_action()
    if successes == 0:
        desk.lose(being.id, 1, "breath")
    far = sure + successes
    if len(leg.way) > far or (leg.bump is not None and len(leg.way) == far):
        leg = Leg(leg.way[:far])
    yield from _walk(desk, being.id, leg)
    desk.do(PaceLimited(being=being.id, limit=desk.scene.turn.paces))


def _fly(desk: Desk, being: Being, move: Go) -> Steps:
    """Fly: over people and what lies on the ground, never through what is solid, never faster than it can."""
    scene, catalog = desk.scene, desk.catalog
    if being.fly is None:
        raise refused(
            RuleProblem("cannot_fly", f"{being.name} cannot fly.", "Moving / Fly", ("fly",), True, False)
        )
    known = as_known(scene, being.id)
    grid = ground(known, being)
    steps = reach(grid, being.at, being.fly[1]).way(move.to) or way(grid, being.at, move.to)
    if steps is None or move.to in taken_squares(known, being):
        raise refused(
            RuleProblem("no_way", "There is no way there.", "Moving", ("to",), (move.to.x, move.to.y))
        )
    total = scene.turn.paces + len(steps)
    limit = being.fly[1] if scene.turn.limit is None else min(being.fly[1], scene.turn.limit)
    if total > limit:
        raise refused(
            RuleProblem("too_far", f"It flies at most {limit} paces.", "Moving / Fly", ("to",), total, limit)
        )
    if not 0 <= move.height <= MOST_HEIGHT:
        raise refused(
            RuleProblem(
                "height_out_of_range",
                "Nobody flies so high.",
                "Moving / Fly",
                ("height",),
                move.height,
                (0, MOST_HEIGHT),
            )
        )
    refuse_if(kept_away(known, catalog, being, steps))
    above = replace(being, height=max(1, move.height))
    leg = _leg(scene, catalog, above, steps)
    yield from _walk(desk, being.id, leg)
    desk.place(being.id, desk.being(being.id).at, move.height)


MOST_HEIGHT = 40
"""Paces above the ground."""

STEERED = (Creature.WISP, Creature.EYE, Creature.PHANTOM)
WISP_PACES = 10
"""Paces that a wisp or a phantom is moved in a turn; an eye goes at its owner's walking speed."""


def steer(desk: Desk, move: Steer) -> None:
    """Move something of one's own making: it stays in sight, but for an eye, which goes on its own way."""
    scene = desk.scene
    being = scene.being(move.actor)
    made = scene.being(move.what)
    assert being is not None
    if made is None or made.leader != being.id or made.creature not in STEERED:
        raise refused(
            RuleProblem("not_yours", "You made no such thing.", "Roles / Powers", ("what",), move.what)
        )
    paces = being.move if made.creature is Creature.EYE else WISP_PACES
    steps = way(solid_grid(scene), made.at, move.to)
    if steps is None or len(steps) > paces:
        raise refused(
            RuleProblem(
                "too_far",
                f"It moves at most {paces} paces.",
                "Roles / Powers",
                ("to",),
                (move.to.x, move.to.y),
                paces,
            )
        )
    if made.creature is not Creature.EYE and not in_sight(scene, being.at, move.to):
        raise refused(
            RuleProblem(
                "square_out_of_sight",
                "It has to stay in your sight.",
                "Roles / Powers",
                ("to",),
                (move.to.x, move.to.y),
            )
        )
    desk.place(made.id, move.to)
    desk.say("steered", by=being.id, targets=(made.id,))
