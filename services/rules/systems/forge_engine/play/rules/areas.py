"""The areas of spells: around the caster, around a square or a target, in an arc (Magic Skills / Areas)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product

from services.rules.engine.frozen import replace
from services.rules.engine.ground.cover import Grade, cover
from services.rules.engine.ground.footprint import Footprint, distance
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.steps import refuse
from services.rules.systems.forge_engine.play.ground import apart, apart_from, within
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import Strike
from services.rules.systems.forge_engine.pools.attack_pool import ADJACENT
from services.rules.systems.forge_engine.skills import AreaShape, Spell

MAGIC = "Magic Skills"
MOST_PLACES = 24
"""Squares that are offered for an area at most."""


def reach_of_spell(spell: Spell) -> int:
    """Feet that a spell reaches; touch is 5."""
    return max(spell.range, ADJACENT)


def range_of(spell: Spell) -> int:
    """Feet to the farthest target: the range, or the length of an arc."""
    if spell.area is not None and not spell.area.at_point:
        return spell.area.feet
    return reach_of_spell(spell)


def aims(spell: Spell) -> bool:
    """Whether an area spell is aimed at a target, in the middle of its arc or its area."""
    return spell.area is not None and (spell.area.at_point or spell.area.shape is AreaShape.ARC)


def caught(fight: Fight, one: Combatant, spell: Spell, middle: Combatant) -> tuple[str, ...]:
    """All whom an area takes in: around the caster, around a target, or in an arc towards it."""
    assert spell.area is not None
    others = (each for each in fight.combatants if each.id != middle.id and each.gone is None)
    if spell.area.shape is AreaShape.ARC:
        found = (
            each.id
            for each in others
            if each.id != one.id
            and apart(fight, one, each) <= spell.area.feet
            and _in_quarter(one, middle, each)
        )
        return (middle.id, *found)
    near = tuple(each.id for each in others if apart(fight, middle, each) <= spell.area.feet)
    return near if middle.id == one.id else (middle.id, *near)


def _in_quarter(one: Combatant, middle: Combatant, other: Combatant) -> bool:
    """Whether another stands within 45 degrees of the line from a caster to a target; on a grid alone."""
    if one.at is None or middle.at is None or other.at is None:
        return False
    ahead = (middle.at.x - one.at.x, middle.at.y - one.at.y)
    way = (other.at.x - one.at.x, other.at.y - one.at.y)
    along = ahead[0] * way[0] + ahead[1] * way[1]
    return along > 0 and abs(ahead[0] * way[1] - ahead[1] * way[0]) <= along


def at_place(fight: Fight, one: Combatant, spell: Spell, plain: Strike, at: Square) -> Strike:
    """The attack of an area around a square, which lies in range and in sight of the caster."""
    feet = apart_from(fight, one, at)
    if feet > reach_of_spell(spell):
        text = f"{spell.name} does not reach so far."
        refuse("out_of_range", text, MAGIC, ("at",), feet, reach_of_spell(spell))
    if fight.ground is None or not fight.ground.holds(at):
        refuse("off_grid", "There is no such square.", MAGIC, ("at",), f"{at.x}, {at.y}")
    if not in_sight(fight.ground, one, at):
        refuse("covered", "Total cover keeps it out.", "Externalities / Cover", ("at",), f"{at.x}, {at.y}")
    return burst(fight, spell, plain, at, feet)


def burst(fight: Fight, spell: Spell, plain: Strike, at: Square, feet: int) -> Strike:
    """An attack on all whom an area around a square takes in, some feet away from the caster."""
    assert spell.area is not None
    targets = tuple(each.id for each in within(fight, at, spell.area.feet))
    return replace(plain, targets=targets, thrown=feet)


def in_sight(ground: Ground, one: Combatant, at: Square) -> bool:
    """Whether a square is open ground that a combatant sees, with less than total cover between."""
    if ground.index.opaque[at.y * ground.width + at.x]:
        return False
    return cover(ground, one.footprint(), Footprint(at)).grade is not Grade.TOTAL


def places(fight: Fight, one: Combatant, spell: Spell) -> tuple[Square, ...]:
    """Squares at which an area spell takes in an enemy that its caster knows of, `MOST_PLACES` at most.

    Those where it takes in most enemies and fewest of the caster's own side come first, then the nearest.
    """
    ground = fight.ground_known(one)
    if ground is None or one.at is None or spell.area is None or not spell.area.at_point:
        return ()
    known = [
        each
        for each in fight.known(one)
        if each.at is not None and each.gone is None and each.life is not Life.DEAD
    ]
    feet, foes = spell.area.feet, [each for each in known if each.side != one.side]
    own = _overlaps((each for each in known if each.side == one.side), ground, feet)
    # Ranked by what is counted on the plane; heights are measured for those alone that are offered.
    ranked = sorted(
        (own[x, y] - count, max(abs(x - one.at.x), abs(y - one.at.y)), y, x)
        for (x, y), count in _overlaps(foes, ground, feet).items()
    )
    here, theirs = one.footprint(), [foe.footprint() for foe in foes]
    open_to = (
        square
        for _, _, y, x in ranked
        if distance(ground, here, middle := Footprint(square := Square(x, y))) <= reach_of_spell(spell)
        and in_sight(ground, one, square)
        and any(distance(ground, middle, there) <= feet for there in theirs)
    )
    return tuple(islice(open_to, MOST_PLACES))


def _overlaps(those: Iterable[Combatant], ground: Ground, feet: int) -> Counter[tuple[int, int]]:
    """How many of some combatants each square of a grid is within some feet of, all being level."""
    return Counter(chain.from_iterable(_around(each, ground, feet) for each in those))


def _around(one: Combatant, ground: Ground, feet: int) -> Iterator[tuple[int, int]]:
    """The squares of a grid from which some feet reach a combatant, all being level."""
    assert one.at is not None
    far = feet // CELL
    across = range(max(0, one.at.x - far), min(ground.width, one.at.x + one.size + far))
    down = range(max(0, one.at.y - far), min(ground.height, one.at.y + one.size + far))
    return product(across, down)
