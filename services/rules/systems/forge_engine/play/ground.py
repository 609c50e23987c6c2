"""Distances, cover, light and ways between combatants, on a grid or by the game master's word.

Feet are whole; a square is 5 of them and slanting steps count as straight ones (Combat Movement; R-120).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from services.rules.engine.content import content_id
from services.rules.engine.ground.cover import Grade, cover
from services.rules.engine.ground.even import even, even_way
from services.rules.engine.ground.footprint import Footprint, distance, floor
from services.rules.engine.ground.kinds import Level
from services.rules.engine.ground.light import light_on
from services.rules.engine.ground.squares import Square
from services.rules.engine.ground.steps import fits
from services.rules.engine.ground.walking import Reach, reach, walks
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.play.effects import rules
from services.rules.systems.forge_engine.play.mounts import carrier_of, company
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight
from services.rules.systems.forge_engine.pools.attack_given import Cover

FARTHEST = 1_000
"""Feet beyond which no way is searched for."""
BESIDE = 5
"""Feet between those who stand beside each other."""
GRADES = {
    Grade.NONE: Cover.NONE,
    Grade.PARTIAL: Cover.PARTIAL,
    Grade.HALF: Cover.HALF,
    Grade.THREE_QUARTERS: Cover.THREE_QUARTERS,
    Grade.TOTAL: Cover.TOTAL,
}
COVERS = tuple(Cover)
"""Grades of cover, the least first."""
STATED = {f"cover:{grade.value}": grade for grade in COVERS}
"""The grade of cover that whoever bears an effect with one of these tags has."""
LOW_LIGHT, DARK_VISION, ECHO_SENSE, HEAT_VISION, TREMOR_SENSE = (
    content_id(SLUG, "trait", slug)
    for slug in ("low-light-vision", "dark-vision", "echo-sense", "heat-vision", "tremor-sense")
)
"""Traits that find a target in poor light; who is in the air stirs no ground."""


def apart(fight: Fight, one: Combatant, other: Combatant) -> int:
    """Feet between two combatants."""
    if fight.ground is not None and one.at is not None and other.at is not None:
        return distance(fight.ground, one.footprint(), other.footprint())
    # Whom a mount or vehicle carries is where that is.
    one, other = carrier_of(fight, one.id) or one, carrier_of(fight, other.id) or other
    if one.id == other.id:
        return 0
    for stated in fight.apart:
        if {stated.one, stated.other} == {one.id, other.id}:
            return stated.feet
    return BESIDE if one.side == other.side else fight.spread


def apart_at(fight: Fight, one: Combatant, other: Combatant, at: Square) -> int:
    """Feet between two combatants, if the other stood with its top left square elsewhere."""
    if fight.ground is None or one.at is None:
        return apart(fight, one, other)
    return distance(fight.ground, one.footprint(), other.footprint(at))


def apart_from(fight: Fight, one: Combatant, at: Square) -> int:
    """Feet between a combatant and a square; as far as between the sides, where there is no grid."""
    if fight.ground is None or one.at is None:
        return fight.spread
    return distance(fight.ground, one.footprint(), Footprint(at))


def in_reach(fight: Fight, one: Combatant, other: Combatant, further: int = 0) -> bool:
    """Whether a combatant reaches another with its arm, or with a weapon that reaches further."""
    return apart(fight, one, other) <= one.profile.reach + further


def threatened(fight: Fight, one: Combatant, by: tuple[Combatant, ...]) -> bool:
    """Whether any of some combatants who are up reaches another in melee."""
    return any(each.up and in_reach(fight, each, one) for each in by)


def covered(fight: Fight, attacker: Combatant, target: Combatant) -> Cover:
    """The cover of a target: that of the grid, or that stated for it or its vehicle, whichever is more."""
    found = Cover.NONE
    if fight.ground is not None and attacker.at is not None and target.at is not None:
        found = GRADES[cover(fight.ground, attacker.footprint(), target.footprint()).grade]
    around = carrier_of(fight, target.id)
    behind = (target.id,) if around is None or not around.vehicle else (target.id, around.id)
    known = rules(fight.catalog)
    stated = (known[effect.kind].tags for effect in fight.effects if effect.bearer in behind)
    return max((found, *(STATED[tag] for tags in stated for tag in tags if tag in STATED)), key=COVERS.index)


def higher(fight: Fight, one: Combatant, other: Combatant) -> bool:
    """Whether a combatant stands on higher ground than another."""
    if fight.ground is None or one.at is None or other.at is None:
        return False
    return floor(fight.ground, one.footprint()) > floor(fight.ground, other.footprint())


def gloom(fight: Fight, attacker: Combatant, target: Combatant) -> int:
    """Dice that poor light on a target adds to its defense: 1 in dim light, 2 in darkness (Visibility)."""
    if fight.ground is None or target.at is None:
        return 0
    level = light_on(fight.ground, target.footprint())
    if level is Level.BRIGHT:
        return 0
    seeing: tuple[str, ...] = (DARK_VISION, ECHO_SENSE, HEAT_VISION)
    if level is Level.DIM:
        seeing = (LOW_LIGHT, *seeing)
    if not target.altitude:
        seeing = (TREMOR_SENSE, *seeing)
    feet = apart(fight, attacker, target)
    traits = (fight.catalog.traits[one] for one in attacker.profile.traits if one in seeing)
    if any(trait.range is None or feet <= trait.range for trait in traits):
        return 0
    return 1 if level is Level.DIM else 2


def blocked(fight: Fight, mover: Combatant) -> frozenset[Square]:
    """Squares that a combatant cannot walk through: of enemies it knows of who are up, and of vehicles."""
    together = {mover.id, *company(fight, mover.id)}
    others = (one for one in fight.known(mover) if one.at is not None and one.id not in together)
    closed = (one for one in others if (one.side != mover.side and one.up) or (one.vehicle and not one.gone))
    return frozenset(square for one in closed for square in one.footprint().squares())


def occupied(fight: Fight, mover: Combatant) -> frozenset[Square]:
    """Squares in which a combatant cannot end a walk: those of all it knows of who still take part.

    Those of its rider, mount or vehicle are as good as its own.
    """
    together = company(fight, mover.id)
    others = (one for one in fight.known(mover) if one.id != mover.id and one.at is not None)
    standing = (one for one in others if one.gone is None and one.id not in together)
    return frozenset(square for one in standing for square in one.footprint().squares())


def reachable(fight: Fight, mover: Combatant, feet: int, to: Square | None = None) -> Reach | None:
    """Where a combatant could walk within some feet, rough squares counting twice; None without a grid.

    Args:
        fight: The fight.
        mover: Who would walk.
        feet: How far.
        to: The one square that is asked for: what is farther away than it is left out.
    """
    ground = fight.ground_known(mover)
    if ground is None or mover.at is None or feet <= 0:
        return None
    return reach(ground, mover.footprint(), feet, blocked(fight, mover), to)


def way_to(fight: Fight, mover: Combatant, to: Square, near: int) -> tuple[tuple[Square, ...], int] | None:
    """A cheapest way to a square, without its start, and the feet that it takes; None where none leads there.

    Args:
        fight: The fight.
        mover: Who would walk.
        to: Where its top left square would be.
        near: Feet within which it is searched for first: nearly every walk ends nearby, and how far all else
            is away is asked only to say why it is refused.
    """
    ground = fight.ground_known(mover)
    if ground is None or mover.at is None:
        return None
    if mover.size == 1 and even(ground):
        steps = even_way(ground, mover.at, to, blocked(fight, mover), ())
        far = 0 if steps is None else ground.measure.units * len(steps)
        return (steps, far) if steps and far <= FARTHEST else None
    for feet in (near, FARTHEST):
        found = reachable(fight, mover, feet, to)
        steps = None if found is None else found.way(to)
        if found is not None and steps:
            return steps, found.cost(to) or 0
    return None


def free(fight: Fight, mover: Combatant, to: Square, taken: frozenset[Square] | None = None) -> bool:
    """Whether a combatant can end up in a square, as far as it knows.

    Args:
        fight: The fight.
        mover: Who moves.
        to: Where its top left square would be.
        taken: Squares where others stand, if that is known already.
    """
    ground = fight.ground_known(mover)
    if ground is None:
        return False
    taken = occupied(fight, mover) if taken is None else taken
    footprint = mover.footprint(to)
    return fits(ground, footprint) and taken.isdisjoint(footprint.squares())


def ways(fight: Fight, mover: Combatant, feet: int) -> Mapping[tuple[int, int], Sequence[Square]]:
    """Free squares to which a combatant could walk within some feet, rough squares counting twice.

    Returns:
        The squares by the steps that lead there, and by how many of them are rough; none without a grid.
    """
    ground = fight.ground_known(mover)
    if ground is None or mover.at is None or feet <= 0:
        return {}
    found = walks(ground, mover.footprint(), feet, blocked(fight, mover), occupied(fight, mover))
    return {(steps, spent // CELL - steps): squares for (steps, spent), squares in found.items()}


def within(fight: Fight, at: Square, feet: int) -> Iterator[Combatant]:
    """All who stand within some feet of a square and in sight of it."""
    if fight.ground is None:
        return
    ground, middle = fight.ground, Footprint(at)
    for one in fight.combatants:
        if one.at is None or one.gone is not None:
            continue
        there = one.footprint()
        near = distance(ground, middle, there) <= feet
        if near and cover(ground, middle, there).grade is not Grade.TOTAL:
            yield one


def in_arc(fight: Fight, attacker: Combatant, target: Combatant, feet: int) -> Iterator[Combatant]:
    """All within some feet and 22.5 degrees to either side of a line of fire, the target first."""
    yield target
    if fight.ground is None or attacker.at is None or target.at is None:
        return
    ahead = (target.at.x - attacker.at.x, target.at.y - attacker.at.y)
    for one in fight.combatants:
        if one.id in (attacker.id, target.id) or one.at is None or one.gone is not None:
            continue
        way = (one.at.x - attacker.at.x, one.at.y - attacker.at.y)
        near = apart(fight, attacker, one) <= feet and _beside_line(ahead, way)
        if near and covered(fight, attacker, one) is not Cover.TOTAL:
            yield one


def _beside_line(ahead: tuple[int, int], way: tuple[int, int]) -> bool:
    """Whether a way lies within 22.5 degrees of a line: its tangent is at most 5/12, a little less."""
    along = ahead[0] * way[0] + ahead[1] * way[1]
    aside = abs(ahead[0] * way[1] - ahead[1] * way[0])
    return along > 0 and 12 * aside <= 5 * along
