"""Mounts and vehicles: getting on and off, taking the wheel, and falling off (Ride Skill; Drive Skill).

The book says what riding and driving are tested by, and what the saddle costs; all else stands among the
rulings of the game's README.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.effects import Effect
from services.rules.engine.explain import Part
from services.rules.engine.frozen import replace
from services.rules.engine.ground.squares import Square
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.conditions import Walk as Stretch
from services.rules.systems.forge_engine.play.effects import (
    ABOARD,
    CARRIED,
    DRIVING,
    HELD,
    MOUNTED,
    PRONE,
    SADDLED,
    bears,
    new_effect,
)
from services.rules.systems.forge_engine.play.facts import (
    Displaced,
    EffectBegan,
    EffectEnded,
    Moved,
    Neared,
    Revealed,
)
from services.rules.systems.forge_engine.play.ground import BESIDE, apart, free, reachable
from services.rules.systems.forge_engine.play.mounts import carried_by, carrier_of, carrying, guide_of
from services.rules.systems.forge_engine.play.moves import Dismount, Mount
from services.rules.systems.forge_engine.play.rules.attribute_test import (
    ACROBATICS,
    fixed_test,
    free_dice,
    skill_id,
    worded,
)
from services.rules.systems.forge_engine.play.rules.checks import actor_of, check_free, check_turn, check_verb
from services.rules.systems.forge_engine.play.rules.energy import (
    FightTurn,
    affords,
    check_energy,
    cost_of,
    pay,
)
from services.rules.systems.forge_engine.play.rules.movement import (
    MOUNTS,
    USING,
    check_stretch,
    feet_left,
    move_cost,
    stepped,
)
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight, Phase

RIDE, DRIVE = skill_id("ride"), skill_id("drive")
SKILLS = {MOUNTED: RIDE, DRIVING: DRIVE, ABOARD: ACROBATICS}
"""What is tested to land on one's feet, by how one was carried; each by Agility."""
A_STEP = Stretch(distance=CELL)


def mountable(fight: Fight, one: Combatant) -> Iterator[Combatant]:
    """The mounts and vehicles that a combatant may get on now, whatever that costs."""
    if bears(fight, one.id, PRONE, *HELD) is not None or one.vehicle or carried_by(fight, one.id):
        return
    around = carrier_of(fight, one.id)
    for other in fight.known(one):
        if other.id == one.id or not other.carries or other.altitude:
            continue
        if around is not None:
            # Only the wheel can be taken without getting off first.
            if other.id == around.id and other.vehicle and guide_of(fight, other.id) is None and one.up:
                yield other
        elif _fits(fight, one, other) and apart(fight, one, other) <= BESIDE:
            yield other


def _fits(fight: Fight, one: Combatant, other: Combatant) -> bool:
    """Whether a mount is saddled, without a rider and large enough, or a vehicle has no enemy aboard."""
    if other.size < one.size or carrier_of(fight, other.id) is not None:
        return False
    aboard = carried_by(fight, other.id)
    if other.vehicle:
        return all(each.side == one.side for each in aboard)
    saddled = other.side == one.side and bears(fight, other.id, SADDLED) is not None
    return saddled and not aboard and other.hidden == one.hidden and bears(fight, other.id, PRONE) is None


def able_to_mount(fight: Fight, one: Combatant) -> bool:
    """Whether a combatant has the movement and the energy to get on or off."""
    if fight.phase is not Phase.FIGHT:
        return True
    return feet_left(fight, one) >= CELL and affords(one, move_cost(fight, one, A_STEP).value)


def wheel_cost(fight: Fight, one: Combatant) -> int:
    """Energy of taking the wheel: to use an object takes 1."""
    return cost_of(fight, one, Part(1, "taking the wheel", USING)).value


