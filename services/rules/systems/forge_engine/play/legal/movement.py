"""Moving, running, leaping and flying as offers, with what each way costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from services.rules.engine.buttons import (
    button,
    square_field,
)
from services.rules.engine.frozen import replace
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import LegalMove
from services.rules.systems.forge_engine.conditions import STOOD_UP, barring
from services.rules.systems.forge_engine.conditions import Walk as Stretch
from services.rules.systems.forge_engine.play.effects import (
    PRONE,
    bears,
    conditions_of,
    rules,
)
from services.rules.systems.forge_engine.play.ground import apart, ways
from services.rules.systems.forge_engine.play.mounts import carrier_of, mover_of
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Dismount,
    Fly,
    Mount,
    Stand,
    Walk,
)
from services.rules.systems.forge_engine.play.rules.energy import affords
from services.rules.systems.forge_engine.play.rules.mounts import (
    able_to_mount,
    exits,
    mountable,
    wheel_cost,
)
from services.rules.systems.forge_engine.play.rules.movement import (
    MOUNTS,
    crosses_rough,
    feet_left,
    flight,
    flight_cost,
    leap_cost,
    leaping,
    move_cost,
)
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight, Phase
from services.rules.systems.forge_engine.traits import Movement

MOVEMENT = "Movement Actions"


def movement_offers(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Every way in which a combatant may move now."""
    if bears(fight, one.id, PRONE) is not None and feet_left(fight, one) >= STOOD_UP:
        cost = move_cost(fight, one, Stretch(distance=0, stand=True))
        if affords(one, cost.value):
            offer = button(Stand(actor=one.id), "stand", "Get up", "You get up.", MOVEMENT)
            yield replace(offer, cost=f"{cost.value} energy")
    yield from mount_offers(fight, one)
    mover = mover_of(fight, one)
    if mover is None or verb_forbidden(fight, one, "move"):
        return
    if mover.id == one.id:
        yield from _goings(fight, one)
    elif barring(conditions_of(fight, mover.id)) is None:
        for offer in _goings(fight, mover, rides=not verb_forbidden(fight, one, "run")):
            yield replace(offer, actor=one.id, move={**offer.move, "actor": one.id})


def _goings(fight: Fight, one: Combatant, *, rides: bool = True) -> Iterator[LegalMove]:
    """Flying, leaping, moving and running of one who moves, itself or by its rider's word.

    Args:
        fight: The fight.
        one: Who moves.
        rides: Whether its rider may run.
    """
    wings = flight(fight, one)
    if wings is not None and not verb_forbidden(fight, one, "move"):
        yield from _flight(fight, one, wings)
    yield from _leaping(fight, one)
    gaits = [
        run
        for run in (False, True)
        if not verb_forbidden(fight, one, "run" if run else "move")
        and not (run and (one.vehicle or not rides))
    ]
    if fight.ground is not None:
        yield from _walk(fight, one, gaits)
        return
    for run in gaits:
        yield from _approach(fight, one, run=run)


