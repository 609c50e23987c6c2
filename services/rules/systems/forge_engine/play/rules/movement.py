"""Movement in a fight: move, run, get up, leave it (Movement Actions; F7 to F9)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from services.rules.engine.explain import Explained, Part
from services.rules.engine.ground.cover import Grade, cover
from services.rules.engine.ground.footprint import distance
from services.rules.engine.ground.squares import Square
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forge_engine.conditions import (
    MOVE,
    RUN,
    RUN_BEYOND,
    STAND,
    STOOD_UP,
    walk_energy,
)
from services.rules.systems.forge_engine.conditions import (
    Walk as Stretch,
)
from services.rules.systems.forge_engine.play.effects import (
    HELD,
    PRONE,
    added,
    bears,
    conditions_of,
    counts_as,
    traits_of,
)
from services.rules.systems.forge_engine.play.facts import (
    Displaced,
    Left,
    Moved,
    Neared,
    Revealed,
    Rose,
    Sank,
    Stood,
)
from services.rules.systems.forge_engine.play.ground import (
    apart,
    apart_at,
    free,
    in_reach,
    threatened,
    way_to,
)
from services.rules.systems.forge_engine.play.mounts import (
    carried_by,
    carrier_of,
    company,
    mover_of,
    payer_of,
)
from services.rules.systems.forge_engine.play.moves import Approach, Flee, Fly, Stand, Walk, Yield
from services.rules.systems.forge_engine.play.rules.bonuses import martial, run_up, trained
from services.rules.systems.forge_engine.play.rules.checks import (
    actor_of,
    check_fight,
    check_free,
    check_turn,
    check_verb,
    known_target,
)
from services.rules.systems.forge_engine.play.rules.damage import let_go
from services.rules.systems.forge_engine.play.rules.energy import (
    FightTurn,
    affords,
    check_energy,
    cost_of,
    pay,
)
from services.rules.systems.forge_engine.play.rules.zones import entered, inside, would_enter, zones
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight, Gone
from services.rules.systems.forge_engine.play.strike import Entering, Leaving
from services.rules.systems.forge_engine.traits import Movement, MovementKind

LEAVING = "Combat Resolution"
LEAPS = "Movement Traits / Jumper, Phaser [R-17]"
FLIGHT = "Movement Traits / Flyer [R-17]"
MOUNTS = "General Skills / Ride Skill, Drive Skill"
USING = "Energy / Using Energy"
REPEL = martial("repel")
FLYER = "forge_engine:trait/flyer"


def crosses_rough(fight: Fight, one: Combatant) -> bool:
    """Whether rough ground is as good as any to a body: on four legs, or hovering."""
    bodies = (trait.movement for trait in traits_of(fight, one))
    return any(body is not None and body.ignores_rough_ground for body in bodies)


def move_cost(fight: Fight, one: Combatant, stretch: Stretch) -> Explained:
    """Energy of a move or run: each segment, what hinders it, and what every action costs (R-121).

    To drive a vehicle is to use an object: 1 energy, however far it goes.
    """
    found = walk_energy(stretch, conditions_of(fight, one.id))
    if one.vehicle:
        rough = stretch.rough_feet // CELL or (stretch.segments if stretch.rough else 0)
        found = Explained.of(Part(1, "driving", USING), Part(rough, "rough ground", MOVE))
    for part in added(fight, one.id, "segment_energy"):
        found = found.plus(part.value * stretch.segments, part.source, part.rule)
    if one.profile.action_energy:
        found = found.plus(one.profile.action_energy, "armor without training", "Equipment / Armor")
    return found


def feet_left(fight: Fight, one: Combatant, *, run: bool = False, segments: int = 0) -> int:
    """Feet that a combatant may still move this turn; a run adds 5 for each energy spent on it (R-95)."""
    return one.profile.speed + one.ran - one.moved + (RUN_BEYOND * segments if run else 0)


def stretch_of(fight: Fight, one: Combatant, way: tuple[Square, ...], feet: int, *, run: bool) -> Stretch:
    """A way as a move or run; its feet count rough squares twice."""
    rough = 0 if crosses_rough(fight, one) else (feet - CELL * len(way)) // CELL
    return Stretch(distance=CELL * len(way), running=run, rough_feet=CELL * rough)


def moving(fight: Fight, who: str, verb: str) -> Combatant:
    """Who moves when a combatant does; refused where it may not move, or where nobody would."""
    actor = actor_of(fight, who)
    check_fight(fight)
    check_turn(fight, actor)
    check_free(fight, actor)
    check_verb(fight, actor, verb)
    one = mover_of(fight, actor)
    if one is None:
        text = f"{actor.name} goes where it is carried, or where its rider guides it."
        refuse("carried_along", text, MOUNTS, ("actor",), who)
    if one.id != who:
        check_free(fight, one)
        check_verb(fight, one, verb)
    if one.vehicle and verb == "run":
        refuse("cannot_run", "A vehicle is driven, and does not run.", RUN, ("run",), True, False)
    return one


def walk(turn: FightTurn, move: Walk) -> Steps:
    """A move or run over the grid."""
    fight = turn.state
    one = moving(fight, move.actor, "run" if move.run else "move")
    payer = payer_of(fight, fight.find(move.actor)).id
    if move.by:
        yield from _leap(turn, one, payer, move)
        return
    found = way_to(fight, one, move.to, 2 * feet_left(fight, one, run=move.run, segments=one.usable))
    if found is None or not free(fight, one, move.to):
        refuse("no_way", "No way leads there.", MOVE, ("to",))
    way, feet = found
    stretch = stretch_of(fight, one, way, feet, run=move.run)
    check_stretch(fight, one, stretch)
    pay(turn, payer, "running" if move.run else "moving", move_cost(fight, one, stretch))
    yield from stepped(turn, one.id, way, run=move.run)


def leaping(fight: Fight, one: Combatant, by: str) -> Movement | None:
    """How a trait of a combatant carries it in one leap; None where it has no such trait."""
    trait = fight.catalog.traits.get(by) if by in one.profile.traits else None
    return None if trait is None or not _leaps(trait.movement) else trait.movement


def _leaps(movement: Movement | None) -> bool:
    return movement is not None and movement.kind in (MovementKind.JUMP, MovementKind.TELEPORT)


def leap_cost(fight: Fight, one: Combatant, movement: Movement, to: Square) -> int | None:
    """Energy of a leap to a square: 1 for each 5 feet; None where it does not lead there.

    A jump goes 5 feet at most for each rating of Strength and is part of the round's movement; who vanishes
    must see where it goes, with nothing in the way, and goes as far as its energy lasts.
    """
    if fight.ground is None or one.at is None or to == one.at or not free(fight, one, to):
        return None
    here, there = one.footprint(), one.footprint(to)
    feet = distance(fight.ground, here, there)
    if cover(fight.ground, here, there).grade is Grade.TOTAL:
        return None
    if movement.feet_per_strength is not None:
        farthest = movement.feet_per_strength * one.profile.attributes.strength
        if feet > min(farthest, feet_left(fight, one)):
            return None
    cost = move_cost(fight, one, Stretch(distance=feet)).value
    return cost if affords(one, cost) else None


def _leap(turn: FightTurn, one: Combatant, payer: str, move: Walk) -> Steps:
    """A jump or a vanishing: over whatever lies between, out of reach and into reach at once."""
    fight, movement = turn.state, leaping(turn.state, one, move.by)
    cost = None if movement is None or move.run else leap_cost(fight, one, movement, move.to)
    if movement is None or cost is None or fight.ground is None or one.at is None:
        refuse("no_way", "It cannot leap there.", LEAPS, ("to",))
    feet = distance(fight.ground, one.footprint(), one.footprint(move.to))
    pay(turn, payer, movement.kind.value, move_cost(fight, one, Stretch(distance=feet)))
    foes = tuple(_left_behind(fight, one, one.at, move.to))
    if foes:
        yield from turn.window(Leaving(one.id, foes))
    if not turn.state.find(one.id).up or bears(turn.state, one.id, *HELD) is not None:
        return
    pikes = tuple(_repelling(turn.state, one, one.at, move.to))
    counted = feet if movement.kind is MovementKind.JUMP else 0
    before, old = inside(turn.state), zones(turn.state)
    turn.happen(Moved(who=one.id, feet=counted, to=move.to))
    yield from entered(turn, before, old)
    if pikes and turn.state.find(one.id).up:
        yield from turn.window(Entering(one.id, pikes))


def check_stretch(fight: Fight, one: Combatant, stretch: Stretch) -> None:
    """Refuses a move or run that is too far, leads over rough ground at a run, or cannot be paid for."""
    if stretch.running and (stretch.rough or stretch.rough_feet):
        refuse("cannot_run", "One cannot run over rough ground.", RUN, ("run",), True, False)
    left = feet_left(fight, one, run=stretch.running, segments=stretch.segments)
    if stretch.distance > left:
        text = f"This round it goes no further than {max(0, left)} feet."
        refuse("too_far", text, RUN if stretch.running else MOVE, ("to",), stretch.distance, max(0, left))
    check_energy(one, move_cost(fight, one, stretch).value)


def stepped(turn: FightTurn, who: str, way: tuple[Square, ...], *, run: bool) -> Steps:
    """Walks a way: stops where enemies may strike at who leaves their reach, and at who hides there."""
    done, start = 0, turn.state.find(who).at
    for place, square in enumerate(way):
        fight = turn.state
        one = fight.find(who)
        here = way[place - 1] if place else one.at
        if here is None:
            return
        foes = tuple(_left_behind(fight, one, here, square))
        if foes:
            if place > done:
                yield from _moved_into(turn, who, way[done:place], run=run)
                done = place
            yield from turn.window(Leaving(who, foes))
            if not turn.state.find(who).carries or bears(turn.state, who, *HELD) is not None:
                return
        ambusher = next(_in_the_way(turn.state, turn.state.find(who), square), None)
        if ambusher is not None:
            if place > done:
                yield from _moved_into(turn, who, way[done:place], run=run)
            turn.happen(Revealed(who=ambusher.id, name=ambusher.name))
            return
        if would_enter(fight, turn.state.find(who), square):
            yield from _moved_into(turn, who, way[done : place + 1], run=run)
            done = place + 1
            if not turn.state.find(who).carries or turn.state.find(who).at != square:
                return
        pikes = tuple(_repelling(turn.state, turn.state.find(who), here, square))
        if pikes:
            if done <= place:
                yield from _moved_into(turn, who, way[done : place + 1], run=run)
                done = place + 1
            yield from turn.window(Entering(who, pikes))
            if not turn.state.find(who).carries or turn.state.find(who).at != square:
                return
    if len(way) > done:
        yield from _moved_into(turn, who, way[done:], run=run)
    if run:
        run_up(turn, who, CELL * len(way), straight=_straight(start, way))


def _straight(start: Square | None, way: tuple[Square, ...]) -> bool:
    """Whether a way leads in one direction alone."""
    places = way if start is None else (start, *way)
    return len({(to.x - at.x, to.y - at.y) for at, to in pairwise(places)}) <= 1


def _repelling(fight: Fight, one: Combatant, here: Square, to: Square) -> Iterator[str]:
    """Enemies who can repel those who come into their reach, or nearer within it."""
    for foe in fight.combatants:
        able = foe.side != one.side and foe.up and not foe.hidden and trained(fight, foe.id, REPEL)
        if able and apart_at(fight, foe, one, to) <= min(
            foe.profile.reach, apart_at(fight, foe, one, here) - 1
        ):
            yield foe.id


def _moved_into(turn: FightTurn, who: str, way: tuple[Square, ...], *, run: bool) -> Steps:
    """Moves some squares on; zones attack all who come in by it, whoever is dragged along too."""
    before, old = inside(turn.state), zones(turn.state)
    _moved(turn, who, way, run=run)
    yield from entered(turn, before, old)


def _moved(turn: FightTurn, who: str, way: tuple[Square, ...], *, run: bool) -> None:
    feet = CELL * len(way)
    before = turn.state.find(who).at
    ran = RUN_BEYOND * -(-feet // 10) if run else 0
    turn.happen(Moved(who=who, feet=feet, to=way[-1], run=run, ran=ran))
    holders = (who, *(one.id for one in carried_by(turn.state, who)))
    for effect in turn.state.effects:
        # Who is held is dragged along, to where the holder came from.
        if effect.kind in HELD and effect.source in holders:
            held = turn.state.find(effect.bearer)
            behind = way[-2] if len(way) > 1 else before
            if held.at is not None and behind is not None and free(turn.state, held, behind):
                turn.happen(Displaced(who=held.id, to=behind))


def _left_behind(fight: Fight, one: Combatant, here: Square, to: Square) -> Iterator[str]:
    """Enemies whose reach a step leaves."""
    for foe in fight.combatants:
        able = foe.side != one.side and foe.up and not foe.hidden
        if able and apart_at(fight, foe, one, here) <= foe.profile.reach < apart_at(fight, foe, one, to):
            yield foe.id


def _in_the_way(fight: Fight, one: Combatant, to: Square) -> Iterator[Combatant]:
    """Those who hide where a step leads."""
    for other in fight.combatants:
        hides = other.secret and other.side != one.side and other.at is not None and other.gone is None
        if hides and not set(one.footprint(to).squares()).isdisjoint(other.footprint().squares()):
            yield other


def approach(turn: FightTurn, move: Approach) -> Steps:
    """A move or run nearer to another combatant or away from it, where distances are stated."""
    fight = turn.state
    one = moving(fight, move.actor, "run" if move.run else "move")
    payer = payer_of(fight, fight.find(move.actor)).id
    if fight.ground is not None:
        refuse("on_grid", "On a grid one moves to a square.", MOVE, ("feet",))
    other = known_target(fight, one, move.target)
    if other.id in company(fight, one.id):
        refuse("no_way", "They share a place.", MOVE, ("target",), move.target)
    other = carrier_of(fight, other.id) or other
    feet = apart(fight, one, other)
    if move.feet < 1 or move.feet % CELL or (not move.away and move.feet > feet - CELL):
        refuse("no_way", "One moves in steps of 5 feet, and not past the other.", MOVE, ("feet",), move.feet)
    stretch = Stretch(distance=move.feet, running=move.run, rough=move.rough)
    check_stretch(fight, one, stretch)
    pay(turn, payer, "running" if move.run else "moving", move_cost(fight, one, stretch))
    if move.away and other.side != one.side and other.up and in_reach(fight, other, one):
        yield from turn.window(Leaving(one.id, (other.id,)))
        if not turn.state.find(one.id).carries:
            return
    ran = RUN_BEYOND * stretch.segments if move.run else 0
    turn.happen(Moved(who=one.id, feet=move.feet, run=move.run, ran=ran))
    turn.happen(Neared(one=one.id, other=other.id, feet=feet + (move.feet if move.away else -move.feet)))
    if move.run and not move.away:
        run_up(turn, one.id, move.feet, straight=True)
    if not move.away and other.side != one.side and other.up and in_reach(turn.state, other, one):
        yield from turn.window(Entering(one.id, (other.id,)))


def flight(fight: Fight, one: Combatant) -> Movement | None:
    """How a combatant flies, by its body or by magic; None where it does not."""
    if counts_as(fight, one.id, "flies"):
        return fight.catalog.traits[FLYER].movement
    bodies = (trait.movement for trait in traits_of(fight, one))
    return next((body for body in bodies if body is not None and body.rise_energy), None)


def fly(turn: FightTurn, move: Fly) -> Steps:
    """Rising costs 2 for each 5 feet, hovering 1 (I7, R-17)."""
    fight = turn.state
    one = moving(fight, move.actor, "move")
    wings = flight(fight, one)
    if wings is None or (not move.feet and not one.altitude):
        refuse("cannot_fly", f"{one.name} cannot do that.", FLIGHT, ("feet",), move.feet)
    if move.feet < 0 or move.feet % CELL or move.feet > feet_left(fight, one):
        refuse(
            "too_far", "One rises in steps of 5 feet.", FLIGHT, ("feet",), move.feet, feet_left(fight, one)
        )
    cost = flight_cost(fight, one, wings, move.feet)
    check_energy(one, cost.value)
    pay(turn, payer_of(fight, fight.find(move.actor)).id, "flying", cost)
    turn.happen(Rose(who=one.id, feet=move.feet))
    if move.feet:
        turn.happen(Moved(who=one.id, feet=move.feet))
    yield from ()


def flight_cost(fight: Fight, one: Combatant, wings: Movement, feet: int) -> Explained:
    """Energy of rising so many feet, or of hovering."""
    up = (wings.rise_energy or 0) * (feet // CELL) if feet else wings.hold_energy or 0
    return cost_of(fight, one, Part(up, "rising" if feet else "hovering", FLIGHT))


def sink(turn: FightTurn, who: str) -> None:
    """Who neither rose nor hovered sinks: 5 feet, then 10, then 15 (I7); riders with their mounts."""
    one = turn.state.find(who)
    if one.altitude and not one.aloft and not one.seat:
        turn.happen(Sank(who=who, feet=min(one.altitude, CELL * (one.falls + 1))))


def stand(turn: FightTurn, move: Stand) -> Steps:
    """Getting up costs 2 and counts as 10 feet of movement (R-18, R-94)."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    lying = bears(fight, one.id, PRONE)
    if lying is None:
        refuse("not_lying", "Only who lies down stands up.", STAND)
    check_verb(fight, one, "stand")
    if feet_left(fight, one) < STOOD_UP:
        refuse("too_far", "There is not enough movement left this round.", STAND, (), one.moved)
    cost = move_cost(fight, one, Stretch(distance=0, stand=True))
    check_energy(one, cost.value)
    pay(turn, one.id, "getting up", cost)
    turn.happen(Stood(who=one.id, effect=lying.id))
    yield from ()


def flee(turn: FightTurn, move: Flee) -> Steps:
    """Leaves the fight: nobody holds the combatant, and no enemy who is up reaches it.

    A mount or vehicle goes with its rider or driver, and all aboard with it.
    """
    fight = turn.state
    mover = moving(fight, move.actor, "move")
    if threatened(fight, mover, fight.foes(mover)):
        refuse("in_reach", "An enemy is too near to get away from.", LEAVING)
    for who in dict.fromkeys((move.actor, mover.id, *company(fight, move.actor))):
        let_go(turn, who)
        turn.happen(Left(who=who, how=Gone.FLED))
    yield from ()


def surrender(turn: FightTurn, move: Yield) -> Steps:
    """The combatant surrenders."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_fight(fight)
    check_turn(fight, one)
    let_go(turn, one.id)
    turn.happen(Left(who=one.id, how=Gone.YIELDED))
    yield from ()
