"""Getting ready and getting there: reloading, drawing, going to where the nearest foe can be attacked."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.frozen import replace
from services.rules.engine.ground.squares import Square, distance
from services.rules.engine.ground.walking import reach
from services.rules.systems.forge_engine.conditions import Walk as Stretch
from services.rules.systems.forge_engine.conditions import barring
from services.rules.systems.forge_engine.play.arms import MOUNTED_COMBAT, reach_feet
from services.rules.systems.forge_engine.play.effects import conditions_of, hands_used
from services.rules.systems.forge_engine.play.ground import apart, blocked, covered
from services.rules.systems.forge_engine.play.legal.movement import goals, verb_forbidden
from services.rules.systems.forge_engine.play.legal.spells import may_cast
from services.rules.systems.forge_engine.play.mounts import carrying, mover_of
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Dismount,
    FightMove,
    Minor,
    MinorUse,
    Mount,
    Reload,
    Walk,
)
from services.rules.systems.forge_engine.play.rules.areas import range_of
from services.rules.systems.forge_engine.play.rules.energy import affords
from services.rules.systems.forge_engine.play.rules.minor import minor_cost, reload_cost, ways_of
from services.rules.systems.forge_engine.play.rules.mounts import able_to_mount, exits, mountable
from services.rules.systems.forge_engine.play.rules.movement import feet_left, move_cost
from services.rules.systems.forge_engine.play.rules.spells import castable, is_attack
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight
from services.rules.systems.forge_engine.pools.attack_given import Cover


def made_ready(fight: Fight, one: Combatant, foes: tuple[Combatant, ...]) -> FightMove | None:
    """Reloads what is empty; draws what reaches a foe from here."""
    for weapon in one.profile.weapons:
        if one.ready(weapon) and one.shots(weapon.id) == 0 and not one.empty(weapon):
            for way in ways_of(fight.catalog, weapon):
                cost = reload_cost(fight, one, weapon, way)
                if cost is not None and affords(one, cost.value):
                    return Reload(actor=one.id, weapon=weapon.id, way=way)
    if not affords(one, minor_cost(fight, one).value) or one.minors > 2:
        return None
    near = min(apart(fight, one, foe) for foe in foes)
    drawn = [
        each for each in one.profile.weapons if not each.natural and one.ready(each) and not one.empty(each)
    ]
    if any(reach_feet(fight, one, each) >= near for each in drawn):
        return None
    spare = one.profile.hands - hands_used(fight, one)
    for weapon in one.profile.weapons:
        fits = not weapon.natural and weapon.id not in one.held and one.left(weapon) > 0
        if fits and weapon.hands <= spare and (reach_feet(fight, one, weapon) >= near or not drawn):
            return Minor(actor=one.id, use=MinorUse.DRAW, item=weapon.id)
    return None


def nearer(fight: Fight, one: Combatant, foes: tuple[Combatant, ...]) -> FightMove | None:
    """Goes to where a weapon or a spell reaches the nearest foe, riding or driving where it does that."""
    if verb_forbidden(fight, one, "move"):
        return None
    mover = mover_of(fight, one)
    if mover is None:
        return _off(fight, one, foes)
    if mover.id != one.id and (
        verb_forbidden(fight, mover, "move") or barring(conditions_of(fight, mover.id)) is not None
    ):
        return None
    usable = (weapon for weapon in one.profile.weapons if one.ready(weapon) and not one.empty(weapon))
    spells = castable(fight, one) if may_cast(fight, one) else ()
    reaching = max(
        (
            *(reach_feet(fight, one, weapon) for weapon in usable),
            *(range_of(spell) for spell in spells if is_attack(spell)),
        ),
        default=CELL,
    )
    ridden = _mount(fight, one, foes, reaching)
    if ridden is not None:
        return ridden
    if fight.ground is None:
        return _approaching(fight, one, mover, foes, reaching)
    open_to = dict(goals(fight, mover, run=False))
    if not open_to or one.at is None:
        return None
    way = _way_to_attack(fight, one, foes, reaching)
    steps = [square for square in way if square in open_to]
    return Walk(actor=one.id, to=steps[-1]) if steps else None


def _mount(fight: Fight, one: Combatant, foes: tuple[Combatant, ...], reaching: int) -> FightMove | None:
    """Gets on a mount beside one, with the skill to fight from it, while no foe is within reach."""
    far = all(apart(fight, one, foe) > reaching for foe in foes)
    skilled = one.profile.rating(MOUNTED_COMBAT) and carrying(fight, one.id) is None
    if not (skilled and far and able_to_mount(fight, one)):
        return None
    mounts = (each for each in mountable(fight, one) if not each.vehicle)
    return next((Mount(actor=one.id, target=each.id) for each in mounts), None)


def _off(fight: Fight, one: Combatant, foes: tuple[Combatant, ...]) -> FightMove | None:
    """Gets out of a vehicle, on the side of the nearest foe; None for mounts, which go as they are ridden."""
    if carrying(fight, one.id) is None or one.altitude or not able_to_mount(fight, one):
        return None
    if fight.ground is None:
        return Dismount(actor=one.id)
    near = min((foe.at for foe in foes if foe.at is not None), key=lambda at: _far(one, at), default=None)
    squares = exits(fight, one)
    if near is None or not squares:
        return None
    return Dismount(actor=one.id, to=min(squares, key=lambda to: (distance(to, near), to.y, to.x)))


def _far(one: Combatant, at: Square) -> int:
    return 0 if one.at is None else distance(one.at, at)


def _way_to_attack(
    fight: Fight, one: Combatant, foes: tuple[Combatant, ...], feet: int
) -> tuple[Square, ...]:
    """A cheapest way to where a foe within some feet could be attacked; empty where none is found.

    The search goes as far as the nearest foe is away, then further: nearly every way is found at first.
    """
    if fight.ground is None or one.at is None:
        return ()
    closed, whole = blocked(fight, one), CELL * max(fight.ground.width, fight.ground.height)
    standing = [(foe, foe.at) for foe in sorted(foes, key=lambda foe: foe.id) if foe.at is not None]
    least = max(CELL, min(apart(fight, one, foe) for foe in foes) - feet)
    for farthest in (least, 2 * least, 4 * least, None):
        found = reach(fight.ground, one.footprint(), farthest, closed)
        near = _around(one.at, 1, whole if farthest is None else farthest)
        ends = sorted(
            (cost, square.y, square.x, place)
            for place, (foe, at) in enumerate(standing)
            for square in _in_both(near, _around(at, foe.size, feet))
            if (cost := found.cost(square)) is not None
        )
        for _, y, x, place in ends:
            if _sees(fight, one, Square(x, y), standing[place][0]):
                return found.way(Square(x, y)) or ()
    return ()


def _sees(fight: Fight, one: Combatant, at: Square, foe: Combatant) -> bool:
    """Whether a foe could be attacked from a square."""
    return covered(fight, replace(one, at=at), foe) is not Cover.TOTAL


Block = tuple[range, range]
"""The columns and the rows of a block of squares."""


def _around(at: Square, size: int, feet: int) -> Block:
    """The squares within some feet of a space, whether the ground has them or not."""
    far = feet // CELL
    return range(at.x - far, at.x + size + far), range(at.y - far, at.y + size + far)


def _in_both(one: Block, other: Block) -> Iterator[Square]:
    """The squares that two blocks share."""
    across, down = (
        range(max(here.start, there.start), min(here.stop, there.stop))
        for here, there in zip(one, other, strict=True)
    )
    return (Square(x, y) for x in across for y in down)


def _approaching(
    fight: Fight, actor: Combatant, one: Combatant, foes: tuple[Combatant, ...], reaching: int
) -> FightMove | None:
    foe = min(foes, key=lambda each: apart(fight, one, each))
    wanted = apart(fight, one, foe) - max(reaching, CELL)
    feet = min(wanted, feet_left(fight, one)) // CELL * CELL
    while feet > 0:
        if affords(one, move_cost(fight, one, Stretch(distance=feet)).value):
            return Approach(actor=actor.id, target=foe.id, feet=feet)
        feet -= CELL
    return None
