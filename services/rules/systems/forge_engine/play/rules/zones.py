"""Areas that go on by themselves: Arcane Maelstrom (Magic Skills / Arcane Magic; P3).

A zone is an effect on its caster that says in `about` where its middle is: a square (`4,7`), or without a
grid the combatant it was aimed at. All who come in, or end a turn inside, are attacked by its dice.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.effects import Duration, Effect, Until
from services.rules.engine.frozen import replace
from services.rules.engine.ground.squares import Square
from services.rules.engine.steps import Steps
from services.rules.systems.forge_engine.play.effects import effect_id, new_effect
from services.rules.systems.forge_engine.play.facts import EffectBegan
from services.rules.systems.forge_engine.play.ground import apart, within
from services.rules.systems.forge_engine.play.rules.attack import strike_through
from services.rules.systems.forge_engine.play.rules.enchantments import stored_strike
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.rules.outcomes import spell_id
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import Strike

MAELSTROM, ZONE = spell_id("arcane-maelstrom"), effect_id("arcane-maelstrom")

Inside = frozenset[tuple[str, str]]
"""Who is in which zone: ids of the effect and of the combatant."""


def rage_on(turn: FightTurn, strike: Strike, dice: int, at: Square | None) -> None:
    """The area stays where it was aimed at, a round of its caster's for each rating."""
    one = turn.state.find(strike.attacker)
    rating = one.profile.rating(MAELSTROM)
    first = turn.state.get(strike.targets[0]) if strike.targets else None
    middle = at if at is not None else None if first is None else first.at
    about = strike.targets[0] if middle is None else f"{middle.x},{middle.y}"
    lasts = Duration(Until.TURNS, one.id, rating)
    effect = new_effect(turn.state, ZONE, one.id, source=one.id, amount=dice, lasts=lasts, about=about)
    if rating:
        turn.happen(EffectBegan(effect=effect))


def zones(fight: Fight) -> tuple[Effect, ...]:
    """The zones that go on."""
    return tuple(effect for effect in fight.effects if effect.kind == ZONE)


def caught_in(fight: Fight, zone: Effect) -> Iterator[Combatant]:
    """All whom a zone takes in."""
    area = fight.catalog.spells[MAELSTROM].area
    assert area is not None
    across, comma, down = zone.about.partition(",")
    if comma:
        yield from within(fight, Square(int(across), int(down)), area.feet)
        return
    middle = fight.find(zone.about)
    for one in fight.combatants:
        if one.gone is None and (one.id == middle.id or apart(fight, one, middle) <= area.feet):
            yield one


def inside(fight: Fight) -> Inside:
    """Who is in which zone."""
    return frozenset((zone.id, one.id) for zone in zones(fight) for one in caught_in(fight, zone))


def would_enter(fight: Fight, one: Combatant, to: Square) -> bool:
    """Whether a step leads a combatant into a zone that it is not in."""
    there = tuple(zones(fight))
    if not there:
        return False
    moved = tuple(replace(each, at=to) if each.id == one.id else each for each in fight.combatants)
    after = replace(fight, combatants=moved)
    return any(
        one.id in {each.id for each in caught_in(after, zone)}
        and one.id not in {each.id for each in caught_in(fight, zone)}
        for zone in there
    )


def entered(turn: FightTurn, before: Inside, old: tuple[Effect, ...]) -> Steps:
    """All who are in a zone now and were not before are attacked; a zone that has just begun is none yet.

    Args:
        turn: The turn.
        before: Who was in which zone.
        old: The zones that went on then.
    """
    names = {zone.id for zone in old}
    for zone, who in sorted(inside(turn.state) - before) if names else ():
        if zone in names:
            yield from _attacked(turn, zone, who)


def turn_ends(turn: FightTurn, who: str) -> Steps:
    """A combatant that ends its turn in a zone is attacked."""
    for zone, caught in sorted(inside(turn.state)):
        if caught == who:
            yield from _attacked(turn, zone, who)


def _attacked(turn: FightTurn, zone: str, who: str) -> Steps:
    effect = next((each for each in turn.state.effects if each.id == zone), None)
    if effect is None or turn.state.find(who).life is Life.DEAD or not turn.state.find(effect.source).up:
        return
    strike = replace(stored_strike(effect.source, MAELSTROM, who, effect.amount), area=True)
    yield from strike_through(turn, strike)