def mount_offers(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Getting on what can be ridden or driven here, taking the wheel, getting off."""
    if verb_forbidden(fight, one, "move") or one.altitude:
        return
    calm = fight.phase is not Phase.FIGHT
    step, wheel = move_cost(fight, one, Stretch(distance=CELL)).value, wheel_cost(fight, one)
    carrier, able = carrier_of(fight, one.id), able_to_mount(fight, one)
    for other in mountable(fight, one):
        taking = carrier is not None
        if not (calm or (affords(one, wheel) if taking else able)):
            continue
        label = "Take the wheel of" if taking else "Get into" if other.vehicle else "Get on"
        text = "You drive." if taking else "It carries you."
        offer = button(
            Mount(actor=one.id, target=other.id), f"mount:{other.id}", f"{label} {other.name}", text, MOUNTS
        )
        yield replace(offer, cost="" if calm else f"{wheel if taking else step} energy")
    if carrier is None or not able:
        return
    squares = exits(fight, one)
    if fight.ground is None or squares:
        fields = (square_field("to", "Where to?", squares),) if squares else ()
        move = Dismount(actor=one.id, to=squares[0] if squares else None)
        offer = button(move, "dismount", f"Get off {carrier.name}", "You are on foot.", MOUNTS, *fields)
        yield replace(offer, cost="" if calm else f"{step} energy")


def _leaping(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Jumping and vanishing, where a trait allows it, to every square that it leads to."""
    if fight.ground is None or one.at is None or verb_forbidden(fight, one, "move"):
        return
    for by in one.profile.traits:
        movement = leaping(fight, one, by)
        if movement is None:
            continue
        far = min(one.usable, max(fight.ground.width, fight.ground.height))
        across = range(max(0, one.at.x - far), min(fight.ground.width, one.at.x + far + 1))
        down = range(max(0, one.at.y - far), min(fight.ground.height, one.at.y + far + 1))
        found = (Square(x, y) for y in down for x in across)
        squares = [to for to in found if leap_cost(fight, one, movement, to) is not None]
        if squares:
            trait = fight.catalog.traits[by]
            move = Walk(actor=one.id, to=squares[0], by=by)
            field = square_field("to", "Where to?", squares)
            yield button(move, f"leap:{by}", trait.name, trait.summary, MOVEMENT, field)


def _flight(fight: Fight, one: Combatant, wings: Movement) -> Iterator[LegalMove]:
    """Rising by a step, by as much as there is energy for, and hovering."""
    steps = [
        feet
        for feet in range(0 if one.altitude else CELL, feet_left(fight, one) + 1, CELL)
        if affords(one, flight_cost(fight, one, wings, feet).value)
    ]
    for feet in dict.fromkeys((*steps[:2], *steps[-1:])):
        cost = flight_cost(fight, one, wings, feet).value
        label = f"Rise {feet} feet" if feet else "Hover"
        text = f"You keep up, {feet} feet higher." if feet else "You keep up."
        offer = button(Fly(actor=one.id, feet=feet), f"fly:{feet}", label, text, MOVEMENT)
        yield replace(offer, cost=f"{cost} energy")


def goals(fight: Fight, one: Combatant, *, run: bool) -> Iterator[tuple[Square, int]]:
    """The squares that one who moves can move or run to now, and what each costs."""
    found = ways(fight, one, _farthest(fight, one, run=run))
    for squares, price in _affordable(fight, one, found, run=run):
        yield from ((square, price) for square in squares)


def _farthest(fight: Fight, one: Combatant, *, run: bool) -> int:
    """Feet that the search for squares goes, in which a step over rough ground counts twice.

    No way costs less than 1 energy for each 5 feet of a move, or for each 10 of a run. To who crosses rough
    ground like any other, the search shows it as farther than it is.
    """
    most, paid = feet_left(fight, one), CELL * one.usable
    if one.vehicle:
        return 2 * most
    if crosses_rough(fight, one):
        return 2 * (min(most + paid, 2 * paid) if run else min(most, paid))
    return min(most + paid, 2 * paid) if run else min(2 * most, paid)


def _affordable(
    fight: Fight, one: Combatant, found: Mapping[tuple[int, int], Sequence[Square]], *, run: bool
) -> Iterator[tuple[Sequence[Square], int]]:
    """The squares of some ways that the movement and the energy left allow, with what those as far cost."""
    surefooted = crosses_rough(fight, one)
    for (steps, rough), squares in found.items():
        price = _price(fight, one, steps, 0 if surefooted else rough, run=run)
        if price is not None:
            yield squares, price


def _price(fight: Fight, one: Combatant, steps: int, rough: int, *, run: bool) -> int | None:
    """What some steps cost; None where they are too far, too dear, or rough at a run."""
    stretch = Stretch(distance=CELL * steps, running=run, rough_feet=CELL * rough)
    if (run and rough) or stretch.distance > feet_left(fight, one, run=run, segments=stretch.segments):
        return None
    cost = move_cost(fight, one, stretch).value
    return cost if affords(one, cost) else None


def _walk(fight: Fight, one: Combatant, gaits: list[bool]) -> Iterator[LegalMove]:
    """Moving and running on a grid, both of one search."""
    if not gaits:
        return
    found = ways(fight, one, max(_farthest(fight, one, run=run) for run in gaits))
    for run in gaits:
        squares = [square for each, _ in _affordable(fight, one, found, run=run) for square in each]
        if not squares:
            continue
        field = square_field("to", "Where to?", squares)
        move = Walk(actor=one.id, to=squares[0], run=run)
        if run:
            text = "1 energy for each 10 feet; no reactions until your next action."
            yield button(move, "run", "Run", text, MOVEMENT, field)
        else:
            text = "1 energy, however far." if one.vehicle else "1 energy for each 5 feet."
            yield button(move, "move", "Move", text, MOVEMENT, field)


def _approach(fight: Fight, one: Combatant, *, run: bool) -> Iterator[LegalMove]:
    for other in fight.foes(one):
        if other.seat:
            continue
        feet = apart(fight, one, other)
        for away in (False, True):
            steps = [
                CELL * step
                for step in range(1, 41)
                if (away or CELL * step <= feet - CELL) and _price(fight, one, step, 0, run=run) is not None
            ]
            if not steps:
                continue
            gait, way = ("Run" if run else "Move"), ("away from" if away else "towards")
            field = choice_of_feet(steps)
            move = Approach(actor=one.id, target=other.id, feet=steps[0], away=away, run=run)
            name = f"{gait.lower()}:{'away' if away else 'near'}:{other.id}"
            for feet_moved in field:
                yield button(
                    replace(move, feet=feet_moved),
                    f"{name}:{feet_moved}",
                    f"{gait} {feet_moved} feet {way} {other.name}",
                    f"{_price(fight, one, feet_moved // CELL, 0, run=run)} energy.",
                    MOVEMENT,
                )


def choice_of_feet(steps: list[int]) -> tuple[int, ...]:
    """A few of the distances that can be moved: the nearest, the middle, the farthest."""
    return tuple(dict.fromkeys((steps[0], steps[len(steps) // 2], steps[-1])))


def verb_forbidden(fight: Fight, one: Combatant, verb: str) -> bool:
    """Whether something that lasts forbids a combatant a verb."""
    return any(
        effect.bearer == one.id and verb in rules(fight.catalog)[effect.kind].forbids
        for effect in fight.effects
    )