def mount(turn: FightTurn, move: Mount) -> Steps:
    """Gets on a mount or into a vehicle: a move of 5 feet, out of a fight for nothing."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    check_verb(fight, one, "move")
    able = tuple(mountable(fight, one))
    other = next((each for each in able if each.id == move.target), None)
    if other is None:
        known = tuple(each.id for each in able)
        refuse("cannot_mount", "That cannot be ridden from here.", MOUNTS, ("target",), move.target, known)
    if carrying(fight, one.id) is not None:
        _take_wheel(turn, one, other)
        return
    yield from _step(turn, one, other.at, "getting on")
    fight = turn.state
    one, other = fight.find(one.id), fight.find(other.id)
    if not one.up or one.at != other.at or other not in tuple(mountable(fight, one)):
        return
    kind = MOUNTED if not other.vehicle else DRIVING if guide_of(fight, other.id) is None else ABOARD
    if kind == DRIVING:
        _leave_wheel(turn, other)
    turn.happen(EffectBegan(effect=new_effect(turn.state, kind, one.id, source=other.id)))


def _take_wheel(turn: FightTurn, one: Combatant, vehicle: Combatant) -> None:
    """A passenger drives; whoever sat there and cannot goes along."""
    if turn.state.phase is Phase.FIGHT:
        cost = cost_of(turn.state, one, Part(1, "taking the wheel", USING))
        check_energy(one, cost.value)
        pay(turn, one.id, "taking the wheel", cost)
    _leave_wheel(turn, vehicle)
    _seat(turn, one.id, vehicle, DRIVING)


def _leave_wheel(turn: FightTurn, vehicle: Combatant) -> None:
    """A driver who is down is a passenger once another drives."""
    for each in carried_by(turn.state, vehicle.id):
        if bears(turn.state, each.id, DRIVING) is not None:
            _seat(turn, each.id, vehicle, ABOARD)


def _seat(turn: FightTurn, who: str, vehicle: Combatant, kind: str) -> None:
    """One who is aboard a vehicle is there otherwise: at the wheel, or as a passenger."""
    effect = carrying(turn.state, who)
    if effect is not None:
        turn.happen(EffectEnded(effect=effect.id, bearer=who, what=effect.kind))
        turn.happen(EffectBegan(effect=new_effect(turn.state, kind, who, source=vehicle.id)))


def exits(fight: Fight, one: Combatant) -> tuple[Square, ...]:
    """The free squares beside its mount or vehicle that whom it carries can get off to."""
    carrier = carrier_of(fight, one.id)
    if carrier is None or carrier.at is None or fight.ground is None:
        return ()
    on_foot, found = replace(one, seat=0), dict[Square, None]()
    across = range(carrier.at.x - on_foot.size, carrier.at.x + carrier.size + 1)
    down = range(carrier.at.y - on_foot.size, carrier.at.y + carrier.size + 1)
    for seat in carrier.footprint().squares():
        near = reachable(fight, replace(on_foot, at=seat), 2 * CELL)
        if near is not None:
            beside = (
                Square(x, y)
                for y in down
                for x in across
                if max(abs(x - seat.x), abs(y - seat.y)) == 1 and x >= 0 and y >= 0
            )
            found |= {to: None for to in beside if near.cost(to) is not None}
    inside = set(carrier.footprint().squares())
    return tuple(
        to for to in found if inside.isdisjoint(on_foot.footprint(to).squares()) and free(fight, on_foot, to)
    )


def dismount(turn: FightTurn, move: Dismount) -> Steps:
    """Gets off a mount or out of a vehicle: a move of 5 feet, out of a fight for nothing."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    check_verb(fight, one, "move")
    effect = carrying(fight, one.id)
    if effect is None or one.altitude:
        refuse("not_mounted", f"{one.name} cannot get off anything here.", MOUNTS, ("actor",), one.id)
    squares = exits(fight, one)
    if (fight.ground is not None and move.to not in squares) or (
        fight.ground is None and move.to is not None
    ):
        refuse("no_way", "There is no room to get off there.", MOUNTS, ("to",))
    check_step(fight, one)
    _get_down(turn, effect)
    yield from _step(turn, turn.state.find(one.id), move.to, "getting off")


def check_step(fight: Fight, one: Combatant) -> None:
    """Refuses who has too little movement or energy left to get on or off in a fight."""
    if fight.phase is Phase.FIGHT:
        check_stretch(fight, one, A_STEP)


def _step(turn: FightTurn, one: Combatant, to: Square | None, what: str) -> Steps:
    """The step on or off."""
    fight = turn.state
    if fight.phase is not Phase.FIGHT:
        if to is not None:
            turn.happen(Displaced(who=one.id, to=to))
        return
    check_step(fight, one)
    pay(turn, one.id, what, move_cost(fight, one, A_STEP))
    if to is None:
        turn.happen(Moved(who=one.id, feet=CELL))
    else:
        yield from stepped(turn, one.id, (to,), run=False)


def _get_down(turn: FightTurn, effect: Effect) -> None:
    """A rider is on foot where its mount is; it is as far from all others as that."""
    fight = turn.state
    one = fight.find(effect.bearer)
    pairs = {effect.bearer, effect.source}
    others = {each for stated in fight.apart for each in (stated.one, stated.other)} - pairs
    turn.happen(EffectEnded(effect=effect.id, bearer=one.id, what=effect.kind))
    for other in fight.combatants:
        if other.id in others and carrier_of(fight, other.id) is None:
            turn.happen(Neared(one=one.id, other=other.id, feet=max(CELL, apart(fight, one, other))))


def unseat(turn: FightTurn) -> Steps:
    """Whom nothing carries on any more gets down: from a mount that fell, from a vehicle that is wrecked."""
    for effect in turn.state.effects:
        if effect.kind not in CARRIED or not effect.source:
            continue
        fight = turn.state
        one, carrier = fight.find(effect.bearer), fight.find(effect.source)
        if effect not in fight.effects or (one.gone is not None and one.gone is carrier.gone):
            continue
        if one.gone is not None or one.at != carrier.at:
            _get_down(turn, effect)
        elif not _holds_on(fight, one, carrier):
            yield from _thrown(turn, effect)
        elif one.hidden != carrier.hidden and not carrier.vehicle:
            shown = one if one.hidden else carrier
            turn.happen(Revealed(who=shown.id, name=shown.name))


def _holds_on(fight: Fight, one: Combatant, carrier: Combatant) -> bool:
    """Whether a mount goes on under a rider who stays in the saddle; a vehicle carries the fallen too."""
    if carrier.vehicle:
        return carrier.carries
    lies = any(bears(fight, each.id, PRONE) is not None for each in (one, carrier))
    return carrier.carries and one.up and not lies


def _thrown(turn: FightTurn, effect: Effect) -> Steps:
    """Lands beside what carried it: on its feet by a test of Agility without energy, else Prone."""
    fight = turn.state
    one = fight.find(effect.bearer)
    squares = exits(fight, one)
    _get_down(turn, effect)
    if squares:
        turn.happen(Displaced(who=one.id, to=squares[0]))
    one, difficulty = turn.state.find(one.id), fight.catalog.settings.unseated_difficulty
    if bears(turn.state, one.id, PRONE) is not None:
        return
    landed = one.up and not difficulty
    if one.up and difficulty:
        skill = SKILLS[effect.kind]
        dice = free_dice(turn.state, one, Attribute.AGILITY, skill)
        what = worded(fight.catalog, Attribute.AGILITY, skill)
        landed = bool((yield from fixed_test(turn, one, what, dice, difficulty)))
    if not landed:
        turn.happen(EffectBegan(effect=new_effect(turn.state, PRONE, one.id)))
